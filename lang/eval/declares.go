package eval

import (
	"regexp"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/zclconf/go-cty/cty"
)

var measureName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// declareMeasures gives the blocks whose type lets the spec declare measures a type of their own, with these. References to
// them are resolved before there is any instance, so what says what a measure is must be constant.
func (e *evaluator) declareMeasures() {
	for _, b := range e.order {
		if b.typ.DeclaresMeasures {
			b.typ = b.typ.Declared(cty.ObjectVal(map[string]cty.Value{"measure": e.declarations(b)}))
		}
	}
}

// declarations decodes the declaring part of all measure blocks of a block; those that are wrong are left out.
func (e *evaluator) declarations(b *block) cty.Value {
	part := schema.Declaration()
	taken := map[string]bool{}
	for _, m := range b.typ.Measures {
		taken[m.Name] = true
	}
	var items []cty.Value
	for _, m := range b.body.blocks["measure"] {
		switch {
		case !measureName.MatchString(m.label):
			e.errorf(m.rng, "Not a name", "A measure is named with small letters, digits and _, and begins with a letter: %q is no such name.", m.label)
			b.broken = true
			continue
		case taken[m.label]:
			e.errorf(m.rng, "Measure declared twice", "%s has a measure %q already; give this one another name.", b.cfg.Addr, m.label)
			b.broken = true
			continue
		}
		taken[m.label] = true
		if v, ok := e.declaration(m, part); ok {
			items = append(items, v)
		} else {
			b.broken = true
		}
	}
	if len(items) == 0 {
		return cty.ListValEmpty(part.Cty())
	}
	return cty.ListVal(items)
}

func (e *evaluator) declaration(m *body, part schema.Block) (cty.Value, bool) {
	before := len(e.diags)
	for _, a := range part.Attributes {
		if ha := m.attrs[a.Name]; ha != nil {
			if v := e.constant(ha.Expr); v.ContainsMarked() {
				e.errorf(ha.Expr.Range(), "Sensitive value", "%s stands in every plan and report, so it cannot come from a sensitive variable.", a.Name)
			}
		}
	}
	if len(e.diags) > before {
		return cty.NilVal, false
	}
	d := &decoder{e: e}
	v := d.decode(&body{attrs: m.attrs, rng: m.rng, labelled: m.labelled, label: m.label}, part, nil)
	if d.bad {
		return cty.NilVal, false
	}
	if keys := v.GetAttr("keys"); !v.GetAttr("roll_up").IsNull() && (keys.IsNull() || keys.LengthInt() == 0) {
		e.errorf(m.attrs["roll_up"].Expr.Range(), "Nothing to roll up", "There is one figure where there are no keys; leave roll_up out, or name the keys: keys = [\"query\"].")
		return cty.NilVal, false
	}
	return v, true
}
