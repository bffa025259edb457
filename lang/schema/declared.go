package schema

import (
	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

// MeasureBlock is the nested block by which the spec itself declares a measure, for the types with DeclaresMeasures: of tools whose
// output no provider knows. more are the attributes that tell the provider where the figure is. What the block says of the measure
// is constant; more may vary with the matrix.
func MeasureBlock(doc string, more ...Attribute) Nested {
	return Nested{Name: "measure", Label: "name", Doc: doc, Body: Block{Attributes: append(declaration(), more...)}}
}

// Declaration holds the attributes of a measure block that say what the measure is.
func Declaration() Block { return Block{Attributes: declaration()} }

func declaration() []Attribute {
	return []Attribute{
		{Name: "name", Kind: String, Required: true, Doc: "Names the measure in references."},
		{Name: "description", Kind: String, Doc: "What the figure is, for the report."},
		{Name: "unit", Kind: String, Default: "1", Doc: "The unit in which the tool prints it: \"MB/s\", \"ms\", \"%\". One that is not known, such as tpmC, is printed " +
			"beside the figure; one that ends in /s is a rate. A figure with a unit of its own is read with that."},
		{Name: "better", Kind: String, Enum: []string{string(Higher), string(Lower)}, Doc: "The direction in which it is good; absent, it is a fact."},
		{Name: "keys", Kind: StringList, Doc: "Coordinates that the output brings: one figure for each query, host or table."},
		{Name: "roll_up", Kind: String, Enum: []string{string(Sum), string(Mean), string(Worst)},
			Doc: "How the figures of all keys become one; absent, a reference must name the keys."},
		{Name: "hdr", Kind: Quantity, Min: "0", Max: "1", Doc: "The figure is this percentile, 99% or 0.999, of the HDR histograms in the output, 100% the largest value: lines of HdrHistogram's log format, " +
			"whose values are in unit. All intervals count together. The one key that there may be is their tag; over the tags the histograms are merged."},
	}
}

// Declared gives the type as one block has it: with the measures that its body declares, in the order of the text. A type
// without DeclaresMeasures is given as it is. config is of Body.Cty(), or the object of the measure blocks alone.
func (t *Type) Declared(config cty.Value) *Type {
	if !t.DeclaresMeasures || config == cty.NilVal || config.IsNull() || !config.IsWhollyKnown() {
		return t
	}
	own := *t
	own.Measures = append([]Measure(nil), t.Measures...)
	for _, m := range config.GetAttr("measure").AsValueSlice() {
		own.Measures = append(own.Measures, declared(m))
	}
	return &own
}

func declared(m cty.Value) Measure {
	text := func(name string) string {
		if v := m.GetAttr(name); !v.IsNull() {
			return v.AsString()
		}
		return ""
	}
	out := Measure{Declared: true, Name: text("name"), Doc: text("description"), Better: Better(text("better")), RollUp: RollUp(text("roll_up"))}
	out.Dim, out.Symbol, _ = unit.Printed(text("unit"))
	if keys := m.GetAttr("keys"); !keys.IsNull() {
		for _, k := range keys.AsValueSlice() {
			out.Keys = append(out.Keys, k.AsString())
		}
	}
	if q := m.GetAttr("hdr"); !q.IsNull() {
		out.Quantile, _ = q.AsBigFloat().Float64()
		if out.Histogram = out.Name; len(out.Keys) > 0 {
			out.RollUp = Merged
		}
	}
	return out
}
