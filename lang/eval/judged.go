package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
)

// judged evaluates what is said about results: comparisons, KPIs and plots.
func (e *evaluator) judged() {
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

// measureRef reads a reference to a test's measure: test.fio.seq.bandwidth.
func (e *evaluator) measureRef(a *hcl.Attribute) (*block, *schema.Measure) {
	t, ok := traversal(a.Expr)
	if !ok {
		e.errorf(a.Expr.Range(), "Not a reference", "%s names a measure as it stands, such as test.fio.seq.bandwidth; it is a reference, not an expression.", a.Name)
		return nil, nil
	}
	if t.RootName() != "test" {
		e.errorf(t.SourceRange(), "Not a measure", "%s names a measure of a test: test.TYPE.NAME.MEASURE.%s", a.Name, diag.DidYouMean(t.RootName(), []string{"test"}))
		return nil, nil
	}
	var path []string
	for _, step := range t[1:] {
		path = append(path, stepName(step))
	}
	if len(path) < 2 || contains(path, "") {
		e.errorf(t.SourceRange(), "Incomplete reference", "%s names a measure of a test: test.TYPE.NAME.MEASURE.", a.Name)
		return nil, nil
	}
	want := addr.Block{Kind: "test", Type: path[0], Name: path[1]}
	b := e.blocks[want]
	if b == nil {
		e.errorf(t[:3].SourceRange(), "Unknown test", "There is no %s%s", want, e.blockHint("test", want))
		return nil, nil
	}
	var names []string
	for _, m := range b.typ.Measures {
		names = append(names, m.Name)
	}
	if len(path) != 3 {
		if !b.broken {
			e.errorf(t.SourceRange(), "Not one measure", "%s names one measure of %s. There is %s.", a.Name, want, diag.List(names))
		}
		return nil, nil
	}
	m := b.typ.Measure(path[2])
	if m == nil && !b.broken {
		e.errorf(t[3].SourceRange(), "Unknown measure", "%s has no measure %q.%s", want, path[2], diag.DidYouMean(path[2], names))
	}
	return b, m
}

// axisName reads the name of an axis that the block varies on.
func (e *evaluator) axisName(a *hcl.Attribute, b *block) string {
	name := e.stringOf(e.constant(a.Expr), a)
	switch {
	case name == "":
		return ""
	case e.axes[name] == nil:
		e.errorf(a.Expr.Range(), "Unknown axis", "There is no axis %q.%s", name, diag.DidYouMean(name, e.axisNames()))
		return ""
	case !contains(b.axes, name):
		if !b.broken {
			e.errorf(a.Expr.Range(), "Axis without effect", "%s does not depend on axis %q.%s", b.cfg.Addr, name, axesOfBlock(b))
		}
		return ""
	}
	return name
}

func axesOfBlock(b *block) string {
	if len(b.axes) == 0 {
		return " It depends on none."
	}
	return " It depends on " + diag.List(b.axes) + "."
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
	block   *block
	measure *schema.Measure
	across  string
	list    []spec.Comparison
}

func (e *evaluator) compare(c *config.Plain) *comparison {
	if c.Attrs["measure"] == nil || c.Attrs["across"] == nil {
		return nil
	}
	b, m := e.measureRef(c.Attrs["measure"])
	if b == nil {
		return nil
	}
	across := e.axisName(c.Attrs["across"], b)
	if across == "" || m == nil {
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
	cmp := &comparison{block: b, measure: m, across: across}
	exists := map[string]bool{}
	for _, inst := range b.list {
		exists[inst.Addr.Coordinates.String()] = true
	}
	name := addr.Block{Kind: "compare", Name: c.Name}
	for _, inst := range b.list {
		at := inst.Addr.Coordinates
		if at[across] == baseline {
			continue
		}
		base := at.With(across, baseline)
		here := addr.Instance{Block: name, Coordinates: at}
		if !exists[base.String()] {
			e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Reason: here.String() + " has no baseline: " + addr.Instance{Block: b.cfg.Addr, Coordinates: base}.String() + " does not exist."})
			continue
		}
		cmp.list = append(cmp.list, spec.Comparison{
			Addr: here, Measure: m, Test: inst.Addr, Across: across, Baseline: baseline, Range: c.Range,
			BaselineTest: addr.Instance{Block: b.cfg.Addr, Coordinates: base},
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
