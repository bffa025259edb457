package chart

import "math"

// swatch is a bar, in the figure or in its legend: its fill, its hatch, and for light colours an outline.
func swatch(as role, r rect, l look) []item {
	items := []item{polygon{as, r.corners(), l.fill}}
	if h := hatching(r, l.hatch, l.fine); len(h) > 0 {
		items = append(items, stroke{roleFrame, h, l.lines, 0.6, nil})
	}
	if l.edge {
		in := r.grow(-0.3)
		if in.x0 < in.x1 && in.y0 < in.y1 {
			items = append(items, stroke{roleFrame, [][]point{append(in.corners(), point{in.x0, in.y0})}, l.lines, 0.6, nil})
		}
	}
	return items
}

// hatching gives the lines of a pattern within an area. They lie on a grid that is the page's, not the area's, so that
// bars side by side look alike.
func hatching(r rect, h hatch, fine bool) [][]point {
	apart := 4.5
	if fine {
		apart /= 2
	}
	var lines [][]point
	add := func(a, b point) {
		if from, to, ok := r.clip(a, b); ok && from != to {
			lines = append(lines, []point{from, to})
		}
	}
	w, tall := r.x1-r.x0, r.y1-r.y0
	if h == rising || h == crossed {
		for c := math.Floor((r.y0-r.x1)/apart) * apart; c < r.y1-r.x0; c += apart {
			add(point{r.x0, r.x0 + c}, point{r.x1, r.x1 + c})
		}
	}
	if h == falling || h == crossed {
		for c := math.Floor((r.y0+r.x0)/apart) * apart; c < r.y1+r.x1; c += apart {
			add(point{r.x0, c - r.x0}, point{r.x1, c - r.x1})
		}
	}
	if h == level {
		for y := math.Ceil(r.y0/apart) * apart; y < r.y0+tall; y += apart {
			add(point{r.x0, y}, point{r.x1, y})
		}
	}
	if h == upright {
		for x := math.Ceil(r.x0/apart) * apart; x < r.x0+w; x += apart {
			add(point{x, r.y0}, point{x, r.y1})
		}
	}
	return lines
}

// errorBar is an interval with caps.
func errorBar(x, lo, hi, caps float64, c shade, width float64) stroke {
	return stroke{roleError, [][]point{
		{{x, lo}, {x, hi}},
		{{x - caps/2, lo}, {x + caps/2, lo}},
		{{x - caps/2, hi}, {x + caps/2, hi}},
	}, c, width, nil}
}

// dot is the marker of a line, cased in white.
func dot(at point, l look) []item {
	const radius = 2.5
	items := []item{
		polygon{roleMarker, markerShape(l.marker, at, radius+0.7), white},
		polygon{roleMarker, markerShape(l.marker, at, radius), l.fill},
	}
	if l.hollow {
		items = append(items, polygon{roleMarker, markerShape(l.marker, at, radius-1.1), white})
	}
	return items
}
