package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-bench/assay/providers"
)

// runName names the measured command: its artifacts are command.stdout and command.stderr.
const runName = "command"

// Measure implements providers.Provider. The commands before run, and files are written, before the gate.
func (p *provider) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) (err error) {
	if req.Kind != "test" || req.Type != "command" {
		return unknown(req.Target)
	}
	h, err := p.dial(ctx, hosts(req.Target)[0])
	if err != nil {
		return fmt.Errorf("command: %w", err)
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	b := body{req.Config}
	for i, c := range b.commands("before") {
		if err := c.must(ctx, h, sink, fmt.Sprintf("before-%d", i+1)); err != nil {
			return err
		}
	}
	ready, err := b.command().prepare(ctx, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ready.remove()) }()
	if err := gate(ctx); err != nil {
		return err
	}
	stop := progress(time.Duration(b.number("estimate")*float64(time.Second)), sink)
	defer stop()
	_, err = providers.Run(ctx, h, sink, runName, ready.cmd)
	return err
}

// progress tells once a second how much of the estimate has passed, until stop is called.
func progress(expected time.Duration, sink providers.Sink) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	started := time.Now()
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				share := -1.0
				if expected > 0 {
					share = min(now.Sub(started).Seconds()/expected.Seconds(), 0.99)
				}
				sink.Progress(share, "running")
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
