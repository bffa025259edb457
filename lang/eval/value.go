package eval

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// value evaluates an expression at coordinates, once for each distinct combination of the axes that it names. What has an error is
// unknown; whatever depends on something unknown is unknown too, without a word.
func (e *evaluator) value(expr hcl.Expression, at addr.Coordinates) cty.Value {
	key := memoKey{expr: expr}
	if _, inside := at[eachAxis]; inside && e.namesEach(expr) {
		key.at = at.String() // the keys and values of for_each may depend on any axis of the block
	} else {
		key.at = at.StringOf(e.axesOf(expr))
	}
	if v, ok := e.memo[key]; ok {
		return v
	}
	v := e.evaluate(expr, at)
	e.memo[key] = v
	return v
}

// constant evaluates an expression that must not depend on the matrix, or on a setup, a dataset or a test.
func (e *evaluator) constant(expr hcl.Expression) cty.Value {
	if !e.fixedInSpec(expr) {
		return cty.DynamicVal
	}
	return e.value(expr, nil)
}

// fixedInSpec reports whether an expression has one value in the whole spec, known before anything is planned; if not, it says why.
func (e *evaluator) fixedInSpec(expr hcl.Expression) bool {
	for _, r := range e.references(expr) {
		if addr.Stands(r.root) || r.root == "test" {
			e.errorf(r.rng, "Not known here", "%s exists only in the plan; this must be known before.", r.node())
			return false
		}
		if axes := e.refAxes(r); len(axes) > 0 {
			e.errorf(r.rng, "Varies here", "This must be the same in the whole spec, but it depends on the axis %s.", diag.List(axes))
			return false
		}
	}
	return true
}

func (e *evaluator) evaluate(expr hcl.Expression, at addr.Coordinates) cty.Value {
	type named map[string]cty.Value
	roots := map[string]named{}
	standing := map[string]map[string]named{} // setup, dataset or test → type → name
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: e.functions}
	ok := true
	for _, r := range e.references(expr) {
		v := e.refValue(r, at)
		if d := checkTraversal(v, r); d != nil { // by its type, so that one mistake does not hide another
			e.report(d)
			ok = false
			continue
		}
		if !v.IsWhollyKnown() {
			ok = false
			continue
		}
		switch r.root {
		case "axis":
			ctx.Variables[r.path[0]] = v
		case "setup", "dataset", "test":
			if standing[r.root] == nil {
				standing[r.root] = map[string]named{}
			}
			if standing[r.root][r.path[0]] == nil {
				standing[r.root][r.path[0]] = named{}
			}
			standing[r.root][r.path[0]][r.path[1]] = together(standing[r.root][r.path[0]][r.path[1]], v)
		default:
			if roots[r.root] == nil {
				roots[r.root] = named{}
			}
			roots[r.root][r.path[0]] = v
		}
	}
	if !ok {
		return cty.DynamicVal
	}
	for root, names := range roots {
		ctx.Variables[root] = cty.ObjectVal(names)
	}
	for root, byType := range standing {
		types := named{}
		for t, names := range byType {
			types[t] = cty.ObjectVal(names)
		}
		ctx.Variables[root] = cty.ObjectVal(types)
	}
	if !e.comparable(expr, ctx) {
		return cty.DynamicVal
	}
	v, diags := expr.Value(ctx)
	e.diags = append(e.diags, diags...)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	if !finite(v) {
		e.errorf(expr.Range(), "Infinite number", "This is infinite or too large to be a figure: a division by zero, perhaps. A finite number is needed.")
		return cty.DynamicVal
	}
	return v
}

// refValue is the value of the named thing, before what follows its name.
func (e *evaluator) refValue(r ref, at addr.Coordinates) cty.Value {
	if e.broken[r.node()] {
		return cty.DynamicVal
	}
	switch r.root {
	case "var":
		return e.vars[r.path[0]]
	case "local":
		if _, inside := at[eachAxis]; inside {
			at = at.Without(eachAxis)
		}
		return e.value(e.locals[r.path[0]].Expr, at)
	case "each":
		return e.each(r, at)
	case "hardware":
		return e.hardware[r.path[0]]
	case "matrix":
		return e.axes[r.path[0]].value(at)
	case "axis":
		return e.axes[r.path[0]].bareValue(at)
	case "setup", "dataset", "test":
		b := e.blocks[r.block()]
		if b.forEach != nil {
			return e.outputsByKey(r, b, at)
		}
		inst := e.instance(b, at)
		switch {
		case b.broken:
			return cty.DynamicVal
		case inst == nil && len(r.rest) == 0:
			return cty.NullVal(b.typ.OutputsType())
		case inst == nil: // absent: each of its outputs is null
			return b.absent()
		case r.root == "test" && inst.Outputs.IsKnown() && inst.Outputs.IsNull(): // it is not run
			return b.absent()
		}
		return e.markSecrets(inst.Outputs)
	}
	return cty.DynamicVal
}

// checkTraversal looks for attributes that are not there, since HCL proposes nothing for them.
func checkTraversal(v cty.Value, r ref) *hcl.Diagnostic {
	where := strings.TrimPrefix(r.node(), "axis.")
	for _, step := range r.rest {
		name := stepName(step)
		v, _ = v.Unmark()
		if name == "" || v.IsNull() {
			return nil
		}
		ty := v.Type()
		switch {
		case ty == cty.DynamicPseudoType:
			return nil
		case ty.IsObjectType():
			if !ty.HasAttribute(name) {
				return diag.Error(step.SourceRange(), "Unknown attribute", "%s has no %q.%s", where, name, diag.DidYouMean(name, sortedKeys(ty.AttributeTypes())))
			}
			v = v.GetAttr(name)
		case ty.IsMapType() && v.IsKnown():
			if v.HasIndex(cty.StringVal(name)).False() {
				return nil // as HCL says it
			}
			v = v.Index(cty.StringVal(name))
		case ty.IsPrimitiveType():
			return diag.Error(step.SourceRange(), "No attributes here", "%s is a %s, which has no attribute %q.", where, ty.FriendlyName(), name)
		default:
			return nil
		}
		where += "." + name
	}
	return nil
}

// finite reports whether every number in v can be printed and judged: infinity, and what is beyond any quantity, cannot.
func finite(v cty.Value) bool {
	v, _ = v.UnmarkDeep()
	ok := true
	_ = cty.Walk(v, func(_ cty.Path, x cty.Value) (bool, error) {
		if x.Type() == cty.Number && x.IsKnown() && !x.IsNull() {
			f := x.AsBigFloat()
			if size := f.MantExp(nil); f.IsInf() || size > maxBits || size < -maxBits {
				ok = false
			}
		}
		return ok, nil
	})
	return ok
}

// maxBits is the size of the largest float64.
const maxBits = 1024

// plainText gives a string, number or bool as written; ok is false for anything else.
func plainText(v cty.Value) (string, bool) {
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() || !v.Type().IsPrimitiveType() {
		return "", false
	}
	if v.Type() == cty.Number {
		return numberText(v.AsBigFloat()), true
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", false
	}
	return s.AsString(), true
}

// numberText writes a number in full, but for a fraction that has no end, such as 1/3: that is cut where a float64 ends.
func numberText(f *big.Float) string {
	const digits = 17
	if n, accuracy := f.Int64(); accuracy == big.Exact { // the shortest of 512 bits is dear to find
		return strconv.FormatInt(n, 10)
	}
	text := f.Text('f', -1)
	if !f.IsInt() && len(strings.Trim(strings.Replace(text, ".", "", 1), "-0")) > digits {
		f64, _ := f.Float64()
		return strconv.FormatFloat(f64, 'f', -1, 64)
	}
	return text
}
