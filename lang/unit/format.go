package unit

import (
	"math"
	"strconv"
	"strings"
)

// Format prints a figure in base units for people: four significant digits and the unit that fits. symbol, where
// given, stands in place of the unit of counts and rates ("IOPS", "tpmC"; "%" makes a share of a plain number). Sizes print in powers
// of 1024 where that takes fewer figures (131072 is 128 KiB, 1.92e12 is 1.92 TB), all rates in powers of 1000. Infinity and NaN print as "–".
func Format(v float64, d Dim, symbol string) string { return format(v, d, symbol, 4) }

func format(v float64, d Dim, symbol string, digits int) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "–"
	}
	switch d {
	case Bytes:
		return formatBytes(v, digits)
	case BytesPerSec:
		return si(v, "B/s", digits)
	case Seconds:
		return formatSeconds(v, digits)
	case PerSecond:
		if symbol == "" {
			symbol = "/s"
		}
		if words := strings.Index(symbol, "/") > 0; words { // 1.2k events/s: nobody reads kevents
			f, p := prefix(v)
			return Digits(v/f, digits) + p + " " + symbol
		}
		return strings.Replace(si(v, symbol, digits), " /", "/", 1)
	case One:
		if symbol == "%" {
			return formatShare(v, digits)
		}
		if symbol != "" {
			return plain(v, digits) + " " + symbol
		}
		return plain(v, digits)
	}
	return plain(v, digits) + " " + d.String()
}

// Scale picks a unit for an axis or a column: divide figures by factor and print them with the name.
func Scale(max float64, d Dim, symbol string) (factor float64, name string) {
	max = math.Abs(max)
	switch d {
	case Seconds:
		switch {
		case max >= 7200:
			return 3600, "h"
		case max >= 300:
			return 60, "min"
		case max >= 1:
			return 1, "s"
		case max >= 1e-3:
			return 1e-3, "ms"
		case max == 0:
			return 1, "s"
		}
		return 1e-6, "µs"
	case Bytes, BytesPerSec:
		f, p := prefix(max)
		return f, p + d.String()
	case One:
		if symbol == "%" {
			return 0.01, "%"
		}
	case PerSecond:
		if symbol == "" {
			symbol = "/s"
		}
	}
	f, p := prefix(max)
	if symbol == "" {
		symbol = strings.TrimPrefix(d.String(), "1")
	}
	if p != "" && strings.Index(symbol, "/") > 0 {
		p += " "
	}
	return f, strings.TrimSpace(p + symbol)
}

func formatBytes(v float64, digits int) string {
	decimal, _ := prefix(v)
	if v == math.Trunc(v) && math.Mod(v, 1<<10) == 0 {
		for _, u := range []struct {
			f float64
			s string
		}{{1 << 40, " TiB"}, {1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}} {
			if math.Abs(v) >= u.f && math.Mod(v/u.f*100, 1) == 0 {
				if figures(v/u.f) >= figures(v/decimal) {
					break
				}
				return plain(v/u.f, digits) + u.s
			}
		}
	}
	return si(v, "B", digits)
}

// figures counts the significant digits of a number.
func figures(v float64) int {
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	return len(strings.Replace(mantissa, ".", "", 1))
}

func prefix(a float64) (float64, string) {
	a = math.Abs(a)
	for _, u := range []struct {
		f float64
		s string
	}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if a >= u.f*0.99995 {
			return u.f, u.s
		}
	}
	return 1, ""
}

func si(v float64, symbol string, digits int) string {
	f, p := prefix(v)
	return Digits(v/f, digits) + " " + p + symbol
}

// plain prints a number in full where that is short, without an exponent.
func plain(v float64, digits int) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Digits(v, digits)
}

// Digits prints v with n significant digits, without an exponent for everything of a human size, and without
// trailing zeroes after the point.
func Digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	a := math.Abs(v)
	if a >= 1e15 || a < 1e-6 {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	places := n - 1 - int(math.Floor(math.Log10(a)))
	if places < 0 {
		places = 0
	}
	s := strconv.FormatFloat(v, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// FormatSeconds prints a duration: 412 µs, 1.5 ms, 60 s, 10min, 1h30m.
func FormatSeconds(v float64) string { return formatSeconds(v, 4) }

// formatSeconds rounds what is long to whole seconds, as people do, unless more than the usual digits are wanted.
func formatSeconds(v float64, digits int) string {
	a := math.Abs(v)
	switch {
	case a == 0:
		return "0 s"
	case a < 1e-6:
		return Digits(v*1e9, digits) + " ns"
	case a < 1e-3*0.99995:
		return Digits(v*1e6, digits) + " µs"
	case a < 0.99995:
		return Digits(v*1e3, digits) + " ms"
	case a < 120 || a > 1e15 || digits > 4 && a != math.Trunc(a):
		return Digits(v, digits) + " s"
	}
	var b strings.Builder
	if v < 0 {
		b.WriteByte('-')
	}
	n := int64(math.Round(a))
	if n < 3600 && n%60 == 0 { // "10m" alone could be read as milliseconds
		return b.String() + strconv.FormatInt(n/60, 10) + "min"
	}
	if n%3600 == 0 {
		return b.String() + strconv.FormatInt(n/3600, 10) + "h"
	}
	for _, part := range []struct {
		size int64
		name string
	}{{3600, "h"}, {60, "m"}, {1, "s"}} {
		if k := n / part.size; k > 0 {
			b.WriteString(strconv.FormatInt(k, 10) + part.name)
			n -= k * part.size
		}
	}
	return b.String()
}

// FormatChange prints a signed share as a change from a baseline: 0.153 is +15.3 %.
func FormatChange(v float64) string { return formatChange(roundTo(v, 4), 4) }

func formatChange(v float64, digits int) string {
	s := Digits(v*100, digits)
	if v > 0 && s != "0" {
		s = "+" + s
	} else if s == "0" || s == "-0" {
		s = "±0"
	}
	return strings.Replace(s, "-", "−", 1) + " %"
}

// FormatShare prints a share without a sign: 0.95 is 95 %.
func FormatShare(v float64) string { return formatShare(v, 4) }

func formatShare(v float64, digits int) string { return Digits(v*100, digits) + " %" }

func roundTo(v float64, places int) float64 {
	p := math.Pow(10, float64(places))
	return math.Round(v*p) / p
}
