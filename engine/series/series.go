// Package series writes how measures went over time as Parquet, one file for each test or monitor. The files are derived, as samples
// are: the same series give the same bytes. It draws and judges nothing.
//
// A file has a row for each point and each mark, and the columns address, coordinates.AXIS, during, round, repetition, measure, keys.KEY, t
// (seconds since the measured command began), value (in base units), mark and until (when what is marked was over). What a row lacks is null: a mark has no value, a point
// no mark.
package series

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/parquet-go/parquet-go"
)

// FormatVersion is the version of the files' form; it stands in their metadata as assay.format_version.
const FormatVersion = "1"

// Extension of the files.
const Extension = ".parquet"

// Encode writes one file for each address. Files are named after it.
func Encode(list []derive.Series) (map[string][]byte, error) {
	byAddress := map[string][]derive.Series{}
	for _, s := range list {
		byAddress[s.Address] = append(byAddress[s.Address], s)
	}
	files := map[string][]byte{}
	for _, address := range slices.Sorted(maps.Keys(byAddress)) {
		raw, err := encode(byAddress[address])
		if err != nil {
			return nil, fmt.Errorf("writing the series of %s: %w", address, err)
		}
		files[addr.FileName(address)+Extension] = raw
	}
	return files, nil
}

func encode(list []derive.Series) ([]byte, error) {
	schema := schemaOf(list)
	at := map[string]int{}
	for i, path := range schema.Columns() {
		at[strings.Join(path, ".")] = i
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, schema, parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("assay", FormatVersion, "series"), parquet.KeyValueMetadata("assay.format_version", FormatVersion))
	for _, s := range list {
		if _, err := w.WriteRows(rows(s, at)); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// schemaOf has a column for each axis and each key that occurs.
func schemaOf(list []derive.Series) *parquet.Schema {
	text := func() parquet.Node {
		return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	}
	root := parquet.Group{
		"address": text(), "during": text(), "measure": text(), "mark": text(),
		"round": parquet.Int(32), "repetition": parquet.Int(32),
		"t": parquet.Leaf(parquet.DoubleType), "value": parquet.Optional(parquet.Leaf(parquet.DoubleType)), "until": parquet.Optional(parquet.Leaf(parquet.DoubleType)),
	}
	coordinates, keys := parquet.Group{}, parquet.Group{}
	for _, s := range list {
		for axis := range s.Coordinates {
			coordinates[axis] = text()
		}
		for key := range s.Keys {
			keys[key] = text()
		}
	}
	if len(coordinates) > 0 {
		root["coordinates"] = coordinates
	}
	if len(keys) > 0 {
		root["keys"] = keys
	}
	return parquet.NewSchema("series", root)
}

// rows are the points of a series, then its marks.
func rows(s derive.Series, at map[string]int) []parquet.Row {
	row := func(t float64) parquet.Row {
		r := make(parquet.Row, len(at))
		for _, i := range at {
			r[i] = parquet.NullValue().Level(0, 0, i)
		}
		put := func(column, text string) {
			if text != "" {
				r[at[column]] = parquet.ByteArrayValue([]byte(text)).Level(0, 1, at[column])
			}
		}
		put("address", s.Address)
		put("during", s.During)
		for axis, v := range s.Coordinates {
			put("coordinates."+axis, v)
		}
		for key, v := range s.Keys {
			put("keys."+key, v)
		}
		put("measure", s.Measure)
		r[at["round"]] = parquet.Int32Value(int32(s.Round)).Level(0, 0, at["round"])
		r[at["repetition"]] = parquet.Int32Value(int32(s.Repetition)).Level(0, 0, at["repetition"])
		r[at["t"]] = parquet.DoubleValue(t).Level(0, 0, at["t"])
		return r
	}
	var out []parquet.Row
	for _, p := range s.Points {
		r := row(p.T)
		r[at["value"]] = parquet.DoubleValue(p.Value).Level(0, 1, at["value"])
		out = append(out, r)
	}
	for _, m := range s.Marks {
		r := row(m.T)
		r[at["mark"]] = parquet.ByteArrayValue([]byte(m.Text)).Level(0, 1, at["mark"])
		if m.Until > m.T {
			r[at["until"]] = parquet.DoubleValue(m.Until).Level(0, 1, at["until"])
		}
		out = append(out, r)
	}
	return out
}
