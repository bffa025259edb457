package plan

import (
	"fmt"
	"sort"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
)

// test is a test instance with what the walk needs to know of it.
type test struct {
	Test
	inst    *spec.Instance
	answer  *providers.PlanResponse
	closure []*thing // all things that it stands on, each after those that it needs
	bench   string
	seconds float64 // expected, of one repetition
}

type walk struct {
	tests    []*test
	steps    []Step
	benches  []Bench
	standing []*thing          // of the bench that is being walked, in the order of creation
	created  map[*thing]string // step that made what stands
	last     map[*thing]int    // position of the last test group that needs it
}

// walk orders the steps. Tests that stand on the same things run together, in the order in which their things come; a thing is
// made before the first test that needs it, and taken away after the last one (unless it is kept), or when it is in the way of
// what comes next.
func (b *builder) walk() *walk {
	w := &walk{}
	for _, inst := range b.spec.Tests {
		w.tests = append(w.tests, b.test(inst))
	}
	benches := assignBenches(w.tests)
	for _, bench := range benches {
		before := len(w.steps)
		w.bench(bench, w.tests)
		sum := Bench{Name: bench}
		for i := before; i < len(w.steps); i++ {
			sum.Steps++
			sum.EstimateS += w.steps[i].EstimateS
		}
		w.benches = append(w.benches, sum)
	}
	return w
}

func (b *builder) test(inst *spec.Instance) *test {
	answer := b.answers[inst]
	t := &test{inst: inst, answer: answer, seconds: answer.Estimate.Seconds()}
	t.Test = Test{
		Address: inst.Addr.String(), Instance: inst.Addr, Coordinates: inst.Addr.Coordinates,
		Type: inst.Type.Name, Hosts: hosts(inst), Config: configJSON(inst), Things: []string{},
		Repeat: inst.Repeat, Attempts: inst.Attempts, Expect: answer.Expect,
		SensitiveConfig: secretNames(inst), Commands: commands(answer.Commands),
	}
	if inst.Timeout != nil {
		t.TimeoutS = inst.Timeout.Float()
	}
	if inst.Backoff != nil {
		t.BackoffS = inst.Backoff.Float()
	}
	if inst.Import != nil {
		t.Import = &Import{Format: inst.Import.Format, Files: inst.Import.Files}
	}
	t.closure = b.closure(inst)
	for _, th := range t.closure {
		t.Things = append(t.Things, th.ID)
	}
	return t
}

// closure lists all things under an instance, each after those that it needs.
func (b *builder) closure(inst *spec.Instance) []*thing {
	var out []*thing
	var add func(*thing)
	add = func(t *thing) {
		if hasThing(out, t) {
			return
		}
		for _, n := range t.needs {
			add(n)
		}
		out = append(out, t)
	}
	for _, n := range inst.Needs {
		add(b.thingOf[n])
	}
	return out
}

func commands(list []providers.Command) []providers.Command {
	if list == nil {
		return []providers.Command{}
	}
	return list
}

// assignBenches puts tests that would disturb each other on one bench: they share a thing, or their claims conflict.
// Benches are named 1, 2, … in the order of their first test.
func assignBenches(tests []*test) []string {
	parent := make([]int, len(tests))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	type holders struct {
		tests     []int
		exclusive bool
	}
	held := map[string]*holders{}
	hold := func(name string, i int, exclusive bool) {
		h := held[name]
		if h == nil {
			h = &holders{}
			held[name] = h
		}
		h.tests = append(h.tests, i)
		h.exclusive = h.exclusive || exclusive
	}
	for i, t := range tests {
		for _, th := range t.closure {
			hold("thing "+th.ID, i, true)
			for _, c := range th.claims {
				hold("claim "+c.Name, i, !c.Shared)
			}
		}
		for _, c := range t.answer.Claims {
			hold("claim "+c.Name, i, !c.Shared)
		}
	}
	for _, h := range held {
		for _, i := range h.tests[1:] {
			if h.exclusive {
				parent[max(find(i), find(h.tests[0]))] = min(find(i), find(h.tests[0]))
			}
		}
	}
	var names []string
	name := map[int]string{}
	for i, t := range tests {
		root := find(i)
		if name[root] == "" {
			name[root] = fmt.Sprint(len(names) + 1)
			names = append(names, name[root])
		}
		t.bench = name[root]
	}
	return names
}

// bench walks the tests of one bench.
func (w *walk) bench(bench string, all []*test) {
	groups := group(bench, all)
	w.created, w.last, w.standing = map[*thing]string{}, map[*thing]int{}, nil
	for i, g := range groups {
		for _, th := range g[0].closure {
			w.last[th] = i
		}
	}
	for i, g := range groups {
		for _, th := range g[0].closure {
			if w.created[th] == "" {
				w.clear(bench, th)
				w.create(bench, th)
			}
		}
		for _, t := range g {
			w.run(bench, t)
		}
		for j := len(w.standing) - 1; j >= 0; j-- { // the last made goes first
			if th := w.standing[j]; w.last[th] == i && !th.Keep {
				w.destroy(bench, th)
			}
		}
	}
}

// group collects tests with equal closures, ordered by the things under them: those that share the first thing stay together.
func group(bench string, all []*test) [][]*test {
	at := map[string]int{}
	var groups [][]*test
	for _, t := range all {
		if t.bench != bench {
			continue
		}
		key := fmt.Sprint(t.Things)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	sort.SliceStable(groups, func(i, j int) bool {
		a, b := groups[i][0].closure, groups[j][0].closure
		for k := 0; k < len(a) && k < len(b); k++ {
			if a[k].index != b[k].index {
				return a[k].index < b[k].index
			}
		}
		return len(a) < len(b)
	})
	return groups
}

func (w *walk) add(s Step) string {
	s.ID = fmt.Sprintf("s%d", len(w.steps)+1)
	s.Round = 1
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
	w.steps = append(w.steps, s)
	return s.ID
}

func (w *walk) create(bench string, th *thing) {
	s := Step{
		Address: th.Addresses[0], Coordinates: th.Instance.Coordinates, Action: Create, Thing: th.ID, Bench: bench,
		Commands: th.answer.Commands, Erases: th.answer.Erases, EstimateS: th.answer.Estimate.Seconds(),
	}
	for _, n := range th.needs {
		s.Needs = append(s.Needs, w.created[n])
	}
	w.created[th] = w.add(s)
	w.standing = append(w.standing, th)
}

// clear takes away what claims something that th needs for itself, and what stands on that.
func (w *walk) clear(bench string, th *thing) {
	for j := len(w.standing) - 1; j >= 0; j-- {
		if j < len(w.standing) && clash(w.standing[j].claims, th.claims) != "" {
			w.destroy(bench, w.standing[j])
		}
	}
}

// destroy takes a thing away, after what stands on it.
func (w *walk) destroy(bench string, th *thing) {
	for j := len(w.standing) - 1; j >= 0; j-- {
		if j < len(w.standing) && hasThing(w.standing[j].needs, th) {
			w.destroy(bench, w.standing[j])
		}
	}
	for j, x := range w.standing {
		if x == th {
			w.standing = append(w.standing[:j:j], w.standing[j+1:]...)
			break
		}
	}
	step := w.created[th]
	delete(w.created, th)
	w.add(Step{
		Address: th.Addresses[0], Coordinates: th.Instance.Coordinates, Action: Destroy, Thing: th.ID, Bench: bench,
		Needs: []string{step}, Commands: th.answer.ReleaseCommands, EstimateS: th.answer.ReleaseEstimate.Seconds(),
	})
}

func (w *walk) run(bench string, t *test) {
	for rep := 1; rep <= t.Repeat; rep++ {
		s := Step{
			Address: t.Address, Coordinates: t.Coordinates, Action: RunTest, Repetition: rep, Bench: bench,
			Commands: t.Commands, EstimateS: t.seconds,
		}
		if t.Import != nil {
			s.Action, s.EstimateS = ImportFiles, 0
		}
		for _, th := range t.closure {
			s.Needs = append(s.Needs, w.created[th])
		}
		w.add(s)
	}
}

// clash names a claim that two holders cannot have at once, or "".
func clash(a, b []providers.Claim) string {
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name && !(x.Shared && y.Shared) {
				return x.Name
			}
		}
	}
	return ""
}

// Duration gives seconds of a plan as a duration.
func Duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
