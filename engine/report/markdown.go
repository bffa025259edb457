package report

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
)

// markdown gives report.md: GitHub's dialect, made to be read in a pull request and in a terminal alike.
func markdown(v *view) []byte {
	m := &mdWriter{}
	r := v.in.Results
	m.line("# %s", md(v.title))
	m.line("**%s** · %s", strings.ToUpper(string(r.Verdict)), md(strings.Join(v.counts, " · ")))
	if d := v.in.Plan.Spec.Description; d != "" {
		m.line("%s", md(d))
	}
	m.list(append(prefixed("**Note:** ", v.in.Notes), prefixed("**Warning:** ", r.Warnings)...))
	if len(v.kpis) > 0 {
		m.line("## Verdicts")
		rows := [][]string{{"verdict", "KPI", "figure", "limit", "reason"}}
		for _, k := range v.kpis {
			name := md(strings.TrimPrefix(k.Block, "kpi."))
			if c := k.Coordinates.String(); c != "" {
				name += " " + code(c)
			}
			verdict := "**" + string(k.Verdict) + "**"
			if k.Severity == "advisory" {
				verdict += " (advisory)"
			}
			reason := md(shortReason(k))
			if k.Because != "" {
				reason += " *Because: " + md(k.Because) + "*"
			}
			rows = append(rows, []string{verdict, name, md(k.Figure), md(k.Limit), reason})
		}
		m.table(rows)
	}
	var not []string
	for _, n := range r.NotJudged {
		not = append(not, code(n.Block)+" is not judged: "+md(n.Reason))
	}
	m.list(not)
	m.comparisons(v)
	m.figures(v)
	m.troubles("Failed and skipped", v.troubles)
	m.troubles("Doubts", v.doubts)
	m.troubles("Rounds", v.rounds)
	m.line("## How this came about")
	m.line("Figures are medians over repetitions, with n and, where n allows one, a %s confidence interval; no outlier is removed. "+
		"Command lines and the environment are in report.html.", v.confidence)
	var from []string
	for _, p := range provenance(v.in) {
		from = append(from, md(p[0])+": "+code(p[1]))
	}
	m.list(from)
	return m.b.Bytes()
}

func (m *mdWriter) comparisons(v *view) {
	if len(v.comparisons) > 0 {
		m.line("## Comparisons")
	}
	for _, t := range v.comparisons {
		about := fmt.Sprintf("**%s**: %s of %s across %s", md(t.Name), code(t.Measure.Name), code(t.Of), code(t.Across))
		if t.Direction != "" {
			about += "; " + t.Direction
		}
		m.line("%s.", about)
		rows := [][]string{append(mdAll(append(append([]string(nil), t.Axes...), t.Across)), "median", "of baseline", "change", v.confidence+" interval", "p", "n", "in words")}
		for _, a := range t.Arms {
			var cells []string
			for _, axis := range t.Axes {
				cells = append(cells, md(v.cases.labelOf(axis, a.Coordinates[axis])))
			}
			cells = append(cells, md(v.cases.labelOf(t.Across, a.Case)), md(a.Figure.Main), a.Percent, a.Change, a.Interval, md(a.P), a.N, md(a.Words))
			rows = append(rows, cells)
		}
		m.table(rows)
	}
}

func (m *mdWriter) figures(v *view) {
	if len(v.tables) > 0 {
		m.line("## Figures")
	}
	for _, all := range v.tables {
		t, ok := all.only(true)
		if !ok {
			t = all
		}
		m.line("%s", code(t.Block))
		head := mdAll(t.Axes)
		for _, c := range t.Measures {
			h := md(c.Name)
			if d := direction(c.Better); d != "" {
				h += " (" + d + ")"
			}
			head = append(head, h)
		}
		rows := [][]string{head}
		for _, r := range t.Rows {
			var cells []string
			for _, a := range t.Axes {
				cells = append(cells, md(v.cases.labelOf(a, r.Coordinates[a])))
			}
			for _, c := range r.Cells {
				cells = append(cells, md(c.Text()))
			}
			rows = append(rows, cells)
		}
		m.table(rows)
	}
	for _, p := range v.plots {
		if p.Failed != "" {
			m.line("Plot %s could not be drawn: %s", code(p.Name()), md(p.Failed))
			continue
		}
		m.line("![%s](%s)", md(p.Alt()), (&url.URL{Path: p.pngPath()}).EscapedPath())
	}
}

func (m *mdWriter) troubles(title string, list []trouble) {
	if len(list) == 0 {
		return
	}
	m.line("## %s", title)
	var out []string
	for _, t := range list {
		out = append(out, fmt.Sprintf("%s, %s: **%s**: %s", code(t.Address), t.Repetitions(), md(t.What), md(t.Why)))
	}
	m.list(out)
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

func mdAll(ss []string) []string {
	out := make([]string, len(ss), len(ss)+8)
	for i, s := range ss {
		out[i] = md(s)
	}
	return out
}

// code gives a code span; what would end one, or a cell of a table, is escaped as text instead.
func code(s string) string {
	s = plainText(s)
	if s == "" || strings.ContainsAny(s, "`|") {
		return md(s)
	}
	return "`" + s + "`"
}
