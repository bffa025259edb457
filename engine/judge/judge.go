package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/kpi"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// Judge makes results of a plan's judgement and the samples of what the plan measures (see plan.Measured). Everything stands in the plan's order,
// whatever the order of the samples. It changes none of its arguments; slices of samples may be shared with the results. Comparisons with other
// runs have no baseline: see Against.
func Judge(title string, j plan.Judgement, tests []plan.Test, samples []measure.Sample) *Results {
	return Against(nil, title, j, tests, samples)
}

// Against is Judge, where other runs are baselines.
func Against(runs Baselines, title string, j plan.Judgement, tests []plan.Test, samples []measure.Sample) *Results {
	cells, warnings := arrange(j, tests, samples)
	r := &Results{
		FormatVersion: FormatVersion, Title: title,
		Samples: []Sample{}, Figures: []Figure{}, NotJudged: []NotJudged{},
		Warnings: append([]string{}, warnings...),
	}
	type key struct{ test, measure string }
	figures := map[key]Figure{}
	planned := map[string]*cell{}
	for _, c := range cells {
		planned[c.test.Address] = c
	}
	j.Comparisons = runs.aim(j.Comparisons)
	var others []plan.Derived
	runs.join(j, planned, func(d plan.Derived) { others = append(others, d) })
	expanded, keyed := expand(j, planned)
	for _, c := range cells {
		for _, at := range c.slots {
			if s := c.samples[at]; s != nil {
				r.Samples = append(r.Samples, show(c, s))
			}
		}
		if len(c.measures) == 0 {
			r.Warnings = append(r.Warnings, c.test.Address+" yields no figure: the plan does not say what it measures")
		}
		for _, m := range c.measures {
			f := figure(c, m, nil, j.Confidence)
			figures[key{c.test.Address, m.Name}] = f
			if f.N > 0 {
				r.Figures = append(r.Figures, f)
			}
			for _, by := range wanted(j, c, m) {
				for _, keys := range keyed.found(c.test.Address, m.Name, by) {
					if f := figure(c, m, &view{c, by, keys}, j.Confidence); f.N > 0 {
						r.Figures = append(r.Figures, f)
					}
				}
			}
		}
	}
	lookup := func(test, name string) Figure {
		if f, ok := figures[key{test, name}]; ok {
			return f
		}
		if f, ok := keyed.figure(test, name, j.Confidence); ok {
			return f
		}
		if c := planned[test]; c != nil { // a measure that the type does not declare
			return figure(c, measureOf(c, name), nil, j.Confidence)
		}
		return Figure{Address: test}
	}
	for _, d := range j.Derived {
		f := derived(d, planned, lookup, j.Confidence)
		figures[key{d.Address, d.Measure.Name}] = f
		if f.N > 0 {
			r.Figures = append(r.Figures, f)
		}
	}
	for _, d := range others {
		figures[key{d.Address, d.Measure.Name}] = derived(d, planned, lookup, j.Confidence)
	}
	r.Comparisons = compare.Build(expanded.Comparisons, lookup, compare.Options{
		Alpha: j.Alpha, Confidence: j.Confidence, Gated: kpi.Gated(expanded.KPIs, j.Confidence),
	})
	for i := range r.Comparisons {
		if why := runs.lacks(expanded.Comparisons[i], lookup(r.Comparisons[i].BaselineTest, r.Comparisons[i].Measure.Name)); why != "" {
			compare.Void(&r.Comparisons[i], why)
		}
	}
	r.KPIs = kpi.Judge(expanded.KPIs, kpi.Input{Confidence: j.Confidence, Figure: lookup, Comparisons: r.Comparisons})
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Test, c.BaselineTest = cmp.Or(keyed.shown[c.Test], c.Test), cmp.Or(keyed.shown[c.BaselineTest], c.BaselineTest)
	}
	for i := range r.KPIs {
		r.KPIs[i].Of = cmp.Or(keyed.shown[r.KPIs[i].Of], r.KPIs[i].Of)
	}
	r.Warnings = append(r.Warnings, loosened(j.KPIs)...)
	for _, n := range j.NotJudged {
		r.NotJudged = append(r.NotJudged, NotJudged{n.Block, n.Reason, n.Severity})
	}
	sumUp(r, j, cells)
	return r
}

// figure makes the figure of a measure: over all keys, or at those of a view.
func figure(c *cell, m schema.Measure, at *view, confidence float64) Figure {
	values, missing, imported := c.values(m, at)
	f := Figure{
		Address: c.test.Address, Block: c.test.Instance.Group(), Coordinates: c.test.Coordinates,
		Measure: m, Summary: stats.Summarize(values, confidence), Planned: len(c.slots), Imported: imported,
		LoadedIn: c.loadedIn(),
	}
	if len(missing) > 0 {
		f.Missing = missing
	}
	if at != nil && len(at.keys) > 0 {
		f.Address, f.Test = address(c.test.Address, c.test.Coordinates, at.keys), c.test.Address
		f.Coordinates, f.Keys = with(c.test.Coordinates, at.keys), at.keys
	}
	return f
}

// show turns a sample into what results say of it: measures rolled up over their keys, and every doubt as a warning.
func show(c *cell, s *measure.Sample) Sample {
	out := Sample{
		Address: s.Address, Coordinates: c.test.Coordinates, Round: max(1, s.Round), Repetition: s.Repetition,
		Attempt: s.Attempt, Outcome: s.Outcome, Reason: s.Reason, Imported: s.Imported, LoadedIn: s.LoadedIn,
		Warnings: append([]measure.Warning{}, s.Warnings...), Measures: map[string]MeasuredValue{}, Artifacts: s.Artifacts,
	}
	if c.dataset() || s.Generation > 1 {
		out.Generation = s.Generation
	}
	declared := map[string]bool{}
	for _, m := range c.measures {
		declared[m.Name] = true
		v, ok, doubt := rollUp(s, m)
		if ok {
			out.Measures[m.Name] = MeasuredValue{v, m.Dim.String()}
		}
		if doubt != nil {
			out.Warnings = append(out.Warnings, *doubt)
		}
	}
	for _, one := range s.Rounds {
		r := Round{Number: one.Number, Window: one.Window, Measures: map[string]MeasuredValue{}}
		for _, m := range c.measures {
			if v, ok, _ := rollUp(&measure.Sample{Values: one.Values}, m); ok {
				r.Measures[m.Name] = MeasuredValue{v, m.Dim.String()}
			}
		}
		out.Rounds = append(out.Rounds, r)
	}
	undeclared := map[string]bool{}
	for _, v := range s.Values {
		if !declared[v.Measure] {
			undeclared[v.Measure] = true
		}
		if len(v.Keys) > 0 && !math.IsNaN(v.Value) && !math.IsInf(v.Value, 0) {
			out.Values = append(out.Values, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(undeclared)) {
		out.Warnings = append(out.Warnings, measure.Warning{Code: "undeclared_measure",
			Text: fmt.Sprintf("%s is not a measure of %s, so its unit is not known; it is not used", name, c.test.Type)})
	}
	return out
}
