package plan

// Planned is one load of a dataset that a plan has.
type Planned struct {
	Round      int
	Generation int
}

// Measured lists all that leaves samples: the datasets, at each of their addresses, then the tests, then the monitors of a test. A dataset has its planned loads in
// place of repetitions: the sample of each is repetition 1 of its generation.
func (p *Plan) Measured() []Test {
	var out []Test
	loads := map[string][]Planned{}
	for _, s := range p.Steps {
		if s.leavesLoad() {
			loads[s.Thing] = append(loads[s.Thing], Planned{s.Round, s.Generation})
		}
	}
	for i := range p.Things {
		t := &p.Things[i]
		if t.Kind != "dataset" || t.Standing != nil && t.Standing.Unneeded {
			continue
		}
		one := t.Load()
		one.Loads = loads[t.ID]
		out = append(out, one)
		for _, other := range t.Others {
			same := one
			same.Address, same.Instance, same.Coordinates = other.String(), other, other.Coordinates
			same.Shares = t.Addresses[0]
			out = append(out, same)
		}
	}
	out = append(out, p.Tests...)
	for _, m := range p.Monitors {
		if m.During != "" {
			out = append(out, m)
		}
	}
	return out
}

// Loaded reports a dataset that the plan loads: its samples are of loads, not of repetitions.
func (t *Test) Loaded() bool {
	return t.Instance.Kind == "dataset" && t.Import == nil && t.Skip == ""
}

// Load is a dataset as what leaves samples, at its first address.
func (t *Thing) Load() Test {
	return Test{
		Address: t.Instance.String(), Instance: t.Instance, Coordinates: t.Instance.Coordinates, Type: t.Type, Hosts: t.Hosts,
		Config: t.Config, Things: t.Needs, Repeat: 1, TimeoutS: t.TimeoutS, Attempts: t.Attempts, BackoffS: t.BackoffS,
		Expect: t.Expect, SensitiveConfig: t.SensitiveConfig,
	}
}

// leavesLoad reports a step that brings the sample of a load: it loads, or takes over what an earlier run has loaded.
func (s *Step) leavesLoad() bool { return s.Action == Load || s.Action == Reuse && s.Generation > 0 }

// loads counts the planned loads of each dataset, by address.
func (w *walk) loads() map[string]int {
	count, out := map[string]int{}, map[string]int{}
	for _, s := range w.steps {
		if s.leavesLoad() {
			count[s.Thing]++
		}
	}
	for _, t := range w.b.things {
		for _, a := range t.Addresses {
			if n := count[t.ID]; n > 0 {
				out[a] = n
			}
		}
	}
	return out
}
