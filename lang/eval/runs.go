package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/spec"
)

// compareForm checks that a compare block says with what it compares: across an axis, or with another run.
func (e *evaluator) compareForm(c *config.Plain) bool {
	across, run := c.Attrs["across"], c.Attrs["run"]
	switch {
	case across == nil && run == nil:
		e.errorf(c.Range, "Nothing to compare with", "A comparison is across an axis, across = \"AXIS\", or with another run, run = \"RUN\".")
	case across != nil && run != nil:
		e.errorf(run.NameRange, "Two baselines", "A comparison is across an axis or with another run; remove across, or run.")
	case run != nil && c.Attrs["baseline"] != nil:
		e.errorf(c.Attrs["baseline"].NameRange, "Two baselines", "With run, the baseline of each instance is itself in the other run; remove baseline.")
	case run != nil && c.Import != nil:
		e.errorf(c.Import.Range, "Two baselines", "Published comparisons are across an axis; remove import, or compare across one.")
	default:
		return true
	}
	return false
}

// runAxis is what a comparison with another run is across.
const runAxis = "run"

// acrossRuns makes the instances of a comparison with another run: each of the measure, with itself there.
func (e *evaluator) acrossRuns(c *config.Plain, cmp *comparison) *comparison {
	a, run := c.Attrs["run"], ""
	v, before := e.constant(a.Expr), len(e.diags)
	if v.IsMarked() || !v.IsNull() { // null: --baseline names it
		run = e.stringOf(v, a)
		if v.IsKnown() && len(e.diags) == before && (run == "" || run == "latest") {
			e.errorf(a.Expr.Range(), "No run", "run is the path or the id of another run, which stays the same; null leaves it to assay judge --baseline RUN.")
		}
		if len(e.diags) > before || !v.IsKnown() {
			return nil
		}
	}
	cmp.across = runAxis
	name := addr.Block{Kind: "compare", Name: c.Name}
	for _, inst := range cmp.of.list {
		if e.stands(c.Attrs, cmp.of, inst.Coordinates) {
			cmp.list = append(cmp.list, spec.Comparison{
				Addr: addr.Instance{Block: name, Coordinates: inst.Coordinates}, Measure: cmp.measure, Test: inst, BaselineTest: inst,
				Across: runAxis, Baseline: run, By: cmp.by, OtherRun: true, Run: run, Range: c.Range,
			})
		}
	}
	e.out.Comparisons = append(e.out.Comparisons, cmp.list...)
	return cmp
}
