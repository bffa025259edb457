package chart

import "math"

// point is a place on the page in points of 1/72 inch, from the lower left corner.
type point struct{ x, y float64 }

// rect is an area of the page; x0 ≤ x1 and y0 ≤ y1.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) overlaps(s rect) bool { return r.x0 < s.x1 && s.x0 < r.x1 && r.y0 < s.y1 && s.y0 < r.y1 }

func (r rect) within(s rect) bool {
	return r.x0 >= s.x0 && r.x1 <= s.x1 && r.y0 >= s.y0 && r.y1 <= s.y1
}

// grow gives the area with a border of d on each side.
func (r rect) grow(d float64) rect { return rect{r.x0 - d, r.y0 - d, r.x1 + d, r.y1 + d} }

func (r rect) corners() []point {
	return []point{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}
}

// crossedBy says whether the line from a to b touches the area (Liang and Barsky's clipping).
func (r rect) crossedBy(a, b point) bool {
	_, _, ok := r.clip(a, b)
	return ok
}

// clip gives the part of the line from a to b that lies within the area.
func (r rect) clip(a, b point) (from, to point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, e := range [4][2]float64{{-dx, a.x - r.x0}, {dx, r.x1 - a.x}, {-dy, a.y - r.y0}, {dy, r.y1 - a.y}} {
		p, q := e[0], e[1]
		switch {
		case p == 0 && q < 0:
			return a, b, false
		case p < 0:
			t0 = math.Max(t0, q/p)
		case p > 0:
			t1 = math.Min(t1, q/p)
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	return point{a.x + t0*dx, a.y + t0*dy}, point{a.x + t1*dx, a.y + t1*dy}, true
}

// scene is a figure laid out: what to paint, in order.
type scene struct {
	w, h  float64 // of the paper
	items []item
}

func (s *scene) add(items ...item) { s.items = append(s.items, items...) }

// labels gives the labels of a role, in order.
func (s *scene) labels(r role) []label {
	var ls []label
	for _, it := range s.items {
		if l, ok := it.(label); ok && l.role == r {
			ls = append(ls, l)
		}
	}
	return ls
}

// item is a polygon, a stroke or a label.
type item interface{ paint(c canvas) }

// role says what an item is of the figure; painting does not ask.
type role string

const (
	roleTitle    role = "title"
	roleSubtitle role = "subtitle"
	roleLegend   role = "legend"
	roleYLabel   role = "y label"
	roleXLabel   role = "x label"
	roleXTick    role = "x tick"
	roleYTick    role = "y tick"
	roleValue    role = "value"
	roleNote     role = "note"
	roleLimit    role = "limit"
	roleFoot     role = "foot"
	roleBar      role = "bar"
	roleError    role = "error bar"
	roleBand     role = "band"
	roleLine     role = "line"
	roleMarker   role = "marker"
	roleFrame    role = "frame"
	roleMark     role = "mark"
	rolePanel    role = "panel"
	roleCell     role = "cell"
	roleBeyond   role = "beyond"
)

// polygon is a filled area.
type polygon struct {
	role role
	pts  []point
	fill shade
}

// stroke is lines of one colour and width, in points.
type stroke struct {
	role  role
	lines [][]point
	color shade
	width float64
	dash  []float64 // lengths on and off; none: solid
}

// label is text of one or more lines, turned about the point at which it is anchored.
type label struct {
	role   role
	lines  []string
	style  textStyle
	at     point
	ax, ay float64 // what part of the text stands at the point: 0 its left or bottom, 0.5 its middle, 1 its right or top
	angle  float64 // radians, counter-clockwise
	halo   bool    // white behind it, where it may stand on a line
}

// size gives width and height of the text before it is turned.
func (l label) size() (w, h float64) {
	for _, s := range l.lines {
		w = math.Max(w, l.style.width(s))
	}
	return w, l.style.size * (1 + leading*float64(max(len(l.lines)-1, 0)))
}

// box gives the area that the text takes, turned.
func (l label) box() rect {
	w, h := l.size()
	b := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range (rect{-l.ax * w, -l.ay * h, (1 - l.ax) * w, (1 - l.ay) * h}).corners() {
		p = l.turn(p)
		b = rect{math.Min(b.x0, p.x), math.Min(b.y0, p.y), math.Max(b.x1, p.x), math.Max(b.y1, p.y)}
	}
	return b
}

// turn moves a point of the text, relative to its anchor, to its place on the page.
func (l label) turn(p point) point {
	s, c := math.Sincos(l.angle)
	return point{l.at.x + p.x*c - p.y*s, l.at.y + p.x*s + p.y*c}
}
