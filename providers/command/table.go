package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// inTable finds the column in the tables of the output.
func (f figure) inTable(output []byte) ([]found, error) {
	var header []string
	out := f.rows(output, &header)
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no table with the column %s and a line below it", strings.Join(append(slices.Clone(f.keys), f.column), ", "))
	}
	return out, nil
}

// rows finds the column in the tables of a piece of output; header is that of the table in which it begins, and then of the one in which
// it ends. A table begins with the first line that has the column and all keys, and ends with a line of another number of cells. The same
// header again begins another table.
func (f figure) rows(output []byte, header *[]string) []found {
	var out []found
	wanted := append(slices.Clone(f.keys), f.column)
	for line := range bytes.Lines(output) {
		row := f.cells(string(line))
		switch {
		case has(row, wanted):
			*header = row
		case *header == nil:
		case len(row) != len(*header):
			*header = nil
		default:
			x := found{text: row[slices.Index(*header, f.column)]}
			for _, k := range f.keys {
				x.keys = append(x.keys, row[slices.Index(*header, k)])
			}
			if out = append(out, x); len(out) > maxFigures {
				return out
			}
		}
	}
	return out
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
