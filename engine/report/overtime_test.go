package report

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// rateOf is a measure of a monitor that has a figure for each disk.
var rateOf = schema.Measure{Name: "rate", Dim: unit.BytesPerSec, Keys: []string{"host", "disk"}, RollUp: schema.Sum}

// watched is an input with series of a monitor at two cases of rw.
func watched(p plan.Plot, list ...derive.Series) Input {
	in := Input{Plan: &plan.Plan{}, Results: &judge.Results{}, Series: list}
	in.Plan.Judgement = plan.Judgement{
		Axes:  []plan.Axis{{Name: "rw", Cases: []plan.Case{{Name: "read", Label: "reads"}, {Name: "write", Label: "write"}}}},
		Tests: []plan.TestType{{Block: "monitor.x.io", Axes: []string{"rw"}, Measures: []schema.Measure{rateOf}}},
		Plots: []plan.Plot{p},
	}
	for _, rw := range []string{"write", "read"} {
		i := addr.Instance{Block: addr.Block{Kind: "monitor", Type: "x", Name: "io"}, Coordinates: addr.Coordinates{"rw": rw}}
		in.Plan.Monitors = append(in.Plan.Monitors, plan.Test{Address: i.String(), Instance: i, Coordinates: i.Coordinates, During: "test.x.t"})
	}
	return in
}

// course of a disk: a point a second, from -1 on.
func ofDisk(rw, disk string, repetition int, values ...float64) derive.Series {
	s := derive.Series{Address: "monitor.x.io[rw=" + rw + "]", Coordinates: addr.Coordinates{"rw": rw}, Round: 1, Repetition: repetition}
	s.Measure, s.Keys = "rate", addr.Coordinates{"host": "h", "disk": disk}
	if disk == "" {
		s.Keys = addr.Coordinates{"host": "h"}
	}
	for i, v := range values {
		if !math.IsNaN(v) {
			s.Points = append(s.Points, measure.SeriesPoint{T: float64(i) - 1 + 0.1*float64(i%2), Value: v})
		}
	}
	return s
}

// lines prints the lines of a picture: name, then a value for each second from -1 to 7, whatever is nearest.
func lines(f chart.Figure) []string {
	var out []string
	for _, c := range f.Curves {
		text := c.Name + ":"
		at := map[int]string{}
		for i, x := range c.X {
			at[int(math.Round(x))] = unit.Digits(c.Y[i], 3)
		}
		for t := -1; t <= 7; t++ {
			text += " " + orDash(at[t])
		}
		out = append(out, text)
	}
	return out
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func TestOverTime(t *testing.T) {
	none := math.NaN()
	marks := ofDisk("read", "", 1)
	marks.Measure, marks.Marks = "", []measure.Mark{{T: -9, Until: 0.5, Text: "resync"}, {T: 1.5, Text: "disk fails"}, {T: 2, Until: 99, Text: "rebuild"}, {T: 99, Text: "long after"}}
	series := []derive.Series{
		ofDisk("write", "sda", 1, 5e9), ofDisk("read", "sda", 1, 1e9, 2e9, 3e9, none, none, none, none, none, 4e9), ofDisk("read", "sdb", 1, 1e9, 1e9, 1e9, 1e9, none, 1e9),
		ofDisk("read", "sda", 2, 7e9, 7e9), marks,
	}
	for name, c := range map[string]struct {
		plot  plan.Plot
		extra []derive.Series
		name  string // of the first picture
		sub   string
		want  []string
	}{
		"rolled up": {plan.Plot{}, nil, "io[rw=read]", "rw = reads",
			[]string{"repetition 1: 2 3 4 1 1 1 – – 4", "repetition 2: 7 7 – – – – – – –"}},
		"by disk": {plan.Plot{Series: "disk", By: []string{"disk"}}, nil, "io[rw=read]", "rw = reads; repetition 1 of 2",
			[]string{"sda: 1 2 3 – – – – – 4", "sdb: 1 1 1 1 – 1 – – –"}},
		"a panel for each disk": {plan.Plot{Facet: "disk", By: []string{"disk"}}, nil, "io[rw=read]", "rw = reads",
			[]string{"repetition 1: 1 2 3 – – – – – 4", "repetition 2: 7 7 – – – – – – –", ": 1 1 1 1 – 1 – – –"}},
		"rolled up already": {plan.Plot{}, []derive.Series{ofDisk("read", "", 1, 9e9, 9e9)}, "io[rw=read]", "rw = reads",
			[]string{"repetition 1: 9 9 – – – – – – –", "repetition 2: 7 7 – – – – – – –"}},
		"one case": {plan.Plot{Where: map[string][]string{"rw": {"write"}}}, nil, "io[rw=write]", "rw = write", []string{":"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.plot.Name, c.plot.Kind, c.plot.Y, c.plot.Measure = "io", "series", "monitor.x.io", rateOf
			fs := buildFigures(watched(c.plot, append(series, c.extra...)...))
			if len(fs) == 0 || fs[0].Name() != c.name {
				t.Fatalf("%d pictures, the first %v", len(fs), fs)
			}
			f := fs[0].Chart
			shown := lines(f)
			for _, panel := range f.Panels {
				shown, f.Marks = append(shown, lines(panel)...), panel.Marks
			}
			if c.name == "io[rw=write]" {
				c.want = []string{": 5 – – – – – – – –"}
			}
			if d := cmp.Diff(c.want, shown); d != "" || !strings.HasPrefix(f.Subtitle, c.sub) || f.YLabel != "rate (GB/s)" || f.XLabel != "time (s)" {
				t.Errorf("%q, %q over %q: %s", f.Subtitle, f.YLabel, f.XLabel, d)
			}
			marks := []chart.Mark{{X: -9, Until: 0.5, Text: "resync"}, {X: 1.5, Text: "disk fails"}, {X: 2, Until: 99, Text: "rebuild"}}
			if d := cmp.Diff(marks, f.Marks); d != "" && strings.Contains(c.name, "read") && name != "rolled up already" {
				t.Error(d)
			}
			if _, _, err := draw(fs[0].Chart); err != nil {
				t.Error(err)
			}
		})
	}
	fs := buildFigures(watched(plan.Plot{Name: "io", Kind: "series", Y: "monitor.x.io", Measure: rateOf}))
	if len(fs) != 1 || fs[0].Chart.Subtitle != "nothing tells how it went over time" {
		t.Errorf("without series: %+v", fs)
	}
}

// TestOverTimeLimits: the thresholds of KPIs over the same keys are drawn.
func TestOverTimeLimits(t *testing.T) {
	p := plan.Plot{Name: "io", Kind: "series", Y: "monitor.x.io", Measure: rateOf, Series: "disk", By: []string{"disk"}}
	in := watched(p, ofDisk("read", "sda", 1, 1e9, 2e9))
	kpi := plan.KPI{Block: "kpi.fast", Of: "monitor.x.io[rw=read]", Measure: rateOf, By: []string{"disk"}, Min: &plan.Limit{Text: "1 GB/s", Value: 1e9}}
	other, rolled := kpi, kpi
	other.Block, other.Of = "kpi.other", "monitor.x.io[rw=write]"
	rolled.Block, rolled.By = "kpi.rolled", nil
	in.Plan.Judgement.KPIs = []plan.KPI{kpi, kpi, other, rolled}
	want := []chart.Limit{{Y: 1, Label: "KPI fast ≥ 1 GB/s"}}
	if d := cmp.Diff(want, buildFigures(in)[0].Chart.Limits); d != "" {
		t.Error(d)
	}
}

// TestEveryPointIsKept: a line of its own has all its points, however many; time is in a unit that reads well.
func TestEveryPointIsKept(t *testing.T) {
	s := ofDisk("read", "sda", 1)
	for i := range 4 * 3600 {
		s.Points = append(s.Points, measure.SeriesPoint{T: float64(i) + 0.01*float64(i%7), Value: float64(i % 10)})
	}
	f := buildFigures(watched(plan.Plot{Name: "io", Kind: "series", Y: "monitor.x.io", Measure: rateOf}, s))[0].Chart
	c := f.Curves[0]
	if len(c.X) != 4*3600 || f.XLabel != "time (h)" || math.Abs(c.X[3600]-1) > 1e-3 || c.Lo != nil {
		t.Errorf("%d points over %s, the 3600th at %v, band %v", len(c.X), f.XLabel, c.X[3600], c.Lo != nil)
	}
	if math.Abs(c.Gap-3.0/3600) > 1e-4 {
		t.Errorf("points are joined up to %v h", c.Gap)
	}
}

// TestRolledUpKeepsSpikes: hours of two disks are added up on a grid, with a band from the least to the greatest that it can have been.
func TestRolledUpKeepsSpikes(t *testing.T) {
	a, b := ofDisk("read", "sda", 1), ofDisk("read", "sdb", 1)
	for i := range 4 * 3600 {
		v := 4.0 + float64(i%3)
		if i == 5000 {
			v = 50
		}
		a.Points = append(a.Points, measure.SeriesPoint{T: float64(i), Value: v})
		b.Points = append(b.Points, measure.SeriesPoint{T: float64(i) + 0.3, Value: 1})
	}
	c := buildFigures(watched(plan.Plot{Name: "io", Kind: "series", Y: "monitor.x.io", Measure: rateOf}, a, b))[0].Chart.Curves[0]
	if n := len(c.X); n < mostBins/3 || n > mostBins {
		t.Errorf("%d points", n)
	}
	most := 0.0
	for i := range c.X {
		most = math.Max(most, c.Hi[i])
		if c.Lo[i] < 4.9 || c.Lo[i] > 5.1 || c.Y[i] < 5.4 || c.Y[i] > 18 {
			t.Fatalf("at %v: %v in %v to %v", c.X[i], c.Y[i], c.Lo[i], c.Hi[i])
		}
	}
	if most != 51 {
		t.Errorf("the greatest is %v, want 51", most)
	}
}
