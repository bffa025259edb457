package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// column is one column of the table in CSV and Parquet. A cell is a string, an int or a float64; nil is empty.
type column struct {
	name string
	kind reflect.Type
	cell func(*Row) any
}

// columns are address, the axes, which sample it is, the keys, and the figure. An axis or key that is called like a column of ours is told
// from it by a prefix, as in the tables of the report.
func (t *Table) columns() []column {
	text, number, whole := reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[int64]()
	count := func(n int) any {
		if n == 0 {
			return nil
		}
		return int64(n)
	}
	first := []column{{"address", text, func(r *Row) any { return r.Sample.Address }}}
	sample := []column{
		{"round", whole, func(r *Row) any { return count(r.Sample.Round) }},
		{"repetition", whole, func(r *Row) any { return count(r.Sample.Repetition) }},
		{"generation", whole, func(r *Row) any { return count(r.Sample.Generation) }},
		{"outcome", text, func(r *Row) any { return string(r.Sample.Outcome) }},
		{"warnings", text, func(r *Row) any { return codes(r) }},
		{"measure", text, func(r *Row) any { return orNil(r.Measure) }},
	}
	last := []column{
		{"value", number, func(r *Row) any {
			if r.Measure == "" {
				return nil
			}
			return r.Value
		}},
		{"unit", text, func(r *Row) any { return orNil(r.Unit) }},
	}
	ours := map[string]bool{}
	for _, list := range [][]column{first, sample, last} {
		for _, c := range list {
			ours[c.name] = true
		}
	}
	out := first
	for _, a := range t.Axes {
		out = append(out, column{unlike(ours, "axis.", a), text, func(r *Row) any { return orNil(r.Sample.Coordinates[a]) }})
	}
	out = append(out, sample...)
	for _, k := range t.Keys {
		out = append(out, column{unlike(ours, "key.", k), text, func(r *Row) any { return orNil(r.Keys[k]) }})
	}
	return append(out, last...)
}

func unlike(ours map[string]bool, prefix, name string) string {
	if ours[name] {
		return prefix + name
	}
	return name
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// codes are those of the sample's warnings, once each; the texts are in the report.
func codes(r *Row) any {
	var list []string
	seen := map[string]bool{}
	for _, w := range r.Sample.Warnings {
		if !seen[w.Code] {
			seen[w.Code] = true
			list = append(list, w.Code)
		}
	}
	return orNil(strings.Join(list, " "))
}

// CSV writes the table as RFC 4180 has it: UTF-8, lines end in CR LF. A value is the shortest decimal that gives it again.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	columns := t.columns()
	rec := make([]string, len(columns))
	for i, c := range columns {
		rec[i] = c.name
	}
	if err := out.Write(rec); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for i := range t.Rows {
		for n, c := range columns {
			switch v := c.cell(&t.Rows[i]).(type) {
			case nil:
				rec[n] = ""
			case string:
				rec[n] = v
			case int64:
				rec[n] = strconv.FormatInt(v, 10)
			case float64:
				rec[n] = shortest(v)
			}
		}
		if err := out.Write(rec); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// shortest prints the shortest decimal that gives v again, without an exponent for everything of a human size.
func shortest(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-9 || a >= 1e18) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Parquet writes the same table, with the same columns in the same order, all of them optional: text as UTF-8 strings, counts as 64-bit integers,
// the value as a double.
func (t *Table) Parquet(w io.Writer) error {
	columns := t.columns()
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		// A pointer is an optional column. The names of axes and keys are identifiers, so that a comma cannot end a name.
		fields[i] = reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: reflect.PointerTo(c.kind),
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.name))}
	}
	row := reflect.New(reflect.StructOf(fields))
	out := parquet.NewWriter(w, parquet.SchemaOf(row.Interface()), parquet.Compression(&parquet.Zstd))
	for i := range t.Rows {
		for n, c := range columns {
			field := row.Elem().Field(n)
			field.SetZero()
			if v := c.cell(&t.Rows[i]); v != nil {
				p := reflect.New(c.kind)
				p.Elem().Set(reflect.ValueOf(v))
				field.Set(p)
			}
		}
		if err := out.Write(row.Interface()); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}
