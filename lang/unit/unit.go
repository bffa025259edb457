// Package unit is about quantities: a number with a unit, read once, exactly, and printed without ambiguity.
//
// It knows bytes, seconds, counts, shares and their quotients. It leaves out currencies and other free units of
// derived measures but for carrying them as an opaque part of a dimension, and it does no arithmetic beyond
// comparison: figures are computed as float64 in base units elsewhere.
package unit

import (
	"math/big"
	"strconv"
	"strings"
)

// Dim is a dimension: exponents over the base units byte and second, and whatever else a derived measure is
// counted in. The zero value is a plain number: a count, a ratio, a share. It is comparable.
type Dim struct {
	Byte   int8   `json:"byte,omitempty"`
	Second int8   `json:"second,omitempty"`
	Other  string `json:"other,omitempty"` // "NT$/tpmC": a unit that is only carried, never converted
}

// The dimensions that schemas name.
var (
	One           = Dim{}
	Bytes         = Dim{Byte: 1}
	Seconds       = Dim{Second: 1}
	BytesPerSec   = Dim{Byte: 1, Second: -1}
	PerSecond     = Dim{Second: -1}
	allDimensions = []Dim{One, Bytes, Seconds, BytesPerSec, PerSecond}
)

// String gives the base unit of the dimension as results name it: B, B/s, s, 1/s, 1.
func (d Dim) String() string {
	var num, den []string
	add := func(sym string, n int8) {
		list := &num
		if n < 0 {
			list, n = &den, -n
		}
		for ; n > 0; n-- {
			*list = append(*list, sym)
		}
	}
	add("B", d.Byte)
	add("s", d.Second)
	if d.Other != "" {
		num = append(num, d.Other)
	}
	s := strings.Join(num, "*")
	if s == "" {
		s = "1"
	}
	if len(den) > 0 {
		s += "/" + strings.Join(den, "/")
	}
	return s
}

// ParseDim reads what Dim.String writes; anything else becomes an opaque unit.
func ParseDim(s string) Dim {
	for _, d := range allDimensions {
		if d.String() == s {
			return d
		}
	}
	return Dim{Other: s}
}

// Noun says what a quantity of this dimension is called in a sentence: "a size", "a duration".
func (d Dim) Noun() string {
	switch d {
	case One:
		return "a number"
	case Bytes:
		return "a size"
	case Seconds:
		return "a duration"
	case BytesPerSec:
		return "a rate in bytes per second"
	case PerSecond:
		return "a rate per second"
	}
	return "a quantity in " + d.String()
}

// Example is a quantity of this dimension as one would write it, for error messages.
func (d Dim) Example() string {
	switch d {
	case One:
		return "100"
	case Bytes:
		return "128KiB"
	case Seconds:
		return "60s"
	case BytesPerSec:
		return "500MB/s"
	case PerSecond:
		return "35k IOPS"
	}
	return "1 " + d.String()
}

// Quantity is a number with a dimension. The value is exact; the text is kept as it was written.
type Quantity struct {
	value    *big.Rat
	dim      Dim
	relative bool // written with a sign and %: measured from a baseline
	share    bool // written with %
	text     string
}

// Number makes a plain quantity of the given dimension from a float in base units, read as the shortest
// decimal that gives this float: 0.1 is 1/10.
func Number(f float64, d Dim) Quantity {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return Quantity{value: r, dim: d, text: strconv.FormatFloat(f, 'g', -1, 64)}
}

// IsZero reports whether q is the zero Quantity, which means "not given".
func (q Quantity) IsZero() bool { return q.value == nil }

// Dim is the dimension of q.
func (q Quantity) Dim() Dim { return q.dim }

// Relative reports whether q was written as a signed percentage, which is measured from a baseline: +15%.
func (q Quantity) Relative() bool { return q.relative }

// Share reports whether q was written as a percentage without a sign: 95%.
func (q Quantity) Share() bool { return q.share && !q.relative }

// Text is q as it was written.
func (q Quantity) Text() string { return q.text }

// Rat is the exact value in base units (bytes, seconds, their quotients). The caller may change the result.
func (q Quantity) Rat() *big.Rat { return new(big.Rat).Set(q.value) }

// Float is the value in base units as the nearest float64.
func (q Quantity) Float() float64 {
	f, _ := q.value.Float64()
	return f
}

// Decimal is the value in base units as an exact decimal where there is a finite one of at most 40 places,
// else rounded to 40 places.
func (q Quantity) Decimal() string {
	if q.value.IsInt() {
		return q.value.Num().String()
	}
	s := strings.TrimRight(q.value.FloatString(40), "0")
	return strings.TrimSuffix(s, ".")
}

// Cmp compares the values of two quantities of one dimension; it panics when the dimensions differ.
func (q Quantity) Cmp(o Quantity) int {
	if q.dim != o.dim {
		panic("unit: comparing " + q.dim.String() + " with " + o.dim.String())
	}
	return q.value.Cmp(o.value)
}

// String is the unambiguous form: 128 KiB, 1.5 GB/s, +15 %. It has as many digits as it takes for the value to be read back
// from it, up to those of a float64.
func (q Quantity) String() string {
	if q.value == nil {
		return ""
	}
	for digits := 4; ; digits++ {
		s := q.format(digits)
		back, err := Parse(s, q.dim)
		if digits == 17 || err == nil && back.value.Cmp(q.value) == 0 {
			return s
		}
	}
}

func (q Quantity) format(digits int) string {
	switch {
	case q.relative:
		return formatChange(q.Float(), digits)
	case q.share:
		return formatShare(q.Float(), digits)
	}
	return format(q.Float(), q.dim, "", digits)
}
