package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// The steady state of SNIA's Solid State Storage Performance Test Specification (2.0.2): over five rounds the measure stays within 20 %
// of its average, and its linear fit within 10 %; after 25 rounds without that it is not reached.
const (
	steadyWindow    = 5
	steadyRange     = 0.2
	steadySlope     = 0.1
	steadyMaxRounds = 25
)

var steadyBlock = schema.Nested{Name: "steady_state", MaxItems: 1, Body: schema.Block{Attributes: []schema.Attribute{
	{Name: "measure"}, {Name: "window"}, {Name: "range"}, {Name: "slope"}, {Name: "max_rounds"},
}}}

// steady reads when rounds are steady; nil where the block has an error.
func (e *evaluator) steady(b *block, s *body, at addr.Coordinates) *spec.Steady {
	before := len(e.diags)
	out := &spec.Steady{Window: steadyWindow, Range: steadyRange, Slope: steadySlope, MaxRounds: steadyMaxRounds}
	if a := s.attrs["measure"]; a == nil {
		e.errorf(s.rng, "Missing argument", "steady_state needs measure, the name of the test's measure that must become steady: measure = %q.", firstMeasure(b.typ))
	} else if name := e.stringOf(e.value(a.Expr, at), a); name != "" || len(e.diags) == before {
		out.Measure = name
		e.steadyMeasure(b, a, name)
	}
	if a := s.attrs["window"]; a != nil {
		out.Window = e.integer(e.value(a.Expr, at), a, 2)
		out.MaxRounds = max(out.MaxRounds, out.Window)
	}
	if a := s.attrs["max_rounds"]; a != nil {
		out.MaxRounds = e.integer(e.value(a.Expr, at), a, 2)
		if out.MaxRounds < out.Window && len(e.diags) == before {
			e.errorf(a.Expr.Range(), "Fewer rounds than the window", "max_rounds is %d, and it takes %d rounds (window) to tell whether they are steady.", out.MaxRounds, out.Window)
		}
	}
	out.Range = e.positiveShare(s.attrs["range"], at, out.Range)
	out.Slope = e.positiveShare(s.attrs["slope"], at, out.Slope)
	if len(e.diags) > before {
		return nil
	}
	return out
}

// steadyMeasure checks that rounds have one figure of a measure.
func (e *evaluator) steadyMeasure(b *block, a *hcl.Attribute, name string) {
	m := b.typ.Measure(name)
	switch {
	case m == nil:
		var names []string
		for _, m := range b.typ.Measures {
			names = append(names, m.Name)
		}
		e.errorf(a.Expr.Range(), "Unknown measure", "A test of type %q has no measure %q.%s", b.typ.Name, name, diag.DidYouMean(name, names))
	case len(m.Keys) > 0 && m.RollUp == schema.NoRollUp:
		e.errorf(a.Expr.Range(), "Not one figure", "%s has a figure for each %s and none over all of them, so it cannot tell whether rounds are steady. Name a measure that has one.", name, diag.List(m.Keys))
	}
}

func firstMeasure(t *schema.Type) string {
	if len(t.Measures) > 0 {
		return t.Measures[0].Name
	}
	return "NAME"
}

// positiveShare reads a share of an average that is more than nothing.
func (e *evaluator) positiveShare(a *hcl.Attribute, at addr.Coordinates, otherwise float64) float64 {
	if a == nil {
		return otherwise
	}
	v, ok := e.number(e.value(a.Expr, at), a)
	if ok && v <= 0 {
		e.errorf(a.Expr.Range(), "Out of range", "%s is a share of the average and more than nothing, such as \"10%%\".", a.Name)
	}
	return v
}
