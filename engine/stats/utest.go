package stats

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// exactWithTies bounds the samples of which the distribution with ties is counted out; beyond, the normal
// approximation is as good and far cheaper.
const exactWithTies = 50

// MannWhitney is the two-sided p-value of the Mann-Whitney U test: twice the smaller tail, at most 1. It is exact for up to
// 50 values a side, else a normal approximation with correction for ties and continuity. It is 1 where a side has no
// values or all values are equal.
func MannWhitney(a, b []float64) float64 {
	a, b = sorted(a), sorted(b)
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	// go-moremath counts U in whole steps also where ties make half steps, and so gives p = 0 for {1,2,3,5} against
	// five times 1. Its distribution is used where there are no ties.
	ranks, ties := doubleRanks(a, b)
	if ties && len(a) <= exactWithTies && len(b) <= exactWithTies {
		return exactP(ranks, len(a))
	}
	r, err := moremath.MannWhitneyUTest(a, b, moremath.LocationDiffers)
	if err != nil || !finite(r.P) { // all values are equal
		return 1
	}
	return math.Min(1, r.P)
}

// doubleRanks gives twice the mean rank of every value, those of a first, so that ties have whole numbers too.
func doubleRanks(a, b []float64) (ranks []int, ties bool) {
	ranks = make([]int, 0, len(a)+len(b))
	below := func(s []float64, v float64) (less, equal int) {
		for _, x := range s {
			if x < v {
				less++
			} else if x == v {
				equal++
			}
		}
		return less, equal
	}
	for _, s := range [][]float64{a, b} {
		for _, v := range s {
			la, ea := below(a, v)
			lb, eb := below(b, v)
			ranks = append(ranks, 2*(la+lb)+ea+eb+1)
			ties = ties || ea+eb > 1
		}
	}
	return ranks, ties
}

// exactP counts, over all ways to choose n of the ranks, those whose sum is at most and at least that of the first n
// (Klotz 1966, by dynamic programming over the sums).
func exactP(ranks []int, n int) float64 {
	total, observed := 0, 0
	for i, r := range ranks {
		total += r
		if i < n {
			observed += r
		}
	}
	ways := make([][]float64, n+1) // ways[k][s]: choices of k ranks with the sum s
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	sofar := 0
	for i, r := range ranks {
		sofar += r
		for k := min(n, i+1); k >= 1; k-- {
			for s := sofar; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	var low, high, all float64
	for s, w := range ways[n] {
		all += w
		if s <= observed {
			low += w
		}
		if s >= observed {
			high += w
		}
	}
	return math.Min(1, 2*math.Min(low, high)/all)
}
