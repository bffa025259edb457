package graph

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStanding is about what stands at the start: it is not made again, it decides where the walk begins, and it goes only when it is in
// the way or not kept.
func TestStanding(t *testing.T) {
	claim := func(n string) []Claim { return []Claim{{Name: n}} }
	b := &Bench{
		Things: []Thing{
			{Claims: claim("d"), Make: 10, Remove: 1, Keep: true}, {Claims: claim("d"), Make: 10, Remove: 1, Keep: true}, // rivals
			{Claims: claim("e"), Make: 5, Remove: 1, Keep: true, Stays: true}, // of no closure, and in nobody's way
			{Claims: claim("f"), Make: 5, Remove: 1},                          // of no closure and not kept
			{Claims: claim("d"), Needs: []int{2}, Keep: true},                 // would be in the way
			{Make: 7, Remove: 1, Needs: []int{1}, Keep: true},                 // on what is in the way of the other
			{Claims: claim("g"), Make: 3, Remove: 1, Slot: "s", State: "a", Switch: map[string]int64{AnyState: 1}},
			{Claims: claim("g"), Make: 3, Remove: 1, Slot: "s", State: "b", Switch: map[string]int64{AnyState: 1}},
		},
		Closures: []Closure{{Things: []int{0}}, {Things: []int{1, 5}}, {Things: []int{7}}},
		Standing: []int{1, 2, 3, 5, 6},
	}
	if order := b.Order(); order[0] != 1 || b.Price(order) != 15 {
		t.Errorf("the order %v, for %d, does not begin where the bench stands", order, b.Price(order))
	}
	order := []int{1, 0, 2}
	want := []Action{
		{Kind: Remove, Thing: 3, Visit: -1}, {Kind: Visit},
		{Kind: Remove, Thing: 5, Visit: 1}, {Kind: Remove, Thing: 1, Visit: 1}, {Kind: Make, Thing: 0, Visit: 1}, {Kind: Visit, Visit: 1},
		{Kind: Switch, Thing: 7, From: 6, Visit: 2}, {Kind: Visit, Visit: 2}, {Kind: Remove, Thing: 7, Visit: 2},
	}
	if d := cmp.Diff(want, b.Play(order, false)); d != "" {
		t.Error(d)
	}
	if price := b.Price(order); price != 15 {
		t.Errorf("it costs %d", price)
	}
	all := b.Play(order, true)
	if n := len(all) - len(want); n != 1 {
		t.Errorf("%d of what stands at the end are removed where all is to go, want the one that was made: %+v", n, all)
	}
}
