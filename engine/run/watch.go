package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// The patience with monitors: readyTime bounds how long a test is held back until its monitors observe.
const (
	readyTime         = 10 * time.Second
	defaultWatchGrace = time.Minute
)

// errTestOver is the cause with which a monitor is told to end.
var errTestOver = errors.New("the test is over")

// watchers are the monitors of one attempt at a test. None of them can fail the test: each has a sample of its own.
type watchers struct {
	r    *runner
	step string          // of the test
	ctx  context.Context // the run's: a test that is ended at its timeout does not end them by itself
	list []*watcher
}

// watcher is one monitor while it observes, or a setup that takes part.
type watcher struct {
	monitor    plan.Test
	thing      *state // nil: it is a monitor
	id         string
	repetition int
	attempt    int
	sink       *watchSink
	timeout    context.Context
	stop       context.CancelCauseFunc // nil: it was not started
	done       chan struct{}
	err        error // of Observe, once done is closed
	early      bool  // it ended before it was told to; once done is closed
	left       bool  // it did not end, and was left behind
}

// watchers makes the folders of the monitors that watch a step. They start when the gate of the test is reached.
func (r *runner) watchers(ctx context.Context, s plan.Step, attempt int) (*watchers, error) {
	w := &watchers{r: r, step: s.ID, ctx: ctx}
	for _, watch := range s.Watches {
		step := s
		step.ID = watch.ID
		sink, err := r.sink(step, attempt, "")
		if err != nil {
			return w, err
		}
		w.list = append(w.list, &watcher{
			monitor: r.tests[watch.Monitor], id: watch.ID, repetition: s.Repetition, attempt: attempt,
			sink: &watchSink{sink: sink, ready: make(chan struct{})}, done: make(chan struct{}),
		})
	}
	return w, r.attendants(w, s, attempt)
}

// observe starts the monitors when the test is ready, and waits until they observe, and what takes part longer: without that there is no
// sample.
func (w *watchers) observe(ctx context.Context) {
	for _, one := range w.list {
		w.start(one)
	}
	w.awaitAttendants(ctx)
	patience, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, one := range w.list {
		select {
		case <-one.sink.ready:
		case <-one.done:
		case <-patience.Done():
		}
	}
}

// start lets a monitor observe beside the test.
func (w *watchers) start(one *watcher) {
	req, err := derive.Request(w.r.o.Set, one.monitor)
	if err != nil {
		one.err = err
		close(one.done)
		return
	}
	key := one.monitor.Address
	if one.thing != nil {
		key = one.thing.ID
	}
	if full, ok := w.r.o.Configs[key]; ok {
		req.Config = full
	}
	var ctx context.Context
	ctx, one.stop = context.WithCancelCause(w.ctx)
	ctx, cancel := limit(ctx, one.monitor.TimeoutS)
	one.timeout = ctx
	go func() {
		defer cancel()
		err := w.r.provider(one.monitor.Kind(), one.monitor.Type).Observe(host.WithTag(ctx, w.r.tag(w.step, one.attempt)), providers.ObserveRequest{
			Target: req.Target, During: one.monitor.During, Repetition: one.repetition, Attempt: one.attempt, Expect: req.Expect,
		}, one.sink)
		one.err, one.early = err, ctx.Err() == nil
		close(one.done)
	}()
}

// end tells the monitors to end, waits for them, and puts what they left on the disk.
func (w *watchers) end() error {
	var errs []error
	for _, one := range w.list {
		if one.stop != nil {
			one.stop(errTestOver)
		}
	}
	grace := defaultWatchGrace
	if w.r != nil && w.r.o.WatchGrace > 0 {
		grace = w.r.o.WatchGrace
	}
	over := time.After(grace)
	for _, one := range w.list {
		if one.stop != nil {
			select {
			case <-one.done:
			case <-over:
				one.left = true
				over = time.After(0) // for the next one too
			}
		}
		errs = append(errs, one.sink.shut())
	}
	return errors.Join(errs...)
}

// samples gives the events of what the monitors yield, for a test of which final is the sample.
func (w *watchers) samples(ctx context.Context, s plan.Step, final record.Event) ([]record.Event, error) {
	var out []record.Event
	for _, one := range w.list {
		e := watchEvent(one.id, one.monitor, final)
		e.Attempt, e.Started = one.attempt, final.Started
		e.Outcome, e.Reason = one.trouble(w.r.o.WatchGrace)
		if one.thing != nil {
			e.Thing = one.thing.ID
		}
		if e.Outcome == "" {
			parsed, err := derive.Watched(ctx, w.r.o.Record, w.r.o.Set, one.monitor, one.id, one.attempt)
			if err != nil {
				return nil, err
			}
			e.Outcome, e.Reason, e.Parsed = parsed.Outcome, parsed.Reason, true
		}
		out = append(out, e)
	}
	return out, nil
}

// trouble is the outcome of a monitor that has no sample, and why; empty where what it left tells.
func (one *watcher) trouble(grace time.Duration) (measure.Outcome, string) {
	switch {
	case one.left:
		if grace == 0 {
			grace = defaultWatchGrace
		}
		return measure.Failed, fmt.Sprintf("it had not ended %s after the test, and was left behind", grace)
	case one.stop == nil && one.err == nil:
		return measure.Failed, "it did not start, since the test ended before its measured part"
	case one.stop != nil && errors.Is(context.Cause(one.timeout), errTimeout):
		return measure.DidNotFinish, fmt.Sprintf("ended at its timeout of %s, before the test was over", plan.Duration(one.monitor.TimeoutS))
	case one.err != nil && !errors.Is(one.err, errTestOver) && !errors.Is(one.err, context.Canceled):
		return measure.Failed, one.err.Error()
	case one.early:
		return measure.Failed, "it ended before the test did"
	}
	return "", ""
}

// unwatched says that the monitors of a step did not run, since the test did not.
func (r *runner) unwatched(s plan.Step, final record.Event) {
	for _, watch := range s.Watches {
		e := watchEvent(watch.ID, r.tests[watch.Monitor], final)
		e.Outcome, e.Reason = final.Outcome, final.Reason
		r.event(e)
	}
}

// watchEvent is the frame of the sample of a monitor, beside that of the test.
func watchEvent(id string, monitor plan.Test, final record.Event) record.Event {
	return record.Event{
		Event: record.SampleDone, Step: id, Address: monitor.Address, Action: string(plan.Observe), Bench: final.Bench,
		Repetition: final.Repetition, Things: final.Things, Generation: final.Generation,
	}
}
