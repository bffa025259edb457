package stats

// Compare compares an arm with its baseline: change, ratio and difference of the medians, each with a bootstrap interval
// (see Resample), and the p-value of MannWhitney. The seed is the address of the comparison. A confidence of 0 means
// DefaultConfidence. Where a side has no values everything is zero, p is 1 and nothing is Defined.
func Compare(arm, base []float64, confidence float64, seed string) Change {
	arm, base = sorted(arm), sorted(base)
	c := Change{N: len(arm), NBaseline: len(base), P: 1}
	if c.N == 0 || c.NBaseline == 0 {
		return c
	}
	a, b := medianOf(arm), medianOf(base)
	if d := a - b; finite(d) {
		c.Difference = d
	}
	if change := relative(a, b); b > 0 && finite(change) && finite(a/b) {
		c.Change, c.Ratio, c.Defined = change, a/b, true
	}
	c.P = MannWhitney(arm, base)
	alpha := 1 - orDefault(confidence)
	changes, differences := Resample(arm, base, seed)
	c.ChangeLo, c.ChangeHi, c.Interval = changes.Interval(alpha)
	c.DifferenceLo, c.DifferenceHi, c.DifferenceInterval = differences.Interval(alpha)
	return c
}
