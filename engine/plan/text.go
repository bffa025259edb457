package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/lang/unit"
)

// Text prints a plan for a person: the steps of each bench with their commands, what is erased, how long it takes, and what
// will be judged. earlier may be nil.
func Text(w io.Writer, p *Plan, earlier *Earlier, color bool) error {
	t := &printer{w: w, earlier: earlier, color: color}
	s := arrange(p)
	t.head(p, s)
	for _, b := range p.Benches {
		t.bench(p, b, s.benchSteps[b.Name])
	}
	t.skipped(p)
	t.judged(p)
	return t.err
}

type printer struct {
	w       io.Writer
	earlier *Earlier
	color   bool
	err     error
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

func (t *printer) head(p *Plan, s *shown) {
	t.printf("%s %s\n", t.paint("1", "Plan:"), t.paint("1", p.title()))
	if p.Offline {
		t.printf("Planned offline: no machine was looked at.\n")
	}
	if len(p.Targets) > 0 {
		t.printf("Only a part of the spec: %s.\n", strings.Join(p.Targets, " "))
	}
	loss := "nothing is erased"
	if n := len(s.erases); n > 0 {
		loss = t.paint("1;31", count(n, "disk")+" ERASED")
	}
	t.printf("\n%s on %s, about %s; %s", count(s.steps, "step"), count(s.benches, "bench"), s.lasts, loss)
	if s.writes > 0 {
		t.printf("; %s written", size(s.writes))
	}
	t.printf(".\n")
	if took, ok := t.wall(p); ok {
		t.printf("By run %s it takes about %s.\n", t.earlier.Run, unit.FormatSeconds(took))
	}
	if costs := p.Order.costs(); costs != "" {
		t.printf("%s\n", costs)
	}
}

// wall is the duration of the longest bench by the earlier run.
func (t *printer) wall(p *Plan) (float64, bool) {
	steps := map[string][]Step{}
	for _, s := range p.Steps {
		steps[s.Bench] = append(steps[s.Bench], s)
	}
	longest, known := 0.0, false
	for _, b := range p.Benches {
		took, ok := t.earlier.total(steps[b.Name])
		longest, known = max(longest, took), known || ok
	}
	return longest, known
}

func (p *Plan) title() string {
	if p.Spec.Title == "" {
		return p.Spec.Path
	}
	return p.Spec.Title
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

func (t *printer) bench(p *Plan, b Bench, steps []shownStep) {
	t.printf("\n%s\n", t.paint("1", fmt.Sprintf("Bench %s: %s, about %s", b.Name, count(b.Steps, "step"), Between(b.EstimateS, b.EstimateMaxS))))
	for i := range steps {
		if p.Order.Rounds > 1 && (i == 0 || steps[i].Round != steps[i-1].Round) {
			t.printf(" %s\n", t.paint("1", fmt.Sprintf("Round %d", steps[i].Round)))
		}
		t.step(&steps[i])
	}
}

var actionColor = map[Action]string{Create: "32", Load: "32", Reuse: "32", RunTest: "36", ImportFiles: "36", Switch: "33", Destroy: "31"}

func (t *printer) step(s *shownStep) {
	lasts := s.lasts()
	if took, ok := t.earlier.took(s.Step); ok {
		lasts += ", took " + unit.FormatSeconds(took)
	}
	t.printf("  %s %s  %s\n", t.paint(actionColor[s.Action], fmt.Sprintf("%-8s", s.Action)), s.what(), t.paint("2", lasts))
	if s.from != "" {
		t.printf("           %s\n", s.from)
	}
	if !s.again {
		for _, line := range commandLines(s.Commands) {
			t.printf("           %s\n", line)
		}
		if s.Writes > 0 {
			t.printf("           writes %s\n", size(s.Writes))
		}
		if s.rest != "" {
			t.printf("           %s\n", s.rest)
		}
		for _, x := range s.shares {
			t.printf("           %s\n", t.paint("33", "shares "+x.Text()))
		}
		for _, m := range s.watch {
			t.printf("           %s %s\n", t.paint("36", "watched by"), m.Address)
			for _, line := range commandLines(m.Commands) {
				t.printf("             %s\n", line)
			}
		}
	}
	if s.loses != "" {
		t.printf("           %s\n", t.paint("1;31", s.loses))
	}
	for _, e := range s.Erases {
		t.printf("           %s %s: %s\n", t.paint("1;31", "erases"), Disk(e), Holds(e))
	}
}

func (t *printer) skipped(p *Plan) {
	for i, x := range p.skipped() {
		if i == 0 {
			t.printf("\n%s\n", t.paint("1", "Skipped"))
		}
		t.printf("  %s: %s\n", x.Address, x.Skip)
	}
}

func (t *printer) judged(p *Plan) {
	j := p.Judgement
	if len(j.KPIs)+len(j.NotJudged) == 0 {
		t.printf("\nNo KPI judges this run.\n")
		return
	}
	t.printf("\n%s\n", t.paint("1", "Judged by"))
	power := newPower(p)
	for _, k := range p.kpis() {
		if effect := t.earlier.detects(k.KPI, power); effect != "" && k.cells == 1 {
			k.can += ", " + effect
		}
		t.printf("  %-8s %s: %s %s%s, %s%s\n", k.Severity, k.name(), k.Measure.Name, k.LimitText(), k.KeysText(), k.can, k.ProfileText()+because(k.KPI))
	}
	for _, n := range j.NotJudged {
		t.printf("  %s %s: %s\n", t.paint("33", "not judged"), n.Block, n.Reason)
	}
}
