package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
)

// Target picks instances by a pattern: test.fio.*[rw=read]. In names and cases * stands for any characters and ? for one. An
// axis that is not named may have any case.
type Target struct {
	text  string
	block string
	each  string // pattern of the key of a for_each; empty: any
	at    addr.Coordinates
}

// ParseTargets reads patterns as a person types them.
func ParseTargets(patterns []string) ([]Target, error) {
	var out []Target
	for _, p := range patterns {
		block, rest, found := strings.Cut(p, "[")
		t := Target{text: p, block: block}
		if block == "" || strings.ContainsAny(block, " ]=") {
			return nil, fmt.Errorf("target %q: write the address of tests or setups, such as 'test.fio.*[rw=read]'", p)
		}
		if found {
			inst, err := addr.ParseInstance("setup.x.x[" + rest) // only what stands in brackets is an address's
			if err != nil || len(inst.Coordinates) == 0 && inst.Each == "" {
				return nil, fmt.Errorf("target %q: coordinates are written [axis=case,axis=case], as in 'test.fio.*[rw=read]'", p)
			}
			t.at, t.each = inst.Coordinates, inst.Each
		}
		out = append(out, t)
	}
	return out, nil
}

// Matches reports whether the pattern picks an instance.
func (t Target) Matches(i addr.Instance) bool {
	if !match(t.block, i.Block.String()) || t.each != "" && !match(t.each, i.Each) {
		return false
	}
	for axis, want := range t.at {
		if have, ok := i.Coordinates[axis]; !ok || !match(want, have) {
			return false
		}
	}
	return true
}

// match compares with a pattern in which * stands for any characters and ? for one.
func match(pattern, s string) bool {
	p, r := []rune(pattern), []rune(s)
	star, from := -1, 0 // where the last * stands, and from where it is tried
	i, j := 0, 0
	for j < len(r) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == r[j]):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// narrow leaves only the tests and datasets that targets pick, or that stand on what they pick, and what those need: tests whose outputs
// they use or that start together with them, too. What compares or
// judges others is listed as not judged. A target that picks nothing is an error.
func narrow(s *spec.Spec, targets []Target) error {
	if len(targets) == 0 {
		return nil
	}
	hit := make([]bool, len(targets))
	picks := func(i addr.Instance) bool {
		any := false
		for k, t := range targets {
			if t.Matches(i) {
				hit[k], any = true, true
			}
		}
		return any
	}
	picked := map[*spec.Instance]bool{} // setups, and what stands on them; tests whose monitors are picked
	left := map[string]bool{}
	var roots []*spec.Instance
	for _, inst := range s.Setups {
		if picked[inst] = picks(inst.Addr) || anyOf(picked, inst.Needs); picked[inst] && inst.Addr.Kind == "dataset" {
			roots = append(roots, inst)
		}
	}
	for _, inst := range s.Monitors {
		if picks(inst.Addr) && inst.During != nil {
			picked[inst.During] = true
		}
	}
	var tests []*spec.Instance
	for _, inst := range s.Tests {
		if picks(inst.Addr) || picked[inst] || anyOf(picked, inst.Needs) {
			tests = append(tests, inst)
		}
	}
	for k, t := range targets {
		if !hit[k] {
			return fmt.Errorf("target %q picks nothing: no test, monitor, setup or dataset of the plan has such an address%s", t.text, nearest(s))
		}
	}
	tests = withOthers(s.Tests, tests)
	for _, inst := range tests {
		left[inst.Addr.String()] = true
	}
	s.Tests, s.Setups = tests, needed(s.Setups, append(roots, tests...))
	for _, inst := range s.Setups {
		if inst.Addr.Kind == "dataset" {
			left[inst.Addr.String()] = true
		}
	}
	narrowMonitors(s, left)
	narrowJudging(s, left)
	return nil
}

// withOthers adds to the picked of all tests those whose outputs they use, and those that start together with them. The order stays.
func withOthers(all, picked []*spec.Instance) []*spec.Instance {
	companions := map[*spec.Instance][]*spec.Instance{}
	for _, inst := range all {
		if inst.Leader != nil {
			companions[inst.Leader] = append(companions[inst.Leader], inst)
		}
	}
	use := map[*spec.Instance]bool{}
	var add func(inst *spec.Instance)
	add = func(inst *spec.Instance) {
		if use[inst] {
			return
		}
		use[inst] = true
		for _, before := range inst.After {
			add(before)
		}
		if inst.Leader != nil {
			add(inst.Leader)
		}
		for _, m := range companions[inst] {
			add(m)
		}
	}
	for _, inst := range picked {
		add(inst)
	}
	return slices.DeleteFunc(slices.Clone(all), func(inst *spec.Instance) bool { return !use[inst] })
}

func nearest(s *spec.Spec) string {
	if len(s.Tests) == 0 {
		return ""
	}
	return "; one is " + s.Tests[0].Addr.String()
}

func anyOf(set map[*spec.Instance]bool, list []*spec.Instance) bool {
	for _, x := range list {
		if set[x] {
			return true
		}
	}
	return false
}

// needed keeps of what stands the picked, and what they stand on. Each comes after those that it needs.
func needed(setups, picked []*spec.Instance) []*spec.Instance {
	use := map[*spec.Instance]bool{}
	for _, t := range picked {
		use[t] = true
		for _, n := range t.Needs {
			use[n] = true
		}
	}
	for i := len(setups) - 1; i >= 0; i-- {
		for _, n := range setups[i].Needs {
			use[n] = use[n] || use[setups[i]]
		}
	}
	var out []*spec.Instance
	for _, x := range setups {
		if use[x] {
			out = append(out, x)
		}
	}
	return out
}

// narrowJudging takes out what is about tests that are left out.
func narrowJudging(s *spec.Spec, left map[string]bool) {
	const reason = "its tests are left out by --target"
	var comparisons []spec.Comparison
	for _, c := range s.Comparisons {
		if c.Quoted != nil || left[c.Test.String()] && left[c.BaselineTest.String()] {
			comparisons = append(comparisons, c)
			left[c.Addr.String()] = true
		}
	}
	s.Comparisons = comparisons
	var kpis []spec.KPI
	judged, dropped := map[addr.Block]bool{}, []addr.Block(nil)
	for _, k := range s.KPIs {
		whole := left[k.Ref.Of.String()]
		for _, other := range []*spec.MeasureRef{k.MinOf, k.MaxOf} {
			whole = whole && (other == nil || left[other.Of.String()])
		}
		if whole {
			kpis = append(kpis, k)
			judged[k.Addr.Block] = true
		} else {
			dropped = append(dropped, k.Addr.Block)
		}
	}
	s.KPIs = kpis
	for _, b := range dropped {
		if !judged[b] {
			judged[b] = true
			s.NotJudged = append(s.NotJudged, spec.NotJudged{Block: b, Reason: reason})
		}
	}
	blocks := map[addr.Block]bool{}
	for _, list := range [][]*spec.Instance{s.Tests, s.Monitors, s.Setups} {
		for _, t := range list {
			blocks[t.Addr.Block] = true
		}
	}
	var plots []spec.Plot
	for _, p := range s.Plots {
		if blocks[p.Y.Block] {
			plots = append(plots, p)
		}
	}
	s.Plots = plots
}
