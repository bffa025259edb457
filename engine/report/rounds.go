package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// rounds tells of each repetition that was measured in rounds how the measure that had to become steady went.
func rounds(in Input) []trouble {
	tests := map[string]plan.Test{}
	for _, t := range in.Plan.Tests {
		tests[t.Address] = t
	}
	list := &troubleList{at: map[string]int{}}
	for _, s := range in.Results.Samples {
		t := tests[s.Address]
		if t.Steady == nil || len(s.Rounds) == 0 {
			continue
		}
		what := "not steady after " + plural(len(s.Rounds), "round", "rounds")
		if s.Outcome == measure.OK {
			what = "steady after " + plural(len(s.Rounds), "round", "rounds")
		}
		list.add(s.Address, what, courseOf(s, measureOf(in.Plan, t)), s.Repetition)
	}
	return list.list
}

// courseOf gives the figures of all rounds, those of the window in brackets: throughput 203 MB/s, 150 MB/s, [112 MB/s, 107 MB/s].
func courseOf(s judge.Sample, m schema.Measure) string {
	var before, window []string
	for _, r := range s.Rounds {
		text := "–"
		if v, ok := r.Measures[m.Name]; ok {
			text = value(v.Value, m)
		}
		if r.Window {
			window = append(window, text)
		} else {
			before = append(before, text)
		}
	}
	if len(window) > 0 {
		before = append(before, "["+strings.Join(window, ", ")+"]")
	}
	return fmt.Sprintf("%s %s", m.Name, strings.Join(before, ", "))
}

// measureOf is the measure that must become steady.
func measureOf(p *plan.Plan, t plan.Test) schema.Measure {
	for _, tt := range p.Judgement.Tests {
		if tt.Block != t.Instance.Block.String() {
			continue
		}
		for _, m := range tt.Measures {
			if m.Name == t.Steady.Measure {
				return m
			}
		}
	}
	return schema.Measure{Name: t.Steady.Measure}
}

// roundRows are the figures of all rounds for a table.
func roundRows(in Input) [][]string {
	rows := [][]string{{"test", "round_of_walk", "repetition", "number", "window", "measure", "unit", "value"}}
	for _, s := range in.Results.Samples {
		for _, r := range s.Rounds {
			for _, name := range sortedKeys(r.Measures) {
				v := r.Measures[name]
				rows = append(rows, []string{s.Address, strconv.Itoa(s.Round), strconv.Itoa(s.Repetition), strconv.Itoa(r.Number), strconv.FormatBool(r.Window), name, v.Unit, number(v.Value)})
			}
		}
	}
	return rows
}
