package eval

import (
	"strings"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// plotKind says what belongs to a plot of a kind.
type plotKind struct {
	name   string
	x      xKind
	takes  []string // of the arguments that not every kind takes
	needs  []string // of these
	scales []string // the first is what holds where none is given
}

// xKind is what x is.
type xKind int

const (
	xAxis    xKind = iota
	xMeasure       // another measure of the same test
	xTime          // so x is left out
	xShare         // a percentile, or what is measured: x is left out too
	xUnknown
)

// plotKinds are all there are, the first of them where none is named.
func plotKinds() []plotKind {
	quantity := []string{"log10", "linear"}
	return []plotKind{
		{name: "bars", takes: []string{"series", "relative"}, scales: []string{"linear"}},
		{name: "lines", takes: []string{"series", "scale"}, scales: []string{"linear", "log2", "log10"}},
		{name: "series", x: xTime, takes: []string{"series"}, scales: []string{"linear"}},
		{name: "percentiles", x: xShare, takes: []string{"series", "scale"}, scales: quantity},
		{name: "cdf", x: xShare, takes: []string{"series", "scale"}, scales: quantity},
		{name: "heatmap", takes: []string{"rows", "scale"}, needs: []string{"rows"}, scales: []string{"linear", "log10"}},
		{name: "hockey_stick", x: xMeasure, takes: []string{"series", "scale", "load"}, needs: []string{"load"}, scales: []string{"linear", "log10"}},
	}
}

func (e *evaluator) plot(p *config.Plain) {
	if p.Attrs["y"] == nil {
		return
	}
	of, m := e.measureRef(p.Attrs["y"])
	if of == nil {
		return
	}
	kind, fine := e.plotKind(p, of, m)
	out := spec.Plot{Name: p.Name, Kind: kind.name, Scale: kind.scales[0]}
	var keys []string
	if m != nil {
		keys = m.Keys
	}
	used := map[string]string{}
	for _, a := range config.SortedAttributes(p.Attrs) {
		switch a.Name {
		case "scale", "relative", "rows", "load", "series":
			if !contains(kind.takes, a.Name) && kind.x != xUnknown {
				continue // which was reported
			}
		}
		switch a.Name {
		case "scale":
			out.Scale = e.enum(e.constant(a.Expr), a, kind.scales)
		case "title":
			out.Title = e.stringOf(e.constant(a.Expr), a)
		case "relative":
			out.Relative, _ = e.bool(e.constant(a.Expr), a)
		case "x", "series", "facet", "rows", "load":
			if a.Name == "x" && !isAxis(kind, a) {
				continue
			}
			axis := e.axisName(a, of, keys)
			if other := used[axis]; axis != "" && other != "" {
				e.errorf(a.Expr.Range(), "Axis used twice", "%s is axis %q already; each axis has one place in a plot.", other, axis)
			}
			used[axis] = a.Name
			*map[string]*string{"x": &out.X, "series": &out.Series, "facet": &out.Facet, "rows": &out.Rows, "load": &out.Load}[a.Name] = axis
		}
	}
	if out.Relative {
		e.relative(p, &out)
	}
	if kind.x == xMeasure && p.Attrs["x"] != nil {
		out.XMeasure = e.otherMeasure(p.Attrs["x"], of, m)
		fine = fine && out.XMeasure != nil
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
	const advice = "name what is left as x, series or facet, or in where"
	ok = ok && e.rollsUp(p.Attrs["y"].Expr.Range(), of, m, out.By, advice)
	if out.XMeasure != nil {
		for _, key := range out.By {
			if !contains(out.XMeasure.Keys, key) {
				e.errorf(p.Attrs["x"].Expr.Range(), "Key that x lacks", "%s has no key %q, by which y is drawn, so there is no figure of it to stand on x.", of.figureName(out.XMeasure), key)
				fine = false
			}
		}
		ok = ok && fine && e.rollsUp(p.Attrs["x"].Expr.Range(), of, out.XMeasure, out.By, advice)
	}
	if a := p.Attrs["when"]; a != nil {
		yes, known := e.bool(e.constant(a.Expr), a)
		ok = ok && (yes || !known)
	}
	if m == nil || !ok || !fine {
		return
	}
	out.Y, out.Measure, out.Where = of.at(nil), m, where
	e.out.Plots = append(e.out.Plots, out)
}

// isAxis says whether x is meant to be the name of an axis or a key.
func isAxis(kind plotKind, x *hcl.Attribute) bool {
	if kind.x == xUnknown {
		_, reference := traversal(x.Expr)
		return !reference
	}
	return kind.x == xAxis
}

// plotKind reads the kind of a plot and checks what belongs to it.
func (e *evaluator) plotKind(p *config.Plain, of *measured, m *schema.Measure) (plotKind, bool) {
	kinds := plotKinds()
	kind := kinds[0]
	if a := p.Attrs["kind"]; a != nil {
		var names []string
		for _, k := range kinds {
			names = append(names, k.name)
		}
		name := e.enum(e.constant(a.Expr), a, names)
		if name == "" { // what is right for some kind is not complained of
			return plotKind{x: xUnknown, scales: []string{"linear", "log2", "log10"}}, false
		}
		for _, k := range kinds {
			if k.name == name {
				kind = k
			}
		}
	}
	x, y := p.Attrs["x"], p.Attrs["y"]
	fine := true
	fail := func(rng hcl.Range, summary, text string, args ...any) {
		e.errorf(rng, summary, text, args...)
		fine = false
	}
	switch {
	case kind.x == xTime && x != nil:
		fail(x.NameRange, "Axis in place of time", `In a plot of kind "series" x is the time; leave x out. series and facet may name axes and keys.`)
	case kind.x == xShare && x != nil:
		fail(x.NameRange, "Axis in place of a distribution", "A plot of kind %q shows the distribution of y, so it has no x; leave x out. series and facet may name axes and keys.", kind.name)
	case kind.x == xAxis && x == nil:
		fail(p.Range, "Missing argument", "A plot of kind %q needs x, an axis or a key of the measure.", kind.name)
	case kind.x == xMeasure && x == nil:
		fail(p.Range, "Missing argument", "A plot of kind %q needs x, another measure of the same test: its throughput.", kind.name)
	}
	for _, name := range kind.needs {
		if p.Attrs[name] == nil {
			fail(p.Range, "Missing argument", "A plot of kind %q needs %s, an axis or a key of the measure.", kind.name, name)
		}
	}
	for _, a := range config.SortedAttributes(p.Attrs) {
		var others []string
		for _, k := range kinds {
			if contains(k.takes, a.Name) {
				others = append(others, k.name)
			}
		}
		if len(others) > 0 && !contains(kind.takes, a.Name) {
			fail(a.NameRange, "Argument without effect", "A plot of kind %q has no %s; leave it out. It is for %s.", kind.name, a.Name, diag.List(others))
		}
	}
	switch {
	case kind.x == xTime && of.name.Kind == "measure":
		fail(y.Expr.Range(), "No series", "%s is computed after the run, so it has no series; draw a measure of a test or a monitor.", of.name)
	case kind.x == xShare && m != nil && m.Histogram == "":
		fail(y.Expr.Range(), "No distribution", "%s comes from no distribution; draw a percentile, such as latency_p99, and all others are shown with it.", of.figureName(m))
	}
	return kind, fine
}

// relative checks that there is a baseline of which bars can be shares.
func (e *evaluator) relative(p *config.Plain, out *spec.Plot) {
	var names []string
	for _, name := range []string{out.Series, out.X} {
		ax := e.axes[name]
		if ax == nil {
			continue
		}
		if ax.cfg.Baseline != nil {
			return
		}
		names = append(names, name)
	}
	what := "series and x are keys, which have none"
	if len(names) > 0 {
		what = "give axis " + strings.Join(names, " or ") + " a baseline"
	}
	e.errorf(p.Attrs["relative"].Expr.Range(), "No baseline", "Bars are relative to the baseline of the axis that is series or x: %s.", what)
}

// otherMeasure reads x where it is a second measure of what y is a measure of; nil where it is not.
func (e *evaluator) otherMeasure(a *hcl.Attribute, of *measured, m *schema.Measure) *schema.Measure {
	other, x := e.measureRef(a)
	if other == nil || x == nil || m == nil {
		return nil
	}
	if other.group() != of.group() {
		e.errorf(a.Expr.Range(), "Measure of something else", "x and y are measures of one test, so that each repetition has both: x is of %s, y of %s.", other.group(), of.group())
		return nil
	}
	return x
}
