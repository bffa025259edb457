package eval_test

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/hashicorp/hcl/v2"
)

// inputCase is a spec with values from outside, and what must be said of them; an empty want is silence.
type inputCase struct {
	name, spec, file string
	vars             []eval.Input
	want             []string
}

func (c inputCase) run() hcl.Diagnostics {
	src := diag.Sources{"s.assay.hcl": []byte(c.spec)}
	in, diags := eval.ParseVarFile("trial.assayvars", []byte(c.file))
	_, more := evaluate(src, options(append(in, c.vars...)...))
	return append(diags, more...)
}

func text(name, value string) eval.Input {
	return eval.Input{Name: name, Text: value, Source: "--var " + name}
}

var inputCases = []inputCase{
	{
		name: "unknown on the command line", spec: `variable "size" { default = 1 }`,
		vars: []eval.Input{text("sze", "1")},
		want: []string{`error: The spec declares no variable "sze", which --var sze sets. Did you mean "size"?`},
	},
	{
		name: "unknown in a file", spec: `variable "size" { default = 1 }`, file: "sze = 1\n",
		want: []string{`warning: The spec declares no variable "sze", so this value has no effect. Did you mean "size"?`},
	},
	{
		name: "unknown in the environment",
		vars: []eval.Input{{Name: "x", Text: "1", Source: "ASSAY_VAR_x", Lenient: true, Silent: true}},
	},
	{
		name: "not of the type", spec: `variable "n" { type = number }`, vars: []eval.Input{text("n", "many")},
		want: []string{`error: Variable "n" is number, but the value from --var n does not fit: a number is required.`},
	},
	{
		name: "not an expression", spec: `variable "l" { type = list(string) }`, vars: []eval.Input{text("l", "[a")},
		want: []string{`error: Variable "l" is list(string); --var l gives "[a", which is not a value of that type: `},
	},
	{
		name: "nested too deep", spec: `variable "l" { type = any }` + "\n" + `variable "m" { type = list(string) }`,
		vars: []eval.Input{text("l", "x"), text("m", strings.Repeat("[", 100_000))},
		want: []string{`error: The value that --var m gives to variable "m" is too large or nested too deep.`},
	},
	{
		name: "sensitive text is not shown", spec: `variable "s" {
			type = list(string)
			sensitive = true
		}`, vars: []eval.Input{text("s", "[hunter22")},
		want: []string{`--var s gives (sensitive), which is not a value`},
	},
	{
		name: "sensitive text in a validation", spec: `variable "s" {
			sensitive = true
			validation {
				condition = var.s == "x"
				message = "it is ${var.s}"
			}
		}`, vars: []eval.Input{text("s", "hunter22")},
		want: []string{"error: message stands in every plan", "error: (sensitive): "},
	},
	{name: "a text is taken as it stands", spec: `variable "s" { type = string }`, vars: []eval.Input{text("s", "[a")}},
	{name: "a list", spec: `variable "l" { type = list(string) }`, vars: []eval.Input{text("l", `["a"]`)}},
	{name: "the last one wins", spec: `variable "n" { type = number }`, file: "n = \"bad\"\n", vars: []eval.Input{text("n", "5")}},
	{
		name: "a file that is not one", file: "a = \n",
		want: []string{"error: Expected the start of an expression"},
	},
	{
		name: "a file nested too deep", file: "a = " + strings.Repeat("(", 100_000),
		want: []string{"error: Brackets, operators and templates are nested more than 500 deep here."},
	},
}

func TestInputs(t *testing.T) {
	for _, c := range inputCases {
		t.Run(c.name, func(t *testing.T) {
			diags := c.run()
			if len(diags) != len(c.want) {
				t.Errorf("%d diagnostics, want %d: %v", len(diags), len(c.want), diags)
			}
			for _, w := range c.want {
				found := false
				for _, d := range diags {
					word := "error: "
					if d.Severity == hcl.DiagWarning {
						word = "warning: "
					}
					found = found || strings.Contains(word+d.Detail, w)
				}
				if !found {
					t.Errorf("nobody says %q: %v", w, diags)
				}
			}
			for _, d := range diags {
				if strings.Contains(d.Detail, "hunter22") {
					t.Errorf("a secret is shown: %s", d.Detail)
				}
			}
		})
	}
}
