package chart

import (
	"fmt"
	"math"
	"testing"
)

// light is a colour in linear RGB.
type light [3]float64

func lightOf(s shade) light { return light{fromSRGB(s.r), fromSRGB(s.g), fromSRGB(s.b)} }

func (l light) times(m [3]light) light {
	var out light
	for i, row := range m {
		for k, v := range row {
			out[i] += v * l[k]
		}
		out[i] = math.Max(0, math.Min(1, out[i]))
	}
	return out
}

// The matrices are those of Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG
// 15 (2009), at severity 1.0, for linear RGB: https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html.
var sights = []struct {
	name string
	of   [3]light
}{
	{"all colours", [3]light{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protanopia", [3]light{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
	{"deuteranopia", [3]light{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
	{"tritanopia", [3]light{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
	{"black and white", [3]light{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}},
}

// lab gives a colour in CIE 1976 L*a*b* with the white of D65.
func (l light) lab() light {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*l[0] + 0.3576*l[1] + 0.1805*l[2]) / 0.9505)
	y := f(0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2])
	z := f((0.0193*l[0] + 0.1192*l[1] + 0.9505*l[2]) / 1.089)
	return light{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// apart is the difference of two colours as one sees them, ΔE of CIE 1976: 2.3 is just to be noticed.
func apart(a, b shade, sight [3]light) float64 {
	p, q := lightOf(a).times(sight).lab(), lightOf(b).times(sight).lab()
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// TestPalette asks that any two series can be told apart by everybody and in black and white: by colour, and where colours are near, by another
// hatch, another marker and another dash.
func TestPalette(t *testing.T) {
	const clear = 20 // ΔE, far more than what is just noticed, as bars and lines stand apart
	for _, sight := range sights {
		for i := range 14 {
			for j := range i {
				a, b := lookOf(i), lookOf(j)
				byColour := apart(a.fill, b.fill, sight.of) >= clear
				byShape := (a.hatch != b.hatch || a.fine != b.fine) && (a.marker != b.marker || a.hollow != b.hollow)
				byLine := fmt.Sprint(a.dash) != fmt.Sprint(b.dash)
				if !byColour && !byShape {
					t.Errorf("%s: series %d and %d look alike: ΔE %.1f, the same hatch or marker", sight.name, j+1, i+1, apart(a.fill, b.fill, sight.of))
				}
				if !byColour && !byLine {
					t.Errorf("%s: the lines of series %d and %d look alike: ΔE %.1f, the same dashes", sight.name, j+1, i+1, apart(a.fill, b.fill, sight.of))
				}
			}
		}
	}
	for _, sight := range sights { // the first two, which most figures have, are plain bars
		if d := apart(lookOf(0).fill, lookOf(1).fill, sight.of); d < clear {
			t.Errorf("%s: the first two series differ by ΔE %.1f only", sight.name, d)
		}
	}
}

// contrast is that of WCAG 2.2.
func contrast(a, b shade) float64 {
	p, q := luminance(a)+0.05, luminance(b)+0.05
	return math.Max(p, q) / math.Min(p, q)
}

// TestContrast holds text to 4.5 and marks to 3 on white (WCAG 2.2, 1.4.3 and 1.4.11). Fills that are lighter have an outline or a hatch that is not.
func TestContrast(t *testing.T) {
	for name, s := range map[string]textStyle{"title": titleText, "subtitle": subtitleText, "legend": legendText, "axis": axisText, "tick": tickText,
		"value": valueText, "note": noteText, "limit": limitText, "foot": footText, "panel": panelText} {
		for on, back := range map[string]shade{"white": white, "shading": shading} {
			if c := contrast(s.color, back); c < 4.5 {
				t.Errorf("%s on %s has a contrast of %.2f", name, on, c)
			}
		}
	}
	if c := contrast(alarm, white); c < 3 {
		t.Errorf("limits have a contrast of %.2f", c)
	}
	for i := range 101 {
		s := heatShade(float64(i) / 100)
		if c := contrast(textOn(s), s); c < 4.5 {
			t.Errorf("text in a cell of %v has a contrast of %.2f", s, c)
		}
	}
}

// TestHeatShades asks that more is lighter for everybody, in steps of the same kind.
func TestHeatShades(t *testing.T) {
	for _, sight := range sights {
		last := -1.0
		for i := range 21 {
			l := lightOf(heatShade(float64(i) / 20)).times(sight.of).lab()[0]
			if l < last+1.5 {
				t.Errorf("%s: at %d %% lightness is %.1f after %.1f", sight.name, i*5, l, last)
			}
			last = l
		}
	}
}
