package judge

import (
	"fmt"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// keyed is the bench with values for hosts and volumes: sas has h1 with volumes a and b, and h2 with a; sata h1 with a.
func keyed(by []string, where map[string][]string) (plan.Judgement, []plan.Test, []measure.Sample) {
	j, tests := bench()
	m := bandwidth
	m.Keys, m.RollUp = []string{"host", "volume"}, schema.Sum
	j.Tests[0].Measures = []schema.Measure{m}
	j.Comparisons[0].By = by
	limit := &plan.Limit{Value: 1}
	at := addr.Coordinates{"drive": "sas"}
	j.KPIs = []plan.KPI{
		{Address: "kpi.figure[drive=sas]", Coordinates: at, Of: tests[0].Address, Measure: bandwidth, Severity: "required", Min: limit, By: by, Keys: where},
		{Address: "kpi.change[drive=sas]", Coordinates: at, Of: j.Comparisons[0].Address, Comparison: true, Measure: change, Severity: "advisory", Min: limit, By: by, Keys: where},
	}
	var samples []measure.Sample
	for i, t := range tests {
		for n := 1; n <= t.Repeat; n++ {
			s := sample(t, n, 0)
			s.Values = nil
			for _, hv := range [][2]string{{"h1", "a"}, {"h1", "b"}, {"h2", "a"}}[:3-2*i] {
				s.Values = append(s.Values, measure.Value{Measure: "bandwidth", Value: float64(len(s.Values) + 1), Keys: addr.Coordinates{"host": hv[0], "volume": hv[1]}})
			}
			samples = append(samples, s)
		}
	}
	return j, tests, samples
}

func TestKeys(t *testing.T) {
	host, both := []string{"host"}, []string{"host", "volume"}
	spoilt := func(o measure.Outcome) func([]measure.Sample) {
		return func(s []measure.Sample) {
			for i := range s {
				s[i].Outcome, s[i].Values = o, nil
			}
		}
	}
	for _, c := range []struct {
		name   string
		by     []string
		where  map[string][]string
		change func([]measure.Sample)
		want   []string
	}{
		{"no keys", nil, nil, nil, []string{"kpi.figure[drive=sas] pass 6", "kpi.change[drive=sas] pass 5"}},
		{"by host, volumes rolled up", host, nil, nil, []string{
			"kpi.figure[drive=sas,host=h1] pass 3", "kpi.figure[drive=sas,host=h2] pass 3",
			"kpi.change[drive=sas,host=h1] pass 2", "kpi.change[drive=sas,host=h2] inconclusive -"}},
		{"where narrows", both, map[string][]string{"volume": {"a"}}, nil, []string{
			"kpi.figure[drive=sas,host=h1,volume=a] pass 1", "kpi.figure[drive=sas,host=h2,volume=a] pass 3",
			"kpi.change[drive=sas,host=h1,volume=a] fail 0", "kpi.change[drive=sas,host=h2,volume=a] inconclusive -"}},
		{"what where names and is not there", both, map[string][]string{"host": {"h2"}, "volume": {"b", "a"}}, nil, []string{
			"kpi.figure[drive=sas,host=h2,volume=a] pass 3", "kpi.figure[drive=sas,host=h2,volume=b] inconclusive -",
			"kpi.change[drive=sas,host=h2,volume=a] inconclusive -", "kpi.change[drive=sas,host=h2,volume=b] inconclusive -"}},
		{"a host that where names has no values at all keys", both, map[string][]string{"host": {"h9"}}, nil, []string{
			"kpi.figure[drive=sas,host=h9] inconclusive -", "kpi.change[drive=sas,host=h9] inconclusive -"}},
		{"one repetition lacks a host", host, nil, func(s []measure.Sample) { s[0].Values = s[0].Values[:2] }, []string{
			"kpi.figure[drive=sas,host=h1] pass 3", "kpi.figure[drive=sas,host=h2] inconclusive 3",
			"kpi.change[drive=sas,host=h1] pass 2", "kpi.change[drive=sas,host=h2] inconclusive -"}},
		{"no result has the key", host, nil, func(s []measure.Sample) {
			for i := range s {
				s[i].Values = []measure.Value{{Measure: "bandwidth", Value: 9}}
			}
		}, []string{"kpi.figure[drive=sas] inconclusive -", "kpi.change[drive=sas] inconclusive -"}},
		{"none at the level that is named", both, map[string][]string{"host": {"h1"}}, func(s []measure.Sample) {
			for i := range s {
				s[i].Values = []measure.Value{{Measure: "bandwidth", Value: 9, Keys: addr.Coordinates{"host": "h1"}}}
			}
		}, []string{"kpi.figure[drive=sas,host=h1] inconclusive -", "kpi.change[drive=sas,host=h1] inconclusive -"}},
		{"some of the keys are not all", both, nil, func(s []measure.Sample) {
			for i := range s {
				s[i].Values = []measure.Value{{Measure: "bandwidth", Value: 9, Keys: addr.Coordinates{"host": "h1"}}}
			}
		}, []string{"kpi.figure[drive=sas] inconclusive -", "kpi.change[drive=sas] inconclusive -"}},
		{"a host's own figure is not added to those of its volumes", host, map[string][]string{"host": {"h2"}}, func(s []measure.Sample) {
			for i := range s {
				s[i].Values = append(s[i].Values, measure.Value{Measure: "bandwidth", Value: 50, Keys: addr.Coordinates{"host": "h2"}})
			}
		}, []string{"kpi.figure[drive=sas,host=h2] pass 50", "kpi.change[drive=sas,host=h2] fail 0"}},
		{"skipped", host, nil, spoilt(measure.Skipped), []string{"kpi.figure[drive=sas] skipped -", "kpi.change[drive=sas] skipped -"}},
		{"skipped at a host", host, map[string][]string{"host": {"h1"}}, spoilt(measure.Skipped), []string{
			"kpi.figure[drive=sas,host=h1] skipped -", "kpi.change[drive=sas,host=h1] skipped -"}},
		{"did not finish", host, nil, spoilt(measure.DidNotFinish), []string{"kpi.figure[drive=sas] fail -", "kpi.change[drive=sas] inconclusive -"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, tests, samples := keyed(c.by, c.where)
			if c.change != nil {
				c.change(samples)
			}
			j.KPIs[1].Confidence = new(float64)
			r := Judge("", j, tests, samples)
			var got []string
			for _, k := range r.KPIs {
				value := "-"
				if k.Value != nil {
					value = fmt.Sprint(*k.Value)
				}
				got = append(got, fmt.Sprintf("%s %s %s", k.Address, k.Verdict, value))
				if i, err := addr.ParseInstance(k.Of); err != nil {
					t.Errorf("%s is of %q: %v", k.Address, k.Of, err)
				} else if k.Coordinates.String() != i.Coordinates.String() && k.Of != j.Comparisons[0].Address {
					t.Errorf("%s is of %s", k.Address, k.Of)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, c := range r.Comparisons {
				for _, of := range []string{c.Test, c.BaselineTest} {
					if _, err := addr.ParseInstance(of); err != nil {
						t.Errorf("%s compares %q: %v", c.Address, of, err)
					}
				}
			}
		})
	}
}

// TestKeyFigures: beside the figure over all keys there is one for each combination that something names, or that nothing rolls up.
func TestKeyFigures(t *testing.T) {
	for name, c := range map[string]struct {
		by     []string
		rollUp schema.RollUp
		plot   []string
		want   []string
	}{
		"nothing names keys": {nil, schema.Sum, nil, []string{"test.fio.seq[drive=sas] 6", "test.fio.seq[drive=sata] 1"}},
		"a plot":             {nil, schema.Sum, []string{"host"}, []string{"test.fio.seq[drive=sas] 6", "test.fio.seq[drive=sas,host=h1] 3", "test.fio.seq[drive=sas,host=h2] 3", "test.fio.seq[drive=sata] 1", "test.fio.seq[drive=sata,host=h1] 1"}},
		"no roll-up":         {nil, schema.NoRollUp, nil, []string{"test.fio.seq[drive=sas,host=h1,volume=a] 1", "test.fio.seq[drive=sas,host=h1,volume=b] 2", "test.fio.seq[drive=sas,host=h2,volume=a] 3", "test.fio.seq[drive=sata] 1", "test.fio.seq[drive=sata,host=h1,volume=a] 1"}},
		"a comparison":       {[]string{"host"}, schema.Sum, nil, []string{"test.fio.seq[drive=sas] 6", "test.fio.seq[drive=sas,host=h1] 3", "test.fio.seq[drive=sas,host=h2] 3", "test.fio.seq[drive=sata] 1", "test.fio.seq[drive=sata,host=h1] 1"}},
	} {
		j, tests, samples := keyed(c.by, nil)
		j.KPIs = nil
		j.Tests[0].Measures[0].RollUp = c.rollUp
		if c.plot != nil {
			j.Plots = []plan.Plot{{Y: "test.fio.seq", Measure: bandwidth, By: c.plot}}
		}
		var got []string
		for _, f := range Judge("", j, tests, samples).Figures {
			got = append(got, fmt.Sprintf("%s %v", f.Address, f.Median))
			if f.Keys != nil && (f.Coordinates["drive"] == "" || f.Test == f.Address || f.Test == "") {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: (-want +got):\n%s", name, d)
		}
	}
}

// A published limit: its KPI has the keys of the row among its coordinates, and holds for every host that has any result.
func TestPublishedRow(t *testing.T) {
	j, tests, samples := keyed(nil, nil)
	j.Comparisons = nil
	j.KPIs = []plan.KPI{{
		Address: `kpi.p["bandwidth"][drive=sas,volume=b]`, Coordinates: addr.Coordinates{"drive": "sas", "volume": "b"}, Of: tests[0].Address, Measure: bandwidth,
		Severity: "required", Min: &plan.Limit{Value: 1}, By: []string{"host", "volume"}, Keys: map[string][]string{"volume": {"b"}},
		Profile: &plan.Profile{Name: "p", Version: "1", Published: "≥ 1 B/s", Source: "Paper", Looser: []string{"it is advisory"}},
	}}
	r := Judge("t", j, tests, samples)
	var got []string
	for _, k := range r.KPIs {
		got = append(got, fmt.Sprintf("%s %s of %s because %s", k.Address, k.Verdict, k.Of, k.Because))
	}
	want := []string{
		`kpi.p["bandwidth"][drive=sas,host=h1,volume=b] pass of test.fio.seq[drive=sas,host=h1,volume=b] because p 1 has ≥ 1 B/s (Paper)`,
		`kpi.p["bandwidth"][drive=sas,host=h2,volume=b] inconclusive of test.fio.seq[drive=sas,host=h2,volume=b] because p 1 has ≥ 1 B/s (Paper)`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if w := `kpi.p["bandwidth"][drive=sas,volume=b] at each host is less strict than profile p, version 1: it is advisory`; len(r.Warnings) != 1 || r.Warnings[0] != w {
		t.Errorf("%q, want %q", r.Warnings, w)
	}
}
