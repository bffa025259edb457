package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// odd are names that end a quote, begin an escape, or mark up a label.
var odd = []string{`a`, `盘 "固态"`, `back\slash`, `back\`, "`code` *bold* #1; <b>&amp;", "two\nlines", `]})`}

// TestDOT reads what was written with a parser of its own, and finds the names and labels that went in.
func TestDOT(t *testing.T) {
	d := &drawing{}
	for i, name := range odd {
		d.node(name, "test", name, odd[:i])
		d.edge(name, odd[0])
		d.edge(name, odd[0])
		d.edge(name, "not there")
	}
	var b bytes.Buffer
	d.dot(&b)
	nodes, edges, err := parseDOT(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	want := map[string]string{}
	var arrows []string
	for i, name := range odd {
		want[name] = name
		if i > 0 { // itself apart, all name the first
			want[name] += "\n[" + strings.Join(odd[:i], ", ") + "]"
		}
		arrows = append(arrows, name+" -> a")
	}
	if d := cmp.Diff(want, nodes); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(arrows, edges); d != "" {
		t.Error(d)
	}
}

// parseDOT reads the part of the language that is written: node and edge statements with quoted names, lists of attributes.
func parseDOT(src string) (nodes map[string]string, edges []string, err error) {
	tokens, err := scanDOT(src)
	if err != nil {
		return nil, nil, err
	}
	nodes = map[string]string{}
	next := func() string {
		if len(tokens) == 0 {
			return ""
		}
		tok := tokens[0]
		tokens = tokens[1:]
		return tok
	}
	for _, want := range []string{"digraph", "assay", "{"} {
		if got := next(); got != want {
			return nil, nil, fmt.Errorf("%q, want %q", got, want)
		}
	}
	attributes := func() (map[string]string, error) {
		attrs := map[string]string{}
		for {
			name, eq, value, sep := next(), next(), next(), next()
			if eq != "=" || sep != "," && sep != "]" {
				return nil, fmt.Errorf("%s %s %s %s is no attribute", name, eq, value, sep)
			}
			attrs[name] = value
			if sep == "]" {
				return attrs, nil
			}
		}
	}
	for {
		name := next()
		if name == "}" {
			break
		}
		switch op := next(); op {
		case "=":
			next()
		case "->":
			edges = append(edges, unquoteDOT(name)+" -> "+unquoteDOT(next()))
		case "[":
			attrs, err := attributes()
			if err != nil {
				return nil, nil, err
			}
			if name != "node" {
				nodes[unquoteDOT(name)] = unquoteDOT(attrs["label"])
			}
		default:
			return nil, nil, fmt.Errorf("%s is followed by %q", name, op)
		}
		if end := next(); end != ";" {
			return nil, nil, fmt.Errorf("a statement ends with %q", end)
		}
	}
	if len(tokens) > 0 {
		return nil, nil, fmt.Errorf("%q is behind the end", tokens)
	}
	return nodes, edges, nil
}

func scanDOT(src string) ([]string, error) {
	var out []string
	for src = strings.TrimSpace(src); src != ""; src = strings.TrimSpace(src) {
		n := strings.IndexAny(src, " \n;=[],{}\"")
		switch {
		case src[0] == '"':
			for n = 1; n < len(src) && src[n] != '"'; n++ {
				if src[n] == '\\' {
					n++
				}
			}
			n++
			if n > len(src) {
				return nil, fmt.Errorf("a quote does not end: %s", src)
			}
		case n == 0:
			n = 1
		case n < 0:
			n = len(src)
		}
		out = append(out, src[:n])
		src = src[n:]
	}
	return out, nil
}

// unquoteDOT reads a quoted text as a label is read.
func unquoteDOT(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`))
}

// TestMermaid: no label can end its quotes or be taken for markup, and each is what went in once its entities are read.
func TestMermaid(t *testing.T) {
	d := &drawing{}
	for _, name := range odd {
		d.node(name, "kpi", name, nil)
		d.edge(name, odd[0])
	}
	var b bytes.Buffer
	d.mermaid(&b)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	entities := strings.NewReplacer("#35;", "#", "#quot;", `"`, "#amp;", "&", "#lt;", "<", "#gt;", ">", "#96;", "`", "#92;", `\`, "#42;", "*", "<br/>", "\n")
	if len(lines) != 1+2*len(odd) || lines[0] != "flowchart LR" {
		t.Fatal(b.String())
	}
	for i, name := range odd {
		label, ok := strings.CutPrefix(lines[1+i], fmt.Sprintf(`  n%d{{"`, i+1))
		label, end := strings.CutSuffix(label, `"}}`)
		if !ok || !end || strings.ContainsAny(strings.ReplaceAll(label, "<br/>", ""), "\"`<>*\\") || entities.Replace(label) != name {
			t.Errorf("%q is written as %s", name, lines[1+i])
		}
	}
}
