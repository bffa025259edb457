// Package judge turns samples into results: figures, comparisons and verdicts. It reads a plan's judgement part and
// samples, nothing else: no clock, no files, no providers. The same input gives the same bytes.
package judge

import (
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// FormatVersion is the version of the results' JSON form.
const FormatVersion = 1

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
	Attempt     int                      `json:"attempt"`
	Outcome     measure.Outcome          `json:"outcome"`
	Reason      string                   `json:"reason,omitempty"`
	Imported    bool                     `json:"imported,omitempty"`
	Warnings    []measure.Warning        `json:"warnings"`
	Measures    map[string]MeasuredValue `json:"measures"`
	Values      []measure.Value          `json:"values,omitempty"` // only those with keys
	Artifacts   []string                 `json:"artifacts,omitempty"`
}

// MeasuredValue is a figure in base units.
type MeasuredValue struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // B, B/s, s, 1/s, 1
}

// Figure is one measure of one test instance over its repetitions.
type Figure struct {
	Address     string           `json:"address"`
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Measure     schema.Measure   `json:"measure"`
	stats.Summary
	Planned  int            `json:"planned"`            // repetitions
	Missing  map[string]int `json:"missing,omitempty"`  // outcome → number of repetitions that have no value
	Imported bool           `json:"imported,omitempty"` // at least one value comes from an import
}

// Comparison is one arm against the baseline.
type Comparison struct {
	Address      string           `json:"address"`
	Block        string           `json:"block"`
	Coordinates  addr.Coordinates `json:"coordinates"`
	Across       string           `json:"across"`
	Baseline     string           `json:"baseline"`
	Test         string           `json:"test"`
	BaselineTest string           `json:"baseline_test"`
	Measure      schema.Measure   `json:"measure"`
	Complete     bool             `json:"complete"`         // both arms have values; else the figures mean nothing
	Reason       string           `json:"reason,omitempty"` // why it is not complete
	Change       float64          `json:"change"`
	Ratio        float64          `json:"ratio"`
	Difference   float64          `json:"difference"`
	Interval     *Interval        `json:"interval"` // of the change; null where n allows none
	P            float64          `json:"p"`
	N            int              `json:"n"`
	NBaseline    int              `json:"n_baseline"`
	Words        string           `json:"words"` // "15.3 % more, better", "no difference shown"
	Detail       stats.Change     `json:"-"`
}

// Interval is a range of values.
type Interval struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

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
}

// NotJudged is a block without instances, and why.
type NotJudged struct {
	Block  string `json:"block"`
	Reason string `json:"reason"`
}
