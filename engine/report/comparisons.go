package report

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// compareTable is one comparison: its baseline and its arms.
type compareTable struct {
	Name      string // drives
	Of        string // test.fio.seq
	Measure   schema.Measure
	Across    string
	Direction string
	Axes      []string // beside Across, those that the arms have
	Arms      []arm
}

type arm struct {
	Coordinates addr.Coordinates
	Case        string // on the axis Across
	Baseline    bool
	Figure      cell
	Percent     string // of the baseline
	Change      string
	Interval    string
	P           string
	N           string
	Words       string
	Absent      bool // nothing can be said; Words is the reason
	Comparison  *judge.Comparison
}

func compareTables(in Input, cs cases, index figureIndex) []compareTable {
	var out []compareTable
	blocks := testBlocks(in.Plan)
	at := map[string]int{}
	base := map[string]bool{}
	axes := map[string]map[string]bool{}
	all := in.Results.Comparisons
	for i := range all {
		c := &all[i]
		k, ok := at[c.Block]
		if !ok {
			k = len(out)
			at[c.Block] = k
			axes[c.Block] = map[string]bool{}
			out = append(out, compareTable{Name: strings.TrimPrefix(c.Block, "compare."), Of: cmp.Or(blocks[c.Test], blockOf(c.Test)), Measure: c.Measure,
				Across: c.Across, Direction: direction(c.Measure.Better)})
		}
		for a := range c.Coordinates {
			if a != c.Across {
				axes[c.Block][a] = true
			}
		}
		t := &out[k]
		b := c.Coordinates
		if !c.OtherRun {
			b = b.With(c.Across, c.Baseline)
		}
		if id := c.Block + "\x00" + c.BaselineTest; !base[id] {
			base[id] = true
			f := newCell(index.get(c.BaselineTest, c.Measure.Name), nil)
			if c.BaselineFigure != nil {
				f = newCell(c.BaselineFigure, nil)
			}
			n := c.NBaseline
			if c.Quoted {
				f = cell{Main: "–"}
			}
			if f.Figure != nil {
				n = f.Figure.N
			}
			t.Arms = append(t.Arms, arm{Coordinates: b, Case: cmp.Or(c.Baseline, "no run"), Baseline: true, Figure: f, Percent: "100 %", Words: "baseline",
				N: strconv.Itoa(n), Comparison: c})
			if c.Quoted {
				t.Arms[len(t.Arms)-1].N = "quoted"
			}
		}
		t.Arms = append(t.Arms, newArm(c, newCell(index.get(c.Test, c.Measure.Name), nil)))
	}
	for i := range out {
		t := &out[i]
		t.Axes = orderedAxes(in.Plan.Judgement.Axes, axes["compare."+t.Name])
		sort.SliceStable(t.Arms, func(i, j int) bool {
			a, b := t.Arms[i], t.Arms[j]
			if cs.less(a.Coordinates, b.Coordinates, t.Axes) != cs.less(b.Coordinates, a.Coordinates, t.Axes) {
				return cs.less(a.Coordinates, b.Coordinates, t.Axes)
			}
			if a.Baseline != b.Baseline {
				return a.Baseline
			}
			return cs.less(a.Coordinates, b.Coordinates, []string{t.Across})
		})
	}
	return out
}

func newArm(c *judge.Comparison, f cell) arm {
	a := arm{Coordinates: c.Coordinates, Case: c.Coordinates[c.Across], Figure: f, Words: c.Words, Comparison: c}
	if c.OtherRun {
		a.Case = "this run"
	}
	if c.Quoted {
		a.Figure = cell{Main: "–"} // a median of ours, beside a figure of others, would seem to be what it was made of
		a.Interval, a.N, a.P = "quoted", "quoted", "quoted"
		if c.Complete {
			a.Percent, a.Change = percentOf(c.Ratio), unit.FormatChange(c.Change)
		}
		return a
	}
	if !c.Complete {
		a.Absent, a.Words = true, c.Reason
		return a
	}
	a.Percent, a.Change, a.P = percentOf(c.Ratio), unit.FormatChange(c.Change), pValue(c.P)
	a.N = fmt.Sprintf("%d / %d", c.N, c.NBaseline)
	a.Interval = "no interval"
	if c.Interval != nil {
		a.Interval = unit.FormatChange(c.Interval.Lo) + " to " + unit.FormatChange(c.Interval.Hi)
	}
	return a
}

// blockOf gives the block of an address, for a test that the plan does not have.
func blockOf(address string) string {
	block, _, _ := strings.Cut(address, "[")
	return block
}

// orderedAxes gives the named axes in the order of the spec; those it does not know come last, by name.
func orderedAxes(axes []plan.Axis, named map[string]bool) []string {
	var out []string
	known := map[string]bool{}
	for _, a := range axes {
		known[a.Name] = true
		if named[a.Name] {
			out = append(out, a.Name)
		}
	}
	for _, n := range sortedKeys(named) {
		if !known[n] {
			out = append(out, n)
		}
	}
	return out
}
