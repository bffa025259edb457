// Package run carries out a plan: it creates and destroys what the plan says, runs the tests with their timeouts and
// retries, and writes everything into a record. Its events are the journal's; a person's view of them is made elsewhere. It
// judges nothing: a failed test is recorded, and the walk goes on.
package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/standing"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/hashicorp/go-hclog"
	"github.com/zclconf/go-cty/cty"
)

// ErrInterrupted is the cause with which the caller cancels the context when a person asks to stop.
var ErrInterrupted = errors.New("interrupted")

// Options is what carrying out a plan needs.
type Options struct {
	Plan    *plan.Plan
	Configs map[string]cty.Value // full configurations, as plan.Built has them; those that lack are read from the plan
	Outputs map[string]cty.Value // full outputs of things, likewise
	Set     *providers.Set
	Record  *record.Record
	Dial    host.Dialer
	Version string // of assay, for the journal
	// Kept is where things are noted that stay after the run, and found again; nil: nowhere.
	Kept *standing.Registry
	// ImportFile reads a file that the spec imports, by its path in the spec's folder.
	ImportFile func(name string) ([]byte, error)
	// Cleanup ends the tear-down early; nil: it ends by itself, or at CleanupTime.
	Cleanup context.Context
	// Ask tells a person what has to be done for the thing at an address and waits until it is; nil: there is nobody, which is an error
	// before the first step where the plan needs a person.
	Ask  func(ctx context.Context, address, what string) error
	Log  hclog.Logger
	Emit func(record.Event) // called for every event, also for progress; may be nil
}

// CleanupTime bounds the tear-down of one thing.
const CleanupTime = 10 * time.Minute

// Run carries out the plan and closes the record: journal ended, manifest written. When ctx is cancelled, the tool that runs is
// ended, what stands is taken away, and ctx's cause is returned. An error means that the run could not be carried out; failures of
// tests are in the record.
func Run(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = hclog.NewNullLogger()
	}
	r := &runner{o: o, asking: make(chan struct{}, 1), things: map[string]*state{}, tests: map[string]plan.Test{}, outcomes: map[string]record.Event{}, quarantined: map[string]string{}}
	for i := range o.Plan.Things {
		t := &o.Plan.Things[i]
		r.things[t.ID] = &state{Thing: t, stands: t.Standing != nil && t.Standing.Unneeded}
	}
	for _, t := range o.Plan.Tests {
		r.tests[t.Address] = t
	}
	err := r.begin(ctx)
	if err == nil {
		err = r.benches(ctx)
	}
	if ctx.Err() != nil {
		r.event(record.Event{Event: record.Interrupt, Reason: context.Cause(ctx).Error()})
		err = errors.Join(context.Cause(ctx), err)
	}
	end := record.Event{Event: record.End, Text: r.left()}
	if err != nil {
		end.Reason = err.Error()
	}
	r.event(end)
	return errors.Join(err, r.failure(), o.Record.CloseJournal(), o.Record.WriteManifest())
}

// state is a thing as it is now.
type state struct {
	*plan.Thing
	stands     bool
	generation int
	failed     string // why it could not be made; what needs it is blocked
}

type runner struct {
	o      Options
	asking chan struct{} // holds one while a person is asked
	tests  map[string]plan.Test

	mu          sync.Mutex
	things      map[string]*state
	quarantined map[string]string       // thing that could not be removed → why
	outcomes    map[string]record.Event // by step: its sample event
	journalErr  error
}

// event writes an event into the journal. A journal that cannot be written ends the run: nothing may happen that is not
// recorded.
func (r *runner) event(e record.Event) {
	r.o.Log.Debug(string(e.Event), "step", e.Step, "address", e.Address, "attempt", e.Attempt, "reason", e.Reason)
	written, err := r.o.Record.Append(e)
	r.mu.Lock()
	if err != nil && r.journalErr == nil {
		r.journalErr = err
	}
	if e.Event == record.SampleDone {
		r.outcomes[e.Step] = e
	}
	r.mu.Unlock()
	if r.o.Emit != nil {
		r.o.Emit(written)
	}
}

func (r *runner) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.journalErr
}

// begin records what will be carried out, and captures the facts of every host before anything is touched.
func (r *runner) begin(ctx context.Context) error {
	raw, err := plan.Encode(r.o.Plan)
	if err != nil {
		return err
	}
	r.event(record.Event{Event: record.Begin, Run: r.o.Record.ID, PlanHash: plan.Hash(raw), Tool: r.o.Version})
	if err := r.person(); err != nil {
		return err
	}
	facts, err := Facts(ctx, r.o.Plan, r.o.Set, r.o.Dial)
	if err != nil {
		return err
	}
	return r.o.Record.WriteFacts(facts)
}

// benches walks all benches side by side.
func (r *runner) benches(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make([]error, len(r.o.Plan.Benches))
	steps := map[string][]plan.Step{}
	for _, s := range r.o.Plan.Steps {
		steps[s.Bench] = append(steps[s.Bench], s)
	}
	for i, b := range r.o.Plan.Benches {
		wg.Go(func() { errs[i] = r.bench(ctx, steps[b.Name]) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// bench carries out the steps of one bench in order. After a cancel, or when the journal fails, only what stands is taken away.
func (r *runner) bench(ctx context.Context, steps []plan.Step) error {
	alongside := map[string][]plan.Step{} // by the step with which they start
	for _, s := range steps {
		if s.Alongside != "" {
			alongside[s.Alongside] = append(alongside[s.Alongside], s)
		}
	}
	for _, s := range steps {
		stop := ctx.Err() != nil || r.failure() != nil
		switch s.Action {
		case plan.Create, plan.Load:
			if !stop {
				r.create(ctx, s)
			}
		case plan.Reuse:
			if !stop {
				r.reuse(ctx, s)
			}
		case plan.Switch:
			if stop { // the plan has no other step that takes away the state before
				r.leave(ctx, s)
			} else {
				r.create(ctx, s)
			}
		case plan.RunTest, plan.ImportFiles:
			if !stop && s.Alongside == "" {
				run := r.sample
				if list := alongside[s.ID]; list != nil {
					run = func(ctx context.Context, s plan.Step) error { return r.together(ctx, append([]plan.Step{s}, list...)) }
				}
				if err := run(ctx, s); err != nil {
					return fmt.Errorf("%s: %w", s.Address, err)
				}
			}
		case plan.Destroy:
			r.destroy(ctx, s)
		}
	}
	return nil
}

// target is what a request to a provider is about.
func (r *runner) thingRequest(t *state) (providers.ThingRequest, error) {
	typ := r.o.Set.Type(t.Kind, t.Type)
	if typ == nil {
		return providers.ThingRequest{}, fmt.Errorf("there is no %s of type %q", t.Kind, t.Type)
	}
	cfg, ok := r.o.Configs[t.ID]
	if !ok {
		var err error
		if cfg, err = derive.Config(t.Config, typ.Body.Cty()); err != nil {
			return providers.ThingRequest{}, err
		}
	}
	outs, ok := r.o.Outputs[t.ID]
	if !ok {
		var err error
		if outs, err = derive.Config(t.Outputs, typ.OutputsType()); err != nil {
			return providers.ThingRequest{}, err
		}
	}
	return providers.ThingRequest{
		Target: providers.Target{Kind: t.Kind, Type: t.Type, Address: t.Instance, Config: cfg, Hosts: t.Hosts},
		ID:     t.ID, Outputs: outs, Erase: t.Erase, Expect: t.Expect, Addresses: t.Addresses,
	}, nil
}

// left says what still stands at the end.
func (r *runner) left() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, t := range r.things {
		if t.stands && !t.Keep {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d things were left standing", n)
}
