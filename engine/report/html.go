package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
)

//go:embed report.html.tmpl
var pageTemplate string

//go:embed report.css
var pageStyle string

// htmlReport gives report.html: one file that needs nothing else and runs no script. Whatever comes from a spec, a tool or a
// machine is escaped; only the style sheet and the drawn plots, which are ours, are put in as they are.
func htmlReport(v *view) ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{
		"icon":    icon,
		"reason":  shortReason,
		"trim":    func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
		"verdict": verdictWord,
		"label":   v.cases.labelOf,
		"dir":     direction,
		"short":   func(label string) bool { return columns(label) <= 24 },
		// A KPI mostly has the coordinates of what it judges: they are not said twice.
		"of": func(k judge.KPI) string { return strings.TrimSuffix(k.Of, "["+k.Coordinates.String()+"]") },
	}).Parse(pageTemplate)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	page := struct {
		Title       string
		Style       template.CSS
		In          Input
		Confidence  string
		Counts      []string
		KPIs        []judge.KPI
		Comparisons []compareTable
		Tables      []pageTable
		Plots       []pagePlot
		Troubles    []trouble
		Doubts      []trouble
		Rounds      []trouble
		Hosts       []hostFacts
		Commands    []stepCommands
		Provenance  [][2]string
	}{
		v.title, template.CSS(pageStyle), v.in, v.confidence, v.counts, v.kpis, v.comparisons, pageTables(v), pagePlots(v),
		v.troubles, v.doubts, v.rounds, facts(v.in), byStep(v.commands), provenance(v.in),
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return nil, fmt.Errorf("report: report.html: %w", err)
	}
	return b.Bytes(), nil
}

// pageTable is a table of figures: what something names stands in the page, the rest is folded away.
type pageTable struct {
	Block string
	Key   *figureTable
	Rest  *figureTable
}

func pageTables(v *view) []pageTable {
	var out []pageTable
	for _, t := range v.tables {
		p := pageTable{Block: t.Block}
		if key, ok := t.only(true); ok {
			p.Key = &key
		}
		if rest, ok := t.only(false); ok {
			p.Rest = &rest
		}
		out = append(out, p)
	}
	return out
}

// pagePlot is a plot as it stands in the page.
type pagePlot struct {
	Name   string
	SVG    template.HTML // bears its own title for screen readers
	Failed string
}

func pagePlots(v *view) []pagePlot {
	var out []pagePlot
	for _, p := range v.plots {
		out = append(out, pagePlot{p.Name(), template.HTML(p.SVG), p.Failed})
	}
	return out
}

// stepCommands are the command lines of one step.
type stepCommands struct {
	Address, Action string
	Commands        []command
}

func byStep(cs []command) []stepCommands {
	var out []stepCommands
	at := map[string]int{}
	for _, c := range cs {
		k := c.Action + " " + c.Address
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, stepCommands{Address: c.Address, Action: c.Action})
		}
		out[i].Commands = append(out[i].Commands, c)
	}
	return out
}

func verdictWord(v judge.Verdict) string {
	switch v {
	case judge.Pass:
		return "Pass"
	case judge.Fail:
		return "Fail"
	case judge.Inconclusive:
		return "Inconclusive"
	case judge.Invalid:
		return "Invalid"
	case judge.Skipped:
		return "Skipped"
	}
	return string(v)
}

// icon gives a verdict a shape of its own, so that it does not hang on colour.
func icon(v judge.Verdict) template.HTML {
	shape := `<circle cx="8" cy="8" r="7"/><path d="M4.5 8h7"/>` // skipped: a dash
	switch v {
	case judge.Pass: // a tick in a disc
		shape = `<circle cx="8" cy="8" r="7"/><path d="M4.6 8.3l2.4 2.4 4.5-5"/>`
	case judge.Fail: // a cross in an octagon
		shape = `<path class="f" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"/><path d="M5.5 5.5l5 5m0-5l-5 5"/>`
	case judge.Inconclusive: // a question mark in a diamond
		shape = `<path class="f" d="M8 .4L15.6 8 8 15.6 .4 8z"/><path d="M6.3 6.3c0-2.3 3.6-2.2 3.5-.1 0 1.300-1.800 1.300-1.800 2.600"/><path d="M8 11v.01"/>`
	case judge.Invalid: // an exclamation mark in a triangle
		shape = `<path class="f" d="M8 1l7.5 14H.5z"/><path d="M8 6v4.3M8 12.6v.01"/>`
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">` + shape + `</svg>`)
}
