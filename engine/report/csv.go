package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"github.com/assay-bench/assay/lang/addr"
)

// csvTables gives one table for each test and comparison, and one of the KPIs. A row is one figure at its coordinates, in
// base units; bounds tells whether lo and hi are an interval or a range.
func csvTables(v *view) ([]file, error) {
	var out []file
	for _, t := range v.tables {
		rows := [][]string{append(axisColumns(t.Axes, figureColumns), figureColumns...)}
		for _, r := range t.Rows {
			for i, c := range r.Cells {
				if r.Keyed && c.Figure == nil {
					continue
				}
				rows = append(rows, append(coordinates(r.Coordinates, t.Axes), figureRecord(t.Measures[i], c)...))
			}
		}
		out = append(out, file{name: t.Block, data: nil})
		if err := encodeCSV(&out[len(out)-1], rows); err != nil {
			return nil, err
		}
	}
	for _, t := range v.comparisons {
		axes := append(append([]string(nil), t.Axes...), t.Across)
		rows := [][]string{append(axisColumns(axes, compareColumns), compareColumns...)}
		for _, a := range t.Arms {
			if c := a.Comparison; !a.Baseline {
				rec := []string{t.Measure.Name, c.Baseline, "", "", "", "", "", "", strconv.Itoa(c.N), strconv.Itoa(c.NBaseline), a.Words}
				if c.Quoted {
					rec[8], rec[9] = "", ""
					if c.Complete {
						rec[2], rec[3] = number(c.Change), number(c.Ratio)
					}
					if c.KnownDifference {
						rec[4] = number(c.Difference)
					}
				} else if c.Complete {
					rec[2], rec[3], rec[4], rec[7] = number(c.Change), number(c.Ratio), number(c.Difference), number(c.P)
				}
				if c.Complete && c.Interval != nil {
					rec[5], rec[6] = number(c.Interval.Lo), number(c.Interval.Hi)
				}
				rows = append(rows, append(coordinates(a.Coordinates, axes), rec...))
			}
		}
		out = append(out, file{name: "compare." + t.Name})
		if err := encodeCSV(&out[len(out)-1], rows); err != nil {
			return nil, err
		}
	}
	if len(v.in.Results.KPIs) > 0 {
		rows := [][]string{{"kpi", "coordinates", "severity", "verdict", "of", "measure", "value", "figure", "limit", "reason", "because"}}
		for _, k := range v.in.Results.KPIs {
			val := ""
			if k.Value != nil {
				val = number(*k.Value)
			}
			rows = append(rows, []string{k.Block, k.Coordinates.String(), k.Severity, string(k.Verdict), k.Of, k.Measure, val, k.Figure, k.Limit, k.Reason, k.Because})
		}
		out = append(out, file{name: "kpis"})
		if err := encodeCSV(&out[len(out)-1], rows); err != nil {
			return nil, err
		}
	}
	if rows := roundRows(v.in); len(rows) > 1 {
		out = append(out, file{name: "rounds"})
		if err := encodeCSV(&out[len(out)-1], rows); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var (
	figureColumns  = []string{"measure", "unit", "better", "median", "n", "planned", "lo", "hi", "bounds", "note"}
	compareColumns = []string{"measure", "baseline", "change", "ratio", "difference", "change_lo", "change_hi", "p", "n", "n_baseline", "words"}
)

func figureRecord(m column, c cell) []string {
	rec := []string{m.Name, m.Dim.String(), string(m.Better), "", "0", "", "", "", "", c.Note}
	f := c.Figure
	if f == nil {
		return rec
	}
	rec[4], rec[5] = strconv.Itoa(f.N), strconv.Itoa(f.Planned)
	if f.N == 0 {
		return rec
	}
	rec[3], rec[6], rec[7], rec[8] = number(f.Median), number(f.Lo), number(f.Hi), "range"
	if f.Interval {
		rec[8] = "interval"
	}
	return rec
}

// axisColumns are the headings of axes. One that is called like a column of ours is told from it by a prefix.
func axisColumns(axes, ours []string) []string {
	out := make([]string, 0, len(axes)+len(ours))
	for _, a := range axes {
		for _, o := range ours {
			if a == o {
				a = "axis." + a
				break
			}
		}
		out = append(out, a)
	}
	return out
}

func coordinates(c map[string]string, axes []string) []string {
	out := make([]string, 0, len(axes))
	for _, a := range axes {
		out = append(out, c[a])
	}
	return out
}

// number prints the shortest decimal that gives v again, without an exponent for everything of a human size.
func number(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-9 || a >= 1e18) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func encodeCSV(f *file, rows [][]string) error {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return fmt.Errorf("report: table %s: %w", f.name, err)
	}
	f.name, f.data = tablesDir+"/"+addr.FileName(f.name)+".csv", b.Bytes()
	return nil
}
