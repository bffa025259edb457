// Package chart draws figures from tables: SVG and PNG in one house style, with Chinese text. It is the only importer of
// gonum/plot. It computes nothing: values, intervals and limits come in as data.
//
// Layout comes first and is data: a scene of polygons, strokes and labels in points, in which a test can ask whether
// two labels overlap. gonum's canvases then paint it. gonum's own plot.Plot is not used: it finds its layout while it
// paints, leaves out characters that its font lacks, and prints the legend over the bars.
package chart

// Width and Height of every figure in points of 1/72 inch: 6.4 × 3.8 inches, the width of a printed page's text.
const (
	Width  = 6.4 * 72
	Height = 3.8 * 72
)

// DPI is the resolution of a PNG, which so measures 1229 × 730 pixels.
const DPI = 192

// MaxPoints is the largest number of points, absent ones too, that one figure takes.
const MaxPoints = 20000

// The kinds of a figure.
const (
	kindBars    = "bars"
	kindLines   = "lines"
	kindCurves  = "curves"
	kindHeatmap = "heatmap"
)

// Figure is a plot as data. Values are already scaled to the unit that the axis names.
type Figure struct {
	Title    string
	Subtitle string // conditions, n, what the error bars are
	Kind     string // bars, lines, curves, heatmap; empty: bars
	XLabel   string
	YLabel   string // what is drawn and its unit, printed horizontally above the axis
	// Scale is linear (or empty), log2 or log10: of XValues, without which it has no meaning; of the curves' x, which may also
	// lie on nines; of the colours of a heatmap.
	Scale   string
	X       []string  // bars, lines and heatmaps: categories, in order; one without a name has no label
	XValues []float64 // of lines: where the categories lie; empty: evenly spaced
	Series  []Series  // of bars and lines
	Band    bool      // of lines: intervals as a band behind the line, not as error bars
	Against *Against  // of bars: how much of a baseline they are
	Curves  []Curve   // of curves, in place of X and Series
	YScale  string    // of curves: linear (or empty), log2, log10, percent (from 0 to 100)
	Dots    bool      // of curves: each point has a marker, and they are joined in the order in which they are given
	Marks   []Mark    // of curves with x on a linear scale
	Rows    []string  // of a heatmap: the categories from top to bottom
	Cells   [][]Cell  // of a heatmap: for each row one for each category of X
	Limits  []Limit
	XLimits []Limit  // of curves: on x, in place of y
	Targets []Target // of curves: where on a line of a limit it holds
	Foot    string   // small print: which direction is better, where the record is
	// Panels are figures of this kind, drawn side by side on common scales. The title of each is its heading; title, subtitle, labels
	// of the axes and foot are those of the whole, which has nothing else.
	Panels []Figure

	shared *ranges // of a panel while it is drawn
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
	// Label is printed at the value: a number, or a number, a space and its unit. Where there is no room the unit goes
	// on a line of its own, then is left out if all labels share it and YLabel ends with it, then the label is turned;
	// a figure with more than 24 values has none.
	Label string
}

// Cell is one value of a heatmap.
type Cell struct {
	Point
	Beyond bool // a limit: the cell is marked
}

// Target is a place on the line of a limit that holds at one value of the other axis only: a KPI on the 99th percentile, say. It is marked.
type Target struct{ X, Y float64 }

// Limit is a threshold line. One that lies so far from the values that they would shrink to nothing is not drawn to
// scale: its label stands at the edge with an arrow.
type Limit struct {
	Y     float64
	Label string // KPI latency ≤ 5 ms
}

// SVG draws the figure as an svg element of its own, without XML prologue, that can stand in an HTML page or in a file. Text is
// drawn as outlines: no font is needed and the picture is the same everywhere. Title and values are there for screen
// readers. It has no ids, no styles and no links. The same figure gives the same bytes.
//
// The error says which part of the figure cannot be drawn.
func (f Figure) SVG() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return paintSVG(f.layout(), f.Title, f.describe())
}

// PNG draws the same picture as SVG at 192 dpi on white. The same figure gives the same bytes.
func (f Figure) PNG() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return paintPNG(f.layout())
}

// bars says whether the figure is one of bars.
func (f Figure) bars() bool { return f.Kind == "" || f.Kind == kindBars }

// count gives the number of values that are drawn.
func (f Figure) count() int {
	n := 0
	for _, s := range f.Series {
		for _, p := range s.Points {
			if !p.Absent {
				n++
			}
		}
	}
	for _, row := range f.Cells {
		for _, c := range row {
			if !c.Absent {
				n++
			}
		}
	}
	return n
}
