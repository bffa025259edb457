package eval

import (
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/zclconf/go-cty/cty"
)

// noteSecret keeps the texts of a sensitive value, so that they can be found where a mark does not reach.
func (e *evaluator) noteSecret(v cty.Value) {
	v, _ = v.UnmarkDeep()
	texts := map[string]bool{}
	_ = cty.Walk(v, func(_ cty.Path, x cty.Value) (bool, error) {
		if s, ok := plainText(x); ok && s != "" && x.Type() != cty.Bool {
			texts[s] = true
		}
		return true, nil
	})
	e.secrets = append(e.secrets, sortedKeys(texts)...)
}

// markSecrets puts the mark back on what a provider promised from a sensitive configuration.
func (e *evaluator) markSecrets(v cty.Value) cty.Value {
	if len(e.secrets) == 0 || !v.IsWhollyKnown() {
		return v
	}
	out, err := cty.Transform(v, func(_ cty.Path, x cty.Value) (cty.Value, error) {
		if e.holdsSecret(x) {
			return x.Mark(Sensitive), nil
		}
		return x, nil
	})
	if err != nil {
		return v
	}
	return out
}

// holdsSecret reports whether v is a text in which a sensitive value stands.
func (e *evaluator) holdsSecret(v cty.Value) bool {
	if s, ok := plainText(v); ok && v.Type() == cty.String {
		for _, secret := range e.secrets {
			if strings.Contains(s, secret) {
				return true
			}
		}
	}
	return false
}

// secretPaths lists where in v a sensitive value stands.
func (e *evaluator) secretPaths(v cty.Value) []cty.Path {
	if len(e.secrets) == 0 || !v.IsWhollyKnown() {
		return nil
	}
	var out []cty.Path
	_ = cty.Walk(v, func(p cty.Path, x cty.Value) (bool, error) {
		if e.holdsSecret(x) {
			out = append(out, p.Copy())
		}
		return true, nil
	})
	return out
}

// hideSecrets takes sensitive values out of messages. A short one is looked for in quotes only, since it could be a part of
// any word.
func (e *evaluator) hideSecrets() {
	const hidden = "(sensitive)"
	for _, secret := range e.secrets {
		for _, d := range e.diags {
			d.Detail = strings.ReplaceAll(d.Detail, strconv.Quote(secret), hidden)
			if len(secret) >= 4 {
				d.Detail = strings.ReplaceAll(d.Detail, secret, hidden)
			}
		}
	}
}

// secretsIn gives the places of what is sensitive in the value of an attribute: the elements of a map or a list that are, so that
// what stands beside them is not hidden with them, else the whole.
func secretsIn(v cty.Value, kind schema.Kind, path cty.Path) []cty.Path {
	if kind != schema.Map && kind != schema.StringList || v.IsMarked() || !v.CanIterateElements() {
		return []cty.Path{path}
	}
	var out []cty.Path
	i := 0
	for it := v.ElementIterator(); it.Next(); i++ {
		k, x := it.Element()
		switch {
		case !x.ContainsMarked():
		case kind == schema.Map:
			out = append(out, path.Index(k))
		default:
			out = append(out, path.IndexInt(i))
		}
	}
	return out
}
