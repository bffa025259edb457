package graph

import "math"

const noLimit = math.MaxInt64

// player is the bench while an order is played: what stands, and who holds what.
type player struct {
	m        *model
	up       []bool
	spoiled  []bool // of what is up
	standing []int  // in the order in which they were made; may hold things that went since
	holders  [][]int
	inside   []int // by thing: the number of the last visit with claims whose closure has it
	visits   int   // with claims
	cost     int64
	log      func(Action) // nil while only the price is asked for
}

func newPlayer(m *model) *player {
	p := &player{m: m, up: make([]bool, len(m.things)), spoiled: make([]bool, len(m.things)), holders: make([][]int, m.claims), inside: make([]int, len(m.things))}
	p.reset()
	return p
}

// reset leaves on the bench what stands at the start.
func (p *player) reset() {
	for _, x := range p.standing {
		if p.up[x] {
			p.leave(x)
		}
	}
	p.standing, p.cost = p.standing[:0], 0
	for _, x := range p.m.standing {
		p.enters(x)
	}
}

// enters notes that x stands, and nothing has spoiled it.
func (p *player) enters(x int) {
	p.up[x], p.spoiled[x] = true, false
	p.standing = append(p.standing, x)
	for _, h := range p.m.things[x].claims {
		p.holders[h.claim] = append(p.holders[h.claim], x)
	}
}

// price plays an order. Once it is above limit, it is given up, and what it had come to is returned.
func (p *player) price(order []int, limit int64) int64 {
	p.reset()
	for _, c := range order {
		if p.stay(&p.m.closures[c]); p.cost > limit {
			return p.cost
		}
	}
	p.close()
	return p.cost
}

// close removes what is not kept.
func (p *player) close() {
	for i := len(p.standing) - 1; i >= 0; i-- {
		if x := p.standing[i]; p.up[x] && !p.m.things[x].Keep {
			p.remove(x)
		}
	}
}

// stay visits a closure as often in a row as it says. From the third visit on each does what the one before did: all that was in the way
// is gone.
func (p *player) stay(c *place) {
	p.visit(c)
	if len(c.fresh) == 0 || c.visits < 2 {
		return
	}
	p.visit(c)
	if c.visits > 2 {
		before := p.cost
		p.visit(c)
		p.cost += (p.cost - before) * int64(c.visits-3)
	}
}

// visit makes a closure stand. Only what is in the way goes, and what is spoiled and must be fresh.
func (p *player) visit(c *place) {
	for _, x := range c.fresh {
		if p.up[x] && p.spoiled[x] {
			p.remove(x)
		}
	}
	for _, x := range c.things {
		p.ensure(x)
	}
	if p.m.beside { // what was made may have needed a state beside it that the closure wants otherwise
		for _, x := range c.things {
			p.ensure(x)
		}
	}
	if len(c.claims) > 0 {
		p.visits++
		for _, x := range c.things {
			p.inside[x] = p.visits
		}
		for _, h := range c.claims {
			p.clearForeign(h)
		}
	}
	for _, x := range c.spoils {
		p.spoiled[x] = true
	}
}

// ensure makes x stand.
func (p *player) ensure(x int) {
	if p.up[x] {
		return
	}
	n := &p.m.things[x]
	for _, y := range n.Needs {
		p.ensure(y)
	}
	for _, y := range n.Beside {
		p.ensure(y)
	}
	from := p.from(x)
	for _, h := range n.claims {
		p.clear(h, from)
	}
	if from >= 0 && p.up[from] { // it may have stood on what was in the way
		p.clearOver(from)
		p.leave(from)
		cost, _ := p.m.switchCost(from, x)
		p.cost += cost
		p.note(Action{Kind: Switch, Thing: x, From: from})
	} else {
		p.cost += n.Make
		p.note(Action{Kind: Make, Thing: x})
	}
	p.enters(x)
}

// from is the thing that stands and is switched to x; -1 where x must be made.
func (p *player) from(x int) int {
	if slot := p.m.things[x].slot; slot >= 0 {
		for _, y := range p.holders[slot] {
			if _, ok := p.m.switchCost(y, x); ok {
				return y
			}
		}
	}
	return -1
}

// clear removes the holders of a claim that are in the way of h, but for one that may stay.
func (p *player) clear(h held, stays int) {
	for i := len(p.holders[h.claim]) - 1; i >= 0; i-- {
		if i >= len(p.holders[h.claim]) { // removing one took others along
			continue
		}
		if y := p.holders[h.claim][i]; y != stays && !(h.shared && p.shares(y, h.claim)) {
			p.remove(y)
		}
	}
}

// clearForeign removes the holders of a claim that are in the way of a test and are not in its closure.
func (p *player) clearForeign(h held) {
	for i := len(p.holders[h.claim]) - 1; i >= 0; i-- {
		if i >= len(p.holders[h.claim]) {
			continue
		}
		if y := p.holders[h.claim][i]; p.inside[y] != p.visits && !(h.shared && p.shares(y, h.claim)) {
			p.remove(y)
		}
	}
}

func (p *player) shares(x, claim int) bool {
	for _, h := range p.m.things[x].claims {
		if h.claim == claim && !h.shared {
			return false
		}
	}
	return true
}

// remove takes x away, after what stands on it.
func (p *player) remove(x int) {
	p.clearOver(x)
	p.leave(x)
	p.cost += p.m.things[x].Remove
	p.note(Action{Kind: Remove, Thing: x})
}

func (p *player) clearOver(x int) {
	for _, y := range p.m.things[x].over {
		if p.up[y] {
			p.remove(y)
		}
	}
}

// leave forgets that x stands.
func (p *player) leave(x int) {
	p.up[x] = false
	for _, h := range p.m.things[x].claims {
		list := p.holders[h.claim]
		for i, y := range list {
			if y == x {
				p.holders[h.claim] = append(list[:i], list[i+1:]...)
				break
			}
		}
	}
}

func (p *player) note(a Action) {
	if p.log != nil {
		p.log(a)
	}
}
