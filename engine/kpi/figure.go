package kpi

import (
	"fmt"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// judgeFigure judges a KPI on a test's measure.
func judgeFigure(r *KPI, k held, f compare.Figure, confidence float64) {
	show := func(v float64) string { return unit.Format(v, k.Measure.Dim, k.Measure.Symbol) }
	l := limitsOf(k.KPI)
	r.Limit = limitText(k.KPI, show)
	if f.N > 0 {
		v := f.Median
		worst, best := l.extremes(f.Values)
		switch k.Statistic {
		case "worst", "each":
			v = worst
		case "best":
			v = best
		}
		r.Value = &v
		r.Figure = show(v) + figureNote(k.KPI, f, confidence, show)
	}
	missing := func(o measure.Outcome) int { return f.Missing[string(o)] }
	switch {
	case f.Skipped():
		r.say(Skipped, "the test was skipped")
	case missing(measure.DidNotFinish) > 0:
		r.say(Fail, fmt.Sprintf("%d of %d repetitions did not finish in any attempt", missing(measure.DidNotFinish), f.Planned))
	case missing(measure.Invalid) > 0:
		r.say(Invalid, fmt.Sprintf("%d of %d repetitions cannot be a measurement", missing(measure.Invalid), f.Planned)+others(r, l))
	case f.N == 0:
		r.say(Inconclusive, "there is no "+k.Measure.Name+compare.Why(f))
	case len(f.Missing) > 0 || f.N < f.Planned:
		r.say(Inconclusive, fmt.Sprintf("only %d of %d repetitions gave a figure", f.N, f.Planned)+compare.Why(f)+others(r, l))
	case k.verdict != "":
		r.say(k.verdict, k.reason)
	case !l.given:
		r.say(Inconclusive, "the KPI has no limit; give it min, max or within")
	case badConfidence(r, k):
	default:
		judgeComplete(r, k, f, l, show)
	}
}

// others says what the repetitions that gave a figure would have meant.
func others(r *KPI, l limits) string {
	if r.Value == nil || !l.given {
		return ""
	}
	verb := "misses"
	if l.met(*r.Value) {
		verb = "meets"
	}
	return fmt.Sprintf("; the rest, %s, %s %s", r.Figure, verb, r.Limit)
}

// judgeComplete judges a figure over all planned repetitions.
func judgeComplete(r *KPI, k held, f compare.Figure, l limits, show func(float64) string) {
	confidence := Confidence(k.KPI, 0)
	if confidence > 0 {
		if k.Statistic != "" && k.Statistic != "median" {
			r.say(Inconclusive, fmt.Sprintf("%s: only a median has an interval to be judged at confidence %v; use statistic = \"median\", or leave confidence out", r.Figure, confidence))
			return
		}
		s := stats.Summarize(f.Values, confidence)
		r.Figure = show(s.Median) + figureNote(k.KPI, compare.Figure{Summary: s}, confidence, show)
		if k.MinOf != nil || k.MaxOf != nil {
			judgeAgainst(r, k, f, confidence, show)
			return
		}
		if !s.Interval {
			r.say(Inconclusive, fmt.Sprintf("%s: a median has a %s interval only from %d repetitions on",
				r.Figure, unit.FormatShare(confidence), stats.MinimumForMedian(confidence)))
			return
		}
		v := l.interval(s.Lo, s.Hi)
		r.say(v, fmt.Sprintf("%s: the interval %s %s", r.Figure, intervalVerb(v), r.Limit))
		return
	}
	bare := ""
	if k.Confidence != nil {
		bare = " (confidence = 0: judged by the bare figure)"
	}
	if k.Statistic == "each" {
		bad := 0
		for _, v := range f.Values {
			if !l.met(v) {
				bad++
			}
		}
		bare = fmt.Sprintf("; %d of %d repetitions miss it%s", bad, f.N, bare)
	}
	bareFigure(r, l, bare)
}

// bareFigure judges the figure without its interval.
func bareFigure(r *KPI, l limits, note string) {
	if l.met(*r.Value) {
		r.say(Pass, fmt.Sprintf("%s meets %s%s", r.Figure, r.Limit, note))
	} else {
		r.say(Fail, fmt.Sprintf("%s misses %s%s", r.Figure, r.Limit, note))
	}
}

func intervalVerb(v Verdict) string {
	switch v {
	case Pass:
		return "lies wholly within"
	case Fail:
		return "lies wholly outside"
	}
	return "spans"
}
