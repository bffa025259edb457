package plan_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

var update = flag.Bool("update", false, "write the golden files")

// fakes is the fake provider alone, whose world nothing here touches.
func fakes(t testing.TB) *providers.Set {
	t.Helper()
	set, err := providers.NewSet(context.Background(), t.TempDir(), fake.New())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// build plans a spec that must have no errors.
func build(t testing.TB, spec string, targets ...string) *plan.Plan {
	t.Helper()
	p, diags := tryBuild(t, spec, targets...)
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

func tryBuild(t testing.TB, spec string, targets ...string) (*plan.Plan, hcl.Diagnostics) {
	t.Helper()
	picked, err := plan.ParseTargets(targets)
	if err != nil {
		t.Fatal(err)
	}
	built, diags, err := plan.Build(context.Background(), fakes(t), plan.Request{
		Sources: diag.Sources{"spec.assay.hcl": []byte(spec)}, Path: "spec", Targets: picked,
		ReadFile: func(name string) ([]byte, error) { // what comparisons of the tests quote
			return []byte("drive,rw,change\nsas,read,+19.6%\nsas,write,+" + strings.TrimSuffix(name, ".csv") + "%\n"), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if built == nil {
		return nil, diags
	}
	return built.Plan, diags
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// TestGolden shows whole schedules, as a person reads them.
func TestGolden(t *testing.T) {
	specs, err := filepath.Glob("testdata/golden/*/spec.assay.hcl")
	if err != nil || len(specs) == 0 {
		t.Fatal("no specs", err)
	}
	for _, path := range specs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := build(t, string(raw))
			var text, md bytes.Buffer
			if err := plan.Text(&text, p, nil, false); err != nil {
				t.Fatal(err)
			}
			if err := plan.Markdown(&md, p); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(dir, "plan.txt"), text.Bytes())
			golden(t, filepath.Join(dir, "plan.md"), md.Bytes())
			if err := replay(p); err != nil {
				t.Error(err)
			}
		})
	}
}
