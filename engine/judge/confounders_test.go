package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/google/go-cmp/cmp"
)

// machines are the facts of two alike machines, one for each arm.
func machines() map[string]map[string]string {
	of := func(name string) map[string]string {
		return map[string]string{
			"hostname": name, "kernel.release": "6.1.0", "cpu.model": "Example 9000", "memory.bytes": "8200000000", "tool.fio": "fio-3.33",
			"disk.sda.model": "UM511a", "disk.sda.firmware": "A1", "disk.sda.serial": name, "disk.sdb.model": "UM511a", "disk.sdb.firmware": "A1",
			"volatile.load1": name, "mount./": name, "disk.loop0.scheduler": name,
		}
	}
	return map[string]map[string]string{"ssh://a": of("a"), "ssh://b": of("b")}
}

func TestConfound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(arm, base map[string]string)
		want   []compare.Difference
		told   string
	}{
		"alike": {change: func(_, _ map[string]string) {}},
		"a little memory, and other names of disks": {change: func(arm, _ map[string]string) {
			arm["memory.bytes"] = "8190000000"
			arm["disk.nvme0n1.model"], arm["disk.nvme0n1.firmware"] = arm["disk.sda.model"], arm["disk.sda.firmware"]
			delete(arm, "disk.sda.model")
		}},
		"kernel, tool and firmware": {
			change: func(arm, base map[string]string) {
				arm["kernel.release"], arm["disk.sda.firmware"] = "6.6.0", "B7"
				delete(base, "tool.fio")
			},
			want: []compare.Difference{
				{What: "disk UM511a firmware", Arm: "A1, B7", Baseline: "A1"}, {What: "kernel.release", Arm: "6.6.0", Baseline: "6.1.0"}, {What: "tool.fio", Arm: "fio-3.33"},
			},
			told: "compare.drives[drive=sas]: the arms differ in more than drive: disk UM511a firmware is A1, B7 against A1; kernel.release is 6.6.0 against 6.1.0; tool.fio is fio-3.33 against none",
		},
		"more memory": {
			change: func(arm, _ map[string]string) { arm["memory.bytes"] = "16400000000" },
			want:   []compare.Difference{{What: "memory.bytes", Arm: "16400000000", Baseline: "8200000000"}},
			told:   "memory.bytes is 16400000000 against 8200000000",
		},
		"many": {
			change: func(arm, _ map[string]string) {
				for i := range 8 {
					arm[fmt.Sprintf("sysctl.vm.%d", i)] = "1"
				}
			},
			want: func() (d []compare.Difference) {
				for i := range 8 {
					d = append(d, compare.Difference{What: fmt.Sprintf("sysctl.vm.%d", i), Arm: "1"})
				}
				return d
			}(),
			told: "sysctl.vm.5 is 1 against none; and 2 more",
		},
	} {
		t.Run(name, func(t *testing.T) {
			j, tests := bench()
			tests[0].Hosts, tests[1].Hosts = []string{"ssh://a"}, []string{"ssh://b"}
			r := Judge("t", j, tests, all(tests))
			facts := machines()
			c.change(facts["ssh://a"], facts["ssh://b"])
			Confound(r, j, tests, facts)
			if diff := cmp.Diff(c.want, r.Comparisons[0].Differs); diff != "" {
				t.Error(diff)
			}
			if got := strings.Join(r.Warnings, "\n"); (got == "") != (c.told == "") || !strings.Contains(got, c.told) {
				t.Errorf("warnings %q, want %q", got, c.told)
			}
		})
	}
}

// Arms on one machine differ in the generation of data only where both stand on the same.
func TestConfoundGeneration(t *testing.T) {
	for name, c := range map[string]struct {
		things     [2][]string
		generation int // of the arm
		want       []compare.Difference
	}{
		"one load of one dataset":  {[2][]string{{"data-1"}, {"data-1"}}, 1, nil},
		"one dataset, loaded anew": {[2][]string{{"data-1"}, {"data-1"}}, 2, []compare.Difference{{What: "generation of the data", Arm: "2", Baseline: "1"}}},
		"one dataset each":         {[2][]string{{"data-1"}, {"data-2"}}, 2, nil},
	} {
		j, tests := bench()
		tests[0].Things, tests[1].Things = c.things[0], c.things[1]
		samples := all(tests)
		for i := range samples {
			if samples[i].Address == tests[0].Address {
				samples[i].Generation = c.generation
			}
		}
		r := Judge("t", j, tests, samples)
		Confound(r, j, tests, map[string]map[string]string{"": machines()["ssh://a"]})
		if diff := cmp.Diff(c.want, r.Comparisons[0].Differs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What is compared by key is found by its test.
func TestConfoundByKey(t *testing.T) {
	j, tests, samples := keyed([]string{"host"}, nil)
	tests[0].Hosts, tests[1].Hosts = []string{"ssh://a"}, []string{"ssh://b"}
	facts := machines()
	facts["ssh://a"]["cpu.model"] = "Example 9001"
	r := Judge("t", j, tests, samples)
	Confound(r, j, tests, facts)
	complete := 0
	for _, c := range r.Comparisons {
		if named := len(c.Differs) == 1 && c.Differs[0].What == "cpu.model"; named != c.Complete {
			t.Errorf("%s, complete: %v; it differs in %v", c.Address, c.Complete, c.Differs)
		}
		if c.Complete {
			complete++
		}
	}
	if complete == 0 {
		t.Error("nothing is compared")
	}
}

// A run that left no facts, and figures that were imported, confound nothing.
func TestConfoundWithoutFacts(t *testing.T) {
	j, tests := bench()
	samples := all(tests)
	r := Judge("t", j, tests, samples)
	Confound(r, j, tests, nil)
	for _, c := range r.Comparisons {
		if len(c.Differs) > 0 {
			t.Errorf("%s: %v", c.Address, c.Differs)
		}
	}
}

// TestStrict: with strict a KPI on a confounded comparison is inconclusive, whatever the figures say; other KPIs stay, and a required one
// that fails still decides.
func TestStrict(t *testing.T) {
	j, tests := bench()
	tests[0].Hosts, tests[1].Hosts = []string{"ssh://a"}, []string{"ssh://b"}
	facts := machines()
	facts["ssh://a"]["kernel.release"] = "6.6.0"
	bare := 0.0
	j.KPIs = append(j.KPIs,
		plan.KPI{Address: "kpi.gain", Of: "compare.drives[drive=sas]", Comparison: true, Measure: schema.Measure{Name: "change"}, Severity: "required", Confidence: &bare, Min: &plan.Limit{Value: 0.01}},
		plan.KPI{Address: "kpi.more", Of: "compare.drives[drive=sas]", Comparison: true, Measure: schema.Measure{Name: "change"}, Severity: "required", Confidence: &bare, Min: &plan.Limit{Value: 9}})
	var own []string // KPIs on the comparison
	for _, strict := range []bool{false, true} {
		j.Strict = strict
		r := Judge("t", j, tests, all(tests))
		before := map[string]KPI{}
		for _, k := range r.KPIs {
			before[k.Address] = k
		}
		verdict, exit := r.Verdict, r.Exit
		Confound(r, j, tests, facts)
		own = nil
		for _, k := range r.KPIs {
			was := before[k.Address]
			if k.Of != r.Comparisons[0].Address || was.Verdict != Pass && was.Verdict != Fail {
				if k.Verdict != was.Verdict || k.Reason != was.Reason {
					t.Errorf("strict %v: %s became %s", strict, k.Address, k.Verdict)
				}
				continue
			}
			own = append(own, k.Address)
			if strict != (k.Verdict == Inconclusive && strings.Contains(k.Reason, "kernel.release is 6.6.0 against 6.1.0 (strict); else "+string(was.Verdict)+": "+was.Reason)) {
				t.Errorf("strict %v: %s is %s: %s", strict, k.Address, k.Verdict, k.Reason)
			}
		}
		if !strict && (r.Verdict != verdict || r.Exit != exit) {
			t.Errorf("the verdict became %s without strict", r.Verdict)
		}
	}
	if len(own) != 2 {
		t.Fatalf("KPIs on the comparison: %q", own)
	}
	r := &Results{KPIs: []KPI{{Address: "kpi.a", Of: "compare.x", Verdict: Pass}, {Address: "kpi.b", Of: "compare.y", Verdict: Fail}}, Verdict: Fail, Exit: ExitFail}
	if r.void("compare.x", "why"); r.Verdict != Fail || r.Exit != ExitFail {
		t.Errorf("with another KPI that fails it is %s", r.Verdict)
	}
	if r.void("compare.y", "why"); r.Verdict != Inconclusive || r.Exit != ExitIncomplete {
		t.Errorf("when none fails any more it is %s", r.Verdict)
	}
	if advisory := (&Results{KPIs: []KPI{{Of: "compare.x", Verdict: Pass, Severity: "advisory"}}, Verdict: Pass}); true {
		if advisory.void("compare.x", "why"); advisory.Verdict != Pass || advisory.KPIs[0].Verdict != Inconclusive {
			t.Errorf("an advisory KPI made it %s", advisory.Verdict)
		}
	}
}
