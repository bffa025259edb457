package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
)

// mostLines is how many repetitions are drawn into one picture.
const mostLines = 6

// overTime turns a plot of kind series into charts: one for each combination of the axes and keys that are not told apart by colour. All
// have one unit.
func overTime(in Input, cs cases, p plan.Plot) []figure {
	var axes []string
	for _, t := range in.Plan.Judgement.Tests {
		if t.Block == p.Y {
			axes = append(slices.Clone(t.Axes), p.By...)
		}
	}
	fixed := slices.DeleteFunc(axes, func(a string) bool { return a == p.Series })
	blocks := testBlocks(in.Plan)
	var pictures []*courses
	at := map[string]*courses{}
	highest := 0.0
	for _, s := range in.Series {
		here := s.Coordinates
		for k, v := range s.Keys {
			here = here.With(k, v)
		}
		if blocks[s.Address] != p.Y || s.Measure != p.Measure.Name || len(here.Project(p.By)) != len(p.By) || !within(here, p.Where) {
			continue
		}
		c := here.Project(fixed)
		g := at[c.String()]
		if g == nil {
			g = &courses{coordinates: c}
			at[c.String()] = g
			pictures = append(pictures, g)
		}
		g.add(s, here[p.Series])
		for _, x := range s.Points {
			highest = math.Max(highest, math.Abs(x.Value))
		}
	}
	sortBy(pictures, func(a, b *courses) bool { return cs.less(a.coordinates, b.coordinates, fixed) })
	times := timeSpan{scale: 1, label: "time (s)"} // one unit of time for all
	for _, g := range pictures {
		if s := spanOf(g.of); s.scale > times.scale {
			times = s
		}
	}
	factor, name := unit.Scale(highest, p.Measure.Dim, p.Measure.Symbol)
	pictures, more := drawable(pictures)
	marks := map[string][]derive.Series{} // of whole monitors, by address
	for _, s := range in.Series {
		if len(s.Marks) > 0 {
			marks[s.Address] = append(marks[s.Address], s)
		}
	}
	if len(pictures) == 0 {
		pictures = append(pictures, &courses{}) // which says that there are no data
	}
	var out []figure
	for _, g := range pictures {
		f := chart.Figure{
			Title: heading(p), Kind: "curves", XLabel: times.label, YLabel: axisLabel(p.Measure.Name, name), Limits: g.limits(in, p, factor),
		}
		shown := g.draw(&f, cs, p, marks, factor, times.scale)
		f.Subtitle = g.subtitle(cs, p, fixed, shown)
		out = append(out, figure{Plot: p.Name, Coordinates: g.coordinates, Chart: f, More: more, OverTime: true})
	}
	return out
}

// run is one repetition.
type run struct{ round, repetition int }

// courses are the series of one picture.
type courses struct {
	coordinates addr.Coordinates
	runs        []run // that occur, in order
	cases       map[string]bool
	of          []course
}

// course is a series with the case by which colour tells it apart.
type course struct {
	derive.Series
	run  run
	name string
}

func (g *courses) add(s derive.Series, name string) {
	r := run{s.Round, s.Repetition}
	if !slices.Contains(g.runs, r) {
		g.runs = append(g.runs, r)
		slices.SortFunc(g.runs, func(a, b run) int {
			return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(a.repetition, b.repetition))
		})
	}
	if g.cases == nil {
		g.cases = map[string]bool{}
	}
	g.cases[name] = true
	g.of = append(g.of, course{s, r, name})
}

// draw puts the lines and marks into a figure, and gives the runs that they show.
func (g *courses) draw(f *chart.Figure, cs cases, p plan.Plot, marks map[string][]derive.Series, factor, timeScale float64) []run {
	shown := g.runs[:min(len(g.runs), mostLines)]
	if p.Series != "" {
		shown = g.runs[:min(len(g.runs), 1)]
	}
	var drawn []course
	for _, c := range g.of {
		if slices.Contains(shown, c.run) {
			drawn = append(drawn, c)
		}
	}
	span := spanOf(drawn)
	span.scale = timeScale
	names := cs.ordered(p.Series, g.cases)
	for _, name := range names {
		for _, r := range shown {
			var parts []course
			fewest := math.MaxInt // keys: what is rolled up already is not rolled up with its parts
			for _, c := range drawn {
				if c.name == name && c.run == r && len(c.Keys) < fewest {
					fewest, parts = len(c.Keys), nil
				}
				if c.name == name && c.run == r && len(c.Keys) == fewest {
					parts = append(parts, c)
				}
			}
			if len(parts) == 0 {
				continue
			}
			line := rolledUp(parts, span, p.Measure, factor)
			line.Name = cs.labelOf(p.Series, name)
			if p.Series == "" && len(shown) > 1 {
				line.Name = r.name(shown)
			}
			f.Curves = append(f.Curves, line)
		}
	}
	told := map[string]bool{}
	for _, c := range drawn {
		if told[c.Address] {
			continue
		}
		told[c.Address] = true
		for _, s := range marks[c.Address] {
			if !slices.Contains(shown, run{s.Round, s.Repetition}) {
				continue
			}
			for _, m := range s.Marks {
				mark := chart.Mark{X: m.T / span.scale, Until: m.Until / span.scale, Text: m.Text}
				if until := math.Max(m.T, m.Until); m.T <= span.to && until >= span.from && !slices.Contains(f.Marks, mark) {
					f.Marks = append(f.Marks, mark)
				}
			}
		}
	}
	return shown
}

// name tells a repetition, and its round where there are several.
func (r run) name(among []run) string {
	text := "repetition " + strconv.Itoa(r.repetition)
	if among[0].round != among[len(among)-1].round {
		text = fmt.Sprintf("round %d, %s", r.round, text)
	}
	return text
}

func (g *courses) subtitle(cs cases, p plan.Plot, fixed []string, shown []run) string {
	parts := fixedParts(cs, p, g.coordinates, fixed)
	switch {
	case len(g.runs) == 0:
		parts = append(parts, "nothing tells how it went over time")
	case len(shown) == 1 && len(g.runs) > 1:
		parts = append(parts, shown[0].name(g.runs)+" of "+strconv.Itoa(len(g.runs)))
	case len(shown) < len(g.runs):
		parts = append(parts, fmt.Sprintf("the first %d of %d repetitions", len(shown), len(g.runs)))
	}
	if d := direction(p.Measure.Better); d != "" {
		parts = append(parts, d)
	}
	return strings.Join(parts, "; ")
}

// limits are the thresholds of the KPIs that judge what the picture shows, over the same keys.
func (g *courses) limits(in Input, p plan.Plot, factor float64) []chart.Limit {
	var out []chart.Limit
	for _, k := range in.Plan.Judgement.KPIs {
		if k.Measure.Name != p.Measure.Name || !slices.Equal(k.By, p.By) || !within(g.coordinates, onlyOf(k.Keys, g.coordinates)) ||
			!slices.ContainsFunc(g.of, func(c course) bool { return c.Address == k.Of }) {
			continue
		}
		for _, l := range []struct {
			sign  string
			limit *plan.Limit
		}{{"≥", k.Min}, {"≤", k.Max}} {
			if l.limit == nil {
				continue
			}
			line := chart.Limit{Y: l.limit.Value / factor, Label: "KPI " + strings.TrimPrefix(k.Block, "kpi.") + " " + l.sign + " " + l.limit.Text}
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// onlyOf keeps of a filter what coordinates have.
func onlyOf(where map[string][]string, c addr.Coordinates) map[string][]string {
	out := map[string][]string{}
	for k, v := range where {
		if _, has := c[k]; has {
			out[k] = v
		}
	}
	return out
}
