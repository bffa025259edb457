package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/google/go-cmp/cmp"
)

// release is a plan with one test on an array, which is compared with itself in run "r1".
func release() *plan.Plan {
	j, tests := bench()
	p := &plan.Plan{Judgement: j, Tests: tests[:1], Providers: []plan.ProviderInfo{{Name: "fio", Version: "1"}, {Name: "storage", Version: "1"}, {Name: "mysql", Version: "1"}}}
	p.Tests[0].Hosts, p.Tests[0].Things, p.Tests[0].Config = []string{"ssh://a"}, []string{"t1"}, json.RawMessage(`{"bs": 4096, "rate": null}`)
	p.Things = []plan.Thing{
		{ID: "t1", Addresses: []string{"setup.storage_raid.array[drive=sas]"}, Type: "storage_raid", Config: json.RawMessage(`{"level": 5}`)},
		{ID: "t2", Addresses: []string{"setup.mysql_server.other"}, Type: "mysql_server", Config: json.RawMessage(`{"port": 1}`)},
	}
	at := addr.Coordinates{"drive": "sas"}
	p.Judgement.Comparisons = []plan.Comparison{{
		Address: "compare.release[drive=sas]", Block: "compare.release", Coordinates: at, Measure: bandwidth, Test: tests[0].Address, BaselineTest: tests[0].Address,
		Across: "run", Baseline: "r1", OtherRun: true, Run: "r1",
	}}
	p.Judgement.KPIs = []plan.KPI{{Address: "kpi.no_slower[drive=sas]", Coordinates: at, Of: "compare.release[drive=sas]", Comparison: true, Measure: change, Severity: "required", Min: &plan.Limit{Value: -0.05}}}
	return p
}

// judged judges a run against another one, with the facts of both.
func judged(p *plan.Plan, facts map[string]map[string]string, other *Baseline) *Results {
	runs := Baselines{"r1": other}
	r := Against(runs, "t", p.Judgement, p.Measured(), all(p.Tests))
	ConfoundRuns(r, p, facts, runs)
	return r
}

func TestAgainstAnotherRun(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(now *plan.Plan, facts map[string]map[string]string, old *Baseline)
		want    Verdict
		reason  string // a part
		differs []string
	}{
		{"alike", nil, Pass, "±0 %, n=6 against 6", nil},
		{"slower", func(_ *plan.Plan, _ map[string]map[string]string, old *Baseline) {
			for i := range old.Samples {
				old.Samples[i].Values[0].Value *= 2
			}
		}, Fail, "−50 %", nil},
		{"another kernel", func(_ *plan.Plan, facts map[string]map[string]string, _ *Baseline) {
			facts["ssh://a"]["kernel.release"] = "6.6.0"
		}, Pass, "±0 %", []string{"kernel.release: 6.6.0, 6.1.0"}},
		{"on another host", func(_ *plan.Plan, _ map[string]map[string]string, old *Baseline) {
			old.Plan.Tests[0].Hosts = []string{"ssh://b"}
			old.Facts["ssh://b"]["tool.fio"] = "fio-3.1"
		}, Pass, "±0 %", []string{"tool.fio: fio-3.33, fio-3.1"}},
		{"another block size, array and provider", func(now *plan.Plan, _ map[string]map[string]string, old *Baseline) {
			now.Tests[0].Config = json.RawMessage(`{"bs": 8192, "rate": null}`)
			now.Things[0].Config, now.Things[1].Config = json.RawMessage(`{"level": 6}`), json.RawMessage(`{"port": 2}`)
			now.Providers[1].Version, now.Providers[2].Version = "2", "2"
		}, Pass, "±0 %", []string{"provider storage: 2, 1", "setup.storage_raid.array[drive=sas] level: 6, 5", "test.fio.seq[drive=sas] bs: 8192, 4096"}},
		{"strict", func(now *plan.Plan, facts map[string]map[string]string, _ *Baseline) {
			facts["ssh://a"]["kernel.release"], now.Judgement.Strict = "6.6.0", true
		}, Inconclusive, "the two runs differ: kernel.release is 6.6.0 against 6.1.0 (strict); else pass", []string{"kernel.release: 6.6.0, 6.1.0"}},
		{"a repetition is missing there", func(_ *plan.Plan, _ map[string]map[string]string, old *Baseline) { old.Samples = old.Samples[1:] }, Inconclusive, "5 of 6 of the baseline", nil},
		{"not measured there", func(_ *plan.Plan, _ map[string]map[string]string, old *Baseline) { old.Plan.Tests = nil }, Inconclusive, "the baseline run 2025: test.fio.seq[drive=sas] has no bandwidth", nil},
		{"another measure of that name", func(_ *plan.Plan, _ map[string]map[string]string, old *Baseline) {
			old.Plan.Judgement.Tests[0].Measures = []schema.Measure{{Name: "bandwidth"}}
		}, Inconclusive, "bandwidth is in B/s, and in run 2025 in 1", nil},
	} {
		now, old := release(), &Baseline{Run: "2025", Plan: release(), Facts: machines()}
		old.Samples = all(old.Plan.Tests)
		facts := machines()
		if c.change != nil {
			c.change(now, facts, old)
		}
		r := judged(now, facts, old)
		if k := r.KPIs[0]; k.Verdict != c.want || !strings.Contains(k.Reason, c.reason) {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, k.Verdict, k.Reason, c.want, c.reason)
		}
		var differs []string
		for _, d := range r.Comparisons[0].Differs {
			differs = append(differs, fmt.Sprintf("%s: %s, %s", d.What, d.Arm, d.Baseline))
		}
		if d := cmp.Diff(c.differs, differs); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		told := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "the two runs differ") })
		if told != (len(c.differs) > 0) {
			t.Errorf("%s: %q", c.name, r.Warnings)
		}
		if got := r.Comparisons[0]; got.Baseline != "2025" || got.BaselineTest != "run 2025: test.fio.seq[drive=sas]" {
			t.Errorf("%s: against %s of %s", c.name, got.BaselineTest, got.Baseline)
		}
		if len(r.Figures) != 1 || len(r.Samples) != 6 {
			t.Errorf("%s: %d figures and %d samples: those of the other run are not this one's", c.name, len(r.Figures), len(r.Samples))
		}
	}
	for run, want := range map[string]string{"": "no run is named as the baseline", "r1": "the run r1, which is the baseline, is not there"} {
		p := release()
		p.Judgement.Comparisons[0].Run = run
		if r := judged(p, nil, nil); r.KPIs[0].Verdict != Inconclusive || !strings.Contains(r.KPIs[0].Reason, want) || r.Exit != ExitIncomplete {
			t.Errorf("without the run %q: %s: %s", run, r.KPIs[0].Verdict, r.KPIs[0].Reason)
		}
	}
}
