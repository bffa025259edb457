// Package stats does arithmetic on repetitions: medians with their interval, the change between two arms with its
// interval and p-value. One repetition is one observation. It is opinionated: no bare means, no outlier removed, and it says when
// there are too few. It knows nothing of measures, units or specs.
//
// Infinity and NaN are not observations: every function here drops them, so they can reach no result.
package stats

import (
	"math"
	"slices"
)

// DefaultConfidence is the confidence of an interval where none is given.
const DefaultConfidence = 0.95

// Summary is a figure over repetitions.
type Summary struct {
	N        int       `json:"n"`
	Median   float64   `json:"median"`
	Lo       float64   `json:"lo"` // of the interval; of the range where there is no interval
	Hi       float64   `json:"hi"`
	Interval bool      `json:"interval"` // Lo and Hi are a confidence interval of the median; else the smallest and largest value
	Values   []float64 `json:"values"`   // as given
}

// Change is the comparison of an arm with its baseline. It holds no infinity and no NaN: what does not exist is 0 and
// the flag beside it says so.
type Change struct {
	// Change is Ratio - 1, and Ratio that of the medians. They exist where Defined is true: a median baseline that is
	// zero or negative has no multiple.
	Change  float64 `json:"change"`
	Ratio   float64 `json:"ratio"`
	Defined bool    `json:"defined"`
	// Difference of the medians; it exists where both sides have values.
	Difference float64 `json:"difference"`
	N          int     `json:"n"`
	NBaseline  int     `json:"n_baseline"`
	// Interval tells whether the bootstrap interval of the change exists: two or more values a side, and all values of
	// the baseline above zero.
	Interval bool    `json:"interval"`
	ChangeLo float64 `json:"change_lo"`
	ChangeHi float64 `json:"change_hi"`
	// DifferenceInterval tells whether that of the difference exists: two or more values a side.
	DifferenceInterval bool    `json:"difference_interval"`
	DifferenceLo       float64 `json:"difference_lo"`
	DifferenceHi       float64 `json:"difference_hi"`
	P                  float64 `json:"p"` // of a Mann-Whitney U test, two-sided; 1 where it cannot be computed
}

// sorted returns the finite values in ascending order. The order in which repetitions ran thus never tells in a result.
func sorted(values []float64) []float64 {
	s := make([]float64, 0, len(values))
	for _, v := range values {
		if finite(v) {
			s = append(s, v)
		}
	}
	slices.Sort(s)
	return s
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// medianOf gives the median of ascending values; 0 of none.
func medianOf(s []float64) float64 {
	n := len(s)
	switch {
	case n == 0:
		return 0
	case n%2 == 1:
		return s[n/2]
	}
	return s[n/2-1]/2 + s[n/2]/2 // halves first: the sum of two large values could overflow
}
