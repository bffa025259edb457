package graph

import "math"

// byThings groups the closures recursively: by the family of things whose turns cost most, then each group by the next. Of the groups
// that are left, the one comes next that is cheapest to enter from where the bench stands.
func (m *model) byThings() []int {
	t := &tree{m: m, p: newPlayer(m)}
	t.split(identity(len(m.closures)), map[int]bool{})
	return t.order
}

type tree struct {
	m     *model
	p     *player
	order []int
}

// split orders a set of closures. Families in done have one thing, or none, in the whole set.
func (t *tree) split(set []int, done map[int]bool) {
	if len(set) == 1 {
		t.p.stay(&t.m.closures[set[0]])
		t.order = append(t.order, set[0])
		return
	}
	family, found := t.dearest(set, done)
	var groups [][]int
	if found {
		groups = t.groups(set, family)
		done = with(done, family)
	} else { // nothing tells them apart
		for _, c := range set {
			groups = append(groups, []int{c})
		}
	}
	for len(groups) > 0 {
		i := t.nearest(groups)
		t.split(groups[i], done)
		groups = append(groups[:i], groups[i+1:]...)
	}
}

func with(done map[int]bool, family int) map[int]bool {
	out := map[int]bool{family: true}
	for f := range done {
		out[f] = true
	}
	return out
}

// dearest finds the family with several things in the set whose turns cost most.
func (t *tree) dearest(set []int, done map[int]bool) (family int, found bool) {
	first := map[int]int{}    // family → its thing in the first closure that has one
	lacking := map[int]bool{} // family → it has no thing in some closure, or another
	weight := map[int]int64{}
	counted := map[int]bool{}
	count := map[int]int{} // family → closures with a thing of it
	var families []int
	for _, c := range set {
		for _, x := range t.m.closures[c].things {
			n := &t.m.things[x]
			if done[n.Family] || !n.rival {
				continue
			}
			if _, ok := first[n.Family]; !ok {
				first[n.Family] = x
				families = append(families, n.Family)
			}
			count[n.Family]++
			if first[n.Family] != x {
				lacking[n.Family] = true
			}
			if !counted[x] {
				counted[x] = true
				weight[n.Family] += n.Make + n.Remove
			}
		}
	}
	best := int64(-1)
	for _, f := range families {
		if (lacking[f] || count[f] < len(set)) && weight[f] > best {
			family, found, best = f, true, weight[f]
		}
	}
	return family, found
}

// groups splits a set by the thing of a family that they have.
func (t *tree) groups(set []int, family int) [][]int {
	var groups [][]int
	at := map[int]int{}
	for _, c := range set {
		key := -1
		for _, x := range t.m.closures[c].things {
			if t.m.things[x].Family == family {
				key = x
			}
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// maxNearest is the number of groups up to which the nearest is looked for; of more, the first is taken.
const maxNearest = 1000

func (t *tree) nearest(groups [][]int) int {
	best, cost := 0, int64(math.MaxInt64)
	if len(groups) > maxNearest {
		return 0
	}
	for i, g := range groups {
		for _, c := range g {
			if enter := t.p.enter(&t.m.closures[c]); enter < cost {
				best, cost = i, enter
			}
		}
	}
	return best
}

// enter is about what it costs to go to a closure from here: what would be made or switched.
func (p *player) enter(c *place) int64 {
	cost := int64(0)
	for _, x := range c.things {
		if p.up[x] {
			continue
		}
		price := p.m.things[x].Make
		if y := p.from(x); y >= 0 {
			price, _ = p.m.switchCost(y, x)
		}
		cost += price
	}
	return cost
}
