// Package schema describes what a block may contain, what it promises and what it measures. It is plain data, so that
// it crosses a process boundary as JSON, feeds validation, help and documentation, and is the same for a provider in the
// process and one that is a program of its own. It decodes nothing itself.
package schema

import (
	"strings"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

// Provider is everything that a provider declares.
type Provider struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Doc      string `json:"doc"`
	Config   Block  `json:"config"` // of the provider block
	Setups   []Type `json:"setups,omitempty"`
	Datasets []Type `json:"datasets,omitempty"`
	Tests    []Type `json:"tests,omitempty"`
	Monitors []Type `json:"monitors,omitempty"`
	// Profiles are published limits on what its tests measure.
	Profiles []Profile `json:"profiles,omitempty"`

	// Rehearsal: all that the provider makes and claims is in the working directory, and nothing on any host.
	Rehearsal bool `json:"rehearsal,omitempty"`
}

// Types gives the types of one kind of block: setup, dataset, test or monitor.
func (p *Provider) Types(kind string) []Type {
	switch kind {
	case "setup":
		return p.Setups
	case "dataset":
		return p.Datasets
	case "test":
		return p.Tests
	case "monitor":
		return p.Monitors
	}
	return nil
}

// Type is one TYPE of setup, dataset, test or monitor.
type Type struct {
	Name     string    `json:"name"` // as in the block's header: storage_raid
	Doc      string    `json:"doc"`
	Body     Block     `json:"body"`
	Outputs  []Output  `json:"outputs,omitempty"`
	Measures []Measure `json:"measures,omitempty"`

	// Capabilities.
	Mutates   bool     `json:"mutates,omitempty"`    // a test that changes the data under it
	Warmup    bool     `json:"warmup,omitempty"`     // a test that can run for Target.Warmup before it measures
	FixedUser bool     `json:"fixed_user,omitempty"` // cannot run as another user than the one given
	Imports   []string `json:"imports,omitempty"`    // formats of result files that Parse reads
	Tools     []string `json:"tools,omitempty"`      // programs that must be there
	// Attends: a setup that takes part in every repetition of a test which stands on it. It is called to Observe when the test is ready, which is
	// held back until it reports progress, and until the test is over; what Parse then says of it goes into the test's sample: its
	// Measures are measures of the test, and where it is not ok, the sample is invalid.
	Attends bool `json:"attends,omitempty"`
	// Manual: a person has a part in it, and is asked through the Sink.
	Manual bool `json:"manual,omitempty"`
	// DeclaresMeasures: the blocks of MeasureBlock in the body declare measures beside those of the type.
	DeclaresMeasures bool `json:"declares_measures,omitempty"`
}

// Measure returns the declared measure of that name, or nil.
func (t *Type) Measure(name string) *Measure {
	for i := range t.Measures {
		if t.Measures[i].Name == name {
			return &t.Measures[i]
		}
	}
	return nil
}

// Better says in which direction a measure is good.
type Better string

// The directions of a measure.
const (
	Higher  Better = "higher"
	Lower   Better = "lower"
	Neither Better = "" // a fact: neither more nor less is better
)

// RollUp says how a measure becomes one figure over its keys.
type RollUp string

// The roll-ups. NoRollUp means that a reference must name the keys.
const (
	NoRollUp RollUp = ""
	Sum      RollUp = "sum"
	Mean     RollUp = "mean"
	Worst    RollUp = "worst"
	Merged   RollUp = "merged" // from merged histograms; where one is missing, the worst, with a warning
)

// Measure is a named figure that a test or dataset yields.
type Measure struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	Dim    unit.Dim `json:"dim"`
	Symbol string   `json:"symbol,omitempty"` // how people name the unit of a count or rate: IOPS, tpmC
	Better Better   `json:"better,omitempty"`
	Keys   []string `json:"keys,omitempty"` // coordinates that the result brings: host, query
	RollUp RollUp   `json:"roll_up,omitempty"`
	// Declared: the spec declares it, so somebody wants to see it.
	Declared bool `json:"declared,omitempty"`
	// Histogram names the histogram of the sample of which the measure is the Quantile (0.99; 1: the largest value), so that it can be had
	// of several merged. Empty: it comes from none.
	Histogram string  `json:"histogram,omitempty"`
	Quantile  float64 `json:"quantile,omitempty"`
}

// Output is a value that a setup or test promises.
type Output struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Type Kind   `json:"type"` // String, Number, Bool, StringList or Map
}

// Kind is the type of an attribute.
type Kind string

// The kinds. A Quantity is written as a string with a unit and decoded to a number in base units; a Scalar is any string,
// number or bool and is decoded to a string; a Map has scalars as elements.
const (
	String       Kind = "string"
	Number       Kind = "number"
	Integer      Kind = "integer"
	Bool         Kind = "bool"
	Quantity     Kind = "quantity"
	Scalar       Kind = "scalar"
	StringList   Kind = "list of string"
	QuantityList Kind = "list of quantity"
	Map          Kind = "map"
)

// Cty is the type of a decoded attribute of this kind.
func (k Kind) Cty() cty.Type {
	switch k {
	case Number, Integer, Quantity:
		return cty.Number
	case Bool:
		return cty.Bool
	case StringList:
		return cty.List(cty.String)
	case QuantityList:
		return cty.List(cty.Number)
	case Map:
		return cty.Map(cty.String)
	case Disks:
		return cty.List(DiskType)
	}
	return cty.String
}

// Attribute is one argument of a block.
type Attribute struct {
	Name      string   `json:"name"`
	Doc       string   `json:"doc"`
	Kind      Kind     `json:"kind"`
	Dim       unit.Dim `json:"dim"`     // of a Quantity
	Default   string   `json:"default"` // as one would write it; empty: absent, decoded to null
	Enum      []string `json:"enum,omitempty"`
	Min       string   `json:"min,omitempty"` // inclusive limits of numbers and quantities, as one would write them
	Max       string   `json:"max,omitempty"`
	Required  bool     `json:"required,omitempty"`
	Sensitive bool     `json:"sensitive,omitempty"`
	// Target marks what a tool will open and may write to: its value must be an output of a setup or come from
	// hardware, never a text of the spec's own.
	Target bool `json:"target,omitempty"`
}

// Nested is a block inside a block.
type Nested struct {
	Name     string `json:"name"`
	Doc      string `json:"doc"`
	Body     Block  `json:"body"`
	MaxItems int    `json:"max_items"` // 0: any number
	// Label is the attribute of Body, a required String, that is written as the block's label: measure "NAME" {}.
	Label string `json:"label,omitempty"`
}

// Header is how the block begins: retry, or measure "NAME".
func (n *Nested) Header() string {
	if n.Label == "" {
		return n.Name
	}
	return n.Name + ` "` + strings.ToUpper(n.Label) + `"`
}

// Block is the body of a block.
type Block struct {
	Attributes []Attribute `json:"attributes,omitempty"`
	Blocks     []Nested    `json:"blocks,omitempty"`
}

// Attribute returns the attribute of that name, or nil.
func (b *Block) Attribute(name string) *Attribute {
	for i := range b.Attributes {
		if b.Attributes[i].Name == name {
			return &b.Attributes[i]
		}
	}
	return nil
}

// Cty is the object type to which a body is decoded: every attribute, and each nested block as a list of objects.
func (b *Block) Cty() cty.Type {
	attrs := map[string]cty.Type{}
	for _, a := range b.Attributes {
		attrs[a.Name] = a.Kind.Cty()
	}
	for i := range b.Blocks {
		attrs[b.Blocks[i].Name] = cty.List(b.Blocks[i].Body.Cty())
	}
	return cty.Object(attrs)
}

// OutputsType is the object type of a type's promised outputs.
func (t *Type) OutputsType() cty.Type {
	attrs := map[string]cty.Type{}
	for _, o := range t.Outputs {
		attrs[o.Name] = o.Type.Cty()
	}
	return cty.Object(attrs)
}
