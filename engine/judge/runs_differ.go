package judge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
)

// ConfoundRuns tells of each comparison with another run what differs between the two: facts of the machines, the configuration of the test and
// of what it stood on, the versions of the providers. Only one of it was meant, and nobody but the reader knows which; so it is a
// warning, and where the judgement is strict no KPI is decided.
func ConfoundRuns(r *Results, p *plan.Plan, facts map[string]map[string]string, runs Baselines) {
	of := map[string]string{} // address of a figure at keys → of its test
	for _, f := range r.Figures {
		if f.Test != "" {
			of[f.Address] = f.Test
		}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if !c.OtherRun || c.BaselineFigure == nil || c.N == 0 {
			continue
		}
		var other *Baseline
		for _, name := range slices.Sorted(maps.Keys(runs)) {
			if b := runs[name]; b != nil && b.Run == c.Baseline {
				other = b
			}
		}
		if other == nil {
			continue
		}
		tests := measuredBy(p, cmp.Or(of[c.Test], c.Test))
		here, base := factsOf(p, tests, facts), factsOf(other.Plan, tests, other.Facts)
		if len(here) > 0 && len(base) > 0 {
			c.Differs = compare.Facts(here, base)
		}
		c.Differs = append(c.Differs, plansDiffer(p, other.Plan, tests)...)
		r.confounded(c, p.Judgement.Strict, "the two runs differ")
	}
}

// measuredBy gives the tests that a figure comes from: itself, or those of a derived measure.
func measuredBy(p *plan.Plan, address string) []string {
	for _, d := range p.Judgement.Derived {
		if d.Address == address {
			var tests []string
			for _, f := range leaves(d.Formula) {
				tests = append(tests, f.Of)
			}
			slices.Sort(tests)
			return slices.Compact(tests)
		}
	}
	return []string{address}
}

// factsOf gives the facts of the hosts on which tests were run; of what was imported there are none.
func factsOf(p *plan.Plan, tests []string, facts map[string]map[string]string) []map[string]string {
	var out []map[string]string
	for _, t := range p.Measured() {
		if !slices.Contains(tests, t.Address) || t.Import != nil {
			continue
		}
		hosts := t.Hosts
		if len(hosts) == 0 {
			hosts = []string{""}
		}
		for _, h := range hosts {
			if f, ok := facts[h]; ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// plansDiffer compares the configuration of tests and of all that they stood on, by their addresses, and the versions of the providers.
func plansDiffer(now, old *plan.Plan, tests []string) []compare.Difference {
	is, was := configs(now, tests), configs(old, tests)
	all := maps.Clone(is)
	maps.Copy(all, was)
	var out []compare.Difference
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if is[what] != was[what] {
			out = append(out, compare.Difference{What: what, Arm: is[what], Baseline: was[what]})
		}
	}
	return out
}

// configs gives each attribute of what was measured and of what stood under it, as JSON by its name.
func configs(p *plan.Plan, tests []string) map[string]string {
	out := map[string]string{}
	add := func(address string, raw json.RawMessage) {
		var attrs map[string]json.RawMessage
		if json.Unmarshal(raw, &attrs) != nil {
			return
		}
		for name, v := range attrs {
			var text bytes.Buffer
			if json.Compact(&text, v) == nil && text.String() != "null" && text.String() != "[]" {
				out[address+" "+name] = text.String()
			}
		}
	}
	things := map[string]bool{}
	types := map[string]bool{}
	for _, t := range p.Measured() {
		if !slices.Contains(tests, t.Address) {
			continue
		}
		if !t.Loaded() { // a dataset that is loaded stands among the things
			add(t.Address, t.Config)
		}
		types[t.Type] = true
		for _, id := range t.Things {
			things[id] = true
		}
	}
	for _, t := range p.Things {
		if things[t.ID] && len(t.Addresses) > 0 {
			add(t.Addresses[0], t.Config)
			types[t.Type] = true
		}
	}
	for _, v := range p.Providers {
		for typ := range types {
			if typ == v.Name || strings.HasPrefix(typ, v.Name+"_") {
				out["provider "+v.Name] = v.Version
			}
		}
	}
	return out
}
