package chart

import (
	"fmt"
	"math"
	"strconv"
)

// Against says of bars how much of a baseline they are, in percent. It is drawn on an axis of its own at the right, in a strip above the bars,
// where it covers none of their labels.
type Against struct {
	Label  string      // what the baseline is: "of SATA"
	Shares [][]float64 // for each series one for each category: 1 is 100 %; NaN where there is none, as at the baseline itself
}

// stripShare is how much of the plot area's height the strip has.
const stripShare = 0.26

func (f Figure) checkAgainst() error {
	if f.Against == nil {
		return nil
	}
	if !f.bars() {
		return fmt.Errorf("chart %q: only bars are set against a baseline", f.Title)
	}
	if len(f.Against.Shares) != len(f.Series) {
		return fmt.Errorf("chart %q: shares of the baseline for %d series, but there are %d", f.Title, len(f.Against.Shares), len(f.Series))
	}
	for i, s := range f.Against.Shares {
		if len(s) != len(f.X) {
			return fmt.Errorf("chart %q, series %q: %d shares of the baseline for %d categories", f.Title, f.Series[i].Name, len(s), len(f.X))
		}
		for _, v := range s {
			if math.IsInf(v, 0) || math.Abs(v) > largest/100 {
				return fmt.Errorf("chart %q, series %q: a share of %v cannot be drawn", f.Title, f.Series[i].Name, v)
			}
		}
	}
	return nil
}

// strip is where the shares are drawn.
type strip struct {
	area rect
	y    axis // percent
}

// makeStrip takes the strip off the plot area; it is nil where there is nothing to show.
func (p *plot) makeStrip() *strip {
	if p.Against == nil {
		return nil
	}
	lo, hi := 100.0, 100.0
	some := false
	for _, s := range p.Against.Shares {
		for _, v := range s {
			if !math.IsNaN(v) {
				some = true
				lo, hi = math.Min(lo, 100*v), math.Max(hi, 100*v)
			}
		}
	}
	high := (p.area.y1 - p.area.y0) * stripShare
	if !some || high < 20 {
		return nil
	}
	if hi-lo < 1 {
		lo, hi = lo-1, hi+1
	}
	s := &strip{area: p.area, y: scaleAxis(linear, lo, hi, 2, true)}
	if head := (hi - lo) * 0.45; s.y.hi-hi < head { // for the label of the greatest
		s.y.hi = hi + head
	}
	if head := (hi - lo) * 0.35; lo < 100 && lo-s.y.lo < head {
		s.y.lo = lo - head
	}
	s.area.y0 = s.area.y1 - high
	text := axisText.truncate("% "+p.Against.Label, (p.page.x1-p.page.x0)/2)
	head := label{role: roleYLabel, lines: []string{text}, style: axisText, at: point{p.page.x1 - margin, p.area.y1 + 6}, ax: 1}
	p.scene.add(head)
	w := 0.0
	for _, t := range s.y.labels() {
		w = math.Max(w, tickText.width(t+" %"))
	}
	p.area.x1 = math.Min(p.area.x1, p.page.x1-margin-w-tickGap-2)
	p.area.y1 = s.area.y0 - 8 - axisText.size*textLine
	if lines, _ := axisText.wrap(p.YLabel, (p.page.x1-p.page.x0)/2, 1); len(lines) > 0 {
		p.scene.add(label{role: roleYLabel, lines: lines, style: axisText, at: point{p.page.x0 + margin, p.area.y1 + 4}})
	}
	return s
}

// drawStrip draws the shares over the bars that they are of.
func (p *plot) drawStrip(s *strip) {
	s.area.x0, s.area.x1 = p.area.x0, p.area.x1
	at := func(v float64) float64 { return s.area.y0 + s.y.norm(v)*(s.area.y1-s.area.y0) }
	g := stroke{role: roleFrame, color: grid, width: 0.6}
	f := stroke{role: roleFrame, color: frame, width: 0.7, lines: [][]point{{{s.area.x1, s.area.y0}, {s.area.x1, s.area.y1}}}}
	for i, text := range s.y.labels() {
		y := at(s.y.ticks[i])
		g.lines = append(g.lines, []point{{s.area.x0, y}, {s.area.x1, y}})
		f.lines = append(f.lines, []point{{s.area.x1, y}, {s.area.x1 + 3, y}})
		p.scene.add(label{role: roleYTick, lines: []string{text + " %"}, style: tickText, at: point{s.area.x1 + tickGap + 1, y}, ay: 0.5})
	}
	base := at(100)
	p.scene.add(g, f, stroke{role: roleFrame, color: muted, width: 1, dash: []float64{1.5, 1.5}, lines: [][]point{{{s.area.x0, base}, {s.area.x1, base}}}})
	var stems, dots []item
	var texts []label
	n := len(p.X)
	for k, b := range p.placeBars() {
		i, j := k/len(p.Series), k%len(p.Series)
		v := p.Against.Shares[j][i] * 100
		if math.IsNaN(v) {
			continue
		}
		y := at(v)
		stems = append(stems, stroke{roleFrame, [][]point{{{b.mid, base}, {b.mid, y}}}, b.look.fill.pale(0.6), 1, nil})
		dots = append(dots, dot(point{b.mid, y}, b.look)...)
		text := strconv.FormatFloat(v, 'f', digitsOf(v), 64)
		l := label{role: roleValue, lines: []string{text}, style: valueText, at: point{b.mid, y + 5}, ax: 0.5}
		if v < 100 {
			l.at.y, l.ay = y-5, 1
		}
		w, _ := l.size()
		if n*len(p.Series) <= manyValues && w <= b.slot*1.6 {
			texts = append(texts, l)
		}
	}
	p.scene.add(stems...)
	p.scene.add(dots...)
	for i, l := range texts {
		clear := true
		for _, o := range texts[:i] {
			clear = clear && !o.box().overlaps(l.box())
		}
		if clear {
			p.scene.add(l)
		}
	}
}

// digitsOf gives decimals for three digits.
func digitsOf(percent float64) int {
	if math.Abs(percent) < 100 {
		return 1
	}
	return 0
}
