package chart

import (
	"math"
	"strconv"
	"strings"
)

// axis is the scale of the values: lo at the bottom of the plot area, hi at its top.
type axis struct {
	scale  string // empty: linear
	lo, hi float64
	ticks  []float64
	step   float64
}

// room is what must find its place above and below a value, in points: its label.
type room struct{ value, above, below float64 }

// newAxis finds a scale from lo to hi for an area of the given height in points, with room for labels. It ends at a
// multiple of half its step, or where the labels end. lo may equal hi.
func newAxis(lo, hi, height float64, rooms []room) axis {
	if hi <= lo {
		switch {
		case lo > 0:
			lo = 0
		case lo < 0:
			hi = 0
		default:
			hi = 1
		}
	}
	a := axis{step: niceStep((hi - lo) / math.Max(2, math.Min(6, math.Round(height/30))))}
	if a.step == 0 { // the values differ by less than can be computed with
		return newAxis(0, 1, height, nil)
	}
	half := a.step / 2
	a.lo, a.hi = math.Floor(lo/half+1e-9)*half, math.Ceil(hi/half-1e-9)*half
	for range 40 {
		up, down := false, false
		for _, r := range rooms {
			y := a.norm(r.value) * height
			up = up || y+r.above > height
			down = down || y-r.below < 0
		}
		if !up && !down {
			break
		}
		if up {
			a.hi += half / 2
		}
		if down {
			a.lo -= half / 2
		}
	}
	if (a.hi-a.lo)/a.step > 9 {
		a.step = niceStep((a.hi - a.lo) / 6)
	}
	for k := math.Ceil(a.lo/a.step - 1e-6); k <= math.Floor(a.hi/a.step+1e-6) && len(a.ticks) < 20; k++ {
		a.ticks = append(a.ticks, k*a.step)
	}
	return a
}

// niceStep rounds up to 1, 2, 2.5 or 5 times a power of ten.
func niceStep(raw float64) float64 {
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*mag >= raw*0.999 {
			return m * mag
		}
	}
	return 10 * mag
}

// norm gives where a value lies: 0 at the bottom, 1 at the top.
func (a axis) norm(v float64) float64 {
	if a.scale == "" {
		return (v - a.lo) / (a.hi - a.lo)
	}
	lo, hi := warp(a.scale, a.lo), warp(a.scale, a.hi)
	return (warp(a.scale, v) - lo) / (hi - lo)
}

// labels prints the ticks, all with the same number of decimals, thousands apart; very large and very small ones with
// an exponent.
func (a axis) labels() []string {
	out := make([]string, len(a.ticks))
	if a.scale != "" {
		for i, v := range a.ticks {
			out[i] = a.tickText(v)
		}
		return out
	}
	top := math.Max(math.Abs(a.lo), math.Abs(a.hi))
	decimals := 0
	for ; decimals < 7 && !whole(a.step*math.Pow(10, float64(decimals))); decimals++ {
	}
	for i, v := range a.ticks {
		switch {
		case v == 0:
			out[i] = "0"
		case top >= 1e7 || decimals > 5:
			out[i] = scientific(v)
		default:
			out[i] = thousands(strconv.FormatFloat(v, 'f', decimals, 64))
		}
		if strings.HasPrefix(out[i], "-") {
			out[i] = "−" + out[i][1:]
		}
	}
	return out
}

// scientific prints 2.5e12 and 1e−9.
func scientific(v float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	mantissa = strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".")
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return mantissa // an exponent is always a number
	}
	return mantissa + "e" + strings.Replace(strconv.Itoa(n), "-", "−", 1)
}

func whole(v float64) bool {
	return math.Abs(v-math.Round(v)) < 1e-6*math.Max(1, math.Abs(v)) && math.Round(v) != 0
}

// thousands puts a narrow space between groups of three digits where there are five or more.
func thousands(s string) string {
	digits, frac, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if len(digits) > 4 {
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "\u2009" + digits[i:]
		}
	}
	if frac != "" {
		frac = "." + frac
	}
	return sign + digits + frac
}
