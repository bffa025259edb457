package judge

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// distribution is a sample of two hosts: a fast one with many operations, a slow one with few.
func distribution(measureName string, fast, slow uint64) measure.Sample {
	at := func(h string) addr.Coordinates { return addr.Coordinates{"host": h} }
	return measure.Sample{
		Outcome: measure.OK,
		Values:  []measure.Value{{Measure: measureName, Keys: at("fast"), Value: 1}, {Measure: measureName, Keys: at("slow"), Value: 9}},
		Histograms: []measure.Histogram{
			{Measure: "other", Keys: at("fast"), Bins: []measure.Bin{{Value: 1000, Count: 1 << 40}}},
			{Measure: "lat", Keys: at("fast"), Bins: []measure.Bin{{Value: 1, Count: fast - 1}, {Value: 3, Count: 1}}},
			{Measure: "lat", Keys: at("slow"), Bins: []measure.Bin{{Value: 1, Count: 1}, {Value: 9, Count: slow - 1}}},
			{Measure: "lat", Bins: []measure.Bin{{Value: 5000, Count: 1 << 40}}}, // the tool's own roll-up is no part
		},
	}
}

func TestMerged(t *testing.T) {
	for name, c := range map[string]struct {
		quantile   float64
		fast, slow uint64
		exact      float64 // the slow host's own figure; 0: 9
		silent     bool    // the slow host has no figure of its own
		lose       string  // host whose histogram is lost
		better     schema.Better
		want       float64
		ok         bool
		code, note string
	}{
		// 990 of 1000 operations take 1; the mean of the hosts' own percentiles would be 5.
		"p99 of many fast ones":       {quantile: 0.99, fast: 990, slow: 10, better: schema.Lower, want: 1, ok: true},
		"p99 with a host of few":      {quantile: 0.99, fast: 500, slow: 500, silent: true, better: schema.Lower, want: 9, ok: true},
		"p99.1":                       {quantile: 0.991, fast: 990, slow: 10, better: schema.Lower, want: 3, ok: true},
		"largest":                     {quantile: 1, fast: 990, slow: 10, exact: 8.5, better: schema.Lower, want: 8.5, ok: true},
		"largest of one unknown":      {quantile: 1, fast: 990, slow: 10, silent: true, better: schema.Lower, want: 9, ok: true},
		"p50":                         {quantile: 0.5, fast: 990, slow: 10, better: schema.Lower, want: 1, ok: true},
		"p99 of as many slow ones":    {quantile: 0.99, fast: 500, slow: 500, better: schema.Lower, want: 9, ok: true},
		"p99.9 of 10,000":             {quantile: 0.999, fast: 9980, slow: 20, better: schema.Lower, want: 9, ok: true},
		"p99.9 of 9,999":              {quantile: 0.999, fast: 9989, slow: 10, better: schema.Lower, code: "no_figure", note: "m is not taken from 9999 operations: too few of them lie beyond 99.9 %"},
		"p99.99 of 10,000":            {quantile: 0.9999, fast: 9990, slow: 10, better: schema.Lower, code: "no_figure", note: "beyond 99.99 %"},
		"a lost histogram":            {quantile: 0.99, fast: 990, slow: 10, lose: "slow", better: schema.Lower, want: 9, ok: true, code: "not_merged", note: "m is the worst of 2: percentiles are not averaged, and the distribution of host=slow is missing"},
		"a lost one, more is better":  {quantile: 0.01, fast: 990, slow: 10, lose: "fast", better: schema.Higher, want: 1, ok: true, code: "not_merged", note: "host=fast is missing"},
		"a lost one, neither is good": {quantile: 0.99, fast: 990, slow: 10, lose: "slow", code: "no_figure", note: "m cannot be taken over host: the distribution of host=slow is missing"},
	} {
		s := distribution("m", c.fast, c.slow)
		if c.exact > 0 {
			s.Values[1].Value = c.exact
		}
		if c.silent { // too few operations for a figure of its own
			s.Values = s.Values[:1]
		}
		for i, h := range s.Histograms {
			if c.lose != "" && h.Measure == "lat" && h.Keys["host"] == c.lose {
				s.Histograms[i].Bins = nil
			}
		}
		m := schema.Measure{Name: "m", RollUp: schema.Merged, Better: c.better, Keys: []string{"host"}, Histogram: "lat", Quantile: c.quantile}
		v, ok, doubt := rollUp(&s, m)
		code, note := "", ""
		if doubt != nil {
			code, note = doubt.Code, doubt.Text
		}
		if v != c.want || ok != c.ok || code != c.code || !strings.Contains(note, c.note) {
			t.Errorf("%s: %v, %v, %s: %q; want %v, %v, %s: %q", name, v, ok, code, note, c.want, c.ok, c.code, c.note)
		}
	}
}

// TestMergedAtKeys: at some keys, the distributions of those keys are merged over the others.
func TestMergedAtKeys(t *testing.T) {
	at := func(h, q string) addr.Coordinates { return addr.Coordinates{"host": h, "query": q} }
	s := measure.Sample{Outcome: measure.OK}
	for _, h := range []string{"a", "b"} {
		for i, q := range []string{"q1", "q2"} {
			v := float64(1 + 10*i)
			s.Values = append(s.Values, measure.Value{Measure: "m", Keys: at(h, q), Value: v})
			s.Histograms = append(s.Histograms, measure.Histogram{Measure: "lat", Keys: at(h, q), Bins: []measure.Bin{{Value: v, Count: 99}, {Value: v + 1, Count: 1}}})
		}
	}
	m := schema.Measure{Name: "m", RollUp: schema.Merged, Better: schema.Lower, Keys: []string{"host", "query"}, Histogram: "lat", Quantile: 0.99}
	for _, c := range []struct {
		keys addr.Coordinates
		want float64
	}{{addr.Coordinates{"query": "q1"}, 1}, {addr.Coordinates{"query": "q2"}, 11}, {addr.Coordinates{"host": "a"}, 11}} {
		v := &view{by: c.keys.Axes(), keys: c.keys}
		got, ok, doubt := rollUp(narrow(&s, "m", v), m)
		if got != c.want || !ok || doubt != nil {
			t.Errorf("at %s: %v %v %v, want %v", c.keys, got, ok, doubt, c.want)
		}
	}
}
