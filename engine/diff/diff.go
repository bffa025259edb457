// Package diff compares two runs: two firmwares, two releases. It sets the figures of equal addresses against each other, the older
// run being the baseline, and says which verdicts changed and in which facts the hosts differ. It reads results that are
// judged already; it judges nothing and writes nothing.
package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
)

// FormatVersion is the version of the JSON form.
const FormatVersion = 1

// Side is one of the two runs.
type Side struct {
	Run     string
	Plan    *plan.Plan
	Results *judge.Results
	Facts   map[string]map[string]string // by host
}

// Diff is in what two runs differ.
type Diff struct {
	FormatVersion int                  `json:"format_version"`
	Old           string               `json:"old"` // run
	New           string               `json:"new"`
	Figures       []compare.Comparison `json:"figures"`  // the new run against the old one
	Medians       []Medians            `json:"medians"`  // of the same, in the same order, in base units
	OnlyOld       []string             `json:"only_old"` // addresses with figures in one run only
	OnlyNew       []string             `json:"only_new"`
	Verdicts      []Verdict            `json:"verdicts"` // those that changed
	Facts         []Fact               `json:"facts"`    // those that differ
	Spec          []string             `json:"spec"`     // what is different in the plans, a sentence each
}

// Medians are those of both runs.
type Medians struct {
	Old float64 `json:"old"`
	New float64 `json:"new"`
}

// Verdict is one that changed. An empty one is of a KPI that the run does not have.
type Verdict struct {
	Address string        `json:"address"`
	Old     judge.Verdict `json:"old,omitempty"`
	New     judge.Verdict `json:"new,omitempty"`
	Reason  string        `json:"reason,omitempty"` // of the new one
}

// Fact is one that differs. An empty value is of a fact that is not known.
type Fact struct {
	Host string `json:"host"`
	Name string `json:"name"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// Options say what is compared and how sure it has to be. The zero value takes the measures that KPIs, comparisons, derived measures
// or plots of the new run name, and its spec's alpha and confidence.
type Options struct {
	All bool // every measure
}

// Runs compares two runs.
func Runs(old, now Side, opt Options) Diff {
	d := Diff{
		FormatVersion: FormatVersion, Old: old.Run, New: now.Run, Figures: []compare.Comparison{}, Medians: []Medians{},
		OnlyOld: []string{}, OnlyNew: []string{}, Verdicts: []Verdict{}, Facts: []Fact{}, Spec: []string{},
	}
	d.figures(old, now, opt)
	d.verdicts(old.Results, now.Results)
	d.facts(old.Facts, now.Facts)
	d.Spec = append(d.Spec, changes(old.Plan, now.Plan)...)
	return d
}

// Worse reports whether a figure is shown to be worse, or a KPI that passed no longer does.
func (d Diff) Worse() bool {
	for _, f := range d.Figures {
		if strings.HasSuffix(f.Words, ", worse") {
			return true
		}
	}
	return slices.ContainsFunc(d.Verdicts, func(v Verdict) bool { return v.Old == judge.Pass && v.New != judge.Pass })
}

type key struct{ address, measure string }

func (d *Diff) figures(old, now Side, opt Options) {
	named := names(now.Plan.Judgement)
	was := map[key]compare.Figure{}
	for _, f := range old.Results.Figures {
		was[key{f.Address, f.Measure.Name}] = f
	}
	is := map[key]compare.Figure{}
	had, has := map[string]bool{}, map[string]bool{}
	var planned []plan.Comparison
	gated := map[string]bool{}
	for _, f := range now.Results.Figures {
		k := key{f.Address, f.Measure.Name}
		is[k] = f
		has[f.Address] = true
		o, ok := was[k]
		if !ok || !opt.All && !named[key{f.Block, f.Measure.Name}] || o.Measure.Dim != f.Measure.Dim {
			continue
		}
		c := plan.Comparison{
			Address: f.Address + "." + f.Measure.Name, Block: f.Block, Coordinates: f.Coordinates, Measure: f.Measure,
			Test: f.Address, BaselineTest: "old " + f.Address, Across: "run", Baseline: old.Run,
		}
		planned = append(planned, c)
		gated[c.Address] = f.Measure.Better != schema.Neither
	}
	lookup := func(address, name string) compare.Figure {
		if a, ok := strings.CutPrefix(address, "old "); ok {
			return was[key{a, name}]
		}
		return is[key{address, name}]
	}
	maps.DeleteFunc(gated, func(_ string, yes bool) bool { return !yes })
	built := compare.Build(planned, lookup, compare.Options{
		Alpha: now.Plan.Judgement.Alpha, Confidence: now.Plan.Judgement.Confidence, Gated: gated,
	})
	for _, c := range built {
		c.BaselineTest = c.Test
		d.Figures = append(d.Figures, c)
		k := key{c.Test, c.Measure.Name}
		d.Medians = append(d.Medians, Medians{was[k].Median, is[k].Median})
	}
	for _, f := range old.Results.Figures {
		had[f.Address] = true
	}
	for a := range had {
		if !has[a] {
			d.OnlyOld = append(d.OnlyOld, a)
		}
	}
	for a := range has {
		if !had[a] {
			d.OnlyNew = append(d.OnlyNew, a)
		}
	}
	slices.Sort(d.OnlyOld)
	slices.Sort(d.OnlyNew)
}

// names are the measures of blocks that somebody asked for.
func names(j plan.Judgement) map[key]bool {
	out := map[key]bool{}
	block := map[string]string{} // address → block
	for _, c := range j.Comparisons {
		block[c.Address] = c.Block
		out[key{blockOf(c.Test), c.Measure.Name}] = true
	}
	for _, k := range j.KPIs {
		if !k.Comparison {
			out[key{blockOf(k.Of), k.Measure.Name}] = true
		}
	}
	for _, p := range j.Plots {
		out[key{p.Y, p.Measure.Name}] = true
	}
	var inputs func(plan.Formula)
	inputs = func(f plan.Formula) {
		if f.Of != "" {
			out[key{blockOf(f.Of), f.Measure}] = true
		}
		for _, a := range f.Args {
			inputs(a)
		}
	}
	for _, x := range j.Derived {
		out[key{x.Block, x.Measure.Name}] = true
		inputs(x.Formula)
	}
	return out
}

// blockOf is the block of an address.
func blockOf(address string) string {
	i, err := addr.ParseInstance(address)
	if err != nil {
		return address
	}
	return i.Block.String()
}

func (d *Diff) verdicts(old, now *judge.Results) {
	was := map[string]judge.KPI{}
	for _, k := range old.KPIs {
		was[k.Address] = k
	}
	for _, k := range now.KPIs {
		if o := was[k.Address]; o.Verdict != k.Verdict {
			d.Verdicts = append(d.Verdicts, Verdict{k.Address, o.Verdict, k.Verdict, k.Reason})
		}
		delete(was, k.Address)
	}
	for _, a := range slices.Sorted(maps.Keys(was)) {
		d.Verdicts = append(d.Verdicts, Verdict{Address: a, Old: was[a].Verdict})
	}
}

// volatile begins the names of facts that are never the same twice.
const volatile = "volatile."

func (d *Diff) facts(old, now map[string]map[string]string) {
	hosts := map[string]bool{}
	for h := range old {
		hosts[h] = true
	}
	for h := range now {
		hosts[h] = true
	}
	for _, h := range slices.Sorted(maps.Keys(hosts)) {
		all := map[string]bool{}
		for n := range old[h] {
			all[n] = true
		}
		for n := range now[h] {
			all[n] = true
		}
		for _, n := range slices.Sorted(maps.Keys(all)) {
			if !strings.HasPrefix(n, volatile) && old[h][n] != now[h][n] {
				d.Facts = append(d.Facts, Fact{h, n, old[h][n], now[h][n]})
			}
		}
	}
}

// changes says in what the plans differ: commands of equal steps, limits, variables, hosts.
func changes(old, now *plan.Plan) []string {
	a := plan.Against(old, now)
	var out []string
	for _, s := range a.StepsChanged {
		out = append(out, "other commands: "+s)
	}
	out = append(out, a.Providers...)
	for _, k := range a.KPIs {
		out = append(out, fmt.Sprintf("%s %s: %s", k.Address, k.What, k.Detail))
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}
