package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/google/go-cmp/cmp"
)

// rebuilding is a provider that says of its things itself that they are fresh.
type rebuilding struct{ providers.Provider }

func (r rebuilding) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	answer, err := r.Provider.Plan(ctx, req)
	if answer != nil {
		answer.Fresh = req.Kind == "setup"
	}
	return answer, err
}

// TestFreshByProvider: what the provider says makes no difference to what the spec says.
func TestFreshByProvider(t *testing.T) {
	const spec = `
setup "fake_thing" "array" {}
test "fake" "t" {
  thing  = setup.fake_thing.array.id
  count  = 1
  repeat = 2
}
dataset "fake_data" "d" {
  thing = setup.fake_thing.array.id
}
test "fake_update" "u" {
  thing = dataset.fake_data.d.id
  count = 1
}
`
	set, err := providers.NewSet(context.Background(), t.TempDir(), rebuilding{fake.New()})
	if err != nil {
		t.Fatal(err)
	}
	built, diags, err := plan.Build(context.Background(), set, plan.Request{Sources: diag.Sources{"a.assay.hcl": []byte(spec)}})
	if err != nil || len(diags) > 0 { // nor are data that are loaded with what they stand on said to grow
		t.Fatal(err, diags)
	}
	said := build(t, strings.Replace(spec, "{}", "{\nfresh = true\n}", 1))
	if d := cmp.Diff(said.Steps, built.Plan.Steps); d != "" {
		t.Error(d)
	}
	if n := len(said.Steps); n != 11 {
		t.Errorf("%d steps", n)
	}
	if err := replay(built.Plan); err != nil {
		t.Error(err)
	}
}

// TestHurried: a timeout that no repetition can keep.
func TestHurried(t *testing.T) {
	for timeout, want := range map[string]string{"49s": "It is 49 s, and the 5 rounds that it takes at least last about 50 s.", "50s": ""} {
		_, diags := tryBuild(t, `
test "fake" "t" {
  count    = 1
  duration = "10s"
  timeout  = "`+timeout+`"
  steady_state {
    measure = "count"
  }
}`)
		got := ""
		for _, d := range diags {
			got += d.Detail
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %s", timeout, diags)
		}
	}
}

// TestGrowing: which tests are said to find what others left.
func TestGrowing(t *testing.T) {
	const data = `
dataset "fake_data" "d" {
  FRESH
}
dataset "fake_data" "over" {
  thing = dataset.fake_data.d.id
}
`
	test := func(thing, reset string) string {
		return "test \"fake_update\" \"u\" {\nthing = " + thing + "\n" + reset + "\ncount = 1\n}\n"
	}
	for name, c := range map[string]struct{ spec, want string }{
		"none":           {data + test("dataset.fake_data.over.id", ""), "dataset.fake_data.d, dataset.fake_data.over"},
		"said":           {data + test("dataset.fake_data.d.id", `reset = "none"`), "dataset.fake_data.d"},
		"test":           {data + test("dataset.fake_data.over.id", `reset = "test"`), ""},
		"fresh under it": {strings.Replace(data, "FRESH", "fresh = true", 1) + test("dataset.fake_data.over.id", ""), ""},
		"no data":        {test(`""`, ""), ""},
		"skipped":        {data + test("dataset.fake_data.d.id", "skip {\nreason = \"x\"\n}"), ""},
	} {
		p, diags := tryBuild(t, strings.Replace(c.spec, "FRESH", "", 1))
		if p == nil {
			t.Fatal(diags)
		}
		got := ""
		for _, d := range diags {
			if d.Summary == "Data that change" {
				got += d.Detail
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, " "+c.want+",") && c.want != "" {
			t.Errorf("%s: it is said %q, want %q", name, got, c.want)
		}
	}
}
