package eval

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
)

// profiled is a KPI that judges a test by published limits: each limit is a KPI of its own, at the row that its keys name.
type profiled struct {
	e       *evaluator
	k       *config.Plain
	base    spec.KPI
	profile *schema.Profile
	of      *measured
	typ     *schema.Type
	where   filter // axes
	byKey   filter
	changes []*limitChange
	// What becomes no verdict: rows that where leaves out, and rows without an instance.
	left, absent []string
}

// limitChange is a limit block.
type limitChange struct {
	cfg     *config.Plain
	where   filter // a key of the profile → values
	because string
	used    bool
}

// byProfile evaluates a KPI with a profile.
func (e *evaluator) byProfile(k *config.Plain, base spec.KPI) {
	for _, name := range []string{"min", "max", "within", "min_of", "max_of", "by"} {
		if a := k.Attrs[name]; a != nil {
			e.errorf(a.NameRange, "Limits come from the profile", "A KPI with a profile has its limits and its keys. Change single limits in a limit block, or write a KPI of your own without it.")
			return
		}
	}
	p := &profiled{e: e, k: k, base: base}
	if !p.read() {
		return
	}
	name := addr.Block{Kind: "kpi", Name: k.Name}
	before := len(e.out.KPIs)
	for i := range p.profile.Limits {
		p.row(&p.profile.Limits[i])
	}
	for _, c := range p.changes {
		if !c.used {
			e.errorf(c.cfg.Range, "Limit that changes nothing", "No limit of the profile on %s is judged where this block says.", c.cfg.Name)
		}
	}
	none := func(list []string, advisory bool, why string) {
		if len(list) > 0 {
			e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Advisory: advisory,
				Reason: fmt.Sprintf("%d of %d limits of profile %s %s: %s", len(list), len(p.profile.Limits), p.profile.Name, why, strings.Join(list, "; "))})
		}
	}
	none(p.left, true, "are left out by where")
	none(p.absent, !base.Required, "have nothing to judge")
	if len(e.out.KPIs) == before && len(p.left)+len(p.absent) == 0 { // on purpose, so that it has no effect
		e.out.NotJudged = append(e.out.NotJudged, spec.NotJudged{Block: name, Advisory: true, Reason: "it is switched off by when"})
	}
}

// read finds the profile and the test, and reads what the block says of them.
func (p *profiled) read() bool {
	e, a := p.e, p.k.Attrs["profile"]
	p.profile = e.profile(a)
	b := e.wholeTest(p.k.Attrs["measure"])
	if p.profile == nil || b == nil || b.broken {
		return false
	}
	p.of, p.typ = b.measured(""), b.typ
	if !p.fits(a.Expr.Range()) {
		return false
	}
	if p.k.Attrs["statistic"] == nil && p.profile.Statistic != "" {
		p.base.Statistic = p.profile.Statistic
	}
	var keys []string
	for _, l := range p.profile.Limits {
		for _, key := range p.typ.Measure(l.Measure).Keys {
			if !contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	var ok bool
	if p.where, p.byKey, ok = e.where(p.k.Attrs["where"], p.of, keys); !ok {
		return false
	}
	for _, key := range sortedKeys(p.byKey) {
		for _, v := range p.byKey[key] {
			if contains(p.profile.Keys, key) && !p.has(key, v) {
				e.errorf(p.k.Attrs["where"].Expr.Range(), "Value that the profile lacks", "No limit of %s is for %s = %q.%s", p.profile.Name, key, v, diag.DidYouMean(v, p.values(key)))
				return false
			}
		}
	}
	return p.limitBlocks()
}

// profile finds a profile by its name, or reads the file that is named.
func (e *evaluator) profile(a *hcl.Attribute) *schema.Profile {
	name := e.stringOf(e.constant(a.Expr), a)
	if name == "" {
		return nil
	}
	if strings.HasSuffix(name, ".json") {
		raw, err := readText(e.opts.ReadFile, name)
		if err != nil {
			e.errorf(a.Expr.Range(), "Cannot read", "The limits are to be taken from %q: %s.", name, err)
			return nil
		}
		p, err := schema.DecodeProfile([]byte(raw))
		if err != nil {
			e.errorf(a.Expr.Range(), "Not a profile", "%q is not a profile: %s.", name, err)
			return nil
		}
		return p
	}
	var names []string
	for i := range e.opts.Profiles {
		if names = append(names, e.opts.Profiles[i].Name); e.opts.Profiles[i].Name == name {
			return &e.opts.Profiles[i]
		}
	}
	e.errorf(a.Expr.Range(), "Unknown profile", "There is no profile %q.%s A file beside the spec is named with its ending, \"limits.json\".", name, diag.DidYouMean(name, names))
	return nil
}

// wholeTest resolves a reference to a test, without a measure.
func (e *evaluator) wholeTest(a *hcl.Attribute) *block {
	t, ok := traversal(a.Expr)
	if !ok || t.RootName() != "test" || len(t) != 3 {
		e.errorf(a.Expr.Range(), "Not a whole test", "With a profile, measure names the whole test, test.TYPE.NAME: each limit finds its measure.")
		return nil
	}
	want := addr.Block{Kind: "test", Type: stepName(t[1]), Name: stepName(t[2])}
	b := e.blocks[want]
	if b == nil {
		e.errorf(t.SourceRange(), "Unknown test", "There is no %s%s", want, e.blockHint("test", want))
	}
	return b
}

// fits reports where the test does not have what the profile has limits on.
func (p *profiled) fits(at hcl.Range) bool {
	e, said := p.e, map[string]bool{}
	ok := true
	say := func(id, detail string, args ...any) {
		ok = false
		if !said[id] {
			said[id] = true
			e.errorf(at, "Profile that does not fit", detail, args...)
		}
	}
	var names []string
	for _, m := range p.typ.Measures {
		names = append(names, m.Name)
	}
	for _, l := range p.profile.Limits {
		m := p.typ.Measure(l.Measure)
		if m == nil {
			say(l.Measure, "Profile %s has limits on %s, which %s does not measure. There is %s.", p.profile.Name, l.Measure, p.of.group(), diag.List(names))
			continue
		}
		for _, key := range p.profile.Keys {
			if !contains(m.Keys, key) && !contains(p.of.axes, key) {
				say(l.Measure+"."+key, "Profile %s has limits by %s, which is neither a key of %s nor an axis that it depends on.", p.profile.Name, key, p.of.figureName(m))
			}
		}
		for _, text := range []string{l.Min, l.Max} {
			if text == "" {
				continue
			}
			if _, err := unit.Parse(text, m.Dim); err != nil {
				say(l.Measure+text, "A limit of profile %s on %s cannot be read: %s.", p.profile.Name, l.Measure, err)
			}
		}
		if ok && m.RollUp == schema.NoRollUp && len(p.by(m)) < len(m.Keys) {
			say(l.Measure+" roll up", "%s has a figure for each %s, and these make no one figure together; profile %s has limits by %s only.", p.of.figureName(m), diag.List(m.Keys), p.profile.Name, diag.List(p.profile.Keys))
		}
	}
	return ok
}

// by are the keys of a measure by which it is judged.
func (p *profiled) by(m *schema.Measure) []string {
	return ordered(append(append([]string{}, p.profile.Keys...), append(p.profile.Each, sortedKeys(p.byKey)...)...), m.Keys)
}

// limitBlocks reads the limit blocks.
func (p *profiled) limitBlocks() bool {
	e, before := p.e, len(p.e.diags)
	for _, cfg := range p.k.Limits {
		c := &limitChange{cfg: cfg}
		if a := cfg.Attrs["because"]; a != nil {
			c.because = e.stringOf(e.constant(a.Expr), a)
		}
		var measures []string
		for _, l := range p.profile.Limits {
			if !contains(measures, l.Measure) {
				measures = append(measures, l.Measure)
			}
		}
		if !contains(measures, cfg.Name) {
			e.errorf(cfg.Range, "Limit that the profile lacks", "%s has no limit on %s.%s", p.profile.Name, cfg.Name, diag.DidYouMean(cfg.Name, measures))
			continue
		}
		if cfg.Attrs["min"] == nil && cfg.Attrs["max"] == nil {
			e.errorf(cfg.Range, "No threshold", "A limit block gives the limit that holds in place of the published one: min or max.")
			continue
		}
		if a := cfg.Attrs["where"]; a != nil {
			pairs, diags := hcl.ExprMap(a.Expr)
			if diags.HasErrors() {
				e.errorf(a.Expr.Range(), "Not a filter", `where is written { key = "value" } or { key = ["value", "value"] }.`)
				continue
			}
			c.where = filter{}
			for _, pair := range pairs {
				key := hcl.ExprAsKeyword(pair.Key)
				if key == "" {
					key, _ = plainText(e.constant(pair.Key))
				}
				if !contains(p.profile.Keys, key) {
					e.errorf(pair.Key.Range(), "Unknown key", "The limits of %s are not told apart by %q.%s", p.profile.Name, key, diag.DidYouMean(key, p.profile.Keys))
					continue
				}
				c.where[key], _ = e.keyValues(pair.Value)
			}
		}
		if len(e.diags) == before {
			p.place(c)
		}
	}
	return len(e.diags) == before
}

// place adds a limit block, once it is clear which limits it changes: each is of the same kind, and no other block changes it too.
func (p *profiled) place(c *limitChange) {
	for _, l := range p.profile.Limits {
		if !c.matches(&l) {
			continue
		}
		for _, x := range []struct{ name, published string }{{"min", l.Min}, {"max", l.Max}} {
			a := c.cfg.Attrs[x.name]
			if a == nil {
				continue
			}
			if x.published == "" {
				p.e.errorf(a.NameRange, "Other kind of limit", "The profile's limit on %s is %s; write another KPI for %s.", l.Measure, l.Text(), x.name)
				return
			}
			if axis := p.e.foreignAxis(a.Expr, p.of); axis != "" {
				p.e.errorf(a.Expr.Range(), "Axis that the measure lacks", "The threshold depends on axis %q, but the measure does not.%s", axis, p.of.axesText())
				return
			}
		}
		for _, other := range p.changes {
			if other.matches(&l) {
				p.e.errorf(c.cfg.Range, "Limit changed twice", "Another limit block, on line %d, changes the limit of %s at %s too.", other.cfg.Range.Start.Line, l.Measure, addr.Coordinates(l.At))
				return
			}
		}
	}
	p.changes = append(p.changes, c)
}

// row makes the KPIs of one published limit, at each instance that it is about.
func (p *profiled) row(l *schema.ProfileLimit) {
	e, m := p.e, p.typ.Measure(l.Measure)
	text := l.Measure + " " + addr.Coordinates(l.At).String()
	at, keys := addr.Coordinates{}, map[string][]string{}
	for _, key := range sortedKeys(l.At) {
		value := l.At[key]
		if contains(m.Keys, key) {
			if values := p.byKey[key]; values != nil && !among(value, values) {
				p.left = append(p.left, text)
				return
			}
			keys[key] = []string{value}
			continue
		}
		name := e.axes[key].find(value)
		if name == "" {
			p.absent = append(p.absent, text)
			return
		}
		if values := p.where[key]; values != nil && !contains(values, name) {
			p.left = append(p.left, text)
			return
		}
		at[key] = name
	}
	for key, values := range p.byKey {
		if !contains(p.profile.Keys, key) && contains(m.Keys, key) {
			keys[key] = values
		}
	}
	off, found := false, false
	for _, inst := range p.of.list {
		if inst.Coordinates.Project(at.Axes()).String() != at.String() || !p.where.matches(inst.Coordinates) {
			continue
		}
		if !e.stands(p.k.Attrs, p.of, inst.Coordinates) {
			off = true
			continue
		}
		found = true
		one := p.base
		one.Addr = addr.Instance{Block: addr.Block{Kind: "kpi", Name: p.k.Name}, Each: l.Measure, Coordinates: inst.Coordinates}
		for key := range keys { // what tells the rows of one instance apart
			if value, ok := l.At[key]; ok {
				one.Addr.Coordinates = one.Addr.Coordinates.With(key, value)
			}
		}
		one.Ref = spec.MeasureRef{Of: inst, Measure: m}
		one.By = p.by(m)
		if len(keys) > 0 {
			one.Keys = keys
		}
		p.limits(&one, l, m)
		e.out.KPIs = append(e.out.KPIs, one)
	}
	if !found && !off {
		p.absent = append(p.absent, text)
	}
}

// limits sets the limits of one KPI: the published ones, or those of a limit block, and says what is less strict then.
func (p *profiled) limits(one *spec.KPI, l *schema.ProfileLimit, m *schema.Measure) {
	published := func(text string) *spec.Limit {
		if text == "" {
			return nil
		}
		q, _ := unit.Parse(text, m.Dim) // fits has seen to it
		return &spec.Limit{Text: text, Value: q.Float()}
	}
	one.Min, one.Max = published(l.Min), published(l.Max)
	one.Profile = &spec.Profile{Name: p.profile.Name, Version: p.profile.Version, Published: l.Text(), Source: p.profile.Cited(*l)}
	var looser []string
	for _, c := range p.changes {
		if !c.matches(l) {
			continue
		}
		c.used = true
		for _, x := range []struct {
			name string
			to   **spec.Limit
			sign float64
		}{{"min", &one.Min, 1}, {"max", &one.Max, -1}} {
			a := c.cfg.Attrs[x.name]
			if a == nil {
				continue
			}
			own := p.e.limit(a, m, false, one.Addr.Coordinates)
			if own == nil {
				return
			}
			if x.sign*(own.Value-(*x.to).Value) < 0 {
				looser = append(looser, fmt.Sprintf("%s is %s, and %s is published", x.name, own.Text, (*x.to).Text))
			}
			*x.to = own
		}
		if c.because != "" {
			one.Because = c.because
		}
	}
	if !one.Required {
		looser = append(looser, "it is advisory")
	}
	if want := p.profile.Statistic; leniency(one.Statistic) > leniency(want) {
		looser = append(looser, fmt.Sprintf("statistic is %s, and %s is published", one.Statistic, cmp.Or(want, "median")))
	}
	one.Profile.Looser = looser
}

// leniency orders statistics over repetitions by how easy they are to pass.
func leniency(statistic string) int {
	switch statistic {
	case "worst", "each":
		return 0
	case "best":
		return 2
	}
	return 1
}

func (c *limitChange) matches(l *schema.ProfileLimit) bool {
	for key, values := range c.where {
		if !among(l.At[key], values) {
			return false
		}
	}
	return c.cfg.Name == l.Measure
}

// has reports whether some limit is for this value of a key.
func (p *profiled) has(key, value string) bool { return among(value, p.values(key)) }

func (p *profiled) values(key string) []string {
	var out []string
	for _, l := range p.profile.Limits {
		if !contains(out, l.At[key]) {
			out = append(out, l.At[key])
		}
	}
	return out
}

// among reports whether a value is one of several, as a word or as a quantity.
func among(value string, list []string) bool {
	for _, x := range list {
		if unit.Same(value, x) {
			return true
		}
	}
	return false
}
