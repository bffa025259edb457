package chart

import "math"

// shade is a colour with its opacity, 255 being opaque. It is image/color's NRGBA, kept apart from it so that layout
// stays plain data.
type shade struct{ r, g, b, a uint8 }

// fade gives the colour at another opacity.
func (s shade) fade(a uint8) shade { s.a = a; return s }

// pale mixes the colour with white: 0 is white, 1 the colour itself.
func (s shade) pale(share float64) shade {
	mix := func(c uint8) uint8 { return uint8(math.Round(255 - (255-float64(c))*share)) }
	return shade{mix(s.r), mix(s.g), mix(s.b), s.a}
}

// The colours of everything that is not a series. Vermilion is kept for limits and stands for nothing else.
var (
	white = shade{255, 255, 255, 255}
	black = shade{0, 0, 0, 255}
	ink   = shade{0x24, 0x29, 0x2F, 255}
	muted = shade{0x57, 0x60, 0x6A, 255}
	grid  = shade{0xE1, 0xE4, 0xE8, 255}
	frame = shade{0x8C, 0x95, 0x9F, 255}
	// shading lies behind what happened over a time.
	shading = shade{0xEE, 0xF0, 0xF3, 255}
	alarm   = shade{0xB6, 0x49, 0x00, 255} // Okabe and Ito's vermilion, darkened to be read as small text
)

// Text styles, by what they are used for.
var (
	titleText    = textStyle{12, true, ink}
	panelText    = textStyle{9, true, ink}
	subtitleText = textStyle{8.5, false, muted}
	legendText   = textStyle{8.5, false, ink}
	axisText     = textStyle{8.5, false, muted}
	tickText     = textStyle{8.5, false, ink}
	smallTick    = textStyle{7.5, false, ink} // where names are many or long
	valueText    = textStyle{7, false, ink}
	noteText     = textStyle{7, false, muted}
	limitText    = textStyle{7.5, true, alarm}
	footText     = textStyle{7, false, muted}
)

// hatch is a pattern over a bar, which tells it apart where colours do not print.
type hatch int

const (
	plain hatch = iota
	rising
	falling
	crossed
	level
	upright
)

// look is how one series is told from the others: by colour, and without colour by hatch and marker.
type look struct {
	fill   shade
	hatch  hatch
	fine   bool  // the lines of the hatch lie half as far apart
	lines  shade // of the hatch and, where edge is set, of the outline
	edge   bool  // a light fill needs an outline on white paper
	marker marker
	hollow bool
	dash   []float64 // of a line without markers
}

// dashes tell lines without markers apart: the first is solid.
var dashes = [][]float64{
	nil, {7, 2.5}, {2, 2}, {8, 2.5, 2, 2.5}, {4, 1.5}, {12, 3}, {8, 2, 2, 2, 2, 2},
	{1, 1.5}, {3, 3}, {6, 6}, {14, 2}, {10, 2, 10, 2, 2, 2}, {5, 2, 1, 2}, {10, 2, 2, 2, 2, 2, 2, 2},
}

// again are the patterns of the bars that have a colour of the palette for the second time.
var again = []struct {
	hatch hatch
	fine  bool
}{{falling, true}, {level, true}, {upright, true}, {crossed, true}, {rising, true}, {upright, false}, {level, false}}

// palette is Okabe and Ito's (Color Universal Design, 2008), less vermilion and black, in an order in which neighbours
// differ in luminance: 0.16, 0.43, 0.26, 0.32, 0.41, 0.22, 0.75. From the third on, a hatch makes up for what
// luminance alone no longer tells.
var palette = []look{
	{fill: shade{0x00, 0x72, 0xB2, 255}, hatch: plain, lines: white},
	{fill: shade{0xE6, 0x9F, 0x00, 255}, hatch: plain, lines: white},
	{fill: shade{0x00, 0x9E, 0x73, 255}, hatch: rising, lines: white},
	{fill: shade{0xCC, 0x79, 0xA7, 255}, hatch: falling, lines: white},
	{fill: shade{0x56, 0xB4, 0xE9, 255}, hatch: crossed, lines: white},
	{fill: shade{0x7F, 0x7F, 0x7F, 255}, hatch: level, lines: white},
	{fill: shade{0xF0, 0xE4, 0x42, 255}, hatch: upright, lines: shade{0x9A, 0x8F, 0x00, 255}, edge: true},
}

// lookOf gives the look of the i-th series. After the palette's end colours come again with other hatches, other dashes and hollow markers; no
// figure needs more than twice as many.
func lookOf(i int) look {
	n := len(palette)
	l := palette[i%n]
	l.marker = marker(i % int(markers))
	l.dash = dashes[i%len(dashes)]
	if i/n%2 == 1 {
		l.hatch, l.fine, l.hollow = again[i%n].hatch, again[i%n].fine, true
	}
	return l
}

// marker is the shape of a point of a line.
type marker int

const (
	circle marker = iota
	square
	triangle
	diamond
	wedge // a triangle on its tip
	pentagon
	star
	markers // how many there are
)

// markerShape gives a marker's outline about a point. Shapes are scaled to look equally large.
func markerShape(m marker, at point, radius float64) []point {
	ring := func(n int, r, turn float64) []point {
		pts := make([]point, n)
		for i := range pts {
			s, c := math.Sincos(turn + 2*math.Pi*float64(i)/float64(n))
			pts[i] = point{at.x + r*c, at.y + r*s}
		}
		return pts
	}
	up := math.Pi / 2
	switch m {
	case square:
		return ring(4, radius*1.25, math.Pi/4)
	case triangle:
		return ring(3, radius*1.45, up)
	case diamond:
		return ring(4, radius*1.35, 0)
	case wedge:
		return ring(3, radius*1.45, -up)
	case pentagon:
		return ring(5, radius*1.15, up)
	case star:
		outer, inner := ring(5, radius*1.6, up), ring(5, radius*0.7, up+math.Pi/5)
		var pts []point
		for i := range outer {
			pts = append(pts, outer[i], inner[i])
		}
		return pts
	}
	return ring(24, radius, 0)
}
