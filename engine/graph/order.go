package graph

import (
	"math"
	"slices"
)

// The searches end after so many visits of a closure, whatever the machine: what takes longer than seconds is not tried.
const (
	axisVisits    = 400_000 // for permutations of axes
	improveVisits = 400_000 // for moves
	improveStarts = 3       // orders from which moves begin
)

// Order is the order in which the closures are visited: the cheapest that was found; or a plain order of the axes that is within 1 % of
// that, because people read it. Axes in the order in which they are given are preferred.
func (b *Bench) Order() []int {
	m := compile(b)
	if len(m.closures) < 2 {
		return identity(len(m.closures))
	}
	s := &search{m: m, p: newPlayer(m)}
	return s.readable(s.cheapest()).order
}

// readable is a plain order that costs about as little as the best, or the best.
func (s *search) readable(best candidate) candidate {
	for _, plain := range []candidate{s.given, s.plain} {
		if plain.cost <= best.cost+best.cost/100 {
			return plain
		}
	}
	return best
}

type candidate struct {
	order []int
	cost  int64
}

type search struct {
	m     *model
	p     *player
	given candidate   // the axes in the order in which they are given
	plain candidate   // the cheapest order of axes
	best  []candidate // the cheapest of all sorts, the best first
}

// cheapest finds an order that costs as little as can be found within the visits that are allowed.
func (s *search) cheapest() candidate {
	s.given.cost, s.plain.cost = -1, math.MaxInt64
	s.m.axisOrders(axisVisits, func(axes []int) {
		c := s.try(s.m.byAxes(axes, false))
		if s.given.cost < 0 {
			s.given = c
		}
		if c.cost < s.plain.cost {
			s.plain = c
		}
		s.try(s.m.byAxes(axes, true))
	})
	s.try(s.m.byThings())
	floor := s.m.floor()
	best := s.best[0]
	for _, start := range s.best {
		if best.cost <= floor {
			break
		}
		if order, cost := s.m.improve(s.p, start.order, improveVisits/improveStarts/len(s.m.closures)); cost < best.cost {
			best = candidate{order, cost}
		}
	}
	return best
}

// try prices an order and keeps it where it is among the best. Of two that cost the same the first is kept: moves from there end
// alike.
func (s *search) try(order []int) candidate {
	c := candidate{order, s.p.price(order, noLimit)}
	at := len(s.best)
	for i, b := range s.best {
		if b.cost == c.cost {
			return c
		}
		if c.cost < b.cost {
			at = i
			break
		}
	}
	s.best = append(s.best[:at:at], append([]candidate{c}, s.best[at:]...)...)
	s.best = s.best[:min(len(s.best), improveStarts)]
	return c
}

// floor is a price below which no order can be: each thing that does not stand at the start is made or switched to once at least, and each is removed if nothing can take its
// place. What visits in a row spoil, and what stands on that, goes and is made again between them.
func (m *model) floor() int64 {
	total := int64(0)
	seen, standing := make([]bool, len(m.things)), make([]bool, len(m.things))
	for _, x := range m.standing {
		standing[x] = true
	}
	for _, c := range m.closures {
		for _, x := range m.renewed(&c) {
			n := &m.things[x]
			total += int64(c.visits-1) * (n.cheapest() + n.Remove)
		}
		for _, x := range c.things {
			if seen[x] {
				continue
			}
			seen[x] = true
			n := &m.things[x]
			enter, leave := n.cheapest(), n.Remove
			if standing[x] {
				enter = 0
			}
			if n.Keep || n.kin >= 0 {
				leave = 0
			}
			total += enter + leave
		}
	}
	return total
}

// cheapest is the least for which the thing comes to stand.
func (n *node) cheapest() int64 {
	cost := n.Make
	for _, s := range n.Switch {
		cost = min(cost, s)
	}
	return cost
}

// renewed are the things of a closure that are made again for its second visit in a row.
func (m *model) renewed(c *place) []int {
	if c.visits < 2 || len(c.fresh) == 0 {
		return nil
	}
	again := map[int]bool{}
	for _, x := range c.fresh {
		again[x] = slices.Contains(c.spoils, x)
	}
	var out []int
	for _, x := range c.things { // each after those that it needs
		for _, y := range m.things[x].Needs {
			again[x] = again[x] || again[y]
		}
		if again[x] {
			out = append(out, x)
		}
	}
	return out
}
