package plan_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/hashicorp/hcl/v2"
)

// randomSpec writes a spec of setups that stand on each other, beside each other and in each other's way.
func randomSpec(r *rand.Rand) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	add("spec {\norder = %q\nrounds = %d\n}\nmatrix {", []string{"grouped", "grouped", "interleaved", "random"}[r.Intn(4)], 1+r.Intn(2))
	axes := 1 + r.Intn(3)
	for a := range axes {
		add("axis \"a%d\" {\nvalues = [%s]\n}", a, []string{"0, 1", "0, 1, 2"}[r.Intn(2)])
	}
	if r.Intn(3) == 0 {
		add("exclude {\nwhen = a0 == 0 && a%d == 1\nreason = \"x\"\n}", axes-1)
	}
	add("}")
	axis := func() string { return fmt.Sprintf("matrix.a%d", r.Intn(axes)) }
	slots := map[int]bool{}
	setups := 1 + r.Intn(5)
	for i := range setups {
		var label, beside []string
		if r.Intn(3) > 0 {
			label = append(label, "${"+axis()+"}")
		}
		for d := range i {
			switch r.Intn(6) {
			case 0, 1:
				label = append(label, fmt.Sprintf("${setup.fake_thing.s%d.id}", d))
			case 2:
				beside = append(beside, fmt.Sprintf("setup.fake_thing.s%d", d))
			}
		}
		add("setup \"fake_thing\" \"s%d\" {\nlabel = \"s%d %s\"", i, i, strings.Join(label, " "))
		if len(beside) > 0 {
			add("depends_on = [%s]", strings.Join(beside, ", "))
		}
		if r.Intn(2) == 0 {
			add("claims = [\"c%d\"]", r.Intn(3))
		}
		if r.Intn(3) == 0 {
			slots[i] = true
			add("slot = \"slot%d\"\nstate = \"${%s}\"\nswitch_time = \"%ds\"", r.Intn(2), axis(), 1+r.Intn(100))
		}
		add("create_time = \"%ds\"\ndestroy_time = \"%ds\"\nkeep = %v\nfresh = %v\n}", 1+r.Intn(1000), r.Intn(60), r.Intn(8) == 0, r.Intn(10) == 0)
	}
	var data []string
	for i := range r.Intn(3) {
		add("dataset \"fake_data\" \"d%d\" {\nload_time = \"%ds\"\nrows = %s", i, 1+r.Intn(1000), []string{"1", axis()}[r.Intn(2)])
		if r.Intn(3) > 0 {
			add("thing = setup.fake_thing.s%d.id", r.Intn(setups))
		} else if i > 0 {
			add("thing = dataset.fake_data.d%d.id", r.Intn(i))
		}
		if r.Intn(2) == 0 {
			add("claims = [\"c%d\"]", r.Intn(3))
		}
		add("fresh = %v\n}", r.Intn(10) == 0)
		if r.Intn(2) == 0 { // it is wanted though no test needs it
			add("kpi \"d%d\" {\nmeasure = dataset.fake_data.d%d.rows\nmin = 0\n}", i, i)
		}
		data = append(data, fmt.Sprintf("${dataset.fake_data.d%d.id}", i))
	}
	tests := 1 + r.Intn(3)
	leader, names := map[int]int{}, []string(nil) // of companions; of all tests
	if tests > 1 && r.Intn(3) == 0 {
		leader[r.Intn(tests-1)] = tests - 1
	}
	for i := range tests {
		var on []string
		for _, d := range data {
			if r.Intn(3) == 0 {
				on = append(on, d)
			}
		}
		for d := range setups {
			if r.Intn(2) == 0 {
				on = append(on, fmt.Sprintf("${setup.fake_thing.s%d.id}", d))
			}
		}
		typ, reset := "fake", ""
		if text := strings.Join(on, ""); strings.Contains(text, "dataset") && r.Intn(2) == 0 {
			typ, reset = "fake_update", []string{"none", "test", "repetition"}[r.Intn(3)]
		}
		names = append(names, fmt.Sprintf("test.%s.t%d", typ, i))
		add("test %q \"t%d\" {\nthing = \"%s\"\ncount = %s\nduration = \"1s\"", typ, i, strings.Join(on, " "), axis())
		if reset != "" {
			add("reset = %q", reset)
		}
		if repeat := 1 + r.Intn(3); leader[i] == 0 {
			add("repeat = %d", repeat)
		}
		for c, l := range leader {
			if l == i {
				add("alongside = [%s]", names[c])
			}
		}
		if r.Intn(4) == 0 {
			add("claims = [\"c%d\"]", r.Intn(3))
		}
		if i > 0 && r.Intn(3) == 0 {
			add("takes = %s.left", names[r.Intn(i)])
		}
		add("}")
	}
	return b.String()
}

// TestRandomSpecs goes through the steps of many plans: nothing is in conflict, all needs stand, nothing is left that is not to be kept,
// and the same spec gives the same bytes.
func TestRandomSpecs(t *testing.T) {
	plans, switches, kept, beside, loads, again, fresh, resets, after, along := 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	refused := map[string]bool{"Conflicting setups": true, "Kept on what goes": true, "Repeated too often": true, "Tests in each other's way": true, "Cycle": true}
	for seed := int64(1); plans < 150; seed++ {
		if seed > 5000 {
			t.Fatalf("only %d of %d specs can be planned", plans, seed)
		}
		spec := randomSpec(rand.New(rand.NewSource(seed)))
		p, diags := tryBuild(t, spec)
		if p == nil {
			for _, d := range diags {
				if d.Severity == hcl.DiagError && !refused[d.Summary] {
					t.Fatalf("seed %d: %v\n%s", seed, d, spec)
				}
			}
			continue
		}
		plans++
		if err := replay(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, spec)
		}
		for _, s := range p.Steps {
			if s.Action == plan.Switch {
				switches++
			}
			if s.Action == plan.Load {
				loads++
			}
			if s.Generation > s.Round { // something was in its way
				again++
			}
		}
		for _, x := range p.Tests {
			after, along = after+len(x.After), along+len(x.Alongside)
		}
		for _, th := range p.Things {
			if th.Keep {
				kept++
			}
			if len(th.Beside) > 0 {
				beside++
			}
			if th.Fresh {
				fresh++
			}
		}
		for _, test := range p.Tests {
			if test.Reset == "test" || test.Reset == "repetition" {
				resets++
			}
		}
		if plans%10 != 0 {
			continue
		}
		one, err := plan.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		two, err := plan.Encode(build(t, spec))
		if err != nil || !bytes.Equal(one, two) {
			t.Fatalf("seed %d: planned again it is another plan: %v\n%s", seed, err, spec)
		}
	}
	if switches < 50 || kept < 15 || beside < 25 || loads < 100 || again < 20 || fresh < 50 || resets < 50 || after < 50 || along < 50 {
		t.Errorf("%d switches, %d kept things, %d things beside others, %d loads, %d of them again, %d fresh things, %d tests that reset, %d after others, %d alongside: the specs test little",
			switches, kept, beside, loads, again, fresh, resets, after, along)
	}
}
