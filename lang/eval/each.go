package eval

import (
	"sort"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// eachAxis is the name under which the key of a for_each travels with coordinates while a block is evaluated. No axis can be called
// so, and no instance has it among its coordinates.
const eachAxis = "each"

// element is one key of a for_each with its value.
type element struct {
	key   string
	value cty.Value
}

// elements gives the keys of a block with for_each at coordinates, sorted. ok is false where they are not known, which is reported.
func (e *evaluator) elements(b *block, at addr.Coordinates) (list []element, ok bool) {
	key := at.Project(b.axes).String()
	if known, done := b.elements[key]; done {
		return known, known != nil
	}
	if b.elements == nil {
		b.elements = map[string][]element{}
	}
	b.elements[key] = nil
	v := e.value(b.forEach.Expr, at.Project(b.axes))
	list, ok = e.elementsOf(v, b.forEach)
	if ok {
		b.elements[key] = list
	}
	return list, ok
}

// elementsOf reads a list or set of strings, or a map or object. The list never is nil where it is ok.
func (e *evaluator) elementsOf(v cty.Value, a *hcl.Attribute) ([]element, bool) {
	rng := a.Expr.Range()
	bad := func(summary, detail string, args ...any) ([]element, bool) {
		e.report(diag.Error(rng, summary, detail, args...))
		return nil, false
	}
	if v.IsMarked() {
		return bad("Sensitive value", "The keys of for_each stand in addresses, so they cannot come from a sensitive variable.")
	}
	if !v.IsKnown() {
		return nil, false
	}
	ty := v.Type()
	if v.IsNull() || !v.CanIterateElements() {
		return bad("Not a list or map", `for_each takes a list or set of strings, or a map, and this is %s.`, friendly(v))
	}
	list := []element{}
	seen := map[string]bool{}
	for it := v.ElementIterator(); it.Next(); {
		k, x := it.Element()
		if !ty.IsMapType() && !ty.IsObjectType() {
			if x.IsMarked() {
				return bad("Sensitive value", "The keys of for_each stand in addresses, so they cannot come from a sensitive variable.")
			}
			k = x
		}
		if !x.IsWhollyKnown() {
			return nil, false
		}
		if k.IsNull() || k.Type() != cty.String {
			return bad("Not a string", "An element of for_each is %s, and the elements of a list are its keys, which are strings. Use a map for values of another kind.", friendly(k))
		}
		switch name := k.AsString(); {
		case name == "":
			return bad("Empty key", "A key of for_each is empty, and could not be told from none.")
		case seen[name]:
			return bad("Key given twice", "for_each has %q twice, and each key is one instance. Use distinct(…).", name)
		default:
			seen[name] = true
			list = append(list, element{name, x})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	return list, true
}

// namesEach reports whether an expression names each itself.
func (e *evaluator) namesEach(expr hcl.Expression) bool {
	for _, r := range e.references(expr) {
		if r.root == "each" {
			return true
		}
	}
	return false
}

// each gives what each.key and each.value mean at coordinates.
func (e *evaluator) each(r ref, at addr.Coordinates) cty.Value {
	key, inside := at[eachAxis]
	if !inside {
		e.errorf(r.rng, "No for_each", "each is known only in the arguments of a setup or dataset that has for_each.")
		return cty.DynamicVal
	}
	if r.path[0] == "key" {
		return cty.StringVal(key)
	}
	return e.eachValue
}

// instances makes all instances of a block at coordinates: one, or one for each key; none where it is absent.
func (e *evaluator) instances(b *block, at addr.Coordinates) []*spec.Instance {
	var out []*spec.Instance
	if b.forEach == nil {
		if inst := e.instance(b, at); inst != nil {
			out = append(out, inst)
		}
		return out
	}
	if b.broken {
		return nil
	}
	list, _ := e.elements(b, at)
	for _, el := range list {
		if inst := e.instanceOf(b, at, el); inst != nil {
			out = append(out, inst)
		}
	}
	return out
}

func (e *evaluator) instanceOf(b *block, at addr.Coordinates, el element) *spec.Instance {
	at = at.Project(b.axes).With(eachAxis, el.key)
	key := at.String()
	if inst, ok := b.instances[key]; ok {
		return inst
	}
	b.instances[key] = nil
	outer := e.eachValue
	e.eachValue = el.value
	inst := e.make(b, at)
	e.eachValue = outer
	b.instances[key] = inst
	return inst
}

// keyOf is the key that a reference to a block with for_each names as it stands; "" where it means all of them.
func (r ref) keyOf() string {
	if len(r.rest) > 0 {
		return stepName(r.rest[0])
	}
	return ""
}

// referred makes the instances that a reference means: all of a block with for_each, or that of its key.
func (e *evaluator) referred(r ref, at addr.Coordinates) []*spec.Instance {
	b := e.blocks[r.block()]
	all := e.instances(b, at)
	key := r.keyOf()
	if b.forEach == nil || key == "" {
		return all
	}
	for _, inst := range all {
		if inst.Addr.Each == key {
			return []*spec.Instance{inst}
		}
	}
	return nil
}

// outputsByKey is the value of a reference to a block with for_each: a map of outputs. A reference to one of its outputs without a key
// is an error, and so is one to a key that it never has.
func (e *evaluator) outputsByKey(r ref, b *block, at addr.Coordinates) cty.Value {
	if b.broken {
		return cty.DynamicVal
	}
	list, ok := e.elements(b, at)
	if !ok {
		return cty.DynamicVal
	}
	var keys []string
	for _, el := range list {
		keys = append(keys, el.key)
	}
	if len(r.rest) > 0 {
		name := stepName(r.rest[0])
		if attr, isAttr := r.rest[0].(hcl.TraverseAttr); isAttr && !contains(keys, attr.Name) {
			e.errorf(attr.SrcRange, "Several instances", "%s has for_each, so it exists once for each key: write %s[%q]%s, or [for key, x in %s : x%s] for all of them.",
				r.node(), r.node(), first(keys, "KEY"), "."+attr.Name, r.node(), "."+attr.Name)
			return cty.DynamicVal
		}
		if name != "" && !contains(keys, name) {
			e.errorf(r.rest[0].SourceRange(), "Unknown key", "%s has no key %q.%s", r.node(), name, diag.DidYouMean(name, keys))
			return cty.DynamicVal
		}
	}
	values := map[string]cty.Value{}
	for _, inst := range e.instances(b, at) { // all of them, since the expression may name others too
		if !inst.Outputs.IsWhollyKnown() {
			return cty.DynamicVal
		}
		values[inst.Addr.Each] = e.markSecrets(inst.Outputs)
	}
	if key := r.keyOf(); key != "" && values[key] == cty.NilVal { // absent: each of its outputs is null
		values[key] = b.absent()
	}
	if len(values) == 0 {
		return cty.MapValEmpty(b.typ.OutputsType())
	}
	for _, v := range values {
		if !v.Type().Equals(b.typ.OutputsType()) {
			return cty.ObjectVal(values)
		}
	}
	return cty.MapVal(values)
}

// together joins what two references of one expression to the same block with for_each need.
func together(a, b cty.Value) cty.Value {
	if a == cty.NilVal || !a.Type().IsMapType() || !b.Type().IsMapType() || a.LengthInt() == 0 {
		return b
	}
	all := a.AsValueMap()
	for k, v := range b.AsValueMap() {
		all[k] = v
	}
	return cty.MapVal(all)
}

// absent gives outputs all of which are null.
func (b *block) absent() cty.Value {
	outs := map[string]cty.Value{}
	for _, o := range b.typ.Outputs {
		outs[o.Name] = cty.NullVal(o.Type.Cty())
	}
	return cty.ObjectVal(outs)
}
