package derive

import (
	"fmt"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// minOverlap is the least share of the longer of two tests that start together for which both must have run. It leaves a tool some time
// to begin and to end, and no more than that: what one of them measured alone is not what was asked for.
const minOverlap = 0.9

// overlaps warns where tests that started together did not run together for long enough. samples gives that of a step, or nil.
func overlaps(p *plan.Plan, final map[string]record.Event, samples func(step string) *measure.Sample) {
	groups := map[string][]plan.Step{}
	for _, s := range p.Steps {
		if s.Alongside != "" {
			groups[s.Alongside] = append(groups[s.Alongside], s)
		}
	}
	for _, s := range p.Steps {
		companions := groups[s.ID]
		if len(companions) == 0 {
			continue
		}
		group := append([]plan.Step{s}, companions...)
		for _, one := range group {
			sample := samples(one.ID)
			if sample == nil || sample.Outcome != measure.OK {
				continue
			}
			for _, other := range group {
				if text := apart(final[one.ID], final[other.ID]); one.ID != other.ID && text != "" {
					sample.Warnings = append(sample.Warnings[:len(sample.Warnings):len(sample.Warnings)], measure.Warning{Code: "did_not_overlap", Text: text})
				}
			}
		}
	}
}

// apart says by how much two tests ran apart; empty where they ran together for long enough.
func apart(one, other record.Event) string {
	if one.Started == nil || one.Ended == nil {
		return ""
	}
	own := one.Ended.Sub(*one.Started)
	if other.Started == nil || other.Ended == nil {
		return fmt.Sprintf("%s did not run in the %s of this test", other.Address, seconds(own))
	}
	its := other.Ended.Sub(*other.Started)
	both := earlier(*one.Ended, *other.Ended).Sub(later(*one.Started, *other.Started))
	both = max(both, 0)
	if float64(both) >= minOverlap*float64(max(own, its)) {
		return ""
	}
	return fmt.Sprintf("this test ran for %s and %s for %s, both at once for %s: %s of the longer, and at least %s is wanted",
		seconds(own), other.Address, seconds(its), seconds(both), unit.FormatShare(both.Seconds()/max(own, its).Seconds()), unit.FormatShare(minOverlap))
}

func seconds(d time.Duration) string { return unit.FormatSeconds(d.Seconds()) }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
