package imported

import (
	"bytes"
	"encoding/csv"
	"strings"
)

// Extract writes the part of a table that one repetition came from, as a table of the same format: what a record keeps.
func (t *Table) Extract(r Repetition) []byte {
	if t.format == "json" {
		var objects []string
		for _, x := range r {
			objects = append(objects, x.cells...)
		}
		return []byte("[" + strings.Join(objects, ",\n") + "]\n")
	}
	rows := [][]string{t.columns}
	for _, x := range r {
		rows = append(rows, x.cells)
	}
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll(rows) // a buffer takes all
	return b.Bytes()
}
