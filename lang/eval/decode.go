package eval

import (
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// body is a block's body taken apart by its schema, still undecoded.
type body struct {
	attrs  hcl.Attributes
	blocks map[string][]*body
	rng    hcl.Range // where what is missing would stand
	// labelled names the attribute that the label gives; empty: there is no label.
	labelled, label string
	// fields are the values of what is not given, the same at all coordinates, and room for the others. A body is decoded by one schema.
	fields map[string]cty.Value
}

// takeApart reads a body by a schema.
func (e *evaluator) takeApart(b hcl.Body, s schema.Block, rng hcl.Range) *body {
	hs := &hcl.BodySchema{}
	for _, a := range s.Attributes {
		hs.Attributes = append(hs.Attributes, hcl.AttributeSchema{Name: a.Name})
	}
	for _, n := range s.Blocks {
		header := hcl.BlockHeaderSchema{Type: n.Name}
		if n.Label != "" {
			header.LabelNames = []string{n.Label}
		}
		hs.Blocks = append(hs.Blocks, header)
	}
	c, diags := b.Content(hs)
	e.diags = append(e.diags, diags...)
	out := &body{attrs: c.Attributes, blocks: map[string][]*body{}, rng: rng}
	for _, blk := range c.Blocks {
		for _, n := range s.Blocks {
			if n.Name != blk.Type {
				continue
			}
			if n.MaxItems > 0 && len(out.blocks[n.Name]) == n.MaxItems {
				e.errorf(blk.DefRange, "Too many blocks", "There can be at most %d %s here.", n.MaxItems, plural(n.MaxItems, n.Name+" block"))
				continue
			}
			inner := e.takeApart(blk.Body, withoutLabel(n), blk.DefRange)
			if n.Label != "" {
				inner.labelled, inner.label, inner.rng = n.Label, blk.Labels[0], blk.LabelRanges[0]
			}
			out.blocks[n.Name] = append(out.blocks[n.Name], inner)
		}
	}
	return out
}

// withoutLabel is the body of a nested block as it stands in braces.
func withoutLabel(n schema.Nested) schema.Block {
	if n.Label == "" {
		return n.Body
	}
	b := schema.Block{Blocks: n.Body.Blocks}
	for _, a := range n.Body.Attributes {
		if a.Name != n.Label {
			b.Attributes = append(b.Attributes, a)
		}
	}
	return b
}

// expressions lists all expressions of a body, in the order of the text.
func (b *body) expressions() []hcl.Expression {
	var out []hcl.Expression
	for _, a := range config.SortedAttributes(b.attrs) {
		out = append(out, a.Expr)
	}
	for _, name := range sortedKeys(b.blocks) {
		for _, n := range b.blocks[name] {
			out = append(out, n.expressions()...)
		}
	}
	return out
}

// decoder turns bodies into configuration at given coordinates.
type decoder struct {
	e       *evaluator
	at      addr.Coordinates
	targets map[string]bool // what may be a tool's target: the outputs of setups that the block needs
	hosts   []string        // on which the block is
	// idle: the test is not run, since it is skipped or result files stand in its place, so nothing is required and setups are
	// not asked for.
	idle   bool
	secret []cty.Path
	bad    bool
}

// decode gives an object of s.Cty(). Absent attributes are null.
func (d *decoder) decode(b *body, s schema.Block, path cty.Path) cty.Value {
	if b.fields == nil {
		b.fields = d.e.absent(b, s)
	}
	for _, a := range s.Attributes {
		ha, given := b.attrs[a.Name], false
		if ha != nil {
			var v cty.Value
			if v, given = d.attribute(a, ha, path); !given && a.Default != "" {
				v = d.e.parsed.defaultOf(a)
			}
			b.fields[a.Name] = v
		}
		if a.Required && !given && !d.idle && b.fields[a.Name].IsNull() {
			d.e.errorf(b.rng, "Missing argument", "%q is required here: %s", a.Name, a.Doc)
			d.bad = true
		}
	}
	for _, n := range s.Blocks {
		var items []cty.Value
		for i, nb := range b.blocks[n.Name] {
			items = append(items, d.decode(nb, n.Body, path.GetAttr(n.Name).IndexInt(i)))
		}
		if len(items) > 0 {
			b.fields[n.Name] = cty.ListVal(items)
		}
	}
	return cty.ObjectVal(b.fields)
}

// absent gives the values of all that a body does not give: null, the default, no blocks, or what its label says.
func (e *evaluator) absent(b *body, s schema.Block) map[string]cty.Value {
	fields := make(map[string]cty.Value, len(s.Attributes)+len(s.Blocks))
	for _, a := range s.Attributes {
		switch {
		case a.Name == b.labelled:
			fields[a.Name] = cty.StringVal(b.label)
		case b.attrs[a.Name] == nil && a.Default != "":
			fields[a.Name] = e.parsed.defaultOf(a)
		default:
			fields[a.Name] = cty.NullVal(a.Kind.Cty())
		}
	}
	for _, n := range s.Blocks {
		fields[n.Name] = cty.ListValEmpty(n.Body.Cty())
	}
	return fields
}

// attribute evaluates and checks one argument of the block at path; given is false where it is null, which means absent.
func (d *decoder) attribute(a schema.Attribute, ha *hcl.Attribute, path cty.Path) (v cty.Value, given bool) {
	none := cty.NullVal(a.Kind.Cty())
	if d.idle && d.e.reaches(ha.Expr, "setup", "dataset", "test") {
		return none, false
	}
	val := d.e.value(ha.Expr, d.at)
	if val.ContainsMarked() {
		d.secret = append(d.secret, secretsIn(val, a.Kind, path.GetAttr(a.Name))...)
		val, _ = val.UnmarkDeep()
	} else if a.Sensitive {
		d.secret = append(d.secret, path.GetAttr(a.Name))
	}
	if !val.IsWhollyKnown() {
		d.bad = true
		return none, true
	}
	if val.IsNull() {
		return none, false
	}
	before := len(d.e.diags)
	out := d.convert(a, ha, val)
	if len(d.e.diags) > before || out == cty.NilVal {
		d.bad = true
		return none, true
	}
	return out, true
}

// convert reads a value as the attribute's kind. It reports what does not fit.
func (d *decoder) convert(a schema.Attribute, ha *hcl.Attribute, v cty.Value) cty.Value {
	e := d.e
	wrong := func(want string) cty.Value {
		hint := ""
		if v.Type().IsObjectType() && len(v.Type().AttributeTypes()) > 0 {
			hint = " Name one of its attributes: " + diag.List(sortedKeys(v.Type().AttributeTypes())) + "."
		}
		e.errorf(ha.Expr.Range(), "Wrong type", "%s must be %s, and this is %s.%s", a.Name, want, friendly(v), hint)
		return cty.NilVal
	}
	switch a.Kind {
	case schema.String:
		if v.Type() != cty.String {
			return wrong("a string")
		}
		d.checkEnum(a, ha, v.AsString())
		if a.Target {
			d.checkTarget(a, ha, v.AsString())
		}
		return v
	case schema.Scalar:
		s, ok := plainText(v)
		if !ok {
			return wrong("a string, a number or a bool")
		}
		return cty.StringVal(s)
	case schema.Bool:
		if b, err := convert.Convert(v, cty.Bool); err == nil && v.Type() != cty.Number {
			return b
		}
		if s, ok := plainText(v); ok && (s == "0" || s == "1") { // as the tools write it
			return cty.BoolVal(s == "1")
		}
		return wrong("true or false")
	case schema.Number, schema.Integer:
		n, err := convert.Convert(v, cty.Number)
		if err != nil {
			return wrong("a number")
		}
		if a.Kind == schema.Integer && !n.AsBigFloat().IsInt() {
			return wrong("a whole number")
		}
		s, _ := plainText(n)
		q, err := unit.Parse(s, unit.One)
		if err != nil {
			return wrong("a number")
		}
		d.checkLimits(a, ha, q)
		return cty.MustParseNumberVal(s)
	case schema.Quantity:
		return d.quantity(a, ha, v)
	case schema.StringList, schema.QuantityList:
		return d.list(a, ha, v)
	case schema.Map:
		return d.scalars(a, ha, v)
	case schema.Disks:
		return d.disks(a, ha, v)
	}
	panic("eval: attribute of kind " + string(a.Kind))
}

func (d *decoder) quantity(a schema.Attribute, ha *hcl.Attribute, v cty.Value) cty.Value {
	q := d.e.quantity(v, ha, a.Dim)
	if q == nil {
		return cty.NilVal
	}
	if q.Relative() {
		d.e.errorf(ha.Expr.Range(), "Change where a value is wanted", "%s = %q is measured from a baseline; write a value without a sign.", a.Name, q.Text())
		return cty.NilVal
	}
	d.checkLimits(a, ha, *q)
	if r := d.e.parsed.read(q.Text(), a.Dim); r.err == nil && r.q.Cmp(*q) == 0 {
		return r.v
	}
	return cty.MustParseNumberVal(q.Decimal())
}

func (d *decoder) list(a schema.Attribute, ha *hcl.Attribute, v cty.Value) cty.Value {
	ty := v.Type()
	if !ty.IsTupleType() && !ty.IsListType() && !ty.IsSetType() {
		d.e.errorf(ha.Expr.Range(), "Not a list", "%s must be a list, and this is %s. Put it in brackets.", a.Name, friendly(v))
		return cty.NilVal
	}
	el := a
	el.Kind = schema.String
	if a.Kind == schema.QuantityList {
		el.Kind = schema.Quantity
	}
	var items []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, x := it.Element()
		if x.IsNull() {
			d.e.errorf(ha.Expr.Range(), "Null in a list", "An element of %s is null.", a.Name)
			return cty.NilVal
		}
		c := d.convert(el, ha, x)
		if c == cty.NilVal {
			return cty.NilVal
		}
		items = append(items, c)
	}
	if len(items) == 0 {
		return cty.ListValEmpty(a.Kind.Cty().ElementType())
	}
	return cty.ListVal(items)
}

func (d *decoder) scalars(a schema.Attribute, ha *hcl.Attribute, v cty.Value) cty.Value {
	if !v.Type().IsObjectType() && !v.Type().IsMapType() {
		d.e.errorf(ha.Expr.Range(), "Not an object", "%s must be names with values in braces, and this is %s.", a.Name, friendly(v))
		return cty.NilVal
	}
	items := map[string]cty.Value{}
	for it := v.ElementIterator(); it.Next(); {
		k, x := it.Element()
		if x.IsNull() {
			continue
		}
		s, ok := plainText(x)
		if !ok {
			d.e.errorf(ha.Expr.Range(), "Wrong type", "%s.%s must be a string, a number or a bool, and this is %s.", a.Name, k.AsString(), friendly(x))
			return cty.NilVal
		}
		items[k.AsString()] = cty.StringVal(s)
	}
	if len(items) == 0 {
		return cty.MapValEmpty(cty.String)
	}
	return cty.MapVal(items)
}

func (d *decoder) checkEnum(a schema.Attribute, ha *hcl.Attribute, s string) {
	if len(a.Enum) == 0 {
		return
	}
	for _, w := range a.Enum {
		if w == s {
			return
		}
	}
	d.e.errorf(ha.Expr.Range(), "Unknown value", "%s is one of %s; %q is none.%s", a.Name, diag.List(a.Enum), s, suggestOnly(s, a.Enum))
}

// checkTarget lets through only what a setup promised: a tool's target is never a text of the spec's own.
func (d *decoder) checkTarget(a schema.Attribute, ha *hcl.Attribute, s string) {
	if !d.targets[s] {
		d.e.errorf(ha.Expr.Range(), "Target not from a setup", "%s = %q is what the tool writes to, so it must be an output of a setup as it stands, such as setup.storage_directory.NAME.path.", a.Name, s)
	}
}

func (d *decoder) checkLimits(a schema.Attribute, ha *hcl.Attribute, q unit.Quantity) {
	if a.Min != "" {
		if lo := d.e.parsed.read(a.Min, a.Dim); lo.err == nil && q.Cmp(lo.q) < 0 {
			d.e.errorf(ha.Expr.Range(), "Out of range", "%s = %s: it must be at least %s.", a.Name, q, lo.q)
		}
	}
	if a.Max != "" {
		if hi := d.e.parsed.read(a.Max, a.Dim); hi.err == nil && q.Cmp(hi.q) > 0 {
			d.e.errorf(ha.Expr.Range(), "Out of range", "%s = %s: it must be at most %s.", a.Name, q, hi.q)
		}
	}
}

// defaultValue reads the default of a schema, which its provider vouches for.
func defaultValue(a schema.Attribute) cty.Value {
	switch a.Kind {
	case schema.String, schema.Scalar:
		return cty.StringVal(a.Default)
	case schema.Bool:
		return cty.BoolVal(a.Default == "true")
	case schema.Number, schema.Integer, schema.Quantity:
		q, err := unit.Parse(a.Default, a.Dim)
		if err != nil {
			panic(fmt.Sprintf("eval: default of %s: %s", a.Name, err))
		}
		return cty.MustParseNumberVal(q.Decimal())
	}
	panic("eval: an attribute of kind " + string(a.Kind) + " has no default")
}

func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}
