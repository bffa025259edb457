package report

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// kinds is an input with medians and distributions of a test at two drives and three depths.
func kindsInput(plots ...plan.Plot) Input {
	tail := schema.Measure{Name: "latency_p99", Dim: unit.Seconds, Better: schema.Lower, Histogram: "latency", Quantile: 0.99, Keys: []string{"host"}}
	longest := tail
	longest.Name, longest.Quantile = "latency_max", 1
	rate := schema.Measure{Name: "rate", Dim: unit.BytesPerSec, Better: schema.Higher}
	in := Input{Plan: &plan.Plan{}, Results: &judge.Results{}}
	in.Plan.Judgement = plan.Judgement{
		Axes: []plan.Axis{
			{Name: "drive", Baseline: "sata", Cases: []plan.Case{{Name: "sata", Label: "SATA SSD"}, {Name: "sas", Label: "SAS SSD"}}},
			{Name: "qd", Cases: []plan.Case{{Name: "1"}, {Name: "32"}, {Name: "256"}}},
		},
		Tests: []plan.TestType{{Block: "test.x.t", Axes: []string{"drive", "qd"}, Measures: []schema.Measure{tail, longest, rate}}},
	}
	for d, drive := range []string{"sas", "sata"} {
		for q, qd := range []string{"256", "1", "32"} {
			i := addr.Instance{Block: addr.Block{Kind: "test", Type: "x", Name: "t"}, Coordinates: addr.Coordinates{"drive": drive, "qd": qd}}
			in.Plan.Tests = append(in.Plan.Tests, plan.Test{Address: i.String(), Instance: i, Coordinates: i.Coordinates})
			v := float64(1+q) / float64(1+d)
			figure := func(m schema.Measure, median float64) judge.Figure {
				return judge.Figure{Address: i.String(), Block: "test.x.t", Coordinates: i.Coordinates, Measure: m, Summary: stats.Summary{N: 3, Median: median, Lo: median, Hi: median}}
			}
			latency, throughput := figure(tail, 1e-3*v*v), figure(rate, 1e9*v)
			if drive == "sata" && qd == "32" {
				latency.Summary, latency.Missing = stats.Summary{}, map[string]int{"did_not_finish": 3}
			}
			in.Results.Figures = append(in.Results.Figures, latency, throughput)
			for repetition := range 2 {
				s := measure.Sample{Address: i.String(), Coordinates: i.Coordinates, Round: 1, Repetition: repetition + 1, Outcome: measure.OK}
				for h, host := range []string{"h1", "h2"} {
					s.Histograms = append(s.Histograms, measure.Histogram{Measure: "latency", Keys: addr.Coordinates{"host": host},
						Bins: []measure.Bin{{Value: 1e-3 * v, Count: 90}, {Value: 2e-3 * v * float64(1+h), Count: 10}}})
				}
				s.Histograms = append(s.Histograms, measure.Histogram{Measure: "other", Bins: []measure.Bin{{Value: 1, Count: 1}}})
				bad := s
				bad.Outcome, bad.Repetition = measure.Invalid, 9
				in.Samples = append(in.Samples, s, bad)
			}
		}
	}
	of := func(c string) string { return "test.x.t[drive=" + c + "]" }
	in.Plan.Judgement.KPIs = []plan.KPI{
		{Block: "kpi.tail", Of: of("sas,qd=32"), Measure: tail, Max: &plan.Limit{Text: "5 ms", Value: 5e-3}},
		{Block: "kpi.tail", Of: of("sas,qd=256"), Measure: tail, Max: &plan.Limit{Text: "5 ms", Value: 5e-3}},
		{Block: "kpi.longest", Of: of("sas,qd=32"), Measure: longest, Max: &plan.Limit{Text: "9 ms", Value: 9e-3}},
		{Block: "kpi.floor", Of: of("sata,qd=1"), Measure: rate, Min: &plan.Limit{Text: "2 GB/s", Value: 2e9}},
	}
	for _, p := range plots {
		p.Y = "test.x.t"
		if p.Measure.Name == "" {
			p.Measure = tail
		}
		if p.Kind == "hockey_stick" {
			p.XMeasure = &rate
		}
		in.Plan.Judgement.Plots = append(in.Plan.Judgement.Plots, p)
	}
	return in
}

// TestKinds compares what plots of each kind would show, number by number, and draws them.
func TestKinds(t *testing.T) {
	rate := schema.Measure{Name: "rate", Dim: unit.BytesPerSec, Better: schema.Higher}
	in := kindsInput(
		plan.Plot{Name: "relative", Kind: "bars", Measure: rate, X: "qd", Series: "drive", Relative: true},
		plan.Plot{Name: "relative_x", Kind: "bars", Measure: rate, X: "drive", Relative: true, Where: map[string][]string{"drive": {"sas"}, "qd": {"1"}}},
		plan.Plot{Name: "map", Kind: "heatmap", X: "qd", Rows: "drive", Scale: "log10"},
		plan.Plot{Name: "maps", Kind: "heatmap", X: "qd", Rows: "host", Scale: "linear", By: []string{"host"}},
		plan.Plot{Name: "knee", Kind: "hockey_stick", Load: "qd", Series: "drive", Scale: "linear"},
		plan.Plot{Name: "tail", Kind: "percentiles", Series: "drive", Facet: "qd", Scale: "log10", Where: map[string][]string{"qd": {"1", "32"}}},
		plan.Plot{Name: "by_host", Kind: "cdf", Series: "host", By: []string{"host"}, Scale: "log10", Where: map[string][]string{"qd": {"32"}, "drive": {"sas"}}},
		plan.Plot{Name: "of_none", Kind: "cdf", Scale: "log10", Measure: schema.Measure{Name: "x", Histogram: "x", Dim: unit.Seconds}},
	)
	var b bytes.Buffer
	for _, f := range buildFigures(in) {
		fmt.Fprintln(&b, f.Name())
		for _, c := range append([]chart.Figure{f.Chart}, f.Chart.Panels...) {
			tell(&b, c)
		}
		if _, _, err := draw(f.Chart); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
	golden(t, "kinds.txt", b.Bytes())
}

// TestWhatHasNoLogarithm: zeros are drawn, on a linear scale, or counted and not drawn.
func TestWhatHasNoLogarithm(t *testing.T) {
	in := kindsInput(plan.Plot{Name: "map", Kind: "heatmap", X: "qd", Rows: "drive", Scale: "log10"}, plan.Plot{Name: "knee", Kind: "hockey_stick", Load: "qd", Series: "drive", Scale: "log10"})
	in.Results.Figures[0].Median = 0
	fs := buildFigures(in)
	if fs[0].Chart.Scale != "linear" || fs[1].Chart.YScale != "linear" {
		t.Errorf("scales %s and %s", fs[0].Chart.Scale, fs[1].Chart.YScale)
	}
	bins := []measure.Bin{{Value: 0, Count: 50}, {Value: 2, Count: 49}, {Value: 4, Count: 1}}
	for _, c := range []struct {
		kind, scale string
		x, y        []float64
	}{
		{"cdf", "log10", []float64{2, 2, 4, 4}, []float64{50, 99, 99, 100}},
		{"cdf", "linear", []float64{0, 0, 2, 2, 4, 4}, []float64{0, 50, 50, 99, 99, 100}},
		{"percentiles", "log10", []float64{0.5, 0.99, 0.99, 0.99}, []float64{2, 2, 4, 4}},
	} {
		got := curveOf(bins, plan.Plot{Kind: c.kind, Scale: c.scale}, 1)
		if d := cmp.Diff(c.x, got.X) + cmp.Diff(c.y, got.Y); d != "" {
			t.Errorf("%s %s: %s", c.kind, c.scale, d)
		}
	}
}

// TestWherePercentilesEnd: no further than ten operations lie beyond, but at the 99.9th at the earliest, if there is such an operation at all.
func TestWherePercentilesEnd(t *testing.T) {
	for n, want := range map[uint64]float64{1: 0.5, 100: 0.99, 5000: 0.999, 10_000: 0.999, 1_000_000: 0.99999} {
		c := curveOf([]measure.Bin{{Value: 1, Count: n}}, plan.Plot{Kind: "percentiles", Scale: "linear"}, 1)
		if got := c.X[len(c.X)-1]; got < want-1e-12 || got > want+1e-12 {
			t.Errorf("of %d operations percentiles end at %v, want %v", n, got, want)
		}
	}
	if c := curveOf(nil, plan.Plot{Kind: "cdf"}, 1); len(c.X) > 0 {
		t.Error("a curve of nothing")
	}
}
