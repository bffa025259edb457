package eval

import (
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// comparable checks every == and != of an expression for operands of different types, which cty would answer silently
// with false.
func (e *evaluator) comparable(expr hcl.Expression, ctx *hcl.EvalContext) bool {
	fine := true
	for _, node := range nodes(expr) {
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
			b, isOp := n.(*hclsyntax.BinaryOpExpr)
			if !isOp || b.Op != hclsyntax.OpEqual && b.Op != hclsyntax.OpNotEqual {
				return nil
			}
			l, ld := b.LHS.Value(ctx)
			r, rd := b.RHS.Value(ctx)
			if ld.HasErrors() || rd.HasErrors() {
				return nil // a bound variable of a for expression, or an error that is reported anyway
			}
			l, _ = l.UnmarkDeep()
			r, _ = r.UnmarkDeep()
			if !l.IsKnown() || !r.IsKnown() || l.IsNull() || r.IsNull() {
				return nil
			}
			if d := mismatch(l, r, b); d != nil {
				e.report(d)
				fine = false
			}
			return nil
		})
	}
	return fine
}

// nodes gives the syntax trees of an expression. In JSON syntax these are the templates in its strings, parsed once more
// since hcl does not hand them out.
func nodes(expr hcl.Expression) []hclsyntax.Node {
	if n, ok := expr.(hclsyntax.Node); ok {
		return []hclsyntax.Node{n}
	}
	var out []hclsyntax.Node
	if pairs, diags := hcl.ExprMap(expr); !diags.HasErrors() {
		for _, p := range pairs {
			out = append(out, nodes(p.Value)...)
		}
		return out
	}
	if items, diags := hcl.ExprList(expr); !diags.HasErrors() {
		for _, x := range items {
			out = append(out, nodes(x)...)
		}
		return out
	}
	literal, diags := expr.Value(nil) // without a scope a string of JSON stays as it is written
	if diags.HasErrors() || literal.IsNull() || literal.Type() != cty.String {
		return nil
	}
	at := expr.Range().Start
	at.Byte++
	at.Column++
	if t, diags := hclsyntax.ParseTemplate([]byte(literal.AsString()), expr.Range().Filename, at); !diags.HasErrors() {
		out = append(out, t)
	}
	return out
}

func mismatch(l, r cty.Value, b *hclsyntax.BinaryOpExpr) *hcl.Diagnostic {
	lt, rt := l.Type(), r.Type()
	switch {
	case lt.IsPrimitiveType() && rt.IsPrimitiveType():
		if lt.Equals(rt) {
			return nil
		}
		return diag.Error(b.SrcRange, "Comparison of different types", "This compares a %s with a %s, which are never equal. Write both as a %s.", lt.FriendlyName(), rt.FriendlyName(), lt.FriendlyName())
	case lt.IsPrimitiveType() != rt.IsPrimitiveType():
		side, object, text := b.LHS, lt, rt
		if lt.IsPrimitiveType() {
			side, object, text = b.RHS, rt, lt
		}
		if object.IsObjectType() && object.HasAttribute("name") {
			return diag.Error(side.Range(), "Comparison with an object", "This is an object, which is never equal to a %s. Compare its name: put .name behind it.", text.FriendlyName())
		}
		return diag.Error(b.SrcRange, "Comparison of different types", "This compares %s with a %s, which are never equal.", withArticle(object), text.FriendlyName())
	}
	return nil
}
