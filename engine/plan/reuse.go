package plan

import "github.com/assay-bench/assay/engine/graph"

// reuse writes the steps on what stands already and is used before anything else becomes of it.
func (e *emitter) reuse(actions []graph.Action, visits []visit) {
	standing := map[int]bool{}
	for _, x := range e.site.graph.Standing {
		standing[x] = true
	}
	used := map[int]bool{}
	use := func(list ...int) {
		for _, x := range list {
			used[x] = used[x] || standing[x]
		}
	}
	for _, a := range actions {
		switch a.Kind {
		case graph.Make, graph.Switch:
			use(e.site.graph.Things[a.Thing].Needs...)
			use(e.site.graph.Things[a.Thing].Beside...)
			if a.Kind == graph.Switch {
				use(a.From)
				standing[a.From] = false
			}
		case graph.Visit:
			use(e.site.graph.Closures[visits[a.Visit].group].Things...)
		case graph.Remove:
			standing[a.Thing] = false
		}
	}
	for x := len(e.site.things) - 1; x >= 0; x-- { // what is used uses what it stands on
		if used[x] {
			for _, y := range e.site.graph.Things[x].Needs {
				used[y] = true
			}
		}
	}
	for x, t := range e.site.things { // each after those that it needs
		if !used[x] || t.left {
			continue
		}
		s := e.thingStep(x, Reuse)
		if t.Kind == "dataset" {
			e.loads[x]++
			s.Generation = e.loads[x]
		}
		for _, y := range e.site.graph.Things[x].Needs {
			s.Needs = append(s.Needs, e.made[y])
		}
		e.made[x] = e.add(s)
	}
}
