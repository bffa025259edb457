package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// sample runs one repetition to its final outcome. The error is for what makes going on senseless, such as a record that
// cannot be written; a failed tool is an outcome.
func (r *runner) sample(ctx context.Context, s plan.Step) error {
	t := r.tests[s.Address]
	r.remake(ctx, s, t.Things)
	final := stepEvent(record.SampleDone, s, 0)
	final.Things, final.Generation = t.Things, r.generation(t.Things)
	why := r.blocked(t.Things)
	if why == "" {
		why = r.withoutOutput(t, s)
	}
	if why != "" {
		final.Outcome, final.Reason = measure.Blocked, why
		r.unwatched(s, final)
		r.event(final)
		return nil
	}
	if t.Reset != "" {
		r.changed(t.Things)
	}
	var watched []record.Event
	for try := r.before.Step(s.ID).Failures + 1; try <= t.Attempts; try++ {
		if try > 1 && !pause(ctx, plan.Duration(t.BackoffS)) {
			return nil
		}
		began, attempt := time.Now(), r.number(s.ID, attempts)
		r.event(stepEvent(record.Intent, s, attempt))
		if r.failure() != nil {
			return nil
		}
		final.Attempt = attempt
		if try == r.before.Step(s.ID).Failures+1 && len(r.spoils(s)) > 0 {
			final.Anew = attempt
		}
		var err error
		if watched, err = r.attempt(ctx, t, s, attempt, try, newBarrier(1), &final); err != nil {
			return err
		}
		if ctx.Err() != nil && final.Outcome != measure.OK {
			return nil // an interrupted repetition has no sample: it runs again
		}
		final.DurationS = time.Since(began).Seconds()
		if final.Outcome == measure.OK || final.Outcome == measure.Invalid || try == t.Attempts {
			break
		}
		e := stepEvent(record.FailedStep, s, attempt)
		e.Reason, e.Outcome, e.DurationS = final.Reason, final.Outcome, final.DurationS
		r.event(e)
	}
	for _, e := range watched { // before the sample of the test, which ends the repetition
		r.event(e)
	}
	r.event(final)
	r.cooldown(ctx, t, s)
	return nil
}

// cooldown waits after a repetition, whatever came of it. What was measured is recorded before.
func (r *runner) cooldown(ctx context.Context, t plan.Test, s plan.Step) {
	if t.CooldownS <= 0 {
		return
	}
	r.progress(s, 0, -1, "cooling down for "+unit.FormatSeconds(t.CooldownS))
	pause(ctx, plan.Duration(t.CooldownS))
}

// withoutOutput says why a test whose output this one uses left none in the same repetition, or "".
func (r *runner) withoutOutput(t plan.Test, s plan.Step) string {
	if len(t.After) == 0 {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range s.Needs {
		e, ran := r.outcomes[id]
		if ran && e.Outcome != measure.OK && contains(t.After, e.Address) {
			return fmt.Sprintf("%s repetition %d %s, and this test uses its output: %s", e.Address, e.Repetition, words(e.Outcome), e.Reason)
		}
	}
	return ""
}

func words(o measure.Outcome) string {
	switch o {
	case measure.DidNotFinish:
		return "did not finish"
	case measure.Failed:
		return "failed"
	}
	return "is " + string(o)
}

// attempt runs a test once, from when all are ready that start together, and says in final what came of it. It gives the
// events of what watched it.
func (r *runner) attempt(ctx context.Context, t plan.Test, s plan.Step, attempt, try int, start *barrier, final *record.Event) ([]record.Event, error) {
	sink, err := r.sink(s, attempt, "")
	if err != nil {
		return nil, err
	}
	final.Parsed, final.Started, final.Ended = false, nil, nil
	w := &watchers{}
	if s.Action == plan.ImportFiles {
		err = r.copyImport(t, s, sink)
	} else {
		if w, err = r.watchers(ctx, s, attempt); err == nil {
			final.Started, final.Ended, err = r.measure(ctx, t, s, attempt, start, sink, w)
		}
		start.over(s.ID, s.Address, err)
	}
	if commit := errors.Join(r.commit(sink), w.end()); commit != nil {
		return nil, commit
	}
	if why := r.outcome(ctx, t, s, attempt, try, err, final); why != nil {
		return nil, why
	}
	watched, err := w.samples(ctx, s, *final)
	attended(watched, final)
	return watched, err
}

// outcome says in final what came of an attempt that ended with err.
func (r *runner) outcome(ctx context.Context, t plan.Test, s plan.Step, attempt, try int, err error, final *record.Event) error {
	if err != nil {
		final.Outcome, final.Reason = measure.Failed, err.Error()
		if errors.Is(err, errTimeout) {
			final.Outcome = measure.DidNotFinish
			final.Reason = fmt.Sprintf("killed at its timeout of %s, in attempt %d of %d", plan.Duration(t.TimeoutS), try, t.Attempts)
		}
		return nil
	}
	parsed, err := derive.Sample(ctx, r.o.Record, r.o.Set, t, s, attempt)
	if err != nil {
		return err
	}
	final.Outcome, final.Reason, final.Parsed = parsed.Outcome, parsed.Reason, true
	return nil
}

// measure runs the tool, and tells when the measured part started, and when it ended; nil where it did not start.
func (r *runner) measure(ctx context.Context, t plan.Test, s plan.Step, attempt int, start *barrier, sink *sink, w *watchers) (started, ended *time.Time, err error) {
	req, err := derive.Request(r.o.Set, t)
	if err != nil {
		return nil, nil, err
	}
	if full, ok := r.o.Configs[t.Address]; ok {
		req.Config = full
	}
	ctx, clock, stop := newClock(ctx, plan.Duration(t.TimeoutS))
	defer stop()
	var passed atomic.Pointer[time.Time]
	gate := func(ctx context.Context) error {
		if passed.Load() != nil { // a later round of a test that has started with the others
			return context.Cause(ctx)
		}
		clock.hold()
		defer clock.resume()
		w.observe(ctx)
		err := start.ready(ctx)
		if now := time.Now().UTC(); err == nil {
			passed.Store(&now)
		}
		return err
	}
	ctx = host.WithTag(ctx, r.tag(s.ID, attempt))
	once := providers.MeasureRequest{Target: req.Target, Repetition: s.Repetition, Attempt: attempt, Expect: t.Expect}
	if t.Steady != nil {
		err = r.rounds(ctx, t, s, once, gate, sink)
	} else {
		err = r.provider("test", t.Type).Measure(ctx, once, gate, sink)
	}
	if started = passed.Load(); started != nil {
		now := time.Now().UTC()
		ended = &now
	}
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) {
		err = errTimeout
	}
	return started, ended, err
}

// copyImport takes a result file that exists already into the record, as it is.
func (r *runner) copyImport(t plan.Test, s plan.Step, sink providers.Sink) error {
	if t.Import.Table {
		return r.copyRows(t, s, sink)
	}
	if s.Repetition > len(t.Import.Files) {
		return errors.New("there is no file for this repetition")
	}
	name := t.Import.Files[s.Repetition-1]
	raw, err := r.o.ImportFile(name)
	if err != nil {
		return err
	}
	return keep(sink, "import"+filepath.Ext(name), raw)
}

// copyRows takes the rows of one repetition out of a table that serves all tests.
func (r *runner) copyRows(t plan.Test, s plan.Step, sink providers.Sink) error {
	name := t.Import.Files[0]
	raw, err := r.o.ImportFile(name)
	if err != nil {
		return err
	}
	typ, _, err := derive.Type(r.o.Set, t)
	if err != nil {
		return err
	}
	table, problems := imported.Read(t.Import.Format, raw, t.Shape(typ))
	if len(problems) > 0 {
		return fmt.Errorf("%s line %d: %s", name, problems[0].Line, problems[0].Text)
	}
	reps, _ := table.Repetitions(t.Coordinates)
	if s.Repetition > len(reps) {
		return fmt.Errorf("%s has no row for this repetition: it was changed since it was planned", name)
	}
	return keep(sink, "import."+t.Import.Format, table.Extract(reps[s.Repetition-1]))
}

func keep(sink providers.Sink, name string, raw []byte) error {
	w, err := sink.Artifact(name)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return errors.Join(err, w.Close())
}

// generation is that of the newest data underneath; where there are none, of the newest thing.
func (r *runner) generation(things []string) int {
	data, n := 0, 1
	for _, id := range things {
		t := r.things[id]
		if n = max(n, t.generation); t.Kind == "dataset" {
			data = max(data, t.generation)
		}
	}
	if data > 0 {
		return data
	}
	return n
}
