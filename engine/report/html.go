package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"github.com/assay-bench/assay/engine/judge"
)

//go:embed report.html.tmpl
var pageTemplate string

//go:embed parts.html.tmpl
var partsTemplate string

// page is what the template puts together. What may be long is rendered already, up to its share of the page.
type page struct {
	Title, Confidence string
	Policy            string // the Content-Security-Policy
	Style             template.CSS
	Scripts           []template.JS
	Axes              []filterAxis
	In                Input
	Counts            []string
	Notices           part // notes and warnings
	Verdicts          part
	NotJudged         part
	Comparisons       []comparisonPart
	Plots             part
	Undrawn           []undrawn
	Tables            []tablePart
	Troubles, Doubts  part
	Rounds            part
	Differences       part // between hosts
	Hosts             []hostPart
	Chains            part
	Steps             part
	Provenance        [][2]string
}

// htmlReport gives report.html: one file that needs nothing else and asks nothing of any network. Whatever comes from a spec, a tool
// or a machine is escaped; only the style sheet, the scripts and the drawn plots, which are ours, are put in as they are. The policy
// names the style sheet and the scripts by their hash, so nothing else is applied or run, should any text ever become markup. All is
// there without scripts, too; they sort, filter and zoom.
func htmlReport(v *view) ([]byte, error) {
	w, err := newPageWriter(v)
	if err != nil {
		return nil, err
	}
	p := page{
		Title: v.title, Confidence: v.confidence, In: v.in, Counts: v.counts, Axes: w.coords.axes, Undrawn: v.undrawn, Provenance: provenance(v.in),
	}
	// First what others link to: a link is made only where its target is in the page.
	p.Steps = w.steps()
	p.Chains = w.chains()
	p.Notices, p.NotJudged = w.notices(), w.notJudged()
	p.Verdicts = w.verdicts()
	p.Comparisons = w.comparisons()
	p.Plots = w.plots()
	p.Tables = w.tables()
	p.Troubles, p.Doubts, p.Rounds = w.befell(v.troubles, 300e3), w.befell(v.doubts, 150e3), w.befell(v.rounds, 100e3)
	p.Differences, p.Hosts = w.hosts()
	if w.err != nil {
		return nil, w.err
	}
	p.assets(w.zooms > 0)
	var b bytes.Buffer
	if err := w.templates.ExecuteTemplate(&b, "report", p); err != nil {
		return nil, fmt.Errorf("report: report.html: %w", err)
	}
	return b.Bytes(), nil
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
