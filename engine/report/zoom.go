package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/providers/measure"
)

// zoom is a picture over time as data, for uPlot. Its points are evenly spaced.
type zoom struct {
	XLabel string      `json:"x_label"`
	YLabel string      `json:"y_label"`
	From   float64     `json:"from"`
	Step   float64     `json:"step"`
	Lines  []zoomLine  `json:"lines"`
	Limits []zoomLimit `json:"limits"`
	Marks  []zoomMark  `json:"marks"`
}

// zoomLine has a value for each time, null where there is none. Lo and Hi are absent where every value is one point.
type zoomLine struct {
	Name   string   `json:"name"`
	Colour string   `json:"colour"`
	Y      sequence `json:"y"`
	Lo     sequence `json:"lo,omitempty"`
	Hi     sequence `json:"hi,omitempty"`
}

type zoomLimit struct {
	Y     float64 `json:"y"`
	Label string  `json:"label"`
}

type zoomMark struct {
	X     float64 `json:"x"`
	Until float64 `json:"until"` // no later than X: there is no end
	Text  string  `json:"text"`
}

// sequence is written with five digits, which is more than a screen shows. NaN is null.
type sequence []float64

func (s sequence) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, v := range s {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			out = append(out, "null"...)
			continue
		}
		text := strconv.FormatFloat(v, 'g', 5, 64)
		out = append(out, strings.Replace(text, "e+0", "e", 1)...)
	}
	return append(out, ']'), nil
}

// newZoom gives nil where a picture has no course over time, or no two points of one. A line keeps the mean and the smallest and the
// largest value of each of at most mostBins times.
func newZoom(f figure) *zoom {
	c := f.Chart
	if !f.OverTime {
		return nil
	}
	lines := make([]course, len(c.Curves))
	for i, l := range c.Curves {
		lines[i] = lineOf(l.X, l.Y)
	}
	g := gridOf(lines, spanOf(lines))
	if g.n < 2 {
		return nil
	}
	z := &zoom{XLabel: c.XLabel, YLabel: c.YLabel, From: g.from, Step: g.step, Limits: []zoomLimit{}, Marks: []zoomMark{}}
	for i, l := range c.Curves {
		out := zoomLine{Name: l.Name, Colour: chart.Colour(i), Y: make(sequence, g.n), Lo: make(sequence, g.n), Hi: make(sequence, g.n)}
		mean := g.bins(lines[i])
		lowest, highest := mean, mean
		if len(l.Lo) > 0 {
			lowest, highest = g.bins(lineOf(l.X, l.Lo)), g.bins(lineOf(l.X, l.Hi))
		}
		spread := false
		for k, b := range mean {
			out.Y[k], out.Lo[k], out.Hi[k] = b.mean, lowest[k].lo, highest[k].hi
			if b.absent {
				out.Y[k], out.Lo[k], out.Hi[k] = math.NaN(), math.NaN(), math.NaN()
			}
			spread = spread || out.Hi[k] > out.Lo[k]
		}
		if !spread {
			out.Lo, out.Hi = nil, nil
		}
		z.Lines = append(z.Lines, out)
	}
	for _, l := range c.Limits {
		z.Limits = append(z.Limits, zoomLimit{l.Y, l.Label})
	}
	for _, m := range c.Marks {
		z.Marks = append(z.Marks, zoomMark{m.X, m.Until, m.Text})
	}
	return z
}

// lineOf takes a curve of a picture as what it was made of.
func lineOf(x, y []float64) course {
	c := course{}
	for i := range x {
		c.Points = append(c.Points, measure.SeriesPoint{T: x[i], Value: y[i]})
	}
	return c
}

// bytes is about what it takes in the page.
func (z *zoom) bytes() int {
	n := 500
	for _, l := range z.Lines {
		n += 7 * (len(l.Y) + len(l.Lo) + len(l.Hi))
	}
	return n
}
