package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
)

// judged evaluates what is said about results: derived measures, comparisons, KPIs and plots.
func (e *evaluator) judged() {
	for _, m := range e.model.Measures {
		e.derive(m)
	}
	comparisons := map[string]*comparison{}
	for _, c := range e.model.Compares {
		if cmp := e.compare(c); cmp != nil {
			comparisons[c.Name] = cmp
		}
	}
	for _, k := range e.model.KPIs {
		e.kpi(k, comparisons)
	}
	for _, p := range e.model.Plots {
		e.plot(p)
	}
}

// axisName reads the name of an axis that the block varies on, or of one of keys.
func (e *evaluator) axisName(a *hcl.Attribute, of *measured, keys []string) string {
	name := e.stringOf(e.constant(a.Expr), a)
	switch {
	case name == "" || contains(keys, name):
		return name
	case e.axes[name] == nil:
		e.unknownAxis(a.Expr.Range(), name, keys)
		return ""
	case !contains(of.axes, name):
		if !of.broken {
			e.errorf(a.Expr.Range(), "Axis without effect", "%s does not depend on axis %q.%s", of.group(), name, of.axesText())
		}
		return ""
	}
	return name
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// comparison is a compare block with its instances.
type comparison struct {
	of      *measured
	measure *schema.Measure
	across  string
	by      []string
	list    []spec.Comparison
}

func (e *evaluator) compare(c *config.Plain) *comparison {
	if c.Attrs["measure"] == nil || !e.compareForm(c) {
		return nil
	}
	of, m := e.measureRef(c.Attrs["measure"])
	if of == nil {
		return nil
	}
	across := ""
	if a := c.Attrs["across"]; a != nil {
		across = e.axisName(a, of, nil)
	}
	by, ok := e.by(c.Attrs["by"], of, m)
	if ok {
		ok = e.rollsUp(c.Attrs["measure"].Expr.Range(), of, m, by, "name what is left in by")
	}
	if c.Attrs["run"] != nil && m != nil && ok {
		return e.acrossRuns(c, &comparison{of: of, measure: m, by: by})
	}
	if across == "" || m == nil || !ok {
		return nil
	}
	ax := e.axes[across]
	baseline := e.out.Axes[ax.index].Baseline
	if a := c.Attrs["baseline"]; a != nil {
		baseline = e.caseOf(e.constant(a.Expr), a.Expr, ax)
		if baseline == "" {
			return nil
		}
	}
	if baseline == "" && ax.cfg.Baseline == nil {
		e.errorf(c.Range, "No baseline", "A comparison needs a baseline: give axis %q a baseline, or this block baseline = %q.", across, first(ax.names, "CASE"))
		return nil
	}
	if baseline == "" { // reported at the axis
		return nil
	}
	cmp := &comparison{of: of, measure: m, across: across, by: by}
	if c.Import != nil && e.whenConstant(c.Import) {
		if a := c.Attrs["by"]; a != nil {
			e.errorf(a.NameRange, "Keys of published figures", "Published figures stand at axes only, so they are not compared by key; leave by out.")
			return nil
		}
		e.quoted(c, cmp, baseline)
		return cmp
	}
	exists := map[string]bool{}
	for _, inst := range of.list {
		exists[inst.Coordinates.String()] = true
	}
	name := addr.Block{Kind: "compare", Name: c.Name}
	for _, inst := range of.list {
		at := inst.Coordinates
		if at[across] == baseline || !e.stands(c.Attrs, of, at) {
			continue
		}
		base := at.With(across, baseline)
		here := addr.Instance{Block: name, Coordinates: at}
		if !exists[base.String()] {
			e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Reason: here.String() + " has no baseline: " + of.at(base).String() + " does not exist."})
			continue
		}
		cmp.list = append(cmp.list, spec.Comparison{
			Addr: here, Measure: m, Test: inst, Across: across, Baseline: baseline, By: by, Range: c.Range,
			BaselineTest: of.at(base),
		})
	}
	e.out.Comparisons = append(e.out.Comparisons, cmp.list...)
	return cmp
}

// comparisonMeasure is what a comparison yields of a measure.
func comparisonMeasure(m *schema.Measure, name string) *schema.Measure {
	c := &schema.Measure{Name: name, Better: m.Better}
	switch name {
	case "change":
		c.Doc = "change from the baseline, signed"
	case "ratio":
		c.Doc = "ratio to the baseline"
	case "difference":
		c.Doc, c.Dim, c.Symbol = "difference from the baseline", m.Dim, m.Symbol
	default:
		return nil
	}
	return c
}

// limit reads a threshold on a measure. change is true where the measure is a comparison's change.
func (e *evaluator) limit(a *hcl.Attribute, m *schema.Measure, change bool, at addr.Coordinates) *spec.Limit {
	v := e.value(a.Expr, at)
	if v.ContainsMarked() {
		e.errorf(a.Expr.Range(), "Sensitive threshold", "A threshold stands in every report, so it cannot come from a sensitive variable.")
		return nil
	}
	return e.limitOf(v, a, m, change)
}

func limitText(q unit.Quantity, m *schema.Measure) string {
	if q.Relative() || q.Share() {
		return q.String()
	}
	return unit.Format(q.Float(), q.Dim(), m.Symbol)
}
