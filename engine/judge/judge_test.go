package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

var (
	bandwidth = schema.Measure{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher}
	change    = schema.Measure{Name: "change"}
)

// bench is a small plan: fio on two drives, six repetitions each, compared, and judged by what kpis says.
func bench(kpis ...plan.KPI) (plan.Judgement, []plan.Test) {
	block := addr.Block{Kind: "test", Type: "fio", Name: "seq"}
	var tests []plan.Test
	for _, drive := range []string{"sas", "sata"} {
		i := addr.Instance{Block: block, Coordinates: addr.Coordinates{"drive": drive}}
		tests = append(tests, plan.Test{Address: i.String(), Instance: i, Coordinates: i.Coordinates, Type: "fio", Repeat: 6})
	}
	j := plan.Judgement{
		Alpha: 0.05, Confidence: 0.95,
		Tests: []plan.TestType{{Block: "test.fio.seq", Axes: []string{"drive"}, Measures: []schema.Measure{bandwidth}}},
		Comparisons: []plan.Comparison{{
			Address: "compare.drives[drive=sas]", Block: "compare.drives", Coordinates: addr.Coordinates{"drive": "sas"},
			Measure: bandwidth, Test: tests[0].Address, BaselineTest: tests[1].Address, Across: "drive", Baseline: "sata",
		}},
	}
	for i, k := range kpis {
		k.Address, k.Block = fmt.Sprintf("kpi.k%d", i), fmt.Sprintf("kpi.k%d", i)
		j.KPIs = append(j.KPIs, k)
	}
	return j, tests
}

func sample(t plan.Test, repetition int, bandwidth float64) measure.Sample {
	return measure.Sample{Address: t.Address, Coordinates: t.Coordinates, Round: 1, Repetition: repetition, Attempt: 1,
		Generation: 1, Outcome: measure.OK, Values: []measure.Value{{Measure: "bandwidth", Value: bandwidth}}}
}

// all gives every planned sample: 600 to 605 MB/s for the first test, 500 to 505 for the second, and so on.
func all(tests []plan.Test) (samples []measure.Sample) {
	for i, t := range tests {
		for n := 1; n <= t.Repeat; n++ {
			samples = append(samples, sample(t, n, float64(600-100*i+n-1)*1e6))
		}
	}
	return samples
}

func floor(v float64) plan.KPI {
	return plan.KPI{Of: "test.fio.seq[drive=sas]", Measure: bandwidth, Severity: "required", Min: &plan.Limit{Value: v}}
}

func advisory(k plan.KPI) plan.KPI {
	k.Severity = "advisory"
	return k
}

func gain(v float64) plan.KPI {
	return plan.KPI{Of: "compare.drives[drive=sas]", Comparison: true, Measure: change, Severity: "required", Min: &plan.Limit{Value: v}}
}

// spoil changes the first repetition of the first test.
func spoil(o measure.Outcome) func([]measure.Sample) []measure.Sample {
	return func(s []measure.Sample) []measure.Sample {
		s[0].Outcome, s[0].Reason, s[0].Values = o, "why", nil
		return s
	}
}

func TestExit(t *testing.T) {
	whole := func(s []measure.Sample) []measure.Sample { return s }
	type samples = func([]measure.Sample) []measure.Sample
	for _, c := range []struct {
		name      string
		kpis      []plan.KPI
		samples   samples
		notJudged []plan.NotJudged
		exit      int
		verdict   Verdict
		warning   string
	}{
		{"no KPI", nil, whole, nil, 0, Pass, ""},
		{"all pass", []plan.KPI{floor(1), gain(0.1)}, whole, nil, 0, Pass, ""},
		{"a required one fails", []plan.KPI{floor(1), floor(1e12)}, whole, nil, 10, Fail, ""},
		{"a severity that nobody knows gates", []plan.KPI{{Of: floor(1).Of, Measure: bandwidth, Min: floor(1e12).Min}}, whole, nil, 10, Fail, ""},
		{"an advisory one fails", []plan.KPI{floor(1), advisory(floor(1e12))}, whole, nil, 0, Pass, ""},
		{"a required gain fails", []plan.KPI{gain(0.5)}, whole, nil, 10, Fail, ""},
		{"a required one is inconclusive", []plan.KPI{gain(0.2)}, whole, nil, 11, Inconclusive, ""},
		{"fail outranks inconclusive", []plan.KPI{gain(0.2), floor(1e12)}, whole, nil, 10, Fail, ""},
		{"a sample failed, no KPI", nil, spoil(measure.Failed), nil, 11, Inconclusive, "test.fio.seq[drive=sas]: 1 of 6 repetitions failed: why"},
		{"a sample failed", []plan.KPI{floor(1)}, spoil(measure.Failed), nil, 11, Inconclusive, "failed: why"},
		{"a sample failed under an advisory KPI", []plan.KPI{advisory(floor(1))}, spoil(measure.Failed), nil, 11, Inconclusive, "failed"},
		{"a sample was invalid", []plan.KPI{floor(1)}, spoil(measure.Invalid), nil, 11, Inconclusive, "was invalid"},
		{"a sample was blocked", []plan.KPI{floor(1)}, spoil(measure.Blocked), nil, 11, Inconclusive, "was blocked"},
		{"a sample did not finish, no KPI", nil, spoil(measure.DidNotFinish), nil, 11, Inconclusive, "did not finish"},
		{"a sample did not finish", []plan.KPI{floor(1)}, spoil(measure.DidNotFinish), nil, 10, Fail, "did not finish"},
		{"a sample failed, and a KPI fails elsewhere", []plan.KPI{{Of: "test.fio.seq[drive=sata]", Measure: bandwidth, Severity: "required", Min: &plan.Limit{Value: 1e12}}}, spoil(measure.Failed), nil, 10, Fail, "failed"},
		{"a sample is missing", nil, func(s []measure.Sample) []measure.Sample { return s[1:] }, nil, 11, Inconclusive, "1 of 6 repetitions left no sample"},
		{"no sample at all", []plan.KPI{advisory(floor(1))}, func([]measure.Sample) []measure.Sample { return nil }, nil, 11, Inconclusive, "6 of 6 repetitions left no sample"},
		{"the measure is absent", []plan.KPI{floor(0)}, func(s []measure.Sample) []measure.Sample { s[0].Values = nil; return s }, nil, 11, Inconclusive, ""},
		{"the measure is not a number", []plan.KPI{floor(0)}, func(s []measure.Sample) []measure.Sample { s[0].Values[0].Value = math.NaN(); return s }, nil, 11, Inconclusive, ""},
		{"the measure is infinite", []plan.KPI{floor(0)}, func(s []measure.Sample) []measure.Sample { s[0].Values[0].Value = math.Inf(1); return s }, nil, 11, Inconclusive, ""},
		{"a test skipped", []plan.KPI{floor(1), gain(0.1)}, func(s []measure.Sample) []measure.Sample {
			for i := range s[:6] {
				s[i].Outcome, s[i].Values = measure.Skipped, nil
			}
			return s
		}, nil, 0, Pass, ""},
		{"a KPI not judged", nil, whole, []plan.NotJudged{{Block: "kpi.x", Reason: "no instance"}}, 11, Inconclusive, ""},
		{"an advisory KPI not judged", nil, whole, []plan.NotJudged{{Block: "kpi.x", Reason: "no instance", Severity: "advisory"}}, 0, Pass, ""},
		{"a comparison not made", nil, whole, []plan.NotJudged{{Block: "compare.x", Reason: "no baseline"}}, 0, Pass, ""},
		{"a sample too many", nil, func(s []measure.Sample) []measure.Sample {
			more := s[0]
			more.Repetition = 7
			return append(s, more)
		}, nil, 0, Pass, "a sample of test.fio.seq[drive=sas] is not used: repetition 7 of 6"},
		{"a sample of another plan", nil, func(s []measure.Sample) []measure.Sample {
			return append(s, measure.Sample{Address: "test.fio.rand", Repetition: 1})
		}, nil, 0, Pass, "a sample of test.fio.rand is not used: the plan has no such test"},
		{"a second round that stopped", nil, func(s []measure.Sample) []measure.Sample {
			more := s[0]
			more.Round = 2
			return append(s, more)
		}, nil, 11, Inconclusive, "5 of 12 repetitions left no sample"},
	} {
		j, tests := bench(c.kpis...)
		j.NotJudged = c.notJudged
		r := Judge("title", j, tests, c.samples(all(tests)))
		if r.Exit != c.exit || r.Verdict != c.verdict {
			t.Errorf("%s: exit %d, %s; want %d, %s\n%+v", c.name, r.Exit, r.Verdict, c.exit, c.verdict, r.KPIs)
		}
		if got := strings.Join(r.Warnings, "\n"); !strings.Contains(got, c.warning) || c.warning == "" && got != "" {
			t.Errorf("%s: the warnings %q, want %q", c.name, got, c.warning)
		}
		for _, f := range r.Figures {
			if f.N == 0 {
				t.Errorf("%s: a figure of nothing: %+v", c.name, f)
			}
		}
		if len(r.NotJudged) != len(c.notJudged) {
			t.Errorf("%s: not judged: %+v", c.name, r.NotJudged)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if r := Judge("", plan.Judgement{}, nil, nil); r.Exit != 11 || len(r.Warnings) != 1 {
		t.Errorf("a plan without tests: %+v", r)
	}
}

// Samples come in the order in which they were written, which is that of the benches: no result may depend on it.
func TestOrderDoesNotMatter(t *testing.T) {
	j, tests := bench(floor(1), gain(0.1))
	samples := all(tests)
	samples[3].Outcome = measure.Failed
	samples = append(samples, measure.Sample{Address: "test.x", Repetition: 1}, measure.Sample{Address: "test.y", Repetition: 1})
	want, err := json.Marshal(Judge("title", j, tests, samples))
	if err != nil {
		t.Fatal(err)
	}
	gen := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		gen.Shuffle(len(samples), func(a, b int) { samples[a], samples[b] = samples[b], samples[a] })
		got, _ := json.Marshal(Judge("title", j, tests, samples))
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Fatalf("another order (-want +got):\n%s", d)
		}
	}
}

// Which repetition gave which value does not matter to a verdict, nor does the scale of both arms to a change.
func TestMetamorphic(t *testing.T) {
	j, tests := bench(gain(0.1), gain(0.2), gain(0.3))
	want := Judge("title", j, tests, all(tests))
	permuted, scaled := all(tests), all(tests)
	for i := range permuted {
		permuted[i].Repetition = 7 - permuted[i].Repetition
		scaled[i].Values[0].Value *= 1024
	}
	for name, samples := range map[string][]measure.Sample{"permuted": permuted, "scaled": scaled} {
		got := Judge("title", j, tests, samples)
		for i := range want.KPIs {
			if got.KPIs[i].Reason != want.KPIs[i].Reason || got.KPIs[i].Verdict != want.KPIs[i].Verdict {
				t.Errorf("%s: %+v, want %+v", name, got.KPIs[i], want.KPIs[i])
			}
		}
		if got.Comparisons[0].Change != want.Comparisons[0].Change || *got.Comparisons[0].Interval != *want.Comparisons[0].Interval {
			t.Errorf("%s: %+v, want %+v", name, got.Comparisons[0], want.Comparisons[0])
		}
	}
}

func TestResults(t *testing.T) {
	j, tests := bench(floor(550e6))
	samples := all(tests)
	samples[1].Outcome, samples[1].Reason = measure.Failed, "fio was killed" // and its value does not count
	samples = append(samples[:2], samples[3:]...)                            // the third is missing
	samples[2].Values = nil                                                  // the fourth has no value
	samples[5].Imported = true
	r := Judge("a title", j, tests, samples)
	if r.Title != "a title" || r.FormatVersion != FormatVersion || len(r.Samples) != 11 {
		t.Errorf("%+v", r)
	}
	var got []string
	for _, f := range r.Figures {
		got = append(got, fmt.Sprint(f.Address, f.Measure.Name, f.N, f.Planned, f.Missing, f.Imported, f.Median, f.Values))
	}
	want := []string{
		"test.fio.seq[drive=sas]bandwidth3 6 map[absent:1 failed:1 missing:1] false 6.04e+08 [6e+08 6.04e+08 6.05e+08]",
		"test.fio.seq[drive=sata]bandwidth6 6 map[] true 5.025e+08 [5e+08 5.01e+08 5.02e+08 5.03e+08 5.04e+08 5.05e+08]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("figures (-want +got):\n%s", d)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"measures":{"bandwidth":{"value":600000000,"unit":"B/s"}}`, `"not_judged":[]`,
		`"outcome":"failed","reason":"fio was killed","warnings":[]`, `"verdict":"inconclusive","exit":11`} {
		if !strings.Contains(string(b), part) {
			t.Errorf("no %s in %s", part, b)
		}
	}
}

// Two samples of one repetition: the later attempt counts, and it is said.
func TestTwoSamples(t *testing.T) {
	j, tests := bench()
	samples := all(tests)
	later := sample(tests[0], 1, 1)
	later.Attempt = 2
	for _, list := range [][]measure.Sample{append(samples, later), append([]measure.Sample{later}, samples...)} {
		r := Judge("", j, tests, list)
		if r.Figures[0].Values[0] != 1 || r.Figures[0].N != 6 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "two samples") {
			t.Errorf("%v, %v", r.Figures[0].Values, r.Warnings)
		}
	}
}

// Of an import every sample is planned, and every file.
func TestImport(t *testing.T) {
	j, tests := bench()
	tests[0].Import = &plan.Import{Files: []string{"a.json", "b.json"}}
	tests[0].Repeat = 1
	tests[1].Repeat = 1
	for n, want := range map[int]string{1: "1 of 2 [missing:1]", 2: "2 of 2 []", 3: "3 of 3 []"} {
		var samples []measure.Sample
		for i := range n {
			samples = append(samples, sample(tests[0], i+1, 5))
		}
		f := Judge("", j, tests, samples).Figures[0]
		if got := fmt.Sprintf("%d of %d %s", f.N, f.Planned, strings.TrimPrefix(fmt.Sprint(f.Missing), "map")); got != want {
			t.Errorf("%d samples: %s, want %s", n, got, want)
		}
	}
}

// TestTable: a table is one file and as many repetitions as the plan counted in it, so one that left no sample is missing.
func TestTable(t *testing.T) {
	j, tests := bench(floor(1))
	samples := append(all(tests)[:5:5], all(tests)[6:]...) // without the last of the first test
	tests[0].Import = &plan.Import{Files: []string{"a.csv"}, Table: true}
	r := Judge("", j, tests, samples)
	if f := r.Figures[0]; f.N != 5 || f.Planned != 6 || r.KPIs[0].Verdict != Inconclusive || r.Exit != ExitIncomplete {
		t.Errorf("%d of %d, %s, exit %d", f.N, f.Planned, r.KPIs[0].Verdict, r.Exit)
	}
}

// TestOnlyQuoted: nothing was to be measured where all that is judged is published.
func TestOnlyQuoted(t *testing.T) {
	gain := 0.2
	j, _ := bench(plan.KPI{Of: "compare.drives[drive=sas]", Comparison: true, Measure: change, Min: &plan.Limit{Value: 0.15}})
	j.Tests, j.Comparisons[0].Quoted = nil, &plan.Quote{Change: &gain}
	if r := Judge("", j, nil, nil); r.Exit != ExitPass || len(r.Warnings) > 0 {
		t.Errorf("exit %d, %q", r.Exit, r.Warnings)
	}
	j.Comparisons[0].Quoted = nil
	if r := Judge("", j, nil, nil); r.Exit != ExitIncomplete {
		t.Errorf("exit %d", r.Exit)
	}
}
