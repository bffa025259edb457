// Package eval turns a static model into an evaluated spec: it resolves references, finds each block's axes, makes its
// instances and decodes their configuration against the schemas of their types.
//
// The one idea: a block exists once for every combination of the axes that it depends on, directly or through locals and
// other blocks. Axes are found from the expressions' variables before anything is evaluated. Every expression is evaluated
// once for each distinct combination of the axes that it names, with only what it refers to in scope.
//
// The package does no I/O: where it needs a promised output or the files that an import names, it asks its Options.
package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Options is what evaluation needs from outside. The zero value knows no types.
type Options struct {
	Variables []Input
	// Types are the known types of setup and test.
	Types func(kind string) []schema.Type
	// Providers are the schemas of the known providers.
	Providers []*schema.Provider
	// Configure takes the configuration of the providers. It is called once, before Promise; not where a provider block has an error.
	Configure func([]spec.Provider) hcl.Diagnostics
	// Promise checks an instance and gives its promised outputs, of Type.OutputsType(). It is called once for each
	// instance, after those that it needs.
	Promise func(*spec.Instance) (cty.Value, hcl.Diagnostics)
	// Glob lists the files that an import's path matches, sorted, relative to the spec's folder.
	Glob func(pattern string) ([]string, error)
	// ReadFile reads a file of the spec's folder, by its path from there, for the function file. It refuses what leads out of it.
	ReadFile func(name string) ([]byte, error)
	// Profiles are the published limits that a KPI may name.
	Profiles []schema.Profile
	// Quotes reads a table of published comparisons.
	Quotes func(QuoteFile) ([]spec.Quote, hcl.Diagnostics)
}

// QuoteFile is a table of published comparisons.
type QuoteFile struct {
	Path    string      // relative to the spec's folder
	Format  string      // csv, json
	Axes    []spec.Axis // columns that it must have
	Others  []spec.Axis // the spec's other axes
	Measure *schema.Measure
	Range   hcl.Range // of the path in the spec
}

type evaluator struct {
	model *config.Model
	// unneeded: what is made from now on is needed by no test, and is made only to be checked.
	unneeded bool
	// unconfigured: a provider block has an error, so no provider can be asked what it promises.
	unconfigured bool
	opts         Options
	out          *spec.Spec
	diags        hcl.Diagnostics

	vars     map[string]cty.Value
	axes     map[string]*axis
	axisList []*axis
	locals   map[string]*config.Local
	hardware map[string]cty.Value
	hosts    map[string][]string // by hardware
	groups   map[string]*group   // of disks, by hardware and name
	reach    map[string]string   // address as the spec has it → with how it is used
	excludes []*exclude
	blocks   map[addr.Block]*block
	order    []*block

	refs     map[hcl.Expression][]ref
	nodeAxes map[string][]string // local.x, setup.a.b → axes, in the spec's order
	exprAxes map[hcl.Expression][]string
	visiting []string
	broken   map[string]bool // nodes of a cycle
	memo     map[memoKey]cty.Value
	derived  map[string]*derived
	bare     map[string]bool // axis names that may stand alone: inside exclude
	secrets  []string        // texts of sensitive variables
	parsed   parsed
	lacks    map[*spec.Instance]*spec.Instance // what cannot be made → the skipped or imported dataset that it needs
	onImport map[[2]addr.Block]bool            // of blocks: it was said that one needs the imported data of the other
	// eachValue is each.value while an instance of a block with for_each is made.
	eachValue cty.Value

	functions map[string]function.Function
}

type memoKey struct {
	expr hcl.Expression
	at   string
}

// Evaluate evaluates a model. The spec is complete only when the diagnostics have no errors.
func Evaluate(m *config.Model, opts Options) (*spec.Spec, hcl.Diagnostics) {
	e := &evaluator{
		model: m, out: &spec.Spec{Alpha: 0.05, Confidence: 0.95},
		vars: map[string]cty.Value{}, axes: map[string]*axis{}, locals: map[string]*config.Local{},
		hardware: map[string]cty.Value{}, hosts: map[string][]string{}, groups: map[string]*group{}, reach: map[string]string{}, blocks: map[addr.Block]*block{},
		refs: map[hcl.Expression][]ref{}, nodeAxes: map[string][]string{}, exprAxes: map[hcl.Expression][]string{}, broken: map[string]bool{},
		memo: map[memoKey]cty.Value{}, derived: map[string]*derived{},
		lacks: map[*spec.Instance]*spec.Instance{}, onImport: map[[2]addr.Block]bool{},
	}
	e.opts = opts.withDefaults()
	e.functions = withFile(e.opts.ReadFile)
	for _, l := range m.Locals {
		e.locals[l.Name] = l
	}
	e.declare()
	e.variables()
	e.openBlocks()
	e.evalHardware()
	e.evalAxes()
	e.settings()
	e.evalLocals()
	e.evalExcludes()
	e.evalProviders()
	e.declareMeasures()
	e.attendedMeasures()
	e.evalBlocks()
	e.choose()
	e.keyClashes()
	e.judged()
	e.unused()
	e.hideSecrets()
	return e.out, diag.Sorted(e.diags)
}

// withDefaults makes the zero value work: there are no types, and no files.
func (o Options) withDefaults() Options {
	if o.Types == nil {
		o.Types = func(string) []schema.Type { return nil }
	}
	if o.Promise == nil {
		o.Promise = func(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
			return cty.NullVal(inst.Type.OutputsType()), nil
		}
	}
	if o.Configure == nil {
		o.Configure = func([]spec.Provider) hcl.Diagnostics { return nil }
	}
	if o.Glob == nil {
		o.Glob = func(string) ([]string, error) { return nil, nil }
	}
	if o.Quotes == nil {
		o.Quotes = func(QuoteFile) ([]spec.Quote, hcl.Diagnostics) { return nil, nil }
	}
	return o
}

func (e *evaluator) report(d *hcl.Diagnostic) { e.diags = append(e.diags, d) }

func (e *evaluator) errorf(rng hcl.Range, summary, detail string, args ...any) {
	e.report(diag.Error(rng, summary, detail, args...))
}

// declare makes every name known before anything is resolved, so that order in the text does not matter.
func (e *evaluator) declare() {
	for _, a := range e.model.Axes {
		if _, taken := rootNames[a.Name]; taken {
			e.errorf(a.Range, "Reserved name", "%q begins a reference, so an axis cannot be called that; give it another name.", a.Name)
			continue
		}
		e.axes[a.Name] = &axis{cfg: a, index: len(e.axisList), values: map[string]cty.Value{}}
		e.axisList = append(e.axisList, e.axes[a.Name])
	}
	for _, h := range e.model.Hardware {
		e.hardware[h.Name] = cty.DynamicVal
	}
	for _, b := range e.model.Blocks {
		blk := &block{cfg: b, instances: map[string]*spec.Instance{}}
		e.blocks[b.Addr] = blk
		e.order = append(e.order, blk)
	}
}

// settings reads the spec block.
func (e *evaluator) settings() {
	s := e.model.Spec
	if s == nil {
		return
	}
	for _, a := range config.SortedAttributes(s.Attrs) {
		v := e.constant(a.Expr)
		switch a.Name {
		case "title":
			e.out.Title = e.stringOf(v, a)
		case "description":
			e.out.Description = e.stringOf(v, a)
		case "alpha":
			e.share(v, a, &e.out.Alpha)
		case "confidence":
			e.share(v, a, &e.out.Confidence)
		case "strict":
			e.out.Strict, _ = e.bool(v, a)
		case "order":
			e.out.Order = e.enum(v, a, []string{"grouped", "interleaved", "random"})
		case "seed":
			e.out.Seed = e.integer(v, a, 1)
		case "rounds":
			e.out.Rounds = e.integer(v, a, 1)
		}
	}
	if s.Attrs["seed"] != nil && e.out.Order != "random" {
		e.errorf(s.Attrs["seed"].Range, "Seed without effect", "Only order = \"random\" draws an order; leave the seed out, or set that.")
	}
}

// share reads a number strictly between 0 and 1, which may be written as a percentage.
func (e *evaluator) share(v cty.Value, a *hcl.Attribute, to *float64) {
	q, ok := e.number(v, a)
	if ok && (q <= 0 || q >= 1) {
		e.errorf(a.Expr.Range(), "Out of range", "%s lies between 0 and 1 and is neither of them; write it like 0.05 or 95%%.", a.Name)
		return
	}
	if ok {
		*to = q
	}
}
