package plan

import (
	"math/rand/v2"
	"slices"
)

// The orders of a walk.
const (
	Grouped     = "grouped"     // all repetitions of a test one after another
	Interleaved = "interleaved" // one pass over the walk for each repetition, in alternating direction
	Random      = "random"      // one pass for each repetition, closures and their tests shuffled
)

// visit is one stop at a closure.
type visit struct {
	group int
	runs  []sample
}

// sample is one repetition of a test.
type sample struct {
	test       *test
	repetition int
}

// visits lays out one round over the groups of a bench, whose cheapest order is given.
func (s *site) visits(order []int, kind string, random *rand.Rand) []visit {
	if kind == Grouped {
		var out []visit
		for _, g := range order {
			v := visit{group: g}
			for _, t := range s.groups[g].tests {
				for rep := 1; rep <= t.Repeat; rep++ {
					v.runs = append(v.runs, sample{t, rep})
				}
			}
			out = append(out, v.split(s.groups[g].wear.apart)...)
		}
		return out
	}
	passes := 0
	for _, g := range s.groups {
		for _, t := range g.tests {
			passes = max(passes, t.Repeat)
		}
	}
	order = slices.Clone(order)
	var out []visit
	for rep := 1; rep <= passes; rep++ {
		if kind == Random {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		} else if rep > 1 {
			slices.Reverse(order)
		}
		for _, g := range order {
			v := visit{group: g}
			for _, t := range s.groups[g].tests {
				if rep <= t.Repeat {
					v.runs = append(v.runs, sample{t, rep})
				}
			}
			if kind == Random {
				random.Shuffle(len(v.runs), func(i, j int) { v.runs[i], v.runs[j] = v.runs[j], v.runs[i] })
			} else if rep%2 == 0 {
				slices.Reverse(v.runs)
			}
			if len(v.runs) > 0 {
				out = append(out, v.split(s.groups[g].wear.apart)...)
			}
		}
	}
	return out
}

func groupsOf(visits []visit) []int {
	out := make([]int, len(visits))
	for i, v := range visits {
		out[i] = v.group
	}
	return out
}
