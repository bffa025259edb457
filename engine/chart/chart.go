// Package chart draws figures from tables: SVG and PNG in one house style, with Chinese text. It is the only importer of
// gonum/plot. It computes nothing: values, intervals and limits come in as data.
package chart

// Figure is a plot as data. Values are already scaled to the unit that the axis names.
type Figure struct {
	Title    string
	Subtitle string // conditions, n, what the error bars are
	Kind     string // bars, lines
	XLabel   string
	YLabel   string    // what is drawn and its unit, printed horizontally above the axis
	Scale    string    // of x in lines: linear, log2, log10
	X        []string  // categories, in order
	XValues  []float64 // of lines: where the categories lie; empty: evenly spaced
	Series   []Series
	Limits   []Limit
	Foot     string // small print: which direction is better, where the record is
}

// Series is one line, or one colour of bars. Points has one element for each category of X.
type Series struct {
	Name   string
	Points []Point
}

// Point is a figure with its interval.
type Point struct {
	Absent bool   // nothing is drawn
	Note   string // drawn in place of an absent value: "did not finish"
	Y      float64
	Bar    bool // Lo and Hi are drawn as an error bar
	Lo, Hi float64
	Label  string // printed at the value
}

// Limit is a threshold line.
type Limit struct {
	Y     float64
	Label string // KPI latency ≤ 5 ms
}
