package report

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

var (
	bandwidth = schema.Measure{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher}
	iops      = schema.Measure{Name: "iops", Dim: unit.PerSecond, Symbol: "IOPS", Better: schema.Higher}
	latency   = schema.Measure{Name: "latency_p99", Dim: unit.Seconds, Better: schema.Lower}
	cpu       = schema.Measure{Name: "cpu_system"}
)

const title = `磁盘验收：4 KiB 与 128 KiB <script>alert("x")</script>`

// example is a run with two axes of two cases, six repetitions each, and something of every kind: all verdicts, a test that
// lost repetitions, one that never finished, a skipped one, an advisory KPI, a Chinese title with markup in it.
func example() Input {
	e := &exampleRun{p: &plan.Plan{}, r: &judge.Results{FormatVersion: 1, Title: title, Verdict: judge.Fail, Exit: 10}}
	e.p.Spec = plan.SpecInfo{Path: "specs/quickstart", Title: title,
		Description: "小块与大块、读与写：这块磁盘够快吗？ Is the disk fast enough, & for which block size?",
		Files:       map[string]string{"main.assay.hcl": "7d1f3c0e52a94b6bb8e7f1d09a3c5e2f4b8d6a7c9e0f1a2b3c4d5e6f708192a3"}}
	e.p.Variables = map[string]json.RawMessage{"runtime": json.RawMessage(`"2s"`), "label": json.RawMessage(`"<b>"`)}
	e.p.Sensitive = []string{"password"}
	e.p.Providers = []plan.ProviderInfo{{Name: "storage", Version: "0.1.0"}, {Name: "fio", Version: "0.1.0"}}
	e.p.Judgement = plan.Judgement{
		Confidence: 0.95, Alpha: 0.05,
		Axes: []plan.Axis{
			{Name: "bs", Baseline: "4KiB", Cases: []plan.Case{{Name: "4KiB", Label: "4KiB"}, {Name: "128KiB", Label: "128KiB"}}},
			{Name: "rw", Cases: []plan.Case{{Name: "read", Label: "顺序读 read"}, {Name: "write", Label: "顺序写 write"}}},
		},
		Tests: []plan.TestType{{Block: "test.fio.seq", Axes: []string{"bs", "rw"}, Measures: []schema.Measure{bandwidth, iops, latency, cpu}}},
		Plots: []plan.Plot{
			{Name: "bandwidth", Title: "顺序带宽 Sequential bandwidth", Kind: "bars", Y: "test.fio.seq", Measure: bandwidth, X: "bs", Series: "rw"},
			{Name: "latency_p99", Kind: "lines", Scale: "log2", Y: "test.fio.seq", Measure: latency, X: "bs"},
		},
	}
	// The rows come in another order than the spec's, which the report must mend.
	e.test("128KiB", "write", 0, measure.DidNotFinish, "fio was killed after 10 minutes, its timeout")
	e.test("128KiB", "read", 6, measure.OK, "", 1.412e9, 11200, 1.9e-3, 0.31)
	e.test("4KiB", "read", 6, measure.OK, "", 6.12e8, 149400, 412e-6, 0.62)
	e.test("4KiB", "write", 4, measure.Failed, "fio: io_u error: No space left on device|<disk full>", 4.05e8, 98800, 701e-6, 0.55)
	e.judged()
	return Input{Plan: e.p, Results: e.r, Ran: e.ran, Manifest: "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
		Facts: map[string]map[string]string{
			"":                {"cpu.model": "Example CPU 8-core @ 2.40 GHz", "cpu.count": "8", "memory": "64 GiB", "kernel": "6.1.0-18-amd64", "tool.fio": "fio-3.33", "disk.note": `<img src=x onerror="alert(1)">`},
			"ssh://root@node": {"cpu.count": "64", "kernel": "6.1.0-18-amd64"},
		},
		Notes: []string{"Limits were changed after the data were seen: kpi.latency max was 400 µs."}}
}

type exampleRun struct {
	p   *plan.Plan
	r   *judge.Results
	ran []Ran
}

func testAddress(bs, rw string) (addr.Instance, addr.Coordinates) {
	c := addr.Coordinates{"bs": bs, "rw": rw}
	return addr.Instance{Block: addr.Block{Kind: "test", Type: "fio", Name: "seq"}, Coordinates: c}, c
}

// test adds six repetitions, of which the first n have values around the medians given; the others have the outcome.
func (e *exampleRun) test(bs, rw string, n int, outcome measure.Outcome, reason string, medians ...float64) {
	in, c := testAddress(bs, rw)
	a := in.String()
	e.p.Tests = append(e.p.Tests, plan.Test{Address: a, Instance: in, Coordinates: c, Repeat: 6})
	measures := e.p.Judgement.Tests[0].Measures
	start := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for rep := 1; rep <= 6; rep++ {
		s := judge.Sample{Address: a, Coordinates: c, Round: 1, Repetition: rep, Attempt: 1, Outcome: measure.OK, Measures: map[string]judge.MeasuredValue{}}
		exit := measure.Exit{Name: "fio", Argv: []string{"fio", "--name=seq", "--rw=" + rw, "--bs=" + bs, "--output-format=json+", "--filename=/mnt/my bench/assay.dat"},
			Started: start, Ended: start.Add(2*time.Second + time.Duration(rep)*10*time.Millisecond)}
		if rep > n {
			s.Outcome, s.Reason = outcome, reason
			exit.Code = 1
			if outcome == measure.DidNotFinish {
				exit.Code, exit.Signal = -1, "SIGKILL"
			}
		} else {
			for i, m := range measures {
				s.Measures[m.Name] = judge.MeasuredValue{Value: around(medians[i], rep), Unit: m.Dim.String()}
			}
			if rep <= 3 && bs == "4KiB" && rw == "read" {
				s.Warnings = []measure.Warning{{Code: "bandwidth_mismatch", Text: "149400 IOPS × 4 KiB is 611.9 MB/s, but 640 MB/s were reported"}}
			}
		}
		e.r.Samples = append(e.r.Samples, s)
		e.ran = append(e.ran, Ran{Address: a, Action: plan.RunTest, Repetition: rep, Attempt: 1, Exits: []measure.Exit{exit}})
	}
	for i, m := range measures {
		f := judge.Figure{Address: a, Block: in.Block.String(), Coordinates: c, Measure: m, Planned: 6}
		if n > 0 {
			f.Summary = stats.Summary{N: n, Median: medians[i], Lo: around(medians[i], 1), Hi: around(medians[i], n), Interval: n >= 6}
			for rep := 1; rep <= n; rep++ {
				f.Values = append(f.Values, around(medians[i], rep))
			}
		}
		if n < 6 {
			f.Missing = map[string]int{string(outcome): 6 - n}
		}
		e.r.Figures = append(e.r.Figures, f)
	}
}

// around spreads repetitions by 2 % a step.
func around(median float64, rep int) float64 { return median * (0.93 + 0.02*float64(rep)) }

func (e *exampleRun) judged() {
	e.r.Warnings = []string{"8 of 24 planned repetitions have no value"}
	for _, rw := range []string{"read", "write"} {
		base, _ := testAddress("4KiB", rw)
		in, c := testAddress("128KiB", rw)
		cmp := judge.Comparison{Address: "compare.block_size[bs=128KiB,rw=" + rw + "]", Block: "compare.block_size", Coordinates: c, Across: "bs", Baseline: "4KiB",
			Test: in.String(), BaselineTest: base.String(), Measure: bandwidth}
		if rw == "read" {
			cmp.Complete, cmp.Change, cmp.Ratio, cmp.Difference, cmp.P, cmp.N, cmp.NBaseline = true, 1.307, 2.307, 8e8, 0.0021645, 6, 6
			cmp.Interval, cmp.Words = &judge.Interval{Lo: 1.21, Hi: 1.42}, "130.7 % more, better"
		} else {
			cmp.Reason = "test.fio.seq[bs=128KiB,rw=write] has no value: 6 did not finish"
		}
		e.r.Comparisons = append(e.r.Comparisons, cmp)
		e.p.Judgement.Comparisons = append(e.p.Judgement.Comparisons, plan.Comparison{Address: cmp.Address, Block: cmp.Block, Coordinates: c, Measure: bandwidth,
			Test: cmp.Test, BaselineTest: cmp.BaselineTest, Across: "bs", Baseline: "4KiB"})
	}
	e.kpi("floor", "4KiB", "read", bandwidth, judge.Pass, "required", "≥ 500 MB/s", 5e8, "612 MB/s, n=6, 95 % interval 581.4–642.6 MB/s",
		"612 MB/s is at least 500 MB/s.", "The old array gave 480 MB/s & <more>")
	e.kpi("floor", "4KiB", "write", bandwidth, judge.Fail, "required", "≥ 500 MB/s", 5e8, "405 MB/s, n=4, range 384.8–409.1 MB/s, no interval",
		"405 MB/s is less than 500 MB/s.", "")
	e.kpi("floor", "128KiB", "write", bandwidth, judge.Inconclusive, "required", "≥ 500 MB/s", 5e8, "", "No sample: 6 did not finish.", "")
	e.kpi("latency", "4KiB", "read", latency, judge.Fail, "advisory", "≤ 410 µs", 410e-6, "412 µs, n=6, 95 % interval 391.4–432.6 µs",
		"412 µs is more than 410 µs.", "数据库的超时只留这么多")
	e.kpi("latency", "4KiB", "write", latency, judge.Invalid, "advisory", "≤ 410 µs", 410e-6, "701 µs, n=4, range 666–708 µs, no interval", "Bandwidth is above the link's 10 Gbit/s.", "")
	e.kpi("latency", "128KiB", "write", latency, judge.Skipped, "advisory", "≤ 410 µs", 410e-6, "", "The test was skipped: “no large writes here”.", "")
	e.r.NotJudged = []judge.NotJudged{{Block: "kpi.gain", Reason: "where lets no instance through: no case of axis bs is \"1MiB\""}}
}

func (e *exampleRun) kpi(name, bs, rw string, m schema.Measure, v judge.Verdict, severity, limit string, at float64, figure, reason, because string) {
	in, c := testAddress(bs, rw)
	block := "kpi." + name
	e.r.KPIs = append(e.r.KPIs, judge.KPI{Address: block + "[" + c.String() + "]", Block: block, Coordinates: c, Of: in.String(), Measure: m.Name, Verdict: v,
		Reason: reason, Severity: severity, Limit: limit, Figure: figure, Because: because})
	k := plan.KPI{Address: block + "[" + c.String() + "]", Block: block, Coordinates: c, Of: in.String(), Measure: m, Severity: severity, Statistic: "median", Because: because}
	l := &plan.Limit{Text: limit[len("≥ "):], Value: at}
	if k.Min = l; m.Better == schema.Lower {
		k.Min, k.Max = nil, l
	}
	e.p.Judgement.KPIs = append(e.p.Judgement.KPIs, k)
}

// passing is a small run in which all is well and nothing is varied.
func passing() Input {
	in := addr.Instance{Block: addr.Block{Kind: "test", Type: "fake", Name: "one"}, Coordinates: addr.Coordinates{}}
	p := &plan.Plan{Tests: []plan.Test{{Address: in.String(), Instance: in, Coordinates: in.Coordinates, Repeat: 1}}}
	p.Judgement.Tests = []plan.TestType{{Block: in.String(), Measures: []schema.Measure{cpu}}}
	v := 42.0
	return Input{Plan: p, Results: &judge.Results{FormatVersion: 1, Title: "One", Verdict: judge.Pass,
		Samples: []judge.Sample{{Address: in.String(), Repetition: 1, Outcome: measure.OK}},
		Figures: []judge.Figure{{Address: in.String(), Block: in.String(), Measure: cpu, Planned: 1, Summary: stats.Summary{N: 1, Median: v, Lo: v, Hi: v}}},
		KPIs:    []judge.KPI{{Address: "kpi.k", Block: "kpi.k", Of: in.String(), Measure: "cpu_system", Verdict: judge.Pass, Severity: "required", Limit: "≤ 50", Figure: fmt.Sprint(v), Value: &v, Reason: "42 is at most 50."}},
	}}
}
