package chart

import (
	"fmt"
	"math"
	"slices"
)

// Mark is something that happened at a value of x: a line from bottom to top with a text beside it. Where it lasted until a later one, the time
// between is shaded.
type Mark struct {
	X     float64
	Until float64 // not beyond X: it was a moment
	Text  string
}

// lasts says whether a mark has a duration.
func (m Mark) lasts() bool { return m.Until > m.X }

// checkMarks finds marks that have no place: only curves on a linear scale have one.
func (f Figure) checkMarks() error {
	if len(f.Marks) == 0 {
		return nil
	}
	if f.Kind != kindCurves || f.Scale != "" && f.Scale != linear {
		return fmt.Errorf("chart %q: marks stand at values of x: draw curves, with x on a linear scale", f.Title)
	}
	for _, m := range f.Marks {
		if !drawable(m.X) || !drawable(m.Until) {
			return fmt.Errorf("chart %q, mark %q: %v to %v cannot be drawn: expected finite numbers", f.Title, m.Text, m.X, m.Until)
		}
	}
	return nil
}

// spans gives the shades of marks that lasted. They lie behind everything.
func (p *plot) spans() []item {
	var items []item
	for _, m := range p.Marks {
		if m.lasts() && p.across.norm(m.Until) > 0 && p.across.norm(m.X) < 1 {
			x0, x1 := p.xAt(m.X), p.xAt(m.Until)
			items = append(items, polygon{roleMark, rect{x0, p.area.y0, math.Max(x1, x0+0.5), p.area.y1}.corners(), shading})
		}
	}
	return items
}

// moments gives the lines of marks.
func (p *plot) moments() []item {
	s := stroke{role: roleMark, color: muted, width: 0.8, dash: []float64{2, 2}}
	for _, m := range p.Marks {
		ends := []float64{m.X}
		if m.lasts() {
			ends = append(ends, m.Until)
		}
		for _, v := range ends {
			if n := p.across.norm(v); n >= -1e-9 && n <= 1+1e-9 {
				x := p.xAt(v)
				s.lines = append(s.lines, []point{{x, p.area.y0}, {x, p.area.y1}})
			}
		}
	}
	if len(s.lines) == 0 {
		return nil
	}
	return []item{s}
}

// markTexts gives the texts of marks, those that find room beside the ones before.
func (p *plot) markTexts() []label {
	var texts []label
	for _, m := range p.Marks {
		for _, l := range p.wordings(m) {
			if !slices.ContainsFunc(texts, func(o label) bool { return o.box().grow(1).overlaps(l.box()) }) {
				texts = append(texts, l)
				break
			}
		}
	}
	return texts
}

// wordings are the places where the text of a mark may stand, the best first: level within what lasted, upright at the left of its line,
// upright at the right.
func (p *plot) wordings(m Mark) []label {
	var ls []label
	if m.Text == "" {
		return nil
	}
	if from, to := p.across.norm(m.X), p.across.norm(math.Max(m.X, m.Until)); to < -1e-9 || from > 1+1e-9 {
		return nil // before or after what is drawn
	}
	x := p.xAt(m.X)
	if m.lasts() {
		x1 := p.xAt(m.Until)
		l := label{role: roleMark, lines: []string{m.Text}, style: smallTick, at: point{(x + x1) / 2, p.area.y1 - 3}, ax: 0.5, ay: 1, halo: true}
		if w, _ := l.size(); w <= x1-x-4 {
			ls = append(ls, l)
		}
	}
	l := label{
		role: roleMark, lines: []string{smallTick.truncate(m.Text, p.area.y1-p.area.y0-8)}, style: smallTick,
		at: point{x - 2, p.area.y1 - 3}, ax: 1, ay: 0, angle: math.Pi / 2, halo: true,
	}
	right := l
	right.at.x, right.ay = x+2, 1
	if m.lasts() {
		l, right = right, l // within the shade
	}
	for _, c := range []label{l, right} {
		if b := c.box(); b.x0 >= p.area.x0 && b.x1 <= p.area.x1 {
			ls = append(ls, c)
		}
	}
	return ls
}
