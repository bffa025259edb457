package storage

import "github.com/zclconf/go-cty/cty"

// args reads a configuration. What is absent, as in a record of another version, is empty, 0 and false.
type args struct{ cty.Value }

func (a args) attribute(name string) cty.Value {
	if a.Value == cty.NilVal || a.IsNull() || !a.Type().IsObjectType() || !a.Type().HasAttribute(name) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return a.GetAttr(name)
}

func (a args) text(name string) string {
	v := a.attribute(name)
	if v.IsNull() {
		return ""
	}
	return v.AsString()
}

func (a args) list(name string) []string {
	v := a.attribute(name)
	if v.IsNull() {
		return nil
	}
	var out []string
	for _, e := range v.AsValueSlice() {
		if !e.IsNull() {
			out = append(out, e.AsString())
		}
	}
	return out
}

func (a args) number(name string) float64 {
	v := a.attribute(name)
	if v.IsNull() {
		return 0
	}
	f, _ := v.AsBigFloat().Float64()
	return f
}

func (a args) is(name string) bool {
	v := a.attribute(name)
	return !v.IsNull() && v.True()
}
