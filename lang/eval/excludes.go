package eval

import (
	"slices"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// exclude takes combinations out of every block that has all axes which its condition names.
type exclude struct {
	cfg    *config.Exclude
	axes   []string
	parts  []part
	reason string
}

// part is what stands between the || of a condition: where it is true, so is the whole, whatever comes of axes that are chosen later.
type part struct {
	when hcl.Expression
	axes []string
}

// split takes a condition apart at its ||.
func split(x hcl.Expression) []hcl.Expression {
	switch x := x.(type) {
	case *hclsyntax.ParenthesesExpr:
		return split(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalOr {
			return append(split(x.LHS), split(x.RHS)...)
		}
	}
	return []hcl.Expression{x}
}

func (e *evaluator) evalExcludes() {
	e.bare = map[string]bool{}
	for _, a := range e.axisList {
		e.bare[a.cfg.Name] = true
	}
	for _, x := range e.model.Excludes {
		ex := &exclude{cfg: x, axes: e.axesOf(x.When)}
		if e.reaches(x.When, "unknown") { // reported before
			continue
		}
		if e.reaches(x.When, "setup", "dataset", "test") {
			e.errorf(x.When.Range(), "Not known here", "What is excluded is decided before any setup is planned; name axes, variables and locals only.")
			continue
		}
		if len(ex.axes) == 0 {
			e.errorf(x.When.Range(), "Exclude without axis", "The condition names no axis, so it would take out everything or nothing. Name axes by their bare names: rw == \"write\".")
			continue
		}
		for _, p := range split(x.When) {
			ex.parts = append(ex.parts, part{p, e.axesOf(p)})
		}
		e.excludes = append(e.excludes, ex)
	}
	e.bare = nil
	for _, ex := range e.excludes {
		ex.reason = e.stringOf(e.constant(ex.cfg.Reason), &hcl.Attribute{Name: "reason", Expr: ex.cfg.Reason})
	}
}

// excludedBy reports whether a part of an exclude takes out the combination; at has all axes of the part.
func (e *evaluator) excludedBy(p part, at addr.Coordinates) bool {
	v := e.value(p.when, at)
	v, _ = v.Unmark()
	if !v.IsKnown() {
		return false
	}
	if v.IsNull() || v.Type() != cty.Bool {
		e.errorf(p.when.Range(), "Not a condition", "when must be true or false, and this is %s.", friendly(v))
		return false
	}
	return v.True()
}

// maxInstances bounds how often a block may exist: at a minute each, this is two months.
const maxInstances = 100_000

// combinations calls yield for every combination of the axes that no exclude takes out, in the order of the spec, the last axis
// varying fastest. A branch is left as soon as an exclude takes it out: no full product is built.
// More than maxInstances are reported at rng, which names what would exist so often; then there is none.
func (e *evaluator) combinations(axes []string, rng hcl.Range, yield func(addr.Coordinates)) {
	has := map[string]int{}
	for i, a := range axes {
		has[a] = i
	}
	checks := make([][]part, len(axes)) // parts of excludes whose last axis is this one
	for _, x := range e.excludes {
		if slices.ContainsFunc(x.axes, func(a string) bool { _, ok := has[a]; return !ok }) {
			continue
		}
		for _, p := range x.parts {
			last := 0
			for _, a := range p.axes {
				last = max(last, has[a])
			}
			checks[last] = append(checks[last], p)
		}
	}
	var all []addr.Coordinates
	steps := 0
	var walk func(int, addr.Coordinates)
	walk = func(i int, at addr.Coordinates) {
		if i == len(axes) {
			all = append(all, at)
			return
		}
	next:
		for _, name := range e.axes[axes[i]].names {
			if steps++; steps > maxInstances {
				return
			}
			here := at.With(axes[i], name)
			for _, p := range checks[i] {
				if e.excludedBy(p, here) {
					continue next
				}
			}
			walk(i+1, here)
		}
	}
	walk(0, addr.Coordinates{})
	if steps > maxInstances {
		e.errorf(rng, "Too many combinations", "The axes %s have more than %d combinations, which no bench gets through. Exclude some, or vary less at once.", diag.List(axes), maxInstances)
		return
	}
	for _, at := range all {
		yield(at)
	}
}
