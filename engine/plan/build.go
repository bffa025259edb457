package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"sort"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Request is a spec to plan.
type Request struct {
	Sources   diag.Sources // the spec's files, named as diagnostics shall call them
	Path      string       // of the spec's folder, relative to the working directory
	Variables []eval.Input
	Offline   bool // providers read nothing
	Glob      func(pattern string) ([]string, error)
}

// Built is a plan and what does not stand in it.
type Built struct {
	Plan *Plan
	// Configs hold the full configuration of each thing (by id) and test (by address), sensitive values too.
	Configs map[string]cty.Value
}

// Build evaluates a spec and orders its steps. Built is nil when the diagnostics have errors. The error is for what went
// wrong in the world, not in the spec.
func Build(ctx context.Context, set *providers.Set, req Request) (*Built, hcl.Diagnostics, error) {
	model, diags := config.Parse(req.Sources)
	b := &builder{
		ctx: ctx, set: set, req: req,
		answers: map[*spec.Instance]*providers.PlanResponse{},
		ids:     map[*spec.Instance]string{},
		asked:   map[string]*providers.PlanResponse{},
		thingOf: map[*spec.Instance]*thing{},
	}
	s, more := eval.Evaluate(model, eval.Options{
		Variables: req.Variables,
		Types:     set.Types,
		Promise:   b.promise,
		Glob:      req.Glob,
	})
	diags = append(diags, more...)
	if b.err != nil {
		return nil, diag.Sorted(diags), b.err
	}
	b.spec = s
	if !diags.HasErrors() {
		diags = append(diags, b.power()...)
		diags = append(diags, b.conflicts()...)
	}
	diags = diag.Sorted(diags)
	if diags.HasErrors() {
		return nil, diags, nil
	}
	return b.build(diags), diags, nil
}

type builder struct {
	ctx     context.Context
	set     *providers.Set
	req     Request
	spec    *spec.Spec
	answers map[*spec.Instance]*providers.PlanResponse
	ids     map[*spec.Instance]string          // of the standing things that setups are
	asked   map[string]*providers.PlanResponse // by that id: equal setups are one thing, and get one promise
	thingOf map[*spec.Instance]*thing
	things  []*thing
	err     error
}

// promise answers the evaluator: it asks the provider of an instance what it will be.
func (b *builder) promise(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
	none := cty.UnknownVal(inst.Type.OutputsType())
	if b.err != nil {
		return none, nil
	}
	if inst.Import != nil {
		b.answers[inst] = &providers.PlanResponse{}
		return cty.NullVal(inst.Type.OutputsType()), nil
	}
	if inst.Addr.Kind == "setup" {
		b.ids[inst] = b.identity(inst)
	}
	answer := b.asked[b.ids[inst]]
	if answer == nil {
		var err error
		answer, err = b.set.For(inst.Addr.Kind, inst.Type.Name).Plan(b.ctx, providers.PlanRequest{
			Target: target(inst), Offline: b.req.Offline || inst.Unneeded,
		})
		if err != nil {
			b.err = fmt.Errorf("planning %s: %w", inst.Addr, err)
			return none, nil
		}
		if id := b.ids[inst]; id != "" {
			b.asked[id] = answer
		}
	}
	var diags hcl.Diagnostics
	for _, p := range answer.Problems {
		rng, ok := inst.AttrRange[p.Attribute]
		if !ok {
			rng = inst.Range
		}
		d := diag.Error(rng, p.Summary, "%s", p.Detail)
		if p.Warning {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	b.answers[inst] = answer
	if inst.Addr.Kind == "setup" && !diags.HasErrors() {
		if answer.Outputs == cty.NilVal || !answer.Outputs.IsWhollyKnown() {
			b.err = fmt.Errorf("provider of %s promised an output that is not known: this is a bug of the provider", inst.Addr)
			return none, diags
		}
		return answer.Outputs, diags
	}
	return cty.EmptyObjectVal, diags
}

func target(inst *spec.Instance) providers.Target {
	return providers.Target{
		Kind: inst.Addr.Kind, Type: inst.Type.Name, Address: inst.Addr, Config: inst.Config, Hosts: hosts(inst),
	}
}

// hosts never is empty: "" stands for this machine.
func hosts(inst *spec.Instance) []string {
	if len(inst.Hosts) == 0 {
		return []string{""}
	}
	return inst.Hosts
}

// thing is one standing thing with what the walk needs to know of it.
type thing struct {
	Thing
	claims []providers.Claim
	answer *providers.PlanResponse
	needs  []*thing
	index  int
	config cty.Value
}

// identity names the standing thing that a setup is. Setups with equal type, hosts, configuration and needs are one.
func (b *builder) identity(inst *spec.Instance) string {
	var needs []string
	for _, n := range inst.Needs {
		needs = append(needs, b.ids[n])
	}
	sort.Strings(needs)
	own := ""
	if len(inst.Secret) > 0 {
		own = inst.Addr.String() // no hash of a secret stands in a plan: such a setup is its own thing
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%q\n%s\n%q\n%s", inst.Type.Name, hosts(inst), configJSON(inst), needs, own))
	return inst.Type.Name + "-" + hex.EncodeToString(sum[:5])
}

// merge makes one standing thing of setups with equal configuration and equal needs.
func (b *builder) merge() {
	byID := map[string]*thing{}
	for _, inst := range b.spec.Setups {
		id := b.ids[inst]
		if same := byID[id]; same != nil {
			same.Addresses = append(same.Addresses, inst.Addr.String())
			same.Keep = same.Keep || inst.Keep
			b.thingOf[inst] = same
			continue
		}
		t := &thing{answer: b.answers[inst], config: inst.Config}
		ids := []string{}
		for _, n := range inst.Needs {
			if !hasThing(t.needs, b.thingOf[n]) {
				t.needs = append(t.needs, b.thingOf[n])
				ids = append(ids, b.thingOf[n].ID)
			}
		}
		sort.Strings(ids)
		t.claims, t.index = standing(t.answer.Claims), len(b.things)
		t.Thing = Thing{
			ID: id, Addresses: []string{inst.Addr.String()}, Type: inst.Type.Name, Instance: inst.Addr,
			Hosts: hosts(inst), Config: configJSON(inst), Outputs: mustJSON(inst.Outputs, inst.Type.OutputsType()),
			Needs: ids, Claims: exclusive(t.claims), Keep: inst.Keep, Erase: inst.Erase, Expect: t.answer.Expect,
			Attempts: inst.Attempts, SensitiveConfig: secretNames(inst),
		}
		if inst.Timeout != nil {
			t.TimeoutS = inst.Timeout.Float()
		}
		if inst.Backoff != nil {
			t.BackoffS = inst.Backoff.Float()
		}
		byID[id] = t
		b.thingOf[inst] = t
		b.things = append(b.things, t)
	}
}

func hasThing(list []*thing, t *thing) bool {
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}

func standing(claims []providers.Claim) []providers.Claim {
	var out []providers.Claim
	for _, c := range claims {
		if c.Standing {
			out = append(out, c)
		}
	}
	return out
}

func exclusive(claims []providers.Claim) []string {
	out := []string{}
	for _, c := range claims {
		if !c.Shared {
			out = append(out, c.Name)
		}
	}
	return out
}

// configJSON writes a configuration without what is sensitive.
func configJSON(inst *spec.Instance) json.RawMessage {
	v, _ := cty.Transform(inst.Config, func(p cty.Path, x cty.Value) (cty.Value, error) {
		for _, secret := range inst.Secret {
			if p.Equals(secret) {
				return cty.NullVal(x.Type()), nil
			}
		}
		return x, nil
	})
	return mustJSON(v, inst.Type.Body.Cty())
}

func mustJSON(v cty.Value, ty cty.Type) json.RawMessage {
	raw, err := ctyjson.Marshal(v, ty)
	if err != nil {
		panic(fmt.Sprintf("plan: %#v: %s", v, err)) // decoded by a schema, so it fits
	}
	return raw
}

func secretNames(inst *spec.Instance) []string {
	seen := map[string]bool{}
	var names []string
	for _, p := range inst.Secret {
		if step, ok := p[0].(cty.GetAttrStep); ok && !seen[step.Name] {
			seen[step.Name] = true
			names = append(names, step.Name)
		}
	}
	sort.Strings(names)
	return names
}

// build assembles the plan.
func (b *builder) build(diags hcl.Diagnostics) *Built {
	p := &Plan{
		FormatVersion: FormatVersion, Offline: b.req.Offline, Sensitive: b.spec.Sensitive,
		Spec:      SpecInfo{Path: b.req.Path, Title: b.spec.Title, Description: b.spec.Description, Files: map[string]string{}},
		Variables: map[string]json.RawMessage{}, Judgement: judgement(b.spec, b.order()),
	}
	sort.Strings(p.Sensitive)
	for name, src := range b.req.Sources {
		sum := sha256.Sum256(src)
		p.Spec.Files[path.Base(name)] = hex.EncodeToString(sum[:])
	}
	for name, v := range b.spec.Variables {
		raw, err := ctyjson.Marshal(v, v.Type())
		if err == nil {
			p.Variables[name] = raw
		}
	}
	for _, d := range diags {
		p.Warnings = append(p.Warnings, d.Summary+": "+d.Detail)
	}
	built := &Built{Plan: p, Configs: map[string]cty.Value{}}
	for _, t := range b.things {
		p.Things = append(p.Things, t.Thing)
		built.Configs[t.ID] = t.config
	}
	w := b.walk()
	for _, t := range w.tests {
		p.Tests = append(p.Tests, t.Test)
		built.Configs[t.Address] = t.inst.Config
	}
	p.Steps, p.Benches = w.steps, w.benches
	for _, bench := range p.Benches {
		p.EstimateS = max(p.EstimateS, bench.EstimateS)
	}
	p.Hosts, p.Providers = b.used()
	p.Hardware = []Hardware{}
	for _, h := range b.spec.Hardware {
		hw := Hardware{Name: h.Name, Hosts: h.Hosts}
		if len(hw.Hosts) == 0 {
			hw.Hosts = []string{""}
		}
		if h.Memory != nil {
			hw.MemoryBytes = h.Memory.Float()
		}
		p.Hardware = append(p.Hardware, hw)
	}
	return built
}

// order gives the test blocks with their axes, for judging.
func (b *builder) order() []TestType {
	var out []TestType
	at := map[string]int{}
	for _, t := range b.spec.Tests {
		name := t.Addr.Block.String()
		if _, ok := at[name]; ok {
			continue
		}
		at[name] = len(out)
		tt := TestType{Block: name, Axes: []string{}, Measures: t.Type.Measures}
		for _, a := range b.spec.Axes {
			if _, has := t.Addr.Coordinates[a.Name]; has {
				tt.Axes = append(tt.Axes, a.Name)
			}
		}
		if tt.Measures == nil {
			tt.Measures = []schema.Measure{}
		}
		out = append(out, tt)
	}
	return out
}

// used lists the hosts and providers that the plan touches.
func (b *builder) used() ([]string, []ProviderInfo) {
	hostSet, provSet := map[string]bool{}, map[string]bool{}
	for _, list := range [][]*spec.Instance{b.spec.Setups, b.spec.Tests} {
		for _, inst := range list {
			if inst.Import == nil {
				for _, h := range hosts(inst) {
					hostSet[h] = true
				}
			}
			for _, s := range b.set.Schemas() {
				for _, t := range s.Types(inst.Addr.Kind) {
					if t.Name == inst.Type.Name {
						provSet[s.Name] = true
					}
				}
			}
		}
	}
	hostList := []string{}
	for h := range hostSet {
		hostList = append(hostList, h)
	}
	sort.Strings(hostList)
	var provs []ProviderInfo
	for _, s := range b.set.Schemas() {
		if provSet[s.Name] {
			provs = append(provs, ProviderInfo{s.Name, s.Version})
		}
	}
	return hostList, provs
}
