package judge

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// slot is one planned repetition of one test, or one planned load of a dataset.
type slot struct{ round, repetition, generation int } // generation: of a load; 0: of a test

// cell is one planned test with the sample of each of its repetitions.
type cell struct {
	test     plan.Test
	measures []schema.Measure
	slots    []slot // planned, in order
	samples  map[slot]*measure.Sample
}

// arrange gives every planned test its samples. A sample that the plan does not know is named in a warning and not used.
// A plan that is walked several times has the same repetitions in every round; the rounds are those that occur.
func arrange(j plan.Judgement, tests []plan.Test, samples []measure.Sample) (cells []*cell, warnings []string) {
	types := make(map[string][]schema.Measure, len(j.Tests))
	for _, t := range j.Tests {
		types[t.Block] = t.Measures
	}
	byAddress := make(map[string]*cell, len(tests))
	for _, t := range tests {
		c := &cell{test: t, measures: types[t.Instance.Group()], samples: map[slot]*measure.Sample{}}
		cells = append(cells, c)
		byAddress[t.Address] = c
	}
	rounds := map[int]bool{1: true}
	for i := range samples {
		s := &samples[i]
		c := byAddress[s.Address]
		if c == nil && s.During != "" {
			continue // of a monitor that watches every test: context
		}
		if c == nil {
			warnings = append(warnings, fmt.Sprintf("a sample of %s is not used: the plan has no such test", s.Address))
			continue
		}
		at := slot{round: max(1, s.Round), repetition: s.Repetition}
		if c.dataset() {
			at.generation = s.Generation
		}
		if other := c.samples[at]; other != nil {
			warnings = append(warnings, fmt.Sprintf("%s has two samples of repetition %d; the one of the later attempt is used", s.Address, s.Repetition))
			if other.Attempt >= s.Attempt {
				continue
			}
		}
		if s.Repetition < 1 || s.Repetition > c.planned() && c.test.Import == nil {
			warnings = append(warnings, fmt.Sprintf("a sample of %s is not used: repetition %d of %d", s.Address, s.Repetition, c.planned()))
			continue
		}
		c.samples[at] = s
		rounds[at.round] = true
	}
	sort.Strings(warnings)
	for _, c := range cells {
		c.plan(rounds)
	}
	return cells, warnings
}

// planned is the number of repetitions in a round: of an import, the files, unless they are one table.
func (c *cell) planned() int {
	if c.test.Import != nil && !c.test.Import.Table && len(c.test.Import.Files) > 0 {
		return len(c.test.Import.Files)
	}
	return max(1, c.test.Repeat)
}

// plan lists the slots. An imported file may hold more than one repetition, so what it brought counts as planned.
func (c *cell) plan(rounds map[int]bool) {
	if c.test.Import != nil {
		rounds = map[int]bool{1: true}
	}
	all := make(map[slot]bool)
	if c.dataset() {
		rounds = nil
		for _, l := range c.test.Loads {
			all[slot{l.Round, 1, l.Generation}] = true
		}
	}
	for r := range rounds {
		for n := 1; n <= c.planned(); n++ {
			all[slot{round: r, repetition: n}] = true
		}
	}
	for at := range c.samples {
		all[at] = true
	}
	for at := range all {
		c.slots = append(c.slots, at)
	}
	sort.Slice(c.slots, func(a, b int) bool {
		x, y := c.slots[a], c.slots[b]
		return cmp.Or(cmp.Compare(x.round, y.round), cmp.Compare(x.repetition, y.repetition), cmp.Compare(x.generation, y.generation)) < 0
	})
}

func (c *cell) dataset() bool { return c.test.Loaded() }

// outcome is that of a slot; compare.NoSample where it has no sample.
func (c *cell) outcome(at slot) string {
	if s := c.samples[at]; s != nil {
		return string(s.Outcome)
	}
	return compare.NoSample
}

// loadedIn lists the earlier runs from which figures of a dataset come.
func (c *cell) loadedIn() []string {
	var runs []string
	for _, at := range c.slots {
		if s := c.samples[at]; s != nil && s.LoadedIn != "" && s.Outcome == measure.OK {
			runs = append(runs, s.LoadedIn)
		}
	}
	slices.Sort(runs)
	return slices.Compact(runs)
}

// values gives the figure of a measure in each repetition, over all keys or at those of a view, and counts those that have none.
func (c *cell) values(m schema.Measure, view *view) (values []float64, missing map[string]int, imported bool) {
	missing = map[string]int{}
	for _, at := range c.slots {
		if o := c.outcome(at); o != string(measure.OK) {
			missing[o]++
			continue
		}
		s := c.samples[at]
		if view != nil {
			s = narrow(s, m.Name, view)
		}
		v, ok, _ := rollUp(s, m)
		if !ok {
			missing[compare.NoValue]++
			continue
		}
		values = append(values, v)
		imported = imported || c.samples[at].Imported
	}
	return values, missing, imported
}
