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
	"github.com/google/go-cmp/cmp"
)

// TestFigures compares what the example's plots would show, number by number.
func TestFigures(t *testing.T) {
	var b bytes.Buffer
	for _, f := range buildFigures(example()) {
		fmt.Fprintln(&b, f.Name())
		for _, c := range append([]chart.Figure{f.Chart}, f.Chart.Panels...) {
			tell(&b, c)
		}
	}
	golden(t, "figures.txt", b.Bytes())
}

// tell prints what a figure shows.
func tell(b *bytes.Buffer, c chart.Figure) {
	fmt.Fprintf(b, " %s, %q\n  %s\n  y %s %s; x %s %v %q %v\n", c.Kind, c.Title, c.Subtitle, c.YLabel, c.YScale, c.XLabel, c.XValues, c.X, c.Scale)
	for _, s := range c.Series {
		fmt.Fprintf(b, "  series %q\n", s.Name)
		for i, p := range s.Points {
			fmt.Fprintf(b, "    %s: %.6g (%.6g to %.6g, bar %v) %q absent %v %q\n", c.X[i], p.Y, p.Lo, p.Hi, p.Bar, p.Label, p.Absent, p.Note)
		}
	}
	for i, row := range c.Cells {
		fmt.Fprintf(b, "  row %q", c.Rows[i])
		for _, x := range row {
			fmt.Fprintf(b, " %.4g %q beyond %v absent %v %q;", x.Y, x.Label, x.Beyond, x.Absent, x.Note)
		}
		fmt.Fprintln(b)
	}
	for _, l := range c.Curves {
		fmt.Fprintf(b, "  curve %q", l.Name)
		for i := range l.X {
			fmt.Fprintf(b, " %.6g,%.6g", l.X[i], l.Y[i])
			if len(l.Labels) > 0 {
				fmt.Fprintf(b, "(%s)", l.Labels[i])
			}
		}
		fmt.Fprintln(b)
	}
	if c.Against != nil {
		fmt.Fprintf(b, "  %s %.3f\n", c.Against.Label, c.Against.Shares)
	}
	for _, l := range c.Limits {
		fmt.Fprintf(b, "  limit %.6g %q\n", l.Y, l.Label)
	}
	for _, l := range c.XLimits {
		fmt.Fprintf(b, "  limit on x %.6g %q\n", l.Y, l.Label)
	}
	for _, t := range c.Targets {
		fmt.Fprintf(b, "  target %.6g,%.6g\n", t.X, t.Y)
	}
}

func TestPlotShapes(t *testing.T) {
	type shape struct {
		Names  []string
		X      []string
		Series []string
		Limits []string
	}
	for name, c := range map[string]struct {
		plot plan.Plot
		want shape
	}{
		"an axis that is not named gives one figure each": {
			plan.Plot{Name: "p", Measure: bandwidth, X: "rw"},
			shape{Names: []string{"p[bs=4KiB]", "p[bs=128KiB]"}, X: []string{"顺序读 read", "顺序写 write"}, Series: []string{""}, Limits: []string{"KPI floor ≥ 500 MB/s"}},
		},
		"where narrows": {
			plan.Plot{Name: "p", Measure: bandwidth, X: "rw", Where: map[string][]string{"bs": {"128KiB"}}},
			shape{Names: []string{"p[bs=128KiB]"}, X: []string{"顺序读 read", "顺序写 write"}, Series: []string{""}, Limits: []string{"KPI floor ≥ 500 MB/s (rw = write)"}},
		},
		"a limit that holds for a part says for which": {
			plan.Plot{Name: "p", Measure: latency, X: "bs", Series: "rw", Where: map[string][]string{"rw": {"read"}}},
			shape{Names: []string{"p"}, X: []string{"4KiB", "128KiB"}, Series: []string{"顺序读 read"}, Limits: []string{"KPI latency ≤ 410 µs (bs = 4KiB)"}},
		},
		"a measure without KPI has no limit": {
			plan.Plot{Name: "p", Measure: iops, X: "bs", Series: "rw"},
			shape{Names: []string{"p"}, X: []string{"4KiB", "128KiB"}, Series: []string{"顺序读 read", "顺序写 write"}},
		},
		"where lets nothing through": {
			plan.Plot{Name: "p", Measure: iops, X: "bs", Where: map[string][]string{"bs": {"1MiB"}}},
			shape{},
		},
	} {
		in := example()
		c.plot.Kind, c.plot.Y = "bars", "test.fio.seq"
		in.Plan.Judgement.Plots = []plan.Plot{c.plot}
		var got shape
		for i, f := range buildFigures(in) {
			got.Names = append(got.Names, f.Name())
			if i > 0 {
				continue
			}
			got.X = f.Chart.X
			for _, s := range f.Chart.Series {
				got.Series = append(got.Series, s.Name)
				if len(s.Points) != len(f.Chart.X) {
					t.Errorf("%s: %d points for %d categories", name, len(s.Points), len(f.Chart.X))
				}
			}
			for _, l := range f.Chart.Limits {
				got.Limits = append(got.Limits, l.Label)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestOneUnit: all pictures of a plot have the unit of the largest value in any of them.
func TestOneUnit(t *testing.T) {
	in := example()
	in.Plan.Judgement.Plots = []plan.Plot{{Name: "p", Kind: "bars", Y: "test.fio.seq", Measure: bandwidth, X: "rw"}}
	fs := buildFigures(in)
	if len(fs) != 2 {
		t.Fatalf("%d figures", len(fs))
	}
	for _, f := range fs {
		if f.Chart.YLabel != "bandwidth (GB/s)" {
			t.Errorf("%s: %s", f.Name(), f.Chart.YLabel)
		}
	}
	want := chart.Point{Y: 0.612, Bar: true, Lo: 0.5814, Hi: 0.6426, Label: "0.612"}
	got := fs[0].Chart.Series[0].Points[0]
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); d != "" {
		t.Error(d)
	}
	if p := fs[1].Chart.Series[0].Points[1]; !p.Absent || p.Note != "did not finish" {
		t.Errorf("a test that did not finish is drawn as %+v", p)
	}
}

func TestCommands(t *testing.T) {
	in := example()
	in.Ran = nil
	if cs := commands(in); len(cs) != 0 {
		t.Errorf("commands out of nothing: %v", cs)
	}
	in.Plan.Steps = []plan.Step{
		{Address: "setup.storage_directory.d", Action: plan.Create, Commands: nil},
	}
	if cs := commands(in); len(cs) != 0 {
		t.Errorf("a step without commands has some: %v", cs)
	}
	got := commands(example())
	want := []string{
		"test.fio.seq[bs=128KiB,rw=write] repetitions 1–6: ended by SIGKILL, 2.01 s to 2.06 s",
		"test.fio.seq[bs=128KiB,rw=read] repetitions 1–6: exit 0, 2.01 s to 2.06 s",
		"test.fio.seq[bs=4KiB,rw=read] repetitions 1–6: exit 0, 2.01 s to 2.06 s",
		"test.fio.seq[bs=4KiB,rw=write] repetitions 1–4: exit 0, 2.01 s to 2.04 s",
		"test.fio.seq[bs=4KiB,rw=write] repetitions 5–6: exit 1, 2.05 s to 2.06 s",
	}
	var have []string
	for _, c := range got {
		have = append(have, c.Address+" "+c.Ended)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

// TestKeyed: a plot that names a key draws the figures at it, and no figure over all keys; a limit stands where its KPI judges.
func TestKeyed(t *testing.T) {
	in := example()
	at := func(bs, host string, v float64) judge.Figure {
		f := judge.Figure{Block: "test.fio.seq", Address: "test.fio.seq[bs=" + bs + "]", Coordinates: addr.Coordinates{"bs": bs}, Measure: bandwidth, Summary: stats.Summary{N: 1, Median: v}}
		if host != "" {
			f.Test, f.Keys = f.Address, addr.Coordinates{"host": host}
			f.Address, f.Coordinates = "test.fio.seq[bs="+bs+",host="+host+"]", f.Coordinates.With("host", host)
		}
		return f
	}
	in.Results.Figures = []judge.Figure{at("4KiB", "", 6e6), at("4KiB", "h2", 2e6), at("4KiB", "h1", 4e6), at("128KiB", "", 9e6), at("128KiB", "h1", 9e6)}
	in.Results.Samples, in.Plan.Tests = nil, nil
	in.Plan.Judgement.Tests[0].Axes = []string{"bs"}
	limit := func(name string, v float64, by []string, keys map[string][]string) plan.KPI {
		return plan.KPI{Block: "kpi." + name, Of: "test.fio.seq[bs=4KiB]", Measure: bandwidth, Min: &plan.Limit{Text: name, Value: v}, By: by, Keys: keys}
	}
	in.Plan.Judgement.KPIs = []plan.KPI{limit("all", 1, nil, nil), limit("each", 2, []string{"host"}, nil), limit("second", 3, []string{"host"}, map[string][]string{"host": {"h2"}})}
	for name, c := range map[string]struct {
		plot plan.Plot
		want string
	}{
		"as series": {plan.Plot{X: "bs", Series: "host", By: []string{"host"}},
			"p [4KiB 128KiB] h1 4 9 h2 2 - limit KPI each ≥ each (bs = 4KiB) limit KPI second ≥ second (bs = 4KiB; host = h2)"},
		"as x":         {plan.Plot{X: "host", Series: "bs", By: []string{"host"}}, "p [h1 h2] 4KiB 4 2 128KiB 9 - limit KPI each ≥ each (bs = 4KiB) limit KPI second ≥ second (host = h2; bs = 4KiB)"},
		"in where":     {plan.Plot{X: "bs", By: []string{"host"}, Where: map[string][]string{"host": {"h2"}}}, "p[host=h2] [4KiB]  2 limit KPI each ≥ each limit KPI second ≥ second"},
		"over all":     {plan.Plot{X: "bs"}, "p [4KiB 128KiB]  6 9 limit KPI all ≥ all (bs = 4KiB)"},
		"one for each": {plan.Plot{X: "bs", Facet: "host", By: []string{"host"}}, "p []; host = h1 [4KiB 128KiB]  4 9 limit KPI each ≥ each (bs = 4KiB); host = h2 [4KiB 128KiB]  2 - limit KPI each ≥ each limit KPI second ≥ second"},
	} {
		c.plot.Name, c.plot.Kind, c.plot.Y, c.plot.Measure = "p", "bars", "test.fio.seq", bandwidth
		in.Plan.Judgement.Plots = []plan.Plot{c.plot}
		got := ""
		for _, f := range buildFigures(in) {
			got += f.Name()
			for i, c := range append([]chart.Figure{f.Chart}, f.Chart.Panels...) {
				if i > 0 {
					got += "; " + c.Title
				}
				got += fmt.Sprint(" ", c.X)
				for _, s := range c.Series {
					got += " " + s.Name
					for _, p := range s.Points {
						if p.Absent {
							got += " -"
						} else {
							got += " " + p.Label
						}
					}
				}
				for _, l := range c.Limits {
					got += " limit " + l.Label
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
	cs := newCases(in.Plan.Judgement.Axes)
	table := figureTables(in, cs, indexFigures(in.Results.Figures))[0]
	rows := ""
	for _, r := range table.Rows {
		rows += fmt.Sprint(coordinates(r.Coordinates, table.Axes), r.Cells[0].Main, "; ")
	}
	if want := "[4KiB ]6 MB/s; [4KiB h1]4 MB/s; [4KiB h2]2 MB/s; [128KiB ]9 MB/s; [128KiB h1]9 MB/s; "; rows != want {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if rest, _ := table.only(false); len(rest.Rows) > 2 { // of measures without figures only what is planned is left
		t.Errorf("rows of what has no figure: %+v", rest.Rows)
	}
}
