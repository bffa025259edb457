package imported

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// Quote is one row of a table of published comparisons, in base units. What is not given is nil.
type Quote struct {
	Line                      int
	At                        addr.Coordinates
	Change, Ratio, Difference *float64
}

// Quotes reads a table of published comparisons of a measure: its columns are axes and change, ratio or difference.
func Quotes(format string, data []byte, axes []Axis, others []string, m schema.Measure) ([]Quote, []Problem) {
	t := &Table{format: format}
	r := &reader{table: t, quoted: true, shape: Shape{Axes: axes, Others: others, Measures: []schema.Measure{
		{Name: changeColumn}, {Name: "ratio"}, {Name: "difference", Dim: m.Dim, Symbol: m.Symbol},
	}}}
	if format == "json" {
		r.json(data)
	} else {
		r.csv(data)
	}
	r.problems = append(r.problems, t.Strangers(axes)...)
	var out []Quote
	lines := map[string]int{}
	for _, x := range t.rows {
		q := Quote{Line: x.line, At: x.at}
		for _, v := range x.values {
			switch v.Measure {
			case changeColumn:
				q.Change = &v.Value
			case "ratio":
				q.Ratio = &v.Value
			default:
				q.Difference = &v.Value
			}
		}
		if q.Change != nil && q.Ratio != nil && math.Abs(1+*q.Change-*q.Ratio) > 0.01 {
			r.problem(x.line, "A change of %s and a ratio of %s do not agree.", unit.FormatChange(*q.Change), unit.Digits(*q.Ratio, 4))
		}
		if other := lines[x.at.String()]; other > 0 {
			r.problem(x.line, "%s is given twice, here and on line %d.", x.at, other)
		}
		lines[x.at.String()] = x.line
		out = append(out, q)
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return out, r.problems
}

const changeColumn = "change"

// change reads a change from the baseline, which has a sign as everywhere.
func change(cell string) (v float64, problem string) {
	q, err := unit.Parse(cell, unit.One)
	if err != nil {
		return 0, strings.TrimSuffix(err.Error(), ".") + "."
	}
	if !q.Relative() && q.Float() != 0 {
		return 0, fmt.Sprintf("%q is no change: write it with a sign and %%, such as +19.6%%.", cell)
	}
	return q.Float(), ""
}
