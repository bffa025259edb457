package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/kpi"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers/measure"
)

// Exit statuses of what was judged. Fail outranks incomplete.
const (
	ExitPass       = 0  // every required KPI passed and every planned sample is there
	ExitFail       = 10 // a required KPI failed
	ExitIncomplete = 11 // none failed, but a required KPI is inconclusive, invalid or not judged, or a planned sample is missing
)

// sumUp sets the verdict of the whole and the exit status, and says in a warning what is missing. Skipped tests and KPIs
// have no effect, nor has an advisory KPI.
func sumUp(r *Results, j plan.Judgement, cells []*cell) {
	failed, incomplete := false, false
	for _, k := range r.KPIs {
		if kpi.Required(k.Severity) {
			failed = failed || k.Verdict == Fail
			incomplete = incomplete || k.Verdict != Fail && k.Verdict != Pass && k.Verdict != Skipped
		}
	}
	for _, n := range j.NotJudged {
		if strings.HasPrefix(n.Block, "kpi.") && kpi.Required(n.Severity) {
			incomplete = true
		}
	}
	for _, c := range cells {
		if w := c.missing(); w != "" {
			r.Warnings = append(r.Warnings, w)
			incomplete = true
		}
	}
	if len(cells) == 0 && !slices.ContainsFunc(j.Comparisons, func(c plan.Comparison) bool { return c.Quoted != nil }) {
		r.Warnings = append(r.Warnings, "nothing was measured: the plan has no test")
		incomplete = true
	}
	switch {
	case failed:
		r.Verdict, r.Exit = Fail, ExitFail
	case incomplete:
		r.Verdict, r.Exit = Inconclusive, ExitIncomplete
	default:
		r.Verdict, r.Exit = Pass, ExitPass
	}
}

// loosened warns of KPIs that are less strict than the published limits by which they judge.
func loosened(kpis []plan.KPI) []string {
	var out []string
	for _, k := range kpis {
		if p := k.Profile; p != nil && len(p.Looser) > 0 {
			out = append(out, fmt.Sprintf("%s%s is less strict than profile %s, version %s: %s", k.Address, k.KeysText(), p.Name, p.Version, strings.Join(p.Looser, "; ")))
		}
	}
	return out
}

// missing says which repetitions of a test are not ok, with the reason of the first of each outcome; empty where all are
// ok or skipped.
func (c *cell) missing() string {
	count, reason := map[string]int{}, map[string]string{}
	for _, at := range c.slots {
		o := c.outcome(at)
		if o == string(measure.OK) || o == string(measure.Skipped) {
			continue
		}
		count[o]++
		if s := c.samples[at]; s != nil && s.Reason != "" && reason[o] == "" {
			reason[o] = ": " + s.Reason
		}
	}
	var parts []string
	for _, o := range slices.Sorted(maps.Keys(count)) {
		said := o
		switch o {
		case compare.NoSample:
			said = "left no sample"
		case string(measure.Blocked), string(measure.Invalid):
			said = "was " + o
		case string(measure.DidNotFinish):
			said = "did not finish"
		}
		what := "repetitions"
		if c.dataset() {
			what = "loads"
		}
		parts = append(parts, fmt.Sprintf("%d of %d %s %s%s", count[o], len(c.slots), what, said, reason[o]))
	}
	if len(parts) == 0 {
		return ""
	}
	return c.test.Address + ": " + strings.Join(parts, "; ")
}
