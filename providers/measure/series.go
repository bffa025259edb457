package measure

import "github.com/assay-bench/assay/lang/addr"

// Series is how one measure went over the time of one repetition.
type Series struct {
	Measure string           `json:"measure"` // empty: there are marks only
	Keys    addr.Coordinates `json:"keys,omitempty"`
	Points  []SeriesPoint    `json:"points,omitempty"` // ascending by time
	Marks   []Mark           `json:"marks,omitempty"`  // ascending by time
}

// SeriesPoint is a figure in base units at a time.
type SeriesPoint struct {
	T     float64 `json:"t"` // seconds since the measured command began; negative before
	Value float64 `json:"v"`
}

// Mark is something that happened at a moment, as a disk that vanished, or that lasted, as a rebuild.
type Mark struct {
	T     float64 `json:"t"`               // as of a point
	Until float64 `json:"until,omitempty"` // when it was over; 0: it was a moment
	Text  string  `json:"text"`
}
