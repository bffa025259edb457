package lint

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/zclconf/go-cty/cty"
)

// types are a setup, thing, and a test, io, that may have a device as its target.
func types(kind string) []schema.Type {
	switch kind {
	case "setup":
		return []schema.Type{{
			Name:    "thing",
			Body:    schema.Block{Attributes: []schema.Attribute{{Name: "label", Kind: schema.Scalar}}},
			Outputs: []schema.Output{{Name: "id", Type: schema.String}},
		}}
	case "test":
		return []schema.Type{{
			Name: "io",
			Body: schema.Block{Attributes: []schema.Attribute{
				{Name: "label", Kind: schema.Scalar}, {Name: "device", Kind: schema.String, Target: true}, {Name: "devices", Kind: schema.StringList, Target: true}, {Name: "direct", Kind: schema.Bool},
			}},
			Outputs:  []schema.Output{{Name: "left", Type: schema.String}},
			Measures: []schema.Measure{{Name: "rate", Dim: unit.BytesPerSec, Better: schema.Higher}},
		}}
	}
	return nil
}

func promise(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
	if inst.Addr.Kind == "setup" {
		return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(inst.Addr.String())}), nil
	}
	return cty.ObjectVal(map[string]cty.Value{"left": cty.StringVal(inst.Addr.String())}), nil
}

// expected reads the warnings from the comments of a spec: the line, and the summary.
func expected(src string) map[int]string {
	want := map[int]string{}
	for i, line := range strings.Split(src, "\n") {
		if _, comment, ok := strings.Cut(line, " # "); ok {
			want[i+1] = comment
		}
	}
	return want
}

func TestWarnings(t *testing.T) {
	ar, err := txtar.ParseFile(filepath.Join("testdata", "cases.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		m, diags := config.Parse(diag.Sources{"s.assay.hcl": f.Data})
		s, more := eval.Evaluate(m, eval.Options{
			Types: types, Promise: promise, Providers: []*schema.Provider{{Name: "io"}, {Name: "thin"}, {Name: "other"}},
		})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Errorf("%s: %v", f.Name, diags)
			continue
		}
		got := map[int]string{}
		for _, d := range Warnings(m, s) {
			if d.Severity != hcl.DiagWarning || d.Subject == nil || d.Detail == "" {
				t.Errorf("%s: %v is no warning with a place and advice", f.Name, d)
				continue
			}
			if got[d.Subject.Start.Line] != "" {
				t.Errorf("%s: two warnings on line %d", f.Name, d.Subject.Start.Line)
			}
			got[d.Subject.Start.Line] = d.Summary
		}
		if d := cmp.Diff(expected(string(f.Data)), got); d != "" {
			t.Errorf("%s: %s", f.Name, d)
		}
	}
}
