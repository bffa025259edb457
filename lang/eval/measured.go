package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/hashicorp/hcl/v2"
)

// measured is what has figures: a test block, a dataset block, a monitor block, or a measure block that derives its figure from others.
type measured struct {
	name   addr.Block
	each   string // of a dataset with for_each: the key
	axes   []string
	list   []addr.Instance
	broken bool
}

// measured is what has the figures of a block, or of its instances with a key.
func (b *block) measured(key string) *measured {
	m := &measured{name: b.cfg.Addr, each: key, axes: b.axes, broken: b.broken}
	for _, inst := range b.list {
		if inst.Addr.Each == key {
			m.list = append(m.list, inst.Addr)
		}
	}
	return m
}

// group names it in messages and tables: dataset.mysql_tpcc.w["a"].
func (m *measured) group() string { return addr.Instance{Block: m.name, Each: m.each}.Group() }

// at is its instance at coordinates, whether there is one or not.
func (m *measured) at(c addr.Coordinates) addr.Instance {
	return addr.Instance{Block: m.name, Each: m.each, Coordinates: c}
}

// measuredKey takes the key out of a reference to a measure of a dataset with for_each, dataset.TYPE.NAME["KEY"].MEASURE. ok is false
// where it lacks or does not exist, which is reported; rest are the names that are left.
func (e *evaluator) measuredKey(b *block, t hcl.Traversal, path []string) (key string, rest []string, ok bool) {
	if b.forEach == nil || len(path) < 3 {
		return "", path, true
	}
	var keys []string
	for _, inst := range b.list {
		if !contains(keys, inst.Addr.Each) {
			keys = append(keys, inst.Addr.Each)
		}
	}
	name := b.cfg.Addr.String()
	if _, attr := t[3].(hcl.TraverseAttr); attr && !contains(keys, path[2]) {
		e.errorf(t[3].SourceRange(), "Several instances", "%s has for_each, so there is a figure for each key: write %s[%q].%s.", name, name, first(keys, "KEY"), path[2])
		return "", nil, false
	}
	if !contains(keys, path[2]) {
		if !b.broken {
			e.errorf(t[3].SourceRange(), "Unknown key", "%s has no key %q.%s", name, path[2], diag.DidYouMean(path[2], keys))
		}
		return "", nil, false
	}
	return path[2], append(path[:2:2], path[3:]...), true
}

// axesText says on which axes it depends, as a sentence with a leading blank.
func (m *measured) axesText() string {
	if len(m.axes) == 0 {
		return " It depends on none."
	}
	return " It depends on " + diag.List(m.axes) + "."
}

// measureRef reads a reference to a measure: test.fio.seq.bandwidth, or measure.price.
func (e *evaluator) measureRef(a *hcl.Attribute) (*measured, *schema.Measure) {
	t, ok := traversal(a.Expr)
	if !ok {
		e.errorf(a.Expr.Range(), "Not a reference", "%s names a measure as it stands, such as test.fio.seq.bandwidth; it is a reference, not an expression. Compute with measures in a measure block.", a.Name)
		return nil, nil
	}
	return e.measureAt(t, a.Name)
}

// measureAt resolves a reference to a measure; what names it in messages.
func (e *evaluator) measureAt(t hcl.Traversal, what string) (*measured, *schema.Measure) {
	if t.RootName() == "measure" {
		return e.derivedAt(t, what)
	}
	kind := t.RootName()
	if kind != "test" && kind != "dataset" && kind != "monitor" {
		e.errorf(t.SourceRange(), "Not a measure", "%s names a measure of a test, a dataset or a monitor, test.TYPE.NAME.MEASURE, or a derived one, measure.NAME.%s", what, suggestOnly(kind, []string{"test", "dataset", "monitor", "measure"}))
		return nil, nil
	}
	var path []string
	for _, step := range t[1:] {
		path = append(path, stepName(step))
	}
	if len(path) < 2 || contains(path, "") {
		e.errorf(t.SourceRange(), "Incomplete reference", "%s names a measure of a %s: %s.TYPE.NAME.MEASURE.", what, kind, kind)
		return nil, nil
	}
	want := addr.Block{Kind: kind, Type: path[0], Name: path[1]}
	b := e.blocks[want]
	if b == nil {
		e.errorf(t[:3].SourceRange(), "Unknown "+kind, "There is no %s%s", want, e.blockHint(kind, want))
		return nil, nil
	}
	if kind == "monitor" && b.during == nil && !b.broken {
		e.errorf(t.SourceRange(), "Context only", "%s has no during: it watches every test on its hosts, and its figures are context. Give it during = test.TYPE.NAME, and its measures stand at that test's coordinates.", want)
		return nil, nil
	}
	var names []string
	for _, m := range b.typ.Measures {
		names = append(names, m.Name)
	}
	key, path, ok := e.measuredKey(b, t, path)
	if !ok {
		return nil, nil
	}
	of := b.measured(key)
	if len(path) != 3 {
		if !b.broken {
			e.errorf(t.SourceRange(), "Not one measure", "%s names one measure of %s. There is %s.", what, of.group(), diag.List(names))
		}
		return nil, nil
	}
	m := b.typ.Measure(path[2])
	if m == nil && !b.broken {
		e.errorf(t[len(t)-1].SourceRange(), "Unknown measure", "%s has no measure %q.%s", of.group(), path[2], diag.DidYouMean(path[2], names))
	}
	return of, m
}

// stands evaluates the `when` of a block about results at the coordinates of what it is about; without one it is true.
func (e *evaluator) stands(attrs hcl.Attributes, of *measured, at addr.Coordinates) bool {
	a := attrs["when"]
	if a == nil {
		return true
	}
	if axis := e.foreignAxis(a.Expr, of); axis != "" {
		e.errorf(a.Expr.Range(), "Axis that the measure lacks", "when depends on axis %q, but the measure does not.%s", axis, of.axesText())
		return false
	}
	yes, ok := e.bool(e.value(a.Expr, at), a)
	return yes || !ok
}

// foreignAxis names an axis on which an expression depends and the measure does not, or "".
func (e *evaluator) foreignAxis(expr hcl.Expression, of *measured) string {
	for _, axis := range e.axesOf(expr) {
		if !contains(of.axes, axis) {
			return axis
		}
	}
	return ""
}
