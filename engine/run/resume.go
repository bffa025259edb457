package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// resume makes ready to go on with a run: it looks at every thing that may stand, adopts what is whole, wakes what is dormant, removes
// what is partial, and works out which steps are over. An error means that the world could not be looked at; then nothing was changed
// that the journal does not tell, and the run can be resumed again.
func (r *runner) resume(ctx context.Context) error {
	if err := r.person(); err != nil {
		return err
	}
	orphans, err := r.endOrphans(ctx)
	if err != nil {
		return err
	}
	facts, err := r.facts(ctx)
	if err != nil {
		return err
	}
	r.event(record.Event{Event: record.Resume, Run: r.o.Record.ID, Tool: r.o.Version, Reason: orphans, Text: facts})
	if err := r.lookAround(ctx); err != nil {
		return err
	}
	for _, steps := range r.steps() {
		r.passed(steps)
	}
	if err := r.missingLoads(ctx); err != nil {
		return err
	}
	return r.missingTogether(ctx)
}

// facts reads the facts again, and says what is not as it was when the run began. They are kept where the run was cut off before they were.
func (r *runner) facts(ctx context.Context) (string, error) {
	now, err := Facts(ctx, r.o.Plan, r.o.Set, r.o.Dial)
	if err != nil {
		return "", err
	}
	before, err := r.o.Record.Facts()
	if err != nil {
		return "", err
	}
	if before == nil {
		return "", r.o.Record.WriteFacts(now)
	}
	var changed []string
	for _, h := range r.o.Plan.Hosts {
		for _, f := range sortedIDs(now[h]) {
			if lasting(f) && before[h][f] != now[h][f] {
				changed = append(changed, fmt.Sprintf("%s of %s was %q and is %q", f, name(h), before[h][f], now[h][f]))
			}
		}
	}
	return strings.Join(changed, "; "), nil
}

// lasting reports whether a fact is one that neither the run itself changes nor the hour.
func lasting(fact string) bool {
	for _, prefix := range []string{"tool.", "kernel.", "os.", "cpu.", "memory.bytes", "machine.", "sysctl."} {
		if strings.HasPrefix(fact, prefix) {
			return true
		}
	}
	return false
}

// lookAround inspects what may stand, what is below first: a file system can be looked at only on an array that is assembled. Then what is
// not whole is removed, what is above first.
func (r *runner) lookAround(ctx context.Context) error {
	var remove []*state
	spoiled := r.spoiled()
	unsound := map[string]bool{} // ids of things on which nothing can stand whole
	for i := range r.o.Plan.Things {
		t := r.things[r.o.Plan.Things[i].ID]
		was := r.before.Things[t.ID]
		t.stands = t.stands && !r.removed(t.ID) // what an earlier run has kept, and is in the way
		if t.generation = r.before.Generations[t.ID]; was == nil || r.removing && r.spared(t, was) {
			continue
		}
		found, err := r.inspect(ctx, t)
		if err != nil {
			return fmt.Errorf("looking whether %s stands: %w; the run can be resumed again", t.Addresses[0], err)
		}
		e := record.Event{Step: was.Step, Address: t.Addresses[0], Thing: t.ID, Reason: found.Detail}
		switch {
		case found.Standing == providers.Foreign && r.removing:
			e.Event, e.Reason = record.Gone, "what is there is not this run's: "+found.Detail
			r.event(e)
		case found.Standing == providers.Foreign:
			unsound[t.ID] = true
			e.Event, e.Reason = record.Quarantine, fmt.Sprintf("%s is not this run's, so nothing that claims the same is touched: %s", t.Addresses[0], found.Detail)
			r.mu.Lock()
			r.quarantined[t.ID] = e.Reason
			r.mu.Unlock()
			r.event(e)
		case found.Standing == providers.Absent:
			unsound[t.ID] = true
			e.Event = record.Gone
			r.event(e)
		case r.removing || spoiled[t.ID] || !sound(t, was, found) || slices.ContainsFunc(t.Needs, func(id string) bool { return unsound[id] && !slices.Contains(t.Beside, id) }):
			unsound[t.ID] = true
			t.stands = true
			remove = append(remove, t)
		default:
			if found.Standing == providers.Dormant && ctx.Err() == nil {
				if err := r.wake(ctx, t, was); err != nil {
					unsound[t.ID] = true
					t.stands, t.failed = true, fmt.Sprintf("%s is dormant and could not be made to stand again: %s", t.Addresses[0], err)
					continue
				}
			}
			t.stands = true
			if was.Stand == record.Making {
				t.generation++
				r.keptThing(ctx, t, plan.Step{ID: was.Step, Action: plan.Create}, record.Event{})
			}
			e.Event, e.Generation = record.Adopt, t.generation
			r.event(e)
		}
		if r.failure() != nil {
			return r.failure()
		}
	}
	for _, t := range slices.Backward(remove) {
		r.release(ctx, t, plan.Step{ID: r.before.Things[t.ID].Step, Bench: r.benchOf(t.ID)})
		if t.stands {
			t.failed = fmt.Sprintf("%s is not whole and could not be removed", t.Addresses[0])
		}
	}
	return r.stopped()
}

// removed reports whether a step has taken a thing away that stood before the run.
func (r *runner) removed(thing string) bool {
	for _, s := range r.o.Plan.Steps {
		if st := r.before.Step(s.ID); s.Thing == thing && s.Action == plan.Destroy && st.Removals > 0 && r.before.Things[thing] == nil {
			return true
		}
	}
	return false
}

// sound reports whether what was found can be gone on with: data whose load was not seen to its end are loaded anew, and what a failed
// attempt left, or a removal that was begun and has done something, is removed.
func sound(t *state, was *record.ThingState, found *providers.InspectResponse) bool {
	switch {
	case found.Standing == providers.Partial, was.Stand == record.Residue, was.Quarantine != "":
		return false
	case was.Stand == record.Making && t.Kind == "dataset":
		return false
	}
	return true
}

// spoiled are the things that interrupted repetitions want fresh, and have used.
func (r *runner) spoiled() map[string]bool {
	out := map[string]bool{}
	for _, s := range r.o.Plan.Steps {
		for _, id := range r.spoils(s) {
			out[id] = true
		}
	}
	return out
}

// spoils lists what a repetition wants fresh, if it was begun before the run was gone on with, and how it ended is not known.
func (r *runner) spoils(s plan.Step) []string {
	if s.Action != plan.RunTest || !r.before.Step(s.ID).Open {
		return nil
	}
	var out []string
	test := r.tests[s.Address]
	for _, id := range test.Things {
		if t := r.things[id]; t.Fresh || t.Kind == "dataset" && test.Reset == spec.ResetRepetition {
			out = append(out, id)
		}
	}
	return out
}

// inspect asks in which state a thing is. One that is in another state of its slot is absent.
func (r *runner) inspect(ctx context.Context, t *state) (*providers.InspectResponse, error) {
	req, err := r.thingRequest(t)
	if err != nil {
		return nil, err
	}
	ctx, stop := r.patient(ctx) // what is found standing is taken away after an interruption
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, InspectTime)
	defer cancel()
	found, err := r.provider(t.Kind, t.Type).Inspect(ctx, req)
	if err != nil {
		return nil, err
	}
	if found.Standing == providers.Stands && t.Slot != "" && found.State != "" && found.State != t.State {
		return &providers.InspectResponse{Standing: providers.Absent, Detail: fmt.Sprintf("%s is in state %q, not %q", t.Slot, found.State, t.State)}, nil
	}
	return found, nil
}

// wake makes a dormant thing stand, which may erase nothing.
func (r *runner) wake(ctx context.Context, t *state, was *record.ThingState) error {
	s := plan.Step{ID: was.Step, Address: t.Addresses[0], Action: record.WakeAction, Thing: t.ID, Bench: r.benchOf(t.ID)}
	attempt := r.number(s.ID, attempts)
	r.event(stepEvent(record.Intent, s, attempt))
	if err := r.failure(); err != nil {
		return err
	}
	asleep := *t.Thing
	asleep.Erase = false
	err := r.prepare(ctx, &state{Thing: &asleep}, s, attempt)
	e := stepEvent(record.Done, s, attempt)
	if err != nil {
		e.Event, e.Reason, e.Interrupted = record.FailedStep, err.Error(), ctx.Err() != nil
	}
	r.event(e)
	return err
}

// passed works out which steps of a bench are over. Its steps are done in order, but for removals that come early after an interruption:
// so all is over before the last step that was begun, but repetitions without a sample.
func (r *runner) passed(steps []plan.Step) {
	last := -1
	for i, s := range steps {
		st := r.before.Step(s.ID)
		if s.Action != plan.Destroy && (st.Attempt > 0 || st.Blocked != "" || st.Sample != nil) {
			last = i
		}
	}
	for i, s := range steps {
		st := r.before.Step(s.ID)
		switch s.Action {
		case plan.RunTest, plan.ImportFiles:
			r.past[s.ID] = st.Sample != nil
		case plan.Destroy:
			r.past[s.ID] = i < last
		default:
			t := r.things[s.Thing]
			givenUp := st.Failures >= t.Attempts || st.Failures > 0 && s.Action == plan.Reuse
			r.past[s.ID] = i < last || i == last && (st.Done != nil || st.Blocked != "" || givenUp)
			switch {
			case i > last || t.stands && t.failed != "": // what could not be woken, or not be removed
			case st.Blocked != "":
				t.failed = st.Blocked
			case givenUp && s.Action == plan.Reuse:
				t.failed = notAgain(s, st.Failed.Reason)
			case givenUp:
				t.failed = couldNot(s, errors.New(st.Failed.Reason))
			default:
				t.failed = ""
			}
		}
	}
}

// missingLoads writes the samples of loads that were over when the run was cut off just before.
func (r *runner) missingLoads(ctx context.Context) error {
	for _, s := range r.o.Plan.Steps {
		st := r.before.Step(s.ID)
		t := r.things[s.Thing]
		if t == nil || s.Action != plan.Load && (s.Action != plan.Reuse || t.Kind != "dataset") || st.Sample != nil || !r.past[s.ID] {
			continue
		}
		sample := r.loadEvent(t, s)
		switch {
		case st.Blocked != "":
			sample.Outcome, sample.Reason = measure.Blocked, st.Blocked
		case st.Done != nil:
			parsed, err := derive.Sample(ctx, r.o.Record, r.o.Set, t.Load(), s, st.Done.Attempt)
			if err != nil {
				return err
			}
			sample.Attempt, sample.DurationS = st.Done.Attempt, st.Done.DurationS
			sample.Outcome, sample.Reason, sample.Parsed = parsed.Outcome, parsed.Reason, true
		case s.Action == plan.Reuse:
			sample.Outcome, sample.Reason = measure.Blocked, t.failed
		default:
			sample.Attempt, sample.DurationS = st.Failed.Attempt, st.Failed.DurationS
			sample.Outcome, sample.Reason, sample.Parsed = st.Failed.Outcome, st.Failed.Reason, st.Failed.Parsed
		}
		r.event(sample)
	}
	return r.failure()
}

// missingTogether writes the samples of tests that started together with one that has its sample: all were over when the run was cut off.
func (r *runner) missingTogether(ctx context.Context) error {
	groups := map[string][]plan.Step{} // by the step with which they start
	for _, s := range r.o.Plan.Steps {
		if s.Alongside != "" {
			groups[s.Alongside] = append(groups[s.Alongside], s)
		}
	}
	for _, s := range r.o.Plan.Steps {
		group := append([]plan.Step{s}, groups[s.ID]...)
		at := slices.IndexFunc(group, func(s plan.Step) bool { return r.before.Step(s.ID).Sample != nil })
		if len(group) == 1 || at < 0 {
			continue
		}
		known := r.before.Step(group[at].ID).Sample
		for _, m := range group {
			st := r.before.Step(m.ID)
			if st.Sample != nil {
				continue
			}
			t := r.tests[m.Address]
			sample := stepEvent(record.SampleDone, m, st.Attempt)
			sample.Things, sample.Generation = t.Things, r.generation(t.Things)
			sample.Outcome, sample.Reason = known.Outcome, known.Reason
			if known.Outcome != measure.Blocked {
				parsed, err := derive.Sample(ctx, r.o.Record, r.o.Set, t, m, st.Attempt)
				if err != nil {
					return err
				}
				sample.Outcome, sample.Reason, sample.Parsed = parsed.Outcome, parsed.Reason, true
				sample.Started, sample.Ended, sample.DurationS = known.Started, known.Ended, known.DurationS
			}
			r.past[m.ID] = true
			r.event(sample)
		}
	}
	return r.failure()
}

// remake makes what a step needs and what stood before the run was cut off, but is gone, by the step that made it then. Data that are
// loaded again are a new generation.
func (r *runner) remake(ctx context.Context, s plan.Step, needs []string) {
	if r.before.Run == "" {
		return
	}
	for _, id := range r.below(needs, map[string]bool{}) {
		t := r.things[id]
		if t.stands || t.failed != "" || ctx.Err() != nil || r.stopped() != nil {
			continue
		}
		if maker := r.maker(s, id); maker != nil && maker.Action == plan.Reuse {
			r.reuse(ctx, *maker)
		} else if maker != nil {
			if maker.Action == plan.Load {
				maker.Generation = r.nextGeneration(t)
			}
			r.create(ctx, *maker)
		}
	}
}

// maker is the step that makes a thing for another step; nil where there is none.
func (r *runner) maker(for_ plan.Step, thing string) *plan.Step {
	var found *plan.Step
	for _, s := range r.steps()[for_.Bench] {
		if s.ID == for_.ID {
			break
		}
		if s.Thing == thing && s.Action != plan.Destroy {
			found = &s
		}
	}
	return found
}

// nextGeneration is one that no planned load has.
func (r *runner) nextGeneration(t *state) int {
	n := t.generation
	for _, s := range r.o.Plan.Steps {
		if s.Thing == t.ID {
			n = max(n, s.Generation)
		}
	}
	return n + 1
}

func (r *runner) benchOf(thing string) string {
	for _, s := range r.o.Plan.Steps {
		if s.Thing == thing {
			return s.Bench
		}
	}
	return ""
}

// What is numbered of a step.
const (
	attempts = "attempt"
	removals = "removal"
)

// number gives the next number of an attempt at a step, or of a removal in its course. Numbers go on over a crash: each attempt has artifacts of
// its own.
func (r *runner) number(step, what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := what + " " + step
	if _, begun := r.numbers[key]; !begun {
		st := r.before.Step(step)
		r.numbers[key] = map[string]int{attempts: st.Attempt, removals: st.Removals}[what]
	}
	r.numbers[key]++
	return r.numbers[key]
}
