package plan

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes a plan for a pull request: the counts, the disks that would be erased, the steps of each bench, folded, and
// what will be judged.
func Markdown(w io.Writer, p *Plan) error {
	m := &markdown{printer{w: w}}
	s := arrange(p)
	m.head(p, s)
	m.erased(s)
	m.benches(p, s)
	m.skipped(p)
	m.judged(p)
	return m.err
}

type markdown struct{ printer }

func (m *markdown) head(p *Plan, s *shown) {
	m.printf("## Plan: %s\n\n", text(p.title()))
	if p.Spec.Description != "" {
		m.printf("%s\n\n", text(p.Spec.Description))
	}
	if p.Offline {
		m.printf("Planned offline: no machine was looked at.\n\n")
	}
	if len(p.Targets) > 0 {
		m.printf("**Only a part of the spec**: %s\n\n", code(strings.Join(p.Targets, " ")))
	}
	tests, reps := len(p.Tests), 0
	for _, st := range p.Steps {
		if st.Repetition > 0 {
			reps++
		}
	}
	m.printf("**%s on %s, about %s**: %s with %s, %s", count(s.steps, "step"), count(s.benches, "bench"), s.lasts,
		count(tests, "test"), count(reps, "repetition"), count(len(p.Things), "thing"))
	if s.writes > 0 {
		m.printf(", %s written", size(s.writes))
	}
	m.printf(".\n\n")
	if costs := p.Order.costs(); costs != "" {
		m.printf("%s\n\n", costs)
	}
	for _, warning := range p.Warnings {
		m.printf("> [!WARNING]\n> %s\n\n", text(warning))
	}
}

func (m *markdown) erased(s *shown) {
	if len(s.erases) == 0 {
		m.printf("Nothing is erased.\n\n")
		return
	}
	m.printf("> [!CAUTION]\n> **%s ERASED**\n>\n> | disk | holds now |\n> | --- | --- |\n", strings.ToUpper(count(len(s.erases), "disk")))
	for _, e := range s.erases {
		m.printf("> | %s | %s |\n", text(Disk(e)), text(Holds(e)))
	}
	m.printf("\n")
}

func (m *markdown) benches(p *Plan, s *shown) {
	m.printf("| bench | steps | about |\n| --- | ---: | ---: |\n")
	for _, b := range p.Benches {
		m.printf("| %s | %d | %s |\n", b.Name, b.Steps, Between(b.EstimateS, b.EstimateMaxS))
	}
	m.printf("\n")
	for _, b := range p.Benches {
		m.printf("<details><summary>Steps of bench %s</summary>\n\n| | step | commands | about |\n| --- | --- | --- | ---: |\n", b.Name)
		for _, st := range s.benchSteps[b.Name] {
			m.step(p, &st)
		}
		m.printf("\n</details>\n\n")
	}
}

func (m *markdown) step(p *Plan, s *shownStep) {
	action := string(s.Action)
	if p.Order.Rounds > 1 {
		action += fmt.Sprintf(", round %d", s.Round)
	}
	var lines []string
	if s.from != "" {
		lines = append(lines, text(s.from))
	}
	if s.again && len(s.Commands) > 0 {
		lines = append(lines, "as above")
	} else {
		for _, line := range commandLines(s.Commands) {
			lines = append(lines, code(line))
		}
		if s.Writes > 0 {
			lines = append(lines, "writes "+size(s.Writes))
		}
		if s.rest != "" {
			lines = append(lines, s.rest)
		}
		for _, x := range s.shares {
			lines = append(lines, text("shares "+x.Text()))
		}
		for _, w := range s.watch {
			lines = append(lines, "watched by "+code(w.Address))
			for _, c := range w.Commands {
				lines = append(lines, code(CommandLine(c)))
			}
		}
	}
	if s.loses != "" {
		lines = append(lines, "**"+text(s.loses)+"**")
	}
	for _, e := range s.Erases {
		lines = append(lines, "**ERASES** "+text(Disk(e))+": "+text(Holds(e)))
	}
	m.printf("| %s | %s | %s | %s |\n", action, code(s.what()), strings.Join(lines, "<br>"), s.lasts())
}

func (m *markdown) skipped(p *Plan) {
	for i, x := range p.skipped() {
		if i == 0 {
			m.printf("### Skipped\n\n")
		}
		m.printf("- %s: %s\n", code(x.Address), text(x.Skip))
	}
	if len(p.skipped()) > 0 {
		m.printf("\n")
	}
}

func (m *markdown) judged(p *Plan) {
	j := p.Judgement
	if len(j.KPIs)+len(j.NotJudged) == 0 {
		m.printf("No KPI judges this run.\n")
		return
	}
	m.printf("### Judged by\n\n")
	if len(j.KPIs) > 0 {
		m.printf("| KPI | | limit | what it can show | because |\n| --- | --- | --- | --- | --- |\n")
	}
	for _, k := range p.kpis() {
		m.printf("| %s | %s | %s %s | %s | %s |\n", code(k.name()), k.Severity, text(k.Measure.Name), text(k.LimitText()+k.KeysText()+k.ProfileText()), k.can, text(k.Because))
	}
	for i, n := range j.NotJudged {
		if i == 0 {
			m.printf("\n")
		}
		m.printf("- **not judged**: %s: %s\n", code(n.Block), text(n.Reason))
	}
}

// text keeps a spec's words from being read as Markdown or HTML.
func text(s string) string {
	return strings.NewReplacer("\n", " ", `\`, `\\`, "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "|", `\|`, "#", `\#`).Replace(s)
}

// code is a span of code for a table cell. A backtick in it takes a longer fence.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "|", `\|`).Replace(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
