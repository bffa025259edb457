package plan

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
)

// Judgement is the part of a plan from which samples are judged: it needs no provider and no expression.
type Judgement struct {
	Alpha       float64      `json:"alpha"`
	Confidence  float64      `json:"confidence"`
	Strict      bool         `json:"strict,omitempty"` // a comparison whose arms differ in more than the axis decides no KPI
	Axes        []Axis       `json:"axes"`
	Tests       []TestType   `json:"measured"` // every test block and what it measures
	Derived     []Derived    `json:"derived,omitempty"`
	Comparisons []Comparison `json:"comparisons"`
	KPIs        []KPI        `json:"kpis"`
	Plots       []Plot       `json:"plots"`
	NotJudged   []NotJudged  `json:"not_judged,omitempty"`
}

// Axis is one thing that is varied.
type Axis struct {
	Name     string `json:"name"`
	Baseline string `json:"baseline,omitempty"`
	Cases    []Case `json:"cases"`
}

// Case is one value of an axis.
type Case struct {
	Name  string `json:"name"`
	Label string `json:"label"`
}

// TestType says what the instances of a test block measure.
type TestType struct {
	Block    string           `json:"block"` // test.fio.seq
	Axes     []string         `json:"axes"`  // of its instances, in the order of the spec
	Measures []schema.Measure `json:"measures"`
}

// Derived is a measure block at given coordinates: a figure computed from figures of tests. Comparisons, KPIs and plots name
// it as they name a test: by its address and the name of its one measure.
type Derived struct {
	Address     string           `json:"address"` // measure.price[…]
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Measure     schema.Measure   `json:"measure"` // named as the block
	Formula     Formula          `json:"formula"`
}

// Formula is an expression over figures in base units, as plain data.
type Formula = spec.Formula

// Comparison is one arm against the baseline.
type Comparison struct {
	Address      string           `json:"address"`
	Block        string           `json:"block"`
	Coordinates  addr.Coordinates `json:"coordinates"`
	Measure      schema.Measure   `json:"measure"`
	Test         string           `json:"test"`          // address
	BaselineTest string           `json:"baseline_test"` // address
	Across       string           `json:"across"`
	Baseline     string           `json:"baseline"`
	By           []string         `json:"by,omitempty"`        // keys: judging makes one for each combination that the samples have
	OtherRun     bool             `json:"other_run,omitempty"` // the baseline is the same test in another run; across is "run"
	Run          string           `json:"run,omitempty"`       // that run, a path or an id; empty: named when it is judged
	Quoted       *Quote           `json:"quoted,omitempty"`    // a published figure, whose tests may not exist
}

// Quote is what a publication says of one arm.
type Quote = spec.Quote

// Limit is a threshold.
type Limit struct {
	Text  string  `json:"text"`
	Value float64 `json:"value"` // in base units; +15 % is 0.15
}

// KPI is a threshold on one figure: of a test, or of a comparison.
type KPI struct {
	Address     string           `json:"address"`
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Of          string           `json:"of"`         // address of the test or the comparison
	Comparison  bool             `json:"comparison"` // Of is a comparison; Measure is change, ratio or difference
	Measure     schema.Measure   `json:"measure"`
	Min         *Limit           `json:"min,omitempty"`
	Max         *Limit           `json:"max,omitempty"`
	Within      bool             `json:"within,omitempty"`
	MinOf       *Other           `json:"min_of,omitempty"` // in place of Min
	MaxOf       *Other           `json:"max_of,omitempty"` // in place of Max
	Severity    string           `json:"severity"`         // required, advisory
	Statistic   string           `json:"statistic"`        // median, worst, best, each
	Confidence  *float64         `json:"confidence,omitempty"`
	Because     string           `json:"because,omitempty"`
	// By are the keys of what is judged: judging gives a verdict for each combination that the samples have and Keys lets
	// through (key → values).
	By   []string            `json:"by,omitempty"`
	Keys map[string][]string `json:"keys,omitempty"`
	// Profile says which published limit this is.
	Profile *Profile `json:"profile,omitempty"`
}

// Profile says which published limit a KPI judges by.
type Profile = spec.Profile

// Other is a figure that is the limit of a KPI: that of another test, or of another comparison where the KPI judges one.
type Other struct {
	Of          string           `json:"of"` // address
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Measure     string           `json:"measure"`
}

// Plot is a figure of the report.
type Plot struct {
	Name    string         `json:"name"`
	Title   string         `json:"title,omitempty"`
	Kind    string         `json:"kind"`
	Y       string         `json:"y"` // block of the test
	Measure schema.Measure `json:"measure"`
	By      []string       `json:"by,omitempty"` // keys that x, series, facet or where name
	X       string         `json:"x"`            // an axis or a key, as series, facet, rows and load; empty: none
	Series  string         `json:"series,omitempty"`
	Facet   string         `json:"facet,omitempty"`
	Rows    string         `json:"rows,omitempty"` // of a heatmap
	Load    string         `json:"load,omitempty"` // of a hockey_stick
	// XMeasure is what lies on x of a hockey_stick, a measure of the same block.
	XMeasure *schema.Measure     `json:"x_measure,omitempty"`
	Relative bool                `json:"relative,omitempty"` // of bars: they show how much of the baseline they are
	Scale    string              `json:"scale,omitempty"`
	Where    map[string][]string `json:"where,omitempty"`
}

// NotJudged is a block without instances, and why.
type NotJudged struct {
	Block    string `json:"block"`
	Reason   string `json:"reason"`
	Severity string `json:"severity,omitempty"` // of a KPI: advisory ones have no effect
}
