package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/engine/diff"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/unit"
)

// DiffText writes in what two runs differ. The error is w's.
func DiffText(w io.Writer, d diff.Diff, opts TextOptions) error {
	t := &textWriter{opts: opts}
	t.print(2, fmt.Sprintf("%s against %s", t.bold(plainText(d.New)), t.bold(plainText(d.Old))))
	t.diffVerdicts(d)
	t.diffFigures(d)
	t.list("Only in "+d.Old, d.OnlyOld)
	t.list("Only in "+d.New, d.OnlyNew)
	t.list("Planned otherwise", d.Spec)
	var facts []string
	for _, f := range d.Facts {
		facts = append(facts, fmt.Sprintf("%s of %s: %s, was %s", f.Name, hostName(f.Host), known(f.New), known(f.Old)))
	}
	t.list("Facts that differ", facts)
	_, err := w.Write(t.b.Bytes())
	return err
}

func known(fact string) string {
	if fact == "" {
		return "not known"
	}
	return fact
}

func (t *textWriter) diffVerdicts(d diff.Diff) {
	if len(d.Verdicts) == 0 {
		return
	}
	t.title("Verdicts that changed", "")
	word := func(v judge.Verdict) string {
		if v == "" {
			return "not judged"
		}
		return t.verdict(v, string(v))
	}
	for _, v := range d.Verdicts {
		s := fmt.Sprintf("  %s: %s, was %s", plainText(v.Address), word(v.New), word(v.Old))
		if v.Reason != "" {
			s += ": " + plainText(v.Reason)
		}
		t.print(4, s)
	}
}

func (t *textWriter) diffFigures(d diff.Diff) {
	if len(d.Figures) == 0 {
		t.gap()
		t.print(2, "No figure that both runs have is named by a KPI, comparison, measure or plot; --all compares every measure.")
		return
	}
	t.title("Figures", "median; the change with its interval")
	rows := [][]string{{"", "measure", "was", "is", "change", "interval", "in words"}}
	for i, c := range d.Figures {
		change, interval := "–", "–"
		if c.Complete {
			change = unit.FormatChange(c.Change)
		}
		if c.Interval != nil {
			interval = unit.FormatChange(c.Interval.Lo) + " to " + unit.FormatChange(c.Interval.Hi)
		}
		words := c.Words
		if strings.HasSuffix(words, ", worse") {
			words = t.paint("31", words)
		}
		rows = append(rows, []string{plainText(c.Test), c.Measure.Name, value(d.Medians[i].Old, c.Measure), value(d.Medians[i].New, c.Measure), change, interval, words})
	}
	t.table(rows, 2)
}

func (t *textWriter) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	t.title(plainText(title), "")
	for _, l := range lines {
		t.print(4, "  "+plainText(l))
	}
}
