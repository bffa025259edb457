package chart

import (
	"math"
	"slices"
	"strings"
)

// manyValues is the number of values above which a figure prints no values: they would be clutter, and the table has
// them.
const manyValues = 24

// bar is one bar placed on the page.
type bar struct {
	look  look
	point Point
	mid   float64 // x
	slot  float64 // the width that it may take with its labels
	box   rect
	err   rect // its error bar; zero where it has none
}

// up says to which side the bar's labels go.
func (b bar) up() bool { return b.point.Y >= 0 }

// far gives the value beyond which the label goes.
func (b bar) far() float64 {
	switch {
	case b.up() && b.point.Bar:
		return math.Max(b.point.Y, b.point.Hi)
	case b.point.Bar:
		return math.Min(b.point.Y, b.point.Lo)
	}
	return b.point.Y
}

// wording is a way to set the labels of all values.
type wording int

const (
	inFull   wording = iota // 612 MB/s
	twoLines                // unit under the number
	bare                    // without unit
	turned                  // in full, upright
	silent
)

// barMarks finds scale and labels that do not collide, and gives what draws them.
func (p *plot) barMarks(lo, hi float64) func() {
	var bars []bar
	var values, notes []label
	for w := inFull; w <= silent; w++ {
		if w < silent && p.count() > manyValues || w == bare && !p.sharedUnit() {
			continue
		}
		p.y = newAxis(lo, hi, p.area.y1-p.area.y0, p.rooms(w))
		bars = p.placeBars()
		notes = p.barNotes(bars)
		values = nil
		if w == silent || p.fits(bars, notes, p.barValues(bars, w)) {
			values = p.barValues(bars, w)
			break
		}
	}
	return func() {
		for _, b := range bars {
			if !b.point.Absent {
				p.scene.add(swatch(roleBar, b.box, b.look)...)
			}
		}
		for _, b := range bars {
			if !b.point.Absent && b.point.Bar {
				caps := math.Min(6, 0.5*(b.box.x1-b.box.x0))
				e := errorBar(b.mid, b.err.y0, b.err.y1, caps, ink, 0.9)
				casing := e // in white, so that the error bar shows on a dark bar
				casing.color, casing.width = white, 2.3
				p.scene.add(casing, e)
			}
		}
		p.limitLines()
		for _, l := range slices.Concat(values, notes) {
			p.scene.add(l)
		}
	}
}

// rooms says what the labels need beyond their values.
func (p *plot) rooms(w wording) []room {
	rs := p.limitRooms()
	for _, s := range p.Series {
		for _, pt := range s.Points {
			if l, ok := valueLabel(pt, w); ok {
				box := l.box()
				r, h := room{value: bar{point: pt}.far()}, box.y1-box.y0+3
				if pt.Y >= 0 {
					r.above = h
				} else {
					r.below = h
				}
				rs = append(rs, r)
			}
		}
	}
	return rs
}

func (p *plot) placeBars() []bar {
	n := float64(len(p.Series))
	group := math.Min(p.gap*0.8, n*50)
	slot := group / n
	between := math.Min(1.5, slot*0.1)
	var bars []bar
	zero := p.yAt(0)
	for i := range p.X {
		for j, s := range p.Series {
			b := bar{look: lookOf(j), point: s.Points[i], mid: p.x[i] - group/2 + (float64(j)+0.5)*slot, slot: slot}
			if n == 1 {
				b.slot = p.gap * 0.95
			}
			b.box = rect{b.mid - (slot-between)/2, zero, b.mid + (slot-between)/2, zero}
			if !b.point.Absent {
				y := p.yAt(b.point.Y)
				b.box.y0, b.box.y1 = math.Min(y, zero), math.Max(y, zero)
				if b.box.y1-b.box.y0 < 0.8 { // a bar too small to be seen is not an absent one
					b.box.y1 = b.box.y0 + 0.8
				}
				if b.point.Bar {
					b.err = rect{b.mid - 3, p.yAt(b.point.Lo), b.mid + 3, p.yAt(b.point.Hi)}
				}
			}
			bars = append(bars, b)
		}
	}
	return bars
}

// valueLabel words a value; ok is false where it has no label.
func valueLabel(pt Point, w wording) (l label, ok bool) {
	text := pt.Label
	if pt.Absent || text == "" || w == silent {
		return label{}, false
	}
	l = label{role: roleValue, lines: []string{text}, style: valueText, ax: 0.5, halo: true}
	number, unit, split := cutUnit(text)
	switch {
	case w == twoLines && split:
		l.lines = []string{number, unit}
	case w == bare && split:
		l.lines = []string{number}
	case w == turned:
		l.angle = math.Pi / 2
	}
	if w == turned {
		l.ax, l.ay = 0, 0.5
		if pt.Y < 0 {
			l.ax = 1
		}
	} else if pt.Y < 0 {
		l.ay = 1
	}
	return l, true
}

// cutUnit parts "1 234.5 MB/s" at the last space.
func cutUnit(s string) (number, unit string, ok bool) {
	i := strings.LastIndex(s, " ")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// sharedUnit says whether all labels end in the unit that the y axis names.
func (p *plot) sharedUnit() bool {
	unit := ""
	for _, s := range p.Series {
		for _, pt := range s.Points {
			if pt.Absent || pt.Label == "" {
				continue
			}
			_, u, ok := cutUnit(pt.Label)
			if !ok || unit != "" && u != unit {
				return false
			}
			unit = u
		}
	}
	return unit != "" && strings.HasSuffix(strings.TrimRight(p.YLabel, ") "), unit)
}

func (p *plot) barValues(bars []bar, w wording) []label {
	var ls []label
	for _, b := range bars {
		if l, ok := valueLabel(b.point, w); ok {
			l.at = point{b.mid, p.yAt(b.far()) + 2}
			if !b.up() {
				l.at.y -= 4
			}
			ls = append(ls, l)
		}
	}
	return ls
}

// fits says whether labels stay clear of bars, error bars, notes and one another, and within the figure.
func (p *plot) fits(bars []bar, notes, values []label) bool {
	allowed := rect{p.area.x0, p.area.y0, p.area.x1, p.area.y1 + 1}
	for i, l := range values {
		b := l.box()
		if !b.within(allowed) {
			return false
		}
		for _, o := range bars {
			if !o.point.Absent && (b.overlaps(o.box) || b.overlaps(o.err)) {
				return false
			}
		}
		for _, o := range notes {
			if b.overlaps(o.box()) {
				return false
			}
		}
		for _, o := range values[:i] {
			if b.grow(0.8).overlaps(o.box()) {
				return false
			}
		}
	}
	return true
}
