package stats

import (
	"math"
	"testing"
)

func TestMannWhitney(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		// Hollander & Wolfe (1973), p. 69: water transfer through the human chorioamnion. W = 35; R's wilcox.test
		// documents p = 0.1272 for one side.
		{"Hollander & Wolfe", []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			[]float64{1.15, 0.88, 0.90, 0.74, 1.21}, 0.2544},
		{"three a side", []float64{1, 2, 3}, []float64{4, 5, 6}, 0.1},
		{"four a side", []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70},
		{"six a side", []float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}, 2.0 / 924},
		{"ties on one side", []float64{2, 1, 3, 5}, []float64{1, 1, 1, 1, 1}, 12.0 / 126},
		{"all equal", []float64{4, 4, 4, 4}, []float64{4, 4, 4, 4}, 1},
		{"the same values", []float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, 1},
		{"none", nil, []float64{1, 2}, 1},
		{"no observations", []float64{inf, math.NaN()}, []float64{1, 2}, 1},
	} {
		if got := MannWhitney(c.a, c.b); math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%s: p = %v, want %v", c.name, got, c.want)
		}
		if got, back := MannWhitney(c.a, c.b), MannWhitney(c.b, c.a); math.Abs(got-back) > 1e-12 {
			t.Errorf("%s: p = %v one way and %v the other", c.name, got, back)
		}
	}
}

// Every pair of samples of up to four values out of three, so with every pattern of ties; and all without ties up to five a
// side. p is counted over all ways to deal the values out.
func TestMannWhitneyExhaustively(t *testing.T) {
	checked := 0
	check := func(a, b []float64) {
		checked++
		if got, want := MannWhitney(a, b), dealt(a, b); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v against %v: p = %v, want %v", a, b, got, want)
		}
	}
	for n := 1; n <= 4; n++ {
		for m := 1; m <= 4; m++ {
			for _, a := range ascendingTuples(n, 3) {
				for _, b := range ascendingTuples(m, 3) {
					check(a, b)
				}
			}
		}
	}
	for n := 1; n <= 5; n++ {
		for m := 1; m <= 5; m++ {
			for mask := range 1 << (n + m) {
				if a, b := deal(n+m, mask); len(a) == n {
					check(a, b)
				}
			}
		}
	}
	if checked < 1500 {
		t.Errorf("only %d pairs were checked", checked)
	}
}

func ascendingTuples(n, values int) [][]float64 {
	if n == 0 {
		return [][]float64{nil}
	}
	var all [][]float64
	for _, t := range ascendingTuples(n-1, values) {
		for v := 0; v < values; v++ {
			if len(t) == 0 || float64(v) >= t[len(t)-1] {
				all = append(all, append(append([]float64(nil), t...), float64(v)))
			}
		}
	}
	return all
}

// deal gives the numbers below n: to a those whose bit is set.
func deal(n, mask int) (a, b []float64) {
	for i := range n {
		if mask>>i&1 == 1 {
			a = append(a, float64(i))
		} else {
			b = append(b, float64(i))
		}
	}
	return a, b
}

// dealt is the definition: the share of all ways to choose len(a) of the values in which U is as small, or as large.
func dealt(a, b []float64) float64 {
	u := func(a, b []float64) (u float64) {
		for _, x := range a {
			for _, y := range b {
				switch {
				case x > y:
					u++
				case x == y:
					u += 0.5
				}
			}
		}
		return u
	}
	all := append(append([]float64(nil), a...), b...)
	var low, high, n float64
	for mask := range 1 << len(all) {
		x, y := []float64{}, []float64{}
		for i, v := range all {
			if mask>>i&1 == 1 {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		if len(x) != len(a) {
			continue
		}
		n++
		if u(x, y) <= u(a, b) {
			low++
		}
		if u(x, y) >= u(a, b) {
			high++
		}
	}
	return math.Min(1, 2*math.Min(low, high)/n)
}

// Beyond the exact limit, the approximation goes on where the exact values end.
func TestMannWhitneyLarge(t *testing.T) {
	two := func(n int) (a, b []float64) {
		for i := range n {
			a, b = append(a, float64(i)), append(b, float64(i)+float64(n)/5)
		}
		return a, b
	}
	a, b := two(50)
	exact := MannWhitney(a, b)
	a, b = two(51)
	if approx := MannWhitney(a, b); math.Abs(exact-approx) > 0.005 || approx <= 0 {
		t.Errorf("p = %v for 50 a side, and %v for 51", exact, approx)
	}
}
