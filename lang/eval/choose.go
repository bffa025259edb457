package eval

import (
	"github.com/assay-bench/assay/lang/spec"
)

// choose puts the tests into the spec, and the setups that they need, each after those that it needs itself. A setup that
// nothing needs is not planned.
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
		if inst.Addr.Kind == "setup" {
			e.out.Setups = append(e.out.Setups, inst)
		}
	}
	for _, b := range e.order {
		if b.cfg.Addr.Kind != "test" {
			continue
		}
		for _, inst := range b.list {
			need(inst)
			e.out.Tests = append(e.out.Tests, inst)
		}
	}
	for _, b := range e.order {
		for _, inst := range b.list {
			if !needed[inst] {
				e.out.Unused = append(e.out.Unused, inst.Addr)
			}
		}
	}
}
