package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLoads: which datasets are planned, and what leaves samples.
func TestLoads(t *testing.T) {
	const matrix = `
matrix {
  axis "size" {
    values = [1, 2]
  }
}
setup "fake_thing" "s" {}
dataset "fake_data" "d" {
  thing = setup.fake_thing.s.id
  rows  = matrix.size
}
`
	const test = `
test "fake" "t" {
  thing = dataset.fake_data.d.id
  count = 1
}
`
	const kpi = `
kpi "k" {
  measure = dataset.fake_data.d.rows
  min     = 1
}
`
	const alone = `
test "fake" "alone" {
  count = 1
}
`
	for _, c := range []struct {
		name, spec string
		targets    string
		steps      string
		measured   string
	}{
		{"needed by a test", matrix + test, "",
			"create s load d[size=1] run t[size=1] destroy d[size=1] load d[size=2] run t[size=2] destroy d[size=2] destroy s",
			"d[size=1] x 1 d[size=2] x 1 t[size=1] x 0 t[size=2] x 0"},
		{"needed for its own sake", matrix + kpi, "",
			"create s load d[size=1] destroy d[size=1] load d[size=2] destroy d[size=2] destroy s", "d[size=1] x 1 d[size=2] x 1"},
		{"needed by nothing", matrix + alone, "", "run alone", "alone x 0"},
		{"needed by a skipped test only", matrix + strings.Replace(test, "count = 1", "count = 1\nskip {\nreason = \"x\"\n}", 1) + alone, "",
			"run alone", "t[size=1] x 0 t[size=2] x 0 alone x 0"},
		{"picked", matrix + kpi + alone, "dataset.*[size=2]", "create s load d[size=2] destroy d[size=2] destroy s", "d[size=2] x 1"},
		{"picked below", matrix + kpi + alone, "setup.*", "create s load d[size=1] destroy d[size=1] load d[size=2] destroy d[size=2] destroy s",
			"d[size=1] x 1 d[size=2] x 1"},
		{"not picked", matrix + kpi + alone, "test.*", "run alone", "alone x 0"},
		{"in each round", "spec {\nrounds = 2\n}\n" + matrix + strings.Replace(kpi, "min", "where = { size = 1 }\nmin", 1), "dataset.*[size=1]",
			"create s load d[size=1] destroy d[size=1] destroy s create s load d[size=1] destroy d[size=1] destroy s", "d[size=1] x 2"},
		{"of one configuration", strings.Replace(matrix, "= matrix.size", "= matrix.size > 0 ? 1 : 0", 1) + test, "",
			"create s load d[size=1] run t[size=1] run t[size=2] destroy d[size=1] destroy s",
			"d[size=1] x 1 d[size=2] x 1 t[size=1] x 0 t[size=2] x 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := build(t, c.spec, strings.Fields(c.targets)...)
			name := strings.NewReplacer("setup.fake_thing.", "", "dataset.fake_data.", "", "test.fake.", "").Replace
			var steps, measured []string
			for _, s := range p.Steps {
				steps = append(steps, string(s.Action)+" "+name(s.Address))
			}
			for _, m := range p.Measured() {
				measured = append(measured, fmt.Sprintf("%s x %d", name(m.Address), len(m.Loads)))
			}
			if d := cmp.Diff(c.steps, strings.Join(steps, " ")); d != "" {
				t.Errorf("steps: %s", d)
			}
			if d := cmp.Diff(c.measured, strings.Join(measured, " ")); d != "" {
				t.Errorf("what leaves samples: %s", d)
			}
			if err := replay(p); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDecidable: a required comparison needs as many loads as a test needs repetitions.
func TestDecidable(t *testing.T) {
	const spec = `
spec {
  rounds = %d
}
matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
}
dataset "fake_data" "d" {
  load_time = matrix.drive == "sas" ? "1s" : "2s"
}
compare "c" {
  measure = dataset.fake_data.d.load_time
  across  = "drive"
}
kpi "k" {
  measure = compare.c.change
  max     = "-10%%"
}
`
	for rounds, ok := range map[int]bool{1: false, 3: false, 4: true} {
		p, diags := tryBuild(t, fmt.Sprintf(spec, rounds))
		if (p != nil) != ok {
			t.Errorf("%d rounds: %v", rounds, diags)
		}
		if p == nil && !strings.Contains(diags[0].Detail, "set rounds = 4 in the spec block") {
			t.Errorf("%d rounds: %v", rounds, diags)
		}
	}
}
