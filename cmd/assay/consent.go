package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
)

// consent asks before data are lost, and before a very long run. --auto-approve answers for the length, and for disks on which nothing that
// has a name was found; what was found on a disk and is not assay's is lost only where that disk is allowed by its serial number, where
// somebody says yes to it, or where it was agreed to before: in a saved plan that was looked at, or when a run that is gone on with began.
func (a *app) consent(p *plan.Plan, approved, agreed bool, allowed []string) error {
	var why, found []string
	seen := map[providers.Erase]bool{}
	for _, s := range p.Steps {
		for _, e := range s.Erases {
			if agreed || seen[e] || allows(allowed, e) {
				continue
			}
			seen[e] = true
			text := fmt.Sprintf("%s erases %s: %s", s.Address, plan.Disk(e), plan.Holds(e))
			why = append(why, text)
			if e.Found {
				found = append(found, text)
			}
		}
	}
	if len(p.Steps) > 10000 {
		why = append(why, fmt.Sprintf("the plan has %d steps", len(p.Steps)))
	}
	if longest := max(p.EstimateS, p.EstimateMaxS); longest > 7*24*3600 {
		why = append(why, fmt.Sprintf("the run takes %s", plan.Duration(longest)))
	}
	switch {
	case approved && len(found) > 0:
		return fmt.Errorf("--auto-approve does not answer for what is on a disk: %s. Save the plan with plan --out, look at it and apply that, or allow each disk with --allow-erase SERIAL",
			strings.Join(found, "; "))
	case len(why) == 0 || approved:
		return nil
	}
	return a.ask(why)
}

// allows reports whether a disk may be erased by its serial number or WWN.
func allows(allowed []string, e providers.Erase) bool {
	return slices.ContainsFunc(allowed, func(id string) bool {
		return id != "" && (strings.EqualFold(id, e.Serial) || strings.EqualFold(id, e.WWN))
	})
}
