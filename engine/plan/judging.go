package plan

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
)

// judgement writes down all that judging needs of an evaluated spec.
func judgement(s *spec.Spec, tests []TestType) Judgement {
	j := Judgement{
		Alpha: s.Alpha, Confidence: s.Confidence, Strict: s.Strict, Tests: tests,
		Axes: []Axis{}, Comparisons: []Comparison{}, KPIs: []KPI{}, Plots: []Plot{},
	}
	for _, a := range s.Axes {
		ax := Axis{Name: a.Name, Baseline: a.Baseline, Cases: []Case{}}
		for _, c := range a.Cases {
			ax.Cases = append(ax.Cases, Case(c))
		}
		j.Axes = append(j.Axes, ax)
	}
	seen := map[string]bool{}
	for _, d := range s.Derived {
		if block := d.Addr.Block.String(); !seen[block] {
			seen[block] = true
			j.Tests = append(j.Tests, TestType{Block: block, Axes: axesOf(s, d.Addr.Coordinates), Measures: []schema.Measure{*d.Measure}})
		}
		j.Derived = append(j.Derived, Derived{
			Address: d.Addr.String(), Block: d.Addr.Block.String(), Coordinates: d.Addr.Coordinates,
			Measure: *d.Measure, Formula: d.Formula,
		})
	}
	for _, c := range s.Comparisons {
		j.Comparisons = append(j.Comparisons, Comparison{
			Address: c.Addr.String(), Block: c.Addr.Block.String(), Coordinates: c.Addr.Coordinates,
			Measure: *c.Measure, Test: c.Test.String(), BaselineTest: c.BaselineTest.String(),
			Across: c.Across, Baseline: c.Baseline, By: c.By, OtherRun: c.OtherRun, Run: c.Run, Quoted: c.Quoted,
		})
	}
	for _, k := range s.KPIs {
		out := KPI{
			Address: k.Addr.String(), Block: k.Addr.Block.String(), Coordinates: k.Addr.Coordinates,
			Of: k.Ref.Of.String(), Comparison: k.Ref.Of.Kind == "compare", Measure: *k.Ref.Measure,
			Min: (*Limit)(k.Min), Max: (*Limit)(k.Max), Within: k.Within, MinOf: other(k.MinOf), MaxOf: other(k.MaxOf), Severity: severity(k.Required),
			Statistic: k.Statistic, Confidence: k.Confidence, Because: k.Because, By: k.By, Keys: k.Keys, Profile: k.Profile,
		}
		j.KPIs = append(j.KPIs, out)
	}
	for _, p := range s.Plots {
		j.Plots = append(j.Plots, Plot{
			Name: p.Name, Title: p.Title, Kind: p.Kind, Y: p.Y.Group(), Measure: *p.Measure,
			By: p.By, X: p.X, Series: p.Series, Facet: p.Facet, Rows: p.Rows, Load: p.Load,
			XMeasure: p.XMeasure, Relative: p.Relative, Scale: p.Scale, Where: p.Where,
		})
	}
	for _, n := range s.NotJudged {
		out := NotJudged{Block: n.Block.String(), Reason: n.Reason}
		if n.Block.Kind == "kpi" {
			out.Severity = severity(!n.Advisory)
		}
		j.NotJudged = append(j.NotJudged, out)
	}
	return j
}

func other(r *spec.MeasureRef) *Other {
	if r == nil {
		return nil
	}
	return &Other{Of: r.Of.String(), Block: r.Of.Group(), Coordinates: r.Of.Coordinates, Measure: r.Measure.Name}
}

func severity(required bool) string {
	if required {
		return "required"
	}
	return "advisory"
}

// axesOf gives the axes of coordinates in the order of the spec.
func axesOf(s *spec.Spec, at addr.Coordinates) []string {
	axes := []string{}
	for _, a := range s.Axes {
		if _, has := at[a.Name]; has {
			axes = append(axes, a.Name)
		}
	}
	return axes
}
