package plan

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TestValueJSON holds the writer against cty's own.
func TestValueJSON(t *testing.T) {
	object := map[string]cty.Value{
		"none":  cty.NullVal(cty.String),
		"empty": cty.StringVal(""),
		"text":  cty.StringVal("a \"b\" \\ <&> \n 盘 \x7f"),
		"list":  cty.ListVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")}),
		"no":    cty.ListValEmpty(cty.Number),
		"map":   cty.MapVal(map[string]cty.Value{"b": cty.True, "a": cty.False}),
		"盘":     cty.TupleVal([]cty.Value{cty.EmptyObjectVal, cty.NullVal(cty.Bool)}),
	}
	for _, n := range []string{"0", "-1", "0.1", "0.0004", "1e-30", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e40", "2.5", "123456789.000000001"} {
		object[n] = cty.MustParseNumberVal(n)
	}
	v := cty.ObjectVal(object)
	want, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	if got := valueJSON(v); string(got) != string(want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
