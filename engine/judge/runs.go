package judge

import (
	"fmt"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// Baseline is another run, with which comparisons compare.
type Baseline struct {
	Run     string // its id
	Plan    *plan.Plan
	Samples []measure.Sample
	Facts   map[string]map[string]string // of its hosts
}

// Baselines are the other runs by the names that the plan has for them; "" is the one that is named when it is judged. One that is not
// there has no figures, and decides nothing.
type Baselines map[string]*Baseline

// there is the name of an address in another run.
func there(run, address string) string { return "run " + run + ": " + address }

// id is the one that a comparison's baseline is known by: the id of the run, or what the plan calls it.
func (b Baselines) id(c plan.Comparison) string {
	if other := b[c.Run]; other != nil {
		return other.Run
	}
	return c.Run
}

// aim points the comparisons with another run to the figures there.
func (b Baselines) aim(list []plan.Comparison) []plan.Comparison {
	out := make([]plan.Comparison, len(list))
	for i, c := range list {
		if c.OtherRun {
			c.Baseline = b.id(c)
			c.BaselineTest = there(c.Baseline, c.BaselineTest)
		}
		out[i] = c
	}
	return out
}

// join adds what the other runs measured to what is looked up: their tests under the names of there, and their derived figures.
func (b Baselines) join(j plan.Judgement, planned map[string]*cell, derivedThere func(plan.Derived)) {
	done := map[string]bool{}
	for _, c := range j.Comparisons {
		other := b[c.Run]
		if !c.OtherRun || other == nil || done[other.Run] {
			continue
		}
		done[other.Run] = true
		cells, _ := arrange(other.Plan.Judgement, other.Plan.Measured(), other.Samples)
		for _, c := range cells {
			planned[there(other.Run, c.test.Address)] = c
		}
		for _, d := range other.Plan.Judgement.Derived {
			d.Address, d.Formula = there(other.Run, d.Address), thereOf(other.Run, d.Formula)
			derivedThere(d)
		}
	}
}

// thereOf is a formula over the figures of another run.
func thereOf(run string, f plan.Formula) plan.Formula {
	if f.Of != "" {
		f.Of = there(run, f.Of)
	}
	args := make([]plan.Formula, len(f.Args))
	for i, a := range f.Args {
		args[i] = thereOf(run, a)
	}
	f.Args = args
	return f
}

// lacks says why a comparison with another run has no baseline; empty where it has one, whatever that measured. A measure of another dimension is
// another measure.
func (b Baselines) lacks(c plan.Comparison, have Figure) string {
	switch other := b[c.Run]; {
	case !c.OtherRun:
		return ""
	case other == nil && c.Run == "":
		return "no run is named as the baseline; give one with --baseline RUN"
	case other == nil:
		return fmt.Sprintf("the run %s, which is the baseline, is not there", c.Run)
	case have.N > 0 && have.Measure.Dim != c.Measure.Dim:
		return fmt.Sprintf("%s is in %s, and in run %s in %s", c.Measure.Name, unitOf(c.Measure), other.Run, unitOf(have.Measure))
	}
	return ""
}

func unitOf(m schema.Measure) string { return m.Dim.String() }
