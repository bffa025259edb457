// Package require reads what version of assay a spec asks for:
//
//	spec {
//	  require {
//	    assay = ">= 0.1"
//	  }
//	}
//
// It is read before anything else, and tolerates what it does not know, so that a binary that is too old for a spec says so
// instead of complaining about blocks that came later.
package require

import (
	"sort"
	"strings"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

// Check compares the requirements of a spec's files with this binary's version, such as "0.1.0". A pre-release counts as its
// release: 0.2.0-dev meets ">= 0.2". Errors of syntax are left to the parser, and so is a file that is beyond its limits.
func Check(src diag.Sources, own string) hcl.Diagnostics {
	have, err := version.NewVersion(own)
	if err != nil {
		return hcl.Diagnostics{diag.Error(hcl.Range{}, "Unknown version", "This assay calls its version %q, which is none, so it cannot be told whether the spec fits.", own)}
	}
	var wrong, old hcl.Diagnostics
	for _, name := range names(src) {
		if config.Limits(name, src[name]) != nil {
			continue
		}
		for _, b := range blocks(name, src[name]) {
			content, diags := b.Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "assay"}}})
			wrong = append(wrong, diags...)
			for _, a := range content.Attributes {
				text, want, d := constraint(a)
				switch {
				case d != nil:
					wrong = append(wrong, d)
				case !want.Check(have.Core()):
					old = append(old, diag.Error(a.Expr.Range(), "Another version of assay is needed", "This spec is for assay %s, and this is assay %s. Install a version that fits; `assay version` says which one is installed.", text, own))
				}
			}
		}
	}
	if len(old) > 0 {
		return diag.Sorted(old) // what else seems wrong may be right in that version
	}
	return diag.Sorted(wrong)
}

func constraint(a *hcl.Attribute) (string, version.Constraints, *hcl.Diagnostic) {
	wrong := diag.Error(a.Expr.Range(), "Not a version", `assay is a text that stands here as it is: ">= 0.1", or several conditions with commas between: ">= 0.1, < 2".`)
	v, diags := a.Expr.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", nil, wrong
	}
	want, err := version.NewConstraint(v.AsString())
	if err != nil {
		return "", nil, wrong
	}
	return v.AsString(), want, nil
}

// blocks finds the require blocks of a file, whatever else is in it, and however much of it can be parsed.
func blocks(name string, src []byte) hcl.Blocks {
	var f *hcl.File
	if strings.HasSuffix(name, config.JSONExtension) {
		f, _ = json.Parse(src, name)
	} else {
		f, _ = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	}
	if f == nil || f.Body == nil {
		return nil
	}
	var out hcl.Blocks
	outer, _, _ := f.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "spec"}}})
	for _, spec := range outer.Blocks {
		inner, _, _ := spec.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "require"}}})
		out = append(out, inner.Blocks...)
	}
	return out
}

func names(src diag.Sources) []string {
	var out []string
	for n := range src {
		if strings.HasSuffix(n, config.Extension) || strings.HasSuffix(n, config.JSONExtension) {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}
