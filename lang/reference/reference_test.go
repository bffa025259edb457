package reference

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/format"
	"github.com/assay-bench/assay/lang/require"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/google/go-cmp/cmp"
)

// words are the names that a block might take: every text in the code that says what blocks take which could be a name, and every
// name that is documented.
func words(t *testing.T) []string {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	seen := map[string]bool{}
	for _, dir := range []string{"../config", "../eval", "../require"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if s, err := strconv.Unquote(lit.Value); err == nil {
						s = strings.TrimPrefix(s, "!")
						seen[s] = seen[s] || name.MatchString(s)
					}
				}
				return true
			})
		}
	}
	var visit func(list []Block)
	visit = func(list []Block) {
		for _, b := range list {
			seen[b.Name] = true
			for _, a := range b.Attributes {
				seen[a.Name] = true
			}
			visit(b.Blocks)
		}
	}
	visit(Blocks())
	var out []string
	for w, ok := range seen {
		if ok {
			out = append(out, w)
		}
	}
	sort.Strings(out)
	if len(out) < 100 {
		t.Fatalf("only %d words", len(out))
	}
	return out
}

// accepted tries every word within the blocks of path, as an attribute or as a block, and gives those that are not refused.
func accepted(t *testing.T, path []Block, words []string, asBlock bool) []string {
	t.Helper()
	var src strings.Builder
	for _, b := range path {
		src.WriteString(strings.NewReplacer("TYPE", "any", "NAME", "n").Replace(b.Header()) + " {\n")
	}
	line := len(path)
	for _, w := range words {
		if asBlock {
			fmt.Fprintf(&src, "%s {}\n", w)
		} else {
			fmt.Fprintf(&src, "%s = 1\n", w)
		}
	}
	src.WriteString(strings.Repeat("}\n", len(path)))
	sources := diag.Sources{"a.assay.hcl": []byte(src.String())}
	m, diags := config.Parse(sources)
	_, more := eval.Evaluate(m, eval.Options{Types: func(string) []schema.Type { return []schema.Type{{Name: "any"}} }, Providers: []*schema.Provider{{Name: "n"}}})
	diags = append(append(diags, more...), require.Check(sources, "1.0.0")...)
	refusal := "Unsupported argument"
	if asBlock {
		refusal = "Unsupported block type"
	}
	refused := map[int]bool{}
	for _, d := range diags {
		if d.Summary == refusal && d.Subject != nil {
			refused[d.Subject.Start.Line] = true
		}
	}
	var out []string
	for i, w := range words {
		if !refused[line+i+1] {
			out = append(out, w)
		}
	}
	return out
}

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	sort.Strings(out)
	return out
}

// TestComplete: what config and eval accept is documented, and what is documented they accept.
func TestComplete(t *testing.T) {
	all := words(t)
	var visit func(path []Block)
	visit = func(path []Block) {
		where, attrs, nested, free := "a file", []Attribute(nil), Blocks(), ""
		if len(path) > 0 {
			b := path[len(path)-1]
			where, attrs, nested, free = b.Name, b.Attributes, b.Blocks, b.Free
		}
		if free == "" || strings.HasPrefix(free, "The other arguments") {
			got := accepted(t, path, all, false)
			if d := cmp.Diff(names(attrs, func(a Attribute) string { return a.Name }), got); d != "" {
				t.Errorf("arguments of %s: documented (-) and accepted (+) differ:\n%s", where, d)
			}
		}
		if free == "" || len(nested) > 0 {
			got := accepted(t, path, all, true)
			if d := cmp.Diff(names(nested, func(b Block) string { return b.Name }), got); d != "" {
				t.Errorf("blocks in %s: documented (-) and accepted (+) differ:\n%s", where, d)
			}
		}
		for _, b := range nested {
			visit(append(slices.Clip(path), b))
		}
	}
	visit(nil)
}

// TestTexts: everything has a description that is a sentence, and an example that shows it.
func TestTexts(t *testing.T) {
	shownIn := map[string]bool{}
	var visit func(list []Block, shown string)
	visit = func(list []Block, outer string) {
		for _, b := range list {
			shown := outer
			if b.Example != "" {
				spec, part, err := Example(b.Example)
				if err != nil {
					t.Error(err)
					continue
				}
				shownIn[b.Example], shown = true, part
				if got, diags := format.Source(b.Example, []byte(spec)); diags.HasErrors() || !bytes.Equal(got, []byte(spec)) {
					t.Errorf("the example %s is not laid out: %v %s", b.Example, diags, cmp.Diff(spec, string(got)))
				}
			}
			if !regexp.MustCompile(`(?m)^ *` + b.Name + `( "[^"]+")* \{`).MatchString(shown) {
				t.Errorf("no example shows %s", b.Name)
			}
			sentence := func(what, doc string) {
				if !strings.HasSuffix(doc, ".") && !strings.HasSuffix(doc, "].") {
					t.Errorf("%s: %q is no sentence", what, doc)
				}
			}
			sentence(b.Name, b.Doc)
			for _, a := range b.Attributes {
				sentence(b.Name+"."+a.Name, a.Doc)
				if a.Type == "" || a.Required && a.Default != "" {
					t.Errorf("%s.%s: no type, or a default of what is required", b.Name, a.Name)
				}
			}
			visit(b.Blocks, shown)
		}
	}
	visit(Blocks(), "")
	files, err := os.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".assay.hcl"); !shownIn[name] {
			t.Errorf("the example %s is shown nowhere", name)
		}
	}
}

func TestTypeText(t *testing.T) {
	for _, c := range []struct {
		a    schema.Attribute
		want string
	}{
		{schema.Attribute{Kind: schema.String}, "string"},
		{schema.Attribute{Kind: schema.String, Enum: []string{"a", "b"}}, "one of a, b"},
		{schema.Attribute{Kind: schema.Quantity}, "number or share"},
		{schema.Attribute{Kind: schema.Integer, Min: "1", Max: "8"}, "whole number, at least 1, at most 8"},
		{schema.Attribute{Kind: schema.Bool, Max: "8"}, "bool, at most 8"},
		{schema.Attribute{Kind: schema.StringList}, "list of string"},
		{schema.Attribute{Kind: schema.Map}, "object of strings, numbers and bools"},
	} {
		got := TypeText(c.a)
		if l := LimitsText(c.a); l != "" {
			got += ", " + l
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
