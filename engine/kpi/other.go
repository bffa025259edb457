package kpi

import (
	"fmt"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// held is a KPI whose limits are all numbers: those of min_of and max_of have been looked up.
type held struct {
	plan.KPI
	min, max compare.Figure // of a measure, what MinOf and MaxOf name
	// Where a figure that is a limit does not exist: the verdict, should the KPI's own figure stand, and why.
	verdict Verdict
	reason  string
}

// hold looks up the figures that are the limits of a KPI: the median of another measure over its repetitions, or the figure of another
// comparison. show prints them.
func hold(k plan.KPI, in Input, comparisons map[string]*compare.Comparison, show func(float64) string) held {
	h := held{KPI: k}
	for _, x := range []struct {
		other  *plan.Other
		limit  **plan.Limit
		figure *compare.Figure
	}{{k.MinOf, &h.Min, &h.min}, {k.MaxOf, &h.Max, &h.max}} {
		if x.other == nil {
			continue
		}
		var value float64
		var verdict Verdict
		var why string
		if k.Comparison {
			value, verdict, why = otherComparison(comparisons[x.other.Of], x.other, in)
		} else {
			*x.figure = in.Figure(x.other.Of, x.other.Measure)
			value, verdict, why = otherFigure(*x.figure)
		}
		if verdict != Pass {
			h.verdict, h.reason = verdict, fmt.Sprintf("there is nothing to hold it against: %s %s", x.other.Name(), why)
			return h
		}
		*x.limit = &plan.Limit{Value: value, Text: fmt.Sprintf("%s (%s)", show(value), x.other.Name())}
	}
	return h
}

// otherFigure gives the median of a figure that is a limit. What did not finish is no finding about what is held against it.
func otherFigure(f compare.Figure) (float64, Verdict, string) {
	switch {
	case f.Skipped():
		return 0, Skipped, "was skipped"
	case f.Missing[string(measure.Invalid)] > 0:
		return 0, Invalid, "cannot be a measurement" + compare.Why(f)
	case f.N == 0:
		return 0, Inconclusive, "has no figure" + compare.Why(f)
	case len(f.Missing) > 0 || f.N < f.Planned:
		return 0, Inconclusive, fmt.Sprintf("has a figure of only %d of %d repetitions%s", f.N, f.Planned, compare.Why(f))
	}
	return f.Median, Pass, ""
}

func otherComparison(c *compare.Comparison, o *plan.Other, in Input) (float64, Verdict, string) {
	if c == nil {
		return 0, Inconclusive, "has no figure there"
	}
	if !c.Quoted {
		for _, f := range []compare.Figure{in.Figure(c.Test, c.Measure.Name), in.Figure(c.BaselineTest, c.Measure.Name)} {
			if _, verdict, why := otherFigure(f); verdict != Pass {
				return 0, verdict, "has an arm that " + why
			}
		}
	}
	a := arm{}
	a.read(o.Measure, c)
	if !a.exists {
		return 0, Inconclusive, "has no " + o.Measure
	}
	return a.value, Pass, ""
}

// judgeAgainst judges a median that is held against that of another figure by the interval of their difference, so that both may be as
// uncertain as they are. The two are taken as independent. A limit beside it that is a number is judged by the median's own interval.
func judgeAgainst(r *KPI, k held, f compare.Figure, confidence float64, show func(float64) string) {
	all, said := Pass, ""
	note := func(v Verdict, text string) {
		if v == Fail || v == Inconclusive && all == Pass {
			all = v
		}
		if said != "" {
			said += "; "
		}
		said += text
	}
	percent := unit.FormatShare(confidence)
	for _, x := range []struct {
		name  string
		is    bool
		other compare.Figure
		limit *plan.Limit
		lower bool
	}{{"min_of", k.MinOf != nil, k.min, k.Min, true}, {"max_of", k.MaxOf != nil, k.max, k.Max, false}} {
		l := limitsOf(plan.KPI{Min: x.limit})
		if !x.lower {
			l = limitsOf(plan.KPI{Max: x.limit})
		}
		if !x.is {
			if x.limit == nil {
				continue
			}
			s := stats.Summarize(f.Values, confidence)
			if !s.Interval {
				note(Inconclusive, fmt.Sprintf("a median has a %s interval only from %d repetitions on", percent, stats.MinimumForMedian(confidence)))
				continue
			}
			v := l.interval(s.Lo, s.Hi)
			note(v, fmt.Sprintf("the interval %s %s", intervalVerb(v), x.limit.Text))
			continue
		}
		if !stats.CanReach(f.N, x.other.N, confidence, 1) {
			note(Inconclusive, fmt.Sprintf("too few for %s confidence, n=%d against %d; repeat at least %d times a side", percent, f.N, x.other.N, stats.MinimumRepeat(confidence, 1)))
			continue
		}
		_, differences := stats.Resample(f.Values, x.other.Values, k.Address+" "+x.name)
		lo, hi, ok := differences.Interval(1 - confidence)
		if !ok {
			note(Inconclusive, "their difference has no interval")
			continue
		}
		zero := limitsOf(plan.KPI{Min: &plan.Limit{}})
		if !x.lower {
			zero = limitsOf(plan.KPI{Max: &plan.Limit{}})
		}
		v := zero.interval(lo, hi)
		verb := map[Verdict]string{Pass: "keeps to", Fail: "breaks", Inconclusive: "spans"}[v]
		note(v, fmt.Sprintf("the difference from %s, %s interval %s, %s the limit", x.limit.Text, percent, span(lo, hi, show), verb))
	}
	r.say(all, r.Figure+": "+said)
}
