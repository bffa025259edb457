package eval

import (
	"fmt"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/hashicorp/hcl/v2"
)

// keyClashes reports axes that are called like a key of a type in use: coordinates hold both, side by side.
func (e *evaluator) keyClashes() {
	said := map[string]bool{}
	for _, b := range e.order {
		if b.typ == nil {
			continue
		}
		for _, m := range b.typ.Measures {
			for _, key := range m.Keys {
				if ax := e.axes[key]; ax != nil && !said[key] {
					said[key] = true
					e.errorf(ax.cfg.Range, "Axis called like a key", "The results of %s bring a key %q of their own, so an axis cannot be called that; give it another name.", b.cfg.Addr, key)
				}
			}
		}
	}
}

// by reads the keys by which a comparison or a KPI is made: those of the measure, each once. Without a it is nil.
func (e *evaluator) by(a *hcl.Attribute, of *measured, m *schema.Measure) (keys []string, ok bool) {
	if a == nil || m == nil {
		return nil, true
	}
	named, ok := e.strings(e.constant(a.Expr), a)
	for _, key := range named {
		switch {
		case contains(keys, key):
			e.errorf(a.Expr.Range(), "Key given twice", "by names the key %q twice; leave one out.", key)
			ok = false
		case contains(m.Keys, key):
			keys = append(keys, key)
		case len(m.Keys) == 0:
			e.errorf(a.Expr.Range(), "No keys", "%s has one figure for each repetition and no keys; leave by out. A compare or kpi is made for each case of every axis without it.", of.figureName(m))
			return nil, false
		default:
			e.errorf(a.Expr.Range(), "Unknown key", "%s has no key %q.%s", of.figureName(m), key, diag.DidYouMean(key, m.Keys))
			ok = false
		}
	}
	return ordered(keys, m.Keys), ok
}

// rollsUp reports a reference that names too few keys of a measure that does not become one figure over the others. advice
// says where they can be named.
func (e *evaluator) rollsUp(rng hcl.Range, of *measured, m *schema.Measure, by []string, advice string) bool {
	if m == nil || m.RollUp != schema.NoRollUp || len(by) == len(m.Keys) {
		return true
	}
	var left []string
	for _, key := range m.Keys {
		if !contains(by, key) {
			left = append(left, key)
		}
	}
	e.errorf(rng, "Key not named", "%s has a figure for each %s, and these make no one figure together: %s.", of.figureName(m), diag.List(left), advice)
	return false
}

// figureName is test.fio.seq.bandwidth, or measure.price.
func (m *measured) figureName(of *schema.Measure) string {
	if m.name.Kind == "measure" {
		return m.name.String()
	}
	return m.group() + "." + of.Name
}

// unknownAxis reports a name that is neither an axis nor, where there are any, a key.
func (e *evaluator) unknownAxis(rng hcl.Range, name string, keys []string) {
	if len(keys) == 0 {
		e.errorf(rng, "Unknown axis", "There is no axis %q.%s", name, diag.DidYouMean(name, e.axisNames()))
		return
	}
	axes := "There is no axis"
	if names := e.axisNames(); len(names) > 0 {
		axes = "Axes are " + diag.List(names)
	}
	hint := fmt.Sprintf("%s %s; keys of the results are %s.", suggestOnly(name, append(e.axisNames(), keys...)), axes, diag.List(keys))
	e.errorf(rng, "Unknown axis or key", "There is neither an axis nor a key %q.%s", name, hint)
}

// ordered gives the named ones in the order of all, each once.
func ordered(named, all []string) []string {
	var out []string
	for _, x := range all {
		if contains(named, x) {
			out = append(out, x)
		}
	}
	return out
}
