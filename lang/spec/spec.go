// Package spec is the evaluated spec: what the language puts out. It is plain data without expressions: every instance
// at its coordinates with its decoded configuration, every comparison, KPI and plot with its references resolved.
// It knows nothing of files, providers or time.
package spec

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Spec is a whole spec.
type Spec struct {
	Title       string
	Description string
	Alpha       float64 // significance for "no difference shown"; 0.05 unless given
	Confidence  float64 // of intervals; 0.95 unless given
	Strict      bool    // KPIs are not judged on comparisons whose arms differ in more than the axis
	Order       string  // of the walk: grouped, interleaved or random; empty is grouped
	Seed        int     // of a random order; 1 unless given
	Rounds      int     // how often the whole walk is gone, with setups made anew; 0 is 1
	Variables   map[string]cty.Value
	Sensitive   []string // names of sensitive variables
	Axes        []Axis
	Providers   []Provider // every known one, but for those that the spec does not use and that lack an argument
	Hardware    []Hardware
	Setups      []*Instance // and datasets: those that something needs, in order of need: a thing comes after what it needs
	Tests       []*Instance // before them the datasets that are idle: they stand nowhere, and have samples as tests have
	Monitors    []*Instance
	Derived     []Derived
	Comparisons []Comparison
	KPIs        []KPI
	Plots       []Plot
	NotJudged   []NotJudged
	Unused      []addr.Instance // setups and datasets that nothing needs
}

// Provider is a provider with its configuration: that of its block, or without one the defaults.
type Provider struct {
	Name      string
	Config    cty.Value            // an object of schema.Provider.Config.Cty(), unmarked
	Secret    []cty.Path           // where in Config sensitive values stand
	Range     hcl.Range            // of the block's header; the zero range without a block
	AttrRange map[string]hcl.Range // as in Instance
}

// Axis is one thing that is varied.
type Axis struct {
	Name     string
	Baseline string // empty: none
	Cases    []Case // in the order of the spec
}

// Case is one value of an axis.
type Case struct {
	Name  string
	Label string // for people; the name where none is given
}

// Hardware is one machine, or several alike.
type Hardware struct {
	Name   string
	Hosts  []string // empty: this machine
	Memory *unit.Quantity
	Disks  []Disks
}

// Disks is a group of disks that are alike.
type Disks struct {
	Name     string
	Model    string         // empty: any
	Capacity *unit.Quantity // of each; nil: any
	Serials  []string
	WWNs     []string
}

// Instance is a setup, a dataset, a test or a monitor at given coordinates.
type Instance struct {
	Addr   addr.Instance
	Type   *schema.Type
	Config cty.Value   // an object of Type.Body.Cty(), unmarked; quantities are numbers in base units
	Secret []cty.Path  // where in Config sensitive values stand
	Needs  []*Instance // setups and datasets it refers to, directly
	// Beside are those of Needs that only depends_on names: they must stand when it is made, and may change their state under it.
	Beside []*Instance
	// After are the tests whose outputs a test names: it runs after each of them, in the same repetition. Where it is run, so are they.
	After []*Instance
	// Leader is the test that names this one in alongside: both start together, in every repetition. Nil: none, or one of them is not run.
	Leader *Instance
	Hosts  []string // host addresses it runs on; empty: this machine
	// Unneeded: no test needs it, so it is checked and not planned.
	Unneeded bool
	Range    hcl.Range // of the block's header
	// AttrRange gives the range of an attribute of the block, for errors that a provider finds in it.
	AttrRange map[string]hcl.Range

	Repeat   int // tests: at least 1
	Timeout  *unit.Quantity
	Attempts int // at least 1
	Backoff  *unit.Quantity
	Keep     *bool // nil: not said
	Erase    bool
	Fresh    bool   // setups and datasets: prepared anew before every repetition of a test that stands on it
	Reset    string // tests of a type that changes its data: when these are loaded anew, ResetNone, ResetTest or ResetRepetition; else empty
	Warmup   *unit.Quantity
	Cooldown *unit.Quantity
	Steady   *Steady // tests: a repetition is rounds until this is reached; nil: it is one measurement
	Import   *Import
	Share    bool      // tests: what it has for itself while it runs it shares with others that say the same
	Skip     string    // why it is not run, loaded or made; empty: it is
	During   *Instance // monitors: the test that is watched; nil: every test on its hosts
	Outputs  cty.Value // promised; null of a test that is not run
	// SecretOutputs are where in Outputs a sensitive value stands, or a text that holds one.
	SecretOutputs []cty.Path
}

// Idle reports a test that is not run, or a dataset that is not loaded: it is skipped, or its results are imported.
func (i *Instance) Idle() bool { return i.Import != nil || i.Skip != "" }

// The values of reset.
const (
	ResetNone       = "none"       // never: the data grow
	ResetTest       = "test"       // before each test, and where repetitions are interleaved before each pass
	ResetRepetition = "repetition" // before each repetition
)

// Steady says when a test that is measured in rounds is in a steady state: over the last Window rounds, the measure stays within Range
// of its average, and its trend within Slope.
type Steady struct {
	Measure   string  // of the test
	Window    int     // rounds, at least 2
	Range     float64 // 0.2 is 20 % of the average
	Slope     float64
	MaxRounds int // at least Window
}

// Import names result files that exist already, in place of running a test or loading a dataset.
type Import struct {
	Path   string // relative to the spec's folder; may be a glob, whose matches in order are the repetitions
	Format string
	// Table: one file of rows for all instances, whose columns are named after axes, keys and measures. How many repetitions
	// there are is known once it is read, which is not the language's business.
	Table bool
	Files []string // what Path matched, relative to the spec's folder
	Range hcl.Range
}

// MeasureRef names a measure of a test or dataset, or of a comparison, at given coordinates.
type MeasureRef struct {
	Of      addr.Instance   // test.fio.seq[…] or compare.drives[…]
	Measure *schema.Measure // of a comparison: change, ratio or difference
}

// Derived is a measure block at given coordinates: a figure that is computed from figures of tests.
type Derived struct {
	Addr    addr.Instance
	Measure *schema.Measure // named as the block
	Formula Formula
	Range   hcl.Range
}

// Formula is an expression over figures in base units, as plain data. Just one of Number, Of and Op is set.
type Formula struct {
	Number  *float64  `json:"number,omitempty"`
	Of      string    `json:"of,omitempty"` // address of a test; Measure is one of its measures
	Measure string    `json:"measure,omitempty"`
	Op      string    `json:"op,omitempty"` // + - * / neg abs min max
	Args    []Formula `json:"args,omitempty"`
}

// Comparison is one arm of a comparison against the baseline.
type Comparison struct {
	Addr         addr.Instance
	Measure      *schema.Measure
	Test         addr.Instance
	BaselineTest addr.Instance
	Across       string
	Baseline     string   // the case
	By           []string // keys of the measure: there is a comparison for each combination that the results bring
	// OtherRun: the baseline is the same instance in another run, Run, a path or an id; empty: the one that --baseline names. Across is "run" then.
	OtherRun bool
	Run      string
	Quoted   *Quote // published figures in place of measured ones: there is no n and no interval, and the tests may not exist
	Range    hcl.Range
}

// Quote is what a publication says of one arm of a comparison, in base units. At least one figure is given.
type Quote struct {
	At         addr.Coordinates `json:"-"`
	Change     *float64         `json:"change,omitempty"` // 0.15 is +15 %
	Ratio      *float64         `json:"ratio,omitempty"`
	Difference *float64         `json:"difference,omitempty"`
	Source     string           `json:"source"` // file and line
}

// Limit is a threshold in base units.
type Limit struct {
	Text  string  // the unambiguous form, for people
	Value float64 // in base units; a change of +15 % is 0.15
}

// KPI is a threshold on one figure.
type KPI struct {
	Addr     addr.Instance
	Ref      MeasureRef
	Min, Max *Limit // inclusive; within sets both
	Within   bool
	// MinOf and MaxOf are other figures at the same coordinates, which are the least and the most that passes; nil: none.
	MinOf, MaxOf *MeasureRef
	Required     bool   // severity
	Statistic    string // median, worst, best, each
	Confidence   *float64
	Because      string
	// By are the keys for each combination of which there is a verdict: of the measure, or of the comparison. Keys lets combinations
	// through: key → values; all its keys are in By.
	By      []string
	Keys    map[string][]string
	Profile *Profile // where the limit comes from; nil: from the spec alone
	Range   hcl.Range
}

// Profile says which published limit a KPI judges by, and what the spec makes less strict of it.
type Profile struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Published string   `json:"published"`        // the limit as it is printed: "≥ 30 MiB/s"
	Source    string   `json:"source"`           // where
	Looser    []string `json:"looser,omitempty"` // in which ways it is judged less strictly, in words
}

// NotJudged is a block that has no instance, and why.
type NotJudged struct {
	Block    addr.Block
	Reason   string
	Advisory bool // a KPI of this severity
}

// Plot is a figure of the report.
type Plot struct {
	Name     string
	Title    string
	Kind     string        // bars, lines, series, percentiles, cdf, heatmap, hockey_stick
	Y        addr.Instance // without coordinates: all instances of a block, or those with its key
	Measure  *schema.Measure
	X        string              // an axis, or a key of the measure, as the next four; empty: time, a percentile, or XMeasure
	Series   string              // or empty
	Facet    string              // or empty
	Rows     string              // of a heatmap
	Load     string              // of a hockey_stick: points are joined in the order of its cases
	XMeasure *schema.Measure     // of a hockey_stick: what lies on x
	By       []string            // keys that X, Series, Facet, Rows, Load or Where name
	Scale    string              // linear, log2, log10: of x (lines), of what is measured (percentiles, cdf, hockey_stick), of the colours (heatmap)
	Relative bool                // of bars: with the share of the baseline of the axis Series, else X
	Where    map[string][]string // axis or key → what is let through
}
