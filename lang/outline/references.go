package outline

import (
	"github.com/assay-bench/assay/lang/config"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// inBody finds the references in a body of which no schema is known. In JSON syntax all of it are attributes.
func inBody(b hcl.Body) []hcl.Traversal {
	native, ok := b.(*hclsyntax.Body)
	if !ok {
		attrs, _ := b.JustAttributes()
		return inAttributes(attrs)
	}
	var out []hcl.Traversal
	for _, a := range native.Attributes {
		out = append(out, a.Expr.Variables()...)
	}
	for _, nested := range native.Blocks {
		out = append(out, inBody(nested.Body)...)
	}
	return out
}

// alongside finds what a test lists in its argument of that name. In JSON syntax a reference may be a text.
func alongside(b hcl.Body) []hcl.Traversal {
	content, _, _ := b.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "alongside"}}})
	if content == nil {
		return nil
	}
	return inAttributes(content.Attributes)
}

func inAttributes(attrs hcl.Attributes) []hcl.Traversal {
	var out []hcl.Traversal
	for _, a := range config.SortedAttributes(attrs) {
		out = append(out, inExpression(a.Expr)...)
	}
	return out
}

// inExpression finds the references in an expression; there are none in nil. In JSON syntax a reference may be written as a text, "a.b",
// and not only as a template, "${a.b}".
func inExpression(expr hcl.Expression) []hcl.Traversal {
	if expr == nil {
		return nil
	}
	out := expr.Variables()
	if _, native := expr.(hclsyntax.Node); native {
		return out
	}
	if t, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
		return append(out, t)
	}
	if items, diags := hcl.ExprList(expr); !diags.HasErrors() {
		for _, x := range items {
			out = append(out, inExpression(x)...)
		}
	}
	if pairs, diags := hcl.ExprMap(expr); !diags.HasErrors() {
		for _, p := range pairs {
			out = append(out, inExpression(p.Value)...)
		}
	}
	return out
}

// keyName is the name in ["name"]; a computed index has none.
func keyName(s hcl.TraverseIndex) string {
	if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
		return s.Key.AsString()
	}
	return ""
}
