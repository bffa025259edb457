package stats

import (
	"math"
	"testing"
)

// TestSteady is about the limits: just on them is steady, just beyond is not.
func TestSteady(t *testing.T) {
	const beyond = 1e-6
	for _, c := range []struct {
		name       string
		window     []float64
		rng, slope float64
		steady     bool
		gotR, gotS float64
		undefined  bool
	}{
		{name: "all equal", window: []float64{7, 7, 7, 7, 7}, rng: 0.2, slope: 0.1, steady: true},
		{name: "all equal, of a value that tenths do not add up to", window: []float64{0.1, 0.1, 0.1}, rng: 1e-12, slope: 1e-12, steady: true},
		{name: "all zero", window: []float64{0, 0, 0}, rng: 0.2, slope: 0.1, steady: true},
		// 90 and 110 about 100, without a trend: exactly 20 %.
		{name: "range on the limit", window: []float64{100, 90, 110, 90, 110}, rng: 0.2, slope: 1, steady: true, gotR: 0.2, gotS: 0.08},
		{name: "range beyond", window: []float64{100, 90, 110 + beyond, 90, 110}, rng: 0.2, slope: 1, gotR: 0.2, gotS: 0.08},
		{name: "range below", window: []float64{100, 110, 90, 110, 90}, rng: 0.2 + beyond, slope: 1, steady: true, gotR: 0.2, gotS: -0.08},
		// 95 to 105 in equal steps: the line rises by 10 of 100.
		{name: "slope on the limit", window: []float64{95, 97.5, 100, 102.5, 105}, rng: 0.2, slope: 0.1, steady: true, gotR: 0.1, gotS: 0.1},
		{name: "slope beyond", window: []float64{95 - beyond, 97.5, 100, 102.5, 105}, rng: 0.2, slope: 0.1, gotR: 0.1, gotS: 0.1},
		{name: "falling, on the limit", window: []float64{105, 102.5, 100, 97.5, 95}, rng: 0.2, slope: 0.1, steady: true, gotR: 0.1, gotS: -0.1},
		{name: "falling, beyond", window: []float64{105 + beyond, 102.5, 100, 97.5, 95}, rng: 0.2, slope: 0.1, gotR: 0.1, gotS: -0.1},
		{name: "a trend within the range", window: []float64{92, 96, 100, 104, 108}, rng: 0.2, slope: 0.1, gotR: 0.16, gotS: 0.16},
		{name: "two rounds", window: []float64{95, 105}, rng: 0.1, slope: 0.1, steady: true, gotR: 0.1, gotS: 0.1},
		{name: "below zero", window: []float64{-95, -97.5, -100, -102.5, -105}, rng: 0.2, slope: 0.1, steady: true, gotR: 0.1, gotS: -0.1},
		{name: "average of zero", window: []float64{-1, 1, -1, 1}, rng: 10, slope: 10, undefined: true},
		{name: "one round", window: []float64{100}, rng: 1, slope: 1, undefined: true},
		{name: "none", rng: 1, slope: 1, undefined: true},
		{name: "no number", window: []float64{100, math.NaN(), 100}, rng: 1, slope: 1, undefined: true},
		{name: "infinity", window: []float64{100, math.Inf(1), 100}, rng: 1, slope: 1, undefined: true},
		{name: "the largest floats", window: []float64{-math.MaxFloat64, math.MaxFloat64}, rng: 1, slope: 1, undefined: true},
		{name: "a tiny average", window: []float64{-1e300, 1e300, 1e-300}, rng: 1, slope: 1, undefined: true},
	} {
		s := Steady(c.window, c.rng, c.slope)
		if s.Steady != c.steady || s.Defined == c.undefined || s.Rounds != len(c.window) {
			t.Errorf("%s: %+v, want steady %v", c.name, s, c.steady)
		}
		if !near(s.Range, c.gotR) || !near(s.Slope, c.gotS) {
			t.Errorf("%s: range %v and slope %v, want %v and %v", c.name, s.Range, s.Slope, c.gotR, c.gotS)
		}
		for _, v := range []float64{s.Average, s.Range, s.Slope} {
			if !finite(v) {
				t.Errorf("%s: %+v holds what is no number", c.name, s)
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-7 }
