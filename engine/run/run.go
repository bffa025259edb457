// Package run carries out a plan: it creates and destroys what the plan says, runs the tests with their timeouts and
// retries, and writes everything into a record. Its events are the journal's; a person's view of them is made elsewhere. It
// judges nothing: a failed test is recorded, and the walk goes on.
package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	Dir  string // the working directory, for the journal
	// ImportFile reads a file that the spec imports, by its path in the spec's folder.
	ImportFile func(name string) ([]byte, error)
	// Locks are what the run has claimed; they are given back at the end, but for those of what is left standing. Nil: none.
	Locks *Locks
	// Cleanup ends the tear-down early; nil: it ends by itself, or at CleanupTime.
	Cleanup context.Context
	// Ask tells a person what has to be done for the thing at an address and waits until it is; nil: there is nobody, which is an error
	// before the first step where the plan needs a person.
	Ask func(ctx context.Context, address, what string) error
	// WatchGrace is how long a monitor may take to end after the test that it watches; 0 is a minute. Then it is left behind.
	WatchGrace time.Duration
	Log        hclog.Logger
	Emit       func(record.Event) // called for every event, also for progress; may be nil
	// Reuse is a run whose samples are taken over where they would be measured in the same way; nil: none.
	Reuse *Earlier
	// Resume is how far the run is that the record holds, when it is gone on with (see Resume); nil: a new run.
	Resume *record.State
	// Hook is called at every failpoint (see Failpoints) of a test that makes a run crash there; nil outside of tests.
	Hook func(point string)
}

// CleanupTime bounds the tear-down of one thing, with three times what its provider estimates: an array that has to be made whole first takes
// hours.
const CleanupTime = 10 * time.Minute

// InspectTime bounds the look at one thing.
const InspectTime = time.Minute

// Run carries out the plan and closes the record: journal ended, manifest written. When ctx is cancelled, the tool that runs is
// ended, what stands is taken away, and ctx's cause is returned. An error means that the run could not be carried out; failures of
// tests are in the record.
func Run(ctx context.Context, o Options) error {
	r := newRunner(o)
	return r.carry(ctx, func() error {
		begin := r.begin
		if o.Resume != nil && o.Resume.Run != "" {
			begin = r.resume
		}
		if err := begin(ctx); err != nil {
			return err
		}
		if err := r.takeOverSamples(); err != nil {
			return err
		}
		return r.benches(ctx)
	})
}

func newRunner(o Options) *runner {
	if o.Log == nil {
		o.Log = hclog.NewNullLogger()
	}
	r := &runner{
		o: o, asking: make(chan struct{}, 1), things: map[string]*state{}, tests: map[string]plan.Test{}, outcomes: map[string]record.Event{}, quarantined: map[string]string{},
		before: o.Resume, numbers: map[string]int{}, past: map[string]bool{}, standing: map[string]bool{},
		sampled: map[string]bool{},
	}
	if r.before == nil {
		r.before = &record.State{}
	}
	for id, st := range r.before.Steps {
		if r.sampled[id] = st.Sample != nil; st.Sample != nil {
			r.outcomes[id] = *st.Sample
		}
	}
	for i := range o.Plan.Things {
		t := &o.Plan.Things[i]
		r.things[t.ID] = &state{Thing: t, stands: t.Standing != nil && t.Standing.Unneeded}
	}
	for _, t := range slices.Concat(o.Plan.Tests, o.Plan.Monitors) {
		r.tests[t.Address] = t
	}
	return r
}

// carry does what a run is for, and closes the record whatever came of it.
func (r *runner) carry(ctx context.Context, do func() error) error {
	var once sync.Once
	interrupt := func() { once.Do(func() { r.interrupt(ctx) }) }
	defer context.AfterFunc(ctx, interrupt)()
	err := do()
	if ctx.Err() != nil {
		interrupt()
		if cause := context.Cause(ctx); !errors.Is(err, cause) {
			err = errors.Join(cause, err)
		}
	}
	end := record.Event{Event: record.End}
	if err != nil {
		end.Reason = err.Error()
	}
	left := r.left()
	if len(left) > 0 {
		end.Text = things(len(left), "was", "were") + " left standing"
	}
	if r.o.Locks != nil {
		ctx, stop := r.patient(ctx)
		if err := r.o.Locks.Release(ctx, left); err != nil {
			end.Text = strings.TrimPrefix(end.Text+"; "+err.Error(), "; ")
		}
		stop()
	}
	r.event(end)
	if err == nil {
		err = r.failure()
	}
	return errors.Join(err, r.o.Record.CloseJournal(), r.o.Record.WriteManifest())
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
	asking chan struct{}        // holds one while a person is asked
	tests  map[string]plan.Test // and monitors
	before *record.State        // when the run was gone on with; empty in a new one
	past   map[string]bool      // steps that are over since then
	// removing: only what stands is taken away; kept: what is kept too.
	removing, kept bool

	mu          sync.Mutex
	things      map[string]*state
	quarantined map[string]string       // thing that could not be removed → why
	outcomes    map[string]record.Event // by step: its sample event
	numbers     map[string]int          // step and deed → the last attempt
	standing    map[string]bool         // what the journal says to stand, by thing
	sampled     map[string]bool         // steps that have a sample
	journalErr  error
	stopErr     error // why no further step is begun, while what stands is still taken away
}

// event writes an event into the journal. A journal that cannot be written ends the run: nothing may happen that is not
// recorded.
func (r *runner) event(e record.Event) {
	r.o.Log.Debug(string(e.Event), "step", e.Step, "address", e.Address, "attempt", e.Attempt, "reason", e.Reason)
	r.hook("before " + string(e.Event))
	written, err := r.o.Record.Append(e)
	r.hook("after " + string(e.Event))
	r.mu.Lock()
	if err != nil && r.journalErr == nil {
		r.journalErr = err
	}
	r.note(e)
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

// stop ends the run after the steps that are under way: only what stands is still taken away.
func (r *runner) stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopErr == nil {
		r.stopErr = err
	}
}

// stopped is why no further step is begun; nil: the run goes on.
func (r *runner) stopped() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.journalErr, r.stopErr)
}

// begin records what will be carried out, and captures the facts of every host before anything is touched.
func (r *runner) begin(ctx context.Context) error {
	raw, err := plan.Encode(r.o.Plan)
	if err != nil {
		return err
	}
	r.event(record.Event{Event: record.Begin, Run: r.o.Record.ID, PlanHash: plan.Hash(raw), Tool: r.o.Version, Dir: r.o.Dir})
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
	steps := r.steps()
	for _, b := range r.o.Plan.Benches {
		wg.Go(func() { r.bench(ctx, steps[b.Name]) })
	}
	wg.Wait()
	return r.stopped()
}

// steps are those of each bench, in order.
func (r *runner) steps() map[string][]plan.Step {
	steps := map[string][]plan.Step{}
	for _, s := range r.o.Plan.Steps {
		steps[s.Bench] = append(steps[s.Bench], s)
	}
	return steps
}

// bench carries out the steps of one bench in order. After a cancel, or when the record cannot be written, only what stands is taken away.
func (r *runner) bench(ctx context.Context, steps []plan.Step) {
	alongside := map[string][]plan.Step{} // by the step with which they start
	for _, s := range steps {
		if s.Alongside != "" {
			alongside[s.Alongside] = append(alongside[s.Alongside], s)
		}
	}
	for _, s := range steps {
		if r.past[s.ID] {
			continue
		}
		stop := ctx.Err() != nil || r.stopped() != nil
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
					r.stop(fmt.Errorf("%s: %w", s.Address, err))
				}
			}
		case plan.Destroy:
			r.destroy(ctx, s)
		}
	}
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

// left lists the things that may still stand at the end, but for those that are kept. Where the journal cannot be read, these are all.
func (r *runner) left() []*plan.Thing {
	st, err := r.o.Record.State()
	var out []*plan.Thing
	for i := range r.o.Plan.Things {
		t := &r.o.Plan.Things[i]
		if err != nil {
			out = append(out, t)
		} else if may := st.Things[t.ID]; may != nil && (!t.Keep || may.Stand != record.Made) {
			out = append(out, t)
		}
	}
	return out
}
