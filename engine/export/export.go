// Package export writes the samples of a run for other tools: as a long table in CSV or Parquet, and in Go's benchmark format, which
// benchstat reads. It writes what was measured; figures, comparisons and verdicts are in the report.
package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// Table holds samples as rows: one for each figure of each sample. A sample without figures has one row without a measure, so
// that none is silently absent.
type Table struct {
	Axes []string // of all that was measured, in the order of the spec
	Keys []string // that results bring, sorted
	Rows []Row
}

// Row is one figure of one sample.
type Row struct {
	Sample  *judge.Sample
	Block   addr.Block
	Each    string           // of an instance with for_each: its key
	Keys    addr.Coordinates // none: the figure over all keys
	Measure string           // empty: the sample has no figures
	Value   float64          // in the base unit; without a measure 0
	Unit    string           // of the value: B, B/s, s, 1/s, 1; empty: not known
	Better  schema.Better
}

// Samples makes the table of what a plan measured. Rows stand in the order of the results, those of a sample sorted by keys, then by measure.
func Samples(p *plan.Plan, r *judge.Results) *Table {
	t := &Table{}
	for _, a := range p.Judgement.Axes {
		t.Axes = append(t.Axes, a.Name)
	}
	tests := map[string]plan.Test{}
	for _, m := range p.Measured() {
		tests[m.Address] = m
	}
	declared := map[string][]schema.Measure{}
	for _, tt := range p.Judgement.Tests {
		declared[tt.Block] = tt.Measures
	}
	keys := map[string]bool{}
	for i := range r.Samples {
		s := &r.Samples[i]
		in := tests[s.Address].Instance
		row := Row{Sample: s, Block: addr.Block{Kind: in.Kind, Type: in.Type, Name: in.Name}, Each: in.Each}
		measures := map[string]schema.Measure{}
		for _, m := range declared[in.Group()] {
			measures[m.Name] = m
		}
		rows := []Row{}
		for _, name := range slices.Sorted(maps.Keys(s.Measures)) {
			one := row
			one.Measure, one.Value, one.Unit, one.Better = name, s.Measures[name].Value, s.Measures[name].Unit, measures[name].Better
			rows = append(rows, one)
		}
		for _, v := range s.Values {
			m, ok := measures[v.Measure]
			one := row
			one.Measure, one.Keys, one.Value, one.Better = v.Measure, v.Keys, v.Value, m.Better
			if ok {
				one.Unit = m.Dim.String()
			}
			for k := range v.Keys {
				keys[k] = true
			}
			rows = append(rows, one)
		}
		if len(rows) == 0 {
			rows = append(rows, row)
		}
		slices.SortStableFunc(rows, func(a, b Row) int {
			return cmp.Or(strings.Compare(a.Keys.String(), b.Keys.String()), strings.Compare(a.Measure, b.Measure))
		})
		t.Rows = append(t.Rows, rows...)
	}
	t.Keys = slices.Sorted(maps.Keys(keys))
	return t
}

// ok tells whether a row has a figure that counts.
func (r *Row) ok() bool { return r.Sample.Outcome == measure.OK && r.Measure != "" }
