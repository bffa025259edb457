package chart

import (
	"fmt"
	"math"
)

// checkHeat finds cells that cannot be drawn.
func (f Figure) checkHeat() error {
	if n := len(f.X) * len(f.Rows); n > MaxPoints {
		return fmt.Errorf("chart %q: %d cells: at most %d can be drawn; split it by a facet or narrow it by where", f.Title, n, MaxPoints)
	}
	if len(f.Cells) != len(f.Rows) {
		return fmt.Errorf("chart %q: cells for %d rows, but there are %d", f.Title, len(f.Cells), len(f.Rows))
	}
	for i, row := range f.Cells {
		if len(row) != len(f.X) {
			return fmt.Errorf("chart %q, row %q: %d cells for %d categories: give one for each, absent ones too", f.Title, f.Rows[i], len(row), len(f.X))
		}
		for k, c := range row {
			if err := c.check(); err != nil {
				return fmt.Errorf("chart %q, row %q at %q: %w", f.Title, f.Rows[i], f.X[k], err)
			}
			if !c.Absent && !onScale(f.Scale, c.Y) {
				return fmt.Errorf("chart %q, row %q at %q: %v has no place on a %s scale", f.Title, f.Rows[i], f.X[k], c.Y, orLinear(f.Scale))
			}
		}
	}
	return nil
}

// Distances of the bar that explains the colours.
const (
	barWidth = 10.0
	barGap   = 10.0 // from the cells
)

// heatRange is the range of the cells' values.
func (f Figure) heatRange() (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, row := range f.Cells {
		for _, c := range row {
			if !c.Absent {
				lo, hi = math.Min(lo, c.Y), math.Max(hi, c.Y)
			}
		}
	}
	return lo, hi, lo <= hi
}

// layoutHeat places a map of cells: the first of Rows at the top, and beside it the bar of the colours, on which limits are lines.
func (p *plot) layoutHeat(bottom float64) {
	if len(p.Rows) == 0 || len(p.X) == 0 {
		p.nothing()
		return
	}
	lo, hi, ok := p.heatRange()
	if p.shared != nil {
		lo, hi = p.shared.y[0], p.shared.y[1]
	}
	high := p.area.y1 - p.area.y0
	if ok {
		p.y = scaleAxis(p.Scale, lo, hi, ticksIn(p.Scale, high-4, false), false)
	}
	right := p.area.x1
	ticks := p.tickWidth()
	if ok {
		p.area.x1 -= barGap + barWidth + tickGap + ticks
	}
	rows := 0.0
	for _, name := range p.Rows {
		rows = math.Max(rows, math.Min(tickText.width(name), 110))
	}
	p.area.x0 = p.page.x0 + margin + rows + tickGap
	p.placeX()
	names := p.categories(p.area.y1 - bottom - minPlot)
	p.area.y0 = bottom + height(names) + tickGap
	for i := range names {
		names[i].at.y = p.area.y0 - tickGap
	}
	p.cells(lo, hi)
	p.name.at.x = (p.area.x0 + p.area.x1) / 2
	for _, l := range append(names, p.name) {
		if len(l.lines) > 0 {
			p.scene.add(l)
		}
	}
	if ok {
		p.colourBar(right-ticks-tickGap-barWidth, right)
	}
}

// cells draws the cells with their values, and the names of the rows.
func (p *plot) cells(lo, hi float64) {
	w, h := (p.area.x1-p.area.x0)/float64(len(p.X)), (p.area.y1-p.area.y0)/float64(len(p.Rows))
	style := p.cellText(w-3, h-2)
	every := int(math.Ceil(smallTick.size * 1.1 / h))
	names := tickText
	if h < tickText.size*1.1 {
		names = smallTick
	}
	for i, row := range p.Cells {
		y1 := p.area.y1 - float64(i)*h
		if i%every == 0 {
			p.scene.add(label{role: roleYTick, lines: []string{names.truncate(p.Rows[i], 110)}, style: names,
				at: point{p.area.x0 - tickGap, y1 - h/2}, ax: 1, ay: 0.5})
		}
		for k, c := range row {
			r := rect{p.area.x0 + float64(k)*w, y1 - h, p.area.x0 + float64(k+1)*w, y1}
			if c.Absent {
				p.scene.add(polygon{roleCell, r.corners(), white})
				if lines := hatching(r.grow(-0.5), rising, false); len(lines) > 0 {
					p.scene.add(stroke{roleFrame, lines, grid, 0.6, nil})
				}
				p.cellNote(c.Note, r)
				continue
			}
			fill := heatShade(p.heatNorm(c.Y))
			p.scene.add(polygon{roleCell, r.corners(), fill})
			if style.size > 0 && c.Label != "" {
				text := style
				text.color = textOn(fill)
				p.scene.add(label{role: roleValue, lines: []string{bareNumber(c.Label)}, style: text, at: point{(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}, ax: 0.5, ay: 0.5})
			}
			if c.Beyond {
				p.scene.add(corner(r)...)
			}
		}
	}
	var lines [][]point
	for i := 1; i < len(p.Rows) && h > 6; i++ {
		y := p.area.y1 - float64(i)*h
		lines = append(lines, []point{{p.area.x0, y}, {p.area.x1, y}})
	}
	for k := 1; k < len(p.X) && w > 6; k++ {
		x := p.area.x0 + float64(k)*w
		lines = append(lines, []point{{x, p.area.y0}, {x, p.area.y1}})
	}
	if len(lines) > 0 {
		p.scene.add(stroke{roleFrame, lines, white, 0.8, nil})
	}
	p.scene.add(stroke{roleFrame, [][]point{append(p.area.corners(), point{p.area.x0, p.area.y0})}, frame, 0.7, nil})
}

// cellText finds the largest text in which all values have room in a cell; its size is 0 where there is none.
func (p *plot) cellText(w, h float64) textStyle {
	for _, size := range []float64{8, 7, 6, 5} {
		style := textStyle{size: size}
		fits := size <= h
		for _, row := range p.Cells {
			for _, c := range row {
				fits = fits && (c.Absent || style.width(bareNumber(c.Label)) <= w)
			}
		}
		if fits {
			return style
		}
	}
	return textStyle{}
}

// bareNumber leaves the unit of a label to the scale.
func bareNumber(s string) string {
	number, _, _ := cutUnit(s)
	return number
}

// cellNote says in an absent cell why it is, where there is room.
func (p *plot) cellNote(note string, r rect) {
	lines, fits := noteText.wrap(note, r.x1-r.x0-3, 3)
	l := label{role: roleNote, lines: lines, style: noteText, at: point{(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}, ax: 0.5, ay: 0.5, halo: true}
	if _, h := l.size(); fits && len(lines) > 0 && h <= r.y1-r.y0-1 {
		p.scene.add(l)
	}
}

// corner marks a cell whose value is beyond a limit, on every colour alike.
func corner(r rect) []item {
	d := math.Min(6, math.Min(r.x1-r.x0, r.y1-r.y0)*0.3)
	big := []point{{r.x1, r.y1}, {r.x1 - d - 1.6, r.y1}, {r.x1, r.y1 - d - 1.6}}
	small := []point{{r.x1, r.y1}, {r.x1 - d, r.y1}, {r.x1, r.y1 - d}}
	return []item{polygon{roleFrame, big, white}, polygon{roleBeyond, small, alarm}}
}

func (p *plot) heatNorm(v float64) float64 { return math.Max(0, math.Min(1, p.y.norm(v))) }

// colourBar explains the colours between left and right of the page, with a line for each limit on it.
func (p *plot) colourBar(left, right float64) {
	const parts = 64
	high := p.area.y1 - p.area.y0
	for i := range parts {
		y0, y1 := p.area.y0+high*float64(i)/parts, p.area.y0+high*float64(i+1)/parts
		if i+1 < parts {
			y1 += 0.3 // so that no white shows between
		}
		p.scene.add(polygon{roleFrame, rect{left, y0, left + barWidth, y1}.corners(), heatShade((float64(i) + 0.5) / parts)})
	}
	s := stroke{role: roleFrame, color: frame, width: 0.7}
	for i, text := range p.y.labels() {
		y := p.yAt(p.y.ticks[i])
		s.lines = append(s.lines, []point{{left + barWidth, y}, {left + barWidth + 2, y}})
		p.scene.add(label{role: roleYTick, lines: []string{text}, style: tickText, at: point{left + barWidth + tickGap, y}, ax: 0, ay: 0.5})
	}
	p.scene.add(s)
	for _, l := range p.Limits {
		if p.outside(l) == 0 && onScale(p.Scale, l.Y) {
			y := p.yAt(l.Y)
			p.scene.add(stroke{roleLimit, [][]point{{{left - 3, y}, {left + barWidth + 1, y}}}, white, 3, nil},
				stroke{roleLimit, [][]point{{{left - 3, y}, {left + barWidth + 1, y}}}, alarm, 1.4, nil})
		}
	}
}

// heatStops are five of cividis (Nuñez, Anderton and Renslow, Optimizing colormaps with consideration for color vision deficiency, PLOS ONE
// 2018), which is the same to those who see no red or no green, and whose luminance rises all the way.
var heatStops = [5]shade{{0, 32, 76, 255}, {64, 77, 107, 255}, {124, 123, 120, 255}, {188, 174, 108, 255}, {255, 233, 69, 255}}

// heatShade gives the colour of a value from 0 to 1.
func heatShade(t float64) shade {
	t *= float64(len(heatStops) - 1)
	k := min(int(t), len(heatStops)-2)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + (float64(b)-float64(a))*(t-float64(k))))
	}
	a, b := heatStops[k], heatStops[k+1]
	return shade{mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 255}
}

// textOn gives black or white, whichever is easier to read on a colour: one of them always has a contrast of at least 4.58.
func textOn(s shade) shade {
	l := luminance(s)
	if 1.05/(l+0.05) > (l+0.05)/0.05 {
		return white
	}
	return black
}

// luminance is the relative luminance of WCAG 2.2, from 0 to 1.
func luminance(s shade) float64 {
	return 0.2126*fromSRGB(s.r) + 0.7152*fromSRGB(s.g) + 0.0722*fromSRGB(s.b)
}

// fromSRGB gives the light of a channel (IEC 61966-2-1).
func fromSRGB(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}
