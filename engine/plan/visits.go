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
			var parts [][]sample
			for _, u := range s.groups[g].chains {
				for rep := 1; rep <= repeats(u); rep++ {
					parts = append(parts, repetition(u, rep))
				}
			}
			out = append(out, split(g, parts, s.groups[g].wear.apart)...)
		}
		return out
	}
	passes := 0
	for _, g := range s.groups {
		for _, u := range g.chains {
			passes = max(passes, repeats(u))
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
			var parts [][]sample
			for _, u := range s.groups[g].chains {
				if runs := repetition(u, rep); len(runs) > 0 {
					parts = append(parts, runs)
				}
			}
			if kind == Random {
				random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			} else if rep%2 == 0 {
				slices.Reverse(parts)
			}
			out = append(out, split(g, parts, s.groups[g].wear.apart)...)
		}
	}
	return out
}

// repeats is how often a chain is run: as often as that of its tests that has most repetitions.
func repeats(chain []*test) int {
	n := 0
	for _, t := range chain {
		n = max(n, t.Repeat)
	}
	return n
}

// repetition are the tests of a chain that have a repetition of that number.
func repetition(chain []*test, rep int) []sample {
	var out []sample
	for _, t := range chain {
		if rep <= t.Repeat {
			out = append(out, sample{t, rep})
		}
	}
	return out
}

// lasting is how long the steps of a bench take, one after another. Of those that start together the longest counts.
func lasting(steps []Step, seconds func(*Step) float64) float64 {
	sum, longest := 0.0, 0.0
	for i := range steps {
		took := seconds(&steps[i])
		if steps[i].Alongside == "" {
			longest = 0
		}
		if took > longest {
			sum += took - longest
			longest = took
		}
	}
	return sum
}

func groupsOf(visits []visit) []int {
	out := make([]int, len(visits))
	for i, v := range visits {
		out[i] = v.group
	}
	return out
}
