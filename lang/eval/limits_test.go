package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
)

// limitCase is a source that would overflow the parser's stack, or cost more than any machine has.
type limitCase struct {
	name, file, src string
	want            string // part of a detail; empty: it must evaluate without an error
}

func (c limitCase) run() hcl.Diagnostics {
	_, diags := evaluate(diag.Sources{c.file: []byte(c.src)}, options())
	return diags
}

func limitCases() []limitCase {
	const deep, shallow = 20_000, 100
	var cases []limitCase
	for _, f := range []struct{ name, open, middle, close string }{
		{"parentheses", "(", "1", ")"},
		{"brackets", "[", "1", "]"},
		{"braces", "{a=", "1", "}"},
		{"not", "!", "true", ""},
		{"not on lines of their own", "!\n", "true", ""},
		{"minus", "- ", "1", ""},
		{"conditionals", "true ? 1 :\n", "1", ""},
		{"sums", "1 + ", "1", ""},
		{"comparisons", "true == ", "true", ""},
		{"templates", `"${`, "1", `}"`},
		{"indexes", "", `jsondecode("` + strings.Repeat("[", shallow+1) + strings.Repeat("]", shallow+1) + `")`, "[length([])]"},
		{"splats", "", "[]", "[*]"},
		{"calls", "upper(", `"x"`, ")"},
		{"for", "[for x in [1] : ", "1", "]"},
		{"object for", "{for x in [1] : x => ", "1", "}"},
		{"comments that close", "[ # ]\n", "1", "]"},
		{"directives", "", "", ""},
	} {
		for _, n := range []int{deep, shallow} {
			want := "are nested more than 500 deep here"
			if n == shallow {
				want = ""
			}
			expr := strings.Repeat(f.open, n) + f.middle + strings.Repeat(f.close, n)
			if f.name == "directives" {
				expr = `"` + strings.Repeat("%{ if true }", n) + "x" + strings.Repeat("%{ endif }", n) + `"`
			}
			cases = append(cases, limitCase{fmt.Sprintf("%s %d", f.name, n), "a.assay.hcl", "locals {\n  a = (" + expr + ")\n}\n", want})
		}
	}
	long := strings.Repeat("%{ if true }x%{ endif }", 3000)
	list := strings.Repeat("1 + 1, !true ? 1 : 2,\n", 3000)
	lines := strings.Repeat("  a = 1 - 1\n", 1)
	for i := range 3000 {
		lines += fmt.Sprintf("  l%d = 1 + 1\n", i)
	}
	diamond := "  d0 = 1\n" // each name is reached by twice as many ways as the one before
	for i := range 60 {
		diamond += fmt.Sprintf("  d%d = local.d%d + local.d%d\n", i+1, i, i)
	}
	return append(cases,
		limitCase{"a diamond of names", "a.assay.hcl", "locals {\n" + diamond + "}\n", ""},
		limitCase{"lines of an object-for", "a.assay.hcl", "locals {\n  a = {\n# c\nfor x in [1] : \"x\" =>\n" + strings.Repeat("!\n", 20_000) + "true}\n}\n", "nested more than"},
		limitCase{"many directives side by side", "a.assay.hcl", "locals {\n  a = \"" + long + "\"\n}\n", ""},
		limitCase{"a long list", "a.assay.hcl", "locals {\n  a = [" + list + "]\n}\n", ""},
		limitCase{"many lines", "a.assay.hcl", "locals {\n" + lines + "}\n", ""},
		limitCase{"unclosed", "a.assay.hcl", strings.Repeat("[", 100_000), "nested more than"},
		limitCase{"unclosed quotes", "a.assay.hcl", "a = " + strings.Repeat(`"${`, 100_000), "nested more than"},
		limitCase{"blocks", "a.assay.hcl", strings.Repeat("a {\n", 100_000), "nested more than"},
		limitCase{"heredocs", "a.assay.hcl", "a = " + strings.Repeat("<<E\n${", 100_000), "nested more than"},
		limitCase{"JSON", "a.assay.json", strings.Repeat("[", 100_000), "nested more than"},
		limitCase{"JSON objects", "a.assay.json", strings.Repeat(`{"a":`, 100_000), "nested more than"},
		limitCase{"JSON behind strings", "a.assay.json", strings.Repeat(`["]",`, 10_000), "nested more than"},
		limitCase{"templates in JSON", "a.assay.json", `{"locals": {"a": "${` + strings.Repeat("(", 100_000) + `1}"}}`, "nested more than"},
		limitCase{"types in JSON", "a.assay.json", `{"variable": {"a": {"type": "` + strings.Repeat("list(", 100_000) + `"}}}`, "nested more than"},
		limitCase{"a large file", "a.assay.hcl", strings.Repeat("\n", 1<<20+1), "a file of a spec has at most 1048576"},
		limitCase{"a large number", "a.assay.hcl", "locals {\n  a = \"${1e999999999}\"\n}\n", "at most four digits"},
		limitCase{"a small number", "a.assay.hcl", "locals {\n  a = 1e-99999999999999999999\n}\n", "at most four digits"},
		limitCase{"a zero exponent", "a.assay.hcl", "locals {\n  a = 1e0000000\n}\n", ""},
		limitCase{"a large number in JSON", "a.assay.json", `{"locals": {"a": 1e999999999}}`, "at most four digits"},
		limitCase{"a large number in a template in JSON", "a.assay.json", `{"locals": {"a": "${1e999999999}"}}`, "at most four digits"},
		limitCase{"a serial number like a large number", "a.assay.json", `{"locals": {"a": "1E999999999"}}`, ""},
		limitCase{"a range of more than 1024", "a.assay.hcl", "locals {\n  a = length(range(5000)) == 5000\n}\n", ""},
		limitCase{"a range without end", "a.assay.hcl", "locals {\n  a = range(1e9)\n}\n", "more than 100000 numbers"},
		limitCase{"too many combinations", "a.assay.hcl", `
matrix {
  axis "a" {
    values = range(1000)
  }
  axis "b" {
    values = range(1000)
  }
}
test "fake" "t" {
  count = matrix.a + matrix.b
}
`, `The axes "a" and "b" have more than 100000 combinations`},
	)
}

func TestLimits(t *testing.T) {
	for _, c := range limitCases() {
		t.Run(c.name, func(t *testing.T) {
			diags := c.run()
			switch {
			case c.want == "" && diags.HasErrors():
				t.Error(diags)
			case c.want != "" && !strings.Contains(diags.Error(), c.want):
				t.Errorf("want %q, got %d: %.300v", c.want, len(diags), diags)
			}
		})
	}
}
