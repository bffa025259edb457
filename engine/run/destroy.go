package run

import (
	"context"
	"errors"

	"github.com/assay-bench/assay/engine/record"
)

// Destroy takes away what a run left standing, what is above first, and nothing that is not there any more: it can be called again. What
// is kept goes only with kept. Options are those of going on with the run. The error is nil when nothing is left that should go.
func Destroy(ctx context.Context, o Options, kept bool) error {
	r := newRunner(o)
	r.removing, r.kept = true, kept
	return r.carry(ctx, func() error {
		orphans, err := r.endOrphans(ctx)
		if err != nil {
			return err
		}
		r.event(record.Event{Event: record.Resume, Action: record.RemoveAction, Run: o.Record.ID, Tool: o.Version, Reason: orphans})
		if err := r.lookAround(ctx); err != nil {
			return err
		}
		n := 0
		for _, t := range r.things {
			if t.stands {
				n++
			}
		}
		if n > 0 {
			return errors.New(things(n, "is", "are") + " still there")
		}
		return nil
	})
}

// spared reports whether a thing is one that stays.
func (r *runner) spared(t *state, was *record.ThingState) bool {
	return t.Keep && !r.kept && was.Stand == record.Made
}
