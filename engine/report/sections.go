package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/addr"
)

// notice is a note or a warning about the whole.
type notice struct{ Kind, Class, Text string }

func (w *pageWriter) notices() part {
	var all []notice
	for _, n := range w.v.in.Notes {
		all = append(all, notice{"Note", "", n})
	}
	for _, n := range w.v.in.Results.Warnings {
		all = append(all, notice{"Warning", "warn", n})
	}
	return w.fill("notice", 100e3, len(all), func(i int) any { return all[i] })
}

func (w *pageWriter) notJudged() part {
	all := w.v.in.Results.NotJudged
	return w.fill("unjudged", 100e3, len(all), func(i int) any { return all[i] })
}

// kpiRow is a verdict in its table.
type kpiRow struct {
	judge.KPI
	Rank  int    // by which the table is sorted at first
	Order string // of the figure
}

func (w *pageWriter) verdicts() part {
	return w.fill("kpi", verdictBytes, len(w.v.kpis), func(i int) any {
		r := kpiRow{KPI: w.v.kpis[i], Rank: i}
		if r.Value != nil {
			r.Order = orderOf(*r.Value)
		}
		return r
	})
}

// orderOf is a figure by which rows are sorted.
func orderOf(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// comparisonPart is the table of one comparison.
type comparisonPart struct {
	*compareTable
	Rows    part
	Differs part // what else differs between arms
	File    string
}

// armRow is one arm in the table of its comparison.
type armRow struct {
	arm
	T *compareTable
}

// At are the coordinates by which a row is found: those of a baseline stand for every case.
func (r armRow) At() addr.Coordinates {
	if r.Baseline {
		return r.Coordinates.Project(r.T.Axes)
	}
	return r.Coordinates
}

// Holm is the p-value that is corrected over all comparisons that are judged; empty where it is the same.
func (r armRow) Holm() string {
	if c := r.Comparison; !r.Baseline && !r.Absent && c.PHolm != nil && pValue(*c.PHolm) != r.P {
		return pValue(*c.PHolm)
	}
	return ""
}

// ChangeOrder and its like are what a column is sorted by.
func (r armRow) ChangeOrder() string {
	if r.Baseline || !r.Comparison.Complete {
		return ""
	}
	return orderOf(r.Comparison.Change)
}

func (r armRow) MedianOrder() string {
	if r.Figure.Figure == nil || r.Figure.Figure.N == 0 {
		return ""
	}
	return orderOf(r.Figure.Figure.Median)
}

func (w *pageWriter) comparisons() []comparisonPart {
	var out []comparisonPart
	share := fairly(comparisonBytes, len(w.v.comparisons))
	for i := range w.v.comparisons {
		t := &w.v.comparisons[i]
		p := comparisonPart{compareTable: t, File: tableFile("compare." + t.Name)}
		p.Rows = w.fill("arm", share.next(), len(t.Arms), func(i int) any { return armRow{t.Arms[i], t} })
		share.used(len(p.Rows.HTML))
		differs := differences(t)
		p.Differs = w.fill("differs", 20e3, len(differs), func(i int) any { return differs[i] })
		out = append(out, p)
	}
	return out
}

// armDifference is what else than the axis differs between arms, and between how many.
type armDifference struct {
	compare.Difference
	Arms []string
}

// Where names the arms, or says how many they are.
func (d armDifference) Where() string {
	if len(d.Arms) == 1 {
		return d.Arms[0]
	}
	return fmt.Sprintf("%d arms", len(d.Arms))
}

func differences(t *compareTable) []armDifference {
	var out []armDifference
	at := map[compare.Difference]int{}
	for _, a := range t.Arms {
		if a.Baseline {
			continue
		}
		for _, d := range a.Comparison.Differs {
			i, ok := at[d]
			if !ok {
				i = len(out)
				at[d] = i
				out = append(out, armDifference{Difference: d})
			}
			out[i].Arms = append(out[i].Arms, a.Coordinates.String())
		}
	}
	return out
}

// tablePart holds the figures of a block: what something names stands in the page, the rest is folded away.
type tablePart struct {
	Block     string
	Key, Rest *figurePart
}

type figurePart struct {
	figureTable
	Rows part
	File string
}

// figureRow is a row with the table that it is of.
type figureRow struct {
	row
	T *figureTable
}

// Order is what a cell is sorted by.
func (c cell) Order() string {
	if c.Figure == nil || c.Figure.N == 0 {
		return ""
	}
	return orderOf(c.Figure.Median)
}

// Test is the address of the test without keys, where its samples are.
func (r figureRow) Test() string {
	if i := slices.IndexFunc(r.Cells, func(c cell) bool { return c.Figure != nil && c.Figure.Test != "" }); i >= 0 {
		return r.Cells[i].Figure.Test
	}
	return r.Address
}

func (w *pageWriter) tables() []tablePart {
	var out []tablePart
	keys, rests := fairly(figureBytes, len(w.v.tables)), fairly(restBytes, len(w.v.tables))
	for _, t := range w.v.tables {
		p := tablePart{Block: t.Block}
		if key, ok := t.only(true); ok {
			p.Key = w.figureTable(key, keys)
		}
		if rest, ok := t.only(false); ok {
			p.Rest = w.figureTable(rest, rests)
		}
		out = append(out, p)
	}
	return out
}

func (w *pageWriter) figureTable(t figureTable, share *shares) *figurePart {
	p := &figurePart{figureTable: t, File: tableFile(t.Block)}
	p.Rows = w.fill("figure", share.next(), len(t.Rows), func(i int) any { return figureRow{t.Rows[i], &t} })
	share.used(len(p.Rows.HTML))
	return p
}

// shares divides bytes among parts: what one leaves over is for those after it.
type shares struct{ left, parts int }

func fairly(bytes, parts int) *shares { return &shares{bytes, parts} }

func (s *shares) next() int {
	n := s.left / max(s.parts, 1)
	s.parts--
	return n
}

func (s *shares) used(bytes int) { s.left -= bytes }

func tableFile(block string) string { return tablesDir + "/" + addr.FileName(block) + ".csv" }

// plotPart is a plot as it stands in the page.
type plotPart struct {
	Name, Alt   string
	Coordinates addr.Coordinates
	SVG         template.HTML // bears its own title for screen readers
	File        string
	Zoom        *zoom
	Failed      string
}

func (w *pageWriter) plots() part {
	room := int(zoomBytes)
	return w.fill("plot", plotBytes+zoomBytes, len(w.v.plots), func(i int) any {
		p := w.v.plots[i]
		out := plotPart{p.Name(), p.Alt(), p.Coordinates, template.HTML(p.SVG), p.svgPath(), nil, p.Failed}
		if z := newZoom(p.figure); z != nil && z.bytes() <= room && p.Failed == "" {
			room -= z.bytes()
			out.Zoom = z
			w.zooms++
		}
		return out
	})
}
