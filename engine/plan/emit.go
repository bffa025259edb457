package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
)

// bench writes the steps of one bench, of all rounds.
func (w *walk) bench(number int, name string, tests []*test) {
	s := w.b.site(name, tests)
	order := s.graph.Order()
	random := rand.New(rand.NewPCG(uint64(w.order.Seed), uint64(number)))
	e := &emitter{walk: w, site: s, made: make([]string, len(s.things)), loads: make([]int, len(s.things)), ran: map[*spec.Instance]string{}}
	var extra int
	var grouped float64
	for round := 1; round <= w.order.Rounds; round++ {
		last := round == w.order.Rounds
		visits := s.visits(order, w.order.Order, random)
		e.round = round
		actions := s.graph.Play(groupsOf(visits), !last)
		if round == 1 {
			e.reuse(actions, visits)
		}
		for _, a := range actions {
			e.action(a, visits)
		}
		if w.order.Order != Grouped {
			plain := s.visits(order, Grouped, nil)
			steps := s.graph.Play(groupsOf(plain), !last)
			extra += len(actions) - len(visits) - (len(steps) - len(plain))
			grouped += s.seconds(steps, plain)
		}
		s.graph.Standing = s.untouched(actions)
	}
	w.order.ExtraSteps += extra
	w.grouped = max(w.grouped, grouped)
	for i, t := range s.things {
		if t.wish.keep && e.made[i] == "" {
			d := diag.Error(t.rng, "Not kept to the end", "%s has keep = true, but something that comes after its tests claims what it holds, so it is taken away.", t.Addresses[0])
			d.Severity = hcl.DiagWarning
			w.diags = append(w.diags, d)
		}
	}
}

// seconds is what actions take by the providers' estimates.
func (s *site) seconds(actions []graph.Action, visits []visit) float64 {
	sum := time.Duration(0)
	for _, a := range actions {
		switch a.Kind {
		case graph.Make:
			sum += s.things[a.Thing].answer.Estimate
		case graph.Switch:
			sum += s.things[a.Thing].switchTime(s.things[a.From])
		case graph.Remove:
			sum += s.things[a.Thing].answer.ReleaseEstimate
		case graph.Visit:
			longest := time.Duration(0) // of those that started together
			for _, r := range visits[a.Visit].runs {
				if r.test.inst.Leader == nil {
					longest = 0
				}
				if more := r.test.lasts() - longest; more > 0 {
					sum += more
					longest += more
				}
			}
		}
	}
	return sum.Seconds()
}

// switchTime is how long it takes to come from another state.
func (t *thing) switchTime(from *thing) time.Duration {
	if d, ok := t.answer.Switch[from.State]; ok {
		return d
	}
	return t.answer.Switch[providers.AnyState]
}

// emitter turns actions into steps.
type emitter struct {
	*walk
	site  *site
	round int
	made  []string                  // by thing: the step that made what stands
	loads []int                     // by thing: how often it was loaded
	ran   map[*spec.Instance]string // by test: the step that ran it last
}

func (e *emitter) action(a graph.Action, visits []visit) {
	switch a.Kind {
	case graph.Make:
		e.make(a.Thing)
	case graph.Switch:
		e.change(a.Thing, a.From)
	case graph.Remove:
		e.remove(a.Thing)
	case graph.Visit:
		e.visit(visits[a.Visit])
	}
}

func (e *emitter) nextID() string { return fmt.Sprintf("s%d", len(e.steps)+1) }

func (e *emitter) add(s Step) string {
	s.ID = e.nextID()
	s.Round, s.Bench = e.round, e.site.name
	if s.Coordinates == nil {
		s.Coordinates = addr.Coordinates{}
	}
	if s.Erases == nil {
		s.Erases = []providers.Erase{}
	}
	if s.Needs == nil {
		s.Needs = []string{}
	}
	s.Commands = commands(s.Commands)
	e.steps = append(e.steps, s)
	return s.ID
}

// thingStep is a step on a thing, which needs the steps that made what it stands on.
func (e *emitter) thingStep(x int, action Action) Step {
	t := e.site.things[x]
	return Step{Address: t.Addresses[0], Coordinates: t.Instance.Coordinates, Action: action, Thing: t.ID}
}

func (e *emitter) under(x int) []string {
	var needs []string
	n := &e.site.graph.Things[x]
	for _, y := range n.Needs {
		needs = append(needs, e.made[y])
	}
	for _, y := range n.Beside {
		needs = append(needs, e.made[y])
	}
	return needs
}

func (e *emitter) make(x int) {
	t, s := e.site.things[x], e.thingStep(x, Create)
	if t.Kind == "dataset" {
		e.loads[x]++
		s.Action, s.Generation = Load, e.loads[x]
	}
	s.Needs, s.Commands, s.Erases = e.under(x), t.answer.Commands, t.answer.Erases
	s.EstimateS, s.Writes = t.answer.Estimate.Seconds(), t.answer.Writes
	e.made[x] = e.add(s)
}

func (e *emitter) change(x, from int) {
	t, f, s := e.site.things[x], e.site.things[from], e.thingStep(x, Switch)
	s.From, s.Replaces = f.State, f.ID
	if e.made[from] != "" { // else it stood before
		s.Needs = []string{e.made[from]}
	}
	s.Needs, s.EstimateS = append(s.Needs, e.under(x)...), t.switchTime(f).Seconds()
	list, ok := t.answer.SwitchCommands[f.State]
	if !ok {
		list, ok = t.answer.SwitchCommands[providers.AnyState]
	}
	if !ok {
		list = t.answer.Commands
	}
	s.Commands = list
	e.made[from], e.made[x] = "", e.add(s)
}

func (e *emitter) remove(x int) {
	t, s := e.site.things[x], e.thingStep(x, Destroy)
	if e.made[x] != "" { // else it stood before
		s.Needs = []string{e.made[x]}
	}
	s.Commands, s.EstimateS = t.answer.ReleaseCommands, t.answer.ReleaseEstimate.Seconds()
	if t.Kind == "dataset" {
		s.Loses = t.Addresses
	}
	e.add(s)
	e.made[x] = ""
}

// visit runs the tests of one stop. Their steps share one list of needs: the top of what they stand on, which needs the rest.
func (e *emitter) visit(v visit) {
	needs := []string{}
	for _, x := range e.site.groups[v.group].tops {
		needs = append(needs, e.made[x])
	}
	for _, r := range v.runs {
		t := r.test
		if t.load {
			continue
		}
		s := Step{
			Address: t.Address, Coordinates: t.Coordinates, Action: RunTest, Repetition: r.repetition,
			Needs: needs, Commands: t.Commands, EstimateS: t.lasts().Seconds(), EstimateMaxS: t.longest(), Writes: t.answer.Writes,
		}
		if t.Import != nil {
			s.Action = ImportFiles
		} else {
			s.Watches = e.watches(t, e.nextID())
			s.Attends = e.attends(t, e.nextID())
		}
		for _, before := range t.inst.After {
			s.Needs = append(slices.Clip(s.Needs), e.ran[before]) // of the same repetition
		}
		if t.inst.Leader != nil {
			s.Alongside = e.ran[t.inst.Leader]
		}
		e.ran[t.inst] = e.add(s)
	}
}
