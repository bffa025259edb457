package require

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
)

func TestCheck(t *testing.T) {
	const native, asJSON = "a.assay.hcl", "a.assay.json"
	for _, c := range []struct {
		name, file, src string
		want            string // of the one diagnostic: its summary, and a part of its detail behind |
		line            int
	}{
		{"none", native, `spec { title = "a" }`, "", 0},
		{"met", native, `spec { require { assay = ">= 0.1" } }`, "", 0},
		{"exact", native, "spec {\n  require {\n    assay = \"0.3.1\"\n  }\n}", "", 0},
		{"pessimistic", native, "spec {\n  require {\n    assay = \"~> 0.3\"\n  }\n}", "", 0},
		{"range", native, "spec {\n  require {\n    assay = \">= 0.1, < 1\"\n  }\n}", "", 0},
		{"too old", native, "spec {\n  require {\n    assay = \">= 0.4\"\n  }\n}", "Another version of assay is needed|is for assay >= 0.4, and this is assay 0.3.1", 3},
		{"too new", native, "spec {\n  require {\n    assay = \"< 0.3\"\n  }\n}", "Another version of assay is needed|< 0.3", 3},
		{"second block", native, "spec {\n}\nspec {\n  require {\n    assay = \">= 2\"\n  }\n}", "Another version of assay is needed|>= 2", 5},
		{"unknown blocks", native, "spec {\n  x = y()\n  frob \"z\" {\n  }\n  require {\n    assay = \">= 2\"\n  }\n}\nquux {}\n", "Another version of assay is needed|", 6},
		{"unknown argument of a newer one", native, "spec {\n  require {\n    provider = 1\n    assay = \">= 2\"\n  }\n}", "Another version of assay is needed|", 4},
		{"broken later", native, "spec {\n  require {\n    assay = \">= 2\"\n  }\n}\nkpi \"a\" {\n  max = [\n}\n", "Another version of assay is needed|", 3},
		{"new syntax later", native, "spec {\n  require {\n    assay = \">= 2\"\n  }\n}\nkpi \"a\" {\n  max = a => b\n}\n", "Another version of assay is needed|", 3},
		{"JSON", asJSON, `{"spec": {"frob": 1, "require": {"assay": ">= 2"}}}`, "Another version of assay is needed|", 1},
		{"JSON met", asJSON, `{"spec": {"require": {"assay": ">= 0.1"}}}`, "", 0},
		{"no version", native, "spec {\n  require {\n    assay = \"new\"\n  }\n}", "Not a version|\">= 0.1\"", 3},
		{"number", native, "spec {\n  require {\n    assay = 0.1\n  }\n}", "Not a version|", 3},
		{"reference", native, "spec {\n  require {\n    assay = var.v\n  }\n}", "Not a version|stands here as it is", 3},
		{"misspelt", native, "spec {\n  require {\n    asay = \">= 2\"\n  }\n}", "Unsupported argument|Did you mean \"assay\"?", 3},
		{"deep", native, "x = " + strings.Repeat("[", 100000), "", 0},
		{"variables", "a.assayvars", `spec { require { assay = ">= 2" } }`, "", 0},
		{"rubbish", native, "\xff\xfe{{{", "", 0},
		{"rubbish JSON", asJSON, "[1, ", "", 0},
	} {
		diags := Check(diag.Sources{c.file: []byte(c.src)}, "0.3.1")
		if c.want == "" {
			if len(diags) > 0 {
				t.Errorf("%s: %v", c.name, diags)
			}
			continue
		}
		summary, detail, _ := strings.Cut(c.want, "|")
		if len(diags) != 1 || diags[0].Summary != summary || !strings.Contains(diags[0].Detail, detail) || diags[0].Subject.Start.Line != c.line {
			t.Errorf("%s: %v, want %s on line %d", c.name, diags, c.want, c.line)
		}
	}
}

func TestOwnVersion(t *testing.T) {
	src := diag.Sources{"a.assay.hcl": []byte("spec {\n  require {\n    assay = \">= 0.2\"\n  }\n}")}
	for own, ok := range map[string]bool{"0.2.0": true, "0.2.0-dev": true, "0.2.0-dev+build": true, "1.0.0": true, "0.1.9": false, "head": false} {
		if got := len(Check(src, own)) == 0; got != ok {
			t.Errorf("%s: %v, want %v", own, got, ok)
		}
	}
}
