package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// counted is an expression that counts how often it is evaluated.
type counted struct {
	hcl.Expression
	times *int
}

func (c *counted) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if ctx != nil { // without a scope it is only asked what it looks like
		*c.times++
	}
	return c.Expression.Value(ctx)
}

// TestEvaluatedOnce: an expression is evaluated once for each distinct combination of the axes that it names, however many
// instances use it.
func TestEvaluatedOnce(t *testing.T) {
	m, diags := config.Parse(diag.Sources{"s.assay.hcl": []byte(`
matrix {
  axis "a" {
    values = range(5)
  }
  axis "b" {
    values = range(7)
  }
  axis "c" {
    values = range(3)
  }
  exclude {
    when   = a == 0 && c == 0
    reason = "x"
  }
}
locals {
  none = 1
  one  = matrix.a + local.none
  two  = local.one + matrix.b
}
test "fake" "t" {
  count = local.two + matrix.c
}
test "fake" "u" {
  count = local.two
  thing = local.one
}
`)})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	times := map[string]*int{}
	for _, l := range m.Locals {
		n := 0
		times[l.Name] = &n
		l.Expr = &counted{l.Expr, &n}
	}
	excluded := 0
	m.Excludes[0].When = &counted{m.Excludes[0].When, &excluded}
	s, diags := eval.Evaluate(m, options())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if want := 5*7*3 - 7 + 5*7; len(s.Tests) != want {
		t.Errorf("%d tests, want %d", len(s.Tests), want)
	}
	for name, want := range map[string]int{"none": 1, "one": 5, "two": 35} {
		if *times[name] != want {
			t.Errorf("local.%s was evaluated %d times, want %d", name, *times[name], want)
		}
	}
	if excluded != 5*3 {
		t.Errorf("the exclude was evaluated %d times, want %d", excluded, 5*3)
	}
}

// TestOnlyWhatIsNamedIsInScope: the scope of an expression holds what it refers to and nothing else.
func TestOnlyWhatIsNamedIsInScope(t *testing.T) {
	m, _ := config.Parse(diag.Sources{"s.assay.hcl": []byte(`
variable "x" {
  default = 1
}
variable "y" {
  default = 2
}
locals {
  a = var.x
  b = local.a + var.y
}
`)})
	var scope []string
	for _, l := range m.Locals {
		if l.Name == "b" {
			l.Expr = &scoped{l.Expr, &scope}
		}
	}
	if _, diags := eval.Evaluate(m, options()); diags.HasErrors() {
		t.Fatal(diags)
	}
	if d := cmp.Diff([]string{"local.a", "var.y"}, scope); d != "" {
		t.Error(d)
	}
}

type scoped struct {
	hcl.Expression
	names *[]string
}

func (s *scoped) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if ctx == nil {
		return s.Expression.Value(ctx)
	}
	for _, root := range []string{"hardware", "local", "matrix", "setup", "var"} {
		if v, ok := ctx.Variables[root]; ok {
			for it := v.ElementIterator(); it.Next(); {
				k, _ := it.Element()
				*s.names = append(*s.names, root+"."+k.AsString())
			}
		}
	}
	return s.Expression.Value(ctx)
}

// TestPromisedOnce: the provider is asked once for each instance, after those that it needs.
func TestPromisedOnce(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		asked := map[string]int{}
		opts := options()
		opts.Promise = func(i *spec.Instance) (cty.Value, hcl.Diagnostics) {
			for _, n := range i.Needs {
				if asked[n.Addr.String()] == 0 {
					t.Errorf("%s is asked for before %s, which it needs", i.Addr, n.Addr)
				}
			}
			asked[i.Addr.String()]++
			return promise(i)
		}
		s, _ := evaluate(readSources(t, dir), opts)
		for a, n := range asked {
			if n != 1 {
				t.Errorf("%s: %s was asked for %d times", dir, a, n)
			}
		}
		if want := len(s.Setups) + len(s.Tests) + len(s.Monitors) + len(s.Unused); len(asked) != want {
			t.Errorf("%s: %d instances were asked for, want %d", dir, len(asked), want)
		}
	}
}

// TestDeterminism: the same spec gives the same, errors included, however Go walks its maps.
func TestDeterminism(t *testing.T) {
	for _, glob := range []string{"errors/axes", "errors/cycles", "errors/names", "errors/values"} {
		src := readFile(t, "testdata/"+glob+".assay.hcl")
		first := fmt.Sprint(errorsOf(glob, src))
		for range 20 {
			if got := fmt.Sprint(errorsOf(glob, src)); got != first {
				t.Fatalf("%s: %s", glob, cmp.Diff(first, got))
			}
		}
	}
	for _, dir := range goldenDirs(t) {
		src := readSources(t, dir)
		s, _ := evaluate(src, options())
		first := dump(s)
		for range 20 {
			if s, _ := evaluate(src, options()); dump(s) != first {
				t.Fatal(dir, cmp.Diff(first, dump(s)))
			}
		}
	}
}

// TestOrderDoesNotMatter: the blocks of a spec in reverse, and one in each file, make the same instances.
func TestOrderDoesNotMatter(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		for name, raw := range readSources(t, dir) {
			if !strings.HasSuffix(name, ".hcl") {
				continue
			}
			blocks := strings.SplitAfter(string(raw), "\n}\n")
			backwards := ""
			src := diag.Sources{}
			for i, b := range blocks {
				backwards = b + "\n" + backwards
				src[fmt.Sprintf("%02d.assay.hcl", len(blocks)-i)] = []byte(b)
			}
			want := addresses(evaluate(diag.Sources{name: raw}, options()))
			if d := cmp.Diff(want, addresses(evaluate(diag.Sources{name: []byte(backwards)}, options()))); d != "" {
				t.Errorf("%s backwards: %s", dir, d)
			}
			if d := cmp.Diff(want, addresses(evaluate(src, options()))); d != "" {
				t.Errorf("%s in one file for each block: %s", dir, d)
			}
		}
	}
}

// addresses gives each instance with its configuration.
func addresses(s *spec.Spec, diags hcl.Diagnostics) map[string]string {
	out := map[string]string{}
	for _, list := range [][]*spec.Instance{s.Setups, s.Tests} {
		for _, i := range list {
			out[i.Addr.String()] = configText(i)
		}
	}
	if diags.HasErrors() { // a file of a spec of several does not stand alone, but errs the same in any order
		out["errors"] = fmt.Sprint(len(diags))
	}
	return out
}

// TestZeroOptions: without types every type is unknown, and nothing panics.
func TestZeroOptions(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		_, diags := evaluate(readSources(t, dir), eval.Options{})
		if !strings.Contains(fmt.Sprint(diags.Errs()), "Unknown type") {
			t.Error(dir, diags)
		}
	}
}
