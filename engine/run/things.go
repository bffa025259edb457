package run

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// stepEvent is the frame of an event about a step.
func stepEvent(kind record.Kind, s plan.Step, attempt int) record.Event {
	return record.Event{
		Event: kind, Step: s.ID, Address: s.Address, Action: string(s.Action), Bench: s.Bench,
		Repetition: s.Repetition, Attempt: attempt,
	}
}

// create makes a thing stand, loads a dataset, or switches to it from the state before. A failed attempt is cleaned up and tried again as often as
// the spec says; then what needs the thing is blocked. After a failed switch nothing stands, so it is created then.
func (r *runner) create(ctx context.Context, s plan.Step) {
	t := r.things[s.Thing]
	why := r.blocked(t.Needs)
	if why == "" {
		why = r.heldUp(t.ID)
	}
	if why != "" {
		t.failed = why
		e := stepEvent(record.Blocked, s, 0)
		e.Reason = why
		r.event(e)
		if s.Action == plan.Load {
			sample := r.loadEvent(t, s)
			sample.Outcome, sample.Reason = measure.Blocked, why
			r.event(sample)
		}
		r.leave(ctx, s)
		return
	}
	before := r.things[s.Replaces]
	if before == nil || !before.stands {
		s.From = ""
	}
	var err error
	sample := r.loadEvent(t, s) // of a load only
	for attempt := 1; attempt <= t.Attempts; attempt++ {
		if attempt > 1 && !pause(ctx, plan.Duration(t.BackoffS)) {
			break
		}
		began := time.Now()
		r.event(stepEvent(record.Intent, s, attempt))
		if r.failure() != nil {
			return
		}
		r.notKept(t) // until it is whole again
		if s.From != "" {
			before.stands = false // whatever comes of it, it is not the state before
			r.notKept(before)
		}
		err = r.prepare(ctx, t, s, attempt)
		if s.Action == plan.Load {
			err = r.loaded(ctx, t, s, attempt, err, &sample)
			sample.DurationS = time.Since(began).Seconds()
		}
		if err == nil {
			t.stands, t.failed = true, ""
			t.generation++
			r.keptThing(ctx, t, s, sample)
			e := stepEvent(record.Done, s, attempt)
			e.DurationS = time.Since(began).Seconds()
			r.event(e)
			if s.Action == plan.Load {
				r.event(sample)
			}
			return
		}
		e := stepEvent(record.FailedStep, s, attempt)
		e.Reason, e.DurationS = err.Error(), time.Since(began).Seconds()
		r.event(e)
		t.stands = true // until its residue is gone
		r.release(ctx, t, s, attempt)
		if ctx.Err() != nil {
			break
		}
		s.From = ""
	}
	t.failed = fmt.Sprintf("%s could not be %s: %s", s.Address, done(s.Action), firstLine(err))
	if s.Action == plan.Load && ctx.Err() == nil { // an interrupted load has no sample, as an interrupted repetition has none
		r.event(sample)
	}
}

func done(a plan.Action) string {
	switch a {
	case plan.Switch:
		return "switched to"
	case plan.Load:
		return "loaded"
	}
	return "created"
}

// leave takes away the state before a switch that will not be done.
func (r *runner) leave(ctx context.Context, s plan.Step) {
	if t := r.things[s.Replaces]; t != nil && t.stands {
		s.Address = t.Addresses[0]
		r.release(ctx, t, s, 0)
	}
}

func firstLine(err error) string {
	if err == nil {
		return "interrupted"
	}
	return err.Error()
}

func (r *runner) prepare(ctx context.Context, t *state, s plan.Step, attempt int) error {
	req, err := r.thingRequest(t)
	if err != nil {
		return err
	}
	req.From, req.Generation = s.From, s.Generation
	ctx, cancel := limit(ctx, t.TimeoutS)
	defer cancel()
	sink, err := r.sink(s, attempt, "")
	if err != nil {
		return err
	}
	err = r.o.Set.For(t.Kind, t.Type).Prepare(ctx, req, sink)
	return errors.Join(timeoutError(ctx, err, t.TimeoutS), sink.Commit())
}

// destroy takes a thing away, also after a cancel. A failed removal is tried once more; then the thing is quarantined.
func (r *runner) destroy(ctx context.Context, s plan.Step) {
	t := r.things[s.Thing]
	if !t.stands {
		return
	}
	r.release(ctx, t, s, 0)
}

// release removes a thing or its residue under a deadline of its own.
func (r *runner) release(ctx context.Context, t *state, s plan.Step, after int) {
	ctx = context.WithoutCancel(ctx)
	if r.o.Cleanup != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(r.o.Cleanup, stop)()
	}
	s.Action = plan.Destroy
	var err error
	for try := 1; try <= 2; try++ {
		attempt := after + try
		r.event(stepEvent(record.Intent, s, attempt))
		r.notKept(t)
		began := time.Now()
		if err = r.remove(ctx, t, s, attempt); err == nil {
			t.stands = false
			e := stepEvent(record.Done, s, attempt)
			e.DurationS = time.Since(began).Seconds()
			r.event(e)
			return
		}
		e := stepEvent(record.FailedStep, s, attempt)
		e.Reason = err.Error()
		r.event(e)
		if ctx.Err() != nil {
			return
		}
	}
	r.mu.Lock()
	r.quarantined[t.ID] = err.Error()
	r.mu.Unlock()
	e := stepEvent(record.Quarantine, s, 0)
	e.Reason = fmt.Sprintf("%s could not be removed, so nothing that claims the same is touched any more: %s", s.Address, err)
	r.event(e)
}

func (r *runner) remove(ctx context.Context, t *state, s plan.Step, attempt int) error {
	req, err := r.thingRequest(t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, CleanupTime)
	defer cancel()
	sink, err := r.sink(s, attempt, "-destroy")
	if err != nil {
		return err
	}
	return errors.Join(r.o.Set.For(t.Kind, t.Type).Release(ctx, req, sink), sink.Commit())
}

// blocked says why something that needs these things cannot go on, or "".
func (r *runner) blocked(needs []string) string {
	for _, id := range needs {
		t := r.things[id]
		if t.failed != "" { // its residue may still be there
			return t.failed
		}
		if !t.stands {
			return fmt.Sprintf("%s does not stand", t.Addresses[0])
		}
	}
	return ""
}

// heldUp says which thing that could not be removed holds what this one claims, or "".
func (r *runner) heldUp(thing string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range sortedIDs(r.quarantined) {
		for _, claim := range r.things[id].Claims {
			if contains(r.things[thing].Claims, claim) {
				return fmt.Sprintf("%s could not be removed and holds %s", r.things[id].Addresses[0], claim)
			}
		}
	}
	return ""
}

func sortedIDs(m map[string]string) []string {
	ids := make([]string, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// limit gives ctx a deadline where there is a timeout.
func limit(ctx context.Context, seconds float64) (context.Context, context.CancelFunc) {
	if seconds <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, plan.Duration(seconds), errTimeout)
}

var errTimeout = errors.New("timeout")

// timeoutError says so where the deadline ended it.
func timeoutError(ctx context.Context, err error, seconds float64) error {
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) {
		return fmt.Errorf("ended at its %w of %s: %w", errTimeout, plan.Duration(seconds), err)
	}
	return err
}

// pause waits between attempts; false when ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return ctx.Err() == nil
	}
}

// sink is what a provider writes into while a step runs.
type sink struct {
	*record.Attempt
	r       *runner
	step    plan.Step
	attempt int
}

var _ providers.Sink = (*sink)(nil)

func (r *runner) sink(s plan.Step, attempt int, suffix string) (*sink, error) {
	a, err := r.o.Record.Attempt(s.ID+suffix, attempt)
	if err != nil {
		return nil, err
	}
	return &sink{Attempt: a, r: r, step: s, attempt: attempt}, nil
}

// Progress is shown and not kept.
func (s *sink) Progress(share float64, text string) { s.r.progress(s.step, s.attempt, share, text) }

func (r *runner) progress(s plan.Step, attempt int, share float64, text string) {
	if r.o.Emit == nil {
		return
	}
	e := stepEvent(record.Progress, s, attempt)
	e.FormatVersion, e.Time, e.Share, e.Text = record.FormatVersion, time.Now().UTC(), share, text
	r.o.Emit(e)
}
