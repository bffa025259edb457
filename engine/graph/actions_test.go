package graph

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// replay carries actions out and checks at each that it may be done. It returns what they cost.
func replay(b *Bench, order []int, actions []Action, all bool) (int64, error) {
	n := newNaive(b)
	up, spoiled, cost, visits := n.start(), uint64(0), int64(0), 0
	stands := func(x int) bool { return up>>x&1 == 1 }
	for i, a := range actions {
		t := &b.Things[max(0, a.Thing)]
		switch a.Kind {
		case Make, Switch:
			if stands(a.Thing) {
				return 0, fmt.Errorf("action %d makes %d, which stands", i, a.Thing)
			}
			for _, x := range append(append([]int(nil), t.Needs...), t.Beside...) {
				if !stands(x) {
					return 0, fmt.Errorf("action %d makes %d without %d", i, a.Thing, x)
				}
			}
			if a.Kind == Switch {
				from := &b.Things[a.From]
				price, ok := t.Switch[from.State]
				if !ok {
					price, ok = t.Switch[AnyState]
				}
				if !ok || !stands(a.From) || from.Slot != t.Slot || !equal(from.Needs, t.Needs) {
					return 0, fmt.Errorf("action %d cannot switch %d to %d", i, a.From, a.Thing)
				}
				if left := n.over[a.From] & up; left != 0 {
					return 0, fmt.Errorf("action %d switches %d under %b", i, a.From, left)
				}
				up &^= 1 << a.From
				cost += price
			} else {
				cost += t.Make
			}
			if bad := n.rivals[a.Thing] & up; bad != 0 {
				return 0, fmt.Errorf("action %d makes %d beside its rivals %b", i, a.Thing, bad)
			}
			up |= 1 << a.Thing
			spoiled &^= 1 << a.Thing
		case Remove:
			if !stands(a.Thing) || n.over[a.Thing]&up != 0 {
				return 0, fmt.Errorf("action %d removes %d, under %b of %b", i, a.Thing, n.over[a.Thing]&up, up)
			}
			up &^= 1 << a.Thing
			cost += t.Remove
		case Visit:
			c := order[visits]
			visits++
			if a.Visit != visits-1 || n.in[c]&^up != 0 || n.against[c]&up != 0 {
				return 0, fmt.Errorf("action %d visits closure %d (%b, against %b) on %b", i, c, n.in[c], n.against[c], up)
			}
			if bad := n.fresh[c] & spoiled; bad != 0 {
				return 0, fmt.Errorf("action %d visits closure %d on %b, which is spoiled", i, c, bad)
			}
			spoiled |= n.spoils[c]
			for x := range b.Things { // a state waits for what takes its place
				if t := &b.Things[x]; stands(x) && !t.Keep && t.Slot == "" && !n.wanted(x, order[visits-1:]) && n.over[x]&up == 0 {
					return 0, fmt.Errorf("action %d: %d stands and nothing needs it any more", i, x)
				}
			}
		}
	}
	for x := range b.Things {
		if stands(x) && (all || !b.Things[x].Keep) {
			return 0, fmt.Errorf("%d stands at the end", x)
		}
	}
	if visits != len(order) {
		return 0, fmt.Errorf("%d visits of %d", visits, len(order))
	}
	return cost, nil
}

func (n *naive) wanted(x int, order []int) bool {
	for _, c := range order {
		if n.in[c]>>x&1 == 1 {
			return true
		}
	}
	return false
}

// TestActions replays what is to be done, for orders as they are found, for passes back and forth, and for any order.
func TestActions(t *testing.T) {
	switches, kept, again, left, cleared := 0, 0, 0, 0, 0
	for seed := int64(1); seed < 700; seed++ {
		r := rand.New(rand.NewSource(seed))
		b, ok := randomBench(r, 8)
		if !ok {
			continue
		}
		order := b.Order()
		back := append([]int(nil), order...)
		for i := len(order) - 1; i >= 0; i-- {
			back = append(back, order[i])
		}
		for _, visits := range [][]int{order, append(back, order...), r.Perm(len(order))} {
			for _, all := range []bool{false, true} {
				actions := b.Play(visits, all)
				cost, err := replay(b, visits, actions, all)
				if err != nil {
					t.Fatalf("seed %d, order %v: %v\n%+v\n%+v", seed, visits, err, actions, b)
				}
				if price := once(b).Price(visits); !all && cost != price {
					t.Fatalf("seed %d, order %v: the actions cost %d, and the price is %d", seed, visits, cost, price)
				}
				for _, a := range actions {
					if a.Kind == Switch {
						switches++
					}
				}
			}
		}
		for _, c := range b.Closures {
			again += len(c.Fresh)
		}
		for _, x := range b.Things {
			if x.Keep {
				kept++
			}
		}
		left += len(b.Standing)
		for _, a := range b.Play(order, false) {
			if a.Kind == Remove && a.Visit < 1 {
				cleared++
			}
		}
	}
	if switches < 200 || kept < 50 || again < 100 || left < 60 || cleared < 50 {
		t.Errorf("%d switches, %d kept things, %d fresh ones, %d that stand at the start and %d removals before the second visit: the benches test little", switches, kept, again, left, cleared)
	}
}

// once is the bench with no closure visited more than once in a row.
func once(b *Bench) *Bench {
	out := &Bench{Things: b.Things, Standing: b.Standing, Closures: append([]Closure(nil), b.Closures...)}
	for i := range out.Closures {
		out.Closures[i].Visits = 0
	}
	return out
}

// TestFresh is about what a visit spoils: it is made again where a visit must not find it so, with what stands on it.
func TestFresh(t *testing.T) {
	const array, data = 0, 1
	things := []Thing{{Make: 100, Remove: 10}, {Needs: []int{array}, Make: 7, Remove: 1, Claims: []Claim{{Name: "in the way"}}}}
	both := []int{array, data}
	for name, c := range map[string]struct {
		closures []Closure
		order    []int
		price    int64
		again    []int // things that are made more than once
	}{
		"nothing is spoiled":        {[]Closure{{Things: both}}, []int{0, 0}, 118, nil},
		"spoiled, and no one cares": {[]Closure{{Things: both, Spoils: both, Visits: 9}}, []int{0, 0}, 118, nil},
		"fresh, and never spoiled":  {[]Closure{{Things: both, Fresh: both, Visits: 9}}, []int{0, 0}, 118, nil},
		"the data":                  {[]Closure{{Things: both, Fresh: []int{data}, Spoils: []int{data}}}, []int{0, 0}, 126, []int{data}},
		"the array with the data":   {[]Closure{{Things: both, Fresh: []int{array}, Spoils: []int{array}}}, []int{0, 0}, 236, both},
		"in a row":                  {[]Closure{{Things: both, Fresh: []int{data}, Spoils: []int{data}, Visits: 5}}, []int{0}, 150, nil},
		"another visit spoils":      {[]Closure{{Things: both, Spoils: []int{data}}, {Things: both, Fresh: []int{data}}}, []int{0, 1}, 126, []int{data}},
		"made again meanwhile": {[]Closure{
			{Things: both, Spoils: []int{data}}, {Claims: []Claim{{Name: "in the way"}}}, {Things: both}, {Things: both, Fresh: []int{data}},
		}, []int{0, 1, 2, 3}, 126, []int{data}},
		"the other way round": {[]Closure{{Things: both, Spoils: []int{data}}, {Things: both, Fresh: []int{data}}}, []int{1, 0}, 118, nil},
	} {
		b := &Bench{Things: things, Closures: c.closures}
		if p := b.Price(c.order); p != c.price {
			t.Errorf("%s: it costs %d, want %d", name, p, c.price)
		}
		made := map[int]int{}
		for _, a := range b.Play(c.order, false) {
			if a.Kind == Make {
				made[a.Thing]++
			}
		}
		var again []int
		for x := range things {
			if made[x] > 1 {
				again = append(again, x)
			}
		}
		if d := cmp.Diff(c.again, again); d != "" {
			t.Errorf("%s: made again: %s", name, d)
		}
	}
	first := &Bench{Things: things, Closures: []Closure{{Things: both, Spoils: []int{data}}, {Things: both, Fresh: []int{data}}}}
	if d := cmp.Diff([]int{1, 0}, first.Order()); d != "" {
		t.Errorf("what wants fresh data comes before what spoils them: %s", d)
	}
}

// TestClose is about what belongs to a closure and in which order.
func TestClose(t *testing.T) {
	const disk, low, high, data, logs = 0, 1, 2, 3, 4
	state := func(s string) Thing {
		return Thing{Needs: []int{disk}, Slot: "settings", State: s, Switch: map[string]int64{AnyState: 1}}
	}
	things := []Thing{{}, state("low"), state("high"), {Needs: []int{disk}, Beside: []int{low}}, {Beside: []int{high}}}
	for name, c := range map[string]struct{ needs, want []int }{
		"what is under it":                {[]int{low}, []int{disk, low}},
		"what stood beside it":            {[]int{data}, []int{disk, data, low}},
		"another state, switched to last": {[]int{high, data}, []int{disk, data, high}},
		"the state that is there already": {[]int{data, low}, []int{disk, data, low}},
		"two that want different states":  {[]int{data, logs}, []int{disk, data, logs, low}},
		"each once":                       {[]int{disk, low, disk, low}, []int{disk, low}},
		"nothing":                         {nil, nil},
	} {
		if d := cmp.Diff(c.want, Close(things, c.needs)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestConflict(t *testing.T) {
	excl := func(n string) []Claim { return []Claim{{Name: n}} }
	shared := func(n string) []Claim { return []Claim{{Name: n, Shared: true}} }
	slot := func(s, state string, sw map[string]int64) Thing { return Thing{Slot: s, State: state, Switch: sw} }
	any := map[string]int64{AnyState: 1}
	for name, c := range map[string]struct {
		things []Thing
		of     []int
		claim  string
	}{
		"two on one claim":                        {[]Thing{{Claims: excl("d")}, {Claims: excl("d")}}, []int{0, 1}, "d"},
		"one shares, one not":                     {[]Thing{{Claims: shared("d")}, {Claims: excl("d")}}, []int{0, 1}, "d"},
		"both share":                              {[]Thing{{Claims: shared("d")}, {Claims: shared("d")}}, []int{0, 1}, ""},
		"two states of a slot":                    {[]Thing{slot("s", "a", any), slot("s", "b", any)}, []int{0, 1}, "s"},
		"a slot and a claim of that name":         {[]Thing{slot("s", "a", any), {Claims: excl("s")}}, []int{0, 1}, ""},
		"made beside another state":               {[]Thing{slot("s", "a", any), slot("s", "b", any), {Beside: []int{0}}}, []int{1, 2}, ""},
		"made beside a state that cannot be left": {[]Thing{slot("s", "a", any), slot("s", "b", nil), {Beside: []int{0}}}, []int{1, 2}, "s"},
		"made beside what claims the same": {
			[]Thing{{Slot: "s", State: "a", Switch: any, Claims: excl("d")}, {Slot: "s", State: "b", Switch: any}, {Beside: []int{0}}, {Claims: excl("d")}},
			[]int{1, 2, 3}, "d"},
	} {
		x, y, claim, bad := Conflict(c.things, c.of)
		if bad != (c.claim != "") || claim != c.claim || bad && x == y {
			t.Errorf("%s: things %d and %d conflict over %q: %v, want %q", name, x, y, claim, bad, c.claim)
		}
	}
}

// TestKept is about things that are kept: they stay after their last use, until something is in their way or to the end.
func TestKept(t *testing.T) {
	claim := func(n string) []Claim { return []Claim{{Name: n}} }
	b := &Bench{
		Things:   []Thing{{Claims: claim("d"), Keep: true}, {Claims: claim("e")}, {Claims: claim("d")}, {Keep: true}},
		Closures: []Closure{{Things: []int{0, 3}}, {Things: []int{1}}, {Things: []int{2}}},
	}
	want := []Action{
		{Kind: Make, Thing: 0}, {Kind: Make, Thing: 3}, {Kind: Visit},
		{Kind: Make, Thing: 1, Visit: 1}, {Kind: Visit, Visit: 1}, {Kind: Remove, Thing: 1, Visit: 1},
		{Kind: Remove, Thing: 0, Visit: 2}, {Kind: Make, Thing: 2, Visit: 2}, {Kind: Visit, Visit: 2}, {Kind: Remove, Thing: 2, Visit: 2},
	}
	if d := cmp.Diff(want, b.Play([]int{0, 1, 2}, false)); d != "" {
		t.Error(d)
	}
	all := b.Play([]int{0, 1, 2}, true)
	if last := all[len(all)-1]; len(all) != len(want)+1 || last.Kind != Remove {
		t.Errorf("all that stands is to go: %+v", all)
	}
}
