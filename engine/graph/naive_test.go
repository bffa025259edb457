package graph

import (
	"math"
	"math/bits"
)

// naive is a bench written anew, as plainly as can be: sets are bits of a word. What the package does is held against it.
type naive struct {
	b       *Bench
	rivals  []uint64 // by thing: those that cannot stand with it
	over    []uint64 // by thing: those that stand on it, directly or not
	against []uint64 // by closure: things that its tests do not bear
	in      []uint64
	spoils  []uint64 // by closure
	fresh   []uint64
	visits  []int
}

// bench is what stands, and what of it is spoiled.
type bench struct{ up, spoiled uint64 }

func newNaive(b *Bench) *naive {
	n := &naive{b: b, rivals: make([]uint64, len(b.Things)), over: make([]uint64, len(b.Things))}
	clash := func(a, b []Claim) bool {
		for _, x := range a {
			for _, y := range b {
				if x.Name == y.Name && !(x.Shared && y.Shared) {
					return true
				}
			}
		}
		return false
	}
	for i, x := range b.Things {
		for j, y := range b.Things {
			if i != j && (clash(x.Claims, y.Claims) || x.Slot != "" && x.Slot == y.Slot) {
				n.rivals[i] |= 1 << j
			}
		}
	}
	for i := len(b.Things) - 1; i >= 0; i-- {
		for _, x := range b.Things[i].Needs {
			n.over[x] |= n.over[i] | 1<<i
		}
	}
	for _, c := range b.Closures {
		in, against := uint64(0), uint64(0)
		for _, x := range c.Things {
			in |= 1 << x
		}
		for j, y := range b.Things {
			if clash(c.Claims, y.Claims) {
				against |= 1 << j
			}
		}
		n.in, n.against = append(n.in, in), append(n.against, against&^in)
		n.spoils, n.fresh, n.visits = append(n.spoils, set(c.Spoils)), append(n.fresh, set(c.Fresh)), append(n.visits, max(1, c.Visits))
	}
	return n
}

func set(list []int) (out uint64) {
	for _, x := range list {
		out |= 1 << x
	}
	return out
}

// start is what stands at the start.
func (n *naive) start() uint64 {
	return set(n.b.Standing)
}

// remove takes a set away, with what stands on it.
func (n *naive) remove(b bench, what uint64) (bench, int64) {
	all := what
	for w := what; w != 0; w &= w - 1 {
		all |= n.over[bits.TrailingZeros64(w)]
	}
	all &= b.up
	cost := int64(0)
	for w := all; w != 0; w &= w - 1 {
		cost += n.b.Things[bits.TrailingZeros64(w)].Remove
	}
	return bench{b.up &^ all, b.spoiled &^ all}, cost
}

func (n *naive) ensure(b bench, x int) (bench, int64) {
	if b.up>>x&1 == 1 {
		return b, 0
	}
	t, total := &n.b.Things[x], int64(0)
	for _, y := range append(append([]int(nil), t.Needs...), t.Beside...) {
		next, cost := n.ensure(b, y)
		b, total = next, total+cost
	}
	from, price := -1, t.Make
	for y := range n.b.Things {
		s := &n.b.Things[y]
		if b.up>>y&1 == 0 || s.Slot != t.Slot || t.Slot == "" || !equal(s.Needs, t.Needs) {
			continue
		}
		if cost, ok := t.Switch[s.State]; ok {
			from, price = y, cost
		} else if cost, ok := t.Switch[AnyState]; ok && s.State != t.State {
			from, price = y, cost
		}
	}
	rest := n.rivals[x] & b.up
	if from >= 0 {
		rest &^= 1 << from
	}
	b, cost := n.remove(b, rest)
	total += cost
	if from >= 0 && b.up>>from&1 == 1 {
		b, cost = n.remove(b, n.over[from])
		total += cost
		b = bench{b.up &^ (1 << from), b.spoiled &^ (1 << from)}
	} else {
		price = t.Make
	}
	return bench{b.up | 1<<x, b.spoiled &^ (1 << x)}, total + price
}

// stay visits a closure as often in a row as it says.
func (n *naive) stay(b bench, c int) (bench, int64) {
	total := int64(0)
	for range n.visits[c] {
		next, cost := n.visit(b, c)
		b, total = next, total+cost
	}
	return b, total
}

func (n *naive) visit(b bench, c int) (bench, int64) {
	b, total := n.remove(b, n.fresh[c]&b.spoiled)
	for range 2 {
		for _, x := range n.b.Closures[c].Things {
			next, cost := n.ensure(b, x)
			b, total = next, total+cost
		}
	}
	b, cost := n.remove(b, n.against[c])
	return bench{b.up, b.spoiled | n.spoils[c]}, total + cost
}

func (n *naive) end(b bench) int64 {
	what := uint64(0)
	for x := range n.b.Things {
		if !n.b.Things[x].Keep {
			what |= 1 << x
		}
	}
	_, cost := n.remove(b, what&b.up)
	return cost
}

func (n *naive) price(order []int) int64 {
	b, total := bench{up: n.start()}, int64(0)
	for _, c := range order {
		next, cost := n.stay(b, c)
		b, total = next, total+cost
	}
	return total + n.end(b)
}

// optimum looks at every order of the closures. Orders of the same closures that leave the same things standing go on alike, so only the
// cheapest of them is followed, and none that is above a price that is known to be possible.
func (n *naive) optimum(possible int64) int64 {
	type state struct {
		done uint64
		bench
	}
	layer := map[state]int64{{bench: bench{up: n.start()}}: 0}
	for range n.b.Closures {
		next := map[state]int64{}
		for s, so := range layer {
			for c := range n.b.Closures {
				if s.done>>c&1 == 1 {
					continue
				}
				b, cost := n.stay(s.bench, c)
				to := state{s.done | 1<<c, b}
				if old, ok := next[to]; so+cost <= possible && (!ok || so+cost < old) {
					next[to] = so + cost
				}
			}
		}
		layer = next
	}
	best := int64(math.MaxInt64)
	for s, cost := range layer {
		best = min(best, cost+n.end(s.bench))
	}
	return best
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
