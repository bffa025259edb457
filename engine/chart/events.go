package chart

import (
	"fmt"
	"math"
	"slices"
)

// Mark is something that happened at a value of x: a line from bottom to top with a text beside it.
type Mark struct {
	X    float64 // as XValues
	Text string
}

// checkMarks finds marks that have no place: only a line with values of x on a linear scale has one.
func (f Figure) checkMarks() error {
	if len(f.Marks) == 0 {
		return nil
	}
	if f.bars() || len(f.XValues) == 0 || f.Scale != "" && f.Scale != "linear" {
		return fmt.Errorf("chart %q: marks stand at values of x: draw lines, with XValues on a linear scale", f.Title)
	}
	for _, m := range f.Marks {
		if !drawable(m.X) {
			return fmt.Errorf("chart %q, mark %q: %v cannot be drawn: expected a finite number", f.Title, m.Text, m.X)
		}
	}
	return nil
}

// xAt gives where a value of x stands on the page, between the first and the last of XValues.
func (p *plot) xAt(v float64) float64 {
	lo, hi := slices.Min(p.XValues), slices.Max(p.XValues)
	left, right := slices.Min(p.x), slices.Max(p.x)
	if hi <= lo {
		return left
	}
	return left + math.Max(0, math.Min(1, (v-lo)/(hi-lo)))*(right-left)
}

// events gives the lines of marks, and their texts where there is room beside the one before.
func (p *plot) events() []item {
	if len(p.Marks) == 0 {
		return nil
	}
	s := stroke{role: roleMark, color: muted, width: 0.8, dash: []float64{2, 2}}
	var texts []label
	for _, m := range p.Marks {
		x := p.xAt(m.X)
		s.lines = append(s.lines, []point{{x, p.area.y0}, {x, p.area.y1}})
		l := label{
			role: roleMark, lines: []string{smallTick.truncate(m.Text, p.area.y1-p.area.y0-8)}, style: smallTick,
			at: point{x - 2, p.area.y1 - 3}, ax: 1, ay: 0, angle: math.Pi / 2, halo: true,
		}
		if l.box().x0 < p.area.x0 { // no room at the left of it
			l.at.x, l.ay = x+2, 1
		}
		if !slices.ContainsFunc(texts, func(o label) bool { return o.box().overlaps(l.box()) }) {
			texts = append(texts, l)
		}
	}
	items := []item{s}
	for _, l := range texts {
		items = append(items, l)
	}
	return items
}
