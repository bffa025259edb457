package chart

import "slices"

// dotLabels sets the labels of points beside them, where they touch no line, no marker and no other text; some find no place.
func (p *plot) dotLabels(taken []label) []label {
	var joined [][]point
	var dots []point
	for _, c := range p.Curves {
		pts := p.whole(c, [2]int{0, len(c.X)})
		joined, dots = append(joined, pts), append(dots, pts...)
	}
	free := func(b rect, own []label) bool {
		if !b.within(p.area) {
			return false
		}
		meets := func(o label) bool { return o.box().grow(1).overlaps(b) }
		if slices.ContainsFunc(taken, meets) || slices.ContainsFunc(own, meets) {
			return false
		}
		for _, d := range dots {
			if b.grow(2.6).overlaps(rect{d.x, d.y, d.x + 0.01, d.y + 0.01}) {
				return false
			}
		}
		for _, line := range joined {
			for i := 1; i < len(line); i++ {
				if b.crossedBy(line[i-1], line[i]) {
					return false
				}
			}
		}
		for _, l := range p.Limits {
			if y := p.yAt(l.Y); p.outside(l) == 0 && b.y0-1 < y && y < b.y1+1 {
				return false
			}
		}
		return true
	}
	var out []label
	for k, c := range p.Curves {
		for i, text := range c.Labels {
			if text == "" {
				continue
			}
			at := joined[k][i]
			for _, place := range []struct{ dx, dy, ax, ay float64 }{
				{0, 5, 0.5, 0}, {0, -5, 0.5, 1}, {5, 0, 0, 0.5}, {-5, 0, 1, 0.5}, {4, 4, 0, 0}, {-4, 4, 1, 0}, {4, -4, 0, 1}, {-4, -4, 1, 1},
			} {
				l := label{role: roleValue, lines: []string{valueText.truncate(text, 80)}, style: valueText,
					at: point{at.x + place.dx, at.y + place.dy}, ax: place.ax, ay: place.ay}
				if free(l.box(), out) {
					out = append(out, l)
					break
				}
			}
		}
	}
	return out
}
