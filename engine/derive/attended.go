package derive

import (
	"slices"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers/measure"
)

// NotAttended is why a sample is invalid when a setup under its test was not as it should be.
func NotAttended(address, reason string) string { return address + ": " + reason }

// attend puts what a setup that took part in a step yields into the sample of the test, at an index: figures and series, which are of the
// test's measures, and doubts. Where it was not as it should be, the sample is invalid. Figures that the test has itself stay its own; of two
// setups that yield one measure, the first has it.
func (d *deriver) attend(s plan.Step, a plan.Attend, at int, began time.Time) error {
	e, ok := d.final[a.ID]
	thing := d.plan.Thing(a.Thing)
	if !ok || thing == nil {
		return nil
	}
	test := &d.out.Samples[at]
	one := thing.Attendant(test.Address)
	step := s
	step.ID, step.Address, step.Action = a.ID, one.Address, plan.Observe
	d.runs[one.Address] = one
	sample, series, err := d.sample(step, e, func([]measure.Exit) time.Time { return began })
	if err != nil {
		return err
	}
	for _, doubt := range sample.Warnings {
		test.Warnings = append(slices.Clip(test.Warnings), measure.Warning{Code: doubt.Code, Text: one.Address + ": " + doubt.Text})
	}
	test.Artifacts = append(slices.Clip(test.Artifacts), sample.Artifacts...)
	if sample.Outcome != measure.OK && test.Outcome == measure.OK {
		test.Outcome, test.Reason = measure.Invalid, NotAttended(one.Address, sample.Reason)
	}
	d.keep(*test, series)
	if test.Outcome != measure.OK && test.Outcome != measure.Invalid {
		return nil
	}
	had := map[string]bool{}
	for _, v := range test.Values {
		had[v.Measure] = true
	}
	for _, v := range sample.Values {
		if !had[v.Measure] {
			test.Values = append(slices.Clip(test.Values), v)
		}
	}
	return nil
}
