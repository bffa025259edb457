package report

import (
	"math"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/unit"
)

// hockeySticks turns a plot of kind hockey_stick into charts: a curve for each case of series, its points in the order of the load.
func hockeySticks(in Input, cs cases, p plan.Plot) []figure {
	groups, fixed := groupsOf(in, cs, p)
	across := p
	across.Measure = *p.XMeasure
	others, _ := plotted(in, across)
	at := map[string]*judge.Figure{}
	highest := 0.0
	for _, f := range others {
		at[f.Coordinates.String()] = f
		if f.N > 0 {
			highest = math.Max(highest, math.Abs(f.Median))
		}
	}
	factor, name := unitOf(groups, p.Measure)
	xFactor, xName := unit.Scale(highest, p.XMeasure.Dim, p.XMeasure.Symbol)
	scale := p.Scale
	for _, g := range groups {
		for _, f := range g.figures {
			if f.N > 0 && f.Median <= 0 {
				scale = "linear"
			}
		}
	}
	groups, more := drawable(groups)
	var out []figure
	for _, g := range groups {
		c := chart.Figure{
			Title: heading(p), Kind: "curves", Dots: true, YScale: scale,
			XLabel: axisLabel(p.XMeasure.Name, xName), YLabel: axisLabel(p.Measure.Name, name),
			Subtitle: joined(g.subtitle(in, cs, p, fixed, false), "labels: "+p.Load),
			Limits:   g.limits(in, p, p.Measure, factor), XLimits: g.limits(in, p, *p.XMeasure, xFactor),
		}
		missing := 0
		for _, s := range cs.ordered(p.Series, g.series) {
			line := chart.Curve{Name: cs.labelOf(p.Series, s)}
			for _, load := range cs.ordered(p.Load, g.x) {
				y := g.at[[2]string{load, s}]
				if y == nil {
					continue
				}
				x := at[y.Coordinates.String()]
				if y.N == 0 || x == nil || x.N == 0 {
					missing++
					continue
				}
				line.X, line.Y = append(line.X, x.Median/xFactor), append(line.Y, y.Median/factor)
				line.Labels = append(line.Labels, cs.labelOf(p.Load, load))
			}
			c.Curves = append(c.Curves, line)
		}
		if missing > 0 {
			c.Subtitle = joined(c.Subtitle, plural(missing, "point has", "points have")+" no value")
		}
		out = append(out, figure{Plot: p.Name, Coordinates: g.coordinates, Chart: c, More: more})
	}
	return out
}
