// Package stats does arithmetic on repetitions: medians with their interval, the change between two arms with its
// interval and p-value. One repetition is one observation. It is opinionated: no bare means, no outlier removed, and it says when
// there are too few. It knows nothing of measures, units or specs.
package stats

// Summary is a figure over repetitions.
type Summary struct {
	N        int       `json:"n"`
	Median   float64   `json:"median"`
	Lo       float64   `json:"lo"` // of the interval; of the range where there is no interval
	Hi       float64   `json:"hi"`
	Interval bool      `json:"interval"` // Lo and Hi are a confidence interval of the median; else the smallest and largest value
	Values   []float64 `json:"values"`   // as given
}

// Change is the comparison of an arm with its baseline.
type Change struct {
	Change     float64 `json:"change"`     // ratio - 1
	Ratio      float64 `json:"ratio"`      // of medians
	Difference float64 `json:"difference"` // of medians
	N          int     `json:"n"`
	NBaseline  int     `json:"n_baseline"`
	// Interval tells whether the bootstrap intervals below exist: two or more values a side.
	Interval                   bool
	ChangeLo, ChangeHi         float64
	DifferenceLo, DifferenceHi float64
	P                          float64 // of a Mann-Whitney U test, two-sided; 1 where it cannot be computed
}
