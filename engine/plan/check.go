package plan

import (
	"fmt"
	"maps"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// conflicts merges equal setups and looks for tests that stand on things which exclude each other.
func (b *builder) conflicts() hcl.Diagnostics {
	b.merge()
	b.join()
	b.closeAll()
	var diags hcl.Diagnostics
	for _, c := range b.closures {
		x, y, name, bad := graph.Conflict(b.nodes, c.things)
		if !bad {
			continue
		}
		who := c.first
		of, other, apart := b.owners(b.chainOf[c.first], x, y)
		if of != nil && of == other {
			who = of
		}
		if apart {
			diags = append(diags, diag.Error(of.Range, "Conflicting setups",
				"%s needs %s, and %s needs %s, and both claim %q for themselves. %s Let both stand on one thing, or on such as exclude each other not.",
				of.Addr, b.things[x].Addresses[0], other.Addr, b.things[y].Addresses[0], name, atOnce(of, other)))
			continue
		}
		if b.things[x].Slot == name && b.things[y].Slot == name {
			diags = append(diags, diag.Error(who.Range, "Conflicting setups",
				"%s needs %s and %s at once, which are states of one thing, %q. Let them take turns by putting each in a case of its own, or name the one that is needed only while the other things are made in their depends_on.",
				who.Addr, b.things[x].Addresses[0], b.things[y].Addresses[0], name))
			continue
		}
		diags = append(diags, diag.Error(who.Range, "Conflicting setups",
			"%s needs %s and %s at once, and both claim %q for themselves. Let them take turns by putting each in a case of its own.",
			who.Addr, b.things[x].Addresses[0], b.things[y].Addresses[0], name))
	}
	if len(diags) == 0 {
		diags = b.inEachOthersWay()
	}
	return append(append(diags, b.keeping()...), append(b.growing(), b.hurried()...)...)
}

// keeping looks for things that are to be kept and stand on what is not.
func (b *builder) keeping() hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, inst := range b.spec.Setups {
		if inst.Keep == nil || !*inst.Keep {
			continue
		}
		for _, n := range b.thingOf[inst].needs {
			if !n.Keep {
				diags = append(diags, diag.Error(inst.Range, "Kept on what goes",
					"%s has keep = true and stands on %s, which is destroyed at the end. Write keep = true in %s too, or leave it out here.", inst.Addr, n.Addresses[0], n.Instance.Block))
			}
		}
	}
	return diags
}

// power finds relative KPIs that could never be reached with so few repetitions: an error before the night, not after it. How often a
// dataset is loaded shows only when the walk is known: until then loads is nil, and what is about datasets is left out. Nor is it known at how many keys
// a KPI judges: it counts once.
func (b *builder) power(loads map[string]int) hcl.Diagnostics {
	repeat := maps.Clone(loads)
	if repeat == nil {
		repeat = map[string]int{}
	}
	for _, t := range b.runs() {
		repeat[t.Addr.String()] = t.Repeat * max(1, b.spec.Rounds)
	}
	for _, d := range b.spec.Derived {
		repeat[d.Addr.String()] = repetitions(d.Formula, repeat)
	}
	arms, ofLoads := map[string][2]int{}, map[string]bool{}
	for _, c := range b.spec.Comparisons {
		if c.Quoted != nil {
			continue // judged by the bare figure
		}
		ofLoads[c.Addr.String()] = c.Test.Kind == "dataset"
		arms[c.Addr.String()] = [2]int{repeat[c.Test.String()], repeat[c.BaselineTest.String()]}
	}
	cells := 0
	for _, k := range b.spec.KPIs {
		if _, relative := arms[k.Ref.Of.String()]; relative && k.Required && (k.Confidence == nil || *k.Confidence > 0) {
			cells++
		}
	}
	var diags hcl.Diagnostics
	for _, k := range b.spec.KPIs {
		n, relative := arms[k.Ref.Of.String()]
		confidence := b.spec.Confidence
		if k.Confidence != nil {
			confidence = *k.Confidence
		}
		if ofLoads[k.Ref.Of.String()] && loads == nil {
			continue
		}
		if !relative || !(k.Required || k.Confidence != nil) || confidence == 0 {
			continue
		}
		gated := 1
		if k.Required {
			gated = cells
		}
		if stats.CanReach(n[0], n[1], confidence, gated) {
			continue
		}
		need := stats.MinimumRepeat(confidence, gated)
		what, where := "repetition", fmt.Sprintf("repeat = %d in the test", need)
		if ofLoads[k.Ref.Of.String()] { // data are loaded anew in each round
			what, where = "load", fmt.Sprintf("rounds = %d in the spec block", need)
		}
		detail := fmt.Sprintf("%s judges a comparison of %s with %d. At a confidence of %g and with %d such KPIs it takes at least %d on each side: set %s, or severity = \"advisory\" or confidence = 0 in the KPI, which judges the bare figure.",
			k.Addr, count(n[0], what), n[1], confidence, gated, need, where)
		if need == 0 {
			detail = fmt.Sprintf("%s can never be decided at a confidence of %g.", k.Addr, confidence)
		}
		diags = append(diags, diag.Error(k.Range, "KPI that cannot be decided", "%s", detail))
	}
	return diags
}

// repetitions of a derived measure: those of the one test from which all its figures come, else one, from medians.
func repetitions(f spec.Formula, repeat map[string]int) int {
	tests := map[string]bool{}
	var walk func(spec.Formula)
	walk = func(f spec.Formula) {
		if f.Of != "" {
			tests[f.Of] = true
		}
		for _, a := range f.Args {
			walk(a)
		}
	}
	walk(f)
	if len(tests) != 1 {
		return 1
	}
	for t := range tests {
		return repeat[t]
	}
	return 1
}
