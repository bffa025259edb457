package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
)

// bench is what stands while the steps of a plan are gone through.
type bench struct {
	tests   map[string]*plan.Test
	things  map[string]*plan.Thing
	claims  map[string][]string // of tests, by address
	stands  map[string]string   // thing → the step that made it
	done    map[string]bool     // steps
	ran     map[string]int
	last    map[string]plan.Step // by test: the step that ran it last
	missing []string             // tests that start together with the last step and did not come yet
	begun   plan.Step            // the last step that started alone, or as a leader
	loads   map[string]int       // by dataset
	used    map[string]string    // thing → chain, round and repetition that left it other than it was made
	pass    bool                 // repetitions are not grouped
	chains  map[string]string    // by test: one of its chain, the same for all
}

// replay goes through the steps of a plan, bench by bench, and says what is wrong with them: conflicting things that stand together, a
// need that does not stand, something that stands at the end, a repetition that is not run just once.
func replay(p *plan.Plan) error {
	b := &bench{
		things: map[string]*plan.Thing{}, tests: map[string]*plan.Test{}, claims: map[string][]string{},
		stands: map[string]string{}, done: map[string]bool{}, ran: map[string]int{}, last: map[string]plan.Step{}, loads: map[string]int{}, used: map[string]string{},
		pass: p.Order.Order != plan.Grouped, chains: map[string]string{},
	}
	for i := range p.Tests {
		t := &p.Tests[i]
		b.tests[t.Address] = t
		var config struct{ Claims []string }
		if err := json.Unmarshal(t.Config, &config); err != nil {
			return err
		}
		b.claims[t.Address] = config.Claims
	}
	b.join(p)
	for i := range p.Things {
		b.things[p.Things[i].ID] = &p.Things[i]
	}
	benchOf := map[string]string{} // claim or thing → bench
	for i, s := range p.Steps {
		if s.ID != "s"+strconv.Itoa(i+1) {
			return fmt.Errorf("step %d is called %s", i+1, s.ID)
		}
		if err := b.step(s); err != nil {
			return fmt.Errorf("step %s, %s %s: %w", s.ID, s.Action, s.Address, err)
		}
		for _, name := range b.touches(s) {
			if other, ok := benchOf[name]; ok && other != s.Bench {
				return fmt.Errorf("step %s: %s is touched by the benches %s and %s", s.ID, name, other, s.Bench)
			}
			benchOf[name] = s.Bench
		}
	}
	for id := range b.stands {
		if !b.things[id].Keep {
			return fmt.Errorf("%s stands at the end", b.things[id].Addresses[0])
		}
	}
	if len(b.missing) > 0 {
		return fmt.Errorf("%q never come", b.missing)
	}
	for _, t := range p.Measured() {
		if t.Instance.Kind == "dataset" && len(t.Loads) == 0 {
			return fmt.Errorf("%s is not loaded", t.Address)
		}
	}
	for _, t := range p.Tests {
		for round := 1; round <= p.Order.Rounds; round++ {
			for rep := 1; rep <= t.Repeat && t.Skip == ""; rep++ {
				if n := b.ran[fmt.Sprint(t.Address, round, rep)]; n != 1 {
					return fmt.Errorf("%s: repetition %d of round %d is run %d times", t.Address, rep, round, n)
				}
			}
		}
	}
	return nil
}

// touches are things and exclusive claims of a step.
func (b *bench) touches(s plan.Step) []string {
	if s.Thing == "" {
		var out []string
		for _, id := range b.tests[s.Address].Things {
			out = append(out, "thing "+id)
		}
		return append(out, b.claims[s.Address]...)
	}
	return append([]string{"thing " + s.Thing}, b.things[s.Thing].Claims...)
}

func (b *bench) step(s plan.Step) error {
	for _, n := range s.Needs {
		if !b.done[n] {
			return fmt.Errorf("it needs step %s, which was not done", n)
		}
	}
	b.done[s.ID] = true
	t := b.things[s.Thing]
	switch s.Action {
	case plan.Create, plan.Load, plan.Switch:
		if s.Action == plan.Switch {
			from := b.things[s.Replaces]
			if b.stands[s.Replaces] == "" || from.Slot != t.Slot || from.State != s.From || !slices.Equal(hard(from), hard(t)) {
				return fmt.Errorf("it switches from %s in state %q", s.Replaces, s.From)
			}
			if err := b.free(s.Replaces); err != nil {
				return err
			}
			delete(b.stands, s.Replaces)
		}
		if b.stands[t.ID] != "" {
			return fmt.Errorf("it stands already")
		}
		if (t.Kind == "dataset") != (s.Action == plan.Load) {
			return fmt.Errorf("it is a %s", t.Kind)
		}
		if s.Action == plan.Load {
			if b.loads[t.ID]++; s.Generation != b.loads[t.ID] {
				return fmt.Errorf("it is load %d and generation %d", b.loads[t.ID], s.Generation)
			}
		}
		for _, n := range t.Needs {
			if b.stands[n] == "" {
				return fmt.Errorf("%s does not stand", n)
			}
			if !slices.Contains(s.Needs, b.stands[n]) {
				return fmt.Errorf("it does not name step %s, which made %s", b.stands[n], n)
			}
		}
		for id := range b.stands {
			o := b.things[id]
			if o.Slot != "" && o.Slot == t.Slot {
				return fmt.Errorf("%s stands in the slot", id)
			}
			for _, c := range t.Claims {
				if slices.Contains(o.Claims, c) {
					return fmt.Errorf("%s stands and claims %s too", id, c)
				}
			}
		}
		b.stands[t.ID] = s.ID
		delete(b.used, t.ID)
	case plan.Destroy:
		if b.stands[t.ID] == "" {
			return fmt.Errorf("it does not stand")
		}
		if err := b.free(t.ID); err != nil {
			return err
		}
		delete(b.stands, t.ID)
		if (t.Kind == "dataset") != slices.Equal(s.Loses, t.Addresses) {
			return fmt.Errorf("it loses %q", s.Loses)
		}
	default:
		return b.test(s)
	}
	return nil
}

func (b *bench) test(s plan.Step) error {
	b.ran[fmt.Sprint(s.Address, s.Round, s.Repetition)]++
	t := b.tests[s.Address]
	for _, id := range t.Things {
		if b.stands[id] == "" {
			return fmt.Errorf("%s does not stand", id)
		}
	}
	if err := b.wear(s, t); err != nil {
		return err
	}
	for _, before := range t.After {
		if last := b.last[before]; last.Repetition != s.Repetition || last.Round != s.Round || !slices.Contains(s.Needs, last.ID) {
			return fmt.Errorf("it does not need step %s, which is repetition %d of %s in round %d", last.ID, last.Repetition, before, last.Round)
		}
	}
	if b.last[s.Address] = s; s.Alongside == "" {
		b.begun = s
	}
	lead := b.tests[b.begun.Address]
	if with := slices.Contains(lead.Alongside, s.Address); with != (s.Alongside != "") ||
		with && (s.Alongside != b.begun.ID || s.Repetition != b.begun.Repetition || s.Round != b.begun.Round) {
		return fmt.Errorf("it starts with step %q, and the step before that others start with is %s", s.Alongside, b.begun.ID)
	}
	if next := b.tests[s.Address]; len(next.Alongside) > 0 { // all of them follow
		b.missing = slices.Clone(next.Alongside)
	} else if s.Alongside != "" {
		b.missing = slices.DeleteFunc(b.missing, func(a string) bool { return a == s.Address })
	} else if len(b.missing) > 0 {
		return fmt.Errorf("it comes before %q, which start together with another", b.missing)
	}
	for id := range b.stands {
		for _, c := range b.things[id].Claims {
			if !slices.Contains(t.Things, id) && slices.Contains(b.claims[s.Address], c) {
				return fmt.Errorf("%s stands and claims %s, which the test wants", id, c)
			}
		}
	}
	return nil
}

// join finds which tests are run in one repetition.
func (b *bench) join(p *plan.Plan) {
	for _, t := range p.Tests {
		b.chains[t.Address] = t.Address
	}
	for range p.Tests { // often enough for any chain
		for _, t := range p.Tests {
			for _, other := range slices.Concat(t.After, t.Alongside) {
				low := min(b.chains[t.Address], b.chains[other])
				b.chains[t.Address], b.chains[other] = low, low
			}
		}
	}
}

// wear checks that a repetition of a chain finds what it stands on as it was made, where it has to, and notes how it leaves it.
func (b *bench) wear(s plan.Step, t *plan.Test) error {
	round := fmt.Sprintf("%s in round %d, ", b.chains[s.Address], s.Round)
	who := fmt.Sprintf("%srepetition %d", round, s.Repetition)
	for _, id := range t.Things {
		th := b.things[id]
		data := th.Kind == "dataset" && t.Reset != ""
		old := b.used[id]
		switch {
		case old == "", old == who:
		case th.Fresh, data && t.Reset == "repetition", data && t.Reset == "test" && (!strings.HasPrefix(old, round) || b.pass):
			return fmt.Errorf("%s is as %s left it", id, old)
		}
		if th.Fresh || data {
			b.used[id] = who
		}
	}
	return nil
}

// free says whether nothing stands on a thing.
func (b *bench) free(id string) error {
	for other := range b.stands {
		if slices.Contains(hard(b.things[other]), id) {
			return fmt.Errorf("%s stands on it", other)
		}
	}
	return nil
}

// hard are the needs that go together with the thing.
func hard(t *plan.Thing) []string {
	return slices.DeleteFunc(slices.Clone(t.Needs), func(n string) bool { return slices.Contains(t.Beside, n) })
}
