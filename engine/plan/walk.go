package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
)

// walk is the schedule of all benches.
type walk struct {
	b       *builder
	tests   []*test
	steps   []Step
	benches []Bench
	order   Order
	grouped float64                     // seconds of the longest bench, were its order grouped
	watched map[string][]*spec.Instance // test → the monitors of its own
	diags   hcl.Diagnostics
}

// walk orders the steps: on each bench the cheapest order of its closures that is found. A thing is made before the first test that
// needs it, goes after the last one, unless it is kept, and before that only when it is in the way.
func (b *builder) walk() *walk {
	w := &walk{b: b, watched: b.watched(), order: Order{Order: b.spec.Order, Rounds: max(1, b.spec.Rounds)}}
	if w.order.Order == "" {
		w.order.Order = Grouped
	}
	if w.order.Order == Random {
		w.order.Seed = max(1, b.spec.Seed)
	}
	for _, inst := range b.walked() {
		w.tests = append(w.tests, b.test(inst))
	}
	runs, walked := 0, make([]*test, 0, len(w.tests))
	for _, inst := range b.loadOnly {
		t := &test{inst: inst, answer: &providers.PlanResponse{}, closure: b.closureOf[inst], chain: chain{inst}, load: true}
		t.Address, t.Coordinates, t.Repeat = inst.Addr.String(), inst.Addr.Coordinates, 1
		w.tests = append(w.tests, t)
	}
	for _, t := range w.tests {
		if t.Skip == "" {
			walked = append(walked, t)
			runs += t.Repeat
		}
	}
	w.steps = make([]Step, 0, w.order.Rounds*(runs+4*len(b.things)))
	longest := 0.0
	benches := b.benches(walked)
	w.diags = append(w.diags, b.sharing(benches)...)
	for i, tests := range benches {
		before := len(w.steps)
		sum := Bench{Name: fmt.Sprint(i + 1)}
		w.bench(i, sum.Name, tests)
		sum.Steps = len(w.steps) - before
		sum.EstimateS = lasting(w.steps[before:], func(s *Step) float64 { return s.EstimateS })
		if most := lasting(w.steps[before:], func(s *Step) float64 { return max(s.EstimateS, s.EstimateMaxS) }); most > sum.EstimateS {
			sum.EstimateMaxS = most
		}
		w.benches = append(w.benches, sum)
		longest = max(longest, sum.EstimateS)
	}
	if w.order.Order != Grouped {
		w.order.ExtraS = longest - w.grouped
	}
	return w
}

// site is a bench with the things and closures that it has, numbered for it.
type site struct {
	name   string
	things []*thing // by number
	graph  graph.Bench
	groups []group // by closure
}

// group is the tests that run together: they stand on the same, and the same is in their way.
type group struct {
	closure *closure
	chains  [][]*test     // each in the order in which a repetition runs them
	claims  []graph.Claim // those that things claim too
	tops    []int         // of the closure, as numbered for the bench
	wear    wear
}

// site numbers what a bench has.
func (b *builder) site(name string, tests []*test) *site {
	s := &site{name: name}
	at := map[string]int{}
	for _, u := range chains(tests) {
		claims, wear := b.inTheWay(u), wearOfAll(u)
		key := fmt.Sprint(u[0].closure.index, claims, wear)
		i, ok := at[key]
		if !ok {
			i = len(s.groups)
			at[key] = i
			s.groups = append(s.groups, group{closure: u[0].closure, claims: claims, wear: wear})
		}
		s.groups[i].chains = append(s.groups[i].chains, u)
	}
	seen := map[int]bool{}
	var used []int
	var use func(x int)
	use = func(x int) {
		if seen[x] {
			return
		}
		seen[x] = true
		used = append(used, x)
		for _, list := range [][]int{b.nodes[x].Needs, b.nodes[x].Beside} {
			for _, y := range list {
				use(y)
			}
		}
	}
	for _, g := range s.groups {
		for _, x := range g.closure.things {
			use(x)
		}
	}
	for _, x := range b.leftOn(seen, s.groups) {
		use(x)
	}
	slices.Sort(used) // so that a thing stays after those that it needs
	number := map[int]int{}
	for i, x := range used {
		number[x] = i
		s.things = append(s.things, b.things[x])
	}
	renumber := func(list []int) (out []int) {
		for _, x := range list {
			out = append(out, number[x])
		}
		return out
	}
	for _, x := range used {
		n := b.nodes[x]
		n.Needs, n.Beside = renumber(n.Needs), renumber(n.Beside)
		s.graph.Things = append(s.graph.Things, n)
		if b.things[x].stands {
			s.graph.Standing = append(s.graph.Standing, number[x])
		}
	}
	axes := b.setupAxes(s.things)
	for i := range s.groups {
		g := &s.groups[i]
		g.tops = renumber(g.closure.tops)
		s.graph.Closures = append(s.graph.Closures, graph.Closure{
			Things: renumber(g.closure.things), Claims: g.claims, At: b.at(slices.Concat(g.chains...), axes),
			Spoils: renumber(g.wear.spoils), Fresh: renumber(g.wear.fresh), Visits: g.visits(),
		})
	}
	return s
}

// chains sorts tests into their chains, in the order of their first tests.
func chains(tests []*test) [][]*test {
	var out [][]*test
	of := map[*spec.Instance]*test{}
	for _, t := range tests {
		of[t.inst] = t
	}
	done := map[*spec.Instance]bool{}
	for _, t := range tests {
		if done[t.chain[0]] {
			continue
		}
		done[t.chain[0]] = true
		u := make([]*test, len(t.chain))
		for i, inst := range t.chain {
			u[i] = of[inst]
		}
		out = append(out, u)
	}
	return out
}

// inTheWay are the claims of the tests of a chain that a standing thing may hold.
func (b *builder) inTheWay(chain []*test) []graph.Claim {
	var out []graph.Claim
	at := map[string]int{}
	for _, t := range chain {
		for _, c := range t.answer.Claims {
			i, had := at[c.Name]
			switch {
			case had:
				out[i].Shared = out[i].Shared && c.Shared
			case b.claimed[c.Name]:
				at[c.Name] = len(out)
				out = append(out, graph.Claim{Name: c.Name, Shared: c.Shared})
			}
		}
	}
	return out
}

// setupAxes are the axes of the things, in the order of the spec.
func (b *builder) setupAxes(things []*thing) []spec.Axis {
	var out []spec.Axis
	for _, a := range b.spec.Axes {
		for _, t := range things {
			if t.axes[a.Name] {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// at is the case on each axis at which all tests of a group are; -1 where they differ or have none.
func (b *builder) at(tests []*test, axes []spec.Axis) []int {
	out := make([]int, len(axes))
	for i, a := range axes {
		if b.cases[a.Name] == nil {
			b.cases[a.Name] = map[string]int{}
			for k, c := range a.Cases {
				b.cases[a.Name][c.Name] = k
			}
		}
		out[i] = -1
		for k, t := range tests {
			n, ok := b.cases[a.Name][t.Coordinates[a.Name]]
			if !ok || k > 0 && n != out[i] {
				out[i] = -1
				break
			}
			out[i] = n
		}
	}
	return out
}

// price is what a step counts for in the order. A step that takes no time still is one that may fail, so each counts for a second at
// least.
func price(d time.Duration) int64 { return int64(max(d, time.Second)) }

// Duration gives seconds of a plan as a duration.
func Duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
