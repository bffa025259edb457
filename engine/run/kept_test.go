package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/engine/standing"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/all"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

const keeping = `
setup "fake_thing" "array" {
  keep = true
}
dataset "fake_data" "w" {
  thing = setup.fake_thing.array.id
  rows  = 10
}
dataset "fake_data" "index" {
  thing = dataset.fake_data.w.id
}
test "fake" "t" {
  thing = dataset.fake_data.index.id
  count = 1
}
`

// again carries a spec out in a directory in which others were carried out before. before is called between plan and run.
func again(t *testing.T, dir, spec string, before func()) *bench {
	t.Helper()
	b := &bench{t: t, dir: dir}
	ctx := context.Background()
	var err error
	if b.set, err = providers.NewSet(ctx, dir, all.Builtin(host.Dial)...); err != nil {
		t.Fatal(err)
	}
	registry := &standing.Registry{Dir: filepath.Join(dir, "standing")}
	kept, err := registry.List()
	if err != nil {
		t.Fatal(err)
	}
	src := map[string][]byte{"main.assay.hcl": []byte(spec)}
	built, diags, err := plan.Build(ctx, b.set, plan.Request{Sources: src, Path: ".", Kept: kept})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	b.plan = built.Plan
	raw, err := plan.Encode(b.plan)
	if err != nil {
		t.Fatal(err)
	}
	if b.rec, err = record.Create(filepath.Join(dir, "runs"), time.Now(), raw, src); err != nil {
		t.Fatal(err)
	}
	if before != nil {
		before()
	}
	b.err = run.Run(ctx, run.Options{
		Plan: b.plan, Configs: built.Configs, Set: b.set, Record: b.rec, Dial: host.Dial, Kept: registry,
	})
	if b.events, err = b.rec.Events(); err != nil {
		t.Fatal(err)
	}
	b.invariants()
	return b
}

// remove takes files of the directory away.
func (b *bench) remove(pattern string) {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, pattern))
	if err != nil || len(files) == 0 {
		b.t.Fatal(pattern, files, err)
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) actions() string {
	var out []string
	for _, s := range b.plan.Steps {
		out = append(out, string(s.Action))
	}
	return strings.Join(out, " ")
}

// TestReuse: what a run has kept the next one uses, and looks at once more before it does.
func TestReuse(t *testing.T) {
	dir := t.TempDir()
	b := again(t, dir, keeping, nil)
	if got := b.actions(); b.err != nil || got != "create load load run" {
		t.Fatal(got, b.err)
	}
	ok := map[string]measure.Outcome{"dataset.fake_data.w#1": measure.OK, "dataset.fake_data.index#1": measure.OK, "test.fake.t#1": measure.OK}
	b = again(t, dir, keeping, nil)
	if got := b.actions(); b.err != nil || got != "reuse reuse reuse run" {
		t.Fatal(got, b.err)
	}
	want(t, b.outcomes(), ok)

	// The upper data are gone since the plan was made: what needs them is blocked, the rest goes on.
	b = again(t, dir, keeping, func() { b.remove(".assay/fake/index-*.json") })
	want(t, b.outcomes(), map[string]measure.Outcome{
		"dataset.fake_data.w#1": measure.OK, "dataset.fake_data.index#1": measure.Blocked, "test.fake.t#1": measure.Blocked,
	})
	if !b.has(record.SampleDone, "dataset.fake_data.index cannot be used again: it stood when the plan was made and is absent now; plan again") {
		t.Error("the journal does not say why")
	}
	b = again(t, dir, keeping, nil)
	if got := b.actions(); got != "reuse reuse load run" {
		t.Error(got)
	}
	want(t, b.outcomes(), ok)

	// So is what is known of the load.
	b = again(t, dir, keeping, func() { b.remove("standing/fake_data-*.json") })
	want(t, b.outcomes(), map[string]measure.Outcome{
		"dataset.fake_data.w#1": measure.Blocked, "dataset.fake_data.index#1": measure.Blocked, "test.fake.t#1": measure.Blocked,
	})
}

// TestNoted: what stands is noted as long as it is whole, and no longer.
func TestNoted(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want int
	}{
		"kept, with what stands on it":   {keeping, 3},
		"nothing is kept":                {strings.Replace(keeping, "keep = true", "", 1), 0},
		"data that are not to be kept":   {strings.Replace(keeping, "rows  = 10", "keep = false", 1), 1},
		"a load that fails":              {strings.Replace(keeping, "rows  = 10", `fail = "load"`, 1), 1},
		"a removal that fails":           {strings.Replace(keeping, "rows  = 10", "keep = false\nfail = \"destroy\"", 1), 1},
		"what is in the way goes":        {strings.Replace(keeping, `test "fake" "t" {`, "matrix {\naxis \"n\" {\nvalues = [1, 2]\n}\n}\ndataset \"fake_data\" \"x\" {\nrows = matrix.n\nclaims = [\"db\"]\n}\ntest \"fake\" \"t\" {\ndepends_on = [dataset.fake_data.x]", 1), 4},
		"all rounds but the last are no": {keeping + "spec {\nrounds = 2\n}\n", 3},
	} {
		dir := t.TempDir()
		b := again(t, dir, c.spec, nil)
		registry := &standing.Registry{Dir: filepath.Join(dir, "standing")}
		kept, err := registry.List()
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) != c.want {
			t.Errorf("%s: %d things are noted, want %d: %v", name, len(kept), c.want, kept)
		}
		for _, k := range kept {
			if k.Run != b.rec.ID || k.Thing.Kind == "dataset" && (k.Sample == nil || k.Sample.Address != k.Thing.Addresses[0]) || k.Thing.Kind == "setup" && k.Sample != nil {
				t.Errorf("%s: the entry is %+v", name, k)
			}
		}
	}
}

// TestChanged: data that a test changes are not what was loaded any more.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	spec := `
dataset "fake_data" "w" {
}
dataset "fake_data" "v" {
  rows = 1
}
test "fake_update" "t" {
  thing = dataset.fake_data.w.id
  count = 1
}
test "fake" "t" {
  thing = dataset.fake_data.v.id
  count = 1
}
`
	if b := again(t, dir, spec, nil); b.err != nil {
		t.Fatal(b.err)
	}
	for range 2 {
		b := again(t, dir, spec, nil)
		if got := b.actions(); b.err != nil || got != "load run reuse run" {
			t.Error(got, b.err)
		}
	}
}
