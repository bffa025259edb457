package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/schema"
)

// Addresses lists everything of which Why can tell: KPIs, comparisons, derived measures, and the tests and datasets that were
// measured, in the order of the results.
func Addresses(in Input) []string {
	var out []string
	for _, k := range in.Results.KPIs {
		out = append(out, k.Address)
	}
	for _, c := range in.Results.Comparisons {
		out = append(out, c.Address)
	}
	for _, d := range in.Plan.Judgement.Derived {
		out = append(out, d.Address)
	}
	for _, s := range in.Results.Samples {
		if !slices.Contains(out, s.Address) {
			out = append(out, s.Address)
		}
	}
	return out
}

// Why writes what a verdict or a figure rests on: the limit, the figures of both arms, every sample with its artifacts, the commands
// as they ended, and the hosts. The address is one of Addresses. The error is w's, or says that the address is not there.
func Why(w io.Writer, in Input, address string, opts TextOptions) error {
	v, err := newView(in)
	if err != nil {
		return err
	}
	t := &whyWriter{textWriter: textWriter{opts: opts}, in: v.in, told: map[string]bool{}}
	if !t.tell(address, "") {
		return fmt.Errorf("nothing here has the address %s", address)
	}
	t.commands()
	t.hosts()
	_, err = w.Write(t.b.Bytes())
	return err
}

type whyWriter struct {
	textWriter
	in    Input
	tests []string        // told of, with their commands still to come
	told  map[string]bool // address and measure
}

// tell says what one address rests on, and then what that rests on. measure names the one that is asked for; empty: all.
func (t *whyWriter) tell(address, measure string) bool {
	if key := address + " " + measure; t.told[key] {
		return true
	} else {
		t.told[key] = true
	}
	for _, k := range t.in.Results.KPIs {
		if k.Address == address {
			t.kpi(k)
			return true
		}
	}
	for _, c := range t.in.Results.Comparisons {
		if c.Address == address {
			t.comparison(c)
			return true
		}
	}
	for _, d := range t.in.Plan.Judgement.Derived {
		if d.Address == address {
			t.derived(d)
			return true
		}
	}
	return t.samples(address, measure)
}

func (t *whyWriter) head(address, about string) {
	if t.b.Len() > 0 {
		t.gap()
	}
	s := t.bold(plainText(address))
	if about != "" {
		s += "  " + about
	}
	t.print(2, s)
}

func (t *whyWriter) say(name, text string) {
	if text != "" {
		t.print(14, fmt.Sprintf("  %-10s  %s", name, plainText(text)))
	}
}

func (t *whyWriter) kpi(k judge.KPI) {
	word := t.verdict(k.Verdict, strings.ToUpper(string(k.Verdict)))
	if k.Severity == "advisory" {
		word += " (advisory)"
	}
	t.head(k.Address, word)
	t.say("limit", k.Limit)
	t.say("figure", k.Figure)
	t.say("reason", k.Reason)
	t.say("because", k.Because)
	if p := k.Profile; p != nil && len(p.Looser) > 0 {
		t.say("less strict", "than published: "+strings.Join(p.Looser, "; "))
	}
	for _, planned := range t.in.Plan.Judgement.KPIs {
		if planned.Block == k.Block && planned.Measure.Name == k.Measure {
			t.say("statistic", statistic(planned))
			break
		}
	}
	t.say("rests on", k.Of+", "+k.Measure)
	t.rest(k.Of, k.Measure)
}

// statistic says over what a limit is judged.
func statistic(k plan.KPI) string {
	out := k.Statistic
	if k.Confidence != nil {
		out += fmt.Sprintf(", confidence %v", *k.Confidence)
	}
	return out
}

// rest tells of what something rests on. The address may have keys that only the results bring.
func (t *whyWriter) rest(address, measure string) {
	if t.tell(address, measure) {
		return
	}
	for _, f := range t.in.Results.Figures {
		if f.Address == address && f.Test != "" {
			t.tell(f.Test, measure)
			return
		}
	}
}

func (t *whyWriter) comparison(c judge.Comparison) {
	t.head(c.Address, fmt.Sprintf("%s across %s", c.Measure.Name, c.Across))
	t.say("in words", c.Words)
	if c.Quoted {
		t.say("quoted", c.Source)
		return
	}
	t.say("reason", c.Reason)
	t.say("n", fmt.Sprintf("%d against %d", c.N, c.NBaseline))
	t.say("arm", t.figure(c.Test, c.Measure))
	if f := c.BaselineFigure; f != nil {
		median := value(f.Median, c.Measure)
		t.say("baseline", c.BaselineTest+": "+median+" ("+spread(f.Summary, f.Planned, c.Measure, median)+")")
	} else {
		t.say("baseline", t.figure(c.BaselineTest, c.Measure))
	}
	t.rest(c.Test, c.Measure.Name)
	t.rest(c.BaselineTest, c.Measure.Name)
}

// figure is an address with the median that it has.
func (t *whyWriter) figure(address string, m schema.Measure) string {
	for _, f := range t.in.Results.Figures {
		if f.Address == address && f.Measure.Name == m.Name {
			median := value(f.Median, m)
			return address + ": " + median + " (" + spread(f.Summary, f.Planned, m, median) + ")"
		}
	}
	return address + ": no figure"
}

func (t *whyWriter) derived(d plan.Derived) {
	t.head(d.Address, "derived")
	t.say("formula", formula(d.Formula))
	t.say("figure", strings.TrimPrefix(t.figure(d.Address, d.Measure), d.Address+": "))
	var inputs func(plan.Formula)
	inputs = func(f plan.Formula) {
		if f.Of != "" {
			t.rest(f.Of, f.Measure)
		}
		for _, a := range f.Args {
			inputs(a)
		}
	}
	inputs(d.Formula)
}

// formula writes an expression as one would in a spec.
func formula(f plan.Formula) string {
	switch {
	case f.Number != nil:
		return number(*f.Number)
	case f.Of != "":
		return f.Of + "." + f.Measure
	}
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = formula(a)
		if len(a.Args) == 2 && len(f.Args) == 2 {
			args[i] = "(" + args[i] + ")"
		}
	}
	switch {
	case f.Op == "neg" && len(args) == 1:
		return "-" + args[0]
	case len(args) == 2 && strings.Contains("+-*/", f.Op):
		return args[0] + " " + f.Op + " " + args[1]
	}
	return f.Op + "(" + strings.Join(args, ", ") + ")"
}

// samples lists the repetitions of a test or dataset, each with its figure, its doubts and its artifacts.
func (t *whyWriter) samples(address, measure string) bool {
	found := false
	for _, s := range t.in.Results.Samples {
		if s.Address != address {
			continue
		}
		if !found {
			found = true
			t.head(address, "")
			t.tests = append(t.tests, address)
		}
		line := fmt.Sprintf("  %s %d: %s", repetitionOf(s), s.Repetition, s.Outcome)
		if s.Round > 1 {
			line += fmt.Sprintf(", round %d", s.Round)
		}
		if s.Generation > 1 {
			line += fmt.Sprintf(", generation %d of the data", s.Generation)
		}
		if s.Attempt > 1 {
			line += fmt.Sprintf(", attempt %d", s.Attempt)
		}
		if s.Imported {
			line += ", imported"
		}
		line += t.figures(s, measure)
		if s.Reason != "" {
			line += ": " + plainText(s.Reason)
		}
		t.print(4, line)
		for _, w := range s.Warnings {
			t.print(6, "    "+t.paint("33", "doubt: ")+plainText(w.Text))
		}
		if len(s.Artifacts) > 0 {
			t.print(6, "    "+plainText(artifacts(s.Artifacts)))
		}
	}
	return found
}

func repetitionOf(s judge.Sample) string {
	if ofDataset(s.Address) {
		return "load"
	}
	return "repetition"
}

// figures are the values of a sample: of one measure, or of all; with keys, one each.
func (t *whyWriter) figures(s judge.Sample, only string) string {
	block, _, _ := strings.Cut(s.Address, "[")
	var out []string
	for _, tt := range t.in.Plan.Judgement.Tests {
		if tt.Block != block {
			continue
		}
		for _, m := range tt.Measures {
			if only != "" && m.Name != only {
				continue
			}
			if v, ok := s.Measures[m.Name]; ok {
				out = append(out, m.Name+" "+value(v.Value, m))
			}
			for _, v := range s.Values {
				if v.Measure == m.Name && only != "" {
					out = append(out, v.Keys.String()+" "+value(v.Value, m))
				}
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ", " + strings.Join(out, ", ")
}

// artifacts names the files of one folder, the folder once.
func artifacts(paths []string) string {
	dir := path.Dir(paths[0])
	names := make([]string, len(paths))
	for i, p := range paths {
		if path.Dir(p) != dir {
			return strings.Join(paths, " ")
		}
		names[i] = path.Base(p)
	}
	return dir + "/ " + strings.Join(names, " ")
}

// commands are those of the tests, and of the things that they stand on.
func (t *whyWriter) commands() {
	wanted := map[string]bool{}
	for _, a := range t.tests {
		wanted[a] = true
	}
	for _, test := range t.in.Plan.Tests {
		if !wanted[test.Address] {
			continue
		}
		for _, thing := range t.in.Plan.Things {
			if slices.Contains(test.Things, thing.ID) {
				for _, a := range thing.Addresses {
					wanted[a] = true
				}
			}
		}
	}
	first := true
	for _, c := range commands(t.in) {
		if !wanted[c.Address] {
			continue
		}
		if first {
			t.title("Commands", "")
			first = false
		}
		t.print(4, "  "+plainText(c.Address)+", "+c.Action+" on "+plainText(hostName(c.On)))
		t.print(8, "    "+plainText(c.Line))
		t.print(8, "    "+plainText(c.Ended))
	}
}

// hosts are the machines of the tests.
func (t *whyWriter) hosts() {
	used := map[string]bool{}
	for _, test := range t.in.Plan.Tests {
		if slices.Contains(t.tests, test.Address) {
			for _, h := range test.Hosts {
				used[hostName(h)] = true
			}
		}
	}
	for _, h := range facts(t.in) {
		if !used[h.Host] || len(h.Facts) == 0 {
			continue
		}
		t.title("Host", plainText(h.Host))
		for _, f := range h.Facts {
			if text := plainText(f[1]); !strings.ContainsRune(f[1], '\n') {
				t.print(6, "  "+plainText(f[0])+": "+text)
			}
		}
	}
	if t.in.Manifest != "" {
		t.gap()
		t.print(2, "SHA-256 of the record's manifest: "+t.in.Manifest)
	}
}
