// Package diag has helpers over hcl.Diagnostics: to construct, suggest, sort and print them, as text with the source line
// and as JSON in Terraform's form. It decides nothing about what is an error.
package diag

import (
	"fmt"
	"sort"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
)

// Error makes an error at a range. The summary is a title; the detail says what was expected and what to do.
func Error(rng hcl.Range, summary, detail string, args ...any) *hcl.Diagnostic {
	return newDiag(hcl.DiagError, rng, summary, detail, args)
}

// Warning makes a warning at a range.
func Warning(rng hcl.Range, summary, detail string, args ...any) *hcl.Diagnostic {
	return newDiag(hcl.DiagWarning, rng, summary, detail, args)
}

func newDiag(sev hcl.DiagnosticSeverity, rng hcl.Range, summary, detail string, args []any) *hcl.Diagnostic {
	if len(args) > 0 {
		detail = fmt.Sprintf(detail, args...)
	}
	d := &hcl.Diagnostic{Severity: sev, Summary: summary, Detail: detail}
	if rng != (hcl.Range{}) {
		d.Subject = &rng
	}
	return d
}

// Suggest finds the candidate that was probably meant, or "". Short names must be closer than long ones.
func Suggest(given string, candidates []string) string {
	best, bestDist := "", 1+len([]rune(given))/4
	for _, c := range candidates {
		if strings.EqualFold(c, given) {
			return c
		}
		if d := levenshtein.Distance(strings.ToLower(given), strings.ToLower(c), nil); d < bestDist || d == bestDist && best == "" {
			best, bestDist = c, d
		}
	}
	return best
}

// DidYouMean is a sentence with a leading blank: ` Did you mean "x"?`, or, where nothing is near, what there is to
// choose from, or nothing at all.
func DidYouMean(given string, candidates []string) string {
	if s := Suggest(given, candidates); s != "" {
		return fmt.Sprintf(" Did you mean %q?", s)
	}
	if len(candidates) == 0 || len(candidates) > 12 {
		return ""
	}
	return " There is " + List(candidates) + "."
}

// List joins names for a sentence: "a", "b" and "c".
func List(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	if len(q) < 2 {
		return strings.Join(q, "")
	}
	return strings.Join(q[:len(q)-1], ", ") + " and " + q[len(q)-1]
}

// Sorted orders diagnostics by file and place, and drops those that say the same of the same place: one expression that is
// evaluated at many coordinates is wrong once.
func Sorted(diags hcl.Diagnostics) hcl.Diagnostics {
	type place struct {
		rng     hcl.Range
		summary string
		detail  string
	}
	seen := map[place]bool{}
	out := make(hcl.Diagnostics, 0, len(diags))
	for _, d := range diags {
		p := place{summary: d.Summary}
		if d.Subject != nil {
			p.rng = *d.Subject
		} else {
			p.detail = d.Detail
		}
		if !seen[p] {
			seen[p] = true
			out = append(out, d)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Subject, out[j].Subject
		switch {
		case a == nil || b == nil:
			return a == nil && b != nil
		case a.Filename != b.Filename:
			return a.Filename < b.Filename
		case a.Start.Byte != b.Start.Byte:
			return a.Start.Byte < b.Start.Byte
		}
		return out[i].Summary < out[j].Summary
	})
	return out
}
