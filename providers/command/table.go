package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// inTable finds the column in the tables of the output. A table begins with the first line that has the column and all keys, and
// ends with a line of another number of cells. The same header again begins another table.
func (f figure) inTable(output []byte) ([]found, error) {
	var out []found
	var header, wanted []string
	wanted = append(slices.Clone(f.keys), f.column)
	for line := range bytes.Lines(output) {
		row := f.cells(string(line))
		switch {
		case has(row, wanted):
			header = row
		case header == nil:
		case len(row) != len(header):
			header = nil
		default:
			x := found{text: row[slices.Index(header, f.column)]}
			for _, k := range f.keys {
				x.keys = append(x.keys, row[slices.Index(header, k)])
			}
			if out = append(out, x); len(out) > maxFigures {
				return out, nil
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no table with the column %s and a line below it", strings.Join(wanted, ", "))
	}
	return out, nil
}

// cells takes a line apart; what is quoted may hold the separator. A line with broken quotes has no cells.
func (f figure) cells(line string) []string {
	line = strings.TrimRight(line, "\r\n")
	if f.separator == " " {
		return strings.Fields(line)
	}
	r := csv.NewReader(strings.NewReader(line))
	r.TrimLeadingSpace = f.separator != "\t"
	if s := []rune(f.separator); len(s) == 1 {
		r.Comma = s[0]
	}
	row, err := r.Read()
	if err != nil {
		return nil
	}
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row
}

func has(row, names []string) bool {
	for _, n := range names {
		if !slices.Contains(row, n) {
			return false
		}
	}
	return true
}
