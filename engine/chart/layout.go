package chart

import (
	"fmt"
	"math"
)

// Distances in points.
const (
	margin   = 10.0 // around the figure
	tickGap  = 4.0  // between an axis and its labels
	minPlot  = 40.0 // height of the plot area that header, footer and labels leave at least
	textLine = 1.3  // from one line of the header to the next, in sizes of the text
)

// plot is a figure while it is laid out.
type plot struct {
	Figure
	scene  *scene
	page   rect // the paper, or the part of it that a panel has
	area   rect // where values are drawn
	y      axis
	across axis      // x of curves
	x      []float64 // where the categories stand on the page
	name   label     // of the x axis
	bare   bool      // the legend names the limits: in panels, and in a heatmap
	gap    float64   // the smallest distance between two of them; the width of the area where there is one
}

// layout places everything.
func (f Figure) layout() *scene {
	if len(f.Panels) > 0 {
		return f.layoutPanels()
	}
	p := &plot{Figure: f.tidy(), page: rect{0, 0, Width, Height}}
	p.scene = &scene{w: Width, h: Height}
	p.area = rect{margin, p.footer(), Width - margin, p.header()}
	p.place()
	return p.scene
}

// place draws what is within header and footer.
func (p *plot) place() {
	p.bare = p.bare || p.Kind == kindHeatmap
	gutter := p.limitTexts(p.area.y1 - p.area.y0)
	p.area.x1 -= gutter.width
	bottom := p.area.y0
	switch p.Kind {
	case kindCurves:
		p.layoutCurves(bottom)
	case kindHeatmap:
		p.layoutHeat(bottom)
	default:
		p.layoutCategories(bottom)
	}
	if p.y.hi > p.y.lo {
		p.limits(gutter, bottom)
	}
}

// nothing says that there are no data.
func (p *plot) nothing() {
	p.scene.add(label{role: roleNote, lines: []string{"no data"}, style: axisText,
		at: point{(p.area.x0 + p.area.x1) / 2, (p.area.y0 + p.area.y1) / 2}, ax: 0.5, ay: 0.5})
}

// layoutCategories places bars and lines.
func (p *plot) layoutCategories(bottom float64) {
	if len(p.X) == 0 || len(p.Series) == 0 {
		p.nothing()
		return
	}
	lo, hi := p.span()
	if p.shared != nil {
		lo, hi = p.shared.y[0], p.shared.y[1]
	}
	strip := p.makeStrip()
	p.y = newAxis(lo, hi, p.area.y1-p.area.y0, nil)
	// The labels of the y axis need a width that depends on the scale, which depends on the height, which depends on the
	// labels of the x axis, which depends on that width: the second round settles it.
	var categories []label
	var marks func()
	for range 2 {
		p.area.x0 = p.page.x0 + margin + p.tickWidth() + tickGap + 2
		p.placeX()
		categories = p.categories(p.area.y1 - bottom - minPlot)
		p.area.y0 = bottom + height(categories) + tickGap
		for i := range categories {
			categories[i].at.y = p.area.y0 - tickGap
		}
		if p.bars() {
			marks = p.barMarks(lo, hi)
		} else {
			marks = p.lineMarks(lo, hi)
		}
	}
	p.grid()
	marks()
	p.axes(categories)
	if strip != nil {
		p.drawStrip(strip)
	}
}

// header sets title, subtitle, legend and the name of the y axis from the top down and gives where the plot area ends.
func (p *plot) header() (bottom float64) {
	y := p.page.y1 - margin
	block := func(r role, s string, style textStyle, n int) {
		lines, _ := style.wrap(s, Width-2*margin, n)
		for _, l := range lines {
			p.scene.add(label{role: r, lines: []string{l}, style: style, at: point{margin, y}, ay: 1})
			y -= style.size * textLine
		}
		if len(lines) > 0 {
			y -= 2
		}
	}
	block(roleTitle, p.Title, titleText, 2)
	block(roleSubtitle, p.Subtitle, subtitleText, 2)
	y = p.legend(y - 1)
	if p.Against == nil { // else it stands below the strip
		block(roleYLabel, p.YLabel, axisText, 1)
	} else {
		y -= axisText.size*textLine + 2
	}
	return y - 3
}

// footer sets the small print and the name of the x axis and gives where the labels of the categories may begin.
func (p *plot) footer() (top float64) {
	y := margin - 2
	lines, _ := footText.wrap(p.Foot, Width-2*margin, 2)
	for i := len(lines) - 1; i >= 0; i-- {
		p.scene.add(label{role: roleFoot, lines: lines[i : i+1], style: footText, at: point{margin, y}})
		y += footText.size * textLine
	}
	if len(lines) > 0 {
		y += 3
	}
	if lines, _ := axisText.wrap(p.XLabel, Width-2*margin, 1); len(lines) > 0 {
		p.name = label{role: roleXLabel, lines: lines, style: axisText, at: point{Width / 2, y}, ax: 0.5}
		y += axisText.size*textLine + 1
	}
	return y // the name's place from left to right is known only with the area
}

// legendRows is how many rows of names stand at most above a figure.
const legendRows = 3

// names are what the legend lists: the series, or the curves.
func (f Figure) names() []string {
	var out []string
	switch {
	case f.Kind == kindHeatmap || f.Kind != kindCurves && len(f.X) == 0:
	case f.Kind == kindCurves:
		points := 0
		for _, c := range f.Curves {
			points += len(c.X)
			out = append(out, c.Name)
		}
		if points == 0 {
			return nil
		}
	default:
		for _, s := range f.Series {
			out = append(out, s.Name)
		}
	}
	return out
}

// dotted says whether lines have markers, which tell them apart without colour; else dashes do.
func (p *plot) dotted() bool {
	if p.Kind == kindCurves {
		return p.Dots
	}
	return !p.dense()
}

// legend sets the names of the series in rows.
func (p *plot) legend(y float64) float64 {
	const gap, row = 4.0, 12.5
	thumb := 18.0
	if p.bars() {
		thumb = 9
	}
	entries := p.names()
	if len(entries) == 1 && entries[0] == "" {
		entries = nil
	}
	series := len(entries)
	if len(p.Panels) > 0 || p.Kind == kindHeatmap {
		entries = append(entries, p.limitNames()...)
	}
	if len(entries) == 0 {
		return y
	}
	x, rows := margin, 1
	for i, entry := range entries {
		name := legendText.truncate(entry, (Width-2*margin)/2)
		w := thumb + gap + legendText.width(name)
		more := fmt.Sprintf("and %d more", len(entries)-i)
		last := i == len(entries)-1
		if rows == legendRows && !last && x+w+14+legendText.width("and 999 more") > Width-margin || rows == legendRows && x+w > Width-margin {
			p.scene.add(label{role: roleLegend, lines: []string{more}, style: legendText, at: point{x, y - row/2}, ay: 0.5})
			break
		}
		if x > margin && x+w > Width-margin {
			x, y, rows = margin, y-row, rows+1
		}
		at := point{x + thumb/2, y - row/2}
		l := lookOf(i)
		switch line := [][]point{{{x, at.y}, {x + thumb, at.y}}}; {
		case i >= series && p.Kind == kindHeatmap:
			entry := rect{x + thumb/2 - 5, y - row/2 - 5, x + thumb/2 + 5, y - row/2 + 5}
			p.scene.add(polygon{roleLegend, entry.corners(), heatStops[2]})
			p.scene.add(corner(entry)...)
		case i >= series:
			p.scene.add(stroke{roleLegend, line, alarm, 1.2, []float64{5, 3}})
		case p.bars():
			p.scene.add(swatch(roleLegend, rect{at.x - 4.5, at.y - 4.5, at.x + 4.5, at.y + 4.5}, l)...)
		case p.dotted():
			p.scene.add(stroke{roleLegend, line, l.fill, 1.6, nil})
			p.scene.add(dot(at, l)...)
		default:
			p.scene.add(stroke{roleLegend, line, l.fill, 1.6, l.dash})
		}
		p.scene.add(label{role: roleLegend, lines: []string{name}, style: legendText, at: point{x + thumb + gap, at.y}, ay: 0.5})
		x += w + 14
	}
	return y - row - 4
}

// span gives the range of values to draw: bars from zero, lines from zero too unless they vary by less than a fifth of
// what they are. Limits count where they lie near enough.
func (p *plot) span() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, pt := range s.Points {
			if pt.Absent {
				continue
			}
			lo, hi = math.Min(lo, pt.Y), math.Max(hi, pt.Y)
			if pt.Bar {
				lo, hi = math.Min(lo, pt.Lo), math.Max(hi, pt.Hi)
			}
		}
	}
	none := lo > hi
	if none {
		lo, hi = 0, 0
	}
	flat := hi > lo && hi-lo < 0.2*math.Max(math.Abs(lo), math.Abs(hi))
	if p.bars() || !flat || len(p.Limits) > 0 {
		lo, hi = math.Min(lo, 0), math.Max(hi, 0)
	}
	size := hi - lo
	near := rect{y0: lo - 2*size, y1: hi + 2*size}
	for _, l := range p.Limits {
		if none || size == 0 || l.Y >= near.y0 && l.Y <= near.y1 {
			lo, hi = math.Min(lo, l.Y), math.Max(hi, l.Y)
		}
	}
	return lo, hi
}

// yAt gives where a value stands on the page.
func (p *plot) yAt(v float64) float64 {
	return p.area.y0 + p.y.norm(v)*(p.area.y1-p.area.y0)
}

func (p *plot) tickWidth() float64 {
	w := 0.0
	for _, s := range p.y.labels() {
		w = math.Max(w, tickText.width(s))
	}
	return w
}

// grid draws a line for each tick.
func (p *plot) grid() {
	g := stroke{role: roleFrame, color: grid, width: 0.6}
	for _, v := range p.y.ticks {
		g.lines = append(g.lines, []point{{p.area.x0, p.yAt(v)}, {p.area.x1, p.yAt(v)}})
	}
	p.scene.add(g)
}

// axes draws the axes over the marks, with their labels.
func (p *plot) axes(categories []label) {
	s := stroke{role: roleFrame, color: frame, width: 0.7}
	s.lines = append(s.lines, []point{{p.area.x0, p.area.y1}, {p.area.x0, p.area.y0}, {p.area.x1, p.area.y0}})
	names := p.y.labels()
	for i, v := range p.y.ticks {
		y := p.yAt(v)
		s.lines = append(s.lines, []point{{p.area.x0 - 3, y}, {p.area.x0, y}})
		if p.count() > 0 || len(p.Curves) > 0 || len(p.Limits) > 0 { // else the scale means nothing
			p.scene.add(label{role: roleYTick, lines: names[i : i+1], style: tickText, at: point{p.area.x0 - tickGap - 1, y}, ax: 1, ay: 0.5})
		}
	}
	if !p.bars() {
		for _, l := range categories {
			s.lines = append(s.lines, []point{{l.at.x, p.area.y0 - 3}, {l.at.x, p.area.y0}})
		}
	}
	p.scene.add(s)
	if p.y.scale == "" && p.y.lo < 0 && p.y.hi > 0 {
		zero := p.yAt(0)
		p.scene.add(stroke{role: roleFrame, lines: [][]point{{{p.area.x0, zero}, {p.area.x1, zero}}}, color: muted, width: 0.9})
	}
	p.name.at.x = (p.area.x0 + p.area.x1) / 2
	for _, l := range append(categories, p.name) {
		if len(l.lines) > 0 {
			p.scene.add(l)
		}
	}
}

// height gives the height of the tallest of some labels.
func height(ls []label) float64 {
	h := 0.0
	for _, l := range ls {
		b := l.box()
		h = math.Max(h, b.y1-b.y0)
	}
	return h
}
