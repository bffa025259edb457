package run

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/unit"
)

// interrupt records that a person asked to stop, with what is to be taken away now and how long that takes.
func (r *runner) interrupt(ctx context.Context) {
	r.event(record.Event{Event: record.Interrupt, Reason: context.Cause(ctx).Error(), Text: r.toTakeAway()})
}

// note keeps what stands, and which steps have samples, by the events alone, which come from all benches. The caller holds the lock.
func (r *runner) note(e record.Event) {
	switch {
	case e.Event == record.SampleDone:
		r.sampled[e.Step] = true
		r.outcomes[e.Step] = e
	case e.Thing == "":
	case e.Event == record.Gone, e.Event == record.Done && e.Action == string(plan.Destroy):
		delete(r.standing, e.Thing)
	case e.Event == record.Done, e.Event == record.Adopt, e.Event == record.Intent:
		r.standing[e.Thing] = true
	}
}

// toTakeAway says how many things stand that are not kept, and how long their removal takes by the plan: the benches side by side, the
// things of each in turn.
func (r *runner) toTakeAway() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, longest := 0, 0.0
	takes := map[string]float64{}
	counted := map[string]bool{}
	for i := len(r.o.Plan.Steps) - 1; i >= 0; i-- {
		s := r.o.Plan.Steps[i]
		if s.Action == plan.Destroy && r.standing[s.Thing] && !counted[s.Thing] {
			counted[s.Thing] = true
			n++
			takes[s.Bench] += s.EstimateS
			longest = max(longest, takes[s.Bench])
		}
	}
	if n == 0 {
		return "nothing stands"
	}
	return fmt.Sprintf("%s taken away, which takes about %s", things(n, "is", "are"), unit.FormatSeconds(longest))
}

// things counts things with a verb.
func things(n int, one, more string) string {
	if n == 1 {
		return "1 thing " + one
	}
	return fmt.Sprintf("%d things %s", n, more)
}
