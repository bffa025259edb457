package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// derived is a measure block with its figures' formulas.
type derived struct {
	cfg      *config.Plain
	of       *measured
	measure  *schema.Measure
	formulas map[string]spec.Formula // by coordinates
	making   bool
}

// derive evaluates a measure block, after those that it names, and puts its instances into the spec.
func (e *evaluator) derive(cfg *config.Plain) *derived {
	if d, ok := e.derived[cfg.Name]; ok {
		if d.making {
			e.errorf(cfg.Range, "Cycle", "measure.%s depends on itself.", cfg.Name)
			d.of.broken = true
		}
		return d
	}
	name := addr.Block{Kind: "measure", Name: cfg.Name}
	d := &derived{cfg: cfg, of: &measured{name: name}, formulas: map[string]spec.Formula{}, making: true}
	e.derived[cfg.Name] = d
	defer func() { d.making = false }()
	value := cfg.Attrs["value"]
	if value == nil {
		d.of.broken = true
		return d
	}
	root := expression(value.Expr)
	if root == nil || e.constantOf(root) {
		e.errorf(value.Expr.Range(), "No measure", "value names no measure, so there is nothing to derive: write it like test.fio.write.bandwidth / test.fio.read.bandwidth. A constant is a local.")
		d.of.broken = true
		return d
	}
	c := &compiler{e: e}
	if !c.inputs(root) {
		d.of.broken = true
		return d
	}
	d.of.axes = e.union(c.axes...)
	d.measure = &schema.Measure{Name: cfg.Name}
	factor := e.derivedMeasure(d, c, root)
	e.combinations(d.of.axes, cfg.Range, func(at addr.Coordinates) {
		f, exists, ok := c.compile(root, at)
		if !ok {
			d.of.broken = true
		}
		if !exists || !ok {
			return
		}
		if factor != 1 {
			f = spec.Formula{Op: "*", Args: []spec.Formula{f, {Number: &factor}}}
		}
		inst := addr.Instance{Block: name, Coordinates: at}
		d.of.list = append(d.of.list, inst)
		d.formulas[at.String()] = f
		e.out.Derived = append(e.out.Derived, spec.Derived{Addr: inst, Measure: d.measure, Formula: f, Range: cfg.Range})
	})
	return d
}

// derivedMeasure reads unit, better and description, and gives the factor from the unit to base units.
func (e *evaluator) derivedMeasure(d *derived, c *compiler, root hclsyntax.Expression) float64 {
	factor := 1.0
	if a := d.cfg.Attrs["description"]; a != nil {
		d.measure.Doc = e.stringOf(e.constant(a.Expr), a)
	}
	if a := d.cfg.Attrs["better"]; a != nil {
		d.measure.Better = schema.Better(e.enum(e.constant(a.Expr), a, []string{"higher", "lower"}))
	}
	if a := d.cfg.Attrs["unit"]; a != nil {
		d.measure.Dim, factor = unit.Named(e.stringOf(e.constant(a.Expr), a))
		return factor
	}
	dim, ok := c.dimension(root)
	if !ok {
		e.errorf(d.cfg.Range, "Unit not clear", `The unit of the result cannot be worked out, since it adds or compares figures of different dimensions; say unit = "…".`)
	}
	d.measure.Dim = dim
	return factor
}

// derivedAt resolves measure.NAME.
func (e *evaluator) derivedAt(t hcl.Traversal, what string) (*measured, *schema.Measure) {
	name := ""
	if len(t) > 1 {
		name = stepName(t[1])
	}
	var names []string
	for _, m := range e.model.Measures {
		names = append(names, m.Name)
		if m.Name == name && len(t) == 2 {
			d := e.derive(m)
			return d.of, d.measure
		}
	}
	if contains(names, name) {
		e.errorf(t[2:].SourceRange(), "No attributes here", "measure.%s is one figure; %s names it as it stands.", name, what)
		return nil, nil
	}
	e.errorf(t.SourceRange(), "Unknown measure", "There is no measure block %q.%s", name, diag.DidYouMean(name, names))
	return nil, nil
}

// expression gives the syntax tree of an expression; in JSON syntax that of the template in its string, and nil for what
// is no string.
func expression(expr hcl.Expression) hclsyntax.Expression {
	for _, n := range nodes(expr) {
		if x, ok := n.(hclsyntax.Expression); ok {
			return x
		}
	}
	return nil
}

// compiler turns an expression over measures into a formula: what names no measure is evaluated at the coordinates, the rest
// stays as plain data.
type compiler struct {
	e    *evaluator
	axes [][]string
}

// ofResult reports whether a traversal names a measure. Of a dataset an output may be named too, which is known before.
func (e *evaluator) ofResult(t hcl.Traversal) bool {
	switch t.RootName() {
	case "test", "monitor", "measure":
		return true
	case "dataset":
		if len(t) < 4 {
			return false
		}
		b := e.blocks[addr.Block{Kind: "dataset", Type: stepName(t[1]), Name: stepName(t[2])}]
		name := t[3]
		if _, key := name.(hcl.TraverseIndex); b != nil && b.forEach != nil && key && len(t) > 4 {
			name = t[4]
		} else if len(t) > 4 {
			return true
		}
		return b != nil && (b.typ.Measure(stepName(name)) != nil || !b.promises(stepName(name)))
	}
	return false
}

// constantOf reports whether an expression names no measure.
func (e *evaluator) constantOf(x hclsyntax.Expression) bool {
	for _, t := range x.Variables() {
		if e.ofResult(t) {
			return false
		}
	}
	return true
}

// inputs resolves everything that an expression names, and collects the axes.
func (c *compiler) inputs(x hclsyntax.Expression) bool {
	ok := true
	for _, t := range x.Variables() {
		if !c.e.ofResult(t) {
			if r, fine := c.e.resolve(t); fine {
				c.axes = append(c.axes, c.e.refAxes(r))
			} else {
				ok = false
			}
			continue
		}
		of, m := c.e.measureAt(t, "value")
		if of == nil || m == nil || of.broken {
			ok = false
			continue
		}
		ok = c.e.rollsUp(t.SourceRange(), of, m, nil, "nothing can be computed with it; take a measure that is rolled up") && ok
		c.axes = append(c.axes, of.axes)
	}
	return ok
}

func unwrap(x hclsyntax.Expression) hclsyntax.Expression {
	for {
		switch y := x.(type) {
		case *hclsyntax.ParenthesesExpr:
			x = y.Expression
		case *hclsyntax.TemplateWrapExpr:
			x = y.Wrapped
		default:
			return x
		}
	}
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/",
}

// compile gives the formula at coordinates. exists is false where a test that it needs has no instance there.
func (c *compiler) compile(x hclsyntax.Expression, at addr.Coordinates) (f spec.Formula, exists, ok bool) {
	x = unwrap(x)
	if c.e.constantOf(x) {
		return c.number(x, at)
	}
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return c.figure(x.Traversal, at)
	case *hclsyntax.BinaryOpExpr:
		if op := operators[x.Op]; op != "" {
			return c.apply(op, []hclsyntax.Expression{x.LHS, x.RHS}, at)
		}
	case *hclsyntax.UnaryOpExpr:
		if x.Op == hclsyntax.OpNegate {
			return c.apply("neg", []hclsyntax.Expression{x.Val}, at)
		}
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "min" || x.Name == "max" || x.Name == "abs" && len(x.Args) == 1 {
			return c.apply(x.Name, x.Args, at)
		}
	case *hclsyntax.ConditionalExpr:
		if c.e.constantOf(x.Condition) {
			return c.choose(x, at)
		}
	}
	c.e.errorf(x.Range(), "Cannot be computed from results", "A derived measure is made of measures and numbers with + - * /, min, max, abs and conditions that name no measure.")
	return spec.Formula{}, false, false
}

func (c *compiler) number(x hclsyntax.Expression, at addr.Coordinates) (spec.Formula, bool, bool) {
	v := c.e.value(x, at)
	if !v.IsWhollyKnown() {
		return spec.Formula{}, false, false
	}
	if v.ContainsMarked() {
		c.e.errorf(x.Range(), "Sensitive figure", "A derived measure stands in every report, so nothing sensitive may go into it.")
		return spec.Formula{}, false, false
	}
	if v.IsNull() || v.Type() != cty.Number {
		c.e.errorf(x.Range(), "Not a number", `This is %s; a derived measure is computed from numbers in base units. bytes("1GiB") and seconds("1h") give numbers.`, friendly(v))
		return spec.Formula{}, false, false
	}
	n, _ := v.AsBigFloat().Float64()
	return spec.Formula{Number: &n}, true, true
}

func (c *compiler) figure(t hcl.Traversal, at addr.Coordinates) (spec.Formula, bool, bool) {
	of, m := c.e.measureAt(t, "value")
	if of == nil || m == nil {
		return spec.Formula{}, false, false
	}
	here := at.Project(of.axes)
	if of.name.Kind == "measure" {
		f, exists := c.e.derived[of.name.Name].formulas[here.String()]
		return f, exists, true
	}
	for _, inst := range c.e.instances(c.e.blocks[of.name], here) {
		if inst.Addr.Each == of.each {
			return spec.Formula{Of: inst.Addr.String(), Measure: m.Name}, true, true
		}
	}
	return spec.Formula{}, false, true
}

func (c *compiler) apply(op string, args []hclsyntax.Expression, at addr.Coordinates) (spec.Formula, bool, bool) {
	f := spec.Formula{Op: op}
	all := true
	for _, a := range args {
		arg, exists, ok := c.compile(a, at)
		if !ok {
			return f, false, false
		}
		all = all && exists
		f.Args = append(f.Args, arg)
	}
	return f, all, true
}

func (c *compiler) choose(x *hclsyntax.ConditionalExpr, at addr.Coordinates) (spec.Formula, bool, bool) {
	cond := c.e.value(x.Condition, at)
	if !cond.IsWhollyKnown() {
		return spec.Formula{}, false, false
	}
	cond, _ = cond.Unmark()
	if cond.IsNull() || cond.Type() != cty.Bool {
		c.e.errorf(x.Condition.Range(), "Not a condition", "This must be true or false, and is %s.", friendly(cond))
		return spec.Formula{}, false, false
	}
	if cond.True() {
		return c.compile(x.TrueResult, at)
	}
	return c.compile(x.FalseResult, at)
}

// dimension works out the dimension of an expression; false where it is not clear.
func (c *compiler) dimension(x hclsyntax.Expression) (unit.Dim, bool) {
	x = unwrap(x)
	if c.e.constantOf(x) {
		return unit.One, true
	}
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if _, m := c.e.measureAt(x.Traversal, "value"); m != nil {
			return m.Dim, true
		}
	case *hclsyntax.BinaryOpExpr:
		l, lok := c.dimension(x.LHS)
		r, rok := c.dimension(x.RHS)
		switch {
		case x.Op == hclsyntax.OpMultiply:
			return l.Times(r), lok && rok
		case x.Op == hclsyntax.OpDivide:
			return l.Per(r), lok && rok
		}
		return l, lok && rok && l == r
	case *hclsyntax.UnaryOpExpr:
		return c.dimension(x.Val)
	case *hclsyntax.ConditionalExpr:
		l, lok := c.dimension(x.TrueResult)
		r, rok := c.dimension(x.FalseResult)
		return l, lok && rok && l == r
	case *hclsyntax.FunctionCallExpr:
		var all unit.Dim
		for i, a := range x.Args {
			d, ok := c.dimension(a)
			if !ok || i > 0 && d != all {
				return unit.One, false
			}
			all = d
		}
		return all, true
	}
	return unit.One, false
}
