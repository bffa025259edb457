package report

import (
	"math"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
)

// against gives how much each bar is of the one at the baseline, which need not be drawn itself. It is nil where nothing can be compared.
func against(in Input, cs cases, p plan.Plot, g *group, xs, series []string) *chart.Against {
	axis, baseline := relativeTo(in.Plan.Judgement.Axes, p)
	if axis == "" {
		return nil
	}
	all, _ := plotted(in, plan.Plot{Y: p.Y, Measure: p.Measure, By: p.By})
	at := map[string]*judge.Figure{}
	for _, f := range all {
		at[f.Coordinates.String()] = f
	}
	out := &chart.Against{Label: "of " + cs.labelOf(axis, baseline)}
	for _, s := range series {
		var shares []float64
		for _, x := range xs {
			share := math.NaN()
			if f := g.at[[2]string{x, s}]; f != nil && f.N > 0 && f.Coordinates[axis] != baseline {
				base := at[f.Coordinates.With(axis, baseline).String()]
				if base != nil && base.N > 0 && base.Median != 0 {
					share = f.Median / base.Median
				}
			}
			shares = append(shares, share)
		}
		out.Shares = append(out.Shares, shares)
	}
	return out
}

// relativeTo gives the axis and the case to which bars are relative: that of the series, else that of x.
func relativeTo(axes []plan.Axis, p plan.Plot) (axis, baseline string) {
	for _, name := range []string{p.Series, p.X} {
		for _, a := range axes {
			if a.Name == name && a.Baseline != "" {
				return a.Name, a.Baseline
			}
		}
	}
	return "", ""
}
