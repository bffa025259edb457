package chart

import (
	"math"
	"strconv"
	"strings"
)

// The scales of an axis. On nines, values are shares below 1, and each further nine (90 %, 99 %, 99.9 %) lies as far on as the last.
const (
	linear = "linear"
	log2   = "log2"
	log10  = "log10"
	nines  = "nines"
	// percent is linear, from 0 to 100.
	percent = "percent"
)

// warp gives where a value lies on a scale, in units of its own.
func warp(scale string, v float64) float64 {
	switch scale {
	case log2, log10:
		return math.Log10(v) // of any base: it only matters how they lie to one another
	case nines:
		return -math.Log10(1 - v)
	}
	return v
}

// onScale says whether a value has a place on a scale.
func onScale(scale string, v float64) bool {
	switch scale {
	case log2, log10:
		return drawable(v) && v >= 1/largest
	case nines:
		return v >= 0 && v < 1
	}
	return drawable(v)
}

// scaleAxis makes an axis that ends at lo and hi, on any scale, with as many ticks as have room: about most of them. On logarithmic
// scales it is widened to ticks where wide is set.
func scaleAxis(scale string, lo, hi float64, most int, wide bool) axis {
	most = max(2, most)
	switch scale {
	case log2, log10:
		return logAxis(scale, lo, hi, most, wide)
	case nines:
		return ninesAxis(lo, hi, most)
	}
	a := axis{lo: lo, hi: hi}
	if hi <= lo {
		a.lo, a.hi = lo-1, lo+1
		if !(a.lo < a.hi) { // 1 is less than can be told apart here
			a.lo, a.hi = lo-math.Abs(lo)/2, lo+math.Abs(lo)/2
		}
	}
	a.step = niceStep((a.hi - a.lo) / float64(most))
	if a.step == 0 {
		return scaleAxis(linear, 0, 1, most, wide)
	}
	if wide {
		a.lo, a.hi = math.Floor(a.lo/a.step+1e-9)*a.step, math.Ceil(a.hi/a.step-1e-9)*a.step
	}
	for k := math.Ceil(a.lo/a.step - 1e-6); k <= math.Floor(a.hi/a.step+1e-6) && len(a.ticks) < 20; k++ {
		a.ticks = append(a.ticks, k*a.step)
	}
	return a
}

// ticksIn is about how many ticks have room in a length of the page, upright or along.
func ticksIn(scale string, length float64, along bool) int {
	each := 24.0
	switch {
	case along && scale == nines:
		each = 26
	case along:
		each = 38
	case scale == log2 || scale == log10: // which must have more of them, to be read between
		each = 13
	}
	return int(length / each)
}

// logAxis has its ticks at 1 to 9, at 1, 2 and 5, or only at every so many powers of its base, as there is room.
func logAxis(scale string, lo, hi float64, most int, wide bool) axis {
	if hi <= lo {
		lo, hi = lo/2, hi*2
	}
	base := 10.0
	steps := [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1}}
	if scale == log2 {
		base, steps = 2, [][]float64{{1}}
	}
	power := func(v float64) float64 { return math.Log(v) / math.Log(base) }
	if wide {
		down, up := math.Pow(base, math.Floor(power(lo)+1e-9)), math.Pow(base, math.Floor(power(hi)-1e-9))
		from, to := down, up*base
		for _, m := range steps[min(1, len(steps)-1)] {
			if m*down <= lo*(1+1e-9) {
				from = m * down
			}
			if m*up >= hi*(1-1e-9) {
				to = math.Min(to, m*up)
			}
		}
		lo, hi = from, to
	}
	a := axis{scale: scale, lo: lo, hi: hi}
	first, last := math.Floor(power(lo)-1e-9), math.Ceil(power(hi)+1e-9)
	every := 1.0
	for i := 0; ; i++ {
		set := steps[min(i, len(steps)-1)]
		if i >= len(steps) {
			every++
		}
		a.ticks = nil
		for k := first; k <= last && len(a.ticks) <= most; k++ {
			if every > 1 && math.Mod(k, every) != 0 {
				continue
			}
			for _, m := range set {
				if v := m * math.Pow(base, k); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) && onScale(scale, v) {
					a.ticks = append(a.ticks, v)
				}
			}
		}
		if len(a.ticks) <= most {
			break
		}
	}
	if len(a.ticks) < 2 { // less than a factor apart: ticks as on a linear scale
		a.ticks = scaleAxis(linear, lo, hi, min(most, 5), false).ticks
	}
	return a
}

// ninesAxis begins at 0 or, where all values lie further on, at the nine before.
func ninesAxis(lo, hi float64, most int) axis {
	hi = math.Max(hi, 0.5)
	a := axis{scale: nines, lo: 0, hi: hi}
	all := []float64{0, 0.5}
	for k := 1; k <= 12; k++ {
		all = append(all, 1-math.Pow(10, -float64(k)))
	}
	for _, v := range all {
		if v <= hi+(1-hi)*1e-6 {
			a.ticks = append(a.ticks, v)
		}
	}
	for len(a.ticks) > most && len(a.ticks) > 3 {
		a.ticks = append(a.ticks[:1], a.ticks[2:]...)
	}
	return a
}

// tickText words a tick of a scale that is not linear; on nines in percent, as one speaks of percentiles.
func (a axis) tickText(v float64) string {
	switch {
	case a.scale == nines && v == 0:
		return "0"
	case a.scale == nines && v < 0.9:
		return strconv.FormatFloat(v*100, 'f', -1, 64)
	case a.scale == nines:
		k := int(math.Round(-math.Log10(1 - v)))
		text := strings.Repeat("9", k)
		if k == 1 {
			return "90"
		}
		if k > 2 {
			text = text[:2] + "." + text[2:]
		}
		return text
	case math.Abs(v) >= 1e6 || math.Abs(v) < 1e-4:
		return scientific(v)
	}
	return thousands(strconv.FormatFloat(v, 'g', 6, 64))
}
