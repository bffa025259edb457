package report

import (
	"cmp"
	"slices"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
)

// heatmaps turns a plot of kind heatmap into charts.
func heatmaps(in Input, cs cases, p plan.Plot) []figure {
	groups, fixed := groupsOf(in, cs, p)
	factor, name := unitOf(groups, p.Measure)
	scale := p.Scale
	for _, g := range groups {
		for _, f := range g.figures {
			if f.N > 0 && f.Median <= 0 { // which has no logarithm
				scale = "linear"
			}
		}
	}
	groups, more := drawable(groups)
	var out []figure
	for _, g := range groups {
		c := chart.Figure{
			Title: heading(p), Kind: "heatmap", Scale: scale, XLabel: p.X, YLabel: axisLabel(p.Measure.Name, name),
			Subtitle: joined(g.subtitle(in, cs, p, fixed, false), "rows: "+p.Rows), Limits: g.limits(in, p, p.Measure, factor),
		}
		xs, rows := cs.ordered(p.X, g.x), cs.ordered(p.Rows, g.series)
		slices.Reverse(rows) // from bottom to top
		for _, x := range xs {
			c.X = append(c.X, cs.labelOf(p.X, x))
		}
		for _, row := range rows {
			c.Rows = append(c.Rows, cs.labelOf(p.Rows, row))
			var cells []chart.Cell
			for _, x := range xs {
				f := g.at[[2]string{x, row}]
				cells = append(cells, chart.Cell{Point: bare(point(f, factor)), Beyond: beyond(in.Plan.Judgement.KPIs, f)})
			}
			c.Cells = append(c.Cells, cells)
		}
		out = append(out, figure{Plot: p.Name, Coordinates: g.coordinates, Chart: c, More: more})
	}
	return out
}

// bare leaves out the interval, which a cell cannot show.
func bare(p chart.Point) chart.Point {
	p.Bar, p.Lo, p.Hi = false, 0, 0
	return p
}

// beyond says whether the median of a figure is beyond the limit of a KPI on it.
func beyond(kpis []plan.KPI, f *judge.Figure) bool {
	return f != nil && f.N > 0 && slices.ContainsFunc(kpis, func(k plan.KPI) bool {
		return k.Measure.Name == f.Measure.Name && k.Of == cmp.Or(f.Test, f.Address) && hasKeys(f.Keys, k.By) && within(f.Keys, k.Keys) &&
			(k.Min != nil && f.Median < k.Min.Value || k.Max != nil && f.Median > k.Max.Value)
	})
}
