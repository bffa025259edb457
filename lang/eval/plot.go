package eval

import (
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/spec"
)

func (e *evaluator) plot(p *config.Plain) {
	if p.Attrs["y"] == nil {
		return
	}
	out := spec.Plot{Name: p.Name, Kind: "bars", Scale: "linear"}
	of, m := e.measureRef(p.Attrs["y"])
	if of == nil {
		return
	}
	var keys []string
	if m != nil {
		keys = m.Keys
	}
	used := map[string]string{}
	for _, a := range config.SortedAttributes(p.Attrs) {
		switch a.Name {
		case "kind":
			out.Kind = e.enum(e.constant(a.Expr), a, []string{"bars", "lines", seriesKind})
		case "scale":
			out.Scale = e.enum(e.constant(a.Expr), a, []string{"linear", "log2", "log10"})
		case "title":
			out.Title = e.stringOf(e.constant(a.Expr), a)
		case "x", "series", "facet":
			axis := e.axisName(a, of, keys)
			if other := used[axis]; axis != "" && other != "" {
				e.errorf(a.Expr.Range(), "Axis used twice", "%s is axis %q already; each axis has one place in a plot.", other, axis)
			}
			used[axis] = a.Name
			switch a.Name {
			case "x":
				out.X = axis
			case "series":
				out.Series = axis
			case "facet":
				out.Facet = axis
			}
		}
	}
	if !e.plotForm(p, out.Kind, of) {
		return
	}
	if a := p.Attrs["scale"]; a != nil && out.Kind == "bars" && out.Scale != "linear" && out.Scale != "" {
		e.errorf(a.Expr.Range(), "Scale without effect", `Bars stand side by side, so x has no scale; use kind = "lines".`)
	}
	where, byKey, ok := e.where(p.Attrs["where"], of, keys)
	for _, key := range keys {
		if used[key] != "" || byKey[key] != nil {
			out.By = append(out.By, key)
		}
		if byKey[key] != nil {
			where[key] = byKey[key]
		}
	}
	ok = ok && e.rollsUp(p.Attrs["y"].Expr.Range(), of, m, out.By, "name what is left as x, series or facet, or in where")
	if a := p.Attrs["when"]; a != nil {
		yes, known := e.bool(e.constant(a.Expr), a)
		ok = ok && (yes || !known)
	}
	if m == nil || !ok {
		return
	}
	out.Y, out.Measure, out.Where = of.at(nil), m, where
	e.out.Plots = append(e.out.Plots, out)
}

// seriesKind is the kind of a plot that shows how a measure went over time.
const seriesKind = "series"

// plotForm checks what belongs to the kind of a plot: over time x is the time, and only what was measured has one.
func (e *evaluator) plotForm(p *config.Plain, kind string, of *measured) bool {
	x, scale := p.Attrs["x"], p.Attrs["scale"]
	switch {
	case kind != seriesKind:
		if x == nil {
			e.errorf(p.Range, "Missing argument", `A plot needs x, an axis or a key of the measure; only with kind = "series" it is the time.`)
		}
		return x != nil
	case x != nil:
		e.errorf(x.NameRange, "Axis in place of time", `In a plot of kind "series" x is the time; leave x out. series and facet may name axes and keys.`)
	case scale != nil:
		e.errorf(scale.NameRange, "Scale without effect", `Time has no other scale; leave scale out.`)
	case of.name.Kind == "measure":
		e.errorf(p.Attrs["y"].Expr.Range(), "No series", "%s is computed after the run, so it has no series; draw a measure of a test or a monitor.", of.name)
	default:
		return true
	}
	return false
}
