package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
)

// kpiForm checks which thresholds are given together.
func (e *evaluator) kpiForm(k *config.Plain) {
	a := k.Attrs
	lower, upper := a["min"] != nil || a["min_of"] != nil, a["max"] != nil || a["max_of"] != nil
	switch within := a["within"]; {
	case !lower && !upper && within == nil:
		e.errorf(k.Range, "No threshold", "A KPI needs min, max or within = [a, b], or another figure as min_of or max_of.")
	case within != nil && (lower || upper):
		e.errorf(within.NameRange, "Too many thresholds", "within sets both ends; remove the other limits, or within.")
	case a["min"] != nil && a["min_of"] != nil:
		e.errorf(a["min_of"].NameRange, "Too many thresholds", "min and min_of both set the lower end; remove one, or write a KPI for each.")
	case a["max"] != nil && a["max_of"] != nil:
		e.errorf(a["max_of"].NameRange, "Too many thresholds", "max and max_of both set the upper end; remove one, or write a KPI for each.")
	}
}

// others are the figures that are the limits of a KPI: min_of and max_of. nil: not given.
type others struct{ min, max *judgedThing }

// others resolves min_of and max_of: another measure, or the same of another comparison, which is there wherever the judged one is.
func (e *evaluator) others(k *config.Plain, of *judgedThing, by []string, comparisons map[string]*comparison) (out others, ok bool) {
	ok = true
	for _, x := range []struct {
		name string
		to   **judgedThing
	}{{"min_of", &out.min}, {"max_of", &out.max}} {
		a := k.Attrs[x.name]
		if a == nil {
			continue
		}
		other := e.judgedThing(a, comparisons)
		if other == nil || other.of.broken {
			ok = false
			continue
		}
		*x.to = other
		at, before := a.Expr.Range(), len(e.diags)
		missing := ""
		for _, axis := range other.of.axes {
			if !contains(of.of.axes, axis) {
				missing = axis
			}
		}
		switch {
		case other.compared != of.compared || of.compared && other.measure.Name != of.measure.Name:
			e.errorf(at, "Figures of two kinds", "%s is held against %s: a measure is held against a measure, and a comparison's change, ratio or difference against that of another.", of.measure.Name, other.measure.Name)
		case other.measure.Dim != of.measure.Dim:
			e.errorf(at, "Figures of two kinds", "%s is %s, but %s is %s.", other.measure.Name, other.measure.Dim.Noun(), of.measure.Name, of.measure.Dim.Noun())
		case other.same(of):
			e.errorf(at, "Held against itself", "%s names the figure that is judged. Another case of an axis is what a compare block holds it against.", x.name)
		case missing != "":
			e.errorf(at, "Axis that the measure lacks", "%s depends on axis %q, so there are several; the measure does not.%s", other.of.group(), missing, of.of.axesText())
		case of.compared && !equal(other.keys, of.keys):
			e.errorf(at, "Keys that do not match", "One comparison is made by key and the other is not, or by others; give both the same by.")
		case !of.compared && !e.rollsUp(at, other.of, other.measure, ordered(by, other.measure.Keys), "name what is left in by or where, or take a measure that is rolled up"):
		case !of.compared && len(ordered(by, other.measure.Keys)) < len(by):
			e.errorf(at, "Keys that do not match", "The KPI judges by %s, but %s lacks such keys.", diag.List(by), other.of.figureName(other.measure))
		}
		ok = ok && len(e.diags) == before
	}
	return out, ok
}

// same reports whether two are one figure.
func (j *judgedThing) same(o *judgedThing) bool {
	return j.block == o.block && j.of.group() == o.of.group() && j.measure.Name == o.measure.Name
}

// at sets the limits of a KPI at coordinates. missing names one that has no instance there.
func (o others) at(c addr.Coordinates, one *spec.KPI) (missing string) {
	for _, x := range []struct {
		of *judgedThing
		to **spec.MeasureRef
	}{{o.min, &one.MinOf}, {o.max, &one.MaxOf}} {
		if x.of == nil {
			continue
		}
		at := x.of.of.at(c.Project(x.of.of.axes))
		if x.of.compared {
			at = addr.Instance{Block: x.of.block, Coordinates: at.Coordinates}
		}
		exists := false
		for _, inst := range x.of.list {
			exists = exists || inst.String() == at.String()
		}
		if !exists {
			return at.String()
		}
		*x.to = &spec.MeasureRef{Of: at, Measure: x.of.measure}
	}
	return ""
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
