package plan

import (
	"encoding/binary"
	"slices"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
)

// closure is all that must stand for a test. Tests that need the same share one.
type closure struct {
	index  int
	things []int    // indices, each after those that it needs
	ids    []string // of the same things
	tops   []int    // those that nothing else of the closure stands on
	data   []int    // the datasets among them
	fresh  []int    // those that are made anew before each repetition
	first  *spec.Instance
}

// closeAll finds the closure of every test and imported monitor, which is that of its chain, and of every dataset that no test stands on: it is loaded for its own sake.
func (b *builder) closeAll() {
	byNeeds, byThings := map[string]*closure{}, map[string]*closure{}
	for _, inst := range b.walked() {
		if u := b.chainOf[inst]; b.closureOf[u[0]] != nil {
			b.closureOf[inst] = b.closureOf[u[0]]
			continue
		}
		needs := b.needs(b.chainOf[inst])
		key := numbers(needs)
		c := byNeeds[key]
		if c == nil {
			c = b.closeOver(needs, inst, byThings)
			byNeeds[key] = c
		}
		b.closureOf[inst], b.closureOf[b.chainOf[inst][0]] = c, c
	}
	covered := map[int]bool{}
	for _, c := range b.closures {
		for _, x := range c.things {
			covered[x] = true
		}
	}
	for _, inst := range slices.Backward(b.datasets()) { // the upper ones first, which cover the lower
		t := b.thingOf[inst]
		if covered[t.index] {
			continue
		}
		c := b.closeOver([]int{t.index}, inst, byThings)
		for _, x := range c.things {
			covered[x] = true
		}
		b.closureOf[inst] = c
		b.loadOnly = append([]*spec.Instance{inst}, b.loadOnly...)
	}
}

// closeOver finds or makes the closure of what needs these things.
func (b *builder) closeOver(needs []int, inst *spec.Instance, byThings map[string]*closure) *closure {
	things := graph.Close(b.nodes, needs)
	all := numbers(slices.Sorted(slices.Values(things)))
	c := byThings[all]
	if c == nil {
		c = &closure{index: len(b.closures), things: things, ids: []string{}, first: inst, tops: tops(b.nodes, things)}
		for _, x := range things {
			c.ids = append(c.ids, b.things[x].ID)
			if b.things[x].Kind == "dataset" {
				c.data = append(c.data, x)
			}
			if b.things[x].Fresh {
				c.fresh = append(c.fresh, x)
			}
		}
		byThings[all] = c
		b.closures = append(b.closures, c)
	}
	return c
}

// datasets are those of what stands.
func (b *builder) datasets() []*spec.Instance {
	var out []*spec.Instance
	for _, inst := range b.spec.Setups {
		if inst.Addr.Kind == "dataset" {
			out = append(out, inst)
		}
	}
	return out
}

// numbers packs numbers into a key.
func numbers(list []int) string {
	var key []byte
	for _, n := range list {
		key = binary.AppendUvarint(key, uint64(n))
	}
	return string(key)
}

func tops(nodes []graph.Thing, things []int) []int {
	under := map[int]bool{}
	for _, x := range things {
		for _, y := range nodes[x].Needs {
			under[y] = true
		}
	}
	var out []int
	for _, x := range things {
		if !under[x] {
			out = append(out, x)
		}
	}
	return out
}

// benches puts tests that would disturb each other on one bench: they share a thing or a slot, or their claims conflict, or those
// of what they stand on; or they are of one chain. Imported tests touch nothing and are one bench. Benches come in the order of their first test.
func (b *builder) benches(tests []*test) [][]*test {
	s := newSets(len(b.things) + len(tests))
	node := func(test int) int { return len(b.things) + test }
	type holders struct {
		first     int
		more      []int
		exclusive bool
	}
	held := map[string]*holders{}
	hold := func(claims []providers.Claim, node int) {
		for _, c := range claims {
			h := held[c.Name]
			if h == nil {
				h = &holders{first: node}
				held[c.Name] = h
			} else {
				h.more = append(h.more, node)
			}
			h.exclusive = h.exclusive || !c.Shared
		}
	}
	for i, t := range b.things {
		hold(t.answer.Claims, i)
		if t.Slot != "" {
			hold([]providers.Claim{{Name: "slot " + t.Slot}}, i)
		}
		for _, n := range append(t.needs[:len(t.needs):len(t.needs)], t.beside...) {
			s.join(i, n.index)
		}
	}
	for _, c := range b.closures {
		for _, x := range c.things {
			s.join(c.things[0], x)
		}
	}
	imported, chains := -1, map[*spec.Instance]int{}
	for i, t := range tests {
		hold(t.answer.Claims, node(i))
		if first, ok := chains[t.chain[0]]; ok {
			s.join(node(i), node(first))
		} else {
			chains[t.chain[0]] = i
		}
		if len(t.closure.things) > 0 {
			s.join(node(i), t.closure.things[0])
		}
		if t.Import != nil {
			if imported < 0 {
				imported = i
			}
			s.join(node(i), node(imported))
		}
	}
	for _, h := range held {
		if h.exclusive {
			for _, n := range h.more {
				s.join(h.first, n)
			}
		}
	}
	var out [][]*test
	at := map[int]int{}
	for i, t := range tests {
		root := s.find(node(i))
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], t)
	}
	return out
}

// sets are disjoint sets of numbers.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(i, j int) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}
