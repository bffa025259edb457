package chart

import (
	"cmp"
	"math"
	"slices"
)

// line is one series placed on the page.
type line struct {
	look   look
	series Series
	runs   [][]int // indices of present points without a gap, in the order of x
	at     []point // of each point; without meaning where it is absent
	lo, hi []float64
}

// byValue gives the indices of the categories in the order in which they stand.
func byValue(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	return order
}

// lineMarks finds scale and labels, and gives what draws them.
func (p *plot) lineMarks(lo, hi float64) func() {
	label, _ := valueLabel(Point{Label: "0"}, inFull)
	box := label.box()
	rooms := p.limitRooms()
	if p.count() <= manyValues {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				if !pt.Absent && pt.Label != "" {
					rooms = append(rooms, room{value: bar{point: Point{Y: pt.Y, Hi: pt.Hi, Lo: pt.Lo, Bar: pt.Bar}}.far(), above: box.y1 - box.y0 + 6})
				}
			}
		}
	}
	p.y = newAxis(lo, hi, p.area.y1-p.area.y0, rooms)
	lines := p.placeLines()
	return func() {
		for _, l := range lines {
			p.scene.add(l.bands(p.Band)...)
		}
		p.limitLines()
		for _, l := range lines {
			s := stroke{role: roleLine, color: l.look.fill, width: 1.6}
			if p.dense() {
				s.dash = l.look.dash
			}
			for _, run := range l.runs {
				if pts := pick(l.at, run); len(pts) > 1 {
					s.lines = append(s.lines, pts)
				}
			}
			if len(s.lines) > 0 {
				p.scene.add(s)
			}
		}
		for _, l := range lines {
			for i, pt := range l.series.Points {
				if !pt.Absent && pt.Bar && !p.Band {
					p.scene.add(errorBar(l.at[i].x, l.lo[i], l.hi[i], 5, l.look.fill, 1))
				}
			}
		}
		for _, l := range lines {
			for i, pt := range l.series.Points {
				if !pt.Absent && (!p.dense() || lonely(l.runs, i)) {
					p.scene.add(dot(l.at[i], l.look)...)
				}
			}
		}
		notes, markers := p.lineNotes(lines)
		for _, l := range slices.Concat(notes, p.lineValues(lines, notes)) {
			p.scene.add(l)
		}
		p.scene.add(markers...)
	}
}

func (p *plot) placeLines() []line {
	var lines []line
	order := byValue(p.x)
	for j, s := range p.Series {
		l := line{look: lookOf(j), series: s, at: make([]point, len(p.x)), lo: make([]float64, len(p.x)), hi: make([]float64, len(p.x))}
		open := false
		for _, i := range order {
			pt := s.Points[i]
			if pt.Absent {
				open = false
				continue
			}
			l.at[i] = point{p.x[i], p.yAt(pt.Y)}
			l.lo[i], l.hi[i] = l.at[i].y, l.at[i].y
			if pt.Bar {
				l.lo[i], l.hi[i] = p.yAt(pt.Lo), p.yAt(pt.Hi)
			}
			if !open {
				l.runs = append(l.runs, nil)
				open = true
			}
			last := len(l.runs) - 1
			l.runs[last] = append(l.runs[last], i)
		}
		lines = append(lines, l)
	}
	return lines
}

// dense says whether points lie so close together that markers would hide the line. It is known before they are placed, for the legend.
func (p *plot) dense() bool {
	gap := p.gap
	if gap == 0 {
		q := &plot{Figure: p.Figure, area: rect{p.page.x0 + 60, 0, p.page.x1 - 60, 1}}
		q.placeX()
		gap = q.gap
	}
	return gap < 5
}

// bands gives the intervals of a line as areas behind it.
func (l line) bands(wanted bool) []item {
	var items []item
	for _, run := range l.runs {
		if !wanted || len(run) < 2 {
			continue
		}
		var upper, lower []point
		for _, i := range run {
			upper = append(upper, point{l.at[i].x, l.hi[i]})
			lower = append(lower, point{l.at[i].x, l.lo[i]})
		}
		slices.Reverse(lower)
		items = append(items, polygon{roleBand, append(upper, lower...), l.look.fill.fade(45)})
	}
	return items
}

// lineValues sets the labels of values above or below their points, where they touch nothing.
func (p *plot) lineValues(lines []line, notes []label) []label {
	if p.count() > manyValues {
		return nil
	}
	var ls []label
	for _, l := range lines {
		for i, pt := range l.series.Points {
			text, ok := valueLabel(pt, inFull)
			if !ok {
				continue
			}
			text.style.color = ink
			for _, below := range []bool{false, true} {
				text.at, text.ay = point{l.at[i].x, math.Max(l.hi[i], l.at[i].y) + 4.5}, 0
				if below {
					text.at.y, text.ay = math.Min(l.lo[i], l.at[i].y)-4.5, 1
				}
				b := text.box()
				meets := func(o label) bool { return o.box().grow(1).overlaps(b) }
				if b.within(p.area) && !touches(lines, b) && !slices.ContainsFunc(ls, meets) && !slices.ContainsFunc(notes, meets) {
					ls = append(ls, text)
					break
				}
			}
		}
	}
	return ls
}

// touches says whether an area meets a line, a marker or an error bar.
func touches(lines []line, b rect) bool {
	for _, l := range lines {
		for _, run := range l.runs {
			for k, i := range run {
				if b.grow(2).crossedBy(point{l.at[i].x, l.lo[i]}, point{l.at[i].x, l.hi[i]}) {
					return true
				}
				if k > 0 && b.crossedBy(l.at[run[k-1]], l.at[i]) {
					return true
				}
			}
		}
	}
	return false
}

func pick(pts []point, which []int) []point {
	out := make([]point, len(which))
	for k, i := range which {
		out[k] = pts[i]
	}
	return out
}

// lonely says whether a point has no neighbour to draw a line to.
func lonely(runs [][]int, i int) bool {
	return slices.ContainsFunc(runs, func(r []int) bool { return len(r) == 1 && r[0] == i })
}
