package chart

import (
	"math"
	"slices"
)

// barNotes sets what stands in place of absent bars, all in the same way: level, in several lines, or upright. Where a
// slot is too narrow even for that there is none.
func (p *plot) barNotes(bars []bar) []label {
	var absent []bar
	for _, b := range bars {
		if b.point.Absent && b.point.Note != "" {
			absent = append(absent, b)
		}
	}
	zero := p.yAt(0)
	up := zero < (p.area.y0+p.area.y1)/2
	free := p.area.y1 - zero
	if !up {
		free = zero - p.area.y0
	}
	set := func(n int) (ls []label, fit bool) {
		fit = true
		for _, b := range absent {
			lines, fits := noteText.wrap(b.point.Note, b.slot-2, n)
			fit = fit && fits
			l := label{role: roleNote, lines: lines, style: noteText, at: point{b.mid, zero + 3}, ax: 0.5}
			if !up {
				l.at.y, l.ay = zero-3, 1
			}
			ls = append(ls, l)
		}
		return ls, fit
	}
	for _, n := range []int{1, 4} {
		if ls, fit := set(n); fit {
			return ls
		}
	}
	var ls []label
	for _, b := range absent {
		if b.slot < noteText.size {
			continue
		}
		l := label{role: roleNote, lines: []string{noteText.truncate(b.point.Note, free-6)}, style: noteText,
			at: point{b.mid, zero + 3}, ay: 0.5, angle: math.Pi / 2}
		if !up {
			l.at.y, l.ax = zero-3, 1
		}
		ls = append(ls, l)
	}
	return ls
}

// lineNotes sets what stands in place of absent points above the x axis, each behind the hollow marker of its series, one over
// the other where several are absent or a line is in the way. Figures with many absent points show none.
func (p *plot) lineNotes(lines []line) (ls []label, markers []item) {
	absent := 0
	for i := range p.X {
		for _, l := range lines {
			pt := l.series.Points[i]
			if !pt.Absent || pt.Note == "" {
				continue
			}
			if absent++; absent > manyValues/2 {
				return nil, nil
			}
			n := label{role: roleNote, lines: []string{noteText.truncate(pt.Note, (p.area.x1-p.area.x0)/2)},
				style: noteText, at: point{p.x[i], p.area.y0 + 4}, ax: 0.5, halo: true}
			n = p.pull(n)
			first := n
			for n.box().y1 < p.area.y1 && (touches(lines, n.box().grow(2)) || slices.ContainsFunc(ls, func(o label) bool { return o.box().overlaps(noteBox(n)) })) {
				n.at.y += 3
			}
			if n.box().y1 >= p.area.y1 {
				n = first
			}
			ls = append(ls, n)
			box := n.box()
			markers = append(markers, dot(point{box.x0 - 5, (box.y0 + box.y1) / 2}, look{fill: l.look.fill, marker: l.look.marker, hollow: true})...)
		}
	}
	return ls, markers
}

// noteBox is the area of a note with its marker.
func noteBox(l label) rect {
	b := l.box()
	b.x0 -= 10
	return b.grow(1)
}

// pull moves a label sideways into the plot area.
func (p *plot) pull(l label) label {
	b := l.box()
	if d := p.area.x0 + 12 - b.x0; d > 0 {
		l.at.x += d
	}
	if d := b.x1 - p.area.x1; d > 0 {
		l.at.x -= d
	}
	return l
}
