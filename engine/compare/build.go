package compare

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
)

// DefaultAlpha is the significance below which a difference counts as shown, where none is given.
const DefaultAlpha = 0.05

// Options say how sure a comparison has to be. The zero value is that of the spec's defaults.
type Options struct {
	Alpha      float64         // 0: DefaultAlpha
	Confidence float64         // of the intervals; 0: stats.DefaultConfidence
	Gated      map[string]bool // addresses of the comparisons that required KPIs judge: corrected for being several
}

// Lookup gives the figure of a measure of a test instance. Where nothing was measured N is 0 and Missing says why.
type Lookup func(test, measure string) Figure

// Build makes the comparisons of a plan, in its order.
func Build(planned []plan.Comparison, figure Lookup, opt Options) []Comparison {
	if !(opt.Alpha > 0) {
		opt.Alpha = DefaultAlpha
	}
	list := make([]Comparison, len(planned))
	var gated []int
	var p []float64
	for i, pc := range planned {
		if pc.Quoted != nil {
			list[i] = quoted(pc)
			continue
		}
		arm, base := figure(pc.Test, pc.Measure.Name), figure(pc.BaselineTest, pc.Measure.Name)
		list[i] = one(pc, arm, base, opt.Confidence)
		// One without figures counts, with p = 1: what was to be shown is settled before the data are seen.
		if opt.Gated[pc.Address] && !arm.Skipped() && !base.Skipped() {
			gated, p = append(gated, i), append(p, list[i].P)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		if c := &list[gated[k]]; len(gated) > 1 && c.N > 0 && c.NBaseline > 0 {
			c.PHolm = &adjusted
		}
	}
	for i := range list {
		list[i].Words = words(&list[i], opt.Alpha, len(gated))
	}
	return list
}

func one(pc plan.Comparison, arm, base Figure, confidence float64) Comparison {
	c := Comparison{
		Address: pc.Address, Block: pc.Block, Coordinates: pc.Coordinates,
		Across: pc.Across, Baseline: pc.Baseline, Test: pc.Test, BaselineTest: pc.BaselineTest,
		Measure: pc.Measure, N: arm.N, NBaseline: base.N, P: 1, OtherRun: pc.OtherRun,
	}
	if pc.OtherRun && base.N > 0 {
		c.BaselineFigure = &base
	}
	var absent []string
	if arm.N == 0 {
		absent = append(absent, pc.Test+" has no "+pc.Measure.Name+Why(arm))
	}
	if base.N == 0 {
		absent = append(absent, "the baseline "+pc.BaselineTest+" has no "+pc.Measure.Name+Why(base))
	}
	if len(absent) > 0 {
		c.Reason = strings.Join(absent, "; ")
		return c
	}
	d := stats.Compare(arm.Values, base.Values, confidence, pc.Address)
	c.Detail, c.Complete, c.KnownDifference = d, d.Defined, true
	c.Change, c.Ratio, c.Difference, c.P = d.Change, d.Ratio, d.Difference, d.P
	if d.Interval {
		c.Interval = &Interval{d.ChangeLo, d.ChangeHi}
	}
	if !d.Defined {
		c.Reason = fmt.Sprintf("the baseline's median is %s, of which nothing is a multiple; the difference is %s",
			format(base.Median, pc.Measure.Dim, pc.Measure.Symbol), format(d.Difference, pc.Measure.Dim, pc.Measure.Symbol))
	}
	return c
}

// decimal takes off what a sum of floats adds to a quoted decimal: 0.96-1 is -0.04.
func decimal(v float64) float64 { return math.Round(v*1e12) / 1e12 }

// quoted is a comparison that someone else has made.
func quoted(pc plan.Comparison) Comparison {
	c := Comparison{
		Address: pc.Address, Block: pc.Block, Coordinates: pc.Coordinates,
		Across: pc.Across, Baseline: pc.Baseline, Test: pc.Test, BaselineTest: pc.BaselineTest,
		Measure: pc.Measure, P: 1, Quoted: true, Source: pc.Quoted.Source,
	}
	q := pc.Quoted
	switch {
	case q.Change != nil:
		c.Complete, c.Change, c.Ratio = true, *q.Change, decimal(1+*q.Change)
		if q.Ratio != nil {
			c.Ratio = *q.Ratio
		}
	case q.Ratio != nil:
		c.Complete, c.Change, c.Ratio = true, decimal(*q.Ratio-1), *q.Ratio
	}
	if q.Difference != nil {
		c.KnownDifference, c.Difference = true, *q.Difference
	}
	if !c.Complete {
		c.Reason = fmt.Sprintf("only a difference is quoted, %s", format(c.Difference, pc.Measure.Dim, pc.Measure.Symbol))
	}
	return c
}

func format(v float64, d unit.Dim, symbol string) string { return unit.Format(v, d, symbol) }

// Why tells in brackets what became of the repetitions without a value: " (2 of 6 repetitions failed, 1 missing)". It is
// empty where none is missing.
func Why(f Figure) string {
	if len(f.Missing) == 0 {
		return ""
	}
	outcomes := make([]string, 0, len(f.Missing))
	for o := range f.Missing {
		outcomes = append(outcomes, o)
	}
	sort.Strings(outcomes)
	for i, o := range outcomes {
		n, of := f.Missing[o], ""
		if i == 0 {
			of = fmt.Sprintf(" of %d repetition%s", f.Planned, plural(f.Planned))
		}
		outcomes[i] = fmt.Sprintf("%d%s %s", n, of, said(o))
	}
	return " (" + strings.Join(outcomes, ", ") + ")"
}

// said is an outcome as a sentence has it.
func said(outcome string) string {
	switch outcome {
	case "did_not_finish":
		return "did not finish"
	case NoValue:
		return "without a value"
	}
	return outcome
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
