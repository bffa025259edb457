// Package config reads the text of a spec into a static model: which blocks there are, with their expressions undecoded.
// It checks what can be told from the text alone: block headers, names, duplicates, the arguments of blocks whose form
// is fixed. It evaluates nothing, knows no provider, and reads no file: sources are handed in.
package config

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
)

// Model is a spec as it was written.
type Model struct {
	Sources   diag.Sources
	Spec      *Settings
	Variables []*Variable
	Locals    []*Local
	Providers []*Provider
	Hardware  []*Hardware
	Axes      []*Axis
	Excludes  []*Exclude
	Blocks    []*Block // setups, datasets, tests and monitors, in the order of the text
	Measures  []*Plain
	Compares  []*Plain
	KPIs      []*Plain
	Plots     []*Plain
}

// Settings is the spec block.
type Settings struct {
	Attrs hcl.Attributes
	Range hcl.Range
}

// Variable is a declared variable.
type Variable struct {
	Name        string
	Attrs       hcl.Attributes // type, default, description, sensitive
	Validations []Validation
	Range       hcl.Range
}

// Validation is a condition on a variable.
type Validation struct {
	Condition hcl.Expression
	Message   hcl.Expression
	Range     hcl.Range
}

// Local is one named value of a locals block.
type Local struct {
	Name  string
	Expr  hcl.Expression
	Range hcl.Range // of the name
}

// Provider is the configuration of one provider: its body is decoded against the provider's schema, which this package does not know.
type Provider struct {
	Name        string
	Source      string    // of a provider that is a program of its own, relative to the spec's folder; empty: it is built in
	Body        hcl.Body  // without source
	Range       hcl.Range // of the header
	NameRange   hcl.Range
	SourceRange hcl.Range
}

// Hardware is what stands on the bench.
type Hardware struct {
	Name  string
	Attrs hcl.Attributes
	Disks []*Plain
	Range hcl.Range
}

// Axis is one thing that is varied.
type Axis struct {
	Name     string
	Values   hcl.Expression // nil where cases are given
	Baseline hcl.Expression // nil: none
	Cases    []*Plain
	Range    hcl.Range
}

// Exclude takes combinations out of the matrix.
type Exclude struct {
	When   hcl.Expression
	Reason hcl.Expression
	Range  hcl.Range
}

// Plain is a named block whose arguments are attributes only.
type Plain struct {
	Name  string
	Attrs hcl.Attributes
	Range hcl.Range // of the header
	// Import is the import block of a compare: published figures in place of measured ones. nil: none.
	Import *Plain
	// Limits are the limit blocks of a kpi with a profile: each is named after its measure.
	Limits []*Plain
}

// Block is a setup, dataset, test or monitor: its body is decoded against the schema of its type, which this package does not know.
type Block struct {
	Addr      addr.Block
	Body      hcl.Body
	Range     hcl.Range // of the header
	TypeRange hcl.Range
}
