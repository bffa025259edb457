package report

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// view is the input as every format shows it: ordered, grouped and in words.
type view struct {
	in          Input
	title       string
	confidence  string // 95 %
	kpis        []judge.KPI
	counts      []string // "2 required KPIs: 2 pass"
	comparisons []compareTable
	tables      []figureTable
	troubles    []trouble // what has no value, and why
	doubts      []trouble // warnings beside samples
	rounds      []trouble // no trouble: how repetitions became steady, or did not
	commands    []command
	plots       []drawn
	undrawn     []undrawn
	cases       cases
	figures     figureIndex
	blocks      map[string]string           // of tests, by address
	coordinates map[string]addr.Coordinates // of everything that the plan has, by address
}

func newView(in Input) (*view, error) {
	if in.Plan == nil || in.Results == nil {
		return nil, errors.New("report: a plan and results were expected; judge the record first")
	}
	v := &view{in: in, title: in.Results.Title, cases: newCases(in.Plan.Judgement.Axes)}
	if v.title == "" {
		v.title = in.Plan.Spec.Title
	}
	if v.title == "" {
		v.title = "assay report"
	}
	v.confidence = confidence(in.Plan.Judgement.Confidence)
	v.kpis = orderKPIs(in.Results.KPIs)
	v.counts = counts(in.Results)
	v.figures = indexFigures(in.Results.Figures)
	v.comparisons = compareTables(in, v.cases, v.figures)
	v.tables = figureTables(in, v.cases, v.figures)
	v.troubles, v.doubts = troubles(in.Results.Samples)
	v.rounds = rounds(in)
	v.commands = commands(in)
	v.blocks, v.coordinates = testBlocks(in.Plan), planned(in)
	return v, nil
}

// planned gives the coordinates of every address that steps, tests and samples have.
func planned(in Input) map[string]addr.Coordinates {
	out := map[string]addr.Coordinates{}
	for _, s := range in.Plan.Steps {
		out[s.Address] = s.Coordinates
	}
	for _, t := range slices.Concat(in.Plan.Measured(), in.Plan.Monitors) {
		out[t.Address] = t.Coordinates
	}
	for _, s := range in.Results.Samples {
		out[s.Address] = s.Coordinates
	}
	return out
}

func confidence(c float64) string {
	if c <= 0 {
		c = 0.95
	}
	return unit.FormatShare(c)
}

// orderKPIs puts what needs attention first: required ones that did not pass, then advisory ones, then the rest in the
// order of the spec.
func orderKPIs(in []judge.KPI) []judge.KPI {
	out := append([]judge.KPI(nil), in...)
	rank := func(k judge.KPI) int {
		switch {
		case k.Verdict == judge.Pass:
			return 2
		case k.Verdict == judge.Skipped:
			return 3
		case k.Severity == "advisory":
			return 1
		}
		return 0
	}
	sort.SliceStable(out, func(i, j int) bool { return rank(out[i]) < rank(out[j]) })
	return out
}

var verdicts = []judge.Verdict{judge.Pass, judge.Fail, judge.Inconclusive, judge.Invalid, judge.Skipped}

// counts says how many there are of what.
func counts(r *judge.Results) []string {
	var out []string
	for _, severity := range []string{"required", "advisory"} {
		n, by := 0, map[judge.Verdict]int{}
		for _, k := range r.KPIs {
			if (k.Severity == "advisory") == (severity == "advisory") {
				n++
				by[k.Verdict]++
			}
		}
		if n == 0 {
			continue
		}
		var parts []string
		for _, w := range verdicts {
			if by[w] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", by[w], w))
			}
		}
		out = append(out, plural(n, severity+" KPI", severity+" KPIs")+": "+strings.Join(parts, ", "))
	}
	if n := len(r.NotJudged); n > 0 {
		out = append(out, fmt.Sprintf("%d not judged", n))
	}
	by := map[string]int{}
	for _, s := range r.Samples {
		by[string(s.Outcome)]++
	}
	samples := fmt.Sprintf("%d of %s ok", by[string(measure.OK)], plural(len(r.Samples), "sample", "samples"))
	if m := missing(by); m != "" {
		samples += ", " + m
	}
	return append(out, samples)
}

// trouble is something that befell repetitions of one test.
type trouble struct {
	Address string
	What    string // failed, did not finish; a warning's code
	Why     string
	Reps    []int // of a dataset: which load
}

// Repetitions is "repetitions 1–3", or "load 2".
func (t trouble) Repetitions() string {
	what := "repetition"
	if ofDataset(t.Address) {
		what = "load"
	}
	if len(t.Reps) == 1 {
		return fmt.Sprintf("%s %d", what, t.Reps[0])
	}
	return what + "s " + numbers(t.Reps)
}

func ofDataset(address string) bool { return strings.HasPrefix(address, "dataset.") }

// troubles groups what went wrong by test, kind and reason, in the order in which it is first met.
func troubles(samples []judge.Sample) (failed, doubts []trouble) {
	f, d := &troubleList{at: map[string]int{}}, &troubleList{at: map[string]int{}}
	for _, s := range samples {
		which := s.Repetition
		if ofDataset(s.Address) {
			which = s.Generation
		}
		if s.Outcome != measure.OK {
			why := s.Reason
			if why == "" {
				why = "no reason was recorded"
			}
			f.add(s.Address, outcomeWords(string(s.Outcome)), why, which)
		}
		for _, w := range s.Warnings {
			d.add(s.Address, w.Code, w.Text, which)
		}
	}
	return f.list, d.list
}

type troubleList struct {
	list []trouble
	at   map[string]int
}

func (l *troubleList) add(address, what, why string, rep int) {
	key := address + "\x00" + what + "\x00" + why
	i, ok := l.at[key]
	if !ok {
		i = len(l.list)
		l.at[key] = i
		l.list = append(l.list, trouble{Address: address, What: what, Why: why})
	}
	l.list[i].Reps = append(l.list[i].Reps, rep)
}

// cases knows the order and the labels of every axis' cases.
type cases struct {
	order map[string]map[string]int
	label map[string]map[string]string
}

// ordered gives the cases that occur, in the order of the spec; unknown ones last, by name.
func (c cases) ordered(axis string, present map[string]bool) []string {
	names := sortedKeys(present)
	sort.SliceStable(names, func(i, j int) bool { return c.index(axis, names[i]) < c.index(axis, names[j]) })
	return names
}

func (c cases) index(axis, name string) int {
	if i, ok := c.order[axis][name]; ok {
		return i
	}
	return len(c.order[axis])
}

// less orders coordinates along axes.
func (c cases) less(a, b addr.Coordinates, axes []string) bool {
	for _, axis := range axes {
		if i, j := c.index(axis, a[axis]), c.index(axis, b[axis]); i != j {
			return i < j
		}
		if a[axis] != b[axis] {
			return a[axis] < b[axis]
		}
	}
	return false
}

// labelOf is the case's label, or its name.
func (c cases) labelOf(axis, name string) string {
	if l := c.label[axis][name]; l != "" {
		return l
	}
	return name
}

// shortReason is the reason of a verdict without the figure, which stands beside it: "meets ≥ 5 MB/s".
func shortReason(k judge.KPI) string {
	rest, ok := strings.CutPrefix(k.Reason, k.Figure)
	rest = strings.TrimLeft(rest, " ,:;")
	if !ok || rest == "" || !strings.Contains(k.Figure, ", ") {
		return k.Reason
	}
	return rest
}
