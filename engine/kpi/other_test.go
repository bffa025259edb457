package kpi

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
)

var (
	six   = []float64{500e6, 510e6, 520e6, 530e6, 540e6, 550e6} // median 525 MB/s
	lower = []float64{400e6, 410e6, 420e6, 430e6, 440e6, 450e6}
	equal = []float64{505e6, 515e6, 524e6, 526e6, 535e6, 545e6}
)

func other(block, measure string) *plan.Other {
	return &plan.Other{Of: block, Block: block, Measure: measure}
}

// A KPI that is held against another figure, of which something may be amiss too.
func TestHeldAgainstMeasure(t *testing.T) {
	base := other("test.fio.base", "bandwidth")
	for _, c := range []struct {
		name   string
		kpi    plan.KPI
		own    compare.Figure
		base   compare.Figure
		want   Verdict
		reason string
		limit  string
	}{
		{"above", plan.KPI{MinOf: base}, cell(six, nil), cell(lower, nil), Pass, "525 MB/s, n=6, 95 % interval 500–550 MB/s meets ≥ 425 MB/s (test.fio.base.bandwidth)", "≥ 425 MB/s (test.fio.base.bandwidth)"},
		{"equal to it", plan.KPI{MinOf: base}, cell(six, nil), cell(six, nil), Pass, "meets", ""},
		{"below", plan.KPI{MinOf: base}, cell(lower, nil), cell(six, nil), Fail, "misses ≥ 525 MB/s", ""},
		{"at most", plan.KPI{MaxOf: base}, cell(lower, nil), cell(six, nil), Pass, "meets ≤ 525 MB/s", ""},
		{"more than at most", plan.KPI{MaxOf: base}, cell(six, nil), cell(lower, nil), Fail, "misses ≤ 425 MB/s", ""},
		{"both ends", plan.KPI{MinOf: base, Max: at(526e6)}, cell(six, nil), cell(lower, nil), Pass, "between 425 MB/s (test.fio.base.bandwidth) and 526 MB/s", ""},
		{"both ends, the fixed one missed", plan.KPI{MinOf: base, Max: at(524e6)}, cell(six, nil), cell(lower, nil), Fail, "", ""},
		{"worst", plan.KPI{MinOf: base, Statistic: "worst"}, cell(six, nil), cell(equal, nil), Fail, "500 MB/s (worst)", ""},

		{"the other failed once", plan.KPI{MinOf: base}, cell(six, nil), cell(lower[:5], missing{"failed": 1}), Inconclusive, "there is nothing to hold it against: test.fio.base.bandwidth has a figure of only 5 of 6 repetitions (1 of 6 repetitions failed)", "≥ test.fio.base.bandwidth"},
		{"the other did not finish", plan.KPI{MinOf: base}, cell(six, nil), cell(nil, missing{"did_not_finish": 6}), Inconclusive, "has no figure (6 of 6 repetitions did not finish)", ""},
		{"the other is not in the plan", plan.KPI{MaxOf: base}, cell(six, nil), compare.Figure{}, Inconclusive, "has no figure", ""},
		{"the other was skipped", plan.KPI{MinOf: base}, cell(six, nil), cell(nil, missing{"skipped": 6}), Skipped, "was skipped", ""},
		{"the other cannot be", plan.KPI{MinOf: base}, cell(six, nil), cell(lower[:5], missing{"invalid": 1}), Invalid, "cannot be a measurement", ""},
		{"its own did not finish", plan.KPI{MinOf: base}, cell(six[:5], missing{"did_not_finish": 1}), cell(nil, missing{"skipped": 6}), Fail, "did not finish", ""},
		{"its own failed", plan.KPI{MinOf: base}, cell(nil, missing{"failed": 6}), cell(lower, nil), Inconclusive, "there is no bandwidth", ""},

		{"surely above", plan.KPI{MinOf: base, Confidence: is(0.95)}, cell(six, nil), cell(lower, nil), Pass, "the difference from 425 MB/s (test.fio.base.bandwidth), 95 % interval 7", ""},
		{"surely below", plan.KPI{MinOf: base, Confidence: is(0.95)}, cell(lower, nil), cell(six, nil), Fail, "breaks the limit", ""},
		{"nobody knows", plan.KPI{MinOf: base, Confidence: is(0.95)}, cell(six, nil), cell(equal, nil), Inconclusive, "spans the limit", ""},
		{"surely at most", plan.KPI{MaxOf: base, Confidence: is(0.95)}, cell(lower, nil), cell(six, nil), Pass, "keeps to the limit", ""},
		{"surely more than at most", plan.KPI{MaxOf: base, Confidence: is(0.95)}, cell(six, nil), cell(lower, nil), Fail, "breaks", ""},
		{"three of the other", plan.KPI{MinOf: base, Confidence: is(0.95)}, cell(six, nil), cell(lower[:3], nil), Inconclusive, "too few for 95 % confidence, n=6 against 3; repeat at least 4 times a side", ""},
		{"surely between", plan.KPI{MinOf: base, Max: at(551e6), Confidence: is(0.95)}, cell(six, nil), cell(lower, nil), Pass, "keeps to the limit; the interval lies wholly within", ""},
		{"surely above and surely too much", plan.KPI{MinOf: base, Max: at(499e6), Confidence: is(0.95)}, cell(six, nil), cell(lower, nil), Fail, "keeps to the limit; the interval lies wholly outside", ""},
		{"perhaps too much", plan.KPI{MinOf: base, Max: at(520e6), Confidence: is(0.95)}, cell(six, nil), cell(lower, nil), Inconclusive, "spans", ""},
		{"too few for a number beside it", plan.KPI{MinOf: base, Max: at(999e6), Confidence: is(0.95)}, cell(six[:5], nil), cell(lower, nil), Inconclusive, "only from 6 repetitions on", ""},
		{"confidence 0", plan.KPI{MinOf: base, Confidence: is(0)}, cell(six, nil), cell(equal, nil), Pass, "confidence = 0: judged by the bare figure", ""},
	} {
		c.kpi.Measure, c.kpi.Of, c.kpi.Address = bandwidth, "test.fio.seq", "kpi.k"
		got := Judge([]plan.KPI{c.kpi}, Input{Figure: func(of, _ string) compare.Figure {
			if of == base.Of {
				return c.base
			}
			return c.own
		}})[0]
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) || got.Reason == "" || c.limit != "" && got.Limit != c.limit {
			t.Errorf("%s: %s: %s (limit %s)\nwant %s: %s", c.name, got.Verdict, got.Reason, got.Limit, c.want, c.reason)
		}
	}
}

// A comparison that is held against another one: the gain of one array must not be below that of the other.
func TestHeldAgainstComparison(t *testing.T) {
	values := arms(6)
	values["small"] = nil
	for _, v := range values["base"] {
		values["small"] = append(values["small"], v*1.1)
	}
	for _, c := range []struct {
		name, arm, other string
		lost             missing // of the other's arm
		confidence       *float64
		want             Verdict
		reason           string
	}{
		{"a larger gain", "arm", "small", nil, nil, Pass, "the interval lies wholly within ≥ +10 % (compare.other.change)"},
		{"a smaller gain", "small", "arm", nil, nil, Fail, "lies wholly outside ≥ +20 % (compare.other.change)"},
		{"the same gain", "arm", "arm", nil, nil, Inconclusive, "spans"},
		{"the same gain, by the bare figure", "arm", "arm", nil, is(0), Pass, "+20 %"},
		{"the other failed", "arm", "small", missing{"failed": 1}, nil, Inconclusive, "compare.other.change has an arm that has a figure of only 6 of 7 repetitions"},
		{"the other was skipped", "arm", "none", missing{"skipped": 6}, nil, Skipped, "has an arm that was skipped"},
	} {
		figure := func(test, _ string) compare.Figure {
			if test == c.other && c.other != c.arm {
				return cell(values[test], c.lost)
			}
			return cell(values[test], nil)
		}
		built := compare.Build([]plan.Comparison{
			{Address: "compare.own", Measure: bandwidth, Test: c.arm, BaselineTest: "base"},
			{Address: "compare.other", Measure: bandwidth, Test: c.other, BaselineTest: "base"},
		}, figure, compare.Options{})
		k := plan.KPI{Of: "compare.own", Comparison: true, Measure: measured("change"), MinOf: other("compare.other", "change"), Confidence: c.confidence}
		got := Judge([]plan.KPI{k}, Input{Figure: figure, Comparisons: built})[0]
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
	}
	gone := Judge([]plan.KPI{{Of: "compare.own", Comparison: true, Measure: measured("change"), MinOf: other("compare.gone", "change")}}, Input{
		Figure: func(test, _ string) compare.Figure { return cell(values[test], nil) },
		Comparisons: compare.Build([]plan.Comparison{{Address: "compare.own", Measure: bandwidth, Test: "arm", BaselineTest: "base"}},
			func(test, _ string) compare.Figure { return cell(values[test], nil) }, compare.Options{}),
	})[0]
	if gone.Verdict != Inconclusive || !strings.Contains(gone.Reason, "compare.gone.change has no figure there") {
		t.Errorf("one that the plan has not: %s: %s", gone.Verdict, gone.Reason)
	}
}

// In a family of gated KPIs one that has nothing to be held against still counts, and is tested last; a skipped one does not count.
func TestHeldInFamily(t *testing.T) {
	for _, c := range []struct {
		lost missing
		want Verdict
	}{{missing{"failed": 6}, Inconclusive}, {missing{"skipped": 6}, Pass}} {
		figure := func(test, _ string) compare.Figure {
			if test == "gone" {
				return cell(nil, c.lost)
			}
			return cell(arms(4)[test], nil)
		}
		kpis := []plan.KPI{
			{Of: "compare.a", Comparison: true, Measure: measured("change"), MinOf: other("compare.gone", "change")},
			{Of: "compare.b", Comparison: true, Measure: measured("change"), Min: at(0.15)},
		}
		var planned []plan.Comparison
		for _, a := range []string{"a", "b"} {
			planned = append(planned, plan.Comparison{Address: "compare." + a, Measure: bandwidth, Test: "arm", BaselineTest: "base"})
		}
		planned = append(planned, plan.Comparison{Address: "compare.gone", Measure: bandwidth, Test: "gone", BaselineTest: "base"})
		got := Judge(kpis, Input{Figure: figure, Comparisons: compare.Build(planned, figure, compare.Options{})})
		if got[1].Verdict != c.want {
			t.Errorf("beside one of which the other %v: %s: %s, want %s", c.lost, got[1].Verdict, got[1].Reason, c.want)
		}
	}
	figure := func(test, _ string) compare.Figure { return cell(arms(5)[test], nil) }
	k := plan.KPI{Of: "compare.a", Comparison: true, Measure: measured("change"), MinOf: other("compare.gone", "change")}
	built := compare.Build([]plan.Comparison{{Address: "compare.a", Measure: bandwidth, Test: "arm", BaselineTest: "base"}}, figure, compare.Options{})
	arm := newArm(k, &built[0], Input{Figure: figure})
	if p := decisiveAt(arm, limitsOf(k)); p != 1 {
		t.Errorf("without a limit it would be decided at %v", p)
	}
}
