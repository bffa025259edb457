package main

import (
	"bytes"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/outline"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) graphCommand() *cobra.Command {
	var flags specFlags
	var mermaid, instances bool
	c := &cobra.Command{
		Use:   "graph [DIR]",
		Short: "Draw the blocks of a spec and what they depend on",
		Long: `Draw the blocks of a spec, each with the axes on which it depends, and an arrow from each block to what it names: as DOT for
graphviz, or with --mermaid for a page in Markdown. Locals are looked through, and variables are left out.

With --instances every setup, test, derived measure, comparison and KPI is drawn once for each combination of its axes that exists.`,
		Example: `  assay graph specs/quickstart | dot -Tsvg > graph.svg
  assay graph --mermaid specs/quickstart
  assay graph --instances --var runtime=5s specs/quickstart`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			built, _, err := a.build(c.Context(), set, &flags, specDir(args), true)
			if err != nil {
				return err
			}
			d := drawBlocks(outline.Of(built.Model))
			if instances {
				d = drawInstances(built.Spec)
			}
			var out bytes.Buffer
			if mermaid {
				d.mermaid(&out)
			} else {
				d.dot(&out)
			}
			_, err = a.stdout.Write(out.Bytes())
			return err
		}),
	}
	flags.add(c)
	c.Flags().BoolVar(&mermaid, "mermaid", false, "draw for Mermaid instead of graphviz")
	c.Flags().BoolVar(&instances, "instances", false, "draw each block at each of its coordinates")
	return c
}

// drawn are the kinds of block that a picture shows. Locals are looked through.
var drawn = map[string]bool{
	"hardware": true, "axis": true, "setup": true, "dataset": true, "monitor": true, "test": true,
	"measure": true, "compare": true, "kpi": true, "plot": true,
}

// drawBlocks draws blocks, with an arrow from each to what it names directly or through locals.
func drawBlocks(o *outline.Outline) *drawing {
	d := &drawing{}
	for _, n := range o.Nodes {
		if !drawn[n.Kind] {
			continue
		}
		d.node(n.Name, n.Kind, n.Name, n.Axes)
		seen := map[string]bool{}
		var visit func(from *outline.Node)
		visit = func(from *outline.Node) {
			for _, name := range from.Names {
				to := o.Node(name)
				switch {
				case seen[name]:
				case drawn[to.Kind]:
					seen[name] = true
					d.edge(n.Name, name)
				case to.Kind == "local":
					seen[name] = true
					visit(to)
				}
			}
		}
		visit(n)
	}
	return d
}

// drawInstances draws what is made, measured, compared and judged.
func drawInstances(s *spec.Spec) *drawing {
	d := &drawing{}
	node := func(i addr.Instance) string {
		var at []string
		for _, axis := range i.Coordinates.Axes() {
			at = append(at, i.Coordinates.Project([]string{axis}).String())
		}
		d.node(i.String(), i.Kind, i.Block.String(), at)
		return i.String()
	}
	for _, list := range [][]*spec.Instance{s.Setups, s.Tests, s.Monitors} {
		for _, inst := range list {
			from := node(inst.Addr)
			if inst.During != nil {
				d.edge(from, inst.During.Addr.String())
			}
			for _, need := range inst.Needs {
				d.edge(from, need.Addr.String())
			}
		}
	}
	for _, m := range s.Derived {
		inputs(m.Formula, func(test string) { d.edge(m.Addr.String(), test) })
		node(m.Addr)
	}
	for _, c := range s.Comparisons {
		from := node(c.Addr)
		d.edge(from, c.Test.String())
		d.edge(from, c.BaselineTest.String())
	}
	for _, k := range s.KPIs {
		d.edge(node(k.Addr), k.Ref.Of.String())
		for _, other := range []*spec.MeasureRef{k.MinOf, k.MaxOf} {
			if other != nil {
				d.edge(node(k.Addr), other.Of.String())
			}
		}
	}
	return d
}

// inputs calls found for every test whose figure a formula takes.
func inputs(f spec.Formula, found func(test string)) {
	if f.Of != "" {
		found(f.Of)
	}
	for _, arg := range f.Args {
		inputs(arg, found)
	}
}
