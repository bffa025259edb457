package stats

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// Summarize gives the median with its order-statistic interval, which assumes nothing of the distribution: the values
// of rank l and r, whose coverage is the binomial probability that between l and r-1 of n values lie below the true
// median (David & Nagaraja, Order Statistics, 7.1). Where n is too small for that confidence (fewer than six at
// 95 %), Lo and Hi are the range and Interval is false. A confidence of 0 means DefaultConfidence. Values of a
// Summary are the finite ones, in the order given.
func Summarize(values []float64, confidence float64) Summary {
	s := sorted(values)
	sum := Summary{N: len(s), Median: medianOf(s), Values: make([]float64, 0, len(s))}
	for _, v := range values {
		if finite(v) {
			sum.Values = append(sum.Values, v)
		}
	}
	if len(s) == 0 {
		return sum
	}
	sum.Lo, sum.Hi = s[0], s[len(s)-1]
	ci := moremath.QuantileCI(len(s), 0.5, orDefault(confidence))
	if ci.LoOrder >= 1 && ci.HiOrder <= len(s) {
		sum.Lo, sum.Hi, sum.Interval = s[ci.LoOrder-1], s[ci.HiOrder-1], true
	}
	return sum
}

// MinimumForMedian is the smallest number of repetitions at which a median has an interval of this confidence: six for
// 0.95. The widest interval, from the smallest to the largest value, misses the true median with probability 2 / 2^n.
// It is 0 where no number is enough.
func MinimumForMedian(confidence float64) int {
	c := orDefault(confidence)
	for n := 2; n <= 1000; n++ {
		if 1-math.Pow(2, float64(1-n)) >= c && c < 1 {
			return n
		}
	}
	return 0
}

func orDefault(confidence float64) float64 {
	if !(confidence > 0) { // NaN too
		return DefaultConfidence
	}
	return confidence
}
