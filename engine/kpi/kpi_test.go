package kpi

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

var bandwidth = schema.Measure{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher}

func at(v float64) *plan.Limit { return &plan.Limit{Value: v} }
func is(v float64) *float64    { return &v }

type missing = map[string]int

// cell is a figure as judging meets it: values, and what is missing beside them.
func cell(values []float64, m missing) compare.Figure {
	f := compare.Figure{Measure: bandwidth, Summary: stats.Summarize(values, 0.95), Planned: len(values), Missing: m}
	for _, n := range m {
		f.Planned += n
	}
	return f
}

func TestFigureVerdicts(t *testing.T) {
	six := []float64{500e6, 510e6, 520e6, 530e6, 540e6, 550e6} // median 525 MB/s, interval 500–550 MB/s
	for _, c := range []struct {
		name    string
		kpi     plan.KPI
		values  []float64
		missing missing
		want    Verdict
		reason  string // a part of it
	}{
		{"above a min", plan.KPI{Min: at(400e6)}, six, nil, Pass, "525 MB/s, n=6, 95 % interval 500–550 MB/s meets ≥ 400 MB/s"},
		{"at a min", plan.KPI{Min: at(525e6)}, six, nil, Pass, "meets"},
		{"just below a min", plan.KPI{Min: at(525e6 + 1)}, six, nil, Fail, "misses ≥ 525 MB/s"},
		{"at a max", plan.KPI{Max: at(525e6)}, six, nil, Pass, "meets ≤ 525 MB/s"},
		{"just above a max", plan.KPI{Max: at(525e6 - 1)}, six, nil, Fail, "misses"},
		{"at the lower end of within", plan.KPI{Min: at(525e6), Max: at(600e6), Within: true}, six, nil, Pass, "between 525 MB/s and 600 MB/s"},
		{"at the upper end of within", plan.KPI{Min: at(500e6), Max: at(525e6), Within: true}, six, nil, Pass, "meets"},
		{"below within", plan.KPI{Min: at(526e6), Max: at(600e6), Within: true}, six, nil, Fail, "misses"},
		{"above within", plan.KPI{Min: at(400e6), Max: at(524e6), Within: true}, six, nil, Fail, "misses"},
		{"as the limit was written", plan.KPI{Min: &plan.Limit{Text: "400 MiB/s", Value: 400 << 20}}, six, nil, Pass, "≥ 400 MiB/s"},
		{"at a min of 0", plan.KPI{Min: at(0)}, []float64{0}, nil, Pass, "0 B/s, one observation meets ≥ 0 B/s"},
		{"at a max of 0", plan.KPI{Max: at(0)}, []float64{0}, nil, Pass, "meets ≤ 0 B/s"},
		{"rounding is no failure", plan.KPI{Max: at(0.3)}, []float64{0.30000000000000004}, nil, Pass, "one observation"},
		{"advisory", plan.KPI{Min: at(600e6), Severity: Advisory}, six, nil, Fail, "misses"},
		{"five have no interval", plan.KPI{Min: at(400e6)}, six[:5], nil, Pass, "520 MB/s, n=5, range 500–540 MB/s, no interval meets"},
		{"no limit", plan.KPI{}, six, nil, Inconclusive, "no limit; give it min, max or within"},

		{"worst against a min", plan.KPI{Min: at(501e6), Statistic: "worst"}, six, nil, Fail, "500 MB/s (worst), n=6, range 500–550 MB/s"},
		{"worst against a max", plan.KPI{Max: at(549e6), Statistic: "worst"}, six, nil, Fail, "550 MB/s (worst)"},
		{"worst of within", plan.KPI{Min: at(400e6), Max: at(549e6), Statistic: "worst"}, six, nil, Fail, "550 MB/s (worst)"},
		{"best against a min", plan.KPI{Min: at(550e6), Statistic: "best"}, six, nil, Pass, "550 MB/s (best)"},
		{"best against a max", plan.KPI{Max: at(499e6), Statistic: "best"}, six, nil, Fail, "500 MB/s (best)"},
		{"each", plan.KPI{Min: at(500e6), Statistic: "each"}, six, nil, Pass, "0 of 6 repetitions miss it"},
		{"each but two", plan.KPI{Min: at(520e6), Statistic: "each"}, six, nil, Fail, "2 of 6 repetitions miss it"},

		{"interval within", plan.KPI{Min: at(500e6), Confidence: is(0.95)}, six, nil, Pass, "the interval lies wholly within ≥ 500 MB/s"},
		{"interval spans", plan.KPI{Min: at(501e6), Confidence: is(0.95)}, six, nil, Inconclusive, "the interval spans ≥ 501 MB/s"},
		{"interval at the limit", plan.KPI{Min: at(550e6), Confidence: is(0.95)}, six, nil, Inconclusive, "spans"},
		{"interval outside", plan.KPI{Min: at(551e6), Confidence: is(0.95)}, six, nil, Fail, "the interval lies wholly outside"},
		{"interval above a max", plan.KPI{Max: at(499e6), Confidence: is(0.95)}, six, nil, Fail, "wholly outside"},
		{"interval wider than within", plan.KPI{Min: at(510e6), Max: at(540e6), Confidence: is(0.95)}, six, nil, Inconclusive, "spans"},
		{"an interval of its own", plan.KPI{Min: at(500e6), Confidence: is(0.5)}, six, nil, Pass, "50 % interval"},
		{"too few for an interval", plan.KPI{Min: at(400e6), Confidence: is(0.95)}, six[:5], nil, Inconclusive, "only from 6 repetitions on"},
		{"no interval of a worst", plan.KPI{Min: at(400e6), Confidence: is(0.95), Statistic: "worst"}, six, nil, Inconclusive, "only a median has an interval"},
		{"confidence 0", plan.KPI{Min: at(525e6), Confidence: is(0)}, six, nil, Pass, "confidence = 0: judged by the bare figure"},
		{"confidence 1", plan.KPI{Min: at(400e6), Confidence: is(1)}, six, nil, Inconclusive, "confidence 1 is not"},
		{"confidence 95", plan.KPI{Min: at(400e6), Confidence: is(95)}, six, nil, Inconclusive, "write 0.95"},
		{"confidence not a number", plan.KPI{Min: at(400e6), Confidence: is(math.NaN())}, six, nil, Inconclusive, "write 0.95"},

		{"absent", plan.KPI{Min: at(0)}, nil, missing{compare.NoValue: 6}, Inconclusive, "there is no bandwidth (6 of 6 repetitions without a value)"},
		{"absent against a max", plan.KPI{Max: at(1e12)}, nil, missing{compare.NoSample: 6}, Inconclusive, "6 of 6 repetitions missing"},
		{"not in the plan", plan.KPI{Max: at(1e12)}, nil, nil, Inconclusive, "there is no bandwidth"},
		{"infinite", plan.KPI{Min: at(0)}, []float64{math.Inf(1)}, nil, Inconclusive, "there is no bandwidth"},
		{"one failed", plan.KPI{Min: at(400e6)}, six[:5], missing{"failed": 1}, Inconclusive, "only 5 of 6 repetitions gave a figure (1 of 6 repetitions failed); the rest, 520 MB/s, n=5, range 500–540 MB/s, no interval, meets ≥ 400 MB/s"},
		{"one failed, the rest miss", plan.KPI{Min: at(600e6)}, six[:5], missing{"failed": 1}, Inconclusive, "misses ≥ 600 MB/s"},
		{"one failed, the worst misses", plan.KPI{Min: at(600e6), Statistic: "each"}, six[:5], missing{"failed": 1}, Inconclusive, "misses"},
		{"one blocked", plan.KPI{Min: at(400e6)}, six[:5], missing{"blocked": 1}, Inconclusive, "blocked"},
		{"one missing", plan.KPI{Min: at(400e6)}, six[:5], missing{compare.NoSample: 1}, Inconclusive, "missing"},
		{"one without a value", plan.KPI{Min: at(400e6)}, six[:5], missing{compare.NoValue: 1}, Inconclusive, "without a value"},
		{"one dropped without a word", plan.KPI{Min: at(400e6)}, append([]float64{math.NaN()}, six...), nil, Inconclusive, "only 6 of 7"},
		{"one invalid", plan.KPI{Min: at(400e6)}, six[:5], missing{"invalid": 1}, Invalid, "1 of 6 repetitions cannot be a measurement"},
		{"invalid outranks inconclusive", plan.KPI{Min: at(400e6)}, six[:4], missing{"invalid": 1, "failed": 1}, Invalid, ""},
		{"one did not finish", plan.KPI{Min: at(400e6)}, six[:5], missing{"did_not_finish": 1}, Fail, "1 of 6 repetitions did not finish in any attempt"},
		{"none finished", plan.KPI{Max: at(1e12)}, nil, missing{"did_not_finish": 6}, Fail, "6 of 6"},
		{"fail outranks invalid", plan.KPI{Min: at(400e6)}, six[:4], missing{"invalid": 1, "did_not_finish": 1}, Fail, ""},
		{"skipped", plan.KPI{Min: at(400e6)}, nil, missing{"skipped": 6}, Skipped, "skipped"},
		{"some skipped", plan.KPI{Min: at(400e6)}, six[:5], missing{"skipped": 1}, Inconclusive, "1 of 6 repetitions skipped"},
	} {
		c.kpi.Measure, c.kpi.Of = bandwidth, "test.fio.seq"
		got := Judge([]plan.KPI{c.kpi}, Input{Figure: func(string, string) compare.Figure { return cell(c.values, c.missing) }})[0]
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) || got.Reason == "" {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
		if got.Value == nil && got.Verdict == Pass || got.Value != nil && (math.IsNaN(*got.Value) || math.IsInf(*got.Value, 0)) {
			t.Errorf("%s: the value %v", c.name, got.Value)
		}
	}
}

// arms gives n values around a change of +20 % and their baseline; the interval of the change is about +19.6 to +20.4 %.
func arms(n int) map[string][]float64 {
	a := map[string][]float64{}
	for i := range n {
		wiggle := 1 + 0.001*(float64(i)-float64(n-1)/2)
		a["arm"], a["base"] = append(a["arm"], 120e6*wiggle), append(a["base"], 100e6*wiggle)
	}
	return a
}

func measured(name string) schema.Measure {
	m := schema.Measure{Name: name}
	if name == "difference" {
		m.Dim = unit.BytesPerSec
	}
	return m
}

// comparisons judges KPIs that are all on comparisons of the same two arms.
func comparisons(kpis []plan.KPI, values map[string][]float64, lost map[string]missing, spec float64) []KPI {
	figure := func(test, _ string) compare.Figure { return cell(values[test], lost[test]) }
	var planned []plan.Comparison
	for i := range kpis {
		kpis[i].Comparison = true
		if kpis[i].Of == "" {
			kpis[i].Of = "compare.drives[drive=" + string(rune('a'+i)) + "]"
		}
		planned = append(planned, plan.Comparison{Address: kpis[i].Of, Measure: bandwidth, Test: "arm", BaselineTest: "base"})
	}
	return Judge(kpis, Input{Confidence: spec, Figure: figure,
		Comparisons: compare.Build(planned, figure, compare.Options{Gated: Gated(kpis, spec)})})
}

func TestComparisonVerdicts(t *testing.T) {
	wide := map[string][]float64{"arm": {100, 110, 120, 130, 140, 150}, "base": {90, 100, 110, 115, 120, 130}}
	for _, c := range []struct {
		name   string
		kpi    plan.KPI
		values map[string][]float64
		lost   map[string]missing
		want   Verdict
		reason string
	}{
		{"a gain", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(6), nil, Pass, "+20 %, n=6 against 6, p = 0.0022, 95 % interval +19."},
		{"no gain", plan.KPI{Measure: measured("change"), Min: at(0.25)}, arms(6), nil, Fail, "the interval lies wholly outside ≥ +25 %"},
		{"at the limit", plan.KPI{Measure: measured("change"), Min: at(0.2)}, arms(6), nil, Inconclusive, "the interval spans ≥ +20 %"},
		{"at most", plan.KPI{Measure: measured("change"), Max: at(0.25)}, arms(6), nil, Pass, "≤ +25 %"},
		{"more than at most", plan.KPI{Measure: measured("change"), Max: at(0.05)}, arms(6), nil, Fail, ""},
		{"within", plan.KPI{Measure: measured("change"), Min: at(0.1), Max: at(0.3)}, arms(6), nil, Pass, "between +10 % and +30 %"},
		{"below within", plan.KPI{Measure: measured("change"), Min: at(0.3), Max: at(0.4)}, arms(6), nil, Fail, ""},
		{"above within", plan.KPI{Measure: measured("change"), Min: at(-0.05), Max: at(0.05)}, arms(6), nil, Fail, "between −5 % and +5 %"},
		{"equal arms pass a max", plan.KPI{Measure: measured("change"), Max: at(0.05)}, map[string][]float64{"arm": arms(6)["base"], "base": arms(6)["base"]}, nil, Pass, "p = 1"},
		{"noise", plan.KPI{Measure: measured("change"), Min: at(0.05)}, wide, nil, Inconclusive, "spans"},
		{"ratio", plan.KPI{Measure: measured("ratio"), Min: at(1.15)}, arms(6), nil, Pass, "1.2, n=6 against 6"},
		{"ratio fails", plan.KPI{Measure: measured("ratio"), Min: at(10)}, arms(6), nil, Fail, "≥ 10"},
		{"difference", plan.KPI{Measure: measured("difference"), Min: at(15e6)}, arms(6), nil, Pass, "20 MB/s"},
		{"difference fails", plan.KPI{Measure: measured("difference"), Min: at(25e6)}, arms(6), nil, Fail, "≥ 25 MB/s"},

		{"four a side", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(4), nil, Pass, "n=4 against 4"},
		{"three a side", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(3), nil, Inconclusive, "too few for 95 % confidence; repeat at least 4 times a side"},
		{"three a side that fail", plan.KPI{Measure: measured("change"), Min: at(0.9)}, arms(3), nil, Inconclusive, "too few"},
		{"three against six", plan.KPI{Measure: measured("change"), Min: at(0.15)}, map[string][]float64{"arm": arms(3)["arm"], "base": arms(6)["base"]}, nil, Inconclusive, "n=3 against 6"},
		{"one a side", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(1), nil, Inconclusive, "too few"},
		{"three a side at 80 %", plan.KPI{Measure: measured("change"), Min: at(0.15), Confidence: is(0.8)}, arms(3), nil, Pass, "80 % interval"},
		{"four a side at 99 %", plan.KPI{Measure: measured("change"), Min: at(0.15), Confidence: is(0.99)}, arms(4), nil, Inconclusive, "repeat at least 5 times"},
		{"confidence 0", plan.KPI{Measure: measured("change"), Min: at(0.2), Confidence: is(0)}, arms(1), nil, Pass, "(confidence = 0: judged by the bare figure)"},
		{"confidence 0 fails", plan.KPI{Measure: measured("change"), Min: at(0.2001), Confidence: is(0)}, arms(6), nil, Fail, "(confidence = 0: judged by the bare figure)"},
		{"confidence 1", plan.KPI{Measure: measured("change"), Min: at(0.15), Confidence: is(1)}, arms(6), nil, Inconclusive, "write 0.95"},
		{"advisory", plan.KPI{Measure: measured("change"), Min: at(0.2), Severity: Advisory}, arms(1), nil, Pass, "advisory: judged by the bare figure"},
		{"advisory fails", plan.KPI{Measure: measured("change"), Min: at(0.21), Severity: Advisory}, arms(6), nil, Fail, "misses ≥ +21 %"},
		{"advisory with confidence", plan.KPI{Measure: measured("change"), Min: at(0.2), Severity: Advisory, Confidence: is(0.95)}, arms(6), nil, Inconclusive, "spans"},
		{"no limit", plan.KPI{Measure: measured("change")}, arms(6), nil, Inconclusive, "give it min, max or within"},

		{"a baseline of zero", plan.KPI{Measure: measured("change"), Min: at(0.15)}, map[string][]float64{"arm": arms(6)["arm"], "base": {0, 0, 0, 0, 0, 0}}, nil, Inconclusive, "the baseline's median is 0 B/s, of which nothing is a multiple"},
		{"a negative baseline", plan.KPI{Measure: measured("ratio"), Max: at(10)}, map[string][]float64{"arm": arms(6)["arm"], "base": {-1, -1, -1, -1, -1, -1}}, nil, Inconclusive, "multiple"},
		{"the difference from zero", plan.KPI{Measure: measured("difference"), Min: at(100e6)}, map[string][]float64{"arm": arms(6)["arm"], "base": {0, 0, 0, 0, 0, 0}}, nil, Pass, "120 MB/s"},
		{"a zero among the baseline", plan.KPI{Measure: measured("change"), Min: at(0.15)}, map[string][]float64{"arm": arms(6)["arm"], "base": append(arms(5)["base"], 0)}, nil, Inconclusive, "not above zero"},

		{"one of the arm failed", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(5), map[string]missing{"arm": {"failed": 1}}, Inconclusive, "only 5 of 6 repetitions (1 of 6 repetitions failed) and 5 of 5 of the baseline gave a figure; the rest, +20 %"},
		{"one of the baseline failed", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(5), map[string]missing{"base": {compare.NoSample: 1}}, Inconclusive, "5 of 6 of the baseline (1 of 6 repetitions missing)"},
		{"the arm did not finish", plan.KPI{Measure: measured("change"), Min: at(0.15)}, map[string][]float64{"base": arms(6)["base"]}, map[string]missing{"arm": {"did_not_finish": 6}}, Inconclusive, "did not finish"},
		{"absent, at confidence 0", plan.KPI{Measure: measured("change"), Max: at(9), Confidence: is(0)}, map[string][]float64{"base": arms(6)["base"]}, map[string]missing{"arm": {compare.NoValue: 6}}, Inconclusive, "without a value"},
		{"an arm invalid", plan.KPI{Measure: measured("change"), Min: at(0.15)}, arms(5), map[string]missing{"arm": {"invalid": 1}, "base": {"failed": 1}}, Invalid, "1 of 6, and of the baseline 0 of 6"},
		{"the baseline skipped", plan.KPI{Measure: measured("change"), Min: at(0.15)}, map[string][]float64{"arm": arms(6)["arm"]}, map[string]missing{"base": {"skipped": 6}}, Skipped, "skipped"},
	} {
		got := comparisons([]plan.KPI{c.kpi}, c.values, c.lost, 0)[0]
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) || got.Reason == "" {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
	}
}

// Several gated KPIs are corrected: what four a side can show for one they cannot for two; an advisory one and one at
// confidence 0 do not count.
func TestHolmOverGated(t *testing.T) {
	change := measured("change")
	gain := plan.KPI{Measure: change, Min: at(0.15)}
	for _, c := range []struct {
		name   string
		kpis   []plan.KPI
		n      int
		want   Verdict // of the first
		reason string
	}{
		{"one, four a side", []plan.KPI{gain}, 4, Pass, "95 % interval"},
		{"two, four a side", []plan.KPI{gain, gain}, 4, Inconclusive, "too few for 97.5 % confidence, corrected for 2 gated KPIs; repeat at least 5 times a side"},
		{"two, five a side", []plan.KPI{gain, gain}, 5, Pass, "97.5 % interval"},
		{"six, five a side", []plan.KPI{gain, gain, gain, gain, gain, gain}, 5, Pass, "99.17 % interval"},
		{"seven, five a side", []plan.KPI{gain, gain, gain, gain, gain, gain, gain}, 5, Inconclusive, "repeat at least 6 times"},
		{"one and an advisory one", []plan.KPI{gain, {Measure: change, Min: at(0.15), Severity: Advisory}}, 4, Pass, "95 % interval"},
		{"one and an advisory one with confidence", []plan.KPI{gain, {Measure: change, Min: at(0.15), Severity: Advisory, Confidence: is(0.95)}}, 4, Pass, "95 % interval"},
		{"one and one at confidence 0", []plan.KPI{gain, {Measure: change, Min: at(0.15), Confidence: is(0)}}, 4, Pass, "95 % interval"},
		{"one and an undecided one", []plan.KPI{gain, {Measure: change, Min: at(0.2)}}, 5, Pass, "97.5 % interval"},
		{"an undecided one and one", []plan.KPI{{Measure: change, Min: at(0.2)}, gain}, 5, Inconclusive, "the interval spans"},
		{"one that the plan has not, and one", []plan.KPI{{Measure: change, Of: "", Min: at(0.15)}, gain}, 5, Pass, ""},
	} {
		got := comparisons(c.kpis, arms(c.n), nil, 0)
		if got[0].Verdict != c.want || !strings.Contains(got[0].Reason, c.reason) {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, got[0].Verdict, got[0].Reason, c.want, c.reason)
		}
	}
	got := comparisons([]plan.KPI{gain}, arms(4), nil, 0.99)[0] // the spec's confidence is the default of its KPIs
	if got.Verdict != Inconclusive || !strings.Contains(got.Reason, "99 %") {
		t.Errorf("under the spec's 0.99: %s: %s", got.Verdict, got.Reason)
	}
	lost := Judge([]plan.KPI{{Comparison: true, Of: "compare.gone", Measure: change, Max: at(1)}}, Input{})[0]
	if lost.Verdict != Inconclusive || !strings.Contains(lost.Reason, "compare.gone") {
		t.Errorf("a comparison that the plan has not: %s: %s", lost.Verdict, lost.Reason)
	}
}

// A family of comparisons of different sizes: what many repetitions show first leaves more room for the few, and a skipped one
// or quoted one takes none.
func TestFamilyOfUnequal(t *testing.T) {
	for _, c := range []struct {
		name   string
		other  compare.Figure // the arm of the second comparison; the first has four a side
		quoted *plan.Quote
		want   Verdict
	}{
		{"six beside four", cell(arms(6)["arm"], nil), nil, Pass},
		{"four beside four", cell(arms(4)["arm"], nil), nil, Inconclusive},
		{"a skipped one beside four", cell(nil, missing{"skipped": 6}), nil, Pass},
		{"a failed one beside four", cell(nil, missing{"failed": 6}), nil, Inconclusive},
		{"a quoted one beside four", cell(arms(4)["arm"], nil), &plan.Quote{Change: is(0.2)}, Pass},
	} {
		figure := func(test, _ string) compare.Figure {
			switch test {
			case "arm":
				return cell(arms(4)["arm"], nil)
			case "base":
				return cell(arms(4)["base"], nil)
			case "other":
				return c.other
			}
			return cell(arms(max(4, c.other.N))["base"], nil)
		}
		planned := []plan.Comparison{{Address: "compare.a", Measure: bandwidth, Test: "arm", BaselineTest: "base"},
			{Address: "compare.b", Measure: bandwidth, Test: "other", BaselineTest: "its base", Quoted: c.quoted}}
		var kpis []plan.KPI
		for _, p := range planned {
			kpis = append(kpis, plan.KPI{Of: p.Address, Comparison: true, Measure: measured("change"), Min: at(0.15)})
		}
		got := Judge(kpis, Input{Figure: figure, Comparisons: compare.Build(planned, figure, compare.Options{Gated: Gated(kpis, 0)})})[0]
		if got.Verdict != c.want {
			t.Errorf("%s: %s: %s, want %s", c.name, got.Verdict, got.Reason, c.want)
		}
	}
}

// A quoted comparison has no n and no interval, whatever was measured at its coordinates: the bare figure is judged, and said to be quoted.
func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		quote   plan.Quote
		measure string
		min     *plan.Limit
		want    Verdict
		reason  string
	}{
		{plan.Quote{Change: is(0.196)}, "change", at(0.15), Pass, "+19.6 %, quoted meets ≥ +15 % (quoted from f.csv line 2: judged by the bare figure)"},
		{plan.Quote{Change: is(0.14)}, "change", at(0.15), Fail, "+14 %, quoted misses"},
		{plan.Quote{Ratio: is(11)}, "ratio", at(10), Pass, "11, quoted meets"},
		{plan.Quote{Ratio: is(1.2)}, "change", at(0.15), Pass, "+20 %, quoted"},
		{plan.Quote{Difference: is(20e6)}, "difference", at(15e6), Pass, "20 MB/s, quoted"},
		{plan.Quote{Difference: is(20e6)}, "change", at(0.15), Inconclusive, "no change is quoted in f.csv line 2"},
		{plan.Quote{Change: is(0.2)}, "difference", at(1), Inconclusive, "no difference is quoted"},
		{plan.Quote{Change: is(0.2)}, "change", nil, Inconclusive, "give it min, max or within"},
	} {
		c.quote.Source = "f.csv line 2"
		planned := []plan.Comparison{{Address: "compare.a", Measure: bandwidth, Test: "arm", BaselineTest: "base", Quoted: &c.quote}}
		figure := func(test, _ string) compare.Figure { return cell(arms(6)[test], nil) }
		kpis := []plan.KPI{{Of: "compare.a", Comparison: true, Measure: measured(c.measure), Min: c.min}}
		got := Judge(kpis, Input{Figure: figure, Comparisons: compare.Build(planned, figure, compare.Options{Gated: Gated(kpis, 0)})})[0]
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %s, want %s: %s", got.Verdict, got.Reason, c.want, c.reason)
		}
	}
}

// Judging each by an interval of its own level decides as Holm's adjusted p-values do, and says what it decides.
func TestVerdictsFollowHolm(t *testing.T) {
	seen := map[Verdict]int{}
	words := map[Verdict]string{Pass: "lies wholly within", Fail: "lies wholly outside", Inconclusive: "the interval spans"}
	for limit := 0.194; limit < 0.206; limit += 0.0005 {
		kpis := []plan.KPI{{Min: at(limit)}, {Max: at(limit)}, {Min: at(0.1)}, {Min: at(limit), Max: at(limit + 0.01)}}
		p := make([]float64, len(kpis))
		for i := range kpis {
			kpis[i].Measure = measured("change")
		}
		verdicts := comparisons(kpis, arms(6), nil, 0)
		in := Input{Figure: func(test, _ string) compare.Figure { return cell(arms(6)[test], nil) }}
		for i, k := range kpis {
			c := compare.Comparison{Address: k.Of, Test: "arm", BaselineTest: "base", Complete: true}
			p[i] = decisiveAt(newArm(k, &c, in), limitsOf(k))
		}
		for i, adjusted := range stats.Holm(p) {
			v := verdicts[i]
			seen[v.Verdict]++
			if stats.AtMost(adjusted, 0.05) != (v.Verdict != Inconclusive) || !strings.Contains(v.Reason, words[v.Verdict]) {
				t.Errorf("limit %v, KPI %d: adjusted p %v, but %s: %s", limit, i, adjusted, v.Verdict, v.Reason)
			}
		}
	}
	if seen[Pass] < 10 || seen[Fail] < 10 || seen[Inconclusive] < 10 {
		t.Errorf("only %v: the test does not bite", seen)
	}
}
