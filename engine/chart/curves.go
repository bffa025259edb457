package chart

import (
	"fmt"
	"math"
	"slices"
)

// Curve is a line through numbers: how something went over time, a distribution, throughput against latency.
type Curve struct {
	Name   string
	X, Y   []float64 // equally many; X ascends, unless the figure has Dots
	Lo, Hi []float64 // around Y, drawn as a band; none, or equally many
	Labels []string  // beside the points, with Dots; none, or equally many
	Gap    float64   // points that lie further apart in X are not joined; 0: all are
}

// MostCurvePoints is the largest number of points that the curves of one figure have together.
const MostCurvePoints = 5e6

// drawnPoint is the width in points of a pixel at DPI: of what falls into one, a curve shows the first, the least, the greatest and the last.
const drawnPoint = 72.0 / DPI

// checkCurves finds curves that cannot be drawn.
func (f Figure) checkCurves() error {
	total := 0
	for _, c := range f.Curves {
		total += len(c.X)
		if len(c.Y) != len(c.X) || len(c.Lo) != len(c.Hi) || len(c.Lo) != 0 && len(c.Lo) != len(c.X) || len(c.Labels) != 0 && len(c.Labels) != len(c.X) {
			return fmt.Errorf("chart %q, curve %q: %d values of x, %d of y, %d and %d of its band, %d labels: give as many of each, or no band and no labels",
				f.Title, c.Name, len(c.X), len(c.Y), len(c.Lo), len(c.Hi), len(c.Labels))
		}
		for i, x := range c.X {
			switch {
			case !onScale(f.Scale, x):
				return fmt.Errorf("chart %q, curve %q: x value %v has no place on a %s scale", f.Title, c.Name, x, orLinear(f.Scale))
			case !onScale(f.YScale, c.Y[i]):
				return fmt.Errorf("chart %q, curve %q at %v: %v has no place on a %s scale", f.Title, c.Name, x, c.Y[i], orLinear(f.YScale))
			case len(c.Lo) > 0 && (!onScale(f.YScale, c.Lo[i]) || !onScale(f.YScale, c.Hi[i]) || c.Lo[i] > c.Y[i] || c.Y[i] > c.Hi[i]):
				return fmt.Errorf("chart %q, curve %q at %v: band %v to %v does not hold %v", f.Title, c.Name, x, c.Lo[i], c.Hi[i], c.Y[i])
			case i > 0 && !f.Dots && x < c.X[i-1]:
				return fmt.Errorf("chart %q, curve %q: x value %v stands after %v: put the points in order", f.Title, c.Name, x, c.X[i-1])
			}
		}
	}
	if total > MostCurvePoints {
		return fmt.Errorf("chart %q: %d points: at most %d can be drawn; narrow it by where", f.Title, total, int(MostCurvePoints))
	}
	return nil
}

func orLinear(scale string) string {
	if scale == "" {
		return linear
	}
	return scale
}

// extent is the range of x and of y that curves need; ok is false where there are no points. Limits and moments that lie
// near enough are within.
func (f Figure) extent() (x, y [2]float64, ok bool) {
	x, y = [2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}
	take := func(r *[2]float64, v float64) { r[0], r[1] = math.Min(r[0], v), math.Max(r[1], v) }
	for _, c := range f.Curves {
		for i, v := range c.X {
			take(&x, v)
			take(&y, c.Y[i])
			if len(c.Lo) > 0 {
				take(&y, c.Lo[i])
				take(&y, c.Hi[i])
			}
		}
	}
	if x[0] > x[1] {
		return x, y, false
	}
	near(&x, f.Scale, f.XLimits)
	near(&y, f.YScale, f.Limits)
	if flat := y[1] > y[0] && y[1]-y[0] < 0.2*math.Max(math.Abs(y[0]), math.Abs(y[1])); f.YScale == "" || f.YScale == linear { // a scale begins at 0, unless the values are nearly equal
		if !flat || len(f.Limits) > 0 {
			take(&y, 0)
		}
	}
	if y == [2]float64{} {
		y[1] = 1 // all is 0
	}
	if f.YScale == percent {
		y = [2]float64{0, 100}
	}
	if f.Dots && (f.Scale == "" || f.Scale == linear) {
		take(&x, 0)
	}
	return x, y, true
}

// near widens a range to the limits on an axis that lie within twice its size.
func near(r *[2]float64, scale string, limits []Limit) {
	lo, hi := warp(scale, r[0]), warp(scale, r[1])
	if scale == "" || scale == linear {
		lo = math.Min(lo, 0)
	}
	size := math.Max(hi-lo, math.Abs(hi)*1e-9)
	if scale == log2 || scale == log10 {
		size = math.Max(size, 1)
	}
	for _, l := range limits {
		if onScale(scale, l.Y) {
			if w := warp(scale, l.Y); w >= lo-2*size && w <= hi+2*size {
				r[0], r[1] = math.Min(r[0], l.Y), math.Max(r[1], l.Y)
			}
		}
	}
}

// layoutCurves places axes and curves.
func (p *plot) layoutCurves(bottom float64) {
	x, y, ok := p.extent()
	if !ok {
		p.nothing()
		return
	}
	if p.shared != nil {
		x, y = p.shared.x, p.shared.y
	}
	xScale, yScale := p.Scale, p.YScale
	var names []label
	for range 2 {
		high := p.area.y1 - p.area.y0
		p.y = scaleAxis(yScale, y[0], y[1], ticksIn(yScale, high, false), true)
		if len(p.Marks) > 0 && p.y.scale == "" { // whose texts stand at the top
			p.y = scaleAxis(yScale, y[0], y[1]+0.14*(y[1]-y[0]), ticksIn(yScale, high, false), false)
		}
		if y[1] > 0 && p.y.scale == "" && p.YScale != percent && p.y.norm(y[1])*high > high-4 { // not along the upper edge
			p.y = scaleAxis(yScale, y[0], p.y.hi+p.y.step/2, ticksIn(yScale, high, false), false)
			p.y.hi = math.Max(p.y.hi, y[1])
		}
		p.area.x0 = p.page.x0 + margin + p.tickWidth() + tickGap + 2
		wide := p.area.x1 - p.area.x0
		p.across = scaleAxis(xScale, x[0], x[1], ticksIn(xScale, wide, true), p.Dots)
		names = p.numbers()
		p.area.y0 = bottom + height(names) + tickGap + 2 // clear of the lowest label of y
		for i := range names {
			names[i].at.y = p.area.y0 - tickGap - 2
		}
	}
	p.scene.add(p.spans()...)
	p.grid()
	p.scene.add(p.moments()...)
	p.limitLines()
	for i, c := range p.Curves {
		p.scene.add(p.drawCurve(c, lookOf(i))...)
	}
	texts := p.markTexts()
	texts = append(texts, p.verticalLimits(texts)...)
	if p.Dots {
		texts = append(texts, p.dotLabels(texts)...)
	}
	for _, l := range texts {
		p.scene.add(l)
	}
	p.targets()
	p.axes(names)
}

// xAt gives where a value of x stands on the page.
func (p *plot) xAt(v float64) float64 {
	return p.area.x0 + math.Max(0, math.Min(1, p.across.norm(v)))*(p.area.x1-p.area.x0)
}

// numbers are the labels of the x axis. Where they would touch, every other one is left out.
func (p *plot) numbers() []label {
	words := p.across.labels()
	for every := 1; ; every *= 2 {
		var ls []label
		fits := true
		for i, v := range p.across.ticks {
			if i%every != 0 {
				continue
			}
			l := label{role: roleXTick, lines: words[i : i+1], style: tickText, at: point{p.xAt(v), 0}, ax: 0.5, ay: 1}
			if over := l.box().x1 - (p.page.x1 - 2); over > 0 {
				l.at.x -= over
			}
			fits = fits && (len(ls) == 0 || !ls[len(ls)-1].box().grow(3).overlaps(l.box()))
			ls = append(ls, l)
		}
		if fits || every > len(words) {
			return ls
		}
	}
}

// drawCurve gives the band, the line and the markers of a curve. Where more than one value falls into a point of the page's width, what is least
// and greatest is drawn thin and pale, and the mean over it.
func (p *plot) drawCurve(c Curve, l look) []item {
	var items []item
	column := drawnPoint
	if len(p.Curves) > 3 {
		column *= 2 // so that the file stays small
	}
	if len(c.Lo) > 0 {
		items = append(items, p.envelope(c, l, column)...)
	}
	fine := stroke{role: roleLine, color: l.fill, width: 1.6, dash: l.dash}
	bold := fine
	if len(c.X) == 0 {
		return items
	}
	each := math.Max(1, p.xAt(c.X[len(c.X)-1])-p.xAt(c.X[0])) / float64(len(c.X)) // of the page's width for a point
	crowded := !p.Dots && each < 1
	switch {
	case crowded:
		fine = stroke{role: roleLine, color: l.fill.pale(0.5), width: 0.6}
	case each < 3 && !p.Dots && p.across.scale == "":
		fine.width = 1.1
	}
	bold.lines = nil
	var alone []point
	for _, run := range c.runs() {
		pts := p.reduce(c, run, column)
		if p.Dots {
			pts = p.whole(c, run)
		}
		if len(pts) == 1 {
			alone = append(alone, pts[0])
			continue
		}
		fine.lines = append(fine.lines, pts)
		if crowded {
			if m := p.means(c, run, 4); len(m) > 1 {
				bold.lines = append(bold.lines, m)
			}
		}
	}
	if len(fine.lines) > 0 {
		items = append(items, fine)
	}
	if len(bold.lines) > 0 {
		items = append(items, bold)
	}
	if p.Dots {
		alone = p.whole(c, [2]int{0, len(c.X)})
	}
	if len(alone) <= 400 { // else it is a cloud, which thin strokes show
		for _, at := range alone {
			items = append(items, dot(at, l)...)
		}
	} else {
		items = append(items, specks(alone, l))
	}
	return items
}

// runs are the parts of a curve without a gap, as the first point and the one after the last.
func (c Curve) runs() [][2]int {
	var out [][2]int
	start := 0
	for i := range c.X {
		if i+1 == len(c.X) || c.Gap > 0 && c.X[i+1]-c.X[i] > c.Gap {
			out = append(out, [2]int{start, i + 1})
			start = i + 1
		}
	}
	return out
}

func (p *plot) whole(c Curve, run [2]int) []point {
	var pts []point
	for i := run[0]; i < run[1]; i++ {
		pts = append(pts, point{p.xAt(c.X[i]), p.yAt(c.Y[i])})
	}
	return pts
}

// reduce gives a run on the page: of the points in each column the first, the least, the greatest and the last, in their order. Drawn in pixels no
// wider than a column this is the same picture as all of them (Jugel et al., M4: A Visualization-Oriented Time Series Data
// Aggregation, VLDB 2014).
func (p *plot) reduce(c Curve, run [2]int, column float64) []point {
	var pts []point
	var first, low, high, last, at int
	flush := func() {
		four := []int{first, low, high, last}
		slices.Sort(four)
		for _, i := range slices.Compact(four) {
			pts = append(pts, point{p.xAt(c.X[i]), p.yAt(c.Y[i])})
		}
	}
	for i := run[0]; i < run[1]; i++ {
		k := int((p.xAt(c.X[i]) - p.area.x0) / column)
		if i == run[0] || k != at {
			if i > run[0] {
				flush()
			}
			first, low, high, last, at = i, i, i, i, k
			continue
		}
		last = i
		if c.Y[i] < c.Y[low] {
			low = i
		}
		if c.Y[i] > c.Y[high] {
			high = i
		}
	}
	if run[1] > run[0] {
		flush()
	}
	return pts
}

// means gives the mean of a run in columns of some width.
func (p *plot) means(c Curve, run [2]int, column float64) []point {
	var pts []point
	n, at := 0.0, 0
	var x, y float64
	for i := run[0]; i < run[1]; i++ {
		k := int((p.xAt(c.X[i]) - p.area.x0) / column)
		if n > 0 && k != at {
			pts = append(pts, point{p.xAt(x), p.yAt(y)})
			n, x, y = 0, 0, 0
		}
		at = k
		n++
		x += (c.X[i] - x) / n
		y += (c.Y[i] - y) / n
	}
	if n > 0 {
		pts = append(pts, point{p.xAt(x), p.yAt(y)})
	}
	return pts
}

// envelope gives the band of a curve, the least and the greatest in each column.
func (p *plot) envelope(c Curve, l look, column float64) []item {
	var items []item
	for _, run := range c.runs() {
		var upper, lower []point
		at := -1
		for i := run[0]; i < run[1]; i++ {
			x := p.xAt(c.X[i])
			lo, hi := p.yAt(c.Lo[i]), p.yAt(c.Hi[i])
			if k := int((x - p.area.x0) / column); k != at || len(upper) == 0 {
				at = k
				upper, lower = append(upper, point{x, hi}), append(lower, point{x, lo})
				continue
			}
			u, w := &upper[len(upper)-1], &lower[len(lower)-1]
			u.y, w.y = math.Max(u.y, hi), math.Min(w.y, lo)
		}
		if len(upper) < 2 {
			continue
		}
		slices.Reverse(lower)
		items = append(items, polygon{roleBand, append(upper, lower...), l.fill.fade(45)})
	}
	return items
}

// specks are very many lone points, drawn as short strokes, each on its place.
func specks(at []point, l look) stroke {
	s := stroke{role: roleMarker, color: l.fill, width: 1}
	seen := map[point]bool{}
	for _, a := range at {
		a = point{math.Round(a.x*2) / 2, math.Round(a.y*2) / 2}
		if !seen[a] {
			seen[a] = true
			s.lines = append(s.lines, []point{{a.x - 0.5, a.y}, {a.x + 0.5, a.y}})
		}
	}
	return s
}
