package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// figure is one picture of a plot: a plot has one for each case of every axis that it does not name.
type figure struct {
	Plot        string
	Coordinates addr.Coordinates // what is fixed in it
	Chart       chart.Figure
	More        int  // how many further pictures the plot would have
	OverTime    bool // its curves are over time
}

// Name is bandwidth[rw=read].
func (f figure) Name() string {
	if len(f.Coordinates) == 0 {
		return f.Plot
	}
	return f.Plot + "[" + f.Coordinates.String() + "]"
}

// buildFigures turns the plan's plots and the figures that were found into charts. All pictures of a plot have one unit.
func buildFigures(in Input) []figure {
	cs := newCases(in.Plan.Judgement.Axes)
	var out []figure
	for _, p := range in.Plan.Judgement.Plots {
		var of []figure
		switch p.Kind {
		case "series":
			of = overTime(in, cs, p)
		case "percentiles", "cdf":
			of = distributions(in, cs, p)
		case "heatmap":
			of = heatmaps(in, cs, p)
		case "hockey_stick":
			of = hockeySticks(in, cs, p)
		default:
			of = buildPlot(in, cs, p)
		}
		out = append(out, panelled(cs, p, of)...)
	}
	return out
}

// buildPlot draws bars and lines.
func buildPlot(in Input, cs cases, p plan.Plot) []figure {
	groups, fixed := groupsOf(in, cs, p)
	factor, name := unitOf(groups, p.Measure)
	groups, more := drawable(groups)
	var out []figure
	for _, g := range groups {
		c := chart.Figure{
			Title: heading(p), Kind: p.Kind, Scale: p.Scale, XLabel: p.X,
			Subtitle: g.subtitle(in, cs, p, fixed, true), YLabel: axisLabel(p.Measure.Name, name),
			Limits: g.limits(in, p, p.Measure, factor),
		}
		xs := cs.ordered(p.X, g.x)
		for _, x := range xs {
			c.X = append(c.X, cs.labelOf(p.X, x))
		}
		c.XValues = xValues(p, xs)
		series := cs.ordered(p.Series, g.series)
		for _, s := range series {
			line := chart.Series{Name: cs.labelOf(p.Series, s)}
			for _, x := range xs {
				line.Points = append(line.Points, point(g.at[[2]string{x, s}], factor))
			}
			c.Series = append(c.Series, line)
		}
		if p.Relative {
			c.Against = against(in, cs, p, g, xs, series)
		}
		out = append(out, figure{Plot: p.Name, Coordinates: g.coordinates, Chart: c, More: more})
	}
	return out
}

// groupsOf sorts the figures that a plot shows into its pictures, in the order of the spec; fixed are the axes whose case is the same within one.
// Pictures that are panels of one figure have the same categories and series, so that these look alike.
func groupsOf(in Input, cs cases, p plan.Plot) (groups []*group, fixed []string) {
	fs, axes := plotted(in, p)
	for _, a := range axes {
		if a != p.X && a != p.Series && a != p.Rows && a != p.Load {
			fixed = append(fixed, a)
		}
	}
	at := map[string]*group{}
	for _, f := range fs {
		c := f.Coordinates.Project(fixed)
		g := at[c.String()]
		if g == nil {
			g = &group{coordinates: c, x: map[string]bool{}, series: map[string]bool{}, at: map[[2]string]*judge.Figure{}}
			at[c.String()] = g
			groups = append(groups, g)
		}
		g.add(f, p)
	}
	sortBy(groups, func(a, b *group) bool { return cs.less(a.coordinates, b.coordinates, fixed) })
	if p.Facet != "" {
		x, series := map[string]map[string]bool{}, map[string]map[string]bool{}
		for _, g := range groups {
			whole := without(g.coordinates, p.Facet).String()
			if x[whole] == nil {
				x[whole], series[whole] = map[string]bool{}, map[string]bool{}
			}
			maps.Copy(x[whole], g.x)
			maps.Copy(series[whole], g.series)
			g.x, g.series = x[whole], series[whole]
		}
	}
	return groups, fixed
}

// unitOf finds the unit in which the largest value of all pictures reads well.
func unitOf(groups []*group, m schema.Measure) (factor float64, name string) {
	highest := 0.0
	for _, g := range groups {
		for _, f := range g.figures {
			if f.N > 0 {
				highest = math.Max(highest, math.Max(math.Abs(f.Median), math.Max(math.Abs(f.Lo), math.Abs(f.Hi))))
			}
		}
	}
	return unit.Scale(highest, m.Dim, m.Symbol)
}

func heading(p plan.Plot) string { return cmp.Or(p.Title, words(p.Name)) }

// axisLabel is "latency p99 (ms)".
func axisLabel(measure, unit string) string {
	return strings.TrimSuffix(words(measure)+" ("+unit+")", " ()")
}

// plotted gives the figures that a plot shows, and the axes of its test in the order of the spec, then the keys that it names.
func plotted(in Input, p plan.Plot) ([]*judge.Figure, []string) {
	var axes []string
	for _, t := range in.Plan.Judgement.Tests {
		if t.Block == p.Y {
			axes = append(slices.Clone(t.Axes), p.By...)
		}
	}
	var out []*judge.Figure
	for i := range in.Results.Figures {
		f := &in.Results.Figures[i]
		if f.Block == p.Y && f.Measure.Name == p.Measure.Name && hasKeys(f.Keys, p.By) && within(f.Coordinates, p.Where) {
			out = append(out, f)
		}
	}
	return out, axes
}

// hasKeys reports whether a figure is one by just these keys.
func hasKeys(keys addr.Coordinates, by []string) bool {
	return len(keys) == len(by) && len(keys.Project(by)) == len(by)
}

func within(c addr.Coordinates, where map[string][]string) bool {
	for axis, names := range where {
		found := false
		for _, n := range names {
			found = found || c[axis] == n
		}
		if !found {
			return false
		}
	}
	return true
}

// point scales a figure. A single observation has no bar.
func point(f *judge.Figure, factor float64) chart.Point {
	if f == nil {
		return chart.Point{Absent: true}
	}
	if f.N == 0 {
		return chart.Point{Absent: true, Note: note(f.Missing)}
	}
	y := f.Median / factor
	return chart.Point{Y: y, Bar: f.N > 1, Lo: f.Lo / factor, Hi: f.Hi / factor, Label: unit.Digits(y, 3)}
}

// note is what stands where a value is missing: the commonest outcome.
func note(m map[string]int) string {
	best := ""
	for _, o := range sortedKeys(m) {
		if m[o] > m[best] {
			best = o
		}
	}
	return outcomeWords(best)
}

// xValues places the categories of a line on a numeric axis. They are evenly spaced where the plot names no scale, or
// where a case is no quantity, of another dimension than the first, or has no logarithm.
func xValues(p plan.Plot, xs []string) []float64 {
	if p.Kind != "lines" || p.Scale == "" {
		return nil
	}
	var out []float64
	var dim unit.Dim
	for i, x := range xs {
		q, err := unit.ParseAny(x)
		if err != nil || i > 0 && q.Dim() != dim || p.Scale != "linear" && q.Float() <= 0 {
			return nil
		}
		dim = q.Dim()
		out = append(out, q.Float())
	}
	return out
}

func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// group is what one picture shows.
type group struct {
	coordinates addr.Coordinates
	x, series   map[string]bool
	at          map[[2]string]*judge.Figure // by case of x and of series
	figures     []*judge.Figure
}

// add takes a figure. What is x of a plot is the load of a hockey stick, and what is series of it are the rows of a heatmap.
func (g *group) add(f *judge.Figure, p plan.Plot) {
	x, s := f.Coordinates[cmp.Or(p.X, p.Load)], f.Coordinates[cmp.Or(p.Series, p.Rows)]
	g.x[x], g.series[s] = true, true
	g.at[[2]string{x, s}] = f
	g.figures = append(g.figures, f)
}

// fixedParts says what is fixed in a picture, but for the facet, which is its heading.
func fixedParts(cs cases, p plan.Plot, c addr.Coordinates, fixed []string) []string {
	var parts []string
	for _, a := range fixed {
		if v, ok := c[a]; ok && a != p.Facet {
			parts = append(parts, a+" = "+cs.labelOf(a, v))
		}
	}
	return parts
}

// subtitle says what is fixed, how many observations a value has, what the bars are where there are any, and which direction is better.
func (g *group) subtitle(in Input, cs cases, p plan.Plot, fixed []string, bars bool) string {
	parts := fixedParts(cs, p, g.coordinates, fixed)
	least, most, intervals, ranges := math.MaxInt, 0, 0, 0
	for _, f := range g.figures {
		if f.N == 0 {
			continue
		}
		least, most = min(least, f.N), max(most, f.N)
		switch {
		case f.Interval:
			intervals++
		case f.N > 1:
			ranges++
		}
	}
	switch {
	case most == 1:
		parts = append(parts, "one observation each")
	case most > 1 && least == most:
		parts = append(parts, fmt.Sprintf("median of %d", most))
	case most > 1:
		parts = append(parts, fmt.Sprintf("medians of %d to %d", least, most))
	}
	interval := confidence(in.Plan.Judgement.Confidence) + " interval"
	switch {
	case !bars:
	case intervals > 0 && ranges == 0:
		parts = append(parts, "bars: "+interval)
	case intervals == 0 && ranges > 0:
		parts = append(parts, "bars: range, no interval")
	case intervals > 0:
		parts = append(parts, "bars: "+interval+", or range where n is too small for one")
	}
	if d := direction(p.Measure.Better); d != "" {
		parts = append(parts, d)
	}
	return strings.Join(parts, "; ")
}

// limits are the thresholds of the KPIs on a measure of what the picture shows. One that holds only for a part of it says for which.
func (g *group) limits(in Input, p plan.Plot, m schema.Measure, factor float64) []chart.Limit {
	shown := map[string][]*judge.Figure{} // by address without keys
	for _, f := range g.figures {
		of := cmp.Or(f.Test, f.Address)
		shown[of] = append(shown[of], f)
	}
	type line struct {
		kpi, sign, text string
		value           float64
	}
	var order []line
	for_ := map[line][]*judge.Figure{}
	for _, k := range in.Plan.Judgement.KPIs {
		if k.Measure.Name != m.Name {
			continue
		}
		name := strings.TrimPrefix(k.Block, "kpi.")
		if k.Statistic != "" && k.Statistic != "median" {
			name += " (" + k.Statistic + ")"
		}
		for _, l := range []struct {
			sign  string
			limit *plan.Limit
		}{{"≥", k.Min}, {"≤", k.Max}} {
			if l.limit == nil {
				continue
			}
			key := line{name, l.sign, l.limit.Text, l.limit.Value}
			for _, f := range shown[k.Of] {
				if !hasKeys(f.Keys, k.By) || !within(f.Keys, k.Keys) {
					continue
				}
				if for_[key] == nil {
					order = append(order, key)
				}
				for_[key] = append(for_[key], f)
			}
		}
	}
	var out []chart.Limit
	for _, l := range order {
		label := "KPI " + l.kpi + " " + l.sign + " " + l.text
		if part := g.part(p, for_[l]); part != "" {
			label += " (" + part + ")"
		}
		out = append(out, chart.Limit{Y: l.value / factor, Label: label})
	}
	return out
}

// part names the cases to which some figures of the picture belong; it is empty where they are all.
func (g *group) part(p plan.Plot, some []*judge.Figure) string {
	if len(some) == len(g.figures) {
		return ""
	}
	var parts []string
	for _, a := range []struct {
		axis string
		all  map[string]bool
	}{{cmp.Or(p.X, p.Load), g.x}, {cmp.Or(p.Series, p.Rows), g.series}} {
		has := map[string]bool{}
		for _, f := range some {
			has[f.Coordinates[a.axis]] = true
		}
		if a.axis != "" && len(has) < len(a.all) {
			parts = append(parts, a.axis+" = "+strings.Join(sortedKeys(has), ", "))
		}
	}
	return strings.Join(parts, "; ")
}
