package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
)

// ErrNobody is what a run ends with before its first step when a person has a part in the plan and nobody can be asked.
var ErrNobody = errors.New("nobody can be asked")

var _ providers.Asker = (*sink)(nil)

// Ask implements providers.Asker. Benches that ask at the same time are heard one after the other.
func (s *sink) Ask(ctx context.Context, what string) error {
	if s.r.o.Ask == nil {
		return ErrNobody
	}
	s.Progress(-1, "waits for a person: "+what)
	select {
	case s.r.asking <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.r.asking }()
	return s.r.o.Ask(ctx, s.step.Address, what)
}

// person sees whether somebody can be asked where the plan needs it.
func (r *runner) person() error {
	if r.o.Ask != nil {
		return nil
	}
	for _, s := range r.o.Plan.Steps {
		if t := r.things[s.Thing]; t != nil && (s.Action == plan.Create || s.Action == plan.Switch) {
			if typ := r.o.Set.Type(t.Kind, t.Type); typ != nil && typ.Manual {
				return fmt.Errorf("%s is up to a person, and %w", s.Address, ErrNobody)
			}
		}
	}
	return nil
}
