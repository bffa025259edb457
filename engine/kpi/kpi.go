// Package kpi gives verdicts: one for every KPI at given coordinates, with a sentence that holds the numbers.
//
// What comes first decides, in this order, so that no doubt is hidden behind a good figure and no bad one behind a doubt
// about something else:
//
//  1. skipped: every planned repetition of the test (of either arm of a comparison) was skipped;
//  2. fail: a repetition of the test did not finish in any of its attempts. An endless run is a finding, whatever the others
//     gave. (Of a comparison it is an arm without a figure, so the verdict is inconclusive.)
//  3. invalid: a sample cannot be a measurement;
//  4. inconclusive: a planned repetition failed, was blocked, left no sample or lacks the measure. Also where the
//     others miss the limit: the figure that was agreed on is one over all repetitions. The reason tells what the others say.
//  5. the figure, or its interval, against the limit.
//
// Where the limit is another figure (min_of, max_of), that one has to exist too: it comes after 4, and what did not finish there is
// inconclusive here.
//
// It reads figures and comparisons; it knows no samples and computes no figure of its own but worst and best.
package kpi

import (
	"fmt"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
)

// Verdict is the outcome of one KPI at given coordinates.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
	Invalid      Verdict = "invalid"
	Skipped      Verdict = "skipped"
)

// KPI is one verdict.
type KPI struct {
	Address     string           `json:"address"`
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Of          string           `json:"of"`
	Measure     string           `json:"measure"`
	Verdict     Verdict          `json:"verdict"`
	Reason      string           `json:"reason"` // one sentence with the numbers
	Severity    string           `json:"severity"`
	Limit       string           `json:"limit"`  // "≥ 500 MB/s"
	Figure      string           `json:"figure"` // "612 MB/s, n=6, 95 % interval 598–630 MB/s"
	Value       *float64         `json:"value"`  // null where there is none
	Because     string           `json:"because,omitempty"`
	Profile     *plan.Profile    `json:"profile,omitempty"` // where the limit is published
}

// Advisory is the severity of a KPI that gates nothing.
const Advisory = "advisory"

// Required reports whether a KPI of this severity gates. What is not advisory does.
func Required(severity string) bool { return severity != Advisory }

// Input is what KPIs are judged from.
type Input struct {
	Confidence  float64 // of figures, and of required KPIs on comparisons that name none; 0: stats.DefaultConfidence
	Figure      compare.Lookup
	Comparisons []compare.Comparison // every one that a KPI may name
}

// Gated gives the addresses of the comparisons that required KPIs judge by their interval. confidence is that of KPIs
// that name none.
func Gated(kpis []plan.KPI, confidence float64) map[string]bool {
	gated := map[string]bool{}
	for _, k := range kpis {
		if isGated(k, confidence) {
			gated[k.Of] = true
		}
	}
	return gated
}

func isGated(k plan.KPI, confidence float64) bool {
	return k.Comparison && Required(k.Severity) && Confidence(k, confidence) > 0
}

// Confidence is that of the interval by which a KPI is judged; 0 means by the bare figure. A KPI's own wins; without it,
// required KPIs on comparisons take the spec's, and all others are judged by the figure.
func Confidence(k plan.KPI, spec float64) float64 {
	switch {
	case k.Confidence != nil:
		return *k.Confidence
	case !k.Comparison || !Required(k.Severity):
		return 0
	case spec > 0:
		return spec
	}
	return stats.DefaultConfidence
}

// Judge gives the verdicts of a plan's KPIs, in its order.
func Judge(kpis []plan.KPI, in Input) []KPI {
	byAddress := make(map[string]*compare.Comparison, len(in.Comparisons))
	for i := range in.Comparisons {
		byAddress[in.Comparisons[i].Address] = &in.Comparisons[i]
	}
	arms := make([]arm, len(kpis))
	against := make([]held, len(kpis))
	for i, k := range kpis {
		show := func(v float64) string { return unit.Format(v, k.Measure.Dim, k.Measure.Symbol) }
		if k.Comparison {
			arms[i] = newArm(k, byAddress[k.Of], in)
			show = arms[i].show
		}
		against[i] = hold(k, in, byAddress, show)
	}
	setLevels(against, arms, in.Confidence)
	list := make([]KPI, len(kpis))
	for i, k := range against {
		r := KPI{
			Address: k.Address, Block: k.Block, Coordinates: k.Coordinates, Of: k.Of, Measure: k.Measure.Name,
			Severity: k.Severity, Because: because(k.KPI), Profile: k.Profile,
		}
		if k.Comparison {
			judgeComparison(&r, k, arms[i])
		} else {
			judgeFigure(&r, k, in.Figure(k.Of, k.Measure.Name), in.Confidence)
		}
		list[i] = r
	}
	return list
}

// because says where a limit comes from: what the spec says, and what is published where.
func because(k plan.KPI) string {
	if k.Profile == nil {
		return k.Because
	}
	text := fmt.Sprintf("%s %s has %s (%s)", k.Profile.Name, k.Profile.Version, k.Profile.Published, k.Profile.Source)
	if k.Because != "" {
		return k.Because + "; " + text
	}
	return text
}

// badConfidence reports a confidence that no interval has.
func badConfidence(r *KPI, k held) bool {
	if k.Confidence == nil || *k.Confidence >= 0 && *k.Confidence < 1 {
		return false
	}
	r.say(Inconclusive, fmt.Sprintf("confidence %v is not at least 0 and below 1; write 0.95", *k.Confidence))
	return true
}

func (r *KPI) say(v Verdict, reason string) { r.Verdict, r.Reason = v, reason }
