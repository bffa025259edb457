// Package lint warns of what is right as language and probably not what was meant: names that nothing uses, axes without effect,
// figures that nobody looks at, limits without a reason. Each warning says what to do about it.
//
// What is wrong with the options of a tool its provider says when it plans (a runtime shorter than the ramp, say), and what can
// never be decided is an error of the plan; neither is repeated here.
package lint

import (
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/outline"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// Warnings looks at a spec that has no errors: as it was written, and evaluated.
func Warnings(m *config.Model, s *spec.Spec) hcl.Diagnostics {
	o := outline.Of(m)
	var diags hcl.Diagnostics
	for _, rule := range []func() hcl.Diagnostics{
		func() hcl.Diagnostics { return unusedNames(o) },
		func() hcl.Diagnostics { return idleAxes(o) },
		func() hcl.Diagnostics { return unjudged(o) },
		func() hcl.Diagnostics { return withoutReason(m) },
		func() hcl.Diagnostics { return oneRepetition(s) },
		func() hcl.Diagnostics { return cachedDevice(s) },
	} {
		diags = append(diags, rule()...)
	}
	return diag.Sorted(diags)
}
