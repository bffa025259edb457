package eval_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// TestEveryErrorIsTested finds each message in the sources of config and eval, and fails where no annotated spec and no case of
// the other tables brings it about.
func TestEveryErrorIsTested(t *testing.T) {
	var all hcl.Diagnostics
	files, _ := filepath.Glob("testdata/errors/*.assay.hcl")
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, errorsOf(f, src)...)
	}
	for _, c := range inputCases {
		all = append(all, c.run()...)
	}
	seen := map[string]bool{}
	for _, c := range limitCases() { // one of each kind: TestLimits runs them all
		if key := c.want + c.file; c.want != "" && !seen[key] {
			seen[key] = true
			all = append(all, c.run()...)
		}
	}
	messages := append(sourceMessages(t, "."), sourceMessages(t, "../config")...)
	if len(messages) < 60 {
		t.Fatalf("only %d messages were found in the sources: the search is broken", len(messages))
	}
	for _, m := range messages {
		if !m.among(all) {
			t.Errorf("%s: no test brings about %q: %q", m.pos, m.summary, m.detail)
		}
	}
}

type message struct {
	pos             token.Position
	summary, detail string // formats
}

func (m message) among(diags hcl.Diagnostics) bool {
	summary, detail := asPattern(m.summary), asPattern(m.detail)
	for _, d := range diags {
		if summary.MatchString(d.Summary) && detail.MatchString(d.Detail) {
			return true
		}
	}
	return false
}

var verbRE = regexp.MustCompile(`%%|%[a-z]|\x00`)

func asPattern(format string) *regexp.Regexp {
	var b strings.Builder
	at := 0
	for _, m := range verbRE.FindAllStringIndex(format, -1) {
		b.WriteString(regexp.QuoteMeta(format[at:m[0]]))
		if format[m[0]:m[1]] == "%%" {
			b.WriteString("%")
		} else {
			b.WriteString("(?s:.*)")
		}
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(format[at:]))
	return regexp.MustCompile("^" + b.String() + "$")
}

// sourceMessages finds the calls that make a diagnostic, and their texts; what is computed stands for anything.
func sourceMessages(t *testing.T, dir string) []message {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var out []message
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 3 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, _ := sel.X.(*ast.Ident); sel.Sel.Name == "errorf" || x != nil && x.Name == "diag" && (sel.Sel.Name == "Error" || sel.Sel.Name == "Warning") {
				m := message{fset.Position(call.Pos()), textOf(call.Args[1]), textOf(call.Args[2])}
				if strings.Trim(m.summary+m.detail, "\x00") != "" {
					out = append(out, m)
				}
			}
			return true
		})
	}
	return out
}

// textOf is the text of an expression; \x00 stands for what is not a literal.
func textOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return textOf(x.X) + textOf(x.Y)
	}
	return "\x00"
}
