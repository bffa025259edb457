package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// changedKPIs says what became of every KPI, the loud changes first.
func changedKPIs(old, now *Plan) []KPIChange {
	a, b := old.Judgement, now.Judgement
	var loud, quiet []KPIChange
	note := func(c KPIChange) {
		if c.Loud {
			loud = append(loud, c)
		} else {
			quiet = append(quiet, c)
		}
	}
	is, blocks, nothing := map[string]KPI{}, map[string]bool{}, map[string]string{}
	for _, k := range b.KPIs {
		is[k.Address], blocks[k.Block] = k, true
	}
	for _, n := range b.NotJudged {
		nothing[n.Block] = n.Reason
	}
	was, silent := map[string]bool{}, map[string]bool{}
	compare := newComparer(old, now)
	for _, k := range a.KPIs {
		was[k.Address] = true
		n, ok := is[k.Address]
		switch reason, judgesNone := nothing[k.Block]; {
		case ok:
			if c := compare.kpi(k, n); c != nil {
				note(*c)
			}
		case judgesNone && !blocks[k.Block]:
			if !silent[k.Block] { // said once for the whole block
				silent[k.Block] = true
				note(KPIChange{k.Block, JudgesNothing, fmt.Sprintf("%s; it was %s", reason, compare.old.says(k)), true})
			}
		case blocks[k.Block]:
			note(KPIChange{k.Address, JudgesNothing, "the KPI is there and no longer judges this; it was " + compare.old.says(k), true})
		default:
			note(KPIChange{k.Address, Removed, "it was " + compare.old.says(k), true})
		}
	}
	for _, n := range a.NotJudged {
		silent[n.Block] = true
	}
	for _, n := range b.NotJudged { // new in the spec, and without effect
		if strings.HasPrefix(n.Block, "kpi.") && !silent[n.Block] && !blocks[n.Block] {
			note(KPIChange{n.Block, JudgesNothing, n.Reason, true})
		}
	}
	for _, k := range b.KPIs {
		if !was[k.Address] {
			note(KPIChange{k.Address, Added, compare.now.says(k), false})
		}
	}
	if a.Strict != b.Strict {
		if a.Strict {
			note(KPIChange{"spec", Loosened, "strict is off: a comparison whose arms differ in more than its axis decides KPIs again", true})
		} else {
			note(KPIChange{"spec", Tightened, "strict is on: a comparison whose arms differ in more than its axis decides no KPI", false})
		}
	}
	return append(loud, quiet...)
}

// comparer compares KPIs of two plans.
type comparer struct{ old, now *power }

func newComparer(old, now *Plan) *comparer { return &comparer{newPower(old), newPower(now)} }

// says tells a KPI in words.
func (w *power) says(k KPI) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s%s, %s, %s", k.Measure.Name, k.LimitText(), k.KeysText(), k.Severity, w.can(k)))
}

// kpi says how a KPI changed; nil where it did not.
func (c *comparer) kpi(old, now KPI) *KPIChange {
	if c.now.skips(now) && !c.old.skips(old) {
		return &KPIChange{now.Address, JudgesNothing, "its test is skipped; it was " + c.old.says(old), true}
	}
	looser, tighter, other := []string{}, []string{}, []string{}
	change := func(list *[]string, format string, args ...any) { *list = append(*list, fmt.Sprintf(format, args...)) }
	direction := func(loose bool) *[]string {
		if loose {
			return &looser
		}
		return &tighter
	}
	if old.Of != now.Of || old.Measure.Name != now.Measure.Name || old.Measure.Dim != now.Measure.Dim {
		change(&other, "%s of %s, and was %s of %s", now.Measure.Name, now.Of, old.Measure.Name, old.Of)
	} else if base, was := c.now.arms[now.Of], c.old.arms[old.Of]; now.Comparison && (base.BaselineTest != was.BaselineTest || base.Measure.Name != was.Measure.Name) {
		change(&other, "it compares %s with %s, and did %s with %s", base.Measure.Name, base.BaselineTest, was.Measure.Name, was.BaselineTest)
	}
	if o, n := c.old.arms[old.Of].Run, c.now.arms[now.Of].Run; o != n {
		change(&other, "it compares with run %s, and did with run %s", cmp.Or(n, "RUN (--baseline)"), cmp.Or(o, "RUN (--baseline)"))
	}
	if o, n := cmp.Or(old.KeysText(), " over all keys"), cmp.Or(now.KeysText(), " over all keys"); o != n {
		change(&other, "it judges%s, and did%s", n, o)
	}
	if o, n := c.old.arms[old.Of].Quoted, c.now.arms[now.Of].Quoted; !reflect.DeepEqual(figures(o), figures(n)) {
		switch {
		case o == nil:
			change(&other, "a published figure of %s is judged, and no measured one", n.Source)
		case n == nil:
			change(&tighter, "a measured figure is judged, and was a published one of %s", o.Source)
		default:
			change(&other, "the published figure of %s is another", n.Source)
		}
	}
	if o, n := old.others(), now.others(); o != n {
		change(&other, "it is held against %s, and was against %s", cmp.Or(n, "no other figure"), cmp.Or(o, "none"))
	}
	limit := func(name string, o, n *Limit, looseIfLess bool) {
		switch {
		case o == nil && n == nil:
		case n == nil:
			change(&looser, "%s %s is gone", name, o.Text)
		case o == nil:
			change(&tighter, "%s %s is new", name, n.Text)
		case n.Value != o.Value:
			change(direction(n.Value < o.Value == looseIfLess), "%s is %s and was %s", name, n.Text, o.Text)
		}
	}
	limit("min", old.Min, now.Min, true)
	limit("max", old.Max, now.Max, false)
	if old.Severity != now.Severity {
		change(direction(now.Severity != "required"), "%s, and was %s", now.Severity, old.Severity)
	}
	if old.Statistic != now.Statistic {
		change(direction(strictness[now.Statistic] < strictness[old.Statistic]), "the %s is judged, and was the %s", now.Statistic, old.Statistic)
	}
	if o, n := c.old.confidence(old), c.now.confidence(now); o != n {
		change(direction(n < o), "confidence is %g and was %g", n, o)
	}
	if o, n := c.old.n(old), c.now.n(now); o != n {
		change(direction(n < o), "n is %d and was %d", n, o)
	}
	switch all := append(append(append([]string{}, other...), looser...), tighter...); {
	case len(other) > 0:
		return &KPIChange{now.Address, JudgesOther, strings.Join(all, "; "), true}
	case len(looser) > 0:
		return &KPIChange{now.Address, Loosened, strings.Join(all, "; "), true}
	case len(tighter) > 0:
		return &KPIChange{now.Address, Tightened, strings.Join(all, "; "), false}
	}
	return nil
}

// others names the figures that are limits of a KPI, and which end each is.
func (k KPI) others() string {
	var list []string
	for _, x := range []struct {
		sign string
		of   *Other
	}{{"≥", k.MinOf}, {"≤", k.MaxOf}} {
		if x.of != nil {
			list = append(list, x.sign+" "+x.of.Name())
		}
	}
	return strings.Join(list, " and ")
}

// figures are what a quote says, wherever it stands.
func figures(q *Quote) *Quote {
	if q == nil {
		return nil
	}
	return &Quote{Change: q.Change, Ratio: q.Ratio, Difference: q.Difference}
}

// skips reports whether a KPI judges what is skipped.
func (w *power) skips(k KPI) bool {
	if k.Comparison {
		c := w.arms[k.Of]
		return c.Quoted == nil && (w.skip[c.Test] || w.skip[c.BaselineTest])
	}
	return w.skip[k.Of]
}

// strictness orders the statistics over repetitions by how hard they are to pass.
var strictness = map[string]int{"best": 0, "median": 1, "worst": 2, "each": 2}

// confidence is at what a KPI is judged; 0 where it is judged by the bare figure.
func (w *power) confidence(k KPI) float64 {
	switch {
	case k.Confidence != nil:
		return *k.Confidence
	case k.Comparison && k.Severity == "required":
		return w.j.Confidence
	}
	return 0
}

// n is the number of repetitions behind a KPI, of the smaller side where it compares.
func (w *power) n(k KPI) int {
	if k.Comparison {
		return min(w.repeat[w.arms[k.Of].Test], w.repeat[w.arms[k.Of].BaselineTest])
	}
	return w.repeat[k.Of]
}
