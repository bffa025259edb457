package judge

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// rollUp makes one figure of a measure of one sample. A value without keys is the provider's own roll-up and wins.
// Otherwise the keyed ones are taken together as the measure says; where it does not say, only a single one is a figure.
// doubt is not nil where a value cannot be a figure, or is not the one that it should be: it says why.
func rollUp(s *measure.Sample, m schema.Measure) (v float64, ok bool, doubt *measure.Warning) {
	var keyed []measure.Value
	for _, x := range s.Values {
		if x.Measure != m.Name {
			continue
		}
		if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) {
			return 0, false, noFigure("%s is %v, which is not a figure", m.Name, x.Value)
		}
		if len(x.Keys) == 0 {
			if !ok {
				v, ok = x.Value, true
			}
			continue
		}
		keyed = append(keyed, x)
	}
	if ok {
		return v, ok, nil
	}
	if parts := distributions(s, m); len(keyed) > 1 && m.RollUp == schema.Merged || len(parts) > 1 {
		return merged(m, keyed, parts)
	}
	if len(keyed) == 0 {
		return 0, false, nil
	}
	v = keyed[0].Value
	for _, x := range keyed[1:] {
		switch m.RollUp {
		case schema.Sum, schema.Mean:
			v += x.Value
		case schema.Worst:
			if v, ok = worse(m, v, x.Value); !ok {
				return 0, false, nil
			}
		default:
			return 0, false, nil // as declared: who refers to it names the keys
		}
	}
	if m.RollUp == schema.Mean {
		v /= float64(len(keyed))
	}
	if math.IsInf(v, 0) {
		return 0, false, noFigure("%s is too large to be summed over its keys", m.Name)
	}
	return v, true, nil
}

func noFigure(format string, args ...any) *measure.Warning {
	return &measure.Warning{Code: "no_figure", Text: fmt.Sprintf(format, args...)}
}

// worse is the worse of two figures; false where neither direction is.
func worse(m schema.Measure, a, b float64) (float64, bool) {
	switch m.Better {
	case schema.Higher:
		return math.Min(a, b), true
	case schema.Lower:
		return math.Max(a, b), true
	}
	return 0, false
}

// distributions are those that a Merged measure is taken from, by their keys.
func distributions(s *measure.Sample, m schema.Measure) map[string][]measure.Bin {
	parts := map[string][]measure.Bin{}
	for _, h := range s.Histograms {
		if m.RollUp == schema.Merged && h.Measure == m.Histogram && len(h.Keys) > 0 && measure.Total(h.Bins) > 0 {
			parts[h.Keys.String()] = measure.Merge(parts[h.Keys.String()], h.Bins)
		}
	}
	return parts
}

// merged takes a percentile of the distributions of all keys together, also of those that have too few operations for a
// figure of their own. Percentiles are never averaged: where the distribution of a key is missing it is the worst of the keys, and the doubt
// says so.
func merged(m schema.Measure, keyed []measure.Value, parts map[string][]measure.Bin) (v float64, ok bool, doubt *measure.Warning) {
	var missing []string
	for _, x := range keyed {
		if parts[x.Keys.String()] == nil {
			missing = append(missing, x.Keys.String())
		}
	}
	if len(missing) > 0 {
		v = keyed[0].Value
		for _, x := range keyed[1:] {
			if v, ok = worse(m, v, x.Value); !ok {
				return 0, false, noFigure("%s cannot be taken over %s: the distribution of %s is missing", m.Name, namesOf(keyed), strings.Join(missing, ", "))
			}
		}
		return v, true, &measure.Warning{Code: "not_merged", Text: fmt.Sprintf(
			"%s is the worst of %d: percentiles are not averaged, and the distribution of %s is missing", m.Name, len(keyed), strings.Join(missing, ", "))}
	}
	var all [][]measure.Bin
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		all = append(all, parts[name])
	}
	bins := measure.Merge(all...)
	v, ok = measure.Quantile(bins, m.Quantile)
	if m.Quantile == 1 && len(keyed) == len(parts) { // the largest values themselves are known, more exactly than by their bins
		v = keyed[0].Value
		for _, x := range keyed[1:] {
			v = math.Max(v, x.Value)
		}
	}
	if !ok && len(keyed) == 0 { // nobody said that there is one
		return 0, false, nil
	}
	if !ok {
		return 0, false, noFigure("%s is not taken from %d operations: too few of them lie beyond %s", m.Name, measure.Total(bins), unit.FormatShare(m.Quantile))
	}
	if math.IsInf(v, 0) {
		return 0, false, noFigure("%s is too large to be a figure", m.Name)
	}
	return v, true, nil
}

// namesOf lists the keys of which values have one: host, query.
func namesOf(values []measure.Value) string {
	seen := addr.Coordinates{}
	for _, v := range values {
		maps.Copy(seen, v.Keys)
	}
	return strings.Join(seen.Axes(), " and ")
}
