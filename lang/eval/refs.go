package eval

import (
	"fmt"
	"sort"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// ref is one reference of an expression: matrix.drive, with what follows the name in rest.
type ref struct {
	root string   // var, local, matrix, hardware, setup, dataset, test; or axis, for a bare axis name in an exclude
	path []string // the names that the root takes: one, or type and name
	rest hcl.Traversal
	rng  hcl.Range
}

// node is how a reference is called in messages and in memory: setup.storage_raid.array.
func (r ref) node() string { return r.root + "." + strings.Join(r.path, ".") }

func (r ref) block() addr.Block { return addr.Block{Kind: r.root, Type: r.path[0], Name: r.path[1]} }

// rootNames says how many names follow each root.
var rootNames = map[string]int{"var": 1, "local": 1, "matrix": 1, "hardware": 1, "setup": 2, "dataset": 2, "test": 2, "monitor": 2, "compare": 1, "each": 1}

// references lists what an expression refers to. What cannot be resolved is reported once and left out; the value of
// such an expression is unknown, which silences whatever depends on it.
func (e *evaluator) references(expr hcl.Expression) []ref {
	if refs, ok := e.refs[expr]; ok {
		return refs
	}
	var refs []ref
	for _, t := range expr.Variables() {
		if r, ok := e.resolve(t); ok {
			refs = append(refs, r)
		} else {
			refs = append(refs, ref{root: "unknown", path: []string{t.RootName()}, rng: t.SourceRange()})
		}
	}
	e.refs[expr] = refs
	return refs
}

// reference reads an expression that is one reference as it stands.
func (e *evaluator) reference(expr hcl.Expression) (ref, bool) {
	t, ok := traversal(expr)
	if !ok {
		return ref{}, false
	}
	if r, ok := e.resolve(t); ok {
		return r, true
	}
	return ref{root: "unknown", path: []string{t.RootName()}, rng: t.SourceRange()}, true
}

// traversal gives the names of an expression that is a reference as it stands. In JSON syntax it may be written "a.b" and
// "${a.b}".
func traversal(expr hcl.Expression) (hcl.Traversal, bool) {
	t, diags := hcl.AbsTraversalForExpr(expr)
	if _, native := expr.(hclsyntax.Node); diags.HasErrors() && !native {
		for _, n := range nodes(expr) {
			if wrap, ok := n.(*hclsyntax.TemplateWrapExpr); ok {
				t, diags = hcl.AbsTraversalForExpr(wrap.Wrapped)
			}
		}
	}
	return t, !diags.HasErrors()
}

func (e *evaluator) resolve(t hcl.Traversal) (ref, bool) {
	root := t.RootName()
	if e.bare[root] {
		return ref{root: "axis", path: []string{root}, rest: t[1:], rng: t.SourceRange()}, true
	}
	n, ok := rootNames[root]
	if !ok {
		e.errorf(t.SourceRange(), "Unknown name", "There is nothing called %q here.%s", root, e.rootHint(root))
		return ref{}, false
	}
	if root == "monitor" || root == "compare" {
		e.tooEarly(t)
		return ref{}, false
	}
	r := ref{root: root, rng: t.SourceRange()}
	for i := 1; i <= n; i++ {
		if i >= len(t) || stepName(t[i]) == "" {
			e.errorf(t.SourceRange(), "Incomplete reference", "%s", e.incomplete(root, r.path))
			return ref{}, false
		}
		r.path = append(r.path, stepName(t[i]))
	}
	r.rest = t[n+1:]
	return r, e.exists(r, t)
}

// stepName is the name in .name and ["name"]; a computed index has none.
func stepName(step hcl.Traverser) string {
	switch s := step.(type) {
	case hcl.TraverseAttr:
		return s.Name
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
			return s.Key.AsString()
		}
	}
	return ""
}

func (e *evaluator) rootHint(name string) string {
	if e.axes[name] != nil {
		return fmt.Sprintf(" The case of this axis is written matrix.%s.", name)
	}
	if e.locals[name] != nil {
		return fmt.Sprintf(" The local value is written local.%s.", name)
	}
	if _, ok := e.vars[name]; ok {
		return fmt.Sprintf(" The variable is written var.%s.", name)
	}
	names := []string{"var", "local", "matrix", "hardware", "setup", "dataset"}
	if e.bare != nil {
		names = append(names, e.axisNames()...)
	}
	return diag.DidYouMean(name, names)
}

func (e *evaluator) incomplete(root string, path []string) string {
	switch root {
	case "setup", "dataset", "test":
		return fmt.Sprintf("Write the type and the name of a block as its header has them: %s.TYPE.NAME. They cannot be computed, since what a block depends on is found before anything is evaluated.", root)
	case "each":
		return "Write each.key or each.value."
	case "matrix":
		return "Write the name of an axis: matrix." + first(e.axisNames(), "AXIS") + ". It cannot be computed, since the axes of a block are found before anything is evaluated."
	}
	return fmt.Sprintf("Write %s.NAME with a name that is declared; it cannot be computed.", root)
}

func first(names []string, otherwise string) string {
	if len(names) > 0 {
		return names[0]
	}
	return otherwise
}

// exists checks that what is named is declared.
func (e *evaluator) exists(r ref, t hcl.Traversal) bool {
	at := t[len(r.path)].SourceRange()
	name := r.path[len(r.path)-1]
	unknown := func(what string, names []string) bool {
		e.errorf(at, "Unknown "+what, "There is no %s %q.%s", what, name, diag.DidYouMean(name, names))
		return false
	}
	switch r.root {
	case "var":
		if _, ok := e.vars[name]; !ok {
			var names []string
			for _, v := range e.model.Variables {
				names = append(names, v.Name)
			}
			return unknown("variable", names)
		}
	case "local":
		if e.locals[name] == nil {
			return unknown("local", sortedKeys(e.locals))
		}
	case "matrix":
		if e.axes[name] == nil {
			return unknown("axis", e.axisNames())
		}
	case "hardware":
		if _, ok := e.hardware[name]; !ok {
			return unknown("hardware", sortedKeys(e.hardware))
		}
	case "each":
		if name != "key" && name != "value" {
			return unknown("attribute of each", []string{"key", "value"})
		}
	case "setup", "dataset", "test":
		b := e.blocks[r.block()]
		if b == nil {
			e.errorf(t.SourceRange(), "Unknown "+r.root, "There is no %s%s", r.node(), e.blockHint(r.root, r.block()))
			return false
		}
		if r.root == "test" {
			return e.isOutput(b, r, t)
		}
		rest := r.rest
		if len(rest) > 1 && b.forEach != nil {
			if _, key := rest[0].(hcl.TraverseIndex); key {
				rest = rest[1:]
			}
		}
		if b.typ != nil && len(rest) > 0 && b.typ.Measure(stepName(rest[0])) != nil && !b.promises(stepName(rest[0])) {
			e.errorf(rest[0].SourceRange(), "Result used too early", "A dataset has this figure only once it is loaded, so it can be named in compare, kpi, plot and measure, and not here.")
			return false
		}
	}
	return true
}

// blockHint proposes a block of that kind.
func (e *evaluator) blockHint(kind string, want addr.Block) string {
	var names []string
	for _, b := range e.order {
		if b.cfg.Addr.Kind == kind {
			names = append(names, b.cfg.Addr.String())
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf(": the spec has no %s block.", kind)
	}
	return "." + diag.DidYouMean(want.String(), names)
}

// axesOf gives the axes on which an expression depends, in the order of the spec.
func (e *evaluator) axesOf(expr hcl.Expression) []string {
	if axes, ok := e.exprAxes[expr]; ok {
		return axes
	}
	var sets [][]string
	for _, r := range e.references(expr) {
		sets = append(sets, e.refAxes(r))
	}
	axes := e.union(sets...)
	if len(e.visiting) == 0 { // else it may be part of a cycle
		e.exprAxes[expr] = axes
	}
	return axes
}

func (e *evaluator) refAxes(r ref) []string {
	switch r.root {
	case "matrix", "axis":
		return []string{r.path[0]}
	case "local":
		l := e.locals[r.path[0]]
		return e.node(r, func() []string { return e.axesOf(l.Expr) })
	case "setup", "dataset", "test":
		b := e.blocks[r.block()]
		return e.node(r, func() []string { return e.blockAxes(b) })
	}
	return nil
}

// node memoises the axes of a named thing, and finds cycles.
func (e *evaluator) node(r ref, find func() []string) []string {
	name := r.node()
	if axes, ok := e.nodeAxes[name]; ok {
		return axes
	}
	for i, v := range e.visiting {
		if v == name {
			if !e.broken[name] {
				e.errorf(r.rng, "Cycle", "These depend on each other: %s. Break the circle at one of them.", strings.Join(append(e.visiting[i:len(e.visiting):len(e.visiting)], name), " → "))
			}
			for _, n := range e.visiting[i:] {
				e.broken[n] = true
			}
			return nil
		}
	}
	e.visiting = append(e.visiting, name)
	axes := find()
	e.visiting = e.visiting[:len(e.visiting)-1]
	e.nodeAxes[name] = axes
	return axes
}

func (e *evaluator) union(sets ...[]string) []string {
	has := map[string]bool{}
	for _, s := range sets {
		for _, a := range s {
			has[a] = true
		}
	}
	names := make([]string, 0, len(has))
	for _, a := range sortedKeys(has) {
		if e.axes[a] != nil {
			names = append(names, a)
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return e.axes[names[i]].index < e.axes[names[j]].index })
	return names
}

func (e *evaluator) axisNames() []string {
	names := make([]string, len(e.axisList))
	for i, a := range e.axisList {
		names[i] = a.cfg.Name
	}
	return names
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
