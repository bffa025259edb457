package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
)

// choose puts the tests and monitors into the spec, and the setups and datasets that are needed, each after those that it needs itself. What nothing
// needs is not planned; a dataset is needed too where a figure of its load is judged. Datasets that are skipped or imported come before
// the tests, whether something needs them or not.
func (e *evaluator) choose() {
	needed := map[*spec.Instance]bool{}
	var need func(*spec.Instance)
	need = func(inst *spec.Instance) {
		if needed[inst] {
			return
		}
		needed[inst] = true
		for _, n := range inst.Needs {
			need(n)
		}
		if addr.Stands(inst.Addr.Kind) && !inst.Idle() {
			e.out.Setups = append(e.out.Setups, inst)
		}
	}
	e.joinNeeds()
	for _, b := range e.order {
		for _, inst := range b.list {
			if inst.Addr.Kind == "dataset" && inst.Idle() {
				e.out.Tests = append(e.out.Tests, inst)
			}
		}
	}
	for _, b := range e.order {
		if !b.wanted {
			continue
		}
		for _, inst := range b.list {
			need(inst)
			switch inst.Addr.Kind {
			case "test":
				e.out.Tests = append(e.out.Tests, inst)
			case "monitor":
				e.out.Monitors = append(e.out.Monitors, inst)
			}
		}
	}
	for _, b := range e.order {
		for _, inst := range b.list {
			if !needed[inst] && !inst.Idle() {
				e.out.Unused = append(e.out.Unused, inst.Addr)
			}
		}
	}
}
