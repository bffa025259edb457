package graph

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOptimum holds the order against the best of all, on random benches.
func TestOptimum(t *testing.T) {
	const benches = 1000
	matter, optimal, n := 0, 0, 0
	worst := 1.0
	for seed := int64(1); n < benches; seed++ {
		b, ok := randomBench(rand.New(rand.NewSource(seed)), 8)
		if !ok {
			continue
		}
		n++
		m := compile(b)
		s := &search{m: m, p: newPlayer(m)}
		cheapest := s.cheapest()
		order := s.readable(cheapest).order
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, identity(len(b.Closures))) {
			t.Fatalf("seed %d: the order %v is not one of all closures", seed, order)
		}
		ref := newNaive(b)
		price := b.Price(order)
		if p := ref.price(order); p != price {
			t.Fatalf("seed %d: the order %v is priced %d, and playing it plainly costs %d", seed, order, price, p)
		}
		best := ref.optimum(ref.price(cheapest.order))
		if cheapest.cost < best {
			t.Fatalf("seed %d: %d is less than the optimum %d", seed, cheapest.cost, best)
		}
		if price > cheapest.cost+cheapest.cost/100 {
			t.Errorf("seed %d: a readable order costs %d, more than 1 %% above %d", seed, price, cheapest.cost)
		}
		if s.plain.cost > best {
			matter++
		}
		if cheapest.cost == best {
			optimal++
		}
		if ratio := float64(price) / float64(best); ratio > worst {
			worst = ratio
		}
	}
	t.Logf("%d benches, in %d of which no plain order is best: optimal in %d, at worst %.3f times the optimum", benches, matter, optimal, worst)
	if matter < benches/10 {
		t.Errorf("in %d of %d benches only is a plain order not good enough: they test little", matter, benches)
	}
	if optimal < benches*99/100 {
		t.Errorf("optimal in %d of %d", optimal, benches)
	}
	if worst > 1.1 {
		t.Errorf("at worst %.3f times the optimum", worst)
	}
}

// TestLargeBenches holds the order against the plain ones where the best is not known.
func TestLargeBenches(t *testing.T) {
	n, better := 0, 0
	for seed := int64(1); n < 10; seed++ {
		b, ok := randomBench(rand.New(rand.NewSource(seed)), 60)
		if !ok || len(b.Closures) < 12 {
			continue
		}
		n++
		order := b.Order()
		price := b.Price(order)
		m := compile(b)
		plain := b.Price(m.byAxes(m.varying(), false))
		if price > plain {
			t.Errorf("seed %d: %d closures cost %d, and in the plain order %d", seed, len(b.Closures), price, plain)
		}
		if price < plain {
			better++
		}
		if p := newNaive(b).price(order); p != price {
			t.Errorf("seed %d: priced %d, and playing it plainly costs %d", seed, price, p)
		}
	}
	if better < n/4 {
		t.Errorf("better than the plain order in %d of %d benches only", better, n)
	}
}

func TestSameOrderAgain(t *testing.T) {
	for seed := int64(1); seed < 60; seed++ {
		b, ok := randomBench(rand.New(rand.NewSource(seed)), 8)
		if !ok {
			continue
		}
		again, _ := randomBench(rand.New(rand.NewSource(seed)), 8)
		if d := cmp.Diff(b.Play(b.Order(), false), again.Play(again.Order(), false)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

// TestByThings: grouping by the dearest things finds what no order of axes does, and orders all closures.
func TestByThings(t *testing.T) {
	n, better := 0, 0
	for seed := int64(1); n < 100; seed++ {
		b, ok := randomBench(rand.New(rand.NewSource(seed)), 60)
		if !ok || len(b.Closures) < 6 {
			continue
		}
		n++
		m := compile(b)
		p := newPlayer(m)
		order := m.byThings()
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, identity(len(b.Closures))) {
			t.Fatalf("seed %d: the order %v is not one of all closures", seed, order)
		}
		best := int64(noLimit)
		m.axisOrders(axisVisits, func(axes []int) {
			best = min(best, p.price(m.byAxes(axes, false), noLimit), p.price(m.byAxes(axes, true), noLimit))
		})
		if p.price(order, noLimit) < best {
			better++
		}
	}
	if better < 5 {
		t.Errorf("better than every order of axes in %d of %d", better, n)
	}
}
