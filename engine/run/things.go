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
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// stepEvent is the frame of an event about a step.
func stepEvent(kind record.Kind, s plan.Step, attempt int) record.Event {
	e := record.Event{
		Event: kind, Step: s.ID, Address: s.Address, Action: string(s.Action), Bench: s.Bench,
		Repetition: s.Repetition, Attempt: attempt, Thing: s.Thing,
	}
	if s.Action == plan.Switch && s.From != "" {
		e.From, e.Replaces = s.From, s.Replaces
	}
	return e
}

// create makes a thing stand, loads a dataset, or switches to it from the state before. A failed attempt is cleaned up and tried again as often as
// the spec says; then what needs the thing is blocked. After a failed switch nothing stands, so it is created then.
func (r *runner) create(ctx context.Context, s plan.Step) {
	t := r.things[s.Thing]
	r.remake(ctx, s, t.Needs)
	if r.before.Run != "" && t.stands && t.failed == "" && s.Action != plan.Load { // adopted before it was known to be made
		return
	}
	why := r.blocked(t.Needs)
	if why == "" {
		why = r.heldUp(t.ID)
	}
	if why != "" {
		t.failed = why
		e := stepEvent(record.Blocked, s, 0)
		e.Reason = why
		r.event(e)
		sample := r.loadEvent(t, s)
		sample.Outcome, sample.Reason = measure.Blocked, why
		r.loadSample(s, sample)
		r.leave(ctx, s)
		return
	}
	before := r.things[s.Replaces]
	if before == nil || !before.stands {
		s.From = ""
	}
	var err error
	sample := r.loadEvent(t, s) // of a load only
	for try := r.before.Step(s.ID).Failures + 1; try <= t.Attempts; try++ {
		if try > 1 && !pause(ctx, plan.Duration(t.BackoffS)) {
			break
		}
		began, attempt := time.Now(), r.number(s.ID, attempts)
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
			err = r.loaded(ctx, t, s, attempt, try, err, &sample)
			sample.DurationS = time.Since(began).Seconds()
		}
		if err == nil {
			t.stands, t.failed = true, ""
			t.generation++
			r.keptThing(ctx, t, s, sample)
			e := stepEvent(record.Done, s, attempt)
			e.DurationS = time.Since(began).Seconds()
			r.event(e)
			r.loadSample(s, sample)
			return
		}
		e := stepEvent(record.FailedStep, s, attempt)
		e.Reason, e.DurationS = err.Error(), time.Since(began).Seconds()
		e.Interrupted = ctx.Err() != nil || r.stopped() != nil
		e.Outcome, e.Parsed = sample.Outcome, sample.Parsed
		r.event(e)
		t.stands = true // until its residue is gone
		r.release(ctx, t, s)
		if s.From != "" { // how far the switch came is not known
			r.release(ctx, before, s)
		}
		if e.Interrupted {
			t.failed = "interrupted"
			return // an interrupted load has no sample, as an interrupted repetition has none
		}
		s.From = ""
	}
	t.failed = couldNot(s, err)
	if ctx.Err() == nil {
		r.loadSample(s, sample)
	}
}

func couldNot(s plan.Step, err error) string {
	return fmt.Sprintf("%s could not be %s: %s", s.Address, done(s.Action), firstLine(err))
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
		r.release(ctx, t, s)
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
	err = r.provider(t.Kind, t.Type).Prepare(host.WithTag(ctx, r.tag(s.ID, attempt)), req, sink)
	return errors.Join(timeoutError(ctx, err, t.TimeoutS), r.commit(sink))
}

// destroy takes a thing away, also after a cancel. A failed removal is tried once more; then the thing is quarantined.
func (r *runner) destroy(ctx context.Context, s plan.Step) {
	t := r.things[s.Thing]
	if !t.stands {
		return
	}
	r.release(ctx, t, s)
}

// release removes a thing or its residue under a deadline of its own, in the course of a step. Where nobody waits for that any more, or
// it cannot be recorded, the thing is left standing.
func (r *runner) release(ctx context.Context, t *state, s plan.Step) {
	ctx, stop := r.patient(ctx)
	defer stop()
	s.Action, s.Thing, s.Address = plan.Destroy, t.ID, t.Addresses[0]
	if ctx.Err() != nil {
		return
	}
	if above := r.above(t); above != nil {
		r.quarantine(t, s, fmt.Errorf("%s stands on it, and could not be removed", above.Addresses[0]))
		return
	}
	var err error
	for try := 1; try <= 2 && ctx.Err() == nil; try++ {
		began, attempt := time.Now(), r.number(s.ID, removals)
		r.event(stepEvent(record.Intent, s, attempt))
		if r.failure() != nil {
			return
		}
		r.notKept(t)
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
	}
	if ctx.Err() != nil || r.stopped() != nil {
		return
	}
	r.quarantine(t, s, err)
}

// quarantine notes that a thing could not be removed: nothing that claims the same is touched any more.
func (r *runner) quarantine(t *state, s plan.Step, err error) {
	e := stepEvent(record.Quarantine, s, 0)
	e.Reason = fmt.Sprintf("%s could not be removed, so nothing that claims the same is touched any more: %s", s.Address, err)
	r.mu.Lock()
	r.quarantined[t.ID] = err.Error()
	r.mu.Unlock()
	r.event(e)
}

// above is a setup that stands on a thing; nil where there is none. Data go with what they stand on.
func (r *runner) above(t *state) *state {
	for i := range r.o.Plan.Things {
		up := r.things[r.o.Plan.Things[i].ID]
		if up.Kind == "setup" && contains(up.Needs, t.ID) && !contains(up.Beside, t.ID) && up.stands {
			return up
		}
	}
	return nil
}

// patient is a context that lasts over an interruption, until nobody waits any more.
func (r *runner) patient(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	if r.o.Cleanup == nil {
		return ctx, func() { cancel(nil) }
	}
	if r.o.Cleanup.Err() != nil { // what is called after the end comes later
		cancel(errLeft)
	}
	off := context.AfterFunc(r.o.Cleanup, func() { cancel(errLeft) })
	return ctx, func() { off(); cancel(nil) }
}

var errLeft = errors.New("interrupted once more, so it is left as it is")

func (r *runner) remove(ctx context.Context, t *state, s plan.Step, attempt int) error {
	req, err := r.thingRequest(t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, CleanupTime+3*plan.Duration(s.EstimateS))
	defer cancel()
	sink, err := r.sink(s, attempt, removalSuffix)
	if err != nil {
		return err
	}
	err = r.provider(t.Kind, t.Type).Release(host.WithTag(ctx, r.tag(s.ID+removalSuffix, attempt)), req, sink)
	_ = r.commit(sink) // ends the run; the thing is gone all the same
	return err
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

// heldUp says which thing that could not be removed holds what this one claims, or "". It may be the thing itself.
func (r *runner) heldUp(thing string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if why, ok := r.quarantined[thing]; ok {
		return why
	}
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

// removalSuffix tells the artifacts of a removal in the course of a step from those of the step itself.
const removalSuffix = "-destroy"

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
		r.stop(err)
		return nil, err
	}
	return &sink{Attempt: a, r: r, step: s, attempt: attempt}, nil
}

// commit puts what came through a sink on the disk. A record that cannot be written ends the run: what a tool says of it then proves
// nothing.
func (r *runner) commit(s *sink) error {
	err := s.Commit()
	if err != nil {
		r.stop(err)
	}
	return err
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
