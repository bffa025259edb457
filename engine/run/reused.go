package run

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
)

// Earlier is another run, whose samples are taken over where they would be measured in the same way.
type Earlier struct {
	Record *record.Record
	Plan   *plan.Plan
	State  *record.State
}

// takeOverSamples takes over what the other run has measured: the raw output is copied into this record, and the event says from which
// run it is. A bench of which nothing is left to be measured is not walked at all.
func (r *runner) takeOverSamples() error {
	if r.o.Reuse == nil {
		return nil
	}
	same, err := r.sameHosts()
	if err != nil || !same {
		return err
	}
	for _, steps := range r.steps() {
		found := map[string]plan.Step{} // by step of this plan: that of the other
		whole := true
		for _, s := range steps {
			if s.Action != plan.RunTest && s.Action != plan.Load {
				continue
			}
			if old := r.sameStep(s); old != nil {
				found[s.ID] = *old
			} else {
				whole = false
			}
		}
		for _, s := range steps {
			old, ok := found[s.ID]
			if s.Action != plan.Reuse { // which looks only, and has a sample of its own
				r.past[s.ID] = whole && len(found) > 0
			}
			if !ok || s.Action == plan.Load && !whole { // data that are needed are loaded, and measured
				continue
			}
			r.past[s.ID] = true
			if err := r.takeOverSample(s, old); err != nil {
				return err
			}
		}
	}
	return r.failure()
}

// sameHosts reports whether the hosts are what they were, as far as it bears on a measurement.
func (r *runner) sameHosts() (bool, error) {
	now, err := r.o.Record.Facts()
	if err != nil {
		return false, err
	}
	before, err := r.o.Reuse.Record.Facts()
	if err != nil {
		return false, err
	}
	for _, h := range r.o.Plan.Hosts {
		if before[h] == nil {
			return false, nil
		}
		for _, facts := range []map[string]string{now[h], before[h]} {
			for f := range facts {
				if lasting(f) && now[h][f] != before[h][f] {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// sameStep finds the step of the other run that is the same to the byte and has a sample that counts; nil where there is none. What
// starts together with others, has secrets, or stands on data of another generation than the first is not taken over.
func (r *runner) sameStep(s plan.Step) *plan.Step {
	other := r.o.Reuse
	at := slices.IndexFunc(other.Plan.Steps, func(o plan.Step) bool {
		return o.Address == s.Address && o.Action == s.Action && o.Round == s.Round && o.Repetition == s.Repetition && o.Generation == s.Generation
	})
	if at < 0 {
		return nil
	}
	old := other.Plan.Steps[at]
	sample := other.State.Step(old.ID).Sample
	if sample == nil || sample.Outcome != "ok" || sample.Generation > 1 || sample.Reused != "" || !equal(s.Commands, old.Commands) ||
		!equal(r.o.Plan.Providers, other.Plan.Providers) {
		return nil
	}
	if s.Action == plan.Load {
		if !r.sameThings([]string{s.Thing}) {
			return nil
		}
		return &old
	}
	t := r.tests[s.Address]
	was := slices.IndexFunc(other.Plan.Tests, func(o plan.Test) bool { return o.Address == t.Address })
	if was < 0 || s.Alongside != "" || len(s.Watches)+len(s.Attends) > 0 || len(t.Alongside)+len(t.SensitiveConfig)+len(t.After)+len(t.Sharing) > 0 {
		return nil
	}
	before := other.Plan.Tests[was]
	before.Repeat = t.Repeat // more repetitions change nothing in those that there are
	if !equal(t, before) || !r.sameThings(t.Things) {
		return nil
	}
	return &old
}

// sameThings reports whether things, with all below them, are the same in both plans.
func (r *runner) sameThings(ids []string) bool {
	for _, id := range r.below(ids, map[string]bool{}) {
		t := r.things[id].Thing
		at := slices.IndexFunc(r.o.Reuse.Plan.Things, func(o plan.Thing) bool { return o.ID == id })
		if at < 0 || len(t.SensitiveConfig) > 0 {
			return false
		}
		was := r.o.Reuse.Plan.Things[at]
		was.Addresses, was.Others, was.Keep, was.Standing = t.Addresses, t.Others, t.Keep, t.Standing
		if !equal(*t, was) {
			return false
		}
	}
	return true
}

// equal compares as plans are written.
func equal(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func (r *runner) takeOverSample(s, old plan.Step) error {
	sample := *r.o.Reuse.State.Step(old.ID).Sample
	if err := r.o.Record.CopyArtifacts(s.ID, 1, r.o.Reuse.Record, old.ID, sample.Attempt); err != nil {
		return err
	}
	e := stepEvent(record.SampleDone, s, 1)
	e.Reused = r.o.Reuse.Record.ID
	if e.Repetition, e.Generation = max(1, s.Repetition), sample.Generation; s.Action == plan.RunTest {
		e.Things = r.tests[s.Address].Things
	}
	e.Outcome, e.Reason, e.Parsed, e.DurationS = sample.Outcome, sample.Reason, sample.Parsed, sample.DurationS
	e.Started, e.Ended = sample.Started, sample.Ended
	r.event(e)
	return r.failure()
}
