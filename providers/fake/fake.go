// Package fake is a rehearsal double: a provider whose things are files and whose figures are those that the spec gives.
// It lets one rehearse a campaign without a bench — its order, its failures, its judgement and its report — and is what
// assay's own tests run on. Nothing that it yields is a measurement of anything.
//
// Its world is the folder .assay/fake in the working directory, or with world = NAME in the provider block one below that: a file for each standing thing, and world.log with a
// line for each effect, so that one sees what happened and what was left standing. It is deterministic: noise is a hash
// of seed, address, repetition (of a load: generation), round, measure and host. It
// leaves out machines: everything happens in the world, and the hosts of a test are names that come back as keys of its results.
package fake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// Provider is the fake provider. Make one with New.
type Provider struct {
	world *world // nil until Configure
}

// New makes a fake provider that is not configured yet.
func New() providers.Provider { return &Provider{} }

// Schema describes fake_thing, fake_witness, fake_data, the tests fake and fake_update, and the monitor fake.
func (p *Provider) Schema(context.Context) (*schema.Provider, error) { return newSchema(), nil }

// Configure places the world below req.Dir. It makes nothing: the folder comes with the first effect.
func (p *Provider) Configure(_ context.Context, req providers.ConfigureRequest) error {
	if req.Dir == "" {
		return errors.New("fake: Configure needs the working directory, in which the world is kept")
	}
	name := text(req.Config, "world")
	if name != "" && !idRE.MatchString(name) {
		return &providers.Refused{Problems: []providers.Problem{{
			Attribute: "world", Summary: "Not a name of a world",
			Detail: fmt.Sprintf("%q names no folder below .assay/fake; a name is made of letters of the alphabet, digits, hyphens and underscores.", name),
		}}}
	}
	p.world = &world{name: name, dir: filepath.Join(req.Dir, ".assay", "fake", name)}
	return nil
}

// Plan promises a thing's id, which follows from its address, or says what a test will pretend. It never reads the world.
func (p *Provider) Plan(_ context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	w, err := p.ready()
	if err != nil {
		return nil, err
	}
	switch req.Kind + " " + req.Type {
	case "setup fake_thing", "setup " + witnessName:
		return w.planThing(req), nil
	case "dataset fake_data":
		return w.planData(req), nil
	case "test fake", "test fake_update":
		return planTest(req), nil
	case "monitor fake":
		return planMonitor(req), nil
	}
	return nil, unknownType(req.Target)
}

// Close does nothing: what stands, stands.
func (p *Provider) Close() error { return nil }

func unknownType(t providers.Target) error {
	return fmt.Errorf("fake: there is no %s %q; fake has setups \"fake_thing\" and \"fake_witness\", dataset \"fake_data\", tests \"fake\" and \"fake_update\", and monitor \"fake\"", t.Kind, t.Type)
}

// ready gives the world, or an error before Configure.
func (p *Provider) ready() (*world, error) {
	if p.world == nil {
		return nil, errors.New("fake: Configure was not called")
	}
	return p.world, nil
}

// number reads an attribute in base units; false where it is absent.
func number(config cty.Value, name string) (float64, bool) {
	v := attribute(config, name)
	if v.IsNull() {
		return 0, false
	}
	f, _ := v.AsBigFloat().Float64()
	return f, true
}

// text reads a string; empty where it is absent.
func text(config cty.Value, name string) string {
	v := attribute(config, name)
	if v.IsNull() {
		return ""
	}
	return v.AsString()
}

// list reads a list of strings; nil where it is absent.
func list(config cty.Value, name string) []string {
	v := attribute(config, name)
	if v.IsNull() {
		return nil
	}
	var items []string
	for _, e := range v.AsValueSlice() {
		if !e.IsNull() {
			items = append(items, e.AsString())
		}
	}
	return items
}

// duration reads a duration; 0 where it is absent. The schema's limits keep it within time.Duration.
func duration(config cty.Value, name string) time.Duration {
	s, _ := number(config, name)
	return time.Duration(s * float64(time.Second))
}

// attribute tolerates a configuration without the attribute, as in a record of another version.
func attribute(config cty.Value, name string) cty.Value {
	if config == cty.NilVal || config.IsNull() || !config.Type().IsObjectType() || !config.Type().HasAttribute(name) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return config.GetAttr(name)
}

// wait lets a duration pass, with progress about once a second, or returns ctx's cause.
func wait(ctx context.Context, d time.Duration, sink providers.Sink, what string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if d <= 0 {
		return nil
	}
	end := time.NewTimer(d)
	defer end.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for passed := time.Duration(0); ; passed += time.Second {
		sink.Progress(min(1, passed.Seconds()/d.Seconds()), what)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end.C:
			return nil
		case <-tick.C:
		}
	}
}
