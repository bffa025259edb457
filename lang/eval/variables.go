package eval

import (
	"sort"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Sensitive marks values that must not be shown.
const Sensitive = "sensitive"

// Input is a value for a variable from outside. Later ones win over earlier ones.
type Input struct {
	Name   string
	Text   string    // as given on the command line or in the environment; used where Value is NilVal
	Value  cty.Value // from a file
	Source string    // --var, ASSAY_VAR_x, trial.assayvars line 3
	Range  hcl.Range // of a file
	// Lenient: that no such variable is declared is no error, since the source serves several specs: none for the
	// environment, a warning for a file.
	Lenient bool
	Silent  bool
}

// ParseVarFile reads a file of variables: name = value, one for each line, without references.
func ParseVarFile(name string, src []byte) ([]Input, hcl.Diagnostics) {
	if d := config.Limits(name, src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	attrs, more := f.Body.JustAttributes()
	diags = append(diags, more...)
	var inputs []Input
	for _, a := range config.SortedAttributes(attrs) {
		v, more := a.Expr.Value(nil)
		diags = append(diags, more...)
		if !more.HasErrors() {
			inputs = append(inputs, Input{Name: a.Name, Value: v, Source: name, Range: a.Range, Lenient: true})
		}
	}
	return inputs, diags
}

// variables gives every declared variable its value: the last input, else its default.
func (e *evaluator) variables() {
	given := map[string]Input{}
	var names []string
	declared := map[string]bool{}
	for _, v := range e.model.Variables {
		declared[v.Name] = true
		names = append(names, v.Name)
	}
	sort.Strings(names)
	for _, in := range e.opts.Variables {
		switch {
		case declared[in.Name]:
			given[in.Name] = in
		case in.Silent:
		case in.Lenient:
			e.report(diag.Warning(in.Range, "Unknown variable", "The spec declares no variable %q, so this value has no effect.%s", in.Name, diag.DidYouMean(in.Name, names)))
		default:
			e.errorf(in.Range, "Unknown variable", "The spec declares no variable %q, which %s sets.%s", in.Name, in.Source, diag.DidYouMean(in.Name, names))
		}
	}
	e.out.Variables = map[string]cty.Value{}
	for _, v := range e.model.Variables {
		e.vars[v.Name] = cty.DynamicVal // so that a reference to a broken one stays quiet
	}
	for _, v := range e.model.Variables {
		in, ok := given[v.Name]
		val := e.variable(v, in, ok)
		e.vars[v.Name] = val
		if val.IsWhollyKnown() && !val.ContainsMarked() {
			e.out.Variables[v.Name] = val
		}
	}
	for _, v := range e.model.Variables { // validations may name other variables
		e.validateVariable(v)
	}
}

func (e *evaluator) variable(v *config.Variable, in Input, given bool) cty.Value {
	if a := v.Attrs["description"]; a != nil {
		e.stringOf(e.literal(a), a)
	}
	ty := cty.DynamicPseudoType
	var defaults *typeexpr.Defaults
	if a := v.Attrs["type"]; a != nil {
		t, d, diags := typeexpr.TypeConstraintWithDefaults(a.Expr)
		e.diags = append(e.diags, diags...)
		if diags.HasErrors() {
			return cty.DynamicVal
		}
		ty, defaults = t, d
	}
	sensitive := false
	if a := v.Attrs["sensitive"]; a != nil {
		sensitive, _ = e.bool(e.literal(a), a)
	}
	if sensitive {
		e.out.Sensitive = append(e.out.Sensitive, v.Name)
	}
	var rng hcl.Range
	source := "the default"
	var val cty.Value
	switch {
	case given:
		if sensitive {
			e.noteSecret(cty.StringVal(in.Text))
		}
		var ok bool
		if val, ok = e.inputValue(v, in, ty); !ok {
			return cty.DynamicVal
		}
		rng, source = in.Range, in.Source
		if rng == (hcl.Range{}) {
			rng = v.Range
		}
	case v.Attrs["default"] != nil:
		val = e.literal(v.Attrs["default"])
		rng = v.Attrs["default"].Expr.Range()
	default:
		e.errorf(v.Range, "No value for variable", "Variable %q has no default, so it must be given: --var %s=…, a line in a --var-file, or ASSAY_VAR_%s in the environment.", v.Name, v.Name, v.Name)
		return cty.DynamicVal
	}
	if sensitive {
		e.noteSecret(val)
	}
	if !val.IsWhollyKnown() {
		return cty.DynamicVal
	}
	if extra, names := extraAttribute(val, ty); extra != "" {
		e.errorf(rng, "Unknown attribute", "The type of variable %q has no attribute %q, which the value from %s has.%s", v.Name, extra, source, diag.DidYouMean(extra, names))
		return cty.DynamicVal
	}
	if defaults != nil && !val.IsNull() {
		val = defaults.Apply(val)
	}
	conv, err := convert.Convert(val, ty)
	if err != nil {
		e.errorf(rng, "Wrong type for variable", "Variable %q is %s, but the value from %s does not fit: %s.", v.Name, typeexpr.TypeString(ty), source, err)
		return cty.DynamicVal
	}
	if sensitive {
		conv = conv.Mark(Sensitive)
	}
	return conv
}

// literal evaluates an argument of a variable, which names nothing: a variable has its value before anything else.
func (e *evaluator) literal(a *hcl.Attribute) cty.Value {
	if refs := a.Expr.Variables(); len(refs) > 0 {
		e.errorf(refs[0].SourceRange(), "Not known here", "%s of a variable is written out: it cannot name anything. Compute with the variable in a local.", a.Name)
		return cty.DynamicVal
	}
	return e.constant(a.Expr)
}

// inputValue reads a value from outside. A text is taken as it stands where a string is wanted, and as an expression
// elsewhere, as Terraform does.
func (e *evaluator) inputValue(v *config.Variable, in Input, ty cty.Type) (cty.Value, bool) {
	if in.Value != cty.NilVal {
		return in.Value, true
	}
	if ty == cty.String || ty == cty.DynamicPseudoType {
		return cty.StringVal(in.Text), true
	}
	if d := config.Limits(in.Source, []byte(in.Text)); d != nil {
		e.errorf(v.Range, "Wrong value for variable", "The value that %s gives to variable %q is too large or nested too deep.", in.Source, v.Name)
		return cty.NilVal, false
	}
	expr, diags := hclsyntax.ParseExpression([]byte(in.Text), in.Source, hcl.InitialPos)
	var val cty.Value
	if !diags.HasErrors() {
		val, diags = expr.Value(nil)
	}
	if diags.HasErrors() {
		if ty.IsPrimitiveType() {
			return cty.StringVal(in.Text), true // convert says what is wrong with it
		}
		e.errorf(v.Range, "Wrong value for variable", "Variable %q is %s; %s gives %q, which is not a value of that type: %s", v.Name, typeexpr.TypeString(ty), in.Source, in.Text, diags[0].Detail)
		return cty.NilVal, false
	}
	return val, true
}

func (e *evaluator) validateVariable(v *config.Variable) {
	for _, c := range v.Validations {
		if !e.vars[v.Name].IsWhollyKnown() {
			return
		}
		if !e.namesOnlyVariables(c.Condition) || !e.namesOnlyVariables(c.Message) {
			continue
		}
		ok := e.constant(c.Condition)
		ok, _ = ok.Unmark()
		if !ok.IsKnown() {
			continue
		}
		if ok.IsNull() || ok.Type() != cty.Bool {
			e.errorf(c.Condition.Range(), "Not a condition", "condition must be true or false, and this is %s.", friendly(ok))
			continue
		}
		if ok.False() {
			msg := e.stringOf(e.constant(c.Message), &hcl.Attribute{Name: "message", Expr: c.Message})
			val := "(sensitive)"
			if !e.vars[v.Name].ContainsMarked() {
				if s, isText := plainText(e.vars[v.Name]); isText {
					val = s
				} else {
					val = "the value"
				}
			}
			e.errorf(v.Range, "Invalid value for variable", "%s: %s", val, msg)
		}
	}
}

// namesOnlyVariables checks what a validation refers to: it runs before anything else is known.
func (e *evaluator) namesOnlyVariables(expr hcl.Expression) bool {
	for _, r := range e.references(expr) {
		if r.root != "var" {
			if r.root != "unknown" {
				e.errorf(r.rng, "Not known here", "A validation runs before anything else is known, so it can name variables only.")
			}
			return false
		}
	}
	return true
}

// extraAttribute finds an attribute that a type does not have, and those that it has; a conversion would drop it silently.
func extraAttribute(v cty.Value, ty cty.Type) (extra string, names []string) {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return "", nil
	}
	vt := v.Type()
	switch {
	case ty.IsObjectType() && (vt.IsObjectType() || vt.IsMapType()):
		for it := v.ElementIterator(); it.Next(); {
			k, x := it.Element()
			if !ty.HasAttribute(k.AsString()) {
				return k.AsString(), sortedKeys(ty.AttributeTypes())
			}
			if extra, names = extraAttribute(x, ty.AttributeType(k.AsString())); extra != "" {
				return extra, names
			}
		}
	case ty.IsCollectionType() && v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, x := it.Element()
			if extra, names = extraAttribute(x, ty.ElementType()); extra != "" {
				return extra, names
			}
		}
	case ty.IsTupleType() && vt.IsTupleType() && v.LengthInt() == ty.Length():
		for i, x := range v.AsValueSlice() {
			if extra, names = extraAttribute(x, ty.TupleElementType(i)); extra != "" {
				return extra, names
			}
		}
	}
	return "", nil
}
