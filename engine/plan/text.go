package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// Text prints a plan for a person: the steps of each bench with their commands, what is erased, how long it takes, and what
// will be judged.
func Text(w io.Writer, p *Plan, color bool) error {
	t := &printer{w: w, color: color}
	t.head(p)
	for _, b := range p.Benches {
		t.bench(p, b)
	}
	t.judged(p)
	return t.err
}

type printer struct {
	w     io.Writer
	color bool
	err   error
}

func (t *printer) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *printer) paint(code, s string) string {
	if !t.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *printer) head(p *Plan) {
	title := p.Spec.Title
	if title == "" {
		title = p.Spec.Path
	}
	t.printf("%s %s\n", t.paint("1", "Plan:"), t.paint("1", title))
	if p.Offline {
		t.printf("Planned offline: no machine was looked at.\n")
	}
	erased := 0
	for _, s := range p.Steps {
		erased += len(s.Erases)
	}
	loss := "nothing is erased"
	if erased > 0 {
		loss = t.paint("1;31", fmt.Sprintf("%d disks are ERASED", erased))
	}
	t.printf("\n%s on %s, about %s; %s.\n", count(len(p.Steps), "step"), count(len(p.Benches), "bench"), unit.FormatSeconds(p.EstimateS), loss)
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (t *printer) bench(p *Plan, b Bench) {
	t.printf("\n%s\n", t.paint("1", fmt.Sprintf("Bench %s: %s, about %s", b.Name, count(b.Steps, "step"), unit.FormatSeconds(b.EstimateS))))
	var steps []Step
	for _, s := range p.Steps {
		if s.Bench == b.Name {
			steps = append(steps, s)
		}
	}
	for i := 0; i < len(steps); {
		n := 1
		for i+n < len(steps) && steps[i+n].Address == steps[i].Address && steps[i+n].Action == steps[i].Action && steps[i].Repetition > 0 {
			n++
		}
		t.step(steps[i], n)
		i += n
	}
}

var actionColor = map[Action]string{Create: "32", RunTest: "36", ImportFiles: "36", Switch: "33", Destroy: "31"}

func (t *printer) step(s Step, times int) {
	each := unit.FormatSeconds(s.EstimateS)
	if times > 1 {
		each = fmt.Sprintf("%d x %s", times, each)
	}
	action := fmt.Sprintf("%-8s", s.Action)
	t.printf("  %s %s  %s\n", t.paint(actionColor[s.Action], action), s.Address, t.paint("2", each))
	for _, c := range s.Commands {
		t.printf("           %s\n", CommandLine(c))
	}
	for _, e := range s.Erases {
		holds := e.Holds
		if holds == "" {
			holds = "unknown contents"
		}
		t.printf("           %s %s %s: %s\n", t.paint("1;31", "erases"), e.Device, e.Serial, holds)
	}
}

// CommandLine prints a command as one would type it.
func CommandLine(c providers.Command) string {
	on := ""
	if c.On != "" {
		on = c.On + " "
	}
	switch {
	case len(c.Argv) > 0:
		words := make([]string, len(c.Argv))
		for i, a := range c.Argv {
			words[i] = shellWord(a)
		}
		line := on + "$ " + strings.Join(words, " ")
		if c.Stdin != "" {
			line += " <<< " + shellWord(c.Stdin)
		}
		return line
	case c.SQL != "":
		return on + "sql> " + c.SQL
	case c.HTTP != "":
		return on + c.HTTP
	}
	return on + c.Manual
}

// shellWord quotes a word for reading; nothing is ever run from it.
func shellWord(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("-_=+.,:/@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (t *printer) judged(p *Plan) {
	j := p.Judgement
	if len(j.KPIs)+len(j.NotJudged) == 0 {
		t.printf("\nNo KPI judges this run.\n")
		return
	}
	t.printf("\n%s\n", t.paint("1", "Judged by"))
	repeat := map[string]int{}
	for _, test := range p.Tests {
		repeat[test.Address] = test.Repeat
	}
	for _, c := range j.Comparisons {
		repeat[c.Address] = min(repeat[c.Test], repeat[c.BaselineTest])
	}
	for _, k := range j.KPIs {
		t.printf("  %-8s %s: %s %s, n=%d%s\n", k.Severity, k.Address, k.Measure.Name, k.LimitText(), repeat[k.Of], because(k))
	}
	for _, n := range j.NotJudged {
		t.printf("  %s %s: %s\n", t.paint("33", "not judged"), n.Block, n.Reason)
	}
}

func because(k KPI) string {
	if k.Because == "" {
		return ""
	}
	return " (" + k.Because + ")"
}

// LimitText gives the thresholds of a KPI: ≥ 500 MB/s, ≤ 5 ms, or within 4 ms … 6 ms.
func (k KPI) LimitText() string {
	switch {
	case k.Min != nil && k.Max != nil:
		return "within " + k.Min.Text + " … " + k.Max.Text
	case k.Min != nil:
		return "≥ " + k.Min.Text
	case k.Max != nil:
		return "≤ " + k.Max.Text
	}
	return ""
}
