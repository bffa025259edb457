package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// reuse finds a thing that an earlier run has kept still standing, as it was when the plan was made, and takes over the sample of its load. Where it
// does not stand any more what needs it is blocked: another plan is needed.
func (r *runner) reuse(ctx context.Context, s plan.Step) {
	t := r.things[s.Thing]
	began := time.Now()
	sample := r.loadEvent(t, s)
	attempt := r.number(s.ID, attempts)
	sample.Attempt = attempt
	r.event(stepEvent(record.Intent, s, attempt))
	if r.failure() != nil {
		return
	}
	err := r.stillStands(ctx, t)
	if err == nil && t.Kind == "dataset" {
		err = r.takeOver(ctx, t, s, attempt, &sample)
	}
	if err == nil {
		t.stands = true
		t.generation++
		e := stepEvent(record.Done, s, attempt)
		e.DurationS = time.Since(began).Seconds()
		r.event(e)
		if t.Kind == "dataset" {
			r.loadSample(s, sample)
		}
		return
	}
	e := stepEvent(record.FailedStep, s, attempt)
	e.Reason, e.DurationS = err.Error(), time.Since(began).Seconds()
	r.event(e)
	t.failed = notAgain(s, err.Error())
	if t.Kind == "dataset" && ctx.Err() == nil {
		sample.Outcome, sample.Reason, sample.Parsed = measure.Blocked, t.failed, false
		r.loadSample(s, sample)
	}
}

func notAgain(s plan.Step, why string) string {
	return fmt.Sprintf("%s cannot be used again: %s", s.Address, why)
}

// stillStands looks at a thing again; an error says why it cannot be used.
func (r *runner) stillStands(ctx context.Context, t *state) error {
	for _, id := range t.Needs {
		if why := r.blocked([]string{id}); why != "" && !contains(t.Beside, id) {
			return errors.New(why)
		}
	}
	req, err := r.thingRequest(t)
	if err != nil {
		return err
	}
	ctx, cancel := limit(ctx, t.TimeoutS)
	defer cancel()
	is, err := r.provider(t.Kind, t.Type).Inspect(ctx, req)
	switch {
	case err != nil:
		return timeoutError(ctx, err, t.TimeoutS)
	case is.Standing != providers.Stands:
		return fmt.Errorf("it stood when the plan was made and is %s now; plan again", is.Standing)
	case t.Slot != "" && is.State != "" && is.State != t.State:
		return fmt.Errorf("it was in state %q when the plan was made and is in %q now; plan again", t.State, is.State)
	}
	return nil
}

// takeOver keeps the sample of a load of an earlier run in this record.
func (r *runner) takeOver(ctx context.Context, t *state, s plan.Step, attempt int, final *record.Event) error {
	if r.o.Kept == nil {
		return errors.New("nothing is known here of what earlier runs have kept")
	}
	kept, err := r.o.Kept.Get(t.ID)
	switch {
	case err != nil:
		return err
	case kept == nil || kept.Sample == nil || kept.Run != t.Standing.Run:
		return errors.New("what was known of its load when the plan was made is not known any more; plan again")
	}
	raw, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	sink, err := r.sink(s, attempt, "")
	if err != nil {
		return err
	}
	if err := errors.Join(keep(sink, derive.KeptArtifact, append(raw, '\n')), r.commit(sink)); err != nil {
		return err
	}
	parsed, err := derive.Sample(ctx, r.o.Record, r.o.Set, t.Load(), s, attempt)
	if err != nil {
		return err
	}
	final.Outcome, final.Reason, final.Parsed = parsed.Outcome, parsed.Reason, true
	return nil
}

// keptThing notes that a thing stands and is to be found again by later runs, if it is kept. sample is the final event of its load.
func (r *runner) keptThing(ctx context.Context, t *state, s plan.Step, sample record.Event) {
	if r.o.Kept == nil || !t.Keep {
		return
	}
	thing := *t.Thing
	thing.Standing = nil
	k := plan.Kept{Thing: thing, Run: r.o.Record.ID, Made: time.Now().UTC()}
	err := error(nil)
	if s.Action == plan.Load {
		if k.Sample, err = derive.Sample(ctx, r.o.Record, r.o.Set, t.Load(), s, sample.Attempt); err == nil {
			derive.Identify(k.Sample, s, sample)
		}
	}
	if err == nil {
		err = r.o.Kept.Put(k)
	}
	r.noted(err)
}

// changed notes that a test changes the data on which it stands: no later run takes them for what was loaded.
func (r *runner) changed(things []string) {
	if r.o.Kept == nil {
		return
	}
	for _, id := range things {
		if r.things[id].Kind != "dataset" {
			continue
		}
		k, err := r.o.Kept.Get(id)
		if err == nil && k != nil && !k.Changed {
			k.Changed = true
			err = r.o.Kept.Put(*k)
		}
		r.noted(err)
	}
}

// notKept notes that a thing is not to be found again: it does not stand any more, or will not be what it was.
func (r *runner) notKept(t *state) {
	if r.o.Kept != nil && t != nil {
		r.noted(r.o.Kept.Remove(t.ID))
	}
}

// noted ends the run where what stands could not be noted, as a journal does that cannot be written: a later run would take for whole what is not.
func (r *runner) noted(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.journalErr == nil {
		r.journalErr = err
	}
}
