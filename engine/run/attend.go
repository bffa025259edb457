package run

import (
	"context"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers/measure"
)

// attendTime bounds how long a test is held back until the setups under it have done their part: a rebuild has begun, say.
const attendTime = 2 * time.Minute

// attendants adds the setups that take part in a step to what watches it.
func (r *runner) attendants(w *watchers, s plan.Step, attempt int) error {
	for _, a := range s.Attends {
		step := s
		step.ID = a.ID
		sink, err := r.sink(step, attempt, "")
		if err != nil {
			return err
		}
		t := r.things[a.Thing]
		w.list = append(w.list, &watcher{
			monitor: t.Attendant(s.Address), thing: t, id: a.ID, repetition: s.Repetition, attempt: attempt,
			sink: &watchSink{sink: sink, ready: make(chan struct{})}, done: make(chan struct{}),
		})
	}
	return nil
}

// awaitAttendants waits until they are ready, or over.
func (w *watchers) awaitAttendants(ctx context.Context) {
	patience, cancel := context.WithTimeout(ctx, attendTime)
	defer cancel()
	for _, one := range w.list {
		if one.thing == nil {
			continue
		}
		select {
		case <-one.sink.ready:
		case <-one.done:
		case <-patience.Done():
		}
	}
}

// attended makes a sample invalid where a setup under the test was not as it should be.
func attended(watched []record.Event, final *record.Event) {
	for _, e := range watched {
		if e.Thing != "" && e.Outcome != measure.OK && final.Outcome == measure.OK {
			final.Outcome, final.Reason = measure.Invalid, derive.NotAttended(e.Address, e.Reason)
		}
	}
}
