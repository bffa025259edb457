package stats

import "math"

// Steadiness says how far rounds of a test are from a steady state. Range and Slope are shares of the average's size; they hold where
// Defined is true, which they are not where the average is zero and the rounds are not.
type Steadiness struct {
	Rounds  int
	Average float64
	Range   float64 // largest less smallest
	Slope   float64 // how much the least-squares line rises (negative: falls) from the first round to the last
	Defined bool
	Steady  bool
}

// Steady judges a window of rounds, in the order in which they ran, as the SNIA Solid State Storage Performance Test Specification
// (2.0.2) does: steady are rounds whose range is at most the share maxRange of their average, and whose least-squares line rises or
// falls by at most the share maxSlope of it over the window. Both limits are inclusive, but for the rounding of floats. Fewer than two
// rounds, and rounds of which one is no finite number, are not steady.
func Steady(window []float64, maxRange, maxSlope float64) Steadiness {
	s := Steadiness{Rounds: len(window)}
	n := float64(len(window))
	if len(window) < 2 {
		return s
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range window {
		if !finite(v) {
			return s
		}
		lo, hi = math.Min(lo, v), math.Max(hi, v)
		s.Average += v / n
	}
	// With x from 0 to n-1, the sum of (x - mean)² is n(n²-1)/12.
	rise := 0.0
	for i, v := range window {
		rise += (float64(i) - (n-1)/2) * (v - s.Average)
	}
	rise *= 12 / (n * (n + 1)) // the slope times n-1
	size := math.Abs(s.Average)
	if !finite(s.Average) || !finite(hi-lo) || !finite(rise) {
		return Steadiness{Rounds: len(window)}
	}
	if hi == lo { // exactly, however the average was rounded
		s.Average, s.Defined, s.Steady = hi, true, true
		return s
	}
	if size == 0 || !finite((hi-lo)/size) || !finite(rise/size) {
		return s
	}
	s.Range, s.Slope, s.Defined = (hi-lo)/size, rise/size, true
	s.Steady = AtMost(s.Range, maxRange) && AtMost(math.Abs(s.Slope), maxSlope)
	return s
}
