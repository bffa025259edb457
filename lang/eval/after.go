package eval

import (
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// tooEarly reports the name of a result where results are not known yet.
func (e *evaluator) tooEarly(t hcl.Traversal) {
	e.errorf(t.SourceRange(), "Result used too early", "A %s has results only after the run, so it can be named in compare, kpi and plot, and not here.", t.RootName())
}

// isOutput checks that a reference to a test names one of its outputs. What else a test has are results.
func (e *evaluator) isOutput(b *block, r ref, t hcl.Traversal) bool {
	if b.typ == nil || len(b.typ.Outputs) == 0 || len(r.rest) > 0 && b.typ.Measure(stepName(r.rest[0])) != nil && !b.promises(stepName(r.rest[0])) {
		e.tooEarly(t)
		return false
	}
	if len(r.rest) == 0 {
		var names []string
		for _, o := range b.typ.Outputs {
			names = append(names, o.Name)
		}
		e.errorf(t.SourceRange(), "Not an output", "Of a test only an output can be named here, such as %s.%s. There is %s.", r.node(), names[0], diag.List(names))
		return false
	}
	return true
}

// onlyTestsComeAfter refuses outputs of tests in setups and datasets, which stand before any test runs.
func (e *evaluator) onlyTestsComeAfter() {
	for _, b := range e.order {
		if b.cfg.Addr.Kind == "test" || b.broken {
			continue
		}
		for _, x := range b.expressions() {
			if e.reaches(x, "test") {
				e.errorf(x.Range(), "Output of a test", "What a test leaves is there only once it has run, and a %s stands before. Only another test can name it.", b.cfg.Addr.Kind)
				b.broken = true
			}
		}
	}
}

// comesAfter finds the tests whose outputs a test names at these coordinates. What needs a skipped test is skipped too; of what is only
// imported there is no output. An absent one is no need.
func (e *evaluator) comesAfter(b *block, inst *spec.Instance, at addr.Coordinates) {
	if b.cfg.Addr.Kind != "test" || inst.Import != nil || inst.Skip != "" {
		return
	}
	seen, had := map[string]bool{}, map[*spec.Instance]bool{}
	var visit func(from, x hcl.Expression)
	visit = func(from, x hcl.Expression) {
		for _, r := range e.references(x) {
			if seen[r.node()] || e.broken[r.node()] {
				continue
			}
			switch r.root {
			case "local":
				seen[r.node()] = true
				visit(from, e.locals[r.path[0]].Expr)
			case "test":
				seen[r.node()] = true
				before := e.instance(e.blocks[r.block()], at)
				if before != nil && !had[before] {
					had[before] = true
					e.comeAfter(b, inst, before, from.Range())
				}
			}
		}
	}
	for _, x := range b.expressions() {
		visit(x, x)
	}
	if inst.Skip != "" {
		inst.After = nil
	}
}

func (e *evaluator) comeAfter(b *block, inst, before *spec.Instance, rng hcl.Range) {
	switch {
	case before.Skip != "":
		inst.Skip = fmt.Sprintf("%s is skipped: %s", before.Addr, before.Skip)
	case before.Import != nil:
		e.errorf(rng, "Output of an imported test", "%s is not run, since result files stand in its place, so it leaves nothing that %s could use. Import the results of both, or of neither.", before.Addr, inst.Addr)
	case inst.Repeat > before.Repeat:
		if a := b.meta.attrs["repeat"]; a != nil {
			rng = a.Expr.Range()
		}
		e.errorf(rng, "Repeated too often", "%s has %d repetitions and uses an output of %s, which has %d, and each needs one of its own. Set repeat to at most that here, or to more there.",
			inst.Addr, inst.Repeat, before.Addr, before.Repeat)
	default:
		inst.After = append(inst.After, before)
	}
}
