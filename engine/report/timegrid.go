package report

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// mostBins is how many points a line over time has at most: about one for each two points of width.
const mostBins = 240

// timeGrid puts points that were taken at different times at the same ones, so that they can be drawn and added.
type timeGrid struct {
	from, to, step float64 // seconds
	n              int
	scale          float64 // seconds of the unit in which time is shown
}

// bin is what a line is at one time of the grid.
type bin struct {
	mean, lo, hi float64
	n            int // points that fell into it; 0 and not absent: between two others
	absent       bool
}

// gridOf makes a grid over all points of some lines. Its step is a round number, and no shorter than what lies between points.
func gridOf(lines []course) timeGrid {
	lo, hi := math.Inf(1), math.Inf(-1)
	native := 0.0
	for _, l := range lines {
		for _, p := range l.Points {
			lo, hi = math.Min(lo, p.T), math.Max(hi, p.T)
		}
		native = math.Max(native, usual(l))
	}
	if lo > hi {
		return timeGrid{scale: 1, step: 1}
	}
	g := timeGrid{step: roundUp(math.Max(native, (hi-lo)/(mostBins-1))), scale: 1}
	g.from, g.to = math.Floor(lo/g.step+0.5)*g.step, math.Floor(hi/g.step+0.5)*g.step
	g.n = int(math.Round((g.to-g.from)/g.step)) + 1
	switch span := g.to - g.from; {
	case span >= 3*3600:
		g.scale = 3600
	case span >= 600:
		g.scale = 60
	}
	return g
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

// labels name the times of the grid: about eight of them.
func (g timeGrid) labels() (names []string, values []float64, axis string) {
	axis = map[float64]string{1: "time (s)", 60: "time (min)", 3600: "time (h)"}[g.scale]
	every := roundUp((g.to - g.from) / g.scale / 8)
	for i := range g.n {
		v := (g.from + float64(i)*g.step) / g.scale
		name, nearest := "", math.Round(v/every)*every
		if math.Abs(v-nearest) < g.step/g.scale/2*0.999 || g.n == 1 {
			name = unit.Digits(nearest, 6)
		}
		if len(names) > 0 && name == names[len(names)-1] {
			name = ""
		}
		names, values = append(names, name), append(values, v)
	}
	return names, values, axis
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
	near := 3 * math.Max(usual(l), g.step)
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

// rolledUp makes one line of several, as their measure says.
func rolledUp(parts [][]bin, how schema.RollUp, better schema.Better, factor float64) []chart.Point {
	out := make([]chart.Point, len(parts[0]))
	for i := range out {
		var values []float64
		for _, p := range parts {
			if !p[i].absent {
				values = append(values, p[i].mean)
			}
		}
		if len(values) == 0 {
			out[i].Absent = true
			continue
		}
		v := 0.0
		switch how {
		case schema.Worst:
			if better == schema.Higher {
				v = slices.Min(values)
			} else {
				v = slices.Max(values)
			}
		default:
			for _, x := range values {
				v += x
			}
			if how != schema.Sum {
				v /= float64(len(values))
			}
		}
		out[i].Y = v / factor
		if b := parts[0][i]; len(parts) == 1 && b.n > 1 && b.hi > b.lo {
			out[i].Bar, out[i].Lo, out[i].Hi = true, b.lo/factor, b.hi/factor
		}
	}
	return out
}
