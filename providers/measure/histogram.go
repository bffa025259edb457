package measure

import (
	"math"
	"sort"
)

// Merge adds the counts of histograms of one measure, bin by bin. Bins of a value that only some have stay as they are: each tool has its own
// grid, and those of one tool share it.
func Merge(all ...[]Bin) []Bin {
	counts := map[float64]uint64{}
	for _, bins := range all {
		for _, b := range bins {
			counts[b.Value] += b.Count
		}
	}
	out := make([]Bin, 0, len(counts))
	for v, n := range counts {
		out = append(out, Bin{v, n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Value < out[j].Value })
	return out
}

// Total is how many values the bins count.
func Total(bins []Bin) uint64 {
	var n uint64
	for _, b := range bins {
		n += b.Count
	}
	return n
}

// Quantile is the nearest rank in ascending bins: the value of the first bin up to which at least the share q of all values lies. ok is
// false of empty bins, and where the share beyond q rests on fewer than ten values: so few say nothing of a 99.9th percentile. That is asked only
// of a q from 0.999 on.
func Quantile(bins []Bin, q float64) (v float64, ok bool) {
	n := float64(Total(bins))
	if n == 0 || !(q > 0 && q <= 1) {
		return 0, false
	}
	const rounding = 1e-9
	if q >= 0.999 && q < 1 && n*(1-q) < 10*(1-rounding) {
		return 0, false
	}
	rank := math.Ceil(n*q - n*q*1e-12) // 0.95 is a little more than 95/100
	sum := 0.0
	for _, b := range bins {
		if sum += float64(b.Count); sum >= rank {
			return b.Value, true
		}
	}
	return bins[len(bins)-1].Value, true
}
