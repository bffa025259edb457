package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestHolm(t *testing.T) {
	for _, c := range []struct {
		name    string
		p, want []float64
	}{
		{"none", nil, nil},
		{"one", []float64{0.03}, []float64{0.03}},
		{"four, out of order", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"each carries the one before", []float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}},
		{"ties", []float64{0.02, 0.02}, []float64{0.04, 0.04}},
		{"at most 1", []float64{0.6, 0.7}, []float64{1, 1}},
	} {
		got := Holm(c.p)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// Testing each p at its level decides as the adjusted p-values do.
func TestHolmLevels(t *testing.T) {
	gen := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for range 2000 {
		p, alpha := make([]float64, 1+gen.IntN(8)), []float64{}
		for i := range p {
			p[i] = gen.Float64() * 0.1 / float64(1+gen.IntN(20))
			alpha = append(alpha, 0.05)
		}
		adjusted := Holm(p)
		for i, level := range HolmLevels(p, alpha) {
			if p[i] <= level != (adjusted[i] <= 0.05) {
				t.Fatalf("%v: p = %v at %v, but adjusted %v", p, p[i], level, adjusted[i])
			}
			if p[i] <= level {
				decided++
			}
		}
	}
	if decided < 100 {
		t.Errorf("only %d decisions: the test does not bite", decided)
	}
	levels := HolmLevels([]float64{0.004, 0.03}, []float64{0.01, 0.1}) // each with a level of its own
	if levels[0] != 0.01 || levels[1] != 0.1/2 {
		t.Errorf("levels %v, want 0.01 and 0.05: the smallest share of its level goes first", levels)
	}
	if got := HolmLevels([]float64{0}, []float64{0}); got[0] != 0 {
		t.Errorf("a level of 0 became %v", got[0])
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct {
		confidence float64
		cells      int
		want       int
	}{
		{0.95, 1, 4}, {0.95, 0, 4}, {0.95, 2, 5}, {0.95, 6, 5}, {0.95, 7, 6}, {0.95, 23, 6}, {0.95, 24, 7},
		{0.99, 1, 5}, {0.999, 1, 7}, {0.8, 1, 3}, {0, 1, 4}, {1, 1, 0},
	} {
		got := MinimumRepeat(c.confidence, c.cells)
		if got != c.want {
			t.Errorf("at %v with %d cells: %d repetitions, want %d", c.confidence, c.cells, got, c.want)
		}
		if got > 0 && (!CanReach(got, got, c.confidence, c.cells) || CanReach(got-1, got-1, c.confidence, c.cells)) {
			t.Errorf("at %v with %d cells: %d is not the least that reaches", c.confidence, c.cells, got)
		}
		if got > 0 && CanReach(got-1, 1000, c.confidence, c.cells) {
			t.Errorf("at %v: many on one side made up for %d on the other", c.confidence, got-1)
		}
	}
	for n := 0; n <= 8; n++ { // two arms that lie wholly apart
		var a, b []float64
		for i := range n {
			a, b = append(a, float64(i)), append(b, float64(100+i))
		}
		if got, want := SmallestP(n, n), MannWhitney(a, b); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d a side: the smallest p is %v, the test gives %v", n, got, want)
		}
	}
}
