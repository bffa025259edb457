package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
)

// TextOptions say what a terminal can do. The zero value is plain text of any width.
type TextOptions struct {
	Color  bool
	Width  int    // columns; 0: lines are not wrapped
	Report string // where the written report is; empty: not said
}

// Text writes what one wants to see at the end of a run: the verdict, the KPIs, comparisons, figures that something
// names, what failed and why, and where the report is. The error is w's.
func Text(w io.Writer, in Input, opts TextOptions) error {
	v, err := newView(in)
	if err != nil {
		return err
	}
	t := &textWriter{opts: opts}
	t.head(v)
	t.kpis(v)
	t.comparisons(v)
	t.figures(v)
	t.troubles("Failed and skipped", v.troubles)
	t.troubles("Doubts", v.doubts)
	t.troubles("Rounds (in brackets: those that the figures are of)", v.rounds)
	if opts.Report != "" {
		t.gap()
		t.print(0, "Report: "+opts.Report)
	}
	_, err = w.Write(t.b.Bytes())
	return err
}

func (t *textWriter) head(v *view) {
	r := v.in.Results
	t.print(2, t.verdict(r.Verdict, strings.ToUpper(string(r.Verdict)))+"  "+t.bold(plainText(v.title)))
	t.print(2, strings.Join(v.counts, "; "))
	for _, n := range v.in.Notes {
		t.print(2, "Note: "+plainText(n))
	}
	for _, n := range r.Warnings {
		t.print(2, t.paint("33", "Warning: ")+plainText(n))
	}
}

func (t *textWriter) kpis(v *view) {
	if len(v.kpis) > 0 {
		t.title("KPIs", "")
		rows := [][]string{{"verdict", "kpi", "limit", "figure"}}
		for _, k := range v.kpis {
			word := t.verdict(k.Verdict, string(k.Verdict))
			if k.Severity == "advisory" {
				word += " (advisory)"
			}
			rows = append(rows, []string{word, plainText(strings.TrimPrefix(k.Address, "kpi.")), plainText(k.Limit), plainText(k.Figure)})
		}
		if t.fits(rows) {
			t.table(rows, 2)
		} else {
			t.stack(rows[1:])
		}
		said := false
		for _, k := range v.kpis {
			if k.Verdict == judge.Pass {
				continue
			}
			if !said {
				t.gap()
				said = true
			}
			s := plainText(k.Address) + ": " + t.verdict(k.Verdict, string(k.Verdict)) + ": " + plainText(k.Reason)
			if k.Because != "" {
				s += " Because: " + plainText(k.Because)
			}
			t.print(4, "  "+s)
		}
	}
	for _, n := range v.in.Results.NotJudged {
		t.print(4, "  "+plainText(n.Block)+" is not judged: "+plainText(n.Reason))
	}
}

// stack prints KPIs one below the other, for a terminal that is too narrow for their table.
func (t *textWriter) stack(rows [][]string) {
	for _, r := range rows {
		t.print(6, "  "+r[0]+"  "+r[1])
		s := "limit " + r[2]
		if r[3] != "" {
			s = r[3] + "; " + s
		}
		t.print(6, "      "+s)
	}
}

func (t *textWriter) comparisons(v *view) {
	for _, c := range v.comparisons {
		about := fmt.Sprintf("%s of %s across %s", c.Measure.Name, c.Of, c.Across)
		if c.Direction != "" {
			about += "; " + c.Direction
		}
		t.title("Comparison "+plainText(c.Name), plainText(about))
		rows := [][]string{append(append([]string(nil), c.Axes...), c.Across, "median", "of baseline", v.confidence+" interval", "in words", "n", "p")}
		var reasons []string
		for _, a := range c.Arms {
			words := a.Words
			if a.Absent {
				words = "cannot be said"
				at := c.Across + " " + a.Case
				if a.Comparison.OtherRun { // each instance has the same two cases
					at = a.Comparison.Address
				}
				reasons = append(reasons, at+": "+a.Words)
			}
			rows = append(rows, append(coordinates(a.Coordinates, c.Axes), a.Case, a.Figure.Main, a.Percent, a.Interval, plainText(words), a.N, a.P))
		}
		t.table(rows, len(c.Axes)+1)
		for _, r := range reasons {
			t.print(4, "  "+plainText(r))
		}
	}
}

func (t *textWriter) figures(v *view) {
	for _, all := range v.tables {
		f, ok := all.only(true)
		if !ok {
			f = all
		}
		t.title(plainText(f.Block), "median (n, "+v.confidence+" interval)")
		head := append([]string(nil), f.Axes...)
		for _, m := range f.Measures {
			head = append(head, m.Name)
		}
		rows := [][]string{head}
		for _, r := range f.Rows {
			cells := coordinates(r.Coordinates, f.Axes)
			for _, c := range r.Cells {
				cells = append(cells, c.Text())
			}
			rows = append(rows, cells)
		}
		t.table(rows, len(f.Axes))
	}
}

func (t *textWriter) troubles(title string, list []trouble) {
	if len(list) == 0 {
		return
	}
	t.title(title, "")
	for _, x := range list {
		t.print(4, fmt.Sprintf("  %s, %s: %s: %s", plainText(x.Address), x.Repetitions(), x.What, plainText(x.Why)))
	}
}

func (t *textWriter) title(name, about string) {
	t.gap()
	s := t.bold(name)
	if about != "" {
		s += "  " + t.paint("2", about)
	}
	t.print(2, s)
}

func (t *textWriter) gap() { t.b.WriteByte('\n') }

func (t *textWriter) bold(s string) string { return t.paint("1", s) }

func (t *textWriter) paint(code, s string) string {
	if !t.opts.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *textWriter) verdict(v judge.Verdict, word string) string {
	switch v {
	case judge.Pass:
		return t.paint("1;32", word)
	case judge.Fail:
		return t.paint("1;31", word)
	case judge.Inconclusive:
		return t.paint("1;33", word)
	case judge.Invalid:
		return t.paint("1;35", word)
	}
	return t.paint("2", word)
}

// textWriter lays text out in columns as a terminal counts them.
type textWriter struct {
	b    bytes.Buffer
	opts TextOptions
}
