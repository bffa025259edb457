package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/zclconf/go-cty/cty"
)

// runs are all that has repetitions: tests, and what watches them.
func (b *builder) runs() []*spec.Instance { return slices.Concat(b.spec.Tests, b.spec.Monitors) }

// judgedRuns are the runs whose figures can be judged. Those of a monitor that watches every test are context.
func (b *builder) judgedRuns() []*spec.Instance {
	out := slices.Clone(b.spec.Tests)
	for _, m := range b.spec.Monitors {
		if m.During != nil {
			out = append(out, m)
		}
	}
	return out
}

// walked are the runs that have steps of their own, or are skipped: a monitor has them only where its figures come from files.
func (b *builder) walked() []*spec.Instance {
	out := slices.Clone(b.spec.Tests)
	for _, m := range b.spec.Monitors {
		if m.Import != nil {
			out = append(out, m)
		}
	}
	return out
}

// monitors writes down the monitors of the spec, and puts their full configurations into configs.
func (b *builder) monitors(configs map[string]cty.Value) []Test {
	var out []Test
	for _, inst := range b.spec.Monitors {
		if b.closureOf[inst] == nil {
			var needs []int
			for _, n := range inst.Needs {
				needs = append(needs, b.thingOf[n].index)
			}
			c := &closure{ids: []string{}}
			for _, x := range graph.Close(b.nodes, needs) {
				c.ids = append(c.ids, b.things[x].ID)
			}
			b.closureOf[inst] = c
		}
		m := b.test(inst).Test
		if inst.During != nil {
			m.During = inst.During.Addr.String()
		}
		out = append(out, m)
		configs[m.Address] = inst.Config
	}
	return out
}

// watched lists the monitors that watch one test, by its address.
func (b *builder) watched() map[string][]*spec.Instance {
	out := map[string][]*spec.Instance{}
	for _, m := range b.spec.Monitors {
		if m.During != nil && m.Import == nil && m.Skip == "" {
			test := m.During.Addr.String()
			out[test] = append(out[test], m)
		}
	}
	return out
}

// watches says which monitors watch a step that runs a test: those of the test, then those of every test on its hosts. Each has an
// id that begins with the step's, in ASCII whatever the spec's language.
func (w *walk) watches(t *test, step string) []Watch {
	list := slices.Clip(w.watched[t.Address])
	for _, m := range w.b.spec.Monitors {
		if m.During == nil && slices.ContainsFunc(hosts(m), func(h string) bool { return slices.Contains(t.Hosts, h) }) {
			list = append(list, m)
		}
	}
	var out []Watch
	for _, m := range list {
		id := step + "-monitor-" + ascii(m.Addr.Name)
		for n := 2; slices.ContainsFunc(out, func(o Watch) bool { return o.ID == id }); n++ {
			id = fmt.Sprintf("%s-monitor-%s-%d", step, ascii(m.Addr.Name), n)
		}
		out = append(out, Watch{ID: id, Monitor: m.Addr.String()})
	}
	return out
}

// ascii puts _ for every character that a file name had better not have.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, name)
}

// narrowMonitors keeps the monitors of what is left, and those of every test.
func narrowMonitors(s *spec.Spec, left map[string]bool) {
	var monitors []*spec.Instance
	for _, m := range s.Monitors {
		if m.During == nil || left[m.During.Addr.String()] {
			monitors = append(monitors, m)
			left[m.Addr.String()] = true
		}
	}
	s.Monitors = monitors
}
