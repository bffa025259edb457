package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// chain is how a number came about: from the verdict to the comparison, the figures of its arms, the formula of a derived measure, and
// down to the values of the repetitions.
type chain struct {
	ID          string
	Address     string
	Coordinates addr.Coordinates
	Verdict     judge.Verdict // of a KPI
	About       string
	Links       []chainLink
}

// chainLink says one thing. What it rests on follows with a greater depth.
type chainLink struct {
	Depth int
	Name  string // of what it tells; empty: goes on with the one before
	Text  string
	Test  string // address of the test whose samples are shown elsewhere in the page
}

// mostValues is how many values of repetitions are shown for one figure.
const mostValues = 60

// chains gives one for each KPI, each comparison that no KPI judges, and each derived figure that neither rests on.
func (w *pageWriter) chains() part {
	c := newChains(w.v)
	var heads []chain
	for i := range w.v.kpis {
		k := &w.v.kpis[i]
		heads = append(heads, chain{Address: k.Address, Coordinates: k.Coordinates, Verdict: k.Verdict})
		c.judged[k.Of] = true
	}
	for _, x := range w.v.in.Results.Comparisons {
		if !c.judged[x.Address] {
			heads = append(heads, chain{Address: x.Address, Coordinates: x.Coordinates, About: x.Measure.Name + " across " + x.Across})
		}
	}
	for _, d := range w.v.in.Plan.Judgement.Derived {
		if !c.judged[d.Address] {
			heads = append(heads, chain{Address: d.Address, Coordinates: d.Coordinates, About: "derived"})
		}
	}
	p := w.fill("chain", chainBytes, len(heads), func(i int) any {
		h := heads[i]
		h.ID = fmt.Sprintf("c%d", i+1)
		if i < len(w.v.kpis) {
			h.Links = c.kpi(&w.v.kpis[i])
		} else {
			h.Links = c.rest(h.Address, "", 0)
		}
		return h
	})
	for i := range p.Shown {
		w.chainAt[heads[i].Address] = fmt.Sprintf("c%d", i+1)
	}
	return p
}

// chainIndex finds what numbers rest on.
type chainIndex struct {
	v           *view
	planned     map[[2]string]plan.KPI // by block and measure
	comparisons map[string]*judge.Comparison
	derived     map[string]*plan.Derived
	judged      map[string]bool // addresses that a KPI judges
}

func newChains(v *view) *chainIndex {
	c := &chainIndex{v, map[[2]string]plan.KPI{}, map[string]*judge.Comparison{}, map[string]*plan.Derived{}, map[string]bool{}}
	for _, k := range v.in.Plan.Judgement.KPIs {
		c.planned[[2]string{k.Block, k.Measure.Name}] = k
	}
	for i := range v.in.Results.Comparisons {
		c.comparisons[v.in.Results.Comparisons[i].Address] = &v.in.Results.Comparisons[i]
	}
	for i := range v.in.Plan.Judgement.Derived {
		c.derived[v.in.Plan.Judgement.Derived[i].Address] = &v.in.Plan.Judgement.Derived[i]
	}
	return c
}

func (c *chainIndex) kpi(k *judge.KPI) []chainLink {
	limit := k.Limit
	if p, ok := c.planned[[2]string{k.Block, k.Measure}]; ok && statistic(p) != "" {
		limit += " on the " + statistic(p)
	}
	links := []chainLink{{Name: "limit", Text: limit + ", " + cmp.Or(k.Severity, "required")}, {Name: "reason", Text: k.Reason}}
	return append(links, c.rest(k.Of, k.Measure, 0)...)
}

// rest tells of what stands at an address. Derived measures are made of others, but never of themselves; eight is deeper than a spec
// that a person can follow.
func (c *chainIndex) rest(address, measure string, depth int) []chainLink {
	if depth > 8 {
		return nil
	}
	if x := c.comparisons[address]; x != nil {
		return c.comparison(x, depth)
	}
	if d := c.derived[address]; d != nil {
		f := c.v.figures.get(d.Address, d.Measure.Name)
		links := []chainLink{c.figure(address, d.Measure.Name, depth)}
		text := formula(d.Formula) + ", in base units"
		switch {
		case f != nil && f.FromMedians:
			text += ", of the medians: the inputs come from several tests, whose repetitions do not belong together"
		case f != nil && f.N > 0:
			text += ", for each repetition"
		}
		links = append(links, chainLink{Depth: depth, Name: "formula", Text: text})
		return append(links, c.inputs(d.Formula, depth+1)...)
	}
	return []chainLink{c.figure(address, measure, depth)}
}

func (c *chainIndex) inputs(f plan.Formula, depth int) []chainLink {
	var out []chainLink
	if f.Of != "" {
		out = c.rest(f.Of, f.Measure, depth)
	}
	for _, a := range f.Args {
		out = append(out, c.inputs(a, depth)...)
	}
	return out
}

// comparison says how the change was computed, with the two medians in it, and then where these come from.
func (c *chainIndex) comparison(x *judge.Comparison, depth int) []chainLink {
	say := func(name, text string) chainLink { return chainLink{Depth: depth, Name: name, Text: text} }
	if x.Quoted {
		return []chainLink{say("comparison", x.Address+": "+x.Words), say("quoted", x.Source+"; it was not measured here")}
	}
	if !x.Complete {
		return []chainLink{say("comparison", x.Address+": "+x.Reason)}
	}
	links := []chainLink{say("comparison", fmt.Sprintf("%s: %s ÷ %s − 1 is %s", x.Address, c.median(x.Test, x.Measure), c.median(x.BaselineTest, x.Measure), unit.FormatChange(x.Change)))}
	sure := "no interval: too few repetitions"
	if x.Interval != nil {
		sure = fmt.Sprintf("%s interval %s to %s, by a bootstrap of both medians", c.v.confidence, unit.FormatChange(x.Interval.Lo), unit.FormatChange(x.Interval.Hi))
	}
	p := "p = " + pValue(x.P)
	if pValue(x.P)[0] == '<' {
		p = "p " + pValue(x.P)
	}
	sure += fmt.Sprintf("; %s, by a Mann-Whitney U test of %d against %d", p, x.N, x.NBaseline)
	if x.PHolm != nil {
		sure += ", " + pValue(*x.PHolm) + " by Holm over all that are judged"
	}
	links = append(links, say("how sure", sure))
	links = append(links, c.rest(x.Test, x.Measure.Name, depth+1)...)
	return append(links, c.rest(x.BaselineTest, x.Measure.Name, depth+1)...)
}

func (c *chainIndex) median(address string, m schema.Measure) string {
	if f := c.v.figures.get(address, m.Name); f != nil && f.N > 0 {
		return value(f.Median, f.Measure)
	}
	return "no figure"
}

// figure is a median with the values of the repetitions of which it is.
func (c *chainIndex) figure(address, measure string, depth int) chainLink {
	l := chainLink{Depth: depth, Name: cmp.Or(measure, "figure"), Test: address}
	f := c.v.figures.get(address, measure)
	if f == nil {
		l.Text = address + ": no figure"
		return l
	}
	l.Test = cmp.Or(f.Test, address)
	if f.N == 0 {
		l.Text = address + ": no value: " + cmp.Or(missing(f.Missing), "not run")
		return l
	}
	median := value(f.Median, f.Measure)
	l.Text = address + ": " + median
	if f.N > 1 {
		values := make([]string, 0, f.N)
		for _, v := range f.Values[:min(len(f.Values), mostValues)] {
			values = append(values, value(v, f.Measure))
		}
		l.Text += fmt.Sprintf(", the median of %d", f.N)
		if len(values) > 0 {
			l.Text += ": " + strings.Join(values, ", ")
		}
		if n := len(f.Values) - mostValues; n > 0 {
			l.Text += fmt.Sprintf(" and %d more", n)
		}
	} else {
		l.Text += ", one observation"
	}
	if n := missing(f.Missing); n != "" {
		l.Text += "; " + n
	}
	if f.Imported {
		l.Text += "; imported"
	}
	if earlier := f.LoadedText(); earlier != "" {
		l.Text += "; " + earlier
	}
	return l
}
