package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/reference"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/all"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/profiles"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

func builtin(t *testing.T) *providers.Set {
	t.Helper()
	set, err := providers.NewSet(context.Background(), t.TempDir(), all.Builtin(host.Dial)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// TestLanguage: docs/language.md is what the blocks and the schemas say.
func TestLanguage(t *testing.T) {
	limits, err := profiles.All()
	if err != nil {
		t.Fatal(err)
	}
	got, err := reference.Markdown(reference.Blocks(), builtin(t).Schemas(), limits)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "docs", "language.md")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("docs/language.md is stale; write it anew with -update: %s", d)
	}
}

// TestLanguageExamples plans every example of the language.
func TestLanguageExamples(t *testing.T) {
	n := 0
	var visit func(list []reference.Block)
	visit = func(list []reference.Block) {
		for _, b := range list {
			visit(b.Blocks)
			if b.Example == "" {
				continue
			}
			n++
			src, _, err := reference.Example(b.Example)
			if err != nil {
				t.Error(err)
				continue
			}
			built, diags, err := plan.Build(context.Background(), builtin(t), plan.Request{
				Sources: diag.Sources{b.Example + ".assay.hcl": []byte(src)}, Path: "spec", Offline: true,
				Glob:     func(pattern string) ([]string, error) { return []string{strings.ReplaceAll(pattern, "*", "1")}, nil },
				ReadFile: func(string) ([]byte, error) { return []byte("rows,load_time\n1000,10min\n"), nil },
			})
			if err != nil || len(diags) > 0 || built == nil {
				t.Errorf("%s: %v %v", b.Example, err, diags)
			}
		}
	}
	visit(reference.Blocks())
	if n < 15 {
		t.Errorf("only %d examples", n)
	}
}
