package plan_test

import (
	"context"
	"fmt"
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
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/host"
	"github.com/hashicorp/hcl/v2"
)

// version is the fake provider with another generator of data.
type version struct {
	providers.Provider
	generator string
}

func (v version) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	res, err := v.Provider.Plan(ctx, req)
	if err == nil && req.Kind == "dataset" {
		res.Fingerprint = v.generator
	}
	return res, err
}

// lab is a working directory in which runs leave things standing.
type lab struct {
	t         *testing.T
	dir       string
	generator string
}

func (l *lab) build(spec string, req plan.Request) (*plan.Built, hcl.Diagnostics, *providers.Set) {
	l.t.Helper()
	set, err := providers.NewSet(context.Background(), l.dir, version{fake.New(), l.generator})
	if err != nil {
		l.t.Fatal(err)
	}
	if req.Kept, err = l.registry().List(); err != nil {
		l.t.Fatal(err)
	}
	req.Sources, req.Path = map[string][]byte{"main.assay.hcl": []byte(spec)}, "."
	built, diags, err := plan.Build(context.Background(), set, req)
	if err != nil {
		l.t.Fatal(err)
	}
	return built, diags, set
}

func (l *lab) registry() *standing.Registry {
	return &standing.Registry{Dir: filepath.Join(l.dir, "standing")}
}

func (l *lab) run(spec string) {
	l.t.Helper()
	built, diags, set := l.build(spec, plan.Request{})
	if built == nil {
		l.t.Fatal(diags)
	}
	raw, err := plan.Encode(built.Plan)
	if err != nil {
		l.t.Fatal(err)
	}
	rec, err := record.Create(filepath.Join(l.dir, "runs"), time.Now(), raw, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	err = run.Run(context.Background(), run.Options{
		Plan: built.Plan, Configs: built.Configs, Set: set, Record: rec, Dial: host.Dial, Kept: l.registry(),
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// story is what a plan does, or what is wrong.
func (l *lab) story(spec string, req plan.Request) string {
	l.t.Helper()
	built, diags, _ := l.build(spec, req)
	var out []string
	for _, d := range diags {
		out = append(out, d.Summary)
	}
	if built == nil {
		return strings.Join(out, ", ")
	}
	for _, s := range built.Plan.Steps {
		if s.Action != plan.RunTest {
			out = append(out, fmt.Sprintf("%s %s", s.Action, s.Address[strings.LastIndex(s.Address, ".")+1:]))
		}
	}
	return strings.Join(out, ", ")
}

const onArray = `
setup "fake_thing" "array" {
  keep   = true
  claims = ["disk"]
}
dataset "fake_data" "w" {
  thing = setup.fake_thing.array.id
  %s
}
test "fake" "t" {
  thing = dataset.fake_data.w.id
  count = 1
}
`

// TestStart is about what the walk begins with after a run of onArray.
func TestStart(t *testing.T) {
	array := fmt.Sprintf(onArray, "rows = 10\nclaims = [\"database\"]")
	rival := strings.NewReplacer(`"array"`, `"other"`, ".array", ".other").Replace
	for _, c := range []struct {
		name, spec string
		before     func(*lab)
		req        plan.Request
		want       string
	}{
		{name: "the same", spec: array, want: "reuse array, reuse w"},
		{name: "offline", spec: array, req: plan.Request{Offline: true}, want: "create array, load w"},
		{name: "another name is another thing", spec: strings.NewReplacer(`"w"`, `"v"`, ".w.", ".v.").Replace(array), want: "Data in the way"},
		{name: "other data, in nobody's way", spec: fmt.Sprintf(onArray, "rows = 11"), want: "reuse array, load w"},
		{name: "other data of the same name", spec: strings.Replace(array, "10", "11", 1), want: "Data in the way"},
		{name: "another generator", spec: array, before: func(l *lab) { l.generator = "2" }, want: "Data in the way"},
		{name: "data that are to be fresh", spec: strings.Replace(array, "rows", "fresh = true\nrows", 1), want: "reuse array, load w"},
		{name: "a setup that is to be fresh", spec: strings.Replace(array, "keep", "fresh = true\nkeep", 1), want: "create array, load w"},
		{name: "data that a test has changed", spec: array, before: func(l *lab) { l.change() }, want: "Not used again, reuse array, load w"},
		{name: "data that are never used again", spec: strings.Replace(array, "rows", "keep = false\nrows", 1), want: "reuse array, load w, destroy w"},
		{name: "a setup in the way, with the data on it", spec: rival(array), want: "Data in the way"},
		{name: "a setup in the way, without its data", spec: rival(fmt.Sprintf(onArray, "")), before: func(l *lab) { l.remove("w-*") }, want: "destroy array, create other, load w"},
		{name: "a test in whose way it is", spec: "test \"fake\" \"t\" {\n  count = 1\n  claims = [\"disk\"]\n}\n", before: func(l *lab) { l.remove("w-*") }, want: "destroy array"},
		{name: "an unrelated spec", spec: "test \"fake\" \"t\" {\n  count = 1\n  claims = [\"network\"]\n}\n", want: ""},
		{name: "the setup is gone", spec: array, before: func(l *lab) { l.remove("array-*") }, want: "Not used again, Not used again, create array, load w"},
		{name: "somebody else's file", spec: array, before: func(l *lab) { l.spoil("array-*") }, want: "Not ours any more, Not used again"},
		{name: "rounds begin with it, and make it anew", spec: array + "spec {\n  rounds = 2\n}\n", want: "reuse array, reuse w, destroy w, destroy array, create array, load w"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &lab{t: t, dir: t.TempDir(), generator: "1"}
			l.run(array)
			if c.before != nil {
				c.before(l)
			}
			if got := l.story(c.spec, c.req); got != c.want {
				t.Errorf("the plan: %s\nwant: %s", got, c.want)
			}
		})
	}
}

// TestConsent: data of an earlier run go only where their id was named, and then the plan names them and who has them.
func TestConsent(t *testing.T) {
	l := &lab{t: t, dir: t.TempDir()}
	l.run(fmt.Sprintf(onArray, "rows = 10"))
	rival := strings.NewReplacer(`"array"`, `"other"`, ".array", ".other").Replace(fmt.Sprintf(onArray, "rows = 10"))
	_, diags, _ := l.build(rival, plan.Request{AllowErase: []string{"fake_data-0"}})
	kept, err := l.registry().List()
	if err != nil || len(kept) != 2 || !diags.HasErrors() {
		t.Fatal(kept, err, diags)
	}
	id := kept[0].Thing.ID
	if text := diags.Error(); !strings.Contains(text, "setup.fake_thing.other") || !strings.Contains(text, "--allow-erase "+id) || !strings.Contains(text, kept[0].Run) {
		t.Errorf("the error says %s", text)
	}
	built, diags, _ := l.build(rival, plan.Request{AllowErase: []string{id}})
	if built == nil {
		t.Fatal(diags)
	}
	p := built.Plan
	if got := fmt.Sprint(p.AllowErase); got != "["+id+"]" {
		t.Errorf("the plan may erase %s", got)
	}
	if s := p.Steps[0]; s.Action != plan.Destroy || s.Thing != id || len(s.Loses) != 1 || len(s.Needs) != 0 {
		t.Errorf("the first step is %+v", s)
	}
	for _, m := range p.Measured() {
		if m.Instance.Kind == "dataset" && len(m.Loads) != 1 {
			t.Errorf("%s has loads %v, and what only is in the way has no samples", m.Address, m.Loads)
		}
	}
}

func (l *lab) files(pattern string) []string {
	files, err := filepath.Glob(filepath.Join(l.dir, ".assay", "fake", pattern))
	if err != nil || len(files) == 0 {
		l.t.Fatal(pattern, err)
	}
	return files
}

func (l *lab) remove(pattern string) {
	for _, f := range l.files(pattern) {
		if err := os.Remove(f); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *lab) spoil(pattern string) {
	for _, f := range l.files(pattern) {
		if err := os.WriteFile(f, []byte("{}"), 0o644); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *lab) change() {
	kept, err := l.registry().List()
	for _, k := range kept {
		k.Changed = k.Thing.Kind == "dataset"
		if err == nil {
			err = l.registry().Put(k)
		}
	}
	if err != nil {
		l.t.Fatal(err)
	}
}
