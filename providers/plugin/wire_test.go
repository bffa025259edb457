package plugin

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// TestEverythingCrosses: every field of the contract comes out as it went in, also one that was added after the protocol was made. A
// value of the language is no JSON: one that stands at a new place needs a field in provider.proto.
func TestEverythingCrosses(t *testing.T) {
	for _, doc := range []any{
		&providers.PlanRequest{}, &providers.PlanResponse{}, &providers.ThingRequest{}, &providers.InspectResponse{}, &providers.MeasureRequest{},
		&providers.ObserveRequest{}, &providers.ParseRequest{}, &providers.ParseResponse{}, &[]providers.Problem{},
	} {
		name := reflect.TypeOf(doc).Elem().String()
		n := 0
		fill(t, name, reflect.ValueOf(doc).Elem(), &n)
		raw, err := json.Marshal(doc)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(doc).Elem()).Interface()
		if err := json.Unmarshal(raw, back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(doc, back, cmp.Comparer(func(a, b cty.Value) bool { return true })); d != "" {
			t.Errorf("%s changes on its way: %s", name, d)
		}
	}
}

// fill puts a different value into every field.
func fill(t *testing.T, name string, v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case cty.Value:
		t.Errorf("%s is a value of the language outside of a target's configuration and a thing's outputs", name)
		return
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(int64(*n), 5).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type == reflect.TypeFor[cty.Value]() && (f.Name == "Config" || f.Name == "Outputs") {
				continue
			}
			fill(t, name+"."+f.Name, v.Field(i), n)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte{byte(*n), 0, 255})
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, name, v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, name, key, n)
		fill(t, name, value, n)
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, name, v.Elem(), n)
	default:
		t.Errorf("%s is a %s, which does not cross", name, v.Kind())
	}
}

// TestValues: values come out with their types, null and empty ones too.
func TestValues(t *testing.T) {
	for _, v := range []cty.Value{
		cty.NilVal, cty.EmptyObjectVal, cty.NullVal(cty.String), cty.NullVal(cty.Object(map[string]cty.Type{"a": cty.Number})),
		cty.ObjectVal(map[string]cty.Value{
			"text": cty.StringVal("磁盘\x00"), "exact": cty.MustParseNumberVal("0.0004"), "large": cty.MustParseNumberVal("18446744073709551617"),
			"null": cty.NullVal(cty.Number), "none": cty.ListValEmpty(cty.Object(map[string]cty.Type{"b": cty.Bool})),
			"map": cty.MapVal(map[string]cty.Value{"k": cty.StringVal("v")}), "list": cty.ListVal([]cty.Value{cty.StringVal("x")}), "bool": cty.True,
		}),
	} {
		raw, err := encodeValue(v)
		if err != nil {
			t.Errorf("%#v: %v", v, err)
			continue
		}
		back, err := decodeValue(raw)
		if err != nil || v == cty.NilVal != (back == cty.NilVal) || v != cty.NilVal && !back.RawEquals(v) {
			t.Errorf("%#v comes out as %#v, %v", v, back, err)
		}
	}
	if _, err := decodeValue([]byte("rubbish")); err == nil {
		t.Error("rubbish is a value")
	}
}
