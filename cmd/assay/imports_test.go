package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/assay-bench/assay/"

// allowed says, for packages whose place is settled, which packages of this module they may import. A name ending in a slash
// stands for everything below. Packages not named here may import what their layer may.
var allowed = map[string][]string{
	"lang/unit":          {},
	"lang/addr":          {},
	"lang/diag":          {},
	"lang/schema":        {"lang/unit"},
	"lang/spec":          {"lang/addr", "lang/unit", "lang/schema"},
	"lang/config":        {"lang/addr", "lang/diag", "lang/unit"},
	"lang/eval":          {"lang/"},
	"lang/outline":       {"lang/config"},
	"lang/lint":          {"lang/"},
	"lang/format":        {"lang/config", "lang/diag"},
	"lang/require":       {"lang/config", "lang/diag"},
	"lang/reference":     {"lang/schema", "lang/unit"},
	"providers/guard":    {"lang/unit", "providers", "providers/host"},
	"providers/host":     {},
	"providers/profiles": {"lang/schema"},
	"providers/measure":  {"lang/addr", "lang/unit"},
	"providers/plugin":   {"lang/schema", "providers", "providers/host", "providers/measure", "providers/plugin/pb"},
	"engine/graph":       {},
	"engine/stats":       {},
	"engine/chart":       {},
	"engine/compare":     {"lang/", "engine/stats", "engine/plan", "engine/judge", "providers/measure"},
	"engine/export":      {"lang/addr", "lang/schema", "providers/measure", "engine/plan", "engine/judge"},
	"engine/record":      {"lang/", "providers/measure"},
	"engine/run":         {"lang/", "providers", "providers/host", "providers/measure", "engine/plan", "engine/record", "engine/derive", "engine/imported", "engine/standing"},
	"engine/sign":        {"providers/host"},
	"engine/validity":    {"lang/schema", "lang/unit", "providers/measure"},
	"engine/standing":    {"engine/plan"},
	"engine/series":      {"lang/addr", "providers/measure", "engine/derive"},

	"providers/storage/umltest":   {},
	"providers/storage/powerflex": {},
}

// layers in the order in which data flow: a package imports its own layer and those before it.
var layers = []string{"lang", "providers", "engine", "cmd"}

// only says who alone may import a foreign package; the prefix counts.
var only = map[string][]string{
	"gonum.org/v1/plot":                {"engine/chart"},
	"github.com/HdrHistogram":          {"providers/command"},
	"github.com/parquet-go/parquet-go": {"engine/series", "engine/export"},
	"os/exec":                          {"providers/host", "providers/plugin", "providers/storage/umltest"},
}

// pure packages know no clock, no context, no logger and no file system.
var pure = map[string]bool{
	"lang/unit": true, "lang/addr": true, "lang/schema": true, "lang/spec": true,
	"engine/stats": true, "engine/compare": true, "engine/kpi": true, "engine/graph": true, "engine/validity": true,
}

// providersShared are packages under providers that providers may import; of others each stands alone.
var providersShared = map[string]bool{"providers": true, "providers/host": true, "providers/guard": true, "providers/measure": true, "providers/plugin": true, "providers/plugin/pb": true}

func layer(pkg string) int {
	top, _, _ := strings.Cut(pkg, "/")
	for i, l := range layers {
		if l == top {
			return i
		}
	}
	return -1
}

// TestImports holds the rule that data flow one way.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || strings.HasPrefix(name, ".") && name != ".." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if layer(pkg) < 0 {
			t.Errorf("%s: Go code outside of %s", rel, strings.Join(layers, ", "))
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, im := range f.Imports {
			imported, err := strconv.Unquote(im.Path.Value)
			if err != nil {
				return err
			}
			if why := forbidden(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", rel, imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files were looked at: the test does not see the code", files)
	}
}

func forbidden(pkg, imported string) string {
	for prefix, who := range only {
		if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && !in(pkg, who) {
			return "only " + strings.Join(who, " and ") + " may"
		}
	}
	if pure[pkg] {
		switch imported {
		case "context", "os", "time", "net", "log", "math/rand", "github.com/hashicorp/go-hclog":
			return "the package is pure"
		}
	}
	own, ours := strings.CutPrefix(imported, module)
	if !ours {
		return ""
	}
	if layer(own) > layer(pkg) {
		return "data flow lang <- providers <- engine <- cmd"
	}
	if strings.HasPrefix(pkg, "providers/") && strings.HasPrefix(own, "providers/") && !providersShared[own] && !strings.HasPrefix(own, pkg+"/") &&
		pkg != "providers/all" && pkg != "providers/providertest" && !strings.HasPrefix(pkg, "providers/plugin/example/") {
		return "providers stand alone; what two share is a package of its own"
	}
	if list, ok := allowed[pkg]; ok && !in(own, list) {
		return "this package may import only " + strings.Join(list, ", ") + " of this module"
	}
	return ""
}

func in(pkg string, list []string) bool {
	for _, l := range list {
		if pkg == l || strings.HasSuffix(l, "/") && strings.HasPrefix(pkg, l) {
			return true
		}
	}
	return false
}
