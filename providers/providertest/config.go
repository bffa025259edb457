package providertest

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

// Config builds the decoded body of a block, as a provider gets it: of the type body.Cty(), defaults filled in,
// quantities as numbers in base units, what is absent as null. Values are what one would write in a spec: strings
// (also for quantities: "128KiB"), numbers, bools, lists, maps, and for a nested block a map or a list of maps. A name
// that body does not have, a value that cannot be read, and a required one that is missing end the test.
func Config(t testing.TB, body schema.Block, values map[string]any) cty.Value {
	t.Helper()
	v, err := decodeBody(body, values)
	if err != nil {
		t.Fatalf("configuration of the test case: %v", err)
	}
	return v
}

func decodeBody(body schema.Block, values map[string]any) (cty.Value, error) {
	attrs := map[string]cty.Value{}
	for i := range body.Attributes {
		a := &body.Attributes[i]
		given, ok := values[a.Name]
		if !ok || given == nil {
			given = nil
			if a.Required {
				return cty.NilVal, fmt.Errorf("%s is required", a.Name)
			}
		}
		v, err := decodeAttribute(a, given)
		if err != nil {
			return cty.NilVal, fmt.Errorf("%s: %w", a.Name, err)
		}
		attrs[a.Name] = v
	}
	for i := range body.Blocks {
		b := &body.Blocks[i]
		var items []cty.Value
		for _, m := range blockItems(values[b.Name]) {
			v, err := decodeBody(b.Body, m)
			if err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", b.Name, err)
			}
			items = append(items, v)
		}
		attrs[b.Name] = cty.ListValEmpty(b.Body.Cty())
		if len(items) > 0 {
			attrs[b.Name] = cty.ListVal(items)
		}
	}
	for name := range values {
		if _, ok := attrs[name]; !ok {
			return cty.NilVal, fmt.Errorf("there is no attribute %q", name)
		}
	}
	return cty.ObjectVal(attrs), nil
}

func blockItems(v any) []map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []map[string]any:
		return v
	}
	return nil
}

// decodeAttribute reads a value, or where there is none the default.
func decodeAttribute(a *schema.Attribute, given any) (cty.Value, error) {
	if given == nil {
		if a.Default == "" {
			return cty.NullVal(a.Kind.Cty()), nil
		}
		given = a.Default // of a list or map there is none: it is not a list
	}
	switch a.Kind {
	case schema.StringList, schema.QuantityList:
		return decodeList(a, given)
	case schema.Map:
		return decodeMap(given)
	case schema.Disks:
		return decodeDisks(given)
	}
	return decodeScalar(a, given)
}

func decodeScalar(a *schema.Attribute, given any) (cty.Value, error) {
	text, err := scalarText(given)
	if err != nil {
		return cty.NilVal, err
	}
	switch a.Kind {
	case schema.String, schema.Scalar:
		if len(a.Enum) > 0 && !slices.Contains(a.Enum, text) {
			return cty.NilVal, fmt.Errorf("%q is not one of %q", text, a.Enum)
		}
		return cty.StringVal(text), nil
	case schema.Bool:
		b, err := strconv.ParseBool(text)
		return cty.BoolVal(b), err
	case schema.Number, schema.Integer, schema.Quantity, schema.QuantityList:
		q, err := parseNumber(a, text)
		if err != nil {
			return cty.NilVal, err
		}
		return cty.ParseNumberVal(q.Decimal())
	}
	return cty.NilVal, fmt.Errorf("kind %q is unknown", a.Kind)
}

// parseNumber reads the text of a number, an integer or a quantity.
func parseNumber(a *schema.Attribute, text string) (unit.Quantity, error) {
	dim := a.Dim
	if a.Kind == schema.Number || a.Kind == schema.Integer {
		dim = unit.One
	}
	q, err := unit.Parse(text, dim)
	if err == nil && a.Kind == schema.Integer && !q.Rat().IsInt() {
		err = fmt.Errorf("%q is not a whole number", text)
	}
	return q, err
}

func decodeList(a *schema.Attribute, given any) (cty.Value, error) {
	var items []any
	switch g := given.(type) {
	case []any:
		items = g
	case []string:
		for _, s := range g {
			items = append(items, s)
		}
	default:
		return cty.NilVal, fmt.Errorf("%T is not a list", given)
	}
	element := *a
	if a.Kind == schema.StringList {
		element.Kind = schema.String
	}
	var list []cty.Value
	for _, item := range items {
		v, err := decodeScalar(&element, item)
		if err != nil {
			return cty.NilVal, err
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return cty.ListValEmpty(a.Kind.Cty().ElementType()), nil
	}
	return cty.ListVal(list), nil
}

func decodeMap(given any) (cty.Value, error) {
	var items map[string]any
	switch g := given.(type) {
	case map[string]any:
		items = g
	case map[string]string:
		items = map[string]any{}
		for k, v := range g {
			items[k] = v
		}
	default:
		return cty.NilVal, fmt.Errorf("%T is not a map", given)
	}
	names := make([]string, 0, len(items))
	for k := range items {
		names = append(names, k)
	}
	sort.Strings(names)
	out := map[string]cty.Value{}
	for _, k := range names {
		text, err := scalarText(items[k])
		if err != nil {
			return cty.NilVal, fmt.Errorf("%s: %w", k, err)
		}
		out[k] = cty.StringVal(text)
	}
	if len(out) == 0 {
		return cty.MapValEmpty(cty.String), nil
	}
	return cty.MapVal(out), nil
}

// scalarText is a scalar as one would write it: 4 for 4, 0.5 for 0.5, true for true.
func scalarText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case cty.Value:
		switch {
		case v.IsNull() || !v.IsKnown():
		case v.Type() == cty.String:
			return v.AsString(), nil
		case v.Type() == cty.Bool:
			return strconv.FormatBool(v.True()), nil
		case v.Type() == cty.Number:
			return v.AsBigFloat().Text('f', -1), nil
		}
	case *big.Float:
		return v.Text('f', -1), nil
	}
	return "", fmt.Errorf("%T is not a string, number or bool", v)
}
