package stats

import (
	"math"
	"testing"
)

func TestNoise(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
		ok     bool
	}{
		{[]float64{90, 100, 110}, 0.14826, true},
		{[]float64{90, 100, 1e9}, 0.14826, true}, // one wild value does not count
		{[]float64{5, 5, 5, 5}, 0, true},
		{[]float64{1, 2}, 0, false},
		{[]float64{-1, -2, -3}, 0, false},
		{[]float64{0, 0, 0}, 0, false},
		{[]float64{math.NaN(), 1, 2}, 0, false},
	} {
		got, ok := Noise(c.values)
		if math.Abs(got-c.want) > 1e-12 || ok != c.ok {
			t.Errorf("Noise(%v) = %g, %v, want %g, %v", c.values, got, ok, c.want, c.ok)
		}
	}
}

// The textbook value for two groups of 16 and a power of 80 % at 5 %: an effect of one standard deviation needs 16 a group
// (Lehr, Sixteen S-squared over D-squared, 1992), a little more with the U test.
func TestDetectableEffect(t *testing.T) {
	if got := DetectableEffect(1, 1, 16, 16, 0.95); math.Abs(got-2.8016*math.Sqrt(2.0/16)/math.Sqrt(3/math.Pi)) > 1e-3 || got < 0.98 || got > 1.02 {
		t.Errorf("16 a side show %g standard deviations", got)
	}
	if a, b := DetectableEffect(0.05, 0.05, 6, 6, 0.95), DetectableEffect(0.05, 0.05, 24, 24, 0.95); math.Abs(a/b-2) > 1e-9 {
		t.Errorf("four times the repetitions must halve it: %g, %g", a, b)
	}
	if DetectableEffect(0.05, 0.05, 6, 6, 0.99) <= DetectableEffect(0.05, 0.05, 6, 6, 0.95) {
		t.Error("more confidence must cost sensitivity")
	}
	if DetectableEffect(0.05, 0.05, 0, 6, 0.95) != 0 || DetectableEffect(0, 0, 6, 6, 0.95) != 0 {
		t.Error("no repetitions and no noise give 0")
	}
}
