// Package compare sets the figures of two arms against each other: it is told which arms a plan compares, and says by how
// much they differ, how sure that is, and in words which is better. It judges no limit and knows no samples: figures come in with
// what is missing from them.
package compare

import (
	"bytes"
	"encoding/json"

	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// Figure is one measure of one test instance over its repetitions.
type Figure struct {
	Address     string           `json:"address"`
	Block       string           `json:"block"`
	Coordinates addr.Coordinates `json:"coordinates"` // and keys
	// Keys are those coordinates that the results bring; Test then is the address without them. Both are empty where the figure
	// is one over all keys.
	Keys    addr.Coordinates `json:"keys,omitempty"`
	Test    string           `json:"test,omitempty"`
	Measure schema.Measure   `json:"measure"`
	stats.Summary
	Planned int `json:"planned"` // repetitions
	// Missing counts the planned repetitions that have no value: by outcome, or as NoSample and NoValue.
	Missing  map[string]int `json:"missing,omitempty"`
	Imported bool           `json:"imported,omitempty"` // at least one value comes from an import
	// LoadedIn are the earlier runs in which data were loaded that are used again: their figures are of those loads.
	LoadedIn []string `json:"loaded_in,omitempty"`
	// FromMedians: the one value was computed from the medians of several tests, since their repetitions do not belong together.
	FromMedians bool `json:"from_medians,omitempty"`
}

// Skipped reports whether every planned repetition was skipped.
func (f *Figure) Skipped() bool {
	n := f.Missing[string(measure.Skipped)]
	return n > 0 && n == f.Planned
}

// What Missing counts beside the outcomes of samples.
const (
	NoSample = "missing" // the repetition was planned and left no sample
	NoValue  = "absent"  // the sample is ok and lacks this measure, or has no finite value of it
)

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
	// OtherRun: the baseline is the same test in another run, Baseline, whose figure is BaselineFigure: it is none of this run's figures.
	OtherRun       bool      `json:"other_run,omitempty"`
	BaselineFigure *Figure   `json:"baseline_figure,omitempty"`
	Complete       bool      `json:"complete"`         // both arms have values, and the baseline's median is above zero, or a publication gives change or ratio; else Change and Ratio mean nothing
	Reason         string    `json:"reason,omitempty"` // why it is not complete
	Change         float64   `json:"change"`
	Ratio          float64   `json:"ratio"`
	Difference     float64   `json:"difference"` // exists where both arms have values, or a publication gives it
	Interval       *Interval `json:"interval"`   // of the change; null where n allows none
	P              float64   `json:"p"`
	PHolm          *float64  `json:"p_holm,omitempty"` // corrected over the comparisons that required KPIs judge, where there are several and this is one of them
	N              int       `json:"n"`
	NBaseline      int       `json:"n_baseline"`
	// Quoted: a published figure, of which there is no n and no interval. Source says from where.
	Quoted          bool         `json:"quoted,omitempty"`
	Source          string       `json:"source,omitempty"`
	KnownDifference bool         `json:"-"`     // Difference exists
	Words           string       `json:"words"` // "15.3 % more, better", "no difference shown (p = 0.31)"; of an incomplete one the reason
	Detail          stats.Change `json:"-"`
	// Differs is what else than the axis differs between the arms.
	Differs []Difference `json:"differs,omitempty"`
}

// Void takes from a comparison what it says: it has no baseline, since why.
func Void(c *Comparison, why string) {
	*c = Comparison{
		Address: c.Address, Block: c.Block, Coordinates: c.Coordinates, Across: c.Across, Baseline: c.Baseline, Test: c.Test, BaselineTest: c.BaselineTest,
		Measure: c.Measure, OtherRun: c.OtherRun, P: 1, Reason: why, Words: why, N: c.N,
	}
}

// Interval is a range of values.
type Interval struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// MarshalJSON writes null for the figures that do not exist, so that no reader takes a missing change for none.
func (c Comparison) MarshalJSON() ([]byte, error) {
	type plain Comparison // without this method
	out := struct {
		plain
		Change     *float64 `json:"change"`
		Ratio      *float64 `json:"ratio"`
		Difference *float64 `json:"difference"`
		P          *float64 `json:"p"`
	}{plain: plain(c)}
	if c.Complete {
		out.Change, out.Ratio = &c.Change, &c.Ratio
	}
	if c.KnownDifference || c.N > 0 && c.NBaseline > 0 {
		out.Difference = &c.Difference
	}
	if c.N > 0 && c.NBaseline > 0 {
		out.P = &c.P
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // "p < 0.001": whether to escape is for the encoder outside to say
	err := enc.Encode(out)
	return b.Bytes(), err
}
