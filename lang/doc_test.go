package lang_test

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// examples are the indented blocks of the reference that are specs; the others are tables.
func examples(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	current := ""
	for _, line := range append(strings.Split(f.Doc.Text(), "\n"), "end") {
		switch {
		case strings.HasPrefix(line, "\t"):
			current += strings.TrimPrefix(line, "\t") + "\n"
		case line == "" && current != "":
			current += "\n"
		default:
			if strings.Contains(current, "{") {
				out = append(out, current)
			}
			current = ""
		}
	}
	return out
}

// TestExamples evaluates every example of the reference on its own: it must have no error, and at least one test.
func TestExamples(t *testing.T) {
	list := examples(t)
	if len(list) < 7 {
		t.Fatalf("only %d examples were found: the search is broken", len(list))
	}
	for _, src := range list {
		name, _, _ := strings.Cut(src, "\n")
		m, diags := config.Parse(diag.Sources{"doc.assay.hcl": []byte(src)})
		s, more := eval.Evaluate(m, eval.Options{Types: types, Promise: promise, Providers: providers()})
		diags = append(diags, more...)
		if len(diags) > 0 || len(s.Tests) == 0 {
			t.Errorf("%s … has %d tests: %v\n%s", name, len(s.Tests), diags, src)
		}
	}
}

// TestEightLessTwo holds the numbers that the reference tells of its second example.
func TestEightLessTwo(t *testing.T) {
	m, _ := config.Parse(diag.Sources{"doc.assay.hcl": []byte(examples(t)[1])})
	s, _ := eval.Evaluate(m, eval.Options{Types: types, Promise: promise})
	if len(s.Setups) != 2+4 || len(s.Tests) != 8-2 {
		t.Errorf("%d setups, %d tests", len(s.Setups), len(s.Tests))
	}
}

// TestFunctionsExist: the reference names no function that is not there.
func TestFunctionsExist(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(f.Doc.Text(), "functions are Terraform's (")
	list, _, _ = strings.Cut(list, " and more)")
	names := regexp.MustCompile(`[a-z]+`).FindAllString(list, -1)
	if len(names) < 20 {
		t.Fatalf("only %q were found", names)
	}
	for _, n := range names {
		m, _ := config.Parse(diag.Sources{"doc.assay.hcl": []byte("locals {\n  a = " + n + "()\n}\n")})
		_, diags := eval.Evaluate(m, eval.Options{})
		if strings.Contains(diags.Error(), "unknown function") {
			t.Errorf("there is no function %s", n)
		}
	}
}

// providers are those that the examples configure.
func providers() []*schema.Provider {
	return []*schema.Provider{{Name: "fake", Config: schema.Block{Attributes: []schema.Attribute{{Name: "world", Kind: schema.String}}}}}
}

// types are what the examples need of the providers' types.
func types(kind string) []schema.Type {
	text := func(name string) schema.Attribute { return schema.Attribute{Name: name, Kind: schema.Scalar} }
	quantity := func(name string, dim unit.Dim) schema.Attribute {
		return schema.Attribute{Name: name, Kind: schema.Quantity, Dim: dim}
	}
	switch kind {
	case "setup":
		return []schema.Type{{
			Name:    "storage_directory",
			Body:    schema.Block{Attributes: []schema.Attribute{{Name: "path", Kind: schema.String, Required: true}}},
			Outputs: []schema.Output{{Name: "path", Type: schema.String}},
		}, {
			Name:    "fake_thing",
			Body:    schema.Block{Attributes: []schema.Attribute{text("label"), {Name: "claims", Kind: schema.StringList}}},
			Outputs: []schema.Output{{Name: "id", Type: schema.String}},
		}}
	case "dataset":
		return []schema.Type{{
			Name:     "fake_data",
			Body:     schema.Block{Attributes: []schema.Attribute{text("thing"), quantity("rows", unit.One)}},
			Outputs:  []schema.Output{{Name: "id", Type: schema.String}},
			Measures: []schema.Measure{{Name: "load_time", Dim: unit.Seconds, Better: schema.Lower}},
		}}
	case "test":
		return []schema.Type{{
			Name: "fio",
			Body: schema.Block{Attributes: []schema.Attribute{
				{Name: "directory", Kind: schema.String, Target: true, Required: true}, text("rw"),
				quantity("bs", unit.Bytes), quantity("size", unit.Bytes), quantity("runtime", unit.Seconds),
			}},
			Measures: []schema.Measure{{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher}},
		}, {
			Name: "fake",
			Body: schema.Block{Attributes: []schema.Attribute{
				text("thing"), text("takes"), quantity("throughput", unit.BytesPerSec), quantity("latency", unit.Seconds), quantity("count", unit.One),
				{Name: "hosts", Kind: schema.StringList},
			}},
			Outputs: []schema.Output{{Name: "left", Type: schema.String}},
			Measures: []schema.Measure{
				{Name: "throughput", Dim: unit.BytesPerSec, Better: schema.Higher, Keys: []string{"host"}, RollUp: schema.Sum},
				{Name: "latency", Dim: unit.Seconds, Better: schema.Lower, Keys: []string{"host"}, RollUp: schema.Worst},
				{Name: "share", Dim: unit.One, Keys: []string{"host"}},
			},
		}}
	case "monitor":
		return []schema.Type{{
			Name:     "fake",
			Body:     schema.Block{Attributes: []schema.Attribute{quantity("load", unit.One)}},
			Measures: []schema.Measure{{Name: "load", Dim: unit.One, Better: schema.Lower}},
		}}
	}
	return nil
}

func promise(i *spec.Instance) (cty.Value, hcl.Diagnostics) {
	switch i.Type.Name {
	case "storage_directory":
		return cty.ObjectVal(map[string]cty.Value{"path": i.Config.GetAttr("path")}), nil
	case "fake":
		return cty.ObjectVal(map[string]cty.Value{"left": cty.StringVal(i.Addr.String())}), nil
	case "fake_thing", "fake_data":
		return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(i.Addr.String())}), nil
	}
	return cty.EmptyObjectVal, nil
}
