// Package imported reads tables of results that exist already: CSV or JSON whose columns are named after axes, keys and
// measures. One table serves all instances of a test; each of its rows says at which coordinates it stands.
//
// It turns bytes into rows and rows into samples, and does nothing else: it opens no file, and what a type's own parser
// reads is not its business.
package imported

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// The columns beside axes, keys and measures. All are optional.
const (
	repetitionColumn = "repetition" // from 1; without it the rows of an instance are its repetitions, in order
	outcomeColumn    = "outcome"    // an outcome of a sample; empty is ok
	reasonColumn     = "reason"     // why the outcome is not ok
)

// Axis is an axis on which the test depends.
type Axis struct {
	Name  string
	Cases []string // as the spec writes them
}

// Shape says what a table may have as columns.
type Shape struct {
	Axes     []Axis   // each must be a column
	Others   []string // the spec's other axes, which cannot be columns
	Measures []schema.Measure
}

// Problem is what is wrong with a table.
type Problem struct {
	Line int    // from 1; 0: of the table as a whole
	Text string // a sentence
}

// Table is a table that was read.
type Table struct {
	format  string
	columns []string
	rows    []*row
}

// row is one line of a table.
type row struct {
	line       int
	at         addr.Coordinates // cases as the spec writes them; one that the axis does not have as the table writes it
	keys       addr.Coordinates
	repetition int // 0: not given
	outcome    measure.Outcome
	reason     string
	values     []measure.Value
	cells      []string // by column; of JSON: just one, the object
}

// Repetition is what a table says of one repetition of one instance: a row, or one for each combination of keys.
type Repetition []*row

// Read reads a table. format is csv or json. Where there are problems the table has the rows that could be read.
func Read(format string, data []byte, shape Shape) (*Table, []Problem) {
	t := &Table{format: format}
	r := &reader{table: t, shape: shape}
	if format == "json" {
		r.json(data)
	} else {
		r.csv(data)
	}
	return t, r.problems
}

// Strangers are the rows that stand at a case which an axis does not have.
func (t *Table) Strangers(axes []Axis) []Problem {
	var out []Problem
	for _, r := range t.rows {
		for _, a := range axes {
			if !slices.Contains(a.Cases, r.at[a.Name]) {
				out = append(out, Problem{r.line, fmt.Sprintf("Axis %q has no case %q.%s", a.Name, r.at[a.Name], didYouMean(r.at[a.Name], a.Cases))})
			}
		}
	}
	return out
}

// Unused are the rows at coordinates at which there is no instance, though every case exists.
func (t *Table) Unused(axes []Axis, exists map[string]bool) []Problem {
	var out []Problem
	for _, r := range t.rows {
		known := true
		for _, a := range axes {
			known = known && slices.Contains(a.Cases, r.at[a.Name])
		}
		if known && !exists[r.at.String()] {
			out = append(out, Problem{r.line, fmt.Sprintf("There is no instance at %s, so this row is not used.", r.at)})
		}
	}
	return out
}

// Repetitions gives what the table says of one instance, from the first repetition to the last.
func (t *Table) Repetitions(at addr.Coordinates) ([]Repetition, []Problem) {
	var out []Repetition
	var problems []Problem
	want := at.String()
	seen := map[string]int{}
	taken := map[string]int{} // repetition of keys, figure of a repetition → its line
	lines := map[int]int{}    // repetition → one of its lines
	for _, r := range t.rows {
		if r.at.String() != want {
			continue
		}
		keys := r.keys.String()
		seen[keys]++
		n := r.repetition
		if n == 0 {
			n = seen[keys]
		}
		who := strconv.Itoa(n) + " of " + keys
		if other := taken[who]; other > 0 {
			problems = append(problems, Problem{r.line, fmt.Sprintf("Repetition %d is given twice, here and on line %d.", n, other)})
			continue
		}
		taken[who] = r.line
		for len(out) < n && n <= len(t.rows) {
			out = append(out, nil)
		}
		lines[n] = r.line
		if n > len(out) {
			continue
		}
		for _, v := range r.values {
			figure := fmt.Sprintf("%d %s %s", n, v.Measure, v.Keys)
			if other := taken[figure]; other > 0 {
				problems = append(problems, Problem{r.line, fmt.Sprintf("Repetition %d has %s twice, here and on line %d.", n, v.Measure, other)})
			}
			taken[figure] = r.line
		}
		out[n-1] = append(out[n-1], r)
	}
	for n, line := range lines {
		for k := n - 1; k > 0; k-- {
			if lines[k] == 0 {
				problems = append(problems, Problem{line, fmt.Sprintf("There is a repetition %d and no repetition %d; they count from 1.", n, k)})
				break
			}
		}
	}
	slices.SortFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return out, problems
}

// All takes every row as one repetition: for a table that Extract wrote.
func (t *Table) All() Repetition { return t.rows }

// Sample makes the sample of a repetition, without its identity. Its outcome is that of the first row that is not ok.
func (r Repetition) Sample() measure.Sample {
	s := measure.Sample{Outcome: measure.OK}
	for _, x := range r {
		if s.Outcome == measure.OK && x.outcome != measure.OK {
			s.Outcome, s.Reason = x.outcome, x.reason
			if s.Reason == "" {
				s.Reason = "as the imported table says"
			}
		}
		s.Values = append(s.Values, x.values...)
	}
	return s
}

// caseOf gives the case that a cell means: by its name, else by its value where both are quantities. Else it is the cell.
func caseOf(cell string, cases []string) string {
	if slices.Contains(cases, cell) {
		return cell
	}
	for _, dim := range []unit.Dim{unit.One, unit.Bytes, unit.Seconds, unit.BytesPerSec, unit.PerSecond} {
		want, err := unit.Parse(cell, dim)
		if err != nil {
			continue
		}
		for _, c := range cases {
			if q, err := unit.Parse(c, dim); err == nil && q.Cmp(want) == 0 {
				return c
			}
		}
	}
	return cell
}
