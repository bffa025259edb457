package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// monitorName names the command of a monitor: its artifacts are monitor.stdout, monitor.stderr and monitor.times.
const monitorName = "monitor"

// seriesStatistics say what becomes of the points of a series.
var seriesStatistics = []string{"mean", "median", "min", "max", "last"}

func monitorType() schema.Type {
	return schema.Type{
		Name: "command",
		Doc: "A command that prints figures as time goes on. It is started before the test, which begins once every measure has come for the first time, or ten seconds later, and " +
			"it is ended with the test. Each line of its standard output in which a measure is found is a point of a series, at the time when the line came; the figure is a statistic " +
			"of the points. What came before the test began is left out, such as the mean since the machine was started with which vmstat and iostat begin. " +
			"A command that ends before the test, and a measure without a point, have failed.",
		Body: schema.Block{
			Attributes: append(runAttributes(),
				schema.Attribute{Name: "every", Kind: schema.Quantity, Dim: unit.Seconds, Min: "100ms", Max: "1h",
					Doc: "For a tool that prints once and ends: it is run again and again, so much time after the last time it began, or at once where it took longer. " +
						"Each run is a point of every measure, at the time when it had ended; it must end with status 0. Absent, the command runs once, and goes on until it is ended. " +
						"Many tools hold back what they print when that is no terminal: run those by stdbuf -oL."},
			),
			Blocks: []schema.Nested{
				schema.MeasureBlock("A figure that is found again and again: just one of json, column and pattern says where it is in a line, or in what a run prints. There, each key stands once.",
					append(placeAttributes(), schema.Attribute{Name: "statistic", Kind: schema.String, Enum: seriesStatistics, Default: seriesStatistics[0],
						Doc: "What becomes of the points that came while the test ran, of each key."})...),
			},
		},
		DeclaresMeasures: true,
	}
}

func planMonitor(t providers.Target, b body, resp *providers.PlanResponse) {
	on := hosts(t)[:1]
	if every := b.number("every"); every > 0 {
		resp.Commands = []providers.Command{{On: on[0], Manual: "run the command every " + unit.FormatSeconds(every) + " until the test is over"}}
	}
	resp.Commands = append(resp.Commands, planned(on, []command{b.command()})...)
}

// Observe implements providers.Provider. Its exit has an error where it was told to end, also between two runs: so Parse can tell that
// from an end of the command's own.
func (p *provider) Observe(ctx context.Context, req providers.ObserveRequest, sink providers.Sink) (err error) {
	if req.Kind != "monitor" || req.Type != "command" {
		return unknown(req.Target)
	}
	h, err := p.dial(ctx, hosts(req.Target)[0])
	if err != nil {
		return fmt.Errorf("command: %w", err)
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	b := body{req.Config}
	c := b.command()
	ready, err := c.prepare(ctx, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ready.remove()) }()
	var files []io.WriteCloser
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	for _, name := range []string{".stdout", ".stderr", ".times"} {
		f, err := sink.Artifact(monitorName + name)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	every := time.Duration(b.number("every") * float64(time.Second))
	out := &stamped{out: files[0], times: files[2], lines: every == 0, began: time.Now(), first: newFollower(b.figures(), every > 0),
		ready: func() { sink.Progress(-1, "watching") }}
	var said head
	ready.cmd.Stdout, ready.cmd.Stderr = out, io.MultiWriter(files[1], &said)
	res, err := c.watch(ctx, h, ready.cmd, every, out)
	exit := measure.Exit{Name: monitorName, Host: h.Address(), Argv: c.argv, Code: res.Code, Signal: res.Signal, Started: res.Started, Ended: res.Ended}
	told := ctx.Err() != nil
	switch {
	case told:
		exit.Error, err = context.Cause(ctx).Error(), nil
	case err != nil:
		exit.Error, err = err.Error(), fmt.Errorf("%s: %w", c.argv[0], err)
	default:
		err = errors.New(endedEarly(exit, said.Bytes()))
	}
	sink.Exit(exit)
	return err
}

// watch runs the command until it ends or, with every, until a run does not succeed. The result is of the last run, and began with the
// first.
func (c command) watch(ctx context.Context, h host.Host, cmd host.Cmd, every time.Duration, out *stamped) (host.Result, error) {
	if every == 0 {
		return h.Run(ctx, cmd)
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var began time.Time
	for {
		if c.stdin != "" {
			cmd.Stdin = strings.NewReader(c.stdin)
		}
		res, err := h.Run(ctx, cmd)
		if began.IsZero() {
			began = res.Started
		}
		res.Started = began
		if err != nil || !res.OK() {
			return res, err
		}
		if err := out.stamp(); err != nil {
			return res, err
		}
		select {
		case <-ctx.Done():
			return res, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// endedEarly says how a command ended that should have gone on.
func endedEarly(exit measure.Exit, stderr []byte) string {
	why := fmt.Sprintf("ended by itself with status %d", exit.Code)
	if exit.Signal != "" {
		why = "was ended by " + exit.Signal
	}
	if why += " before the test was over"; lastLine(stderr) != "" {
		why += "; it said: " + lastLine(stderr)
	}
	return path.Base(exit.Argv[0]) + " " + why
}
