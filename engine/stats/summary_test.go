package stats

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummarize(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name       string
		values     []float64
		confidence float64
		want       Summary
	}{
		{"none", nil, 0.95, Summary{Values: []float64{}}},
		{"one observation", []float64{7}, 0.95, Summary{N: 1, Median: 7, Lo: 7, Hi: 7, Values: []float64{7}}},
		{"an even number", []float64{1, 4}, 0.95, Summary{N: 2, Median: 2.5, Lo: 1, Hi: 4, Values: []float64{1, 4}}},
		{"five are too few", []float64{5, 3, 1, 2, 4}, 0.95, Summary{N: 5, Median: 3, Lo: 1, Hi: 5, Values: []float64{5, 3, 1, 2, 4}}},
		{"six have an interval", []float64{6, 5, 3, 1, 2, 4}, 0.95, Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6, Interval: true, Values: []float64{6, 5, 3, 1, 2, 4}}},
		{"0 is 95 %", []float64{6, 5, 3, 1, 2, 4}, 0, Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6, Interval: true, Values: []float64{6, 5, 3, 1, 2, 4}}},
		{"six are too few for 99 %", []float64{6, 5, 3, 1, 2, 4}, 0.99, Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6, Values: []float64{6, 5, 3, 1, 2, 4}}},
		{"certainty has none", []float64{6, 5, 3, 1, 2, 4}, 1, Summary{N: 6, Median: 3.5, Lo: 1, Hi: 6, Values: []float64{6, 5, 3, 1, 2, 4}}},
		{"no observation", []float64{inf, 2, math.NaN(), -inf}, 0.95, Summary{N: 1, Median: 2, Lo: 2, Hi: 2, Values: []float64{2}}},
		{"near the largest float", []float64{1.6e308, 1.6e308}, 0.95, Summary{N: 2, Median: 1.6e308, Lo: 1.6e308, Hi: 1.6e308, Values: []float64{1.6e308, 1.6e308}}},
	} {
		if d := cmp.Diff(c.want, Summarize(c.values, c.confidence)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// The coverage of an interval between two ranks is a sum of binomial probabilities, whatever the distribution.
func TestIntervalCovers(t *testing.T) {
	for _, confidence := range []float64{0.8, 0.9, 0.95, 0.99} {
		for n := 1; n <= 120; n++ {
			ranks := make([]float64, n)
			for i := range ranks {
				ranks[i] = float64(i + 1)
			}
			s := Summarize(ranks, confidence)
			if want := n >= MinimumForMedian(confidence); s.Interval != want {
				t.Errorf("n=%d at %v: an interval: %v, want %v", n, confidence, s.Interval, want)
			}
			if !s.Interval {
				continue
			}
			if got := coverage(n, int(s.Lo), int(s.Hi)); got < confidence-1e-12 {
				t.Errorf("n=%d at %v: ranks %v to %v cover only %v", n, confidence, s.Lo, s.Hi, got)
			}
			// No narrower interval would do, but for the normal approximation's caution.
			if got := coverage(n, int(s.Lo)+1, int(s.Hi)-1); n <= 30 && got >= confidence {
				t.Errorf("n=%d at %v: ranks %v to %v are too wide", n, confidence, s.Lo, s.Hi)
			}
		}
	}
}

func coverage(n, lo, hi int) float64 {
	sum := new(big.Int)
	for k := lo; k < hi; k++ {
		sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
	}
	r := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(n)))
	f, _ := r.Float64()
	return f
}

func TestMinimumForMedian(t *testing.T) {
	for confidence, want := range map[float64]int{0: 6, 0.5: 2, 0.9: 5, 0.95: 6, 0.99: 8, 0.999: 11, 1: 0} {
		if got := MinimumForMedian(confidence); got != want {
			t.Errorf("at %v: %d, want %d", confidence, got, want)
		}
	}
}
