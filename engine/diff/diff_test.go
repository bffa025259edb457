package diff

import (
	"testing"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/google/go-cmp/cmp"
)

func figure(address, block, measure string, dim unit.Dim, better schema.Better, values ...float64) judge.Figure {
	return judge.Figure{
		Address: address, Block: block, Measure: schema.Measure{Name: measure, Dim: dim, Better: better},
		Summary: stats.Summarize(values, 0.95), Planned: len(values),
	}
}

func side(run string, figures ...judge.Figure) Side {
	return Side{Run: run, Plan: &plan.Plan{Judgement: plan.Judgement{
		KPIs: []plan.KPI{{Address: "kpi.k", Of: "test.fake.a[x=1]", Measure: schema.Measure{Name: "count"}}},
	}}, Results: &judge.Results{Figures: figures}}
}

// TestRuns is about what is compared with what.
func TestRuns(t *testing.T) {
	a := func(values ...float64) judge.Figure {
		return figure("test.fake.a[x=1]", "test.fake.a", "count", unit.One, schema.Higher, values...)
	}
	old := side("r1", a(10, 10, 11, 11, 12, 12), figure("test.fake.a[x=1]", "test.fake.a", "latency", unit.Seconds, schema.Lower, 1, 1),
		figure("test.fake.gone", "test.fake.gone", "count", unit.One, schema.Higher, 1))
	now := side("r2", a(5, 5, 6, 6, 7, 7), figure("test.fake.a[x=1]", "test.fake.a", "latency", unit.Seconds, schema.Lower, 2, 2),
		figure("test.fake.come", "test.fake.come", "count", unit.One, schema.Higher, 1))
	d := Runs(old, now, Options{})
	if len(d.Figures) != 1 || d.Figures[0].Change >= 0 || d.Medians[0] != (Medians{Old: 11, New: 6}) {
		t.Errorf("figures %+v, medians %+v", d.Figures, d.Medians)
	}
	if diff := cmp.Diff([]string{"test.fake.gone"}, d.OnlyOld) + cmp.Diff([]string{"test.fake.come"}, d.OnlyNew); diff != "" {
		t.Error(diff)
	}
	if !d.Worse() || Runs(now, old, Options{}).Worse() {
		t.Error("less of what is better higher is worse, and only that")
	}
	if all := Runs(old, now, Options{All: true}); len(all.Figures) != 2 {
		t.Errorf("of all measures %d are compared", len(all.Figures))
	}
	// A figure whose unit has become another is not compared.
	other := side("r3", figure("test.fake.a[x=1]", "test.fake.a", "count", unit.Bytes, schema.Higher, 1))
	if d := Runs(old, other, Options{}); len(d.Figures) != 0 {
		t.Errorf("bytes against a number: %+v", d.Figures)
	}
}

func TestVerdictsAndFacts(t *testing.T) {
	old, now := side("r1"), side("r2")
	old.Results.KPIs = []judge.KPI{{Address: "kpi.a", Verdict: judge.Pass}, {Address: "kpi.b", Verdict: judge.Fail}, {Address: "kpi.gone", Verdict: judge.Pass}}
	now.Results.KPIs = []judge.KPI{{Address: "kpi.a", Verdict: judge.Inconclusive, Reason: "why"}, {Address: "kpi.b", Verdict: judge.Fail}, {Address: "kpi.new", Verdict: judge.Pass}}
	old.Facts = map[string]map[string]string{"h": {"kernel": "1", "same": "x", "volatile.load1": "1"}}
	now.Facts = map[string]map[string]string{"h": {"kernel": "2", "same": "x", "volatile.load1": "2", "fio": "3"}}
	d := Runs(old, now, Options{})
	want := []Verdict{{"kpi.a", judge.Pass, judge.Inconclusive, "why"}, {"kpi.new", "", judge.Pass, ""}, {"kpi.gone", judge.Pass, "", ""}}
	if diff := cmp.Diff(want, d.Verdicts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Fact{{"h", "fio", "", "3"}, {"h", "kernel", "1", "2"}}, d.Facts); diff != "" {
		t.Error(diff)
	}
	if !d.Worse() {
		t.Error("a KPI that passed no longer does")
	}
}
