// Package fio drives fio, the flexible I/O tester: one job on each host, one process there for each repetition.
//
// The options of a test bear fio's own names; those that are not attributes go through an allow-list (options.go). What
// fio is told is decided in Plan and printed there; Measure runs just that. Parse is a pure function over fio's JSON, of
// version 2.16 to 3.42, whether it comes from Measure or from a file that existed already.
//
// Besides, a dataset fills devices or files before they are measured (precondition.go), and a test of its own runs job files of several
// jobs (jobs.go).
//
// It leaves out fio's own client and server: on several hosts each has a fio of its own, and they begin together. Results of these are
// read when they are imported.
package fio

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

type provider struct {
	dial host.Dialer
}

// New gives the provider; dial opens the hosts on which it measures.
func New(dial host.Dialer) providers.Provider { return &provider{dial: dial} }

// Schema implements providers.Provider.
func (p *provider) Schema(context.Context) (*schema.Provider, error) { return providerSchema(), nil }

// Configure implements providers.Provider; there is nothing to configure.
func (p *provider) Configure(context.Context, providers.ConfigureRequest) error { return nil }

// errNoThings answers what fio is not asked for.
var errNoThings = errors.New("fio has a test and the dataset fio_precondition only: no setups, and no monitors")

// Observe implements providers.Provider; fio has no monitors.
func (p *provider) Observe(context.Context, providers.ObserveRequest, providers.Sink) error {
	return errNoThings
}

// Release implements providers.Provider. It removes the files that a test or a precondition left in its directories, known by their
// name, which is assay's mark, and what says that they are preconditioned; there may be none. Devices are left as they are.
func (p *provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	where := placeOf(req.Target)
	argv := releaseArgv(where)
	switch {
	case req.Type == preconditionType:
		argv = removeArgv(where, req.ID)
	case req.Kind != "test":
		return errNoThings
	case len(where.files) == 0:
		return nil
	}
	if where.problems(req.Target) != nil {
		return nil // never planned, so nothing was made
	}
	return onEach(ctx, req.Target, func(ctx context.Context, i int) error {
		h, err := p.open(ctx, hostsOf(req.Target)[i])
		if err != nil {
			return err
		}
		name := strings.Replace(runNames(req.Target)[i], "fio", "release", 1)
		exit, err := providers.Run(ctx, h, sink, name, host.Cmd{Argv: argv})
		if err == nil && (exit.Code != 0 || exit.Signal != "") {
			err = fmt.Errorf("%s could not be removed: rm ended with status %d", strings.Join(argv[3:], ", "), exit.Code)
		}
		return errors.Join(err, h.Close())
	})
}

// Close implements providers.Provider.
func (p *provider) Close() error { return nil }

func (p *provider) open(ctx context.Context, address string) (host.Host, error) {
	h, err := p.dial(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("fio: %w", err)
	}
	return h, nil
}

// Measure implements providers.Provider. fio runs in an empty directory of its own, since it writes files of its own
// choice into the working directory, and takes file names from what it finds there. On several hosts all begin together, behind one
// barrier. Artifacts: fio.stdout, fio.stderr, of several hosts fio-1.stdout and so on, in the order of the hosts.
func (p *provider) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	problems := check
	if req.Type == jobsType {
		problems = checkJobs
	}
	if why := firstError(problems(req.Target)); why != nil {
		return fmt.Errorf("fio: %s: %s", why.Summary, why.Detail)
	}
	stop := func() {}
	defer func() { stop() }()
	barrier := providers.Barrier(len(hostsOf(req.Target)), func(ctx context.Context) error {
		err := gate(ctx)
		if err == nil {
			stop = progress(req.Target, sink)
		}
		return err
	})
	return onEach(ctx, req.Target, func(ctx context.Context, i int) error { return p.measureOn(ctx, req, i, barrier, sink) })
}

func hostName(address string) string {
	if address == "" {
		return "this machine"
	}
	return address
}

// progress tells once a second how much of the wanted time has passed, until stop is called.
func progress(t providers.Target, sink providers.Sink) (stop func()) {
	what, expected := describe(t), estimate(t)
	if t.Type == jobsType {
		what, expected = "fio, a job file", estimateJobs(t)
	}
	sink.Progress(0, what)
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
				// Never 1 before the end: fio may lay out a file first.
				sink.Progress(min(now.Sub(started).Seconds()/expected.Seconds(), 0.99), what)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		sink.Progress(1, what)
	}
}
