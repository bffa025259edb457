package graph

import (
	"fmt"
	"math"
	"math/rand"
)

// randomBench draws a bench as specs make them: blocks that name axes, stand on each other, claim the same things, share slots; tests on
// top; some combinations excluded.
func randomBench(r *rand.Rand, closures int) (*Bench, bool) {
	axes := make([]int, 2+r.Intn(3))
	for i := range axes {
		axes[i] = 2 + r.Intn(2)
	}
	if closures > 8 {
		axes = append(axes, 2+r.Intn(4))
	}
	blocks := randomBlocks(r, len(axes))
	out := [3]float64{0, 0.2, 0.5}[r.Intn(3)]
	b := &Bench{}
	index := map[string]int{}
	seen := map[string]bool{}
	at := make([]int, len(axes))
	for range 1 + r.Intn(3) { // tests
		var on []int
		for i := range blocks {
			if r.Float64() < 0.5 {
				on = append(on, i)
			}
		}
		var claims []Claim
		if r.Float64() < 0.2 {
			claims = append(claims, Claim{Name: fmt.Sprint("d", r.Intn(4)), Shared: r.Float64() < 0.3})
		}
		w := mutation{visits: 1 + r.Intn(4)}
		if len(on) > 0 && r.Float64() < 0.25 {
			w.changes, w.block, w.reset = true, on[r.Intn(len(on))], r.Intn(2) == 0
		}
		for clear(at); ; {
			if r.Float64() >= out {
				b.close(blocks, index, seen, on, claims, at, w)
			}
			if len(b.Closures) > closures {
				return nil, false
			}
			i := len(at) - 1
			for ; i >= 0 && at[i] == axes[i]-1; i-- {
				at[i] = 0
			}
			if i < 0 {
				break
			}
			at[i]++
		}
	}
	for _, c := range b.Closures {
		if _, _, _, bad := Conflict(b.Things, c.Things); bad {
			return nil, false
		}
	}
	if r.Float64() < 0.4 {
		b.leave(r)
	}
	return b, len(b.Closures) >= 2 && len(b.Things) <= 60
}

// leave lets some things stand at the start: of those that the closures have, and some that none has, in the way or not.
func (b *Bench) leave(r *rand.Rand) {
	for range r.Intn(3) {
		t := Thing{Make: 1, Remove: 1 + r.Int63n(50), Family: 100, Keep: r.Float64() < 0.8}
		t.Claims = []Claim{{Name: fmt.Sprint("d", r.Intn(4)), Shared: r.Float64() < 0.15}}
		if len(b.Things) > 0 && r.Float64() < 0.4 {
			t.Needs = []int{r.Intn(len(b.Things))}
		}
		if r.Float64() < 0.3 && len(b.Things) > 0 {
			of := b.Things[r.Intn(len(b.Things))]
			t.Slot, t.State, t.Needs = of.Slot, "left", of.Needs
		}
		b.Things = append(b.Things, t)
	}
	if len(b.Things) > 60 {
		return
	}
	n := newNaive(b)
	up := uint64(0)
	for x := range b.Things {
		stands := r.Float64() < 0.5 && n.rivals[x]&up == 0
		for _, y := range b.Things[x].Needs {
			stands = stands && up>>y&1 == 1
		}
		if stands {
			up |= 1 << x
			b.Standing = append(b.Standing, x)
		}
	}
}

type block struct {
	axes         []int // all on which it depends
	needs        []int
	beside       []int
	claims       []Claim
	perAxis      []int // the axis whose case is part of the claim's name; -1
	make, remove int64
	slot         string
	switches     map[string]int64
	stateAxis    int
	keep         bool
	fresh        bool
}

// mutation is a test that changes a block under it.
type mutation struct {
	changes bool
	block   int
	reset   bool // it wants it as it was made
	visits  int
}

func randomBlocks(r *rand.Rand, axes int) []block {
	blocks := make([]block, 2+r.Intn(5))
	for i := range blocks {
		k := &blocks[i]
		k.make = int64(math.Round(math.Exp(r.Float64() * 6.9)))
		k.remove = 1 + r.Int63n(k.make/3+1)
		k.keep = r.Float64() < 0.1
		k.fresh = r.Float64() < 0.1
		named := map[int]bool{}
		for a := range axes {
			if r.Float64() < 0.35 {
				named[a] = true
			}
		}
		for d := range i {
			switch {
			case r.Float64() >= 0.4:
			case blocks[d].slot != "" && r.Float64() < 0.4:
				k.beside = append(k.beside, d)
			default:
				k.needs = append(k.needs, d)
			}
		}
		for range 1 + r.Intn(2) {
			k.claims = append(k.claims, Claim{Name: fmt.Sprint("d", r.Intn(4)), Shared: r.Float64() < 0.15})
			k.perAxis = append(k.perAxis, -1)
			for a := range axes {
				if named[a] && r.Float64() < 0.3 {
					k.perAxis[len(k.perAxis)-1] = a
				}
			}
		}
		if a := r.Intn(axes); named[a] && r.Float64() < 0.7 {
			k.slot, k.stateAxis, k.switches = fmt.Sprint("slot", r.Intn(2)), a, map[string]int64{}
			for v := range 3 {
				if r.Float64() < 0.7 {
					k.switches[fmt.Sprint(v)] = 1 + r.Int63n(k.make+1)
				}
			}
			if r.Float64() < 0.5 {
				k.switches[AnyState] = 1 + r.Int63n(k.make+1)
			}
			k.claims, k.perAxis = k.claims[:1], k.perAxis[:1]
		}
		for _, list := range [][]int{k.needs, k.beside} {
			for _, d := range list {
				for _, a := range blocks[d].axes {
					named[a] = true
				}
			}
		}
		for a := range axes {
			if named[a] {
				k.axes = append(k.axes, a)
			}
		}
	}
	return blocks
}

// close adds the closure of a test at coordinates, unless the bench has it.
func (b *Bench) close(blocks []block, index map[string]int, seen map[string]bool, on []int, claims []Claim, at []int, w mutation) {
	var instance func(int) int
	instance = func(k int) int {
		bl := &blocks[k]
		key := fmt.Sprint(k)
		for _, a := range bl.axes {
			key += fmt.Sprintf(",%d=%d", a, at[a])
		}
		if i, ok := index[key]; ok {
			return i
		}
		t := Thing{Make: bl.make, Remove: bl.remove, Family: k, Keep: bl.keep, Slot: bl.slot, Switch: bl.switches}
		if bl.slot != "" {
			t.State = fmt.Sprint(at[bl.stateAxis])
		}
		for _, d := range bl.needs {
			t.Needs = append(t.Needs, instance(d))
		}
		for _, d := range bl.beside {
			t.Beside = append(t.Beside, instance(d))
		}
		for i, c := range bl.claims {
			if a := bl.perAxis[i]; a >= 0 {
				c.Name += fmt.Sprint("/", at[a])
			}
			t.Claims = append(t.Claims, c)
		}
		index[key] = len(b.Things)
		b.Things = append(b.Things, t)
		return index[key]
	}
	var needs []int
	for _, k := range on {
		needs = append(needs, instance(k))
	}
	c := Closure{Things: Close(b.Things, needs), Claims: claims, At: make([]int, len(at))}
	for _, x := range c.Things {
		k := b.Things[x].Family
		if blocks[k].fresh || w.changes && w.block == k {
			c.Spoils = append(c.Spoils, x)
			if blocks[k].fresh || w.reset {
				c.Fresh, c.Visits = append(c.Fresh, x), w.visits
			}
		}
	}
	key := fmt.Sprint(c.Things, claims, c.Spoils, c.Fresh)
	if len(c.Things) == 0 || seen[key] {
		return
	}
	seen[key] = true
	for a := range c.At {
		c.At[a] = -1
		for _, x := range c.Things {
			for _, has := range blocks[b.Things[x].Family].axes {
				if has == a {
					c.At[a] = at[a]
				}
			}
		}
	}
	b.Closures = append(b.Closures, c)
}
