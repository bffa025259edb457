package report

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/lang/schema"
)

// mostBins is how many points a line has at most that is rolled up of several: more than a picture has pixels. A line that is not rolled up
// keeps all its points.
const mostBins = 2000

// timeSpan is the time that a picture shows.
type timeSpan struct {
	from, to float64 // seconds
	scale    float64 // seconds of the unit in which time is shown
	label    string
}

// spanOf gives the time that some lines take.
func spanOf(lines []course) timeSpan {
	s := timeSpan{from: math.Inf(1), to: math.Inf(-1), scale: 1, label: "time (s)"}
	for _, l := range lines {
		if n := len(l.Points); n > 0 {
			s.from, s.to = math.Min(s.from, l.Points[0].T), math.Max(s.to, l.Points[n-1].T)
		}
	}
	switch long := s.to - s.from; {
	case long >= 3*3600:
		s.scale, s.label = 3600, "time (h)"
	case long >= 600:
		s.scale, s.label = 60, "time (min)"
	}
	return s
}

// usual is what lies between two points of a line, in the middle of all such times.
func usual(l course) float64 {
	var between []float64
	for i := 1; i < len(l.Points); i++ {
		between = append(between, l.Points[i].T-l.Points[i-1].T)
	}
	if len(between) == 0 {
		return 0
	}
	slices.Sort(between)
	return between[len(between)/2]
}

// gapOf is how far apart two points of a line may lie to be joined: three usual times.
func gapOf(l course) float64 { return 3 * usual(l) }

// rolledUp makes one line of several, as their measure says.
func rolledUp(parts []course, span timeSpan, m schema.Measure, factor float64) chart.Curve {
	if len(parts) == 1 {
		c := chart.Curve{Gap: gapOf(parts[0]) / span.scale}
		for _, p := range parts[0].Points {
			c.X, c.Y = append(c.X, p.T/span.scale), append(c.Y, p.Value/factor)
		}
		return c
	}
	g := gridOf(parts, span)
	grids := make([][]bin, len(parts))
	for i, p := range parts {
		grids[i] = g.bins(p)
	}
	c := chart.Curve{Gap: 1.5 * g.step / span.scale}
	crowded := false
	for i := range g.n {
		var mean, lo, hi []float64
		for _, part := range grids {
			if b := part[i]; !b.absent {
				mean, lo, hi = append(mean, b.mean), append(lo, b.lo), append(hi, b.hi)
				crowded = crowded || b.hi > b.lo
			}
		}
		if len(mean) == 0 {
			continue
		}
		c.X = append(c.X, (g.from+float64(i)*g.step)/span.scale)
		y := together(mean, m) / factor
		c.Y = append(c.Y, y)
		c.Lo, c.Hi = append(c.Lo, math.Min(y, together(lo, m)/factor)), append(c.Hi, math.Max(y, together(hi, m)/factor)) // the mean is rounded
	}
	if !crowded { // each point of the grid is one of the lines: there is nothing to draw around it
		c.Lo, c.Hi = nil, nil
	}
	return c
}

// together rolls up what several parts are at one time.
func together(values []float64, m schema.Measure) float64 {
	switch {
	case m.RollUp == schema.Worst && m.Better == schema.Higher:
		return slices.Min(values)
	case m.RollUp == schema.Worst:
		return slices.Max(values)
	}
	v := 0.0
	for _, x := range values {
		v += x
	}
	if m.RollUp != schema.Sum {
		v /= float64(len(values))
	}
	return v
}

// timeGrid puts points that were taken at different times at the same ones, so that they can be added.
type timeGrid struct {
	from, step float64 // seconds
	n          int
}

// bin is what a line is at one time of the grid.
type bin struct {
	mean, lo, hi float64
	n            int // points that fell into it; 0 and not absent: between two others
	absent       bool
}

// gridOf makes a grid over all points of some lines. Its step is a round number, and no shorter than what lies between points.
func gridOf(lines []course, span timeSpan) timeGrid {
	native := 0.0
	for _, l := range lines {
		native = math.Max(native, usual(l))
	}
	if span.from > span.to {
		return timeGrid{step: 1}
	}
	g := timeGrid{step: roundUp(math.Max(native, (span.to-span.from)/(mostBins-1)))}
	g.from = math.Floor(span.from/g.step+0.5) * g.step
	g.n = int(math.Round((math.Floor(span.to/g.step+0.5)*g.step-g.from)/g.step)) + 1
	return g
}

// roundUp gives 1, 2 or 5 times a power of ten. Points that come a little later than they should stay one for each step.
func roundUp(raw float64) float64 {
	if raw <= 0 {
		return 1
	}
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*mag >= raw*0.9 {
			return m * mag
		}
	}
	return 10 * mag
}

// bins puts a line on the grid. Between two points that lie no further apart than three usual times it goes straight.
func (g timeGrid) bins(l course) []bin {
	out := make([]bin, g.n)
	for i := range out {
		out[i].absent = true
	}
	at := func(t float64) int { return max(0, min(g.n-1, int(math.Floor((t-g.from)/g.step+0.5)))) }
	for _, p := range l.Points {
		b := &out[at(p.T)]
		if b.n == 0 {
			*b = bin{lo: p.Value, hi: p.Value}
		}
		b.n++
		b.mean += (p.Value - b.mean) / float64(b.n)
		b.lo, b.hi = math.Min(b.lo, p.Value), math.Max(b.hi, p.Value)
	}
	near := math.Max(gapOf(l), 3*g.step)
	for k := 1; k < len(l.Points); k++ {
		a, b := l.Points[k-1], l.Points[k]
		if b.T-a.T > near {
			continue
		}
		for i := at(a.T) + 1; i < at(b.T); i++ {
			v := a.Value + (b.Value-a.Value)*(g.from+float64(i)*g.step-a.T)/(b.T-a.T)
			out[i] = bin{mean: v, lo: v, hi: v}
		}
	}
	return out
}
