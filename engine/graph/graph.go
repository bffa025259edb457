// Package graph finds the order in which a bench is to be worked through: which closures of standing things are visited
// when, so that as little as possible is made, switched and removed, and what has to be done between two visits.
//
// It knows things, what they stand on, what they claim and what they cost; nothing of specs, providers, hosts or time. An
// order is priced by playing it from what stands at the start. All is deterministic: searches end after a fixed number of trials,
// never after a time.
package graph

// Thing is something that can stand on the bench.
type Thing struct {
	// Needs are the things that it stands on, by index, all smaller than its own: it goes when one of them goes.
	Needs []int
	// Beside are things that must stand when it is made, by index, all smaller than its own. They change or go without it.
	Beside []int
	Claims []Claim // held while it stands
	Make   int64   // what it costs to make it, in any unit that all costs share
	Remove int64
	// Things with one slot exclude each other. With equal needs they are states of one thing, which is switched from one to the
	// other where Switch has a cost for it.
	Slot   string // empty: none
	State  string
	Switch map[string]int64 // cost to come from another state; AnyState for states that are not in it
	Family int              // things of one family are variants of each other: instances of one block
	Keep   bool             // it stays at the end
	Stays  bool             // even where all is to go at the end
}

// AnyState stands in Thing.Switch for every other state of the slot.
const AnyState = "*"

// Claim is a name that a thing or visit has for itself, or shares with others that share it.
type Claim struct {
	Name   string
	Shared bool
}

// Closure is a set of things that must stand together, for the tests that run on it.
type Closure struct {
	Things []int   // each after those that it needs
	Claims []Claim // of the tests: what stands, is not in Things and claims the same must go before
	At     []int   // the case on each axis; -1 where it has none. All closures of a bench have the same axes.
	// Spoils are those of Things that a visit leaves other than they were made: written to, rebuilt, aged.
	Spoils []int
	// Fresh are those of Things that a visit must not find spoiled: one that is goes, with what stands on it, and is made again.
	Fresh []int
	// Visits is how often in a row the closure is visited in the order that is sought; 0 is once. It matters where something is Fresh.
	Visits int
}

// Bench is all that is to be ordered.
type Bench struct {
	Things   []Thing
	Closures []Closure
	// Standing are the things that stand at the start, each after those that it needs, which stand too; no two exclude each other.
	// What no closure has of them stays, unless it is in the way or is not kept.
	Standing []int
}

// Kind is the kind of an action.
type Kind int

// The kinds of action.
const (
	Make Kind = iota
	Switch
	Visit
	Remove
)

// Action is one thing to be done.
type Action struct {
	Kind  Kind
	Thing int // not for Visit
	From  int // for Switch: the thing whose place it takes, which stands no more
	Visit int // position in the order that was played; for a Remove, of the visit after which it is done, -1 before the first
}

// Price is what an order of closures costs from what stands at the start to the end, where only what is kept stands. A closure may come more than
// once, and each time is visited as often as its Visits say.
func (b *Bench) Price(order []int) int64 {
	return newPlayer(compile(b)).price(order, noLimit)
}
