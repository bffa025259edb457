package eval

import (
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// judgedThing is what a KPI judges: the instances of a test's measure, or of a comparison.
type judgedThing struct {
	measure  *schema.Measure
	change   bool
	of       *measured
	list     []addr.Instance
	compared bool // a comparison, of this block
	block    addr.Block
	keys     []string // that where may name: of the measure, or those by which the comparison is made
}

func (e *evaluator) kpi(k *config.Plain, comparisons map[string]*comparison) {
	if k.Attrs["measure"] == nil {
		return
	}
	base := e.kpiBase(k)
	if k.Attrs["profile"] != nil {
		e.byProfile(k, base)
		return
	}
	for _, l := range k.Limits {
		e.errorf(l.Range, "Limit without a profile", "A limit block changes a limit of a profile, and kpi.%s names none. Write min, max or within here.", k.Name)
	}
	e.kpiForm(k)
	of := e.judgedThing(k.Attrs["measure"], comparisons)
	if of == nil {
		return
	}
	where, keys, ok := e.where(k.Attrs["where"], of.of, of.keys)
	by, fine := e.kpiKeys(k, of, keys)
	if !ok || !fine {
		return
	}
	if base.By = by; len(keys) > 0 {
		base.Keys = keys
	}
	others, ok := e.others(k, of, by, comparisons)
	if !ok {
		return
	}
	name := addr.Block{Kind: "kpi", Name: k.Name}
	found, off := false, false
	for _, inst := range of.list {
		if !where.matches(inst.Coordinates) {
			continue
		}
		if !e.stands(k.Attrs, of.of, inst.Coordinates) {
			off = true
			continue
		}
		found = true
		one := base
		if missing := others.at(inst.Coordinates, &one); missing != "" {
			e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Advisory: !base.Required, Reason: fmt.Sprintf("%s: %s does not exist", addr.Instance{Block: name, Coordinates: inst.Coordinates}, missing)})
			continue
		}
		one.Addr = addr.Instance{Block: name, Coordinates: inst.Coordinates}
		one.Ref = spec.MeasureRef{Of: inst, Measure: of.measure}
		e.thresholds(k, &one, of)
		e.out.KPIs = append(e.out.KPIs, one)
	}
	switch {
	case found:
	case off: // on purpose, so that it has no effect
		e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Advisory: true, Reason: "it is switched off by when"})
	default:
		e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Advisory: !base.Required, Reason: "nothing that it judges exists: no instance of the measure is let through by where"})
	}
}

// kpiBase reads what all verdicts of a KPI have in common.
func (e *evaluator) kpiBase(k *config.Plain) spec.KPI {
	base := spec.KPI{Required: true, Statistic: "median", Range: k.Range}
	for _, a := range config.SortedAttributes(k.Attrs) {
		switch a.Name {
		case "severity":
			base.Required = e.enum(e.constant(a.Expr), a, []string{"required", "advisory"}) != "advisory"
		case "statistic":
			base.Statistic = e.enum(e.constant(a.Expr), a, []string{"median", "worst", "best", "each"})
		case "because":
			base.Because = e.stringOf(e.constant(a.Expr), a)
		case "confidence":
			if f, ok := e.number(e.constant(a.Expr), a); ok {
				if f < 0 || f >= 1 {
					e.errorf(a.Expr.Range(), "Out of range", "confidence is a share below 1, such as 0.95; 0 judges the bare figure.")
				}
				base.Confidence = &f
			}
		}
	}
	return base
}

// judgedThing resolves the measure of a KPI.
func (e *evaluator) judgedThing(a *hcl.Attribute, comparisons map[string]*comparison) *judgedThing {
	t, isRef := traversal(a.Expr)
	if !isRef || t.RootName() != "compare" {
		of, m := e.measureRef(a)
		if of == nil || m == nil {
			return nil
		}
		return &judgedThing{measure: m, of: of, list: of.list, keys: m.Keys}
	}
	fields := []string{"change", "ratio", "difference"}
	name, field := "", ""
	if len(t) > 1 {
		name = stepName(t[1])
	}
	if len(t) > 2 {
		field = stepName(t[2])
	}
	var names []string
	declared := false
	for _, c := range e.model.Compares {
		names = append(names, c.Name)
		declared = declared || c.Name == name
	}
	switch c := comparisons[name]; {
	case !declared:
		e.errorf(t.SourceRange(), "Unknown comparison", "There is no compare block %q.%s", name, diag.DidYouMean(name, names))
	case len(t) != 3 || !contains(fields, field):
		e.errorf(t[min(2, len(t)-1):].SourceRange(), "Unknown measure", "A comparison has %s: write compare.%s.change.%s", diag.List(fields), name, suggestOnly(field, fields))
	case c != nil:
		of := &judgedThing{measure: comparisonMeasure(c.measure, field), change: field == "change", of: c.of, compared: true, block: addr.Block{Kind: "compare", Name: name}, keys: c.by}
		for _, inst := range c.list {
			of.list = append(of.list, inst.Addr)
		}
		return of
	}
	return nil
}

// thresholds reads the limits of one instance.
func (e *evaluator) thresholds(k *config.Plain, one *spec.KPI, of *judgedThing) {
	at := one.Addr.Coordinates
	for _, name := range []string{"min", "max", "within"} {
		a := k.Attrs[name]
		if a == nil {
			continue
		}
		if axis := e.foreignAxis(a.Expr, of.of); axis != "" {
			e.errorf(a.Expr.Range(), "Axis that the measure lacks", "The threshold depends on axis %q, but the measure does not.%s", axis, of.of.axesText())
			return
		}
		switch name {
		case "min":
			one.Min = e.limit(a, of.measure, of.change, at)
		case "max":
			one.Max = e.limit(a, of.measure, of.change, at)
		case "within":
			e.within(a, one, of, at)
		}
		if one.Min != nil && one.Max != nil && one.Min.Value > one.Max.Value {
			e.errorf(a.Expr.Range(), "Empty range", "The lower limit, %s, is above the upper one, %s, so nothing passes.", one.Min.Text, one.Max.Text)
		}
	}
}

func (e *evaluator) within(a *hcl.Attribute, one *spec.KPI, of *judgedThing, at addr.Coordinates) {
	v := e.value(a.Expr, at)
	if !v.IsWhollyKnown() {
		return
	}
	if v.ContainsMarked() {
		e.limit(a, of.measure, of.change, at)
		return
	}
	if ty := v.Type(); v.IsNull() || !ty.IsTupleType() && !ty.IsListType() || v.LengthInt() != 2 {
		e.errorf(a.Expr.Range(), "Not a range", `within takes two limits: within = ["4ms", "6ms"].`)
		return
	}
	ends := v.AsValueSlice()
	one.Within = true
	one.Min = e.limitOf(ends[0], a, of.measure, of.change)
	one.Max = e.limitOf(ends[1], a, of.measure, of.change)
}

func (e *evaluator) limitOf(v cty.Value, a *hcl.Attribute, m *schema.Measure, change bool) *spec.Limit {
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		v = cty.StringVal(unit.WithoutSymbol(v.AsString(), m.Dim, m.Symbol))
	}
	q := e.quantity(v, a, m.Dim)
	switch {
	case q == nil:
		return nil
	case change && !q.Relative():
		e.errorf(a.Expr.Range(), "Change without a sign", "%s is a change from the baseline, which is written with a sign and %%: +15%% or -5%%. For a share of the baseline judge the comparison's ratio.", a.Name)
		return nil
	case !change && q.Relative():
		e.errorf(a.Expr.Range(), "Change where a value is wanted", "%s = %q is measured from a baseline, but %s is not; judge a comparison's change, or write a value without a sign.", a.Name, q.Text(), m.Name)
		return nil
	}
	return &spec.Limit{Text: limitText(*q, m), Value: q.Float()}
}

// filter lets coordinates through: axis → the cases that pass.
type filter map[string][]string

func (f filter) matches(at addr.Coordinates) bool {
	for axis, values := range f {
		if !contains(values, at[axis]) {
			return false
		}
	}
	return true
}

// kpiKeys gives the keys by which a KPI is judged: what by names, and where as well; of a comparison those by which it is made.
func (e *evaluator) kpiKeys(k *config.Plain, of *judgedThing, where filter) (keys []string, ok bool) {
	a := k.Attrs["by"]
	if of.compared {
		if a != nil {
			e.errorf(a.NameRange, "Keys of a comparison", "There is a verdict for each figure of the comparison; write by in the compare block.")
		}
		return of.keys, a == nil
	}
	named, ok := e.by(a, of.of, of.measure)
	for key := range where {
		named = append(named, key)
	}
	keys = ordered(named, of.keys)
	return keys, ok && e.rollsUp(k.Attrs["measure"].Expr.Range(), of.of, of.measure, keys, "name what is left in by or where")
}

// where reads { axis = case or list of cases }, or of a key of the results its values, which nobody knows before the run. It is
// read pair by pair, since duplicate keys of an object overwrite each other silently.
func (e *evaluator) where(a *hcl.Attribute, of *measured, keys []string) (f, byKey filter, ok bool) {
	f, byKey = filter{}, filter{}
	if a == nil {
		return f, byKey, true
	}
	pairs, diags := hcl.ExprMap(a.Expr)
	if diags.HasErrors() {
		e.errorf(a.Expr.Range(), "Not a filter", `where is written { axis = "case" } or { axis = ["case", "case"] }.`)
		return nil, nil, false
	}
	ok = true
	for _, p := range pairs {
		axis := hcl.ExprAsKeyword(p.Key)
		if axis == "" {
			axis, _ = plainText(e.constant(p.Key))
		}
		switch {
		case contains(keys, axis) && byKey[axis] != nil:
			e.errorf(p.Key.Range(), "Key given twice", "where names the key %q twice; give a list of values.", axis)
			ok = false
		case contains(keys, axis):
			values, fine := e.keyValues(p.Value)
			byKey[axis] = values
			ok = ok && fine
		case e.axes[axis] == nil:
			e.unknownAxis(p.Key.Range(), axis, keys)
			ok = false
		case !contains(of.axes, axis):
			e.errorf(p.Key.Range(), "Axis without effect", "%s does not depend on axis %q.%s", of.group(), axis, of.axesText())
			ok = false
		case f[axis] != nil:
			e.errorf(p.Key.Range(), "Axis given twice", "where names axis %q twice; give a list of cases.", axis)
			ok = false
		default:
			values, fine := e.whereValues(p.Value, e.axes[axis])
			f[axis] = values
			ok = ok && fine
		}
	}
	return f, byKey, ok
}

// items gives what where has behind a name: one value, or those of a list.
func (e *evaluator) items(expr hcl.Expression) (list []cty.Value, ok bool) {
	v := e.constant(expr)
	v, _ = v.UnmarkDeep()
	switch {
	case !v.IsWhollyKnown():
		return nil, false
	case !v.IsNull() && v.CanIterateElements():
		return v.AsValueSlice(), true
	}
	return []cty.Value{v}, true
}

// keyValues reads values of a key. They come with the results, so none can be checked.
func (e *evaluator) keyValues(expr hcl.Expression) (values []string, ok bool) {
	if e.constant(expr).ContainsMarked() {
		e.errorf(expr.Range(), "Sensitive value of a key", "What where lets through stands in every plan and report, so it cannot come from a sensitive variable.")
		return nil, false
	}
	items, ok := e.items(expr)
	values = []string{}
	for _, item := range items {
		s, plain := plainText(item)
		if !plain {
			e.errorf(expr.Range(), "Not a value of a key", `A value of a key is written as a string, or several as a list of strings.`)
			return values, false
		}
		if !contains(values, s) {
			values = append(values, s)
		}
	}
	if ok && len(values) == 0 {
		e.errorf(expr.Range(), "No value of a key", "The list is empty, so it lets nothing through; name at least one value, or leave the key out.")
	}
	return values, ok && len(values) > 0
}

func (e *evaluator) whereValues(expr hcl.Expression, ax *axis) ([]string, bool) {
	items, known := e.items(expr)
	if !known {
		return nil, false
	}
	values := []string{}
	ok := true
	for _, item := range items {
		s, plain := plainText(item)
		name := ax.find(s)
		switch {
		case !plain:
			e.errorf(expr.Range(), "Not a case", `A case is written as a string, or several as a list of strings.`)
			ok = false
		case name != "":
			values = append(values, name)
		case ax.fromVars:
			e.report(diag.Warning(expr.Range(), "Case that does not exist", "Axis %q has no case %q now; its values come from a variable.%s", ax.cfg.Name, s, suggestOnly(s, ax.names)))
		default:
			e.errorf(expr.Range(), "Unknown case", "Axis %q has no case %q.%s", ax.cfg.Name, s, diag.DidYouMean(s, ax.names))
			ok = false
		}
	}
	return values, ok
}

// find gives the case that a text means: by its name, else by its value where both are quantities, so that "4k" finds
// "4KiB".
func (a *axis) find(text string) string {
	if a.values[text] != cty.NilVal {
		return text
	}
	for _, dim := range []unit.Dim{unit.Bytes, unit.Seconds, unit.BytesPerSec, unit.PerSecond} {
		want, err := unit.Parse(text, dim)
		if err != nil {
			continue
		}
		for _, name := range a.names {
			if q, err := unit.Parse(name, dim); err == nil && q.Cmp(want) == 0 {
				return name
			}
		}
	}
	return ""
}
