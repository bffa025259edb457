package report

import (
	"fmt"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// large is a run of 10 × 10 × 10 × n/1000 tests with so many repetitions each, twenty measures, a required KPI on each test, a comparison
// with the baseline of each, bars, and every test's course over ten minutes. Every hundredth test failed, for a reason of its own.
func large(n, repetitions int) Input {
	p, r := &plan.Plan{}, &judge.Results{FormatVersion: 1, Title: "Large", Verdict: judge.Fail, Exit: 10}
	in := Input{Plan: p, Results: r, Facts: map[string]map[string]string{"": {"cpu.count": "8"}}, Manifest: "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"}
	p.Spec.Title = "Large"
	sizes := []int{10, 10, 10, n / 1000}
	names := []string{"drive", "bs", "iodepth", "numjobs"}
	for a, size := range sizes {
		x := plan.Axis{Name: names[a]}
		for i := range size {
			name := fmt.Sprintf("%s%d", names[a][:2], i+1)
			x.Cases = append(x.Cases, plan.Case{Name: name, Label: name})
		}
		x.Baseline = x.Cases[0].Name
		p.Judgement.Axes = append(p.Judgement.Axes, x)
	}
	measures := []schema.Measure{bandwidth, iops, latency, cpu}
	for i := range 16 {
		measures = append(measures, schema.Measure{Name: fmt.Sprintf("read_latency_p%d", i), Dim: unit.Seconds, Better: schema.Lower})
	}
	p.Judgement.Tests = []plan.TestType{{Block: "test.fio.seq", Axes: names, Measures: measures}}
	p.Judgement.Plots = []plan.Plot{
		{Name: "bandwidth", Kind: "bars", Y: "test.fio.seq", Measure: bandwidth, X: "bs", Series: "drive", Facet: "iodepth"},
		{Name: "course", Kind: "series", Y: "test.fio.seq", Measure: bandwidth},
	}
	start := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for i := range n {
		c := addr.Coordinates{}
		rest := i
		for a := range sizes {
			c[names[a]] = p.Judgement.Axes[a].Cases[rest%sizes[a]].Name
			rest /= sizes[a]
		}
		instance := addr.Instance{Block: addr.Block{Kind: "test", Type: "fio", Name: "seq"}, Coordinates: c}
		a := instance.String()
		p.Tests = append(p.Tests, plan.Test{Address: a, Instance: instance, Coordinates: c, Repeat: repetitions, Hosts: []string{""}})
		failed := i%100 == 7
		for rep := 1; rep <= repetitions; rep++ {
			folder := fmt.Sprintf("artifacts/%06d/%d/", i*repetitions+rep, 1)
			s := judge.Sample{Address: a, Coordinates: c, Round: 1, Repetition: rep, Attempt: 1, Outcome: measure.OK, Measures: map[string]judge.MeasuredValue{},
				Artifacts: []string{folder + "exits.json", folder + "fio.stderr", folder + "fio.stdout"}}
			for k, m := range measures {
				s.Measures[m.Name] = judge.MeasuredValue{Value: around(float64(i*(k+1)+1), rep), Unit: m.Dim.String()}
			}
			if failed {
				s.Outcome, s.Reason, s.Measures = measure.Failed, fmt.Sprintf("fio: file %d is not there", i), nil
			}
			r.Samples = append(r.Samples, s)
			in.Ran = append(in.Ran, Ran{Address: a, Action: plan.RunTest, Repetition: rep, Attempt: 1, Exits: []measure.Exit{{Name: "fio", Argv: []string{"fio", "--name=seq", "--bs=" + c["bs"],
				"--iodepth=" + c["iodepth"], "--numjobs=" + c["numjobs"], "--output-format=json+", "--filename=/mnt/bench/" + c["drive"] + "/assay.dat"}, Started: start, Ended: start.Add(time.Duration(rep) * time.Second)}}})
			course := derive.Series{Series: measure.Series{Measure: "bandwidth"}, Address: a, Coordinates: c, Round: 1, Repetition: rep}
			if rep == 1 {
				for t := range 60 {
					course.Points = append(course.Points, measure.SeriesPoint{T: float64(t) * 10, Value: float64(i + t%7)})
				}
				in.Series = append(in.Series, course)
			}
		}
		for k, m := range measures {
			f := judge.Figure{Address: a, Block: "test.fio.seq", Coordinates: c, Measure: m, Planned: repetitions}
			if failed {
				f.Missing = map[string]int{"failed": repetitions}
			} else {
				v := float64(i*(k+1) + 1)
				f.Summary = stats.Summary{N: repetitions, Median: v, Lo: around(v, 1), Hi: around(v, repetitions), Interval: repetitions >= 6}
				for rep := range repetitions {
					f.Values = append(f.Values, around(v, rep+1))
				}
			}
			r.Figures = append(r.Figures, f)
		}
		k := judge.KPI{Address: "kpi.floor[" + c.String() + "]", Block: "kpi.floor", Coordinates: c, Of: a, Measure: "bandwidth", Verdict: judge.Pass,
			Reason: "612 MB/s, n=6, 95 % interval 581.4–642.6 MB/s, meets ≥ 500 MB/s", Severity: "required", Limit: "≥ 500 MB/s", Figure: "612 MB/s, n=6, 95 % interval 581.4–642.6 MB/s", Because: "What the database needs"}
		if i%3 == 0 {
			k.Verdict = judge.Fail
		}
		r.KPIs = append(r.KPIs, k)
		p.Judgement.KPIs = append(p.Judgement.KPIs, plan.KPI{Address: k.Address, Block: k.Block, Coordinates: c, Of: a, Measure: bandwidth, Severity: "required", Statistic: "median", Min: &plan.Limit{Text: "500 MB/s", Value: 5e8}})
		if base := c.With("drive", "dr1"); c["drive"] != "dr1" {
			arm := instance
			arm.Coordinates = base
			r.Comparisons = append(r.Comparisons, judge.Comparison{Address: "compare.drives[" + c.String() + "]", Block: "compare.drives", Coordinates: c, Across: "drive", Baseline: "dr1", Test: a, BaselineTest: arm.String(),
				Measure: bandwidth, Complete: true, Change: 0.3, Ratio: 1.3, Difference: 1e8, P: 0.0021645, N: 6, NBaseline: 6, Interval: &judge.Interval{Lo: 0.2, Hi: 0.4}, Words: "30 % more, better"})
		}
	}
	return in
}
