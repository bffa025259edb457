package report

import (
	"slices"
	"sort"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

func newCases(axes []plan.Axis) cases {
	c := cases{map[string]map[string]int{}, map[string]map[string]string{}}
	for _, a := range axes {
		c.order[a.Name], c.label[a.Name] = map[string]int{}, map[string]string{}
		for i, k := range a.Cases {
			c.order[a.Name][k.Name], c.label[a.Name][k.Name] = i, k.Label
		}
	}
	return c
}

// figureIndex finds a figure by the address of its test and the name of its measure.
type figureIndex map[[2]string]*judge.Figure

func indexFigures(fs []judge.Figure) figureIndex {
	x := figureIndex{}
	for i := range fs {
		x[[2]string{fs[i].Address, fs[i].Measure.Name}] = &fs[i]
	}
	return x
}

func (x figureIndex) get(address, measure string) *judge.Figure {
	return x[[2]string{address, measure}]
}

// figureTable holds the figures of one test block: a row for each coordinates, a column for each measure. Axes are followed by the
// keys of its figures; a row of what is one figure over all keys has none of these.
type figureTable struct {
	Block    string
	Axes     []string
	Measures []column
	Rows     []row
}

type column struct {
	schema.Measure
	Key bool // a KPI, comparison or plot names it
}

type row struct {
	Address     string
	Coordinates addr.Coordinates
	Keyed       bool   // it stands for figures at keys; of the other measures it has none
	Cells       []cell // by Measures
}

// empty reports a row at keys that has no figure.
func (r row) empty() bool {
	return r.Keyed && !slices.ContainsFunc(r.Cells, func(c cell) bool { return c.Figure != nil })
}

// cell is one figure in words.
type cell struct {
	Main   string // 612 MB/s; – where there is none
	Spread string // n=6, 598–630
	Note   string // 1 failed; imported
	Figure *judge.Figure
}

// Text is the cell in one line.
func (c cell) Text() string {
	s := c.Main
	if c.Spread != "" {
		s += " (" + c.Spread + ")"
	}
	if c.Note != "" {
		s += "; " + c.Note
	}
	return strings.TrimPrefix(s, "–; ")
}

// only keeps the columns whose Key is key, and says whether any are left.
func (t figureTable) only(key bool) (figureTable, bool) {
	s := figureTable{Block: t.Block, Axes: t.Axes}
	var keep []int
	for i, m := range t.Measures {
		if m.Key == key {
			s.Measures = append(s.Measures, m)
			keep = append(keep, i)
		}
	}
	for _, r := range t.Rows {
		n := row{Address: r.Address, Coordinates: r.Coordinates, Keyed: r.Keyed}
		for _, i := range keep {
			n.Cells = append(n.Cells, r.Cells[i])
		}
		if !n.empty() {
			s.Rows = append(s.Rows, n)
		}
	}
	return s, len(keep) > 0
}

func figureTables(in Input, cs cases, index figureIndex) []figureTable {
	outcomes := map[string]map[string]int{}
	for _, s := range in.Results.Samples {
		if outcomes[s.Address] == nil {
			outcomes[s.Address] = map[string]int{}
		}
		outcomes[s.Address][string(s.Outcome)]++
	}
	key := keyMeasures(in.Plan)
	var out []figureTable
	for _, tt := range in.Plan.Judgement.Tests {
		t := figureTable{Block: tt.Block, Axes: tt.Axes}
		present := map[string]bool{}
		seen := map[string]bool{}
		add := func(address string, c addr.Coordinates, keyed bool) {
			if !seen[address] {
				seen[address] = true
				t.Rows = append(t.Rows, row{Address: address, Coordinates: c, Keyed: keyed})
			}
		}
		keys := map[string]bool{}
		for _, p := range in.Plan.Measured() {
			if p.Instance.Group() == tt.Block {
				add(p.Address, p.Coordinates, false)
			}
		}
		for _, f := range in.Results.Figures {
			if f.Block == tt.Block {
				add(f.Address, f.Coordinates, len(f.Keys) > 0)
				for k := range f.Keys {
					keys[k] = true
				}
				present[f.Measure.Name] = present[f.Measure.Name] || f.N > 0
			}
		}
		for i, m := range tt.Measures {
			named := m.Declared || key[tt.Block][m.Name] || len(key[tt.Block]) == 0 && i < 4
			if named || present[m.Name] {
				t.Measures = append(t.Measures, column{m, named})
			}
		}
		t.Axes = append(slices.Clone(tt.Axes), sortedKeys(keys)...)
		sort.SliceStable(t.Rows, func(i, j int) bool { return cs.less(t.Rows[i].Coordinates, t.Rows[j].Coordinates, t.Axes) })
		for i := range t.Rows {
			r := &t.Rows[i]
			for _, m := range t.Measures {
				f := index.get(r.Address, m.Name)
				if r.Keyed && f == nil {
					r.Cells = append(r.Cells, cell{Main: "–"})
					continue
				}
				r.Cells = append(r.Cells, newCell(f, outcomes[r.Address]))
			}
		}
		if len(t.Rows) > 0 && len(t.Measures) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func newCell(f *judge.Figure, outcomes map[string]int) cell {
	if f == nil || f.N == 0 {
		c := cell{Main: "–", Figure: f}
		if f != nil && len(f.Missing) > 0 {
			outcomes = f.Missing
		}
		if c.Note = missing(outcomes); c.Note == "" && outcomes[string(measure.OK)] == 0 {
			c.Note = "not run"
		}
		return c
	}
	c := cell{Main: value(f.Median, f.Measure), Figure: f, Note: missing(f.Missing)}
	c.Spread = spread(f.Summary, f.Planned, f.Measure, c.Main)
	if f.Imported {
		c.Note = strings.TrimPrefix(c.Note+", imported", ", ")
	}
	if earlier := f.LoadedText(); earlier != "" {
		c.Note = strings.TrimPrefix(c.Note+", "+earlier, ", ")
	}
	return c
}

// keyMeasures are those that a KPI, a comparison or a plot names, by block of the test.
func keyMeasures(p *plan.Plan) map[string]map[string]bool {
	j, block := p.Judgement, testBlocks(p)
	key := map[string]map[string]bool{}
	name := func(b, m string) {
		if key[b] == nil {
			key[b] = map[string]bool{}
		}
		key[b][m] = true
	}
	for _, c := range j.Comparisons {
		name(block[c.Test], c.Measure.Name)
	}
	for _, k := range j.KPIs {
		if !k.Comparison {
			name(block[k.Of], k.Measure.Name)
		}
	}
	for _, p := range j.Plots {
		name(p.Y, p.Measure.Name)
	}
	return key
}

// testBlocks gives the block of every test, by its address.
func testBlocks(p *plan.Plan) map[string]string {
	blocks := make(map[string]string, len(p.Tests))
	for _, t := range p.Measured() {
		blocks[t.Address] = t.Instance.Group()
	}
	return blocks
}
