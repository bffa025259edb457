package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// distribution is what one picture shows.
type distribution struct {
	coordinates addr.Coordinates
	addresses   []string                   // of the tests
	bins        map[string][][]measure.Bin // by case of series: of each repetition
	samples     map[string]map[[2]int]bool // by case of series: rounds and repetitions
}

// distributions turns a plot of kind percentiles or cdf into charts: a curve for each case of series. Histograms of all repetitions, and of keys that the plot does not
// name, are merged.
func distributions(in Input, cs cases, p plan.Plot) []figure {
	var fixed []string
	for _, t := range in.Plan.Judgement.Tests {
		if t.Block == p.Y {
			fixed = append(slices.Clone(t.Axes), p.By...)
		}
	}
	fixed = slices.DeleteFunc(fixed, func(a string) bool { return a == p.Series })
	pictures := collect(in, p, fixed)
	sortBy(pictures, func(a, b *distribution) bool { return cs.less(a.coordinates, b.coordinates, fixed) })
	if len(pictures) == 0 {
		pictures = append(pictures, &distribution{}) // which says that there are no data
	}
	highest, names := 0.0, map[string]bool{}
	for _, g := range pictures {
		for name, list := range g.bins {
			names[name] = true
			for _, bins := range list {
				highest = math.Max(highest, bins[len(bins)-1].Value)
			}
		}
	}
	factor, name := unit.Scale(highest, p.Measure.Dim, p.Measure.Symbol)
	pictures, more := drawable(pictures)
	var out []figure
	for _, g := range pictures {
		c := chart.Figure{Title: heading(p), Kind: "curves"}
		of := axisLabel(p.Measure.Histogram, name)
		if p.Kind == "percentiles" {
			c.Scale, c.YScale, c.XLabel, c.YLabel = "nines", p.Scale, "percentile", of
		} else {
			c.Scale, c.YScale, c.XLabel, c.YLabel = p.Scale, "percent", of, "share of the operations (%)"
		}
		for _, s := range cs.ordered(p.Series, names) { // all of the plot, so that each has one colour
			if bins := measure.Merge(g.bins[s]...); len(bins) > 0 || p.Facet != "" {
				line := curveOf(bins, p, factor)
				line.Name = cs.labelOf(p.Series, s)
				c.Curves = append(c.Curves, line)
			}
		}
		c.Subtitle = joined(append(fixedParts(cs, p, g.coordinates, fixed), g.about(), direction(p.Measure.Better))...)
		g.limits(in, p, factor, &c)
		out = append(out, figure{Plot: p.Name, Coordinates: g.coordinates, Chart: c, More: more})
	}
	return out
}

// collect takes the histograms of samples that count, by picture.
func collect(in Input, p plan.Plot, fixed []string) []*distribution {
	blocks := testBlocks(in.Plan)
	var pictures []*distribution
	at := map[string]*distribution{}
	for _, s := range in.Samples {
		if blocks[s.Address] != p.Y || s.Outcome != measure.OK {
			continue
		}
		byKeys, keys := histogramsOf(s, p)
		for i, bins := range byKeys {
			here := s.Coordinates
			for k, v := range keys[i] {
				here = here.With(k, v)
			}
			if !within(here, p.Where) {
				continue
			}
			c := here.Project(fixed)
			g := at[c.String()]
			if g == nil {
				g = &distribution{coordinates: c, bins: map[string][][]measure.Bin{}, samples: map[string]map[[2]int]bool{}}
				at[c.String()] = g
				pictures = append(pictures, g)
			}
			name := here[p.Series]
			if g.samples[name] == nil {
				g.samples[name] = map[[2]int]bool{}
			}
			g.samples[name][[2]int{s.Round, s.Repetition}] = true
			g.bins[name] = append(g.bins[name], bins)
			if !slices.Contains(g.addresses, s.Address) {
				g.addresses = append(g.addresses, s.Address)
			}
		}
	}
	return pictures
}

// histogramsOf gives the distributions of a sample, one for each combination of the keys that the plot names. What is merged already is not
// merged with its parts.
func histogramsOf(s measure.Sample, p plan.Plot) (merged [][]measure.Bin, keys []addr.Coordinates) {
	fewest := map[string]int{}
	var order []string
	parts, at := map[string][][]measure.Bin{}, map[string]addr.Coordinates{}
	for _, h := range s.Histograms {
		c := h.Keys.Project(p.By)
		if h.Measure != p.Measure.Histogram || len(c) != len(p.By) || len(h.Bins) == 0 {
			continue
		}
		name := c.String()
		n, seen := fewest[name]
		if !seen {
			order, at[name] = append(order, name), c
		}
		if !seen || len(h.Keys) < n {
			fewest[name], parts[name] = len(h.Keys), nil
		}
		if len(h.Keys) == fewest[name] {
			parts[name] = append(parts[name], h.Bins)
		}
	}
	for _, name := range order {
		merged, keys = append(merged, measure.Merge(parts[name]...)), append(keys, at[name])
	}
	return merged, keys
}

// curveOf draws a distribution. A bin is a step: all its operations took its value. Percentiles end where fewer than ten operations lie beyond
// them, as those that are judged do, but at the 99.9th at the earliest.
func curveOf(bins []measure.Bin, p plan.Plot, factor float64) chart.Curve {
	var c chart.Curve
	total := float64(measure.Total(bins))
	if total == 0 {
		return c
	}
	last := math.Max(1-10/total, math.Min(1-1/total, 0.999))
	if total == 1 {
		last = 0.5
	}
	sum := 0.0
	for _, b := range bins {
		from := sum / total
		sum += float64(b.Count)
		to := sum / total
		v := b.Value / factor
		if p.Scale == "log10" && v <= 0 { // has no place there; it counts all the same
			continue
		}
		if p.Kind == "cdf" {
			c.X, c.Y = append(c.X, v, v), append(c.Y, 100*from, math.Min(100, 100*to))
			continue
		}
		if from > last {
			break
		}
		c.X, c.Y = append(c.X, from, math.Min(to, last)), append(c.Y, v, v)
	}
	return c
}

// about says how much the curves rest on.
func (g *distribution) about() string {
	if len(g.bins) == 0 {
		return "no distribution was recorded"
	}
	least, most, leastN, mostN := math.MaxInt, 0, uint64(math.MaxUint64), uint64(0)
	for name, list := range g.bins {
		var n uint64
		for _, bins := range list {
			n += measure.Total(bins)
		}
		leastN, mostN = min(leastN, n), max(mostN, n)
		least, most = min(least, len(g.samples[name])), max(most, len(g.samples[name]))
	}
	span := func(a, b string) string {
		if a == b {
			return a
		}
		return a + " to " + b
	}
	operations := span(digits(leastN), digits(mostN)) + " operations"
	if most == 1 {
		return operations + " of one repetition"
	}
	return operations + " of " + span(strconv.Itoa(least), strconv.Itoa(most)) + " repetitions, merged"
}

// digits prints a number in groups of three.
func digits(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0 && n >= 10000; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return s
}

// limits draws the thresholds of the KPIs on any percentile of the distribution, each marked where it holds.
func (g *distribution) limits(in Input, p plan.Plot, factor float64, c *chart.Figure) {
	for _, k := range in.Plan.Judgement.KPIs {
		if k.Measure.Histogram == "" || k.Measure.Histogram != p.Measure.Histogram || !slices.Equal(k.By, p.By) || !slices.Contains(g.addresses, k.Of) ||
			!within(g.coordinates, onlyOf(k.Keys, g.coordinates)) {
			continue
		}
		q := k.Measure.Quantile
		at := "p" + strconv.FormatFloat(math.Round(q*1e8)/1e6, 'f', -1, 64)
		if q == 1 {
			at = "max"
		}
		for _, l := range []struct {
			sign  string
			limit *plan.Limit
		}{{"≥", k.Min}, {"≤", k.Max}} {
			if l.limit == nil {
				continue
			}
			v := l.limit.Value / factor
			line := chart.Limit{Y: v, Label: "KPI " + strings.TrimPrefix(k.Block, "kpi.") + ": " + at + " " + l.sign + " " + l.limit.Text}
			target := chart.Target{X: q, Y: v}
			limits := &c.Limits
			if p.Kind == "cdf" {
				target = chart.Target{X: v, Y: 100 * q}
				limits = &c.XLimits
			}
			if !slices.Contains(*limits, line) {
				*limits = append(*limits, line)
			}
			if q < 1 && !slices.Contains(c.Targets, target) {
				c.Targets = append(c.Targets, target)
			}
		}
	}
}
