package graph

// Close lists all that must stand for needs to stand, each thing after those that it needs. What stands beside a thing belongs to it,
// unless its slot is taken by another state that is needed itself. States that something else is made beside come last.
func Close(things []Thing, needs []int) []int {
	c := &closing{things: things, in: map[int]bool{}, slots: map[string]bool{}}
	for _, x := range needs {
		c.add(x)
	}
	for i := 0; i < len(c.list); i++ { // grows while it is walked
		for _, y := range things[c.list[i]].Beside {
			if !c.slots[things[y].Slot] {
				c.add(y)
			}
		}
	}
	return c.statesLast()
}

type closing struct {
	things []Thing
	in     map[int]bool
	slots  map[string]bool
	list   []int
}

func (c *closing) add(x int) {
	if c.in[x] {
		return
	}
	c.in[x] = true
	if s := c.things[x].Slot; s != "" {
		c.slots[s] = true
	}
	for _, y := range c.things[x].Needs {
		c.add(y)
	}
	c.list = append(c.list, x)
}

// statesLast puts last the states whose slot has to be in another state while something else is made: so it is switched once.
func (c *closing) statesLast() []int {
	needed, other := map[int]bool{}, map[string]bool{}
	for _, x := range c.list {
		for _, y := range c.things[x].Needs {
			needed[y] = true
		}
		for _, y := range c.things[x].Beside {
			if !c.in[y] {
				other[c.things[y].Slot] = true
			}
		}
	}
	if len(other) == 0 {
		return c.list
	}
	var first, last []int
	for _, x := range c.list {
		if other[c.things[x].Slot] && !needed[x] {
			last = append(last, x)
		} else {
			first = append(first, x)
		}
	}
	return append(first, last...)
}

// Conflict finds two things of a closure that cannot stand at once, and the claim or slot that they both want; ok is false where there are
// none. A thing that must stand while another is made conflicts too, unless it is switched away afterwards.
func Conflict(things []Thing, closure []int) (x, y int, claim string, ok bool) {
	h := holding{things: things, claims: map[string]claimed{}}
	in := map[int]bool{}
	for _, x := range closure {
		in[x] = true
	}
	for _, x := range closure {
		if y, name, bad := h.take(x, nil); bad {
			return y, x, name, true
		}
	}
	for _, x := range closure {
		for _, b := range things[x].Beside {
			if in[b] {
				continue
			}
			for _, z := range Close(things, []int{b}) {
				if in[z] {
					continue
				}
				stays := func(y int) bool { return kin(&things[y], &things[z]) }
				if y, name, bad := h.look(z, stays); bad {
					return y, z, name, true
				}
			}
		}
	}
	return 0, 0, "", false
}

// kin reports whether each of two things can be switched to from the other.
func kin(a, b *Thing) bool {
	if a.Slot == "" || a.Slot != b.Slot || len(a.Needs) != len(b.Needs) {
		return false
	}
	for i := range a.Needs {
		if a.Needs[i] != b.Needs[i] {
			return false
		}
	}
	switches := func(from, to *Thing) bool {
		_, ok := to.Switch[from.State]
		_, any := to.Switch[AnyState]
		return ok || any && from.State != to.State
	}
	return switches(a, b) && switches(b, a)
}

type claimed struct {
	by     int
	shared bool
}

type holding struct {
	things []Thing
	claims map[string]claimed
}

// take notes what x claims, or says who has it.
func (h *holding) take(x int, stays func(int) bool) (by int, name string, bad bool) {
	if by, name, bad = h.look(x, stays); bad {
		return by, name, bad
	}
	t := &h.things[x]
	for _, c := range t.Claims {
		if old, ok := h.claims["claim "+c.Name]; !ok || old.shared {
			h.claims["claim "+c.Name] = claimed{x, c.Shared}
		}
	}
	if t.Slot != "" {
		h.claims["slot "+t.Slot] = claimed{x, false}
	}
	return 0, "", false
}

// look says who has what x claims.
func (h *holding) look(x int, stays func(int) bool) (by int, name string, bad bool) {
	t := &h.things[x]
	check := func(kind, name string, shared bool) bool {
		c, ok := h.claims[kind+name]
		by = c.by
		return ok && !(c.shared && shared) && (stays == nil || !stays(c.by))
	}
	for _, c := range t.Claims {
		if check("claim ", c.Name, c.Shared) {
			return by, c.Name, true
		}
	}
	if t.Slot != "" && check("slot ", t.Slot, false) {
		return by, t.Slot, true
	}
	return 0, "", false
}
