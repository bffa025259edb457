package unit

import "strings"

// Times is the dimension of a product.
func (d Dim) Times(o Dim) Dim {
	p := Dim{Byte: d.Byte + o.Byte, Second: d.Second + o.Second, Other: d.Other}
	switch {
	case d.Other == "":
		p.Other = o.Other
	case o.Other != "":
		p.Other = d.Other + "*" + o.Other
	}
	return p
}

// Per is the dimension of a quotient: MB/s per MB/s is a ratio, NT$ per tpmC keeps both.
func (d Dim) Per(o Dim) Dim {
	q := Dim{Byte: d.Byte - o.Byte, Second: d.Second - o.Second, Other: d.Other}
	switch {
	case o.Other == "":
	case o.Other == d.Other:
		q.Other = ""
	case d.Other == "":
		q.Other = "1/" + o.Other
	default:
		q.Other = d.Other + "/" + o.Other
	}
	return q
}

// Named reads the unit of a figure that a spec computes: its dimension, and the factor from it to base units. A unit that is
// not known, such as NT$/tpmC, is carried as it is written. "", "1" and "ratio" are plain numbers.
func Named(name string) (d Dim, factor float64) {
	name = strings.TrimSpace(name)
	switch name {
	case "", "1", "ratio":
		return One, 1
	case "%":
		return One, 0.01
	}
	if u, ok := units[name]; ok {
		f, _ := u.factor.Float64()
		return u.dim, f
	}
	return Dim{Other: name}, 1
}

// Printed reads the unit of a figure that a tool prints, as Named does, but for a unit that is not known: that is what the tool
// counts, tpmC or events/s, and becomes the symbol of a count or a rate.
func Printed(name string) (d Dim, symbol string, factor float64) {
	name = strings.TrimSpace(name)
	d, factor = Named(name)
	switch {
	case d.Other != "" && strings.HasSuffix(name, "/s"):
		return PerSecond, name, 1
	case d.Other != "":
		return One, name, 1
	case name == "%", d == PerSecond && factor == 1 && !strings.HasPrefix(name, "/"):
		symbol = name
	}
	return d, symbol, factor
}

// WithoutSymbol gives a text in which the symbol of a measure stands behind a number, 1k events/s, as Parse reads it: 1k /s. Any
// other text is given as it is.
func WithoutSymbol(text string, d Dim, symbol string) string {
	if _, known := units[symbol]; symbol == "" || symbol == "%" || known {
		return text
	}
	number, ok := strings.CutSuffix(strings.TrimSpace(text), symbol)
	switch {
	case !ok:
		return text
	case d == PerSecond:
		return number + " /s"
	}
	return strings.TrimSpace(number)
}
