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
