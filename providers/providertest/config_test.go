package providertest

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

var body = schema.Block{
	Attributes: []schema.Attribute{
		{Name: "text", Kind: schema.String, Enum: []string{"a", "b"}, Default: "a"},
		{Name: "scalar", Kind: schema.Scalar},
		{Name: "size", Kind: schema.Quantity, Dim: unit.Bytes, Default: "4KiB"},
		{Name: "sizes", Kind: schema.QuantityList, Dim: unit.Bytes},
		{Name: "jobs", Kind: schema.Integer, Default: "1"},
		{Name: "direct", Kind: schema.Bool, Default: "true"},
		{Name: "list", Kind: schema.StringList},
		{Name: "options", Kind: schema.Map},
		{Name: "path", Kind: schema.String, Required: true},
	},
	Blocks: []schema.Nested{{Name: "phase", Body: schema.Block{Attributes: []schema.Attribute{{Name: "n", Kind: schema.Number}}}}},
}

func TestConfig(t *testing.T) {
	absent := cty.ListValEmpty(cty.Object(map[string]cty.Type{"n": cty.Number}))
	for name, c := range map[string]struct {
		values map[string]any
		change map[string]cty.Value // from the configuration with path only
		err    string
	}{
		"path only": {map[string]any{"path": "/x"}, nil, ""},
		"all": {map[string]any{
			"path": "/x", "text": "b", "scalar": 0.5, "size": "1.5k", "sizes": []string{"1B", "1kB"}, "jobs": 4, "direct": false,
			"list": []string{}, "options": map[string]any{"n": 3, "on": true}, "phase": []map[string]any{{"n": 1}, {}},
		}, map[string]cty.Value{
			"text": cty.StringVal("b"), "scalar": cty.StringVal("0.5"), "size": cty.NumberIntVal(1536),
			"sizes": cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(1000)}), "jobs": cty.NumberIntVal(4),
			"direct": cty.False, "list": cty.ListValEmpty(cty.String),
			"options": cty.MapVal(map[string]cty.Value{"n": cty.StringVal("3"), "on": cty.StringVal("true")}),
			"phase": cty.ListVal([]cty.Value{
				cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(1)}),
				cty.ObjectVal(map[string]cty.Value{"n": cty.NullVal(cty.Number)}),
			}),
		}, ""},
		"missing":     {nil, nil, "path is required"},
		"unknown":     {map[string]any{"path": "/x", "colour": 1}, nil, `there is no attribute "colour"`},
		"enum":        {map[string]any{"path": "/x", "text": "c"}, nil, `text: "c" is not one of`},
		"no unit":     {map[string]any{"path": "/x", "size": 4}, nil, "size: \"4\": a size needs a unit"},
		"not whole":   {map[string]any{"path": "/x", "jobs": 1.5}, nil, "jobs: \"1.5\" is not a whole number"},
		"not a list":  {map[string]any{"path": "/x", "list": "x"}, nil, "list: string is not a list"},
		"block error": {map[string]any{"path": "/x", "phase": map[string]any{"m": 1}}, nil, `phase: there is no attribute "m"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodeBody(body, c.values)
			if err != nil || c.err != "" {
				if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			want := map[string]cty.Value{
				"text": cty.StringVal("a"), "scalar": cty.NullVal(cty.String), "size": cty.NumberIntVal(4096),
				"sizes": cty.NullVal(cty.List(cty.Number)), "jobs": cty.NumberIntVal(1), "direct": cty.True,
				"list": cty.NullVal(cty.List(cty.String)), "options": cty.NullVal(cty.Map(cty.String)),
				"path": cty.StringVal("/x"), "phase": absent,
			}
			for name, v := range c.change {
				want[name] = v
			}
			if !got.RawEquals(cty.ObjectVal(want)) {
				t.Errorf("got  %#v\nwant %#v", got, cty.ObjectVal(want))
			}
			if !got.Type().Equals(body.Cty()) {
				t.Errorf("it is of type %#v, not of the body's", got.Type())
			}
		})
	}
}

func TestSink(t *testing.T) {
	dir := t.TempDir()
	s := NewSink(dir)
	for _, name := range []string{"", ".", "../x", "a/b", ".x", "ü"} {
		if _, err := s.Artifact(name); err == nil {
			t.Errorf("the artifact name %q is taken", name)
		}
	}
	w, err := s.Artifact("fio.stdout")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Artifact("fio.stdout"); err == nil {
		t.Errorf("an artifact is opened twice")
	}
	if _, err := w.Write([]byte("one ")); err != nil {
		t.Fatal(err)
	}
	if got := s.Open(); len(got) != 1 {
		t.Errorf("open: %q", got)
	}
	if _, err := w.Write([]byte("two")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("three")); err == nil {
		t.Errorf("a closed artifact takes more")
	}
	a := s.Artifacts()
	if len(a) != 1 || a[0].Name != "fio.stdout" || string(a[0].Data) != "one two" || len(s.Open()) != 0 {
		t.Errorf("artifacts: %q, open %q", a, s.Open())
	}
}
