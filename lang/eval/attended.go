package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/hashicorp/hcl/v2"
)

// attendedMeasures gives the tests that stand on a setup which takes part in their repetitions the measures of that, beside their own. As references
// to measures are, what a test stands on is found in the text alone. A measure that the test has itself stays its own.
func (e *evaluator) attendedMeasures() {
	for _, b := range e.order {
		if b.cfg.Addr.Kind != "test" {
			continue
		}
		own := *b.typ
		own.Measures = append([]schema.Measure(nil), b.typ.Measures...)
		for _, under := range e.under(b) {
			if !under.typ.Attends {
				continue
			}
			for _, m := range under.typ.Measures {
				if own.Measure(m.Name) == nil {
					own.Measures = append(own.Measures, m)
				}
			}
		}
		if len(own.Measures) > len(b.typ.Measures) {
			b.typ = &own
		}
	}
}

// under lists the setups and datasets on which a block may stand, directly and through others, each once, in the order in which they
// are named.
func (e *evaluator) under(b *block) []*block {
	var out []*block
	seen := map[*block]bool{}
	locals := map[string]bool{}
	var visit func(*block)
	var expression func(hcl.Expression)
	refer := func(r ref) {
		switch {
		case r.root == "local" && !locals[r.path[0]]:
			locals[r.path[0]] = true
			expression(e.locals[r.path[0]].Expr)
		case addr.Stands(r.root):
			if x := e.blocks[r.block()]; !seen[x] {
				seen[x] = true
				out = append(out, x)
				visit(x)
			}
		}
	}
	expression = func(x hcl.Expression) {
		for _, r := range e.references(x) {
			refer(r)
		}
	}
	visit = func(b *block) {
		for _, x := range b.expressions() {
			expression(x)
		}
		for _, r := range b.dependsOn {
			refer(r)
		}
	}
	visit(b)
	return out
}
