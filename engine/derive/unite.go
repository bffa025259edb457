package derive

import (
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// unite makes one sample of the rounds of a window, all of which are ok. A value is the mean over the rounds; what is a quantile of a histogram comes
// from the histograms merged, the largest value is the largest of all rounds. Percentiles without histograms are never averaged: the worst
// is taken and a warning says so. What not every round has is left out with a warning, unless the merged histograms have it.
func unite(samples []measure.Sample, rounds []measure.Round, measures []schema.Measure) measure.Sample {
	u := &united{n: len(samples), values: map[string]*gathered{}, bins: map[string][][]measure.Bin{}}
	out := measure.Sample{Outcome: measure.OK, Warnings: warningsOf(samples, rounds)}
	for i := range samples {
		u.add(&samples[i])
	}
	merged := map[string][]measure.Bin{}
	for _, h := range u.histograms {
		if key := keyOf(h.Measure, h.Keys.String()); len(u.bins[key]) == u.n {
			merged[key] = measure.Merge(u.bins[key]...)
			h.Bins = merged[key]
			out.Histograms = append(out.Histograms, h)
		}
	}
	declared := map[string]schema.Measure{}
	for _, m := range measures {
		declared[m.Name] = m
	}
	var worst, partial []string
	for _, key := range u.order {
		g, m := u.values[key], declared[u.values[key].Measure]
		v := g.Value
		bins, binned := merged[keyOf(m.Histogram, g.Keys.String())]
		all := len(g.each) == u.n
		switch {
		case m.Quantile == 1 && all:
			v.Value = largest(g.each, 1)
		case m.Quantile > 0 && m.Quantile < 1 && binned:
			q, ok := measure.Quantile(bins, m.Quantile)
			if !ok {
				continue
			}
			v.Value = q
		case !all:
			partial = append(partial, fmt.Sprintf("%s (%d)", g.Measure, len(g.each)))
			continue
		case m.Quantile > 0 && m.Quantile < 1:
			worst = append(worst, g.Measure)
			v.Value = largest(g.each, 1)
			if m.Better == schema.Higher {
				v.Value = largest(g.each, -1)
			}
		default:
			v.Value = mean(g.each)
		}
		out.Values = append(out.Values, v)
	}
	bound(out.Values, declared)
	if len(worst) > 0 {
		out.Warnings = append(out.Warnings, measure.Warning{Code: "percentile_not_merged", Text: fmt.Sprintf(
			"%s: the worst of the %d rounds, since there are no histograms to merge", strings.Join(worst, ", "), u.n)})
	}
	if len(partial) > 0 {
		out.Warnings = append(out.Warnings, measure.Warning{Code: "not_in_every_round", Text: fmt.Sprintf(
			"left out, since not all %d rounds have them: %s", u.n, strings.Join(partial, ", "))})
	}
	return out
}

// united gathers the values and histograms of rounds, in the order in which they come first.
type united struct {
	n          int
	order      []string
	values     map[string]*gathered
	histograms []measure.Histogram
	bins       map[string][][]measure.Bin
}

type gathered struct {
	measure.Value
	each []float64
}

func keyOf(measure, keys string) string { return measure + " " + keys }

func (u *united) add(s *measure.Sample) {
	for _, v := range s.Values {
		key := keyOf(v.Measure, v.Keys.String())
		if u.values[key] == nil {
			u.values[key] = &gathered{Value: v}
			u.order = append(u.order, key)
		}
		u.values[key].each = append(u.values[key].each, v.Value)
	}
	for _, h := range s.Histograms {
		key := keyOf(h.Measure, h.Keys.String())
		if u.bins[key] == nil {
			u.histograms = append(u.histograms, h)
		}
		u.bins[key] = append(u.bins[key], h.Bins)
	}
}

// bound keeps quantiles below the largest value of their histogram: the value of a bin may lie beyond what is in it.
func bound(values []measure.Value, declared map[string]schema.Measure) {
	most := map[string]float64{}
	for _, v := range values {
		if m := declared[v.Measure]; m.Quantile == 1 {
			most[keyOf(m.Histogram, v.Keys.String())] = v.Value
		}
	}
	for i := range values {
		m := declared[values[i].Measure]
		if top, ok := most[keyOf(m.Histogram, values[i].Keys.String())]; ok && m.Quantile > 0 {
			values[i].Value = min(values[i].Value, top)
		}
	}
}

// warningsOf are those of all rounds: once where all words are the same, else with the round.
func warningsOf(samples []measure.Sample, rounds []measure.Round) []measure.Warning {
	times := map[measure.Warning]int{}
	for i := range samples {
		for _, w := range samples[i].Warnings {
			times[w]++
		}
	}
	var out []measure.Warning
	seen := map[measure.Warning]bool{}
	for i := range samples {
		for _, w := range samples[i].Warnings {
			if seen[w] {
				continue
			}
			seen[w] = true
			if times[w] < len(samples) {
				w.Text = fmt.Sprintf("round %d: %s", rounds[i].Number, w.Text)
			}
			out = append(out, w)
		}
	}
	return out
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// largest is the largest value, or with a sign of -1 the smallest.
func largest(list []float64, sign float64) float64 {
	v := list[0]
	for _, x := range list[1:] {
		if sign*x > sign*v {
			v = x
		}
	}
	return v
}
