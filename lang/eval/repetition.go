package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
)

// noneOrMore reads a duration that may be nothing, as a variable may have it.
func (e *evaluator) noneOrMore(a *hcl.Attribute, at addr.Coordinates) *unit.Quantity {
	q := e.quantity(e.value(a.Expr, at), a, unit.Seconds)
	if q != nil && q.Rat().Sign() < 0 {
		e.errorf(a.Expr.Range(), "Out of range", "%s cannot be less than nothing; \"0s\" is none.", a.Name)
		return nil
	}
	return q
}

// warmup reads how long a test runs before it measures. Only a type whose tool can do so has it: waiting would warm up nothing.
func (e *evaluator) warmup(b *block, a *hcl.Attribute, at addr.Coordinates) *unit.Quantity {
	q := e.noneOrMore(a, at)
	if !b.typ.Warmup {
		e.errorf(a.NameRange, "No warm-up", "A test of type %q cannot run for a while before it measures. Leave warmup out; where the tool has an argument of its own for this, use that, else measure in rounds until they are steady (steady_state).", b.typ.Name)
		return nil
	}
	return q
}

// reset reads when the data under a test that changes them are loaded anew.
func (e *evaluator) reset(b *block, inst *spec.Instance, at addr.Coordinates) {
	if b.typ.Mutates {
		inst.Reset = spec.ResetNone
	}
	a := b.meta.attrs["reset"]
	if a == nil {
		return
	}
	when := e.enum(e.value(a.Expr, at), a, []string{spec.ResetNone, spec.ResetTest, spec.ResetRepetition})
	switch {
	case !b.typ.Mutates:
		e.errorf(a.NameRange, "Nothing to reset", "A test of type %q does not change its data, so they are as they were loaded. Leave reset out; a dataset with fresh = true is loaded anew before every repetition all the same.", b.typ.Name)
	case !onDataset(inst, map[*spec.Instance]bool{}):
		e.errorf(a.NameRange, "Nothing to reset", "%s stands on no dataset that could be loaded anew. Name one in its arguments, or leave reset out.", inst.Addr)
	case when != "":
		inst.Reset = when
	}
}

// onDataset reports whether there is a dataset among what an instance stands on.
func onDataset(inst *spec.Instance, seen map[*spec.Instance]bool) bool {
	for _, n := range inst.Needs {
		if !seen[n] {
			seen[n] = true
			if n.Addr.Kind == "dataset" || onDataset(n, seen) {
				return true
			}
		}
	}
	return false
}
