package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// axis is one thing that is varied, with its cases evaluated.
type axis struct {
	cfg      *config.Axis
	index    int
	names    []string // of the cases, in order
	values   map[string]cty.Value
	objects  bool // case blocks: the value is an object
	fromVars bool // which cases there are depends on a variable
}

// value is the case at the given coordinates: the value itself, or an object for case blocks.
func (a *axis) value(at addr.Coordinates) cty.Value {
	if v, ok := a.values[at[a.cfg.Name]]; ok {
		return v
	}
	return cty.DynamicVal
}

// bareValue is what the axis's bare name means in an exclude: the value itself, or a case's name.
func (a *axis) bareValue(at addr.Coordinates) cty.Value {
	if name, ok := at[a.cfg.Name]; ok && a.objects {
		return cty.StringVal(name)
	}
	return a.value(at)
}

func (e *evaluator) evalAxes() {
	for _, a := range e.axisList {
		if a.cfg.Values != nil {
			e.axisValues(a)
		} else {
			e.axisCases(a)
		}
		out := spec.Axis{Name: a.cfg.Name}
		for _, n := range a.names {
			c := spec.Case{Name: n, Label: n}
			if a.objects {
				if l, ok := plainText(a.values[n].GetAttr("label")); ok {
					c.Label = l
				}
			}
			out.Cases = append(out.Cases, c)
		}
		if a.cfg.Baseline != nil {
			v := e.constant(a.cfg.Baseline)
			out.Baseline = e.caseOf(v, a.cfg.Baseline, a)
		}
		e.out.Axes = append(e.out.Axes, out)
	}
}

func (e *evaluator) axisValues(a *axis) {
	rng := a.cfg.Values.Range()
	a.fromVars = e.reaches(a.cfg.Values, "var")
	v := e.constant(a.cfg.Values)
	if v.ContainsMarked() {
		e.errorf(rng, "Sensitive value", "Cases stand in every plan and report, so they cannot come from a sensitive variable.")
		return
	}
	if !v.IsWhollyKnown() {
		return
	}
	if v.IsNull() || !v.CanIterateElements() || v.Type().IsMapType() || v.Type().IsObjectType() {
		e.errorf(rng, "Not a list", `values of axis %q must be a list of strings, numbers or bools, such as ["read", "write"].`, a.cfg.Name)
		return
	}
	if v.LengthInt() == 0 {
		e.errorf(rng, "Axis without cases", "The list is empty, so nothing that names axis %q would exist.", a.cfg.Name)
	}
	for it := v.ElementIterator(); it.Next(); {
		_, el := it.Element()
		name, ok := plainText(el)
		switch {
		case !ok:
			e.errorf(rng, "Not a plain value", "A value of axis %q is neither string, number nor bool; use case blocks for values with attributes.", a.cfg.Name)
		case name == "":
			e.errorf(rng, "Empty case", "A value of axis %q is empty, and could not be told from none.", a.cfg.Name)
		case a.values[name] != cty.NilVal:
			e.errorf(rng, "Case given twice", "Axis %q has the value %q twice.", a.cfg.Name, name)
		default:
			a.names = append(a.names, name)
			a.values[name] = el
		}
	}
}

func (e *evaluator) axisCases(a *axis) {
	a.objects = true
	all := map[string]hcl.Range{} // attribute → where one case has it
	for _, c := range a.cfg.Cases {
		for n, at := range c.Attrs {
			if n != "label" {
				all[n] = at.NameRange
			}
		}
	}
	for _, c := range a.cfg.Cases {
		attrs := map[string]cty.Value{"name": cty.StringVal(c.Name), "label": cty.StringVal(c.Name)}
		for _, at := range config.SortedAttributes(c.Attrs) {
			attrs[at.Name] = e.constant(at.Expr)
			if at.Name == "label" {
				e.stringOf(attrs["label"], at)
			}
		}
		for _, n := range sortedKeys(all) {
			if c.Attrs[n] == nil {
				e.errorf(c.Range, "Missing attribute", "Another case of axis %q has %q, on line %d; all cases of an axis carry the same attributes, so give it here too.", a.cfg.Name, n, all[n].Start.Line)
				attrs[n] = cty.DynamicVal
			}
		}
		a.names = append(a.names, c.Name)
		a.values[c.Name] = cty.ObjectVal(attrs)
	}
}

// caseOf reads the name of a case of an axis; empty where there is none, which is reported.
func (e *evaluator) caseOf(v cty.Value, expr hcl.Expression, a *axis) string {
	text, ok := plainText(v)
	if ok && a.find(text) != "" {
		return a.find(text)
	}
	switch {
	case !v.IsKnown() || len(a.names) == 0: // reported before
	case !ok:
		e.errorf(expr.Range(), "Not a case", "A baseline is the name of one case of axis %q, and this is %s.", a.cfg.Name, friendly(v))
	default:
		e.errorf(expr.Range(), "Unknown case", "Axis %q has no case %q to be the baseline.%s", a.cfg.Name, text, diag.DidYouMean(text, a.names))
	}
	return ""
}

// evalLocals resolves every local, so that one that nothing uses is checked too.
func (e *evaluator) evalLocals() {
	for _, l := range e.model.Locals {
		axes := e.refAxes(ref{root: "local", path: []string{l.Name}, rng: l.Range})
		if len(axes) == 0 && !e.reaches(l.Expr, "setup", "dataset", "test") {
			e.value(l.Expr, nil)
		}
	}
}

// unused evaluates the locals and excludes that nothing asked for, so that their errors show. It comes last: a local may make
// sense only at coordinates at which it is used.
func (e *evaluator) unused() {
	used := map[hcl.Expression]bool{}
	for key := range e.memo {
		used[key.expr] = true
	}
	for _, l := range e.model.Locals {
		if !used[l.Expr] && !e.reaches(l.Expr, "setup", "dataset", "test") {
			e.combinations(e.axesOf(l.Expr), l.Range, func(at addr.Coordinates) { e.value(l.Expr, at) })
		}
	}
	for _, x := range e.excludes {
		for _, p := range x.parts {
			if used[p.when] {
				continue
			}
			if e.product(p.axes) <= maxInstances {
				e.combinations(p.axes, x.cfg.Range, func(at addr.Coordinates) { e.excludedBy(p, at) })
			} else if at := e.firstCases(p.axes); at != nil { // no block has so many instances; its form is checked
				e.excludedBy(p, at)
			}
		}
	}
}

// product is the number of combinations of axes, or a number above maxInstances where there are more than that.
func (e *evaluator) product(axes []string) int {
	n := 1
	for _, a := range axes {
		if n *= len(e.axes[a].names); n > maxInstances {
			break
		}
	}
	return n
}

// firstCases are the first cases of axes; nil where one has none.
func (e *evaluator) firstCases(axes []string) addr.Coordinates {
	at := addr.Coordinates{}
	for _, a := range axes {
		if len(e.axes[a].names) == 0 {
			return nil
		}
		at = at.With(a, e.axes[a].names[0])
	}
	return at
}

// reaches reports whether an expression names something under one of the roots, directly or through locals.
func (e *evaluator) reaches(expr hcl.Expression, roots ...string) bool {
	seen := map[string]bool{}
	var visit func(hcl.Expression) bool
	visit = func(x hcl.Expression) bool {
		for _, r := range e.references(x) {
			if contains(roots, r.root) {
				return true
			}
			if r.root == "local" && !seen[r.path[0]] {
				seen[r.path[0]] = true
				if visit(e.locals[r.path[0]].Expr) {
					return true
				}
			}
		}
		return false
	}
	return visit(expr)
}
