package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers/measure"
)

// member is one of the tests that start together, in one repetition.
type member struct {
	test  plan.Test
	step  plan.Step
	final record.Event
	// attempt is its number. It is one for all, unless a run was cut off between their intents.
	attempt int
	// watched are the events of its monitors.
	watched []record.Event
}

// together runs one repetition of a test and of those alongside it to their final outcomes. They are tried again together, so that what
// is kept of them was measured at the same time. The error is as that of sample.
func (r *runner) together(ctx context.Context, steps []plan.Step) error {
	group := make([]*member, len(steps))
	for i, s := range steps {
		m := &member{test: r.tests[s.Address], step: s, final: stepEvent(record.SampleDone, s, 0)}
		r.remake(ctx, s, m.test.Things)
		m.final.Things, m.final.Generation = m.test.Things, r.generation(m.test.Things)
		group[i] = m
	}
	if r.anyBlocked(group) {
		for _, m := range group {
			r.unwatched(m.step, m.final)
			r.event(m.final)
		}
		return nil
	}
	lead := group[0].test
	first := r.before.Step(steps[0].ID).Failures + 1
	for try := first; try <= lead.Attempts; try++ {
		if try > 1 && !pause(ctx, plan.Duration(lead.BackoffS)) {
			return nil
		}
		for _, m := range group {
			m.attempt = r.number(m.step.ID, attempts)
			if try == first && len(r.spoils(m.step)) > 0 {
				m.final.Anew = m.attempt
			}
			r.event(stepEvent(record.Intent, m.step, m.attempt))
		}
		if r.failure() != nil {
			return nil
		}
		if err := r.attemptTogether(ctx, group, try); err != nil {
			return err
		}
		bad := failing(group)
		if ctx.Err() != nil && bad != nil {
			return nil // an interrupted repetition has no sample: it runs again
		}
		if bad == nil || try == lead.Attempts {
			break
		}
		for _, m := range group {
			e := stepEvent(record.FailedStep, m.step, m.attempt)
			e.Reason, e.Outcome, e.DurationS = m.final.Reason, m.final.Outcome, m.final.DurationS
			if e.Outcome == measure.OK || e.Outcome == measure.Invalid {
				e.Reason = fmt.Sprintf("%s %s, and what starts together is tried again together", bad.step.Address, words(bad.final.Outcome))
			}
			r.event(e)
		}
	}
	longest := group[0]
	for _, m := range group {
		for _, e := range m.watched {
			r.event(e)
		}
		r.event(m.final)
		if m.test.CooldownS > longest.test.CooldownS {
			longest = m
		}
	}
	r.cooldown(ctx, longest.test, longest.step)
	return nil
}

// anyBlocked finds out whether one of the tests cannot be run, in which case none is, and says so in all of them.
func (r *runner) anyBlocked(group []*member) bool {
	why, who := "", ""
	for _, m := range group {
		reason := r.blocked(m.test.Things)
		if reason == "" {
			reason = r.withoutOutput(m.test, m.step)
		}
		if m.final.Reason = reason; reason != "" && why == "" {
			why, who = reason, m.step.Address
		}
	}
	if why == "" {
		return false
	}
	for _, m := range group {
		m.final.Outcome = measure.Blocked
		if m.final.Reason == "" {
			m.final.Reason = fmt.Sprintf("it starts together with %s, which is blocked: %s", who, why)
		}
	}
	return true
}

// attemptTogether runs all once, at the same time.
func (r *runner) attemptTogether(ctx context.Context, group []*member, try int) error {
	start := newBarrier(len(group))
	errs := make([]error, len(group))
	began := time.Now()
	var wg sync.WaitGroup
	for i, m := range group {
		wg.Go(func() {
			m.final.Attempt = m.attempt
			m.watched, errs[i] = r.attempt(ctx, m.test, m.step, m.attempt, try, start, &m.final)
			m.final.DurationS = time.Since(began).Seconds()
			start.over(m.step.ID, m.step.Address, errs[i]) // where it did not come to measuring
		})
	}
	wg.Wait()
	if off := start.calledOff(); off != nil {
		for _, m := range group {
			if m.step.ID != start.culprit && m.final.Outcome != measure.OK { // as its provider tells it, if at all
				m.final.Outcome, m.final.Reason, m.final.Parsed = measure.Failed, off.Error(), false
			}
		}
	}
	return errors.Join(errs...)
}

// failing is the first that is to be tried again; nil where none is.
func failing(group []*member) *member {
	for _, m := range group {
		if m.final.Outcome != measure.OK && m.final.Outcome != measure.Invalid {
			return m
		}
	}
	return nil
}
