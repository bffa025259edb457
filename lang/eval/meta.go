package eval

import (
	"cmp"
	"path/filepath"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// when evaluates the condition of a block; without one it is true.
func (e *evaluator) when(meta *body, at addr.Coordinates) bool {
	a := meta.attrs["when"]
	if a == nil {
		return true
	}
	yes, ok := e.bool(e.value(a.Expr, at), a)
	return yes || !ok
}

// metaArguments reads what every block of the kind takes.
func (e *evaluator) metaArguments(b *block, inst *spec.Instance, at addr.Coordinates) {
	inst.Hosts = e.hostsOf(b)
	for name, a := range b.meta.attrs {
		switch name {
		case "timeout":
			inst.Timeout = e.duration(a, at)
		case "repeat":
			inst.Repeat = e.integer(e.value(a.Expr, at), a, 1)
		case "share":
			inst.Share, _ = e.bool(e.value(a.Expr, at), a)
		case "keep":
			if yes, ok := e.bool(e.value(a.Expr, at), a); ok {
				inst.Keep = &yes
			}
		case "erase":
			inst.Erase, _ = e.bool(e.value(a.Expr, at), a)
		case "fresh":
			inst.Fresh, _ = e.bool(e.value(a.Expr, at), a)
		case "cooldown":
			inst.Cooldown = e.noneOrMore(a, at)
		case "warmup":
			inst.Warmup = e.warmup(b, a, at)
		}
	}
	for _, r := range b.meta.blocks["retry"] {
		if a := r.attrs["attempts"]; a != nil {
			inst.Attempts = e.integer(e.value(a.Expr, at), a, 1)
		} else {
			e.errorf(r.rng, "Missing argument", "retry needs attempts, which counts all attempts, the first too.")
		}
		if a := r.attrs["backoff"]; a != nil {
			inst.Backoff = e.duration(a, at)
		}
	}
	for _, s := range b.meta.blocks["steady_state"] {
		inst.Steady = e.steady(b, s, at)
	}
	for _, i := range b.meta.blocks["import"] {
		if e.when(i, at) {
			e.importFiles(i, inst)
		}
	}
	for _, s := range b.meta.blocks["skip"] {
		if e.when(s, at) {
			inst.Skip = e.skipped(s, at)
		}
	}
}

// skipped reads why a test or dataset is skipped. It never is empty, since one without a reason is run.
func (e *evaluator) skipped(b *body, at addr.Coordinates) string {
	a := b.attrs["reason"]
	if a == nil {
		e.errorf(b.rng, "Missing argument", "skip needs a reason, which stands in the plan and in the report.")
		return "?"
	}
	before := len(e.diags)
	v := e.value(a.Expr, at)
	reason := e.stringOf(v, a)
	if reason == "" && v.IsKnown() && len(e.diags) == before {
		e.errorf(a.Expr.Range(), "Missing reason", "The reason is empty; say why it is skipped.")
	}
	return cmp.Or(reason, "?")
}

// duration reads a positive duration.
func (e *evaluator) duration(a *hcl.Attribute, at addr.Coordinates) *unit.Quantity {
	return e.longerThanNothing(e.value(a.Expr, at), a)
}

func (e *evaluator) longerThanNothing(v cty.Value, a *hcl.Attribute) *unit.Quantity {
	q := e.quantity(v, a, unit.Seconds)
	if q != nil && q.Rat().Sign() <= 0 {
		e.errorf(a.Expr.Range(), "Out of range", "%s must be longer than nothing, such as \"10min\".", a.Name)
		return nil
	}
	return q
}

// hostsOf gives the hosts of a block: those of `on`, else of the only hardware, else this machine.
func (e *evaluator) hostsOf(b *block) []string {
	a := b.meta.attrs["on"]
	if a == nil {
		if len(e.model.Hardware) == 1 {
			return e.hosts[e.model.Hardware[0].Name]
		}
		return nil
	}
	r, ok := e.reference(a.Expr)
	if ok && r.root == "hardware" && len(r.rest) == 0 {
		return e.hosts[r.path[0]]
	}
	if !ok || r.root != "unknown" {
		e.errorf(a.Expr.Range(), "Not hardware", "on names a hardware block, such as hardware.%s.", first(sortedKeys(e.hardware), "NAME"))
	}
	return nil
}

// needs lists the setups and datasets that a block refers to at these coordinates, each once, in the order of the text; beside are those of
// them that only depends_on names. Absent ones are no need.
func (e *evaluator) needs(b *block, at addr.Coordinates) (out, beside []*spec.Instance) {
	seen, had := map[string]bool{}, map[*spec.Instance]bool{}
	var visit func(refs []ref)
	visit = func(refs []ref) {
		for _, r := range refs {
			name := r.node() + " " + r.keyOf()
			if seen[name] || e.broken[r.node()] {
				continue
			}
			switch r.root {
			case "local":
				seen[name] = true
				visit(e.references(e.locals[r.path[0]].Expr))
			case "setup", "dataset":
				seen[name] = true
				for _, inst := range e.referred(r, at) {
					if !had[inst] {
						had[inst] = true
						out = append(out, inst)
					}
				}
			}
		}
	}
	for _, x := range b.expressions() {
		visit(e.references(x))
	}
	referred := len(out)
	visit(b.dependsOn)
	return out, out[referred:len(out):len(out)]
}

// collectStrings adds every string in v to set.
func collectStrings(v cty.Value, set map[string]bool) {
	_ = cty.Walk(v, func(_ cty.Path, x cty.Value) (bool, error) {
		if x.Type() == cty.String && x.IsKnown() && !x.IsNull() {
			set[x.AsString()] = true
		}
		return true, nil
	})
}

// importFiles finds the files that stand in place of a run.
func (e *evaluator) importFiles(b *body, inst *spec.Instance) {
	at := inst.Addr.Coordinates
	a := b.attrs["path"]
	if a == nil {
		inst.Import = &spec.Import{Range: b.rng}
		e.errorf(b.rng, "Missing argument", `import needs path = "FILE", relative to the spec's folder.`)
		return
	}
	formats := inst.Type.Imports[:len(inst.Type.Imports):len(inst.Type.Imports)]
	for _, table := range []string{"csv", "json"} {
		if !contains(formats, table) {
			formats = append(formats, table)
		}
	}
	path := e.stringOf(e.value(a.Expr, at), a)
	imp := &spec.Import{Path: path, Range: a.Expr.Range(), Format: first(formats, "")}
	inst.Import = imp
	if path == "" {
		return
	}
	if f := b.attrs["format"]; f != nil {
		imp.Format = e.enum(e.value(f.Expr, at), f, formats)
	}
	imp.Table = imp.Format != "" && !contains(inst.Type.Imports, imp.Format)
	if !filepath.IsLocal(path) {
		e.errorf(imp.Range, "Path outside of the spec", "%q leads out of the spec's folder; files that a spec imports stand beside it, so that they are reviewed with it.", path)
		return
	}
	files, err := e.opts.Glob(path)
	switch {
	case err != nil:
		e.errorf(imp.Range, "Invalid path", "%q is not a path of files: %s.", path, err)
	case len(files) > 1 && imp.Table:
		e.errorf(imp.Range, "More than one file", "%q matches %d files, and a table that serves all instances is one file. Name it.", path, len(files))
	case len(files) == 0:
		e.report(diag.Error(imp.Range, "No such file", "No file in the spec's folder matches %q, from which the results of %s are to be taken.", path, inst.Addr))
	}
	imp.Files = files
	if imp.Table {
		return
	}
	inst.Repeat = max(1, len(files))
}
