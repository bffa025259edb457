package graph

import "sort"

// stay is the time for which a thing stands, in positions of the log.
type stay struct {
	thing int
	last  int   // the last use; what needs it being made or removed is a use
	early bool  // it is removed, and that may come right after the last use
	under []int // stays that it stands on
}

// Play says what is to be done for an order of visits, in which a closure may come several times; each is one visit, whatever Visits of
// the closure says. What is not needed any more goes
// right after its last use; what is kept goes only when it is in the way, and stays at the end unless all is set: then
// nothing stays but what has Stays.
func (b *Bench) Play(order []int, all bool) []Action {
	m := compile(b)
	p := newPlayer(m)
	var log []Action
	position := 0
	p.log = func(a Action) {
		a.Visit = position
		log = append(log, a)
	}
	for i, c := range order {
		position = i
		p.visit(&m.closures[c])
		log = append(log, Action{Kind: Visit, Visit: i})
	}
	if all {
		for i := len(p.standing) - 1; i >= 0; i-- {
			if x := p.standing[i]; p.up[x] && !m.things[x].Stays {
				p.remove(x)
			}
		}
	} else {
		p.close()
	}
	return m.early(log, order)
}

// early moves removals forward to right after the last use.
func (m *model) early(log []Action, order []int) []Action {
	var stays []*stay
	now := make([]int, len(m.things)) // the stay of what stands
	ends := map[int][]int{}           // position in the log → stays that are removed after it; -1: before all
	removed := map[int]*stay{}        // position of a removal → what it removes
	for _, x := range m.standing {
		s := &stay{thing: x, last: -1}
		for _, y := range m.things[x].Needs {
			s.under = append(s.under, now[y])
		}
		now[x] = len(stays)
		stays = append(stays, s)
	}
	for i, a := range log {
		switch a.Kind {
		case Visit:
			for _, x := range m.closures[order[a.Visit]].things {
				stays[now[x]].last = i
			}
		case Make, Switch:
			if a.Kind == Switch {
				stays[now[a.From]].last = i
			}
			s := &stay{thing: a.Thing, last: i}
			for _, x := range m.things[a.Thing].Needs {
				s.under = append(s.under, now[x])
				stays[now[x]].last = i
			}
			for _, x := range m.things[a.Thing].Beside {
				stays[now[x]].last = i
			}
			now[a.Thing] = len(stays)
			stays = append(stays, s)
		case Remove:
			s := stays[now[a.Thing]]
			removed[i], s.early = s, !m.things[a.Thing].Keep
			if !s.early {
				s.last = i
			}
		}
	}
	for i := len(stays) - 1; i >= 0; i-- { // what stands on others comes after them, so its end is known before theirs
		s := stays[i]
		if s.early {
			ends[s.last] = append(ends[s.last], i)
		}
		for _, u := range s.under {
			stays[u].last = max(stays[u].last, s.last)
		}
	}
	out := make([]Action, 0, len(log))
	end := func(at, visit int) {
		gone := ends[at]
		sort.Sort(sort.Reverse(sort.IntSlice(gone))) // the last made goes first
		for _, s := range gone {
			out = append(out, Action{Kind: Remove, Thing: stays[s].thing, Visit: visit})
		}
	}
	end(-1, -1)
	for i, a := range log {
		if a.Kind != Remove || !removed[i].early {
			out = append(out, a)
		}
		end(i, a.Visit)
	}
	return out
}
