package eval

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// block is a setup, dataset, test or monitor with its body taken apart, its axes, and its instances as they are made.
type block struct {
	cfg        *config.Block
	typ        *schema.Type
	body       *body // what the provider's type takes
	meta       *body // what every block of the kind takes
	axes       []string
	exprs      []hcl.Expression // all of them, once they were asked for
	dependsOn  []ref
	companions []companion // of a test: those that it lists in alongside
	leader     *block      // of a test: the one that lists it; nil: none
	broken     bool
	forEach    *hcl.Attribute            // nil: none
	elements   map[string][]element      // of forEach, by coordinates
	during     *block                    // of a monitor: the test that it watches; nil: every test on its hosts
	wanted     bool                      // for its own sake: a test or monitor, or a dataset of which a figure is judged
	instances  map[string]*spec.Instance // by coordinates; nil: absent
	list       []*spec.Instance          // those that exist, in the order of the matrix
	attrRange  map[string]hcl.Range      // of its attributes, shared by its instances
	nothing    cty.Value                 // null, of the type of its outputs
}

var (
	retryBlock = schema.Nested{Name: "retry", MaxItems: 1, Body: schema.Block{Attributes: []schema.Attribute{
		{Name: "attempts"}, {Name: "backoff"},
	}}}
	importBlock = schema.Nested{Name: "import", MaxItems: 1, Body: schema.Block{Attributes: []schema.Attribute{
		{Name: "path"}, {Name: "format"}, {Name: "when"},
	}}}
	skipBlock = schema.Nested{Name: "skip", MaxItems: 1, Body: schema.Block{Attributes: []schema.Attribute{
		{Name: "when"}, {Name: "reason"},
	}}}
	metaSchemas = map[string]schema.Block{
		"setup": {
			Attributes: []schema.Attribute{{Name: "on"}, {Name: "when"}, {Name: "depends_on"}, {Name: "timeout"}, {Name: "keep"}, {Name: "erase"}, {Name: "for_each"}, {Name: "fresh"}},
			Blocks:     []schema.Nested{retryBlock},
		},
		"dataset": {
			Attributes: []schema.Attribute{{Name: "on"}, {Name: "when"}, {Name: "depends_on"}, {Name: "timeout"}, {Name: "keep"}, {Name: "erase"}, {Name: "fresh"}, {Name: "for_each"}},
			Blocks:     []schema.Nested{retryBlock, importBlock, skipBlock},
		},
		"test": {
			Attributes: []schema.Attribute{{Name: "on"}, {Name: "when"}, {Name: "depends_on"}, {Name: "timeout"}, {Name: "repeat"}, {Name: "reset"}, {Name: "warmup"}, {Name: "cooldown"}, {Name: "alongside"}, {Name: "share"}},
			Blocks:     []schema.Nested{retryBlock, importBlock, skipBlock, steadyBlock},
		},
		"monitor": {
			Attributes: []schema.Attribute{{Name: "on"}, {Name: "when"}, {Name: "depends_on"}, {Name: "timeout"}, {Name: "during"}},
			Blocks:     []schema.Nested{importBlock},
		},
	}
)

// openBlocks comes before anything is evaluated: the axes of a local may be those of a setup.
func (e *evaluator) openBlocks() {
	for _, b := range e.order {
		e.open(b)
	}
	e.lead()
}

func (e *evaluator) evalBlocks() {
	for _, b := range e.order {
		r := ref{root: b.cfg.Addr.Kind, path: []string{b.cfg.Addr.Type, b.cfg.Addr.Name}, rng: b.cfg.Range}
		b.axes = e.node(r, func() []string { return e.blockAxes(b) })
		b.broken = b.broken || e.broken[r.node()]
	}
	e.onlyTestsComeAfter()
	loads := e.judgedLoads()
	for _, b := range e.order {
		b.wanted = !addr.Stands(b.cfg.Addr.Kind) || loads[b.cfg.Addr]
	}
	e.makeAll(true) // and with them all setups and datasets that they need
	e.unneeded = true
	e.makeAll(false)
}

// makeAll makes every instance of the blocks that are wanted for their own sake, or of the others.
func (e *evaluator) makeAll(wanted bool) {
	for _, b := range e.order {
		if b.wanted != wanted {
			continue
		}
		e.combinations(b.axes, b.cfg.Range, func(at addr.Coordinates) {
			b.list = append(b.list, e.instances(b, at)...)
		})
	}
}

// open finds the type of a block and takes its body apart.
func (e *evaluator) open(b *block) {
	kind := b.cfg.Addr.Kind
	var names []string
	for _, t := range e.opts.Types(kind) {
		if t.Name == b.cfg.Addr.Type {
			b.typ = &t
		}
		names = append(names, t.Name)
	}
	if b.typ == nil {
		e.errorf(b.cfg.TypeRange, "Unknown type", "There is no %s of type %q.%s", kind, b.cfg.Addr.Type, diag.DidYouMean(b.cfg.Addr.Type, names))
		b.broken, b.typ = true, &schema.Type{Name: b.cfg.Addr.Type}
		b.body, b.meta = &body{}, &body{}
		return
	}
	both := metaSchemas[kind]
	split := len(both.Attributes)
	both.Attributes = append(both.Attributes[:split:split], b.typ.Body.Attributes...)
	both.Blocks = append(both.Blocks[:len(both.Blocks):len(both.Blocks)], b.typ.Body.Blocks...)
	all := e.takeApart(b.cfg.Body, both, b.cfg.Range)
	b.body = &body{attrs: hcl.Attributes{}, blocks: map[string][]*body{}, rng: all.rng}
	b.meta = &body{attrs: hcl.Attributes{}, blocks: map[string][]*body{}, rng: all.rng}
	for name, a := range all.attrs {
		to := b.meta
		if b.typ.Body.Attribute(name) != nil {
			to = b.body
		}
		to.attrs[name] = a
	}
	for name, list := range all.blocks {
		to := b.body
		if name == "retry" || name == "import" || name == "skip" || name == "steady_state" {
			to = b.meta
		}
		to.blocks[name] = list
	}
	if a := b.meta.attrs["for_each"]; a != nil {
		b.forEach = a
		delete(b.meta.attrs, "for_each")
	}
	if a := b.meta.attrs["depends_on"]; a != nil {
		e.dependsOn(b, a)
		delete(b.meta.attrs, "depends_on")
	}
	if a := b.meta.attrs["alongside"]; a != nil {
		e.alongside(b, a)
		delete(b.meta.attrs, "alongside")
	}
	if a := b.meta.attrs["during"]; a != nil {
		b.during = e.duringTest(b, a)
		delete(b.meta.attrs, "during")
	}
}

// dependsOn reads a list of references to setups and datasets, which are not evaluated.
func (e *evaluator) dependsOn(b *block, a *hcl.Attribute) {
	items, diags := hcl.ExprList(a.Expr)
	if diags.HasErrors() {
		e.errorf(a.Expr.Range(), "Not a list", "depends_on lists setups and datasets, such as [setup.storage_directory.data].")
	}
	for _, item := range items {
		r, ok := e.reference(item)
		switch {
		case ok && addr.Stands(r.root) && len(r.rest) == 0:
			b.dependsOn = append(b.dependsOn, r)
		case !ok || r.root != "unknown":
			e.errorf(item.Range(), "Not a setup", "depends_on lists setups and datasets as they stand, such as setup.storage_directory.data.")
		}
	}
}

// blockAxes finds the axes of a block from all its expressions and from what it depends on, and from those that start together with it.
func (e *evaluator) blockAxes(b *block) []string {
	var sets [][]string
	for _, m := range b.together() {
		for _, x := range m.expressions() {
			sets = append(sets, e.axesOf(x))
		}
		for _, r := range m.dependsOn {
			sets = append(sets, e.refAxes(r))
		}
	}
	if b.cfg.Addr.Kind == "monitor" {
		return e.watchedAxes(b)
	}
	return e.union(sets...)
}

// expressions are all of the block but those of depends_on.
func (b *block) expressions() []hcl.Expression {
	if b.exprs == nil {
		b.exprs = append(b.body.expressions(), b.meta.expressions()...)
		if b.forEach != nil {
			b.exprs = append(b.exprs, b.forEach.Expr)
		}
	}
	return b.exprs
}

// instance makes the instance of a block without for_each at coordinates, or nil where there is none.
func (e *evaluator) instance(b *block, at addr.Coordinates) *spec.Instance {
	at = at.Project(b.axes)
	key := at.String()
	if inst, ok := b.instances[key]; ok {
		return inst
	}
	b.instances[key] = nil
	inst := e.make(b, at)
	b.instances[key] = inst
	return inst
}

func (e *evaluator) make(b *block, at addr.Coordinates) *spec.Instance {
	if b.broken || !e.when(b.meta, at) {
		return nil
	}
	var watched *spec.Instance
	if b.during != nil {
		if watched = e.instance(b.during, at); watched == nil {
			return nil
		}
	}
	inst := &spec.Instance{
		Addr: addr.Instance{Block: b.cfg.Addr, Coordinates: at.Without(eachAxis), Each: at[eachAxis]}, Type: b.typ, Range: b.cfg.Range,
		Unneeded: e.unneeded, AttrRange: b.ranges(), Repeat: 1, Attempts: 1, Outputs: b.noOutputs(),
	}
	e.metaArguments(b, inst, at)
	var leader *spec.Instance
	if b.leader != nil {
		present := false
		if leader, present = e.follow(b, inst, at); !present {
			return nil
		}
	}
	e.comesAfter(b, inst, at)
	if inst.Skip == "" {
		inst.Leader = leader
	}
	watch(inst, watched)
	d := &decoder{e: e, at: at, idle: inst.Idle(), targets: map[string]bool{}, hosts: inst.Hosts}
	if !d.idle {
		inst.Needs, inst.Beside = e.needs(b, at)
		if d.idle = e.without(inst); d.idle {
			inst.Leader = nil
		} else {
			e.reset(b, inst, at)
		}
		for _, n := range inst.Needs {
			collectStrings(n.Outputs, d.targets)
		}
		for _, n := range inst.After {
			collectStrings(n.Outputs, d.targets)
		}
	}
	inst.Config = d.decode(b.body, b.typ.Body, nil)
	inst.Secret = d.secret
	if d.idle && addr.Stands(inst.Addr.Kind) {
		inst.Outputs = b.absent()
		return inst
	}
	if d.bad || e.unconfigured {
		inst.Outputs = cty.UnknownVal(b.typ.OutputsType())
		return inst
	}
	outs, diags := e.opts.Promise(inst)
	e.diags = append(e.diags, diags...)
	inst.Outputs, inst.SecretOutputs = outs, e.secretPaths(outs)
	if diags.HasErrors() {
		inst.Outputs = cty.UnknownVal(b.typ.OutputsType())
	}
	return inst
}

// promises reports whether the block's type declares an output of that name.
func (b *block) promises(output string) bool {
	for _, o := range b.typ.Outputs {
		if o.Name == output {
			return true
		}
	}
	return false
}

// ranges says where the attributes of the block stand, and the first of each kind of block in it.
func (b *block) ranges() map[string]hcl.Range {
	if b.attrRange == nil {
		b.attrRange = map[string]hcl.Range{}
		for _, attrs := range []hcl.Attributes{b.meta.attrs, b.body.attrs} {
			for name, a := range attrs {
				b.attrRange[name] = a.Expr.Range()
			}
		}
		for name, list := range b.body.blocks {
			b.attrRange[name] = list[0].rng
		}
	}
	return b.attrRange
}

// noOutputs is what an instance has before anything is promised.
func (b *block) noOutputs() cty.Value {
	if b.nothing == cty.NilVal {
		b.nothing = cty.NullVal(b.typ.OutputsType())
	}
	return b.nothing
}
