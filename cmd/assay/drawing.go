package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// drawing is a graph to be printed: nodes in the order in which they were added, arrows in that of their ends.
type drawing struct {
	nodes []drawnNode
	edges [][2]string
	index map[string]int
}

type drawnNode struct {
	name, kind string
	label      string
	below      []string // what stands below the label, in brackets
}

func (d *drawing) node(name, kind, label string, below []string) {
	if d.index == nil {
		d.index = map[string]int{}
	}
	d.index[name] = len(d.nodes)
	d.nodes = append(d.nodes, drawnNode{name, kind, label, below})
}

func (d *drawing) edge(from, to string) { d.edges = append(d.edges, [2]string{from, to}) }

// sorted are the arrows between nodes that there are, each once.
func (d *drawing) sorted() [][2]int {
	var out [][2]int
	for _, e := range d.edges {
		from, ok := d.index[e[0]]
		to, fine := d.index[e[1]]
		if ok && fine {
			out = append(out, [2]int{from, to})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i][0] < out[j][0] || out[i][0] == out[j][0] && out[i][1] < out[j][1]
	})
	return slices.Compact(out)
}

// dotShapes tell the kinds apart in graphviz; what is not here is a box.
var dotShapes = map[string]string{
	"axis": "ellipse", "hardware": "box3d", "dataset": "cylinder", "test": "component", "kpi": "octagon", "plot": "note",
}

// dot prints the graph for graphviz.
func (d *drawing) dot(w io.Writer) {
	fmt.Fprintln(w, "digraph assay {")
	fmt.Fprintln(w, "  rankdir = LR;")
	fmt.Fprintln(w, "  node [shape = box, fontname = \"sans-serif\"];")
	for _, n := range d.nodes {
		fmt.Fprintf(w, "  %s [label = %s", dotText(n.name), dotText(strings.Join(n.lines(), "\n")))
		if shape := dotShapes[n.kind]; shape != "" {
			fmt.Fprintf(w, ", shape = %s", shape)
		}
		fmt.Fprintln(w, "];")
	}
	for _, e := range d.sorted() {
		fmt.Fprintf(w, "  %s -> %s;\n", dotText(d.nodes[e[0]].name), dotText(d.nodes[e[1]].name))
	}
	fmt.Fprintln(w, "}")
}

func (n *drawnNode) lines() []string {
	if len(n.below) == 0 {
		return []string{n.label}
	}
	return []string{n.label, "[" + strings.Join(n.below, ", ") + "]"}
}

// dotText quotes a text. A backslash begins an escape in a label, so it is doubled, and a line ends with \n.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// mermaidShapes are the brackets around a label that tell the kinds apart; what is not here is a box.
var mermaidShapes = map[string][2]string{
	"axis": {"([", "])"}, "hardware": {"[[", "]]"}, "dataset": {"[(", ")]"}, "test": {"(", ")"}, "kpi": {"{{", "}}"}, "plot": {">", "]"},
}

// mermaid prints the graph for Mermaid, where a node has a short name of its own.
func (d *drawing) mermaid(w io.Writer) {
	fmt.Fprintln(w, "flowchart LR")
	for i, n := range d.nodes {
		shape, ok := mermaidShapes[n.kind]
		if !ok {
			shape = [2]string{"[", "]"}
		}
		var lines []string
		for _, l := range n.lines() {
			lines = append(lines, mermaidText(l))
		}
		fmt.Fprintf(w, "  n%d%s\"%s\"%s\n", i+1, shape[0], strings.Join(lines, "<br/>"), shape[1])
	}
	for _, e := range d.sorted() {
		fmt.Fprintf(w, "  n%d --> n%d\n", e[0]+1, e[1]+1)
	}
}

// mermaidText writes what would end or mark up a label as entities, which Mermaid begins with #.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;", `\`, "#92;", "*", "#42;", "\n", "<br/>").Replace(s)
}
