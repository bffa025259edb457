package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/engine/plan"
)

// bench is what stands while the steps of a plan are gone through.
type bench struct {
	tests  map[string]*plan.Test
	things map[string]*plan.Thing
	claims map[string][]string // of tests, by address
	stands map[string]string   // thing → the step that made it
	done   map[string]bool     // steps
	ran    map[string]int
	loads  map[string]int    // by dataset
	used   map[string]string // thing → test and round that left it other than it was made
	pass   bool              // repetitions are not grouped
}

// replay goes through the steps of a plan, bench by bench, and says what is wrong with them: conflicting things that stand together, a
// need that does not stand, something that stands at the end, a repetition that is not run just once.
func replay(p *plan.Plan) error {
	b := &bench{
		things: map[string]*plan.Thing{}, tests: map[string]*plan.Test{}, claims: map[string][]string{},
		stands: map[string]string{}, done: map[string]bool{}, ran: map[string]int{}, loads: map[string]int{}, used: map[string]string{},
		pass: p.Order.Order != plan.Grouped,
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
	for id := range b.stands {
		for _, c := range b.things[id].Claims {
			if !slices.Contains(t.Things, id) && slices.Contains(b.claims[s.Address], c) {
				return fmt.Errorf("%s stands and claims %s, which the test wants", id, c)
			}
		}
	}
	return nil
}

// wear checks that a repetition finds what it stands on as it was made, where it has to, and notes how it leaves it.
func (b *bench) wear(s plan.Step, t *plan.Test) error {
	who := fmt.Sprint(s.Address, s.Round)
	for _, id := range t.Things {
		th := b.things[id]
		data := th.Kind == "dataset" && t.Reset != ""
		old := b.used[id]
		switch {
		case old == "":
		case th.Fresh, data && t.Reset == "repetition", data && t.Reset == "test" && (old != who || b.pass):
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
