// Package judge turns samples into results: figures, comparisons and verdicts. It reads a plan's judgement part and
// samples, nothing else: no clock, no files, no providers. The same input gives the same bytes.
//
// The arithmetic is in package stats, comparisons in compare, verdicts in kpi; this package finds each planned
// repetition's sample, makes figures of them, over all keys and at the combinations of keys that are judged, and sums up. What it hands out under its own name is aliased from there.
package judge

import (
	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/kpi"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers/measure"
)

// FormatVersion is the version of the results' JSON form.
const FormatVersion = 1

// What results are made of.
type (
	Verdict    = kpi.Verdict
	KPI        = kpi.KPI
	Figure     = compare.Figure
	Comparison = compare.Comparison
	Interval   = compare.Interval
)

// The verdicts.
const (
	Pass         = kpi.Pass
	Fail         = kpi.Fail
	Inconclusive = kpi.Inconclusive
	Invalid      = kpi.Invalid
	Skipped      = kpi.Skipped
)

// Results is all that judging finds.
type Results struct {
	FormatVersion int          `json:"format_version"`
	Title         string       `json:"title"`
	Verdict       Verdict      `json:"verdict"` // of the whole: pass, fail or inconclusive
	Exit          int          `json:"exit"`    // 0, 10 or 11
	Samples       []Sample     `json:"samples"`
	Figures       []Figure     `json:"figures"`
	Comparisons   []Comparison `json:"comparisons"`
	KPIs          []KPI        `json:"kpis"`
	NotJudged     []NotJudged  `json:"not_judged"`
	Warnings      []string     `json:"warnings"` // about the whole: missing samples, a manifest that does not match
}

// Sample is one repetition as results show it.
type Sample struct {
	Address     string                   `json:"address"`
	Coordinates addr.Coordinates         `json:"coordinates"`
	Round       int                      `json:"round"`
	Repetition  int                      `json:"repetition"`
	Generation  int                      `json:"generation,omitempty"` // of a load, or of the data under a test where it is not the first
	Attempt     int                      `json:"attempt"`
	Outcome     measure.Outcome          `json:"outcome"`
	Reason      string                   `json:"reason,omitempty"`
	Imported    bool                     `json:"imported,omitempty"`
	LoadedIn    string                   `json:"loaded_in,omitempty"` // of data that stood already: the run that has loaded them
	Warnings    []measure.Warning        `json:"warnings"`
	Measures    map[string]MeasuredValue `json:"measures"`
	Values      []measure.Value          `json:"values,omitempty"`    // only those with keys
	Artifacts   []string                 `json:"artifacts,omitempty"` // paths from the record's folder
	Rounds      []Round                  `json:"rounds,omitempty"`    // of a repetition that is rounds until they are steady
}

// Round is one round of such a repetition. The figures of the repetition are those of its window.
type Round struct {
	Number   int                      `json:"number"` // from 1
	Window   bool                     `json:"window"`
	Measures map[string]MeasuredValue `json:"measures"`
}

// MeasuredValue is a figure in base units.
type MeasuredValue struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // B, B/s, s, 1/s, 1
}

// NotJudged is a block without instances, and why.
type NotJudged struct {
	Block  string `json:"block"`
	Reason string `json:"reason"`
	// Severity of a KPI: a required one that is not judged leaves the run incomplete.
	Severity string `json:"severity,omitempty"`
}
