// Package outline says which blocks a spec has, what each of them names, and on which axes it depends: from the text alone,
// before anything is evaluated and whatever is wrong with it. It serves pictures and warnings. What a reference means, and whether it may
// stand where it stands, is for package eval to decide.
package outline

import (
	"sort"
	"strings"

	"github.com/assay-bench/assay/lang/config"
	"github.com/hashicorp/hcl/v2"
)

// Node is a block, or what else has a name: a variable, a local, an axis.
type Node struct {
	// Name is how references call it: setup.storage_raid.array, kpi.latency, var.runtime, local.x, matrix.drive. What nothing can
	// refer to is called spec, exclude or provider.NAME.
	Name  string
	Kind  string // of the block: setup, kpi, variable, local, axis, provider, spec, exclude
	Range hcl.Range
	Names []string // what it names directly, each once, sorted
	Axes  []string // directly or through others, in the order of the spec
}

// Outline is a whole spec.
type Outline struct {
	Nodes []*Node // by kind in the order in which a spec is read, then as they stand in the text
	index map[string]*Node
	with  map[string][]string // test → those that start together with it, by its alongside
	axes  []string
}

// Of outlines a spec.
func Of(m *config.Model) *Outline {
	o := &Outline{index: map[string]*Node{}, with: map[string][]string{}}
	var found [][]hcl.Traversal
	add := func(kind, name string, rng hcl.Range, refs []hcl.Traversal) {
		n := &Node{Name: name, Kind: kind, Range: rng}
		o.Nodes = append(o.Nodes, n)
		o.index[name] = n
		found = append(found, refs)
	}
	if m.Spec != nil {
		add("spec", "spec", m.Spec.Range, inAttributes(m.Spec.Attrs))
	}
	for _, v := range m.Variables {
		refs := inAttributes(v.Attrs)
		for _, c := range v.Validations {
			refs = append(append(refs, inExpression(c.Condition)...), inExpression(c.Message)...)
		}
		add("variable", "var."+v.Name, v.Range, refs)
	}
	for _, l := range m.Locals {
		add("local", "local."+l.Name, l.Range, inExpression(l.Expr))
	}
	for _, p := range m.Providers {
		add("provider", "provider."+p.Name, p.Range, inBody(p.Body))
	}
	for _, h := range m.Hardware {
		refs := inAttributes(h.Attrs)
		for _, d := range h.Disks {
			refs = append(refs, inAttributes(d.Attrs)...)
		}
		add("hardware", "hardware."+h.Name, h.Range, refs)
	}
	for _, a := range m.Axes {
		refs := append(inExpression(a.Values), inExpression(a.Baseline)...)
		for _, c := range a.Cases {
			refs = append(refs, inAttributes(c.Attrs)...)
		}
		o.axes = append(o.axes, a.Name)
		add("axis", "matrix."+a.Name, a.Range, refs)
	}
	for _, x := range m.Excludes {
		add("exclude", "exclude", x.Range, append(inExpression(x.When), inExpression(x.Reason)...))
	}
	for _, kind := range kinds {
		for _, b := range m.Blocks {
			if b.Addr.Kind == kind {
				add(kind, b.Addr.String(), b.Range, inBody(b.Body))
				if kind == "test" {
					for _, t := range alongside(b.Body) {
						o.with[b.Addr.String()] = append(o.with[b.Addr.String()], name(t, words["test"]))
					}
				}
			}
		}
	}
	for _, list := range plain(m) {
		for _, p := range list.blocks {
			refs := inAttributes(p.Attrs)
			if p.Import != nil {
				refs = append(refs, inAttributes(p.Import.Attrs)...)
			}
			for _, l := range p.Limits {
				refs = append(refs, inAttributes(l.Attrs)...)
			}
			add(list.kind, list.kind+"."+p.Name, p.Range, refs)
		}
	}
	for i, n := range o.Nodes {
		n.Names = o.resolve(n, found[i])
	}
	o.findAxes()
	return o
}

// kinds are those of blocks with a type, in the order of the outline.
var kinds = []string{"setup", "dataset", "monitor", "test"}

type plainBlocks struct {
	kind   string
	blocks []*config.Plain
}

// plain lists the blocks whose form is fixed and that are about results.
func plain(m *config.Model) []plainBlocks {
	return []plainBlocks{{"measure", m.Measures}, {"compare", m.Compares}, {"kpi", m.KPIs}, {"plot", m.Plots}}
}

// Node finds a node by its name; nil where there is none.
func (o *Outline) Node(name string) *Node { return o.index[name] }

// Named gives everything that something names, itself apart.
func (o *Outline) Named() map[string]bool {
	used := map[string]bool{}
	for _, n := range o.Nodes {
		for _, name := range n.Names {
			if name != n.Name {
				used[name] = true
			}
		}
	}
	return used
}

// words says how many names follow each root of a reference.
var words = map[string]int{
	"var": 1, "local": 1, "matrix": 1, "hardware": 1, "measure": 1, "compare": 1,
	"setup": 2, "dataset": 2, "test": 2, "monitor": 2,
}

// resolve keeps the references that lead to a declared name. In an exclude an axis is named by its bare name.
func (o *Outline) resolve(n *Node, refs []hcl.Traversal) []string {
	seen := map[string]bool{}
	for _, t := range refs {
		count, known := words[t.RootName()]
		called := name(t, count)
		if !known && n.Kind == "exclude" {
			called = "matrix." + t.RootName()
		}
		if o.index[called] != nil {
			seen[called] = true
		}
	}
	return sorted(seen)
}

// name is how a reference is called, whose root is followed by so many names.
func name(t hcl.Traversal, count int) string {
	parts := []string{t.RootName()}
	for _, step := range t[1:min(1+count, len(t))] {
		switch s := step.(type) {
		case hcl.TraverseAttr:
			parts = append(parts, s.Name)
		case hcl.TraverseIndex:
			parts = append(parts, keyName(s))
		}
	}
	return strings.Join(parts, ".")
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// findAxes follows the names of each node to the axes. A walk of its own for every axis, backwards, needs no care for cycles.
func (o *Outline) findAxes() {
	namedBy := map[string][]*Node{}
	for _, n := range o.Nodes {
		for _, name := range n.Names {
			namedBy[name] = append(namedBy[name], n)
		}
		for _, other := range o.with[n.Name] { // what starts together has the same axes
			if c := o.index[other]; c != nil {
				namedBy[n.Name] = append(namedBy[n.Name], c)
			}
		}
	}
	for _, axis := range o.axes {
		seen := map[*Node]bool{}
		todo := []*Node{o.index["matrix."+axis]}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, by := range namedBy[n.Name] {
				if !seen[by] {
					seen[by] = true
					by.Axes = append(by.Axes, axis)
					todo = append(todo, by)
				}
			}
		}
	}
}
