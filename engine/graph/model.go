package graph

import "fmt"

// model is a bench with its names turned into numbers.
type model struct {
	things   []node
	closures []place
	claims   int // number of distinct claims that matter
	axes     int
	beside   bool // some thing is made beside another
	standing []int
}

type node struct {
	*Thing
	over   []int  // things that stand on it
	claims []held // its slot is one of them
	slot   int    // the claim that its slot is; -1: none
	kin    int    // equal for states of one thing; -1: none
	rival  bool   // something may be in its way, or in the way of what it stands on
}

type held struct {
	claim  int
	shared bool
}

type place struct {
	things []int
	claims []held
	at     []int
	spoils []int
	fresh  []int
	visits int
}

// compile numbers claims and slots. Claims that only one thing has, and no visit, are left out: nothing is ever in their way.
func compile(b *Bench) *model {
	m := &model{things: make([]node, len(b.Things)), closures: make([]place, len(b.Closures)), standing: b.Standing}
	users, numbers, kin := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range b.Things {
		for _, c := range b.Things[i].Claims {
			users[c.Name]++
		}
	}
	for _, c := range b.Closures {
		for _, cl := range c.Claims {
			users[cl.Name]++
		}
	}
	number := func(name string) int {
		n, ok := numbers[name]
		if !ok {
			n = len(numbers)
			numbers[name] = n
		}
		return n
	}
	hold := func(claims []Claim) (out []held) {
		for _, c := range claims {
			if users[c.Name] > 1 {
				out = append(out, held{number("claim " + c.Name), c.Shared})
			}
		}
		return out
	}
	for i := range b.Things {
		t := &b.Things[i]
		n := node{Thing: t, claims: hold(t.Claims), slot: -1, kin: -1}
		if t.Slot != "" {
			n.slot = number("slot " + t.Slot)
			n.claims = append(n.claims, held{claim: n.slot})
			key := fmt.Sprintf("%d %v", n.slot, t.Needs)
			if _, ok := kin[key]; !ok {
				kin[key] = len(kin)
			}
			n.kin = kin[key]
		}
		for _, x := range t.Needs {
			m.things[x].over = append(m.things[x].over, i)
		}
		m.things[i] = n
		m.beside = m.beside || len(t.Beside) > 0
	}
	for i, c := range b.Closures {
		m.closures[i] = place{things: c.Things, claims: hold(c.Claims), at: c.At, spoils: c.Spoils, fresh: c.Fresh, visits: c.Visits}
		m.axes = max(m.axes, len(c.At))
	}
	m.claims = len(numbers)
	m.findRivals()
	return m
}

// findRivals marks what may have to go while something later still needs it.
func (m *model) findRivals() {
	all, exclusive := make([]int, m.claims), make([]int, m.claims)
	count := func(list []held) {
		for _, h := range list {
			all[h.claim]++
			if !h.shared {
				exclusive[h.claim]++
			}
		}
	}
	for _, n := range m.things {
		count(n.claims)
	}
	for _, c := range m.closures {
		count(c.claims)
	}
	for i := range m.things {
		n := &m.things[i]
		for _, h := range n.claims {
			if !h.shared && all[h.claim] > 1 || h.shared && exclusive[h.claim] > 0 {
				n.rival = true
			}
		}
		for _, x := range n.Needs {
			n.rival = n.rival || m.things[x].rival
		}
	}
}

// switchCost is what it costs to come from x to y, which are states of one thing; false where y must be made anew.
func (m *model) switchCost(x, y int) (int64, bool) {
	a, b := &m.things[x], &m.things[y]
	if a.kin < 0 || a.kin != b.kin {
		return 0, false
	}
	cost, ok := b.Switch[a.State]
	if !ok && a.State != b.State {
		cost, ok = b.Switch[AnyState]
	}
	return cost, ok
}
