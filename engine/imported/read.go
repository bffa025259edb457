package imported

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

type reader struct {
	table    *Table
	shape    Shape
	quoted   bool // published comparisons: no repetitions, no outcomes
	problems []Problem
}

func (r *reader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{line, fmt.Sprintf(format, args...)})
}

func didYouMean(name string, known []string) string { return diag.DidYouMean(name, known) }

// csv reads a table as RFC 4180 has it: the first line names the columns.
func (r *reader) csv(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		r.problem(0, "This is not UTF-8 text; save the table as CSV in UTF-8.")
		return
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.TrimLeadingSpace = true
	header := true
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var bad *csv.ParseError
			if !errors.As(err, &bad) {
				r.problem(0, "This is not CSV: %s.", err)
				return
			}
			if errors.Is(bad.Err, csv.ErrFieldCount) {
				r.problem(bad.Line, "This line has %d cells, and the first line names %d columns.", len(cells), len(r.table.columns))
				continue
			}
			r.problem(bad.Line, "This is not CSV: %s.", bad.Err)
			return
		}
		line, _ := in.FieldPos(0)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if header {
			header = false
			r.table.columns = cells
			if !r.header(line, cells) {
				return
			}
			continue
		}
		r.row(line, cells, cells)
	}
	if header {
		r.problem(0, "The table is empty; its first line names the columns.")
	}
}

// json reads a list of objects whose fields are strings, numbers, bools and nulls.
func (r *reader) json(data []byte) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		r.problem(0, "This is not a table: %s. Write a list of objects, one for each row, such as [{\"drive\": \"sas\", \"latency\": \"4ms\"}].", err)
		return
	}
	objects, lines := make([]map[string]any, len(list)), linesOf(data, len(list))
	for i, raw := range list {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&objects[i]); err != nil || objects[i] == nil {
			r.problem(lines[i], "Row %d is not an object with a field for each column.", i+1)
			return
		}
		for _, name := range sortedNames(objects[i]) {
			if !slices.Contains(r.table.columns, name) {
				r.table.columns = append(r.table.columns, name)
			}
		}
	}
	if !r.header(0, r.table.columns) {
		return
	}
	for i, o := range objects {
		cells := make([]string, len(r.table.columns))
		fine := true
		for k, name := range r.table.columns {
			switch v := o[name].(type) {
			case nil:
			case string:
				cells[k] = strings.TrimSpace(v)
			case json.Number:
				cells[k] = v.String()
			case bool:
				cells[k] = strconv.FormatBool(v)
			default:
				r.problem(lines[i], "%q of row %d is a list or an object; write a string, a number or a bool.", name, i+1)
				fine = false
			}
		}
		if fine {
			r.row(lines[i], cells, []string{string(list[i])})
		}
	}
}

// linesOf gives the line on which each element of a list begins.
func linesOf(data []byte, n int) []int {
	lines := make([]int, 0, n)
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token() // the bracket: the list was read before
	for dec.More() {
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			break
		}
		lines = append(lines, 1+bytes.Count(data[:int(dec.InputOffset())-len(skip)], []byte("\n")))
	}
	return lines
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// header checks the names of the columns.
func (r *reader) header(line int, columns []string) bool {
	known := r.known()
	before := len(r.problems)
	measures := 0
	for i, c := range columns {
		switch {
		case slices.Contains(columns[:i], c):
			r.problem(line, "There are two columns %q.", c)
		case slices.Contains(r.shape.Others, c):
			r.problem(line, "The figures do not depend on axis %q, so they cannot be told apart by it; remove this column.", c)
		case !slices.Contains(known, c):
			r.problem(line, "Column %q is no %s.%s", c, r.what(), didYouMean(c, known))
		case !r.isAxis(c) && r.measure(c) != nil, c == outcomeColumn && !r.quoted:
			measures++
		}
	}
	for _, a := range r.shape.Axes {
		if !slices.Contains(columns, a.Name) {
			r.problem(line, "There is no column for axis %q, so it is not known which rows belong to which case.", a.Name)
		}
	}
	if measures == 0 && len(r.problems) == before {
		r.problem(line, "There is no column with figures: name one after a measure. There is %s.", diag.List(r.measures()))
	}
	return len(r.problems) == before
}

// what says what a column may be named after.
func (r *reader) what() string {
	if r.quoted {
		return "axis, and neither change, ratio nor difference"
	}
	return "axis, key or measure of the test"
}

func (r *reader) known() []string {
	var out []string
	for _, a := range r.shape.Axes {
		out = append(out, a.Name)
	}
	for _, m := range r.shape.Measures {
		out = append(append(out, m.Name), m.Keys...)
	}
	if r.quoted {
		return out
	}
	return append(out, repetitionColumn, outcomeColumn, reasonColumn)
}

func (r *reader) measures() []string {
	var out []string
	for _, m := range r.shape.Measures {
		out = append(out, m.Name)
	}
	return out
}

func (r *reader) isAxis(name string) bool {
	return slices.ContainsFunc(r.shape.Axes, func(a Axis) bool { return a.Name == name })
}

func (r *reader) measure(name string) *schema.Measure {
	for i := range r.shape.Measures {
		if r.shape.Measures[i].Name == name {
			return &r.shape.Measures[i]
		}
	}
	return nil
}

var outcomes = []string{
	string(measure.OK), string(measure.Failed), string(measure.DidNotFinish), string(measure.Invalid), string(measure.Blocked),
	string(measure.Skipped),
}

// row reads the cells of one row. A row with a problem is left out. An axis comes first where names meet.
func (r *reader) row(line int, cells, raw []string) {
	before := len(r.problems)
	x := &row{line: line, at: addr.Coordinates{}, keys: addr.Coordinates{}, outcome: measure.OK, cells: raw}
	cell := map[string]string{}
	for i, c := range r.table.columns {
		cell[c] = cells[i]
	}
	for _, a := range r.shape.Axes {
		x.at[a.Name] = caseOf(cell[a.Name], a.Cases)
		delete(cell, a.Name)
	}
	for _, m := range r.shape.Measures {
		keys := addr.Coordinates{}
		for _, k := range m.Keys {
			if cell[k] != "" {
				keys[k], x.keys[k] = cell[k], cell[k]
			}
		}
		if cell[m.Name] == "" {
			continue
		}
		read := figure
		if r.quoted && m.Name == changeColumn {
			read = func(cell string, _ schema.Measure) (float64, string) { return change(cell) }
		}
		v, err := read(cell[m.Name], m)
		if err != "" {
			r.problem(line, "%s: %s", m.Name, err)
			continue
		}
		value := measure.Value{Measure: m.Name, Value: v}
		if len(keys) > 0 {
			value.Keys = keys
		}
		x.values = append(x.values, value)
	}
	if text := cell[repetitionColumn]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			r.problem(line, "repetition %q is not a number from 1 on.", text)
		}
		x.repetition = n
	}
	if o := cell[outcomeColumn]; o != "" {
		if !slices.Contains(outcomes, o) {
			r.problem(line, "outcome %q is none of %s.%s", o, diag.List(outcomes), didYouMean(o, outcomes))
		}
		x.outcome = measure.Outcome(o)
	}
	x.reason = cell[reasonColumn]
	if x.outcome == measure.OK && len(x.values) == 0 && len(r.problems) == before {
		if r.quoted {
			r.problem(line, "This row has no figure; give a change, a ratio or a difference.")
			return
		}
		r.problem(line, "This row has no figure; give one, or an outcome that says why there is none, such as did_not_finish.")
	}
	if len(r.problems) == before {
		r.table.rows = append(r.table.rows, x)
	}
}

// figure reads a cell as a quantity of the measure. The measure's symbol may stand behind a number.
func figure(cell string, m schema.Measure) (v float64, problem string) {
	q, err := unit.Parse(unit.WithoutSymbol(cell, m.Dim, m.Symbol), m.Dim)
	switch {
	case err != nil:
		return 0, strings.TrimSuffix(err.Error(), ".") + "."
	case q.Relative():
		return 0, fmt.Sprintf("%q is measured from a baseline; write a figure without a sign.", cell)
	}
	if v = q.Float(); math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Sprintf("%q is too large to be a figure.", cell)
	}
	return v, ""
}
