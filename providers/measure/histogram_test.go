package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	a, b := []Bin{{1, 2}, {3, 4}}, []Bin{{2, 1}, {3, 1}}
	if d := cmp.Diff([]Bin{{1, 2}, {2, 1}, {3, 5}}, Merge(a, b)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Bin{}, Merge()); d != "" {
		t.Error(d)
	}
	if Total(a) != 6 {
		t.Errorf("%d", Total(a))
	}
}

// TestQuantile is about ranks just on a bin's edge.
func TestQuantile(t *testing.T) {
	hundred := []Bin{{1, 50}, {2, 45}, {3, 4}, {4, 1}}
	for _, c := range []struct {
		bins []Bin
		q    float64
		want float64
		ok   bool
	}{
		{hundred, 0.5, 1, true}, {hundred, 0.500001, 2, true}, {hundred, 0.95, 2, true}, {hundred, 0.96, 3, true},
		{hundred, 0.99, 3, true}, {hundred, 1, 4, true}, {hundred, 0.999, 0, false},
		{[]Bin{{1, 9990}, {2, 10}}, 0.999, 1, true}, {[]Bin{{1, 9989}, {2, 11}}, 0.999, 2, true}, {[]Bin{{1, 9999}}, 0.999, 0, false},
		{[]Bin{{1, 99989}, {2, 11}}, 0.9999, 2, true}, {[]Bin{{1, 99000}}, 0.9999, 0, false},
		{nil, 0.5, 0, false}, {[]Bin{{1, 0}}, 0.5, 0, false}, {hundred, 0, 0, false}, {hundred, 1.1, 0, false},
		{[]Bin{{7, 1}}, 0.01, 7, true},
	} {
		if v, ok := Quantile(c.bins, c.q); v != c.want || ok != c.ok {
			t.Errorf("%g of %v: %v, %v; want %v, %v", c.q, c.bins, v, ok, c.want, c.ok)
		}
	}
}
