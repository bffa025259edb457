package compare

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

var (
	bandwidth = schema.Measure{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher}
	latency   = schema.Measure{Name: "latency", Dim: unit.Seconds, Better: schema.Lower}
	cpu       = schema.Measure{Name: "cpu", Dim: unit.One}
	iops      = schema.Measure{Name: "iops", Dim: unit.PerSecond, Symbol: "IOPS", Better: schema.Higher}
)

// around gives n different values of the given median.
func around(median float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = median * (1 + 0.001*(float64(i)-float64(n-1)/2))
	}
	return values
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name      string
		measure   schema.Measure
		arm, base []float64
		want      string
	}{
		{"more is better", bandwidth, around(1.153e9, 6), around(1e9, 6), "15.3 % more, better"},
		{"less is worse", bandwidth, around(0.94e9, 6), around(1e9, 6), "6 % less, worse"},
		{"turned round: more is worse", latency, around(1.153e-3, 6), around(1e-3, 6), "15.3 % more, worse"},
		{"turned round: less is better", latency, around(0.94e-3, 6), around(1e-3, 6), "6 % less, better"},
		{"neither is better", cpu, around(0.94, 6), around(1, 6), "6 % less"},
		{"many times", bandwidth, around(20e9, 6), around(1e9, 6), "1900 % more, better"},
		{"four a side", bandwidth, around(2e9, 4), around(1e9, 4), "100 % more, better"},
		{"none shown", bandwidth, []float64{1, 2, 3, 4, 5, 6}, []float64{1.5, 2.5, 3.5, 2.6, 4.5, 3.6}, "no difference shown (p = 0.7)"},
		{"alike", bandwidth, around(1e9, 6), around(1e9, 6), "no difference shown (p = 1)"},
		{"three a side", bandwidth, around(2e9, 3), around(1e9, 3), "no difference shown (p = 0.1): 100 % more, but 3 against 3 repetitions cannot show one"},
		{"one a side", bandwidth, around(2e9, 1), around(1e9, 1), "no difference shown (p = 1): 100 % more, but 1 against 1 repetition cannot show one"},
		{"a trifle", bandwidth, around(1e9+1e3, 12), []float64{1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9}, "no difference shown (p = 1)"},
		{"a trifle that is sure", iops, []float64{100001, 100001, 100001, 100001}, []float64{100000, 100000, 100000, 100000}, "less than 0.01 % more, better"},
		{"equal medians of unequal arms", iops, []float64{5, 5, 5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9}, []float64{1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5}, "equal medians"},
		{"a baseline of zero", iops, around(5, 4), []float64{0, 0, 0, 0}, "5 IOPS more, better"},
		{"no arm", iops, nil, around(5, 4), "test.a has no iops (2 of 6 repetitions failed, 4 missing)"},
		{"no baseline", iops, around(5, 4), nil, "the baseline test.b has no iops (2 of 6 repetitions failed, 4 missing)"},
	} {
		got := Build([]plan.Comparison{{Address: "compare.x", Test: "test.a", BaselineTest: "test.b", Measure: c.measure}},
			func(test, _ string) Figure {
				values := map[string][]float64{"test.a": c.arm, "test.b": c.base}[test]
				f := Figure{Summary: stats.Summarize(values, 0.95), Planned: len(values)}
				if f.N == 0 {
					f.Planned, f.Missing = 6, map[string]int{"failed": 2, NoSample: 4}
				}
				return f
			}, Options{})[0]
		if got.Words != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.Words, c.want)
		}
		if got.Complete == (got.Reason != "") {
			t.Errorf("%s: complete %v, but the reason %q", c.name, got.Complete, got.Reason)
		}
	}
}

// Four a side show a difference alone, and none among several gated ones; one that is not gated is not touched.
func TestGatedAreCorrected(t *testing.T) {
	var planned []plan.Comparison
	for _, a := range []string{"compare.a", "compare.b", "compare.c"} {
		planned = append(planned, plan.Comparison{Address: a, Test: "arm", BaselineTest: "base", Measure: bandwidth})
	}
	planned = append(planned, plan.Comparison{Address: "compare.skipped", Test: "skipped", BaselineTest: "base", Measure: bandwidth})
	lookup := func(test, _ string) Figure {
		if test == "skipped" {
			return Figure{Planned: 4, Missing: map[string]int{"skipped": 4}}
		}
		return Figure{Summary: stats.Summarize(around(map[string]float64{"arm": 2e9, "base": 1e9}[test], 4), 0), Planned: 4}
	}
	for _, c := range []struct {
		gated []string
		holm  float64 // of the first
		words string
	}{
		{nil, 0, "100 % more, better"},
		{[]string{"compare.a"}, 0, "100 % more, better"},
		{[]string{"compare.a", "compare.skipped"}, 0, "100 % more, better"},
		{[]string{"compare.a", "compare.b"}, 4.0 / 70, "no difference shown (p = 0.057, corrected for 2 comparisons): 100 % more, but 4 against 4 repetitions cannot show one"},
	} {
		opt := Options{Gated: map[string]bool{}}
		for _, a := range c.gated {
			opt.Gated[a] = true
		}
		list := Build(planned, lookup, opt)
		if list[0].Words != c.words {
			t.Errorf("%v gated: %q, want %q", c.gated, list[0].Words, c.words)
		}
		if got := list[0].PHolm; (got == nil) != (c.holm == 0) || got != nil && math.Abs(*got-c.holm) > 1e-12 {
			t.Errorf("%v gated: corrected p %v, want %v", c.gated, got, c.holm)
		}
		if list[2].PHolm != nil || list[2].Words != "100 % more, better" || math.Abs(list[0].P-2.0/70) > 1e-12 {
			t.Errorf("%v gated: one that is not was changed, or p itself: %q, %v", c.gated, list[2].Words, list[0].P)
		}
	}
}

// What does not exist is null, never 0.
func TestJSON(t *testing.T) {
	interval := `"interval":{"lo":0.1,"hi":0.2}`
	for _, c := range []struct {
		name     string
		c        Comparison
		has, not []string
	}{
		{"complete", Comparison{Complete: true, Change: 0.15, Ratio: 1.15, Difference: 15, P: 0.002, N: 6, NBaseline: 6, Interval: &Interval{0.1, 0.2}},
			[]string{`"change":0.15`, `"ratio":1.15`, `"difference":15`, `"p":0.002`, `"n":6`, `"n_baseline":6`, interval}, []string{"p_holm", "reason"}},
		{"a baseline of zero", Comparison{Difference: 15, P: 0.002, N: 6, NBaseline: 6, Reason: "zero"},
			[]string{`"change":null`, `"ratio":null`, `"difference":15`, `"p":0.002`, `"interval":null`}, nil},
		{"nothing", Comparison{P: 1, Reason: "nothing"},
			[]string{`"change":null`, `"ratio":null`, `"difference":null`, `"p":null`, `"interval":null`, `"complete":false`}, nil},
	} {
		b, err := json.Marshal(c.c)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.has {
			if strings.Count(string(b), s) != 1 {
				t.Errorf("%s: not once %s in %s", c.name, s, b)
			}
		}
		for _, s := range c.not {
			if strings.Contains(string(b), s) {
				t.Errorf("%s: %s in %s", c.name, s, b)
			}
		}
		var plain bytes.Buffer
		enc := json.NewEncoder(&plain)
		enc.SetEscapeHTML(false)
		c.c.Words = "p < 0.001"
		if err := enc.Encode(c.c); err != nil || !strings.Contains(plain.String(), `"words":"p < 0.001"`) {
			t.Errorf("%s: escaped for HTML: %s, %v", c.name, plain.String(), err)
		}
		var back Comparison
		if err := json.Unmarshal(b, &back); err != nil || back.Change != c.c.Change || back.N != c.c.N {
			t.Errorf("%s: read back as %+v, %v", c.name, back, err)
		}
	}
}
