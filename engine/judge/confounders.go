package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/kpi"
	"github.com/assay-bench/assay/engine/plan"
)

// Confound tells of each comparison what else than its axis differs between its arms: facts of the machines, by host address, and the
// generation of data under both. It is a warning, since nobody can say then what made the difference; where the judgement is strict, no
// KPI is decided by it. Quoted comparisons have no machines.
func Confound(r *Results, j plan.Judgement, tests []plan.Test, facts map[string]map[string]string) {
	hosts := map[string][]map[string]string{}
	for _, t := range tests {
		list := t.Hosts
		if len(list) == 0 {
			list = []string{""}
		}
		for _, h := range list {
			if f, ok := facts[h]; ok && t.Import == nil {
				hosts[t.Address] = append(hosts[t.Address], f)
			}
		}
	}
	generations := map[string][]string{}
	for _, s := range r.Samples {
		g := fmt.Sprint(max(1, s.Generation))
		if !slices.Contains(generations[s.Address], g) {
			generations[s.Address] = append(generations[s.Address], g)
		}
	}
	things := map[string][]string{}
	for _, t := range tests {
		things[t.Address] = t.Things
	}
	of := map[string]string{} // address of a figure at keys → of its test
	for _, f := range r.Figures {
		if f.Test != "" {
			of[f.Address] = f.Test
		}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Quoted || c.OtherRun {
			continue
		}
		arm, base := cmp.Or(of[c.Test], c.Test), cmp.Or(of[c.BaselineTest], c.BaselineTest)
		if len(hosts[arm]) > 0 && len(hosts[base]) > 0 {
			c.Differs = compare.Facts(hosts[arm], hosts[base])
		}
		x, y := generations[arm], generations[base]
		if len(x) > 0 && len(y) > 0 && !slices.Equal(x, y) && slices.ContainsFunc(things[arm], func(id string) bool { return slices.Contains(things[base], id) }) {
			c.Differs = append(c.Differs, compare.Difference{What: "generation of the data", Arm: strings.Join(x, ", "), Baseline: strings.Join(y, ", ")})
		}
		r.confounded(c, j.Strict, "the arms differ in more than "+c.Across)
	}
}

// confounded warns of what else differs between the arms of a comparison, and where the judgement is strict lets it decide nothing.
func (r *Results) confounded(c *Comparison, strict bool, what string) {
	if len(c.Differs) == 0 {
		return
	}
	why := what + ": " + told(c.Differs)
	r.Warnings = append(r.Warnings, c.Address+": "+why)
	if strict {
		r.void(c.Address, why)
	}
}

// void lets a comparison decide no KPI. What the figure says stays in the reason.
func (r *Results) void(comparison, why string) {
	changed, failed := false, false
	for i := range r.KPIs {
		k := &r.KPIs[i]
		if k.Of == comparison && (k.Verdict == Pass || k.Verdict == Fail) {
			k.Verdict, k.Reason = Inconclusive, why+" (strict); else "+string(k.Verdict)+": "+k.Reason
			changed = changed || kpi.Required(k.Severity)
		}
		failed = failed || k.Verdict == Fail && kpi.Required(k.Severity)
	}
	if changed && !failed {
		r.Verdict, r.Exit = Inconclusive, ExitIncomplete
	}
}

// most is how many differences a warning names; all are in the results.
const most = 6

func told(list []compare.Difference) string {
	var parts []string
	for i, d := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		value := func(s string) string {
			if s == "" {
				return "none"
			}
			return s
		}
		parts = append(parts, fmt.Sprintf("%s is %s against %s", d.What, value(d.Arm), value(d.Baseline)))
	}
	return strings.Join(parts, "; ")
}
