package plan

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/assay-bench/assay/lang/unit"
)

// Diff is what a change of a spec does to its plan.
type Diff struct {
	FormatVersion int         `json:"format_version"`
	StepsAdded    []string    `json:"steps_added"` // such as "run test.fio.seq[rw=read]", with "x 6" where there are several
	StepsDropped  []string    `json:"steps_dropped"`
	StepsChanged  []string    `json:"steps_changed"` // the same step with other commands or erased disks
	TestsAdded    []string    `json:"tests_added"`   // addresses
	TestsDropped  []string    `json:"tests_dropped"`
	ErasedMore    []string    `json:"erased_more"` // disks that are erased now and were not
	Providers     []string    `json:"providers"`   // what is different in their configuration, a sentence each
	OldSteps      int         `json:"old_steps"`
	NewSteps      int         `json:"new_steps"`
	OldS          float64     `json:"old_s"` // seconds
	NewS          float64     `json:"new_s"`
	KPIs          []KPIChange `json:"kpis"`
}

// KPIChange is what became of a KPI, or of what all are judged by.
type KPIChange struct {
	Address string `json:"address"`
	What    string `json:"what"` // loosened, removed, judges nothing, judges something else, tightened, added
	Detail  string `json:"detail"`
	Loud    bool   `json:"loud"` // it lets through what was not let through before: a reviewer must not miss it
}

// The ways in which a KPI changes.
const (
	Loosened      = "loosened"
	Removed       = "removed"
	JudgesNothing = "judges nothing"
	JudgesOther   = "judges something else"
	Tightened     = "tightened"
	Added         = "added"
)

// Empty reports whether nothing changes that a person could see.
func (d Diff) Empty() bool {
	return len(d.StepsAdded)+len(d.StepsDropped)+len(d.StepsChanged)+len(d.TestsAdded)+len(d.TestsDropped)+len(d.Providers)+len(d.KPIs) == 0 &&
		d.OldS == d.NewS && d.OldSteps == d.NewSteps
}

// Loud reports whether some KPI lets through more than it did.
func (d Diff) Loud() bool {
	return slices.ContainsFunc(d.KPIs, func(k KPIChange) bool { return k.Loud })
}

// Against compares two plans.
func Against(old, now *Plan) Diff {
	d := Diff{FormatVersion: FormatVersion, OldSteps: len(old.Steps), NewSteps: len(now.Steps), OldS: old.EstimateS, NewS: now.EstimateS}
	d.steps(old, now)
	d.TestsAdded = missing(addresses(now), addresses(old))
	d.TestsDropped = missing(addresses(old), addresses(now))
	d.ErasedMore = missing(disks(now), disks(old))
	d.Providers = ChangedProviders(old, now)
	d.KPIs = changedKPIs(old, now)
	return d
}

// addresses are those of the tests that are run.
func addresses(p *Plan) []string {
	var out []string
	for _, t := range p.Tests {
		if t.Skip == "" {
			out = append(out, t.Address)
		}
	}
	return out
}

func disks(p *Plan) []string {
	var out []string
	for _, e := range arrange(p).erases {
		out = append(out, Disk(e)+": "+Holds(e))
	}
	return out
}

// missing lists what of a is not in b, each once, in the order of a.
func missing(a, b []string) []string {
	has := map[string]bool{}
	for _, x := range b {
		has[x] = true
	}
	var out []string
	for _, x := range a {
		if !has[x] {
			has[x] = true
			out = append(out, x)
		}
	}
	return out
}

// steps counts the steps of each kind. Their order does not matter here: a schedule may change for any reason.
func (d *Diff) steps(old, now *Plan) {
	was, is, first := map[string]int{}, map[string]int{}, map[string]Step{}
	for _, s := range old.Steps {
		key := named(s)
		was[key]++
		if _, ok := first[key]; !ok {
			first[key] = s
		}
	}
	changed := map[string]bool{}
	for _, s := range now.Steps {
		key := named(s)
		is[key]++
		if o, ok := first[key]; ok && !changed[key] && (!reflect.DeepEqual(o.Commands, s.Commands) || !reflect.DeepEqual(o.Erases, s.Erases)) {
			changed[key] = true
			d.StepsChanged = append(d.StepsChanged, key)
		}
	}
	d.StepsAdded = more(now.Steps, is, was)
	d.StepsDropped = more(old.Steps, was, is)
}

func named(s Step) string {
	text := string(s.Action) + " " + s.Address
	if s.Action == Switch {
		text += ", from " + s.From
	}
	return text
}

func more(steps []Step, have, other map[string]int) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range steps {
		key := named(s)
		n := have[key] - other[key]
		if seen[key] || n <= 0 {
			continue
		}
		seen[key] = true
		if n > 1 {
			out = append(out, fmt.Sprintf("%s x %d", key, n))
		} else {
			out = append(out, key)
		}
	}
	return out
}

// lasting says how long the plans take.
func (d Diff) lasting() string {
	switch {
	case d.NewS > d.OldS:
		return fmt.Sprintf("about %s, %s longer", unit.FormatSeconds(d.NewS), unit.FormatSeconds(d.NewS-d.OldS))
	case d.NewS < d.OldS:
		return fmt.Sprintf("about %s, %s shorter", unit.FormatSeconds(d.NewS), unit.FormatSeconds(d.OldS-d.NewS))
	}
	return fmt.Sprintf("about %s, as before", unit.FormatSeconds(d.NewS))
}
