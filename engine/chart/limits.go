package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// gutter is the strip at the right of the plot area in which the labels of limits stand, clear of bars and lines.
type gutter struct {
	width  float64
	labels []label // one for each different limit that has a label, in the order of the limits
	of     []Limit
}

const (
	gutterText = 82.0 // widest line of a limit's label
	leader     = 12.0 // from the end of the limit's line to its label
)

// limitTexts words the labels of limits to fit into a height. Where there are so many that they do not fit in one line
// each, the last says how many more there are.
func (p *plot) limitTexts(height float64) gutter {
	g := gutter{width: 4}
	if p.bare {
		return g
	}
	for _, n := range []int{3, 2, 1} {
		g.labels, g.of = nil, nil
		used := 0.0
		for i, l := range p.Limits {
			lines, _ := limitText.wrap(l.Label, gutterText, n)
			if len(lines) == 0 || slices.Contains(p.Limits[:i], l) {
				continue
			}
			lb := label{role: roleLimit, lines: lines, style: limitText, ay: 0.5}
			_, h := lb.size()
			used += h + 2
			g.labels, g.of = append(g.labels, lb), append(g.of, l)
		}
		if used <= height-minPlot/2 {
			break
		}
		if most := int((height - minPlot) / (limitText.size + 2)); n == 1 && len(g.labels) > most && most > 0 {
			g.labels[most-1].lines = []string{fmt.Sprintf("and %d more", len(g.labels)-most+1)}
			g.labels, g.of = g.labels[:most], g.of[:most]
		}
	}
	for _, l := range g.labels {
		w, _ := l.size()
		g.width = math.Max(g.width, w+leader+2)
	}
	return g
}

// limitRooms keeps limits that are on the scale off its upper end.
func (p *plot) limitRooms() []room {
	var rs []room
	lo, hi := p.span()
	for _, l := range p.Limits {
		if l.Y >= lo && l.Y <= hi {
			rs = append(rs, room{value: l.Y, above: 4})
		}
	}
	return rs
}

// limitLines draws the lines of limits that lie in the plot area, cased in white to show on bars.
func (p *plot) limitLines() {
	var drawn []float64
	var paths [][]point
	for _, l := range p.Limits {
		if p.outside(l) != 0 || slices.Contains(drawn, l.Y) {
			continue
		}
		drawn = append(drawn, l.Y)
		y := p.yAt(l.Y)
		paths = append(paths, []point{{p.area.x0, y}, {p.area.x1, y}})
	}
	if len(paths) > 0 {
		p.scene.add(
			stroke{roleLimit, paths, white.fade(200), 2.2, nil},
			stroke{roleLimit, paths, alarm, 1.2, []float64{5, 3}})
	}
}

// outside tells where a limit lies: 0 on the scale, 1 above it, -1 below.
func (p *plot) outside(l Limit) int {
	if !onScale(p.y.scale, l.Y) { // 0 on a logarithmic one
		return -1
	}
	switch n := p.y.norm(l.Y); {
	case n > 1+1e-9:
		return 1
	case n < -1e-9:
		return -1
	}
	return 0
}

// limits sets the labels of limits beside the ends of their lines, moved apart where they would touch, each joined to
// its line; those off the scale at the edge, with an arrow. They may reach down to bottom, beside the categories.
func (p *plot) limits(g gutter, bottom float64) {
	order := make([]int, len(g.labels))
	wish := make([]float64, len(g.labels))
	for i, l := range g.of {
		order[i] = i
		wish[i] = math.Min(math.Max(p.yAt(l.Y), p.area.y0), p.area.y1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.of[a].Y, g.of[b].Y) })
	var heights, wishes []float64
	for _, i := range order {
		_, h := g.labels[i].size()
		heights, wishes = append(heights, h+2), append(wishes, wish[i])
	}
	for k, y := range spread(wishes, heights, bottom, p.area.y1) {
		i := order[k]
		l := g.labels[i]
		l.at = point{p.area.x1 + leader, y}
		from, elbow := point{p.area.x1, wish[i]}, point{p.area.x1 + leader - 3, y}
		if out := p.outside(g.of[i]); out != 0 {
			tip := point{p.area.x1 + leader - 6, y + 3.5*float64(out)}
			p.scene.add(polygon{roleFrame, []point{tip, {tip.x - 3, y - 2.5*float64(out)}, {tip.x + 3, y - 2.5*float64(out)}}, alarm})
		} else {
			p.scene.add(stroke{roleFrame, [][]point{{from, elbow}}, alarm, 0.7, nil})
		}
		p.scene.add(l)
	}
}

// spread moves intervals of given heights, centred at wishes in ascending order, apart by as little as it takes, and into lo to hi
// if they fit there: neighbours that touch form a block, which stands at the mean of its members' wishes.
func spread(wishes, heights []float64, lo, hi float64) []float64 {
	type block struct {
		n         int
		size, sum float64 // height of the block; sum of where its members wish its bottom
	}
	bottom := func(b block) float64 {
		return math.Max(lo, math.Min(hi-b.size, b.sum/float64(b.n)))
	}
	var blocks []block
	for i, w := range wishes {
		b := block{1, heights[i], w - heights[i]/2}
		for len(blocks) > 0 {
			below := blocks[len(blocks)-1]
			if bottom(below)+below.size <= bottom(b) {
				break
			}
			blocks = blocks[:len(blocks)-1]
			b = block{below.n + b.n, below.size + b.size, below.sum + b.sum - below.size*float64(b.n)}
		}
		blocks = append(blocks, b)
	}
	var out []float64
	for _, b := range blocks {
		y := bottom(b)
		for range b.n {
			h := heights[len(out)]
			out = append(out, y+h/2)
			y += h
		}
	}
	return out
}

// verticalLimits draws the limits on x of curves, and gives their labels: upright beside them, at the top or the bottom, where they touch no curve and
// no other text if that can be.
func (p *plot) verticalLimits(taken []label) []label {
	var ls []label
	var drawn []float64
	for _, l := range p.XLimits {
		n := -1.0
		if onScale(p.across.scale, l.Y) {
			n = p.across.norm(l.Y)
		}
		out := n < -1e-9 || n > 1+1e-9
		x := p.area.x0 + math.Max(0, math.Min(1, n))*(p.area.x1-p.area.x0)
		if !out && !slices.Contains(drawn, l.Y) {
			drawn = append(drawn, l.Y)
			path := [][]point{{{x, p.area.y0}, {x, p.area.y1}}}
			p.scene.add(stroke{roleLimit, path, white.fade(200), 2.2, nil}, stroke{roleLimit, path, alarm, 1.2, []float64{5, 3}})
		}
		if l.Label == "" || p.bare {
			continue
		}
		text := l.Label
		switch {
		case out && n > 1:
			text += " →"
		case out:
			text = "← " + text
		}
		lb := label{role: roleLimit, lines: []string{limitText.truncate(text, p.area.y1-p.area.y0-6)}, style: limitText, angle: math.Pi / 2, halo: true}
		if best, ok := p.besideLine(lb, x, append(slices.Clone(taken), ls...)); ok {
			ls = append(ls, best)
		}
	}
	return ls
}

// besideLine finds the place of an upright label beside x: one that touches nothing, else one that touches only curves.
func (p *plot) besideLine(l label, x float64, taken []label) (best label, ok bool) {
	for step := range 4 {
		off := 2.5 + float64(step)*(limitText.size+4.5)
		for _, place := range []struct{ at, ax, ay float64 }{{x - off, 1, 0}, {x - off, 0, 0}, {x + off, 1, 1}, {x + off, 0, 1}} {
			l.at, l.ax, l.ay = point{place.at, p.area.y1 - 3}, place.ax, place.ay
			if place.ax == 0 {
				l.at.y = p.area.y0 + 3
			}
			b := l.box()
			if b.x0 < p.area.x0 || b.x1 > p.page.x1-2 || slices.ContainsFunc(taken, func(o label) bool { return o.box().grow(1).overlaps(b) }) {
				continue
			}
			if !p.meetsCurve(b) {
				return l, true
			}
			if !ok {
				best, ok = l, true
			}
		}
	}
	return best, ok
}

// meetsCurve says whether a curve passes through an area.
func (p *plot) meetsCurve(b rect) bool {
	for _, c := range p.Curves {
		for _, run := range c.runs() {
			pts := p.reduce(c, run, 1)
			for i := 1; i < len(pts); i++ {
				if b.grow(1).crossedBy(pts[i-1], pts[i]) {
					return true
				}
			}
		}
	}
	return false
}

// targets marks where limits hold that are about one value of the other axis.
func (p *plot) targets() {
	for _, t := range p.Targets {
		if !onScale(p.across.scale, t.X) || !onScale(p.y.scale, t.Y) {
			continue
		}
		inside := func(n float64) bool { return n >= -1e-9 && n <= 1+1e-9 }
		if inside(p.across.norm(t.X)) && inside(p.y.norm(t.Y)) {
			p.scene.add(dot(point{p.xAt(t.X), p.yAt(t.Y)}, look{fill: alarm, marker: diamond, hollow: true})...)
		}
	}
}

// limitNames are what the legend of a heatmap or of a figure with panels says of limits, each once.
func (f Figure) limitNames() []string {
	var out []string
	for _, l := range append(slices.Clone(f.Limits), f.XLimits...) {
		text := l.Label
		if f.Kind == kindHeatmap {
			text = "beyond " + text
		}
		if l.Label != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
