package eval

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"
)

// The readers below turn a value into what an argument takes. They report what does not fit and then give a zero; what is
// unknown has been reported before and gives a zero in silence.

func (e *evaluator) stringOf(v cty.Value, a *hcl.Attribute) string {
	if v.IsMarked() {
		e.errorf(a.Expr.Range(), "Sensitive value", "%s stands in every plan and report, so it cannot come from a sensitive variable.", a.Name)
		return ""
	}
	if !v.IsKnown() {
		return ""
	}
	if v.IsNull() || v.Type() != cty.String {
		e.errorf(a.Expr.Range(), "Not a string", "%s must be a string, and this is %s.", a.Name, friendly(v))
		return ""
	}
	return v.AsString()
}

func friendly(v cty.Value) string {
	if v.IsNull() {
		return "null"
	}
	return withArticle(v.Type())
}

// withArticle names a type in a sentence: a string, an object.
func withArticle(ty cty.Type) string {
	name := ty.FriendlyName()
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// enum reads one word of a fixed set.
func (e *evaluator) enum(v cty.Value, a *hcl.Attribute, words []string) string {
	s := e.stringOf(v, a)
	if s == "" {
		return ""
	}
	for _, w := range words {
		if s == w {
			return s
		}
	}
	e.errorf(a.Expr.Range(), "Unknown value", "%s is one of %s; %q is none.%s", a.Name, diag.List(words), s, suggestOnly(s, words))
	return ""
}

func suggestOnly(given string, words []string) string {
	if s := diag.Suggest(given, words); s != "" {
		return fmt.Sprintf(" Did you mean %q?", s)
	}
	return ""
}

func (e *evaluator) bool(v cty.Value, a *hcl.Attribute) (val, ok bool) {
	v, _ = v.Unmark()
	if !v.IsKnown() {
		return false, false
	}
	if v.IsNull() || v.Type() != cty.Bool {
		e.errorf(a.Expr.Range(), "Not a bool", "%s must be true or false, and this is %s.", a.Name, friendly(v))
		return false, false
	}
	return v.True(), true
}

func (e *evaluator) integer(v cty.Value, a *hcl.Attribute, least int) int {
	v, _ = v.Unmark()
	if !v.IsKnown() {
		return least
	}
	var n int
	num, err := convert.Convert(v, cty.Number)
	if err == nil && !num.IsNull() {
		err = gocty.FromCtyValue(num, &n)
	}
	if err != nil || num.IsNull() || n < least || n > maxInstances {
		e.errorf(a.Expr.Range(), "Not a whole number", "%s must be a whole number from %d to %d.", a.Name, least, maxInstances)
		return least
	}
	return n
}

// number reads a number or a percentage.
func (e *evaluator) number(v cty.Value, a *hcl.Attribute) (float64, bool) {
	if q := e.quantity(v, a, unit.One); q != nil {
		return q.Float(), true
	}
	return 0, false
}

func (e *evaluator) strings(v cty.Value, a *hcl.Attribute) ([]string, bool) {
	if v.ContainsMarked() {
		e.errorf(a.Expr.Range(), "Sensitive value", "%s stand in every plan and report, so they cannot come from a sensitive variable.", a.Name)
		return nil, false
	}
	if !v.IsWhollyKnown() {
		return nil, false
	}
	list, err := convert.Convert(v, cty.List(cty.String))
	if err != nil || list.IsNull() {
		e.errorf(a.Expr.Range(), "Not a list of strings", `%s must be a list of strings, such as ["a", "b"].`, a.Name)
		return nil, false
	}
	var out []string
	for it := list.ElementIterator(); it.Next(); {
		_, el := it.Element()
		if el.IsNull() {
			e.errorf(a.Expr.Range(), "Null in a list", "An element of %s is null.", a.Name)
			return nil, false
		}
		out = append(out, el.AsString())
	}
	return out, true
}

// quantity reads a quantity of dimension want; nil where there is none.
func (e *evaluator) quantity(v cty.Value, a *hcl.Attribute, want unit.Dim) *unit.Quantity {
	v, _ = v.Unmark()
	if !v.IsKnown() {
		return nil
	}
	text, ok := plainText(v)
	if !ok || v.Type() == cty.Bool {
		e.errorf(a.Expr.Range(), "Not a quantity", "%s must be %s, such as %q, and this is %s.", a.Name, want.Noun(), want.Example(), friendly(v))
		return nil
	}
	r := e.parsed.read(text, want)
	if r.err != nil {
		e.badQuantity(a, r.err)
		return nil
	}
	return &r.q
}

func (e *evaluator) badQuantity(a *hcl.Attribute, err error) {
	var ue *unit.Error
	if !errors.As(err, &ue) {
		e.errorf(a.Expr.Range(), "Invalid quantity", "%s: %s", a.Name, err)
		return
	}
	detail := fmt.Sprintf("%s = %q: %s.", a.Name, ue.Text, ue.Why)
	if ue.Do != "" {
		do := []rune(ue.Do)
		detail += " " + string(upper(do[0])) + string(do[1:])
		if last := do[len(do)-1]; last != '?' {
			detail += "."
		}
	}
	e.report(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid quantity", Detail: detail, Subject: a.Expr.Range().Ptr()})
}

func upper(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}
