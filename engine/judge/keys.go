package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// expander turns what a plan judges by key into what is judged at each combination of keys that the samples have. Which these
// are no plan knows. What it makes is looked up by addresses that hold the keys as further coordinates: names of keys and of axes never meet.
type expander struct {
	cells map[string]*cell
	views map[string]view   // by address with keys
	shown map[string]string // address of a view without values → as results show it
	pairs map[string][]addr.Coordinates
}

// view is a planned test seen at one combination of keys.
type view struct {
	cell *cell
	by   []string
	keys addr.Coordinates // some of by, or all; none: what is by key, and no sample has all of by
}

// expand gives the comparisons and KPIs of a plan at each combination of their keys, and the expander that knows their figures. Where
// no sample has a key, one is left, without a figure; so absent data never pass.
func expand(j plan.Judgement, cells map[string]*cell) (plan.Judgement, *expander) {
	x := &expander{cells, map[string]view{}, map[string]string{}, map[string][]addr.Coordinates{}}
	var comparisons []plan.Comparison
	for _, c := range j.Comparisons {
		comparisons = append(comparisons, x.comparison(c)...)
	}
	var kpis []plan.KPI
	for _, k := range j.KPIs {
		kpis = append(kpis, x.kpi(k)...)
	}
	j.Comparisons, j.KPIs = comparisons, kpis
	return j, x
}

func (x *expander) comparison(c plan.Comparison) []plan.Comparison {
	if len(c.By) == 0 || c.Quoted != nil {
		return []plan.Comparison{c}
	}
	base := c.Coordinates.With(c.Across, c.Baseline)
	if c.OtherRun {
		base = c.Coordinates
	}
	found := union(x.found(c.Test, c.Measure.Name, c.By), x.found(c.BaselineTest, c.Measure.Name, c.By))
	x.pairs[c.Address] = found
	if len(found) == 0 {
		c.Test, c.BaselineTest = x.absent(c.Test, c.Coordinates, c.By, nil), x.absent(c.BaselineTest, base, c.By, nil)
		return []plan.Comparison{c}
	}
	var out []plan.Comparison
	for _, keys := range found {
		n := c
		n.Address, n.Coordinates = address(c.Address, c.Coordinates, keys), with(c.Coordinates, keys)
		n.Test, n.BaselineTest = x.view(c.Test, c.Coordinates, c.By, keys), x.view(c.BaselineTest, base, c.By, keys)
		out = append(out, n)
	}
	return out
}

func (x *expander) kpi(k plan.KPI) []plan.KPI {
	if len(k.By) == 0 {
		return []plan.KPI{k}
	}
	found := x.found(k.Of, k.Measure.Name, k.By)
	if k.Comparison {
		found = x.pairs[k.Of]
	}
	of := k.Coordinates // of what is judged; the KPI's may have keys of a published row beside them
	if c := x.cells[k.Of]; c != nil {
		of = c.test.Coordinates
	}
	var out []plan.KPI
	at := func(keys addr.Coordinates, of string) {
		n := k
		n.Of, n.Address, n.Coordinates = of, address(k.Address, k.Coordinates, keys), with(k.Coordinates, keys)
		n.MinOf, n.MaxOf = x.other(k, k.MinOf, keys), x.other(k, k.MaxOf, keys)
		out = append(out, n)
	}
	var passed []addr.Coordinates
	for _, keys := range found {
		if !passes(keys, k.Keys) {
			continue
		}
		passed = append(passed, keys)
		if k.Comparison {
			at(keys, address(k.Of, of, keys))
		} else {
			at(keys, x.view(k.Of, of, k.By, keys))
		}
	}
	if len(k.Keys) == 0 && len(found) > 0 {
		return out
	}
	owed := product(k.Keys)
	if k.Profile != nil && len(found) > 0 { // a published limit holds for every host that has any result
		owed = everywhere(owed, found, k)
	}
	for _, keys := range owed { // what where names is owed a verdict, whether there is a figure or not
		switch {
		case slices.ContainsFunc(passed, func(p addr.Coordinates) bool { return means(p, keys) }):
		case !k.Comparison:
			at(keys, x.absent(k.Of, of, k.By, keys))
		case len(found) == 0:
			at(keys, k.Of)
		default:
			at(keys, address(k.Of, of, keys))
		}
	}
	return out
}

// everywhere gives what is named at every combination of the other keys that a result has.
func everywhere(named, found []addr.Coordinates, k plan.KPI) []addr.Coordinates {
	var rest []addr.Coordinates
	for _, keys := range found {
		for key := range k.Keys {
			keys = keys.Without(key)
		}
		rest = append(rest, keys)
	}
	var out []addr.Coordinates
	for _, n := range named {
		for _, r := range union(rest) {
			out = append(out, with(n, r))
		}
	}
	return out
}

// other gives the figure that is a limit of a KPI at the same keys.
func (x *expander) other(k plan.KPI, o *plan.Other, keys addr.Coordinates) *plan.Other {
	if o == nil {
		return nil
	}
	n := *o
	if k.Comparison {
		n.Of = address(o.Of, o.Coordinates, keys)
	} else {
		n.Of = x.view(o.Of, o.Coordinates, k.By, keys)
	}
	return &n
}

// found gives the combinations of keys at which a test has values of a measure, sorted.
func (x *expander) found(test, name string, by []string) []addr.Coordinates {
	c := x.cells[test]
	if c == nil {
		return nil
	}
	var out []addr.Coordinates
	for _, at := range c.slots {
		if c.outcome(at) != string(measure.OK) {
			continue
		}
		for _, v := range c.samples[at].Values {
			if keys := v.Keys.Project(by); v.Measure == name && len(keys) == len(by) {
				out = append(out, keys)
			}
		}
	}
	return union(out)
}

// view makes the figures of a test at keys known, and gives the address by which they are looked up.
func (x *expander) view(test string, at addr.Coordinates, by []string, keys addr.Coordinates) string {
	a := address(test, at, keys)
	x.views[a] = view{x.cells[test], by, keys}
	return a
}

// absent is a view that no sample has a value for. It has an address of its own, since that of keys may be one of figures.
func (x *expander) absent(test string, at addr.Coordinates, by []string, keys addr.Coordinates) string {
	a := address(test, at, keys)
	hidden := a + " by " + strings.Join(by, " and ")
	x.views[hidden] = view{x.cells[test], by, keys}
	x.shown[hidden] = a
	return hidden
}

// figure gives the figure of a view; false where there is none of that address.
func (x *expander) figure(of, name string, confidence float64) (Figure, bool) {
	v, ok := x.views[of]
	if !ok || v.cell == nil {
		return Figure{}, false
	}
	return figure(v.cell, measureOf(v.cell, name), &v, confidence), true
}

// wanted says by which keys a measure of a test is compared, judged or drawn, or has to be seen since there is no one figure over all.
func wanted(j plan.Judgement, c *cell, m schema.Measure) [][]string {
	if len(m.Keys) == 0 {
		return nil
	}
	lists := map[string][]string{}
	add := func(by []string) {
		if len(by) > 0 {
			lists[strings.Join(by, " ")] = by
		}
	}
	if m.RollUp == schema.NoRollUp {
		add(m.Keys)
	}
	for _, p := range j.Comparisons {
		if p.Measure.Name == m.Name && (p.Test == c.test.Address || p.BaselineTest == c.test.Address) {
			add(p.By)
		}
	}
	for _, k := range j.KPIs {
		if k.Measure.Name == m.Name && k.Of == c.test.Address {
			add(k.By)
		}
	}
	for _, p := range j.Plots {
		if p.Kind != "series" && p.Measure.Name == m.Name && p.Y == c.test.Instance.Group() {
			add(p.By)
		}
	}
	var out [][]string
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		out = append(out, lists[name])
	}
	return out
}

// narrow keeps the values of a measure, and all histograms, at keys, each with the keys that are left.
func narrow(s *measure.Sample, name string, v *view) *measure.Sample {
	n := *s
	n.Values, n.Histograms = nil, nil
	in := func(keys addr.Coordinates) bool {
		return len(keys.Project(v.by)) == len(v.by) && contains(keys, v.keys)
	}
	left := func(keys addr.Coordinates) addr.Coordinates {
		for _, k := range v.by {
			keys = keys.Without(k)
		}
		return keys
	}
	for _, x := range s.Values {
		if x.Measure == name && in(x.Keys) {
			x.Keys = left(x.Keys)
			n.Values = append(n.Values, x)
		}
	}
	for _, h := range s.Histograms {
		if in(h.Keys) {
			h.Keys = left(h.Keys)
			n.Histograms = append(n.Histograms, h)
		}
	}
	return &n
}

// address puts keys into the address of an instance at coordinates.
func address(of string, at, keys addr.Coordinates) string {
	if len(keys) == 0 {
		return of
	}
	return strings.TrimSuffix(of, "["+at.String()+"]") + "[" + with(at, keys).String() + "]"
}

func with(c, keys addr.Coordinates) addr.Coordinates {
	n := maps.Clone(c)
	if n == nil {
		n = addr.Coordinates{}
	}
	maps.Copy(n, keys)
	return n
}

// contains reports whether c has all of keys.
func contains(c, keys addr.Coordinates) bool {
	for k, v := range keys {
		if have, ok := c[k]; !ok || have != v {
			return false
		}
	}
	return true
}

// means reports whether c has all of keys, or quantities that are equal: what a spec calls 16KiB a tool may call 16k.
func means(c, keys addr.Coordinates) bool {
	for k, v := range keys {
		if have, ok := c[k]; !ok || !unit.Same(have, v) {
			return false
		}
	}
	return true
}

func passes(keys addr.Coordinates, where map[string][]string) bool {
	for k, values := range where {
		if !slices.ContainsFunc(values, func(v string) bool { return unit.Same(v, keys[k]) }) {
			return false
		}
	}
	return true
}

// product gives all combinations of values, sorted; of nothing the empty one.
func product(where map[string][]string) []addr.Coordinates {
	out := []addr.Coordinates{nil}
	for _, k := range slices.Sorted(maps.Keys(where)) {
		var next []addr.Coordinates
		for _, c := range out {
			for _, v := range where[k] {
				next = append(next, with(c, addr.Coordinates{k: v}))
			}
		}
		out = next
	}
	return out
}

// union gives each combination once, sorted.
func union(lists ...[]addr.Coordinates) []addr.Coordinates {
	all := map[string]addr.Coordinates{}
	for _, list := range lists {
		for _, c := range list {
			all[c.String()] = c
		}
	}
	var out []addr.Coordinates
	for _, s := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[s])
	}
	return out
}
