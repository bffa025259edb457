package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"sort"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/addr"
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
	Offline   bool     // providers read nothing
	Targets   []Target // only tests that one of them picks; none: all
	Glob      func(pattern string) ([]string, error)
	ReadFile  func(name string) ([]byte, error) // a file in the spec's folder, by its path from there
	Kept      []Kept                            // what earlier runs have left standing; not used offline
	// AllowErase are ids of datasets of earlier runs that may be lost where they are in the way.
	AllowErase []string
	// Program opens a provider that is a program of its own, by its source in the spec. nil: there is none.
	Program func(name, source string) (*Program, error)
}

// Built is a plan and what does not stand in it.
type Built struct {
	Plan *Plan
	// Configs hold the full configuration of each thing (by id) and test (by address), sensitive values too.
	Configs map[string]cty.Value
	Outputs map[string]cty.Value // full outputs of each thing, likewise
	// Model and Spec are the spec as it was written and as it was evaluated, for what needs more than a plan says: warnings
	// and pictures.
	Model *config.Model
	Spec  *spec.Spec
}

// Build evaluates a spec and orders its steps. Built is nil when the diagnostics have errors. The error is for what went
// wrong in the world, not in the spec.
func Build(ctx context.Context, set *providers.Set, req Request) (*Built, hcl.Diagnostics, error) {
	model, diags := config.Parse(req.Sources)
	seen := map[string]string{}
	req.ReadFile = hashing(req.ReadFile, seen)
	b := &builder{
		ctx: ctx, set: set, req: req, files: seen,
		answers: map[*spec.Instance]*providers.PlanResponse{},
		ids:     map[*spec.Instance]string{},
		asked:   map[string]*providers.PlanResponse{},
		thingOf: map[*spec.Instance]*thing{}, families: map[addr.Block]int{},
		configured: map[string]*spec.Provider{}, programs: map[string]*Program{}, closureOf: map[*spec.Instance]*closure{}, chainOf: map[*spec.Instance]chain{},
		given:   map[*spec.Instance][]string{},
		claimed: map[string]bool{}, cases: map[string]map[string]int{},
	}
	if more := b.open(model); more.HasErrors() {
		return nil, diag.Sorted(append(diags, more...)), nil // of its types nothing is known
	}
	opts := req.Evaluation(set)
	opts.Configure, opts.Promise = b.configure, b.promise
	s, more := eval.Evaluate(model, opts)
	diags = append(diags, more...)
	if b.err != nil {
		return nil, diag.Sorted(diags), b.err
	}
	b.spec = s
	if !diags.HasErrors() {
		diags = append(diags, b.tables()...)
		if err := narrow(s, req.Targets); err != nil {
			return nil, diags, err
		}
		diags = append(diags, b.power(nil)...)
		diags = append(diags, b.conflicts()...)
	}
	diags = diag.Sorted(diags)
	if diags.HasErrors() {
		return nil, diags, nil
	}
	if !req.Offline {
		diags = append(diags, b.start()...)
		if b.err != nil || diags.HasErrors() {
			return nil, diag.Sorted(diags), b.err
		}
	}
	w := b.walk()
	diags = diag.Sorted(append(append(append(diags, w.diags...), b.consents(w)...), b.power(w.loads())...))
	if diags.HasErrors() {
		return nil, diags, nil
	}
	built := b.build(w, diags)
	built.Model, built.Spec = model, s
	return built, diags, nil
}

// hashing reads files as read does, and keeps the SHA-256 of each: a plan is out of date when one of them changes.
func hashing(read func(string) ([]byte, error), seen map[string]string) func(string) ([]byte, error) {
	if read == nil {
		return nil
	}
	return func(name string) ([]byte, error) {
		raw, err := read(name)
		if err == nil {
			sum := sha256.Sum256(raw)
			seen[path.Clean(name)] = hex.EncodeToString(sum[:])
		}
		return raw, err
	}
}

type builder struct {
	ctx     context.Context
	files   map[string]string // that the spec reads or imports: name → SHA-256
	set     *providers.Set
	req     Request
	spec    *spec.Spec
	answers map[*spec.Instance]*providers.PlanResponse
	ids     map[*spec.Instance]string          // of the standing things that setups and datasets are
	asked   map[string]*providers.PlanResponse // by their identity: equal setups are one thing, and get one promise
	thingOf map[*spec.Instance]*thing
	things  []*thing
	nodes   []graph.Thing // the things, for ordering
	err     error

	configs, outputs jsonWriter

	configured map[string]*spec.Provider // by name
	programs   map[string]*Program       // by name

	closures  []*closure
	closureOf map[*spec.Instance]*closure
	chainOf   map[*spec.Instance]chain    // of tests
	given     map[*spec.Instance][]string // by test with share = true: the claims that it shares
	loadOnly  []*spec.Instance            // datasets that no test stands on
	claimed   map[string]bool             // claims that some thing holds while it stands
	families  map[addr.Block]int
	cases     map[string]map[string]int // axis → case → its place
}

// promise answers the evaluator: it asks the provider of an instance what it will be.
func (b *builder) promise(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
	if b.err != nil {
		return cty.UnknownVal(inst.Type.OutputsType()), nil
	}
	if inst.Import != nil || inst.Skip != "" {
		b.answers[inst] = &providers.PlanResponse{}
		return cty.NullVal(inst.Type.OutputsType()), nil
	}
	identity := ""
	if addr.Stands(inst.Addr.Kind) {
		identity = b.identity(inst)
	}
	answer := b.asked[identity]
	if answer == nil {
		var err error
		answer, err = b.set.For(inst.Addr.Kind, inst.Type.Name).Plan(b.ctx, providers.PlanRequest{
			Target: target(inst), Offline: b.req.Offline || inst.Unneeded, Erase: inst.Erase,
		})
		if err != nil {
			b.err = fmt.Errorf("planning %s: %w", inst.Addr, err)
			return cty.UnknownVal(inst.Type.OutputsType()), nil
		}
		if identity != "" {
			b.asked[identity] = answer
		}
	}
	if identity != "" {
		b.ids[inst] = b.fingerprint(inst, identity, answer)
	}
	diags := problems(answer.Problems, inst.AttrRange, inst.Range)
	diags = append(diags, exposed(inst, b.providerOf(inst), answer)...)
	hide(inst, b.providerOf(inst), answer)
	if b.answers[inst] = answer; inst.Share {
		b.answers[inst], b.given[inst] = shared(answer)
	}
	if (addr.Stands(inst.Addr.Kind) || len(inst.Type.Outputs) > 0) && !diags.HasErrors() {
		if answer.Outputs == cty.NilVal || !answer.Outputs.IsWhollyKnown() {
			b.err = fmt.Errorf("provider of %s promised an output that is not known: this is a bug of the provider", inst.Addr)
			return cty.UnknownVal(inst.Type.OutputsType()), diags
		}
		return answer.Outputs, diags
	}
	return cty.EmptyObjectVal, diags
}

func target(inst *spec.Instance) providers.Target {
	return providers.Target{
		Kind: inst.Addr.Kind, Type: inst.Type.Name, Address: inst.Addr, Config: inst.Config, Hosts: hosts(inst),
		Warmup: Duration(seconds(inst.Warmup)),
	}
}

// hosts never is empty: "" stands for this machine.
func hosts(inst *spec.Instance) []string {
	if len(inst.Hosts) == 0 {
		return []string{""}
	}
	return inst.Hosts
}

// build assembles the plan.
func (b *builder) build(w *walk, diags hcl.Diagnostics) *Built {
	p := &Plan{
		FormatVersion: FormatVersion, Offline: b.req.Offline, Sensitive: b.spec.Sensitive,
		Spec:      SpecInfo{Path: b.req.Path, Title: b.spec.Title, Description: b.spec.Description, Files: map[string]string{}},
		Variables: map[string]json.RawMessage{}, Judgement: judgement(b.spec, b.order()),
	}
	sort.Strings(p.Sensitive)
	p.AllowErase = b.allowed(w)
	for _, t := range b.req.Targets {
		p.Targets = append(p.Targets, t.text)
	}
	for name, src := range b.req.Sources {
		sum := sha256.Sum256(src)
		p.Spec.Files[path.Base(name)] = hex.EncodeToString(sum[:])
	}
	for _, t := range b.runs() {
		if t.Import == nil || b.req.ReadFile == nil {
			continue
		}
		for _, name := range t.Import.Files {
			if b.files[name] == "" {
				_, _ = b.req.ReadFile(name) // for its hash; what cannot be read fails when it is imported
			}
		}
	}
	for name, sum := range b.files {
		p.Spec.Files[name] = sum
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
	built := &Built{Plan: p, Configs: map[string]cty.Value{}, Outputs: map[string]cty.Value{}}
	p.Things = make([]Thing, 0, len(b.things))
	touched := w.touched()
	for _, t := range b.things {
		if t.left && !touched[t.ID] {
			continue
		}
		p.Things = append(p.Things, t.Thing)
		built.Configs[t.ID], built.Outputs[t.ID] = t.config, t.answer.Outputs
	}
	p.Tests = make([]Test, 0, len(w.tests))
	for _, t := range w.tests {
		if t.load {
			continue
		}
		built.Configs[t.Address] = t.inst.Config
		if t.inst.Addr.Kind != "monitor" {
			p.Tests = append(p.Tests, t.Test)
		}
	}
	p.Monitors = b.monitors(built.Configs)
	p.Steps, p.Benches, p.Order = w.steps, w.benches, w.order
	for _, bench := range p.Benches {
		p.EstimateS = max(p.EstimateS, bench.EstimateS)
		p.EstimateMaxS = max(p.EstimateMaxS, bench.EstimateMaxS)
	}
	if p.EstimateMaxS <= p.EstimateS {
		p.EstimateMaxS = 0
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
		for _, d := range h.Disks {
			group := Disks{Name: d.Name, Model: d.Model, Serials: d.Serials, WWNs: d.WWNs}
			if d.Capacity != nil {
				group.CapacityBytes = d.Capacity.Float()
			}
			hw.Disks = append(hw.Disks, group)
		}
		p.Hardware = append(p.Hardware, hw)
	}
	return built
}

// order gives the blocks that yield figures, datasets first, with their axes, for judging.
func (b *builder) order() []TestType {
	var out []TestType
	at := map[string]int{}
	for _, t := range append(b.datasets(), b.judgedRuns()...) {
		name := t.Addr.Group()
		if _, ok := at[name]; ok {
			continue
		}
		at[name] = len(out)
		tt := TestType{Block: name, Axes: axesOf(b.spec, t.Addr.Coordinates), Measures: t.Type.Measures}
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
	for _, list := range [][]*spec.Instance{b.spec.Setups, b.spec.Tests, b.spec.Monitors} {
		for _, inst := range list {
			if inst.Import == nil && inst.Skip == "" {
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
			provs = append(provs, b.info(s.Name, s.Version))
		}
	}
	return hostList, provs
}
