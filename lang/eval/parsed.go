package eval

import (
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

// parsed remembers quantities that were read: defaults and limits are the same for every instance of a type, and most other
// texts recur too. The zero value is empty.
type parsed struct {
	quantities map[quantityKey]quantityRead
	defaults   map[defaultKey]cty.Value
}

type quantityKey struct {
	text string
	dim  unit.Dim
}

type quantityRead struct {
	q   unit.Quantity
	err error
	v   cty.Value // in base units
}

type defaultKey struct {
	kind schema.Kind
	quantityKey
}

// read reads a quantity, once for each text.
func (p *parsed) read(text string, dim unit.Dim) quantityRead {
	key := quantityKey{text, dim}
	r, ok := p.quantities[key]
	if !ok {
		r.q, r.err = unit.Parse(text, dim)
		if r.err == nil {
			r.v = cty.MustParseNumberVal(r.q.Decimal())
		}
		if p.quantities == nil {
			p.quantities = map[quantityKey]quantityRead{}
		}
		p.quantities[key] = r
	}
	return r
}

// defaultOf is the default of an attribute, read once.
func (p *parsed) defaultOf(a schema.Attribute) cty.Value {
	key := defaultKey{a.Kind, quantityKey{a.Default, a.Dim}}
	v, ok := p.defaults[key]
	if !ok {
		v = defaultValue(a)
		if p.defaults == nil {
			p.defaults = map[defaultKey]cty.Value{}
		}
		p.defaults[key] = v
	}
	return v
}
