package derive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers/measure"
)

// worn warns of a sample from a later attempt of a repetition for which something is made anew: that is done before the first attempt (or
// before a later one, where a run was gone on with), and a later one finds what the one before has left.
func worn(p *plan.Plan, t plan.Test, attempt, first int) *measure.Warning {
	if attempt <= first || t.Instance.Kind != "test" {
		return nil
	}
	var anew []string
	for i := range p.Things {
		th := &p.Things[i]
		if slices.Contains(t.Things, th.ID) && (th.Fresh || th.Kind == "dataset" && t.Reset == spec.ResetRepetition) {
			anew = append(anew, th.Addresses[0])
		}
	}
	if len(anew) == 0 {
		return nil
	}
	return &measure.Warning{Code: "used_before", Text: fmt.Sprintf(
		"it comes from attempt %d, which found %s as attempt %d left it: what is made anew for a repetition is made before its first attempt",
		attempt, strings.Join(anew, ", "), attempt-1)}
}
