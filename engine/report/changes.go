package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/unit"
)

// change is one arm against its baseline, as a pull request shows it.
type change struct {
	Measure string // bandwidth of test.fio.seq
	Arm     string // rw=read, bs=128KiB against 4KiB
	Was, Is string
	Change  string
	Words   string
}

// mostChanged gives at most n changes, the largest first by ratio, so that a half and a double are as large. Of each measure comes its
// largest before any comes with a second one, and what may be chance comes after what is not.
func mostChanged(v *view, n int) []change {
	var all []*judge.Comparison
	for i := range v.in.Results.Comparisons {
		if c := &v.in.Results.Comparisons[i]; c.Complete && c.Ratio > 0 {
			all = append(all, c)
		}
	}
	size := func(c *judge.Comparison) float64 { return math.Abs(math.Log(c.Ratio)) }
	sure := func(c *judge.Comparison) bool {
		return c.Quoted || c.Interval != nil && (c.Interval.Lo > 0 || c.Interval.Hi < 0)
	}
	first := func(a, b bool) int { // true before false
		if a == b {
			return 0
		} else if a {
			return -1
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b *judge.Comparison) int {
		return cmp.Or(first(sure(a), sure(b)), cmp.Compare(size(b), size(a)))
	})
	seen := map[string]int{}
	turn := map[*judge.Comparison]int{}
	for _, c := range all {
		key := c.Measure.Name + " " + cmp.Or(v.blocks[c.Test], blockOf(c.Test))
		turn[c] = seen[key]
		seen[key]++
	}
	slices.SortStableFunc(all, func(a, b *judge.Comparison) int { return cmp.Compare(turn[a], turn[b]) })
	var out []change
	for _, c := range all[:min(n, len(all))] {
		x := change{
			Measure: c.Measure.Name + " of " + cmp.Or(v.blocks[c.Test], blockOf(c.Test)),
			Arm:     c.Coordinates.String() + " against " + c.Baseline, Was: "quoted", Is: "quoted",
			Change: unit.FormatChange(c.Change), Words: c.Words,
		}
		if !c.Quoted {
			for _, f := range []struct {
				test string
				to   *string
			}{{c.BaselineTest, &x.Was}, {c.Test, &x.Is}} {
				if *f.to = "–"; v.figures.get(f.test, c.Measure.Name) != nil {
					*f.to = newCell(v.figures.get(f.test, c.Measure.Name), nil).Main
				}
			}
			if c.BaselineFigure != nil { // of another run
				x.Was = newCell(c.BaselineFigure, nil).Main
			}
		}
		out = append(out, x)
	}
	return out
}
