package plan

import "fmt"

// attends says which setups take part in a step that runs a test, in the order in which they are made.
func (w *walk) attends(t *test, step string) []Attend {
	var out []Attend
	for _, id := range t.Things {
		for _, x := range w.b.things {
			if x.ID == id && x.Kind == "setup" && w.b.set.Type("setup", x.Type).Attends {
				out = append(out, Attend{ID: fmt.Sprintf("%s-setup-%d", step, len(out)+1), Thing: id})
			}
		}
	}
	return out
}

// Thing is the thing of an id; nil where there is none.
func (p *Plan) Thing(id string) *Thing {
	for i := range p.Things {
		if p.Things[i].ID == id {
			return &p.Things[i]
		}
	}
	return nil
}

// Attendant is a thing as what takes part in a test, which is run and read as a monitor of it is.
func (t *Thing) Attendant(during string) Test {
	return Test{
		Address: t.Addresses[0], Instance: t.Instance, Type: t.Type, Hosts: t.Hosts, Config: t.Config, Things: []string{t.ID}, Expect: t.Expect,
		SensitiveConfig: t.SensitiveConfig, Attempts: 1, Repeat: 1, During: during,
	}
}
