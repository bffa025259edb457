package plan

import (
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
)

// hurried warns of tests whose timeout ends a repetition before the fewest rounds that it takes are over by the provider's estimate; each block
// once.
func (b *builder) hurried() hcl.Diagnostics {
	var diags hcl.Diagnostics
	warned := map[string]bool{}
	for _, t := range b.spec.Tests {
		if t.Steady == nil || t.Timeout == nil || b.answers[t] == nil || warned[t.Addr.Block.String()] {
			continue
		}
		least := float64(t.Steady.Window) * b.answers[t].Estimate.Seconds()
		if t.Timeout.Float() >= least {
			continue
		}
		warned[t.Addr.Block.String()] = true
		diags = append(diags, diag.Warning(t.AttrRange["timeout"], "Timeout before the rounds are over",
			"timeout is for all rounds of a repetition. It is %s, and the %d rounds that it takes at least last about %s.",
			unit.FormatSeconds(t.Timeout.Float()), t.Steady.Window, unit.FormatSeconds(least)))
	}
	return diags
}
