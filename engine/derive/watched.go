package derive

import (
	"context"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// Watched derives the sample of a monitor from what it left beside an attempt at a test; id is that of the watch. Its identity is left
// empty.
func Watched(ctx context.Context, r *record.Record, set *providers.Set, monitor plan.Test, id string, attempt int) (*measure.Sample, error) {
	return Sample(ctx, r, set, monitor, plan.Step{ID: id, Action: plan.Observe}, attempt)
}

// watch derives the sample of a monitor that watched a step, of which the sample is at an index. Where the test has no sample, its
// monitor has none either, since its figures would be of a run that does not count; its series are kept, for they may tell why. What is
// doubtful about the monitor is said of the test too.
func (d *deriver) watch(s plan.Step, w plan.Watch, at int, began time.Time) error {
	e, ok := d.final[w.ID]
	if !ok {
		return nil
	}
	s.ID, s.Address, s.Action = w.ID, w.Monitor, plan.Observe
	sample, series, err := d.sample(s, e, func([]measure.Exit) time.Time { return began })
	if err != nil {
		return err
	}
	test := &d.out.Samples[at]
	sample.During = test.Address
	for _, doubt := range sample.Warnings {
		test.Warnings = append(test.Warnings, measure.Warning{Code: doubt.Code, Text: w.Monitor + ": " + doubt.Text})
	}
	switch {
	case test.Outcome != measure.OK:
		sample.Outcome, sample.Reason = test.Outcome, test.Address+": "+test.Reason
		sample.Values, sample.Histograms = nil, nil
	case sample.Outcome != measure.OK:
		test.Warnings = append(test.Warnings, measure.Warning{Code: "monitor_failed", Text: w.Monitor + ": " + sample.Reason})
	}
	d.keep(*sample, series)
	d.out.Samples = append(d.out.Samples, *sample)
	return nil
}

// began is the time 0 of what watched a step.
func (d *deriver) began(s plan.Step, e record.Event) (time.Time, error) {
	if e.Started == nil {
		return time.Time{}, nil
	}
	_, exits, err := d.record.Artifacts(s.ID, e.Attempt)
	return began(exits, e.Started), err
}

// began finds when the measured command of a repetition began: the first one that started once the test was let begin. Zero where
// nothing tells.
func began(exits []measure.Exit, opened *time.Time) time.Time {
	first := time.Time{}
	if opened == nil {
		return first
	}
	for _, x := range exits {
		if !x.Started.Before(*opened) && (first.IsZero() || x.Started.Before(first)) {
			first = x.Started
		}
	}
	if first.IsZero() {
		return *opened
	}
	return first
}
