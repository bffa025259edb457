package chart

import (
	"math"
	"slices"
)

// placeX finds where the categories stand: evenly, or by value on the figure's scale.
func (p *plot) placeX() {
	n := len(p.X)
	w := p.area.x1 - p.area.x0
	p.x = make([]float64, n)
	p.gap = w / float64(n)
	for i := range p.x {
		p.x[i] = p.area.x0 + (float64(i)+0.5)*p.gap
	}
	if len(p.XValues) == 0 {
		return
	}
	at := make([]float64, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, v := range p.XValues {
		switch p.Scale {
		case "log2", "log10":
			v = math.Log2(v) // of any base: it only matters how they lie to one another
		}
		at[i] = v
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	p.gap = w
	const pad = 16.0 // so that the first and last marker with its label stay clear of the frame
	for i, v := range at {
		p.x[i] = p.area.x0 + w/2
		if hi > lo {
			p.x[i] = p.area.x0 + pad + (v-lo)/(hi-lo)*(w-2*pad)
		}
		for j := range i {
			if d := math.Abs(p.x[i] - p.x[j]); d > 0.01 {
				p.gap = math.Min(p.gap, d)
			}
		}
	}
}

// categories sets the names under the x axis, at the height of zero: in lines if they fit, else turned by 40 degrees,
// else upright, and only every so many where even that is too much. They stay within room points of height.
func (p *plot) categories(room float64) []label {
	if ls, fits := p.levelNames(tickText, 3); fits {
		return ls
	}
	if ls, fits := p.levelNames(smallTick, 4); fits && len(p.XValues) == 0 {
		return ls
	}
	if len(p.XValues) > 0 {
		return p.sparseNames()
	}
	line := smallTick.size * leading
	angle := 40 * math.Pi / 180
	if p.gap*math.Sin(angle) < line {
		angle = math.Pi / 2
	}
	every := int(math.Ceil(line / (p.gap * math.Sin(angle))))
	longest := math.Min(room, 72) / math.Sin(angle)
	p.indent(longest, angle)
	var ls []label
	for i := 0; i < len(p.X); i += every {
		max := longest
		if c := math.Cos(angle); c > 0.01 {
			max = math.Min(max, (p.x[i]-p.page.x0-4)/c)
		}
		l := label{role: roleXTick, lines: []string{smallTick.truncate(p.X[i], max)}, style: smallTick,
			at: point{p.x[i], 0}, ax: 1, ay: 0.75, angle: angle}
		if angle == math.Pi/2 {
			l.ay = 0.5
		}
		ls = append(ls, l)
	}
	return ls
}

// indent moves the plot area to the right where turned names would run out of the figure, by as much as can be spared.
func (p *plot) indent(longest, angle float64) {
	over := 0.0
	for i, name := range p.X {
		w := math.Min(smallTick.width(name), longest)
		over = math.Max(over, w*math.Cos(angle)+4-p.x[i]+p.page.x0)
	}
	if over > 0 {
		p.area.x0 += math.Min(over, 50)
		p.placeX()
	}
}

// levelNames sets each name in up to n lines in the middle under its place.
func (p *plot) levelNames(style textStyle, n int) (ls []label, fit bool) {
	fit = true
	for i, name := range p.X {
		lines, fits := style.wrap(name, p.gap-3, n)
		fit = fit && fits
		if len(lines) > 0 {
			ls = append(ls, label{role: roleXTick, lines: lines, style: style, at: point{p.x[i], 0}, ax: 0.5, ay: 1})
		}
	}
	return ls, fit
}

// sparseNames leaves out names along a scale that would touch the one before; the last is always there.
func (p *plot) sparseNames() []label {
	var ls []label
	order := slices.DeleteFunc(byValue(p.x), func(i int) bool { return p.X[i] == "" })
	for _, i := range order {
		l := label{role: roleXTick, lines: []string{tickText.truncate(p.X[i], 90)}, style: tickText, at: point{p.x[i], 0}, ax: 0.5, ay: 1}
		last := p.x[i] >= p.x[order[len(order)-1]]
		for len(ls) > 0 && ls[len(ls)-1].box().grow(2.5).overlaps(l.box()) {
			if !last {
				break
			}
			ls = ls[:len(ls)-1]
		}
		if len(ls) == 0 || last || !ls[len(ls)-1].box().grow(2.5).overlaps(l.box()) {
			ls = append(ls, l)
		}
	}
	return ls
}
