package kpi

import (
	"fmt"
	"math"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// arm is a KPI's comparison with what judging it by the interval needs.
type arm struct {
	comparison *compare.Comparison // nil: the plan has none of this address
	test, base compare.Figure
	value      float64
	exists     bool // value does
	show       func(float64) string
	resamples  stats.Bootstrap // of value; empty where there is no interval
	level      float64         // share outside the interval by which it is judged; 0: by the bare figure
	cells      int             // how many are corrected together
}

func newArm(k plan.KPI, c *compare.Comparison, in Input) arm {
	a := arm{comparison: c, show: unit.FormatChange}
	if c == nil {
		return a
	}
	a.test, a.base = in.Figure(c.Test, c.Measure.Name), in.Figure(c.BaselineTest, c.Measure.Name)
	var changes, differences stats.Bootstrap
	if Confidence(k, in.Confidence) > 0 {
		changes, differences = stats.Resample(a.test.Values, a.base.Values, c.Address)
	}
	a.read(k.Measure.Name, c)
	switch k.Measure.Name {
	case "ratio":
		for _, change := range changes {
			a.resamples = append(a.resamples, 1+change)
		}
	case "difference":
		a.resamples = differences
	default:
		a.resamples = changes
	}
	return a
}

// read takes the change, the ratio or the difference of a comparison.
func (a *arm) read(measure string, c *compare.Comparison) {
	switch measure {
	case "ratio":
		a.value, a.exists = c.Ratio, c.Complete
		a.show = func(v float64) string { return unit.Digits(v, 4) }
	case "difference":
		a.value, a.exists = c.Difference, c.KnownDifference
		a.show = func(v float64) string { return unit.Format(v, c.Measure.Dim, c.Measure.Symbol) }
	default:
		a.value, a.exists, a.show = c.Change, c.Complete, unit.FormatChange
	}
}

// setLevels decides at which level each KPI's interval is judged. Several gated ones are corrected by Holm's procedure:
// their p is that of the question which the limit asks, not that of "is there a difference".
func setLevels(kpis []held, arms []arm, spec float64) {
	var gated []int
	var p, alpha []float64
	for i, k := range kpis {
		confidence := Confidence(k.KPI, spec)
		if !k.Comparison || confidence <= 0 || quoted(arms[i]) {
			continue
		}
		arms[i].level, arms[i].cells = 1-confidence, 1
		if isGated(k.KPI, spec) && !skipped(arms[i]) && k.verdict != Skipped {
			gated, p, alpha = append(gated, i), append(p, decisiveAt(arms[i], limitsOf(k.KPI))), append(alpha, 1-confidence)
		}
	}
	for n, level := range stats.HolmLevels(p, alpha) {
		arms[gated[n]].level, arms[gated[n]].cells = level, len(gated)
	}
}

// decisiveAt is the smallest level at which the interval lies on one side of the limits, but not below what so few
// repetitions can show: resamples of three values that lie apart would seem certain.
func decisiveAt(a arm, l limits) float64 {
	if !a.exists || len(a.resamples) == 0 || !l.given {
		return 1
	}
	pass := 2 * math.Max(a.resamples.Share(l.below), a.resamples.Share(l.above))
	fail := 2 * math.Min(
		a.resamples.Share(func(v float64) bool { return !l.below(v) }),
		a.resamples.Share(func(v float64) bool { return !l.above(v) }))
	return math.Max(math.Min(1, math.Min(pass, fail)), stats.SmallestP(a.test.N, a.base.N))
}

// quoted: there is nothing to be judged but the figure.
func quoted(a arm) bool { return a.comparison != nil && a.comparison.Quoted }

func skipped(a arm) bool { return a.comparison != nil && (a.test.Skipped() || a.base.Skipped()) }

// judgeComparison judges a KPI on a comparison.
func judgeComparison(r *KPI, k held, a arm) {
	l := limitsOf(k.KPI)
	r.Limit = limitText(k.KPI, a.show)
	if a.exists {
		r.Value = &a.value
		r.Figure = fmt.Sprintf("%s, n=%d against %d, %s", a.show(a.value), a.test.N, a.base.N, compare.FormatP(a.comparison.P))
		if a.comparison.Quoted {
			r.Figure = a.show(a.value) + ", quoted"
		}
	}
	invalid := string(measure.Invalid)
	switch {
	case a.comparison == nil && len(k.By) > 0:
		r.say(Inconclusive, "neither arm has a result there: no "+k.Of)
	case a.comparison == nil:
		r.say(Inconclusive, "the plan has no comparison "+k.Of)
	case a.comparison.Quoted && !a.exists:
		r.say(Inconclusive, fmt.Sprintf("no %s is quoted in %s", k.Measure.Name, a.comparison.Source))
	case a.comparison.Quoted && k.verdict != "":
		r.say(k.verdict, k.reason)
	case a.comparison.Quoted && !l.given:
		r.say(Inconclusive, "the KPI has no limit; give it min, max or within")
	case a.comparison.Quoted:
		bareFigure(r, l, fmt.Sprintf(" (quoted from %s: judged by the bare figure)", a.comparison.Source))
	case skipped(a):
		r.say(Skipped, "an arm of the comparison was skipped")
	case a.test.Missing[invalid]+a.base.Missing[invalid] > 0:
		r.say(Invalid, fmt.Sprintf("repetitions cannot be a measurement: %d of %d, and of the baseline %d of %d",
			a.test.Missing[invalid], a.test.Planned, a.base.Missing[invalid], a.base.Planned)+others(r, l))
	case a.test.N < a.test.Planned || a.base.N < a.base.Planned:
		r.say(Inconclusive, fmt.Sprintf("only %d of %d repetitions%s and %d of %d of the baseline%s gave a figure", a.test.N, a.test.Planned,
			compare.Why(a.test), a.base.N, a.base.Planned, compare.Why(a.base))+others(r, l))
	case !a.exists:
		r.say(Inconclusive, a.comparison.Reason)
	case k.verdict != "":
		r.say(k.verdict, k.reason)
	case !l.given:
		r.say(Inconclusive, "the KPI has no limit; give it min, max or within")
	case badConfidence(r, k):
	case k.Confidence != nil && *k.Confidence == 0:
		bareFigure(r, l, " (confidence = 0: judged by the bare figure)")
	case a.level == 0 && k.Confidence == nil:
		bareFigure(r, l, " (advisory: judged by the bare figure)")
	default:
		byInterval(r, l, a)
	}
}

func byInterval(r *KPI, l limits, a arm) {
	confidence, note := unit.FormatShare(1-a.level), ""
	if a.cells > 1 {
		note = fmt.Sprintf(", corrected for %d gated KPIs", a.cells)
	}
	if !stats.AtMost(stats.SmallestP(a.test.N, a.base.N), a.level) {
		need := stats.MinimumRepeat(1-a.level, 1)
		r.say(Inconclusive, fmt.Sprintf("%s: too few for %s confidence%s; repeat at least %d times a side", r.Figure, confidence, note, need))
		return
	}
	lo, hi, ok := a.resamples.Interval(a.level)
	if !ok {
		r.say(Inconclusive, r.Figure+": there is no interval, since the baseline has values that are not above zero")
		return
	}
	r.Figure += fmt.Sprintf(", %s interval %s", confidence, span(lo, hi, a.show))
	v := l.interval(lo, hi)
	r.say(v, fmt.Sprintf("%s: the interval %s %s%s", r.Figure, intervalVerb(v), r.Limit, note))
}
