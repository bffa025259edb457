package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
)

// One screen of a pull request: what does not fit is counted, and is in report.html.
const (
	mdKPIs     = 10
	mdChanges  = 3
	mdNotices  = 3
	mdTroubles = 3
)

// markdown gives report.md: GitHub's dialect, made to be read in a pull request and in a terminal alike: the verdict, the KPIs, those that
// need attention first, the three measures that changed most, and what went wrong.
func markdown(v *view) []byte {
	m := &mdWriter{}
	r := v.in.Results
	m.line("# %s", md(v.title))
	m.line("**%s** · %s", strings.ToUpper(string(r.Verdict)), md(strings.Join(v.counts, " · ")))
	m.few(append(prefixed("**Note:** ", v.in.Notes), prefixed("**Warning:** ", r.Warnings)...), mdNotices, "notes and warnings")
	m.kpis(v)
	m.changes(v)
	m.troubles("Failed, unfinished and skipped", v.troubles)
	m.troubles("Doubts", v.doubts)
	rests := "Figures are medians over repetitions. "
	if v.in.Manifest != "" {
		rests = "SHA-256 of the record's manifest: " + code(v.in.Manifest) + ". "
	}
	m.line("%sTables, plots, command lines and how each figure came about are in [report.html](report.html).", rests)
	return m.b.Bytes()
}

func (m *mdWriter) kpis(v *view) {
	rows := [][]string{{"verdict", "KPI", "figure", "limit", "reason"}}
	for _, k := range v.kpis[:min(len(v.kpis), mdKPIs)] {
		name := md(strings.TrimPrefix(k.Block, "kpi."))
		if c := k.Coordinates.String(); c != "" {
			name += " " + code(c)
		}
		verdict := "**" + string(k.Verdict) + "**"
		if k.Severity == "advisory" {
			verdict += " (advisory)"
		}
		reason := short(shortReason(k))
		if k.Because != "" {
			reason += " *Because: " + short(k.Because) + "*"
		}
		rows = append(rows, []string{verdict, name, md(k.Figure), md(k.Limit), reason})
	}
	if len(rows) > 1 {
		m.table(rows)
	}
	if rest := v.kpis[min(len(v.kpis), mdKPIs):]; len(rest) > 0 {
		by := map[judge.Verdict]int{}
		for _, k := range rest {
			by[k.Verdict]++
		}
		var parts []string
		for _, w := range verdicts {
			if by[w] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", by[w], w))
			}
		}
		m.line("%s: %s.", plural(len(rest), "more verdict", "more verdicts"), strings.Join(parts, ", "))
	}
	var not []string
	for _, n := range v.in.Results.NotJudged {
		not = append(not, code(n.Block)+" is not judged: "+short(n.Reason))
	}
	m.few(not, mdTroubles, "blocks that are not judged")
}

func (m *mdWriter) changes(v *view) {
	changes := mostChanged(v, mdChanges)
	if len(changes) == 0 {
		return
	}
	m.line("## Most changed")
	rows := [][]string{{"measure", "at", "baseline", "here", "change", "in words"}}
	for _, c := range changes {
		rows = append(rows, []string{md(c.Measure), md(c.Arm), md(c.Was), md(c.Is), md(c.Change), md(c.Words)})
	}
	m.table(rows)
}

// troubles has a line for each reason, not for each test.
func (m *mdWriter) troubles(title string, list []trouble) {
	if len(list) == 0 {
		return
	}
	m.line("## %s", title)
	var out []string
	for _, b := range grouped(list) {
		where := b.Many()
		if where == "" {
			var parts []string
			for _, t := range b.Tests {
				parts = append(parts, code(t.Address)+", "+t.Repetitions())
			}
			where = strings.Join(parts, "; ")
		}
		out = append(out, fmt.Sprintf("**%s** %s: %s", md(b.What), where, short(b.Why)))
	}
	m.few(out, mdTroubles, "reasons")
}

// few lists the first items, and counts the others.
func (m *mdWriter) few(items []string, most int, what string) {
	if n := len(items) - most; n > 1 { // the line that counts is no shorter than one more item
		items = append(items[:most:most], fmt.Sprintf("%d more %s are in report.html", n, what))
	}
	m.list(items)
}

// short is text of which a pull request shows the beginning.
func short(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return md(s)
}

// mdWriter writes blocks with one empty line between them.
type mdWriter struct{ b bytes.Buffer }

func (m *mdWriter) block() {
	if m.b.Len() > 0 {
		m.b.WriteByte('\n')
	}
}

func (m *mdWriter) line(format string, args ...any) {
	m.block()
	fmt.Fprintf(&m.b, format+"\n", args...)
}

func (m *mdWriter) list(items []string) {
	if len(items) == 0 {
		return
	}
	m.block()
	for _, s := range items {
		m.b.WriteString("- " + s + "\n")
	}
}

func prefixed(prefix string, items []string) []string {
	var out []string
	for _, s := range items {
		out = append(out, prefix+md(s))
	}
	return out
}

func (m *mdWriter) table(rows [][]string) {
	m.block()
	for i, r := range rows {
		m.b.WriteString("| " + strings.Join(r, " | ") + " |\n")
		if i == 0 {
			m.b.WriteString("|" + strings.Repeat(" --- |", len(r)) + "\n")
		}
	}
}

var mdEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"|", `\|`, "~", `\~`, "#", `\#`, "!", `\!`, "@", "&#64;") // @: a title must not call a person on GitHub

// md makes text stand for itself on one line of Markdown.
func md(s string) string { return mdEscaper.Replace(plainText(s)) }

// code gives a code span; what would end one, or a cell of a table, is escaped as text instead.
func code(s string) string {
	s = plainText(s)
	if s == "" || strings.ContainsAny(s, "`|") {
		return md(s)
	}
	return "`" + s + "`"
}
