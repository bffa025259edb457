package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/hashicorp/hcl/v2"
)

// judgedLoads are the datasets of which some figure is compared, judged, plotted or computed with. They are loaded even where no test
// needs them: the load itself is what is measured.
func (e *evaluator) judgedLoads() map[addr.Block]bool {
	out := map[addr.Block]bool{}
	note := func(t hcl.Traversal) {
		if t.RootName() == "dataset" && len(t) > 3 && e.ofResult(t) {
			out[addr.Block{Kind: "dataset", Type: stepName(t[1]), Name: stepName(t[2])}] = true
		}
	}
	for _, m := range e.model.Measures {
		if a := m.Attrs["value"]; a != nil {
			if x := expression(a.Expr); x != nil {
				for _, t := range x.Variables() {
					note(t)
				}
			}
		}
	}
	for _, list := range []struct {
		attribute string
		blocks    []*config.Plain
	}{{"measure", e.model.Compares}, {"measure", e.model.KPIs}, {"min_of", e.model.KPIs}, {"max_of", e.model.KPIs}, {"y", e.model.Plots}} {
		for _, p := range list.blocks {
			if p.Import != nil && e.whenConstant(p.Import) {
				continue // its figures are published ones
			}
			if a := p.Attrs[list.attribute]; a != nil {
				if t, ok := traversal(a.Expr); ok {
					note(t)
				}
			}
		}
	}
	return out
}
