package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// shown is a plan arranged for people, the same for a terminal and for Markdown.
type shown struct {
	steps, benches int
	lasts          string
	writes         int64
	erases         []providers.Erase // each disk once
	benchSteps     map[string][]shownStep
}

// shownStep is a step, or the repetitions of a test that follow each other.
type shownStep struct {
	Step
	times  int
	after  []string // tests whose outputs it uses
	with   string   // the test with which it starts
	shares []Sharing
	loses  string // what it means that data are gone
	from   string // of what an earlier run has kept: which run that was
	again  bool   // its commands were shown before on this bench
	rest   string // what comes after a repetition
	watch  []Test // the monitors that watch it
}

func arrange(p *Plan) *shown {
	s := &shown{steps: len(p.Steps), benches: len(p.Benches), lasts: p.Lasts(), benchSteps: map[string][]shownStep{}}
	type deed struct {
		bench, address, from string
		action               Action
	}
	seen, monitors := map[deed]bool{}, map[string]Test{}
	rests := map[string]string{}
	for _, t := range p.Tests {
		if s := t.Steady; s != nil {
			rests[t.Address] = fmt.Sprintf("in %d to %d rounds, until %s is steady: the last %d within %s, their trend within %s", s.Window, s.MaxRounds, s.Measure,
				s.Window, unit.FormatShare(s.Range), unit.FormatShare(s.Slope))
		}
		if t.CooldownS > 0 {
			if rests[t.Address] != "" {
				rests[t.Address] += "; "
			}
			rests[t.Address] += "then cools down for " + unit.FormatSeconds(t.CooldownS)
		}
	}
	earlier := map[string]*Thing{}
	for i := range p.Things {
		if p.Things[i].Standing != nil {
			earlier[p.Things[i].ID] = &p.Things[i]
		}
	}
	for _, m := range p.Monitors {
		monitors[m.Address] = m
	}
	loads := map[string]int{} // by dataset: those still to come
	for _, st := range p.Steps {
		if st.Action == Load {
			loads[st.Thing]++
		}
	}
	chains, shares := chainsOf(p), map[string][]Sharing{}
	for _, t := range p.Tests {
		if len(t.Sharing) > 0 {
			shares[t.Address] = t.Sharing
		}
	}
	for _, st := range p.Steps {
		if st.Action == Load {
			loads[st.Thing]--
		}
		s.writes += st.Writes
		for _, e := range st.Erases {
			if !slices.Contains(s.erases, e) {
				s.erases = append(s.erases, e)
			}
		}
		list := s.benchSteps[st.Bench]
		if before := chains.before(list, st); before != nil {
			before.times++
			continue
		}
		d := deed{st.Bench, st.Address, st.From, st.Action}
		one := shownStep{
			Step: st, times: 1, after: chains.after[st.Address], with: chains.with[st.Address], shares: shares[st.Address],
			loses: losing(st, loads[st.Thing]), from: fromEarlier(st, earlier), again: seen[d], rest: rests[st.Address],
		}
		for _, w := range st.Watches {
			one.watch = append(one.watch, monitors[w.Monitor])
		}
		for _, a := range st.Attends {
			one.watch = append(one.watch, p.Thing(a.Thing).Attendant(st.Address))
		}
		s.benchSteps[st.Bench] = append(list, one)
		seen[d] = true
	}
	return s
}

// Lasts says how long the plan takes.
func (p *Plan) Lasts() string { return Between(p.EstimateS, p.EstimateMaxS) }

// fromEarlier says of a step on what an earlier run has kept where that comes from.
func fromEarlier(s Step, earlier map[string]*Thing) string {
	t := earlier[s.Thing]
	if s.Action == Switch {
		t = earlier[s.Replaces]
	}
	switch {
	case t == nil || s.Action != Reuse && !t.Standing.Unneeded:
		return ""
	case t.Standing.Unneeded:
		return "kept by run " + t.Standing.Run + ", and not needed here"
	case t.Kind == "dataset":
		return "loaded in run " + t.Standing.Run
	}
	return "made in run " + t.Standing.Run
}

// losing says which datasets are gone with a step, and whether they are loaded again.
func losing(s Step, again int) string {
	if len(s.Loses) == 0 {
		return ""
	}
	text := "loses " + strings.Join(s.Loses, ", ")
	if again > 0 {
		text += ", which is loaded again"
	}
	return text
}

// lasts says how long a step takes: 6 x 60 s = 6min.
func (s *shownStep) lasts() string {
	each := Between(s.EstimateS, s.EstimateMaxS)
	if s.times == 1 {
		return each
	}
	if s.EstimateS == 0 {
		return fmt.Sprintf("%d x %s", s.times, each)
	}
	n := float64(s.times)
	return fmt.Sprintf("%d x %s = %s", s.times, each, Between(n*s.EstimateS, n*s.EstimateMaxS))
}

// Between says how long something takes: 5min, or 5min to 25min where at most it takes longer.
func Between(least, most float64) string {
	if most <= least {
		return unit.FormatSeconds(least)
	}
	return unit.FormatSeconds(least) + " to " + unit.FormatSeconds(most)
}

// what names a step: the address, and for a switch the state that it comes from.
func (s *shownStep) what() string {
	if s.Action == Switch {
		return s.Address + ", from " + s.From
	}
	if s.Generation > 1 {
		return fmt.Sprintf("%s, generation %d", s.Address, s.Generation)
	}
	text := s.Address
	if s.with != "" {
		text += ", together with " + s.with
	}
	if len(s.after) > 0 {
		text += ", after " + strings.Join(s.after, " and ")
		if s.times > 1 {
			text += " each time"
		}
	}
	return text
}

// skipped lists the tests and monitors that are not run.
func (p *Plan) skipped() []Test {
	var out []Test
	for _, t := range slices.Concat(p.Tests, p.Monitors) {
		if t.Skip != "" {
			out = append(out, t)
		}
	}
	return out
}

// Disk names a disk that is erased, for a person.
func Disk(e providers.Erase) string {
	name, more := e.Device, []string(nil)
	for _, id := range []string{e.Serial, e.WWN} {
		if id != "" {
			name += " " + id
			break
		}
	}
	if e.Model != "" {
		more = append(more, e.Model)
	}
	if e.Size > 0 {
		more = append(more, capacity(e.Size))
	}
	if len(more) > 0 {
		name += " (" + strings.Join(more, ", ") + ")"
	}
	if e.Host != "" {
		name = e.Host + " " + name
	}
	return name
}

// capacity prints the size of a disk as it is sold, in powers of 1000, with three digits; that of what is too small for a disk as it is.
func capacity(bytes int64) string {
	switch {
	case bytes >= 1e12:
		return unit.Digits(float64(bytes)/1e12, 3) + " TB"
	case bytes >= 4e9:
		return unit.Digits(float64(bytes)/1e9, 3) + " GB"
	}
	return size(bytes)
}

// Holds says what will be lost with a disk.
func Holds(e providers.Erase) string {
	if e.Holds == "" {
		return "unknown contents"
	}
	return e.Holds
}

func size(n int64) string { return unit.Format(float64(n), unit.Bytes, "") }

// costs says what an order other than the grouped one costs; empty where there is nothing to say.
func (o Order) costs() string {
	text := ""
	switch o.Order {
	case Interleaved:
		text = "Interleaved: one pass over the walk for each repetition, in alternating direction."
	case Random:
		text = fmt.Sprintf("Random order, seed %d: one pass for each repetition, shuffled.", o.Seed)
	}
	if text != "" {
		text += fmt.Sprintf(" That costs %s more", count(o.ExtraSteps, "step"))
		if o.ExtraS > 0 {
			text += ", about " + unit.FormatSeconds(o.ExtraS)
		}
		text += "."
	}
	if o.Rounds > 1 {
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("%d rounds: setups are made anew in each.", o.Rounds)
	}
	return text
}

// shownKPI is a KPI, or several of one block that say the same.
type shownKPI struct {
	KPI
	cells int
	can   string
}

// kpis lists the KPIs with what they can show. More than a few of one block that say the same are one line.
func (p *Plan) kpis() []shownKPI {
	const few = 12
	power := newPower(p)
	perBlock := map[string]int{}
	for _, k := range p.Judgement.KPIs {
		perBlock[k.Block]++
	}
	var out []shownKPI
	at := map[string]int{}
	for _, k := range p.Judgement.KPIs {
		can := power.can(k)
		if perBlock[k.Block] > few {
			key := k.Block + k.Measure.Name + k.Coordinates.Project(k.By).String() + k.LimitText() + k.KeysText() + k.ProfileText() + can
			if i, ok := at[key]; ok {
				out[i].cells++
				continue
			}
			at[key] = len(out)
		}
		out = append(out, shownKPI{k, 1, can})
	}
	return out
}

func (k *shownKPI) name() string {
	if k.cells == 1 {
		return k.Address
	}
	return fmt.Sprintf("%s (%d cells)", k.Block, k.cells)
}

// power says what KPIs can show with their repetitions.
type power struct {
	j      Judgement
	repeat map[string]int // by address of a test
	skip   map[string]bool
	arms   map[string]Comparison
	gated  int
}

func newPower(p *Plan) *power {
	w := &power{j: p.Judgement, repeat: map[string]int{}, skip: map[string]bool{}, arms: map[string]Comparison{}}
	for _, t := range p.Measured() {
		w.repeat[t.Address] = t.Repeat * max(1, p.Order.Rounds)
		if t.Loaded() {
			w.repeat[t.Address] = len(t.Loads)
		}
		w.skip[t.Address] = t.Skip != ""
	}
	for _, d := range p.Judgement.Derived {
		w.repeat[d.Address] = repetitions(d.Formula, w.repeat)
	}
	for _, c := range p.Judgement.Comparisons {
		w.arms[c.Address] = c
	}
	for _, k := range p.Judgement.KPIs {
		if k.Comparison && w.arms[k.Of].Quoted == nil && k.Severity == "required" && (k.Confidence == nil || *k.Confidence > 0) {
			w.gated++
		}
	}
	return w
}

func (w *power) can(k KPI) string {
	if !k.Comparison {
		n := w.repeat[k.Of]
		switch {
		case w.skip[k.Of]:
			return "skipped"
		case n >= 6:
			return fmt.Sprintf("n=%d: median with interval", n)
		case n >= 2:
			return fmt.Sprintf("n=%d: median and range, no interval", n)
		}
		return fmt.Sprintf("n=%d: one observation", n)
	}
	c := w.arms[k.Of]
	if c.Quoted != nil {
		return "quoted: the bare figure is judged"
	}
	n, base := w.repeat[c.Test], w.repeat[c.BaselineTest]
	if w.skip[c.Test] || w.skip[c.BaselineTest] {
		return "skipped"
	}
	confidence := w.j.Confidence
	if k.Confidence != nil {
		confidence = *k.Confidence
	}
	text := fmt.Sprintf("n=%d against %d: ", n, base)
	if c.OtherRun {
		text = fmt.Sprintf("n=%d against as many of run %s: ", n, cmp.Or(c.Run, "RUN (--baseline)"))
	}
	if k.Severity != "required" && k.Confidence == nil || confidence == 0 {
		return text + "the bare figure is judged"
	}
	cells := 1
	if k.Severity == "required" {
		cells = w.gated
	}
	text += fmt.Sprintf("p down to %s, decided below %s", unit.Digits(stats.SmallestP(n, base), 2), unit.Digits((1-confidence)/float64(cells), 2))
	if cells > 1 {
		text += fmt.Sprintf(" (%d KPIs share %s)", cells, unit.Digits(1-confidence, 2))
	}
	return text
}

func because(k KPI) string {
	if k.Because == "" {
		return ""
	}
	return " (" + k.Because + ")"
}

// KeysText says at which keys a KPI judges that its coordinates do not have, with a leading blank: " at each host", " at host h1"; empty where
// it judges over all.
func (k KPI) KeysText() string {
	var parts []string
	for _, key := range k.By {
		if _, published := k.Coordinates[key]; published {
			continue
		}
		part := "each " + key
		if values := k.Keys[key]; len(values) > 0 {
			part = key + " " + strings.Join(values, ", ")
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return " at " + strings.Join(parts, " and ")
}

// ProfileText says of what published limit it is, with a leading comma; empty where it is of none.
func (k KPI) ProfileText() string {
	if k.Profile == nil {
		return ""
	}
	text := fmt.Sprintf(", %s %s", k.Profile.Name, k.Profile.Version)
	if len(k.Profile.Looser) > 0 {
		text += ", LESS STRICT: " + strings.Join(k.Profile.Looser, "; ")
	} else if k.Profile.Published != k.LimitText() {
		text += ", which has " + k.Profile.Published
	}
	return text
}

// LimitText gives the thresholds of a KPI: ≥ 500 MB/s, ≤ 5 ms, within 4 ms … 6 ms, or ≥ test.fio.base.bandwidth.
func (k KPI) LimitText() string {
	text := func(l *Limit, o *Other) string {
		switch {
		case o != nil:
			return o.Name()
		case l != nil:
			return l.Text
		}
		return ""
	}
	lo, hi := text(k.Min, k.MinOf), text(k.Max, k.MaxOf)
	switch {
	case lo != "" && hi != "":
		return "within " + lo + " … " + hi
	case lo != "":
		return "≥ " + lo
	case hi != "":
		return "≤ " + hi
	}
	return ""
}

// Name is that of the figure in the spec: test.fio.base.bandwidth, measure.price.
func (o *Other) Name() string {
	if strings.HasPrefix(o.Block, "measure.") {
		return o.Block
	}
	return o.Block + "." + o.Measure
}
