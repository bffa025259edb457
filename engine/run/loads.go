package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers/measure"
)

// loadEvent is the frame of the event that says what came of a load: it is the one repetition of its generation.
func (r *runner) loadEvent(t *state, s plan.Step) record.Event {
	e := stepEvent(record.SampleDone, s, 0)
	e.Repetition, e.Generation = 1, s.Generation
	if s.Action == plan.Load {
		e.Things = r.below(t.Needs, map[string]bool{})
	}
	return e
}

// loaded says in final what came of an attempt to load, given how Prepare ended. Where Parse finds no sample in what the load left, it
// has failed, whatever Prepare said.
func (r *runner) loaded(ctx context.Context, t *state, s plan.Step, attempt, try int, err error, final *record.Event) error {
	final.Attempt, final.Parsed = attempt, false
	if errors.Is(err, errTimeout) {
		final.Outcome = measure.DidNotFinish
		final.Reason = fmt.Sprintf("ended at its timeout of %s, in attempt %d of %d", plan.Duration(t.TimeoutS), try, t.Attempts)
		return err
	}
	var parsed *measure.Sample
	if err == nil {
		parsed, err = derive.Sample(ctx, r.o.Record, r.o.Set, t.Load(), s, attempt)
	}
	if err != nil {
		final.Outcome, final.Reason = measure.Failed, err.Error()
		return err
	}
	final.Outcome, final.Reason, final.Parsed = parsed.Outcome, parsed.Reason, true
	if parsed.Outcome != measure.OK {
		return errors.New(parsed.Reason)
	}
	return nil
}

// loadSample writes the sample of a load. Data that are loaded once more, since they were gone when the run went on after a crash, have theirs
// already.
func (r *runner) loadSample(s plan.Step, sample record.Event) {
	r.mu.Lock()
	had := r.sampled[s.ID]
	r.mu.Unlock()
	if (s.Action == plan.Load || s.Action == plan.Reuse) && !had {
		r.event(sample)
	}
}

// below lists things with all that they stand on, each after what it needs.
func (r *runner) below(things []string, seen map[string]bool) []string {
	var out []string
	for _, id := range things {
		if !seen[id] {
			seen[id] = true
			out = append(append(out, r.below(r.things[id].Needs, seen)...), id)
		}
	}
	return out
}
