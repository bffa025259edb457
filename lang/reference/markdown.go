package reference

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
)

//go:embed intro.md
var intro string

// Markdown writes the reference of the language: what a spec is, each block with an example, then each type of the providers, then
// the published limits that are built in.
func Markdown(blocks []Block, providers []*schema.Provider, profiles []schema.Profile) ([]byte, error) {
	w := &writer{seen: map[string]string{}}
	w.WriteString(intro)
	w.WriteString("\n# Blocks\n")
	for i := range blocks {
		if err := w.block(&blocks[i], nil); err != nil {
			return nil, err
		}
	}
	w.WriteString("\n# Types\n\nWhat setups, datasets and tests take beside the arguments above. `assay providers TYPE` prints the same.\n")
	for _, p := range providers {
		w.provider(p)
	}
	w.WriteString("\n# Profiles\n\nPublished limits that a kpi names with `profile`. One of your own is a JSON file of the same form beside the spec.\n")
	for i := range profiles {
		w.profile(&profiles[i])
	}
	return w.Bytes(), nil
}

type writer struct {
	bytes.Buffer
	seen map[string]string // nested blocks that are written already, and in which block
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) block(b *Block, within []string) error {
	in := strings.Join(within, " in ")
	if in == "" {
		w.printf("\n## %s\n", b.Name)
	} else {
		w.printf("\n### %s, in %s\n", b.Name, in)
		if first, ok := w.seen[b.Name]; ok {
			w.printf("\nAs in %s.\n", first)
			return nil
		}
		w.seen[b.Name] = in
	}
	w.printf("\n`%s { … }`\n\n%s\n", b.Header(), b.Doc)
	if len(b.Attributes) > 0 {
		w.WriteString("\n| argument | type | default | meaning |\n| --- | --- | --- | --- |\n")
		for _, a := range b.Attributes {
			w.row("`"+a.Name+"`", a.Type, given(a.Required, a.Default), a.Doc)
		}
	}
	if b.Free != "" {
		w.printf("\n%s\n", b.Free)
	}
	if b.Example != "" {
		_, shown, err := Example(b.Example)
		if err != nil {
			return err
		}
		w.printf("\n```hcl\n%s```\n", shown)
	}
	for i := range b.Blocks {
		if err := w.block(&b.Blocks[i], append([]string{b.Name}, within...)); err != nil {
			return err
		}
	}
	return nil
}

// given says what holds where an argument is left out.
func given(required bool, value string) string {
	if required {
		return "required"
	}
	return value
}

func (w *writer) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	w.printf("| %s |\n", strings.Join(cells, " | "))
}

func (w *writer) provider(p *schema.Provider) {
	w.printf("\n## Provider %s\n\n%s\n", p.Name, p.Doc)
	if len(p.Config.Attributes)+len(p.Config.Blocks) > 0 {
		w.printf("\n### provider %q\n", p.Name)
		w.body(p.Config, "")
	}
	for _, kind := range []string{"setup", "dataset", "test", "monitor"} {
		for _, t := range p.Types(kind) {
			w.printf("\n### %s %q\n\n%s\n", kind, t.Name, t.Doc)
			if abilities := AbilitiesText(t); len(abilities) > 0 {
				w.printf("\n%s\n", strings.Join(abilities, " "))
			}
			w.body(t.Body, "")
			if len(t.Outputs) > 0 {
				w.WriteString("\n| output | type | meaning |\n| --- | --- | --- |\n")
				for _, o := range t.Outputs {
					w.row("`"+o.Name+"`", string(o.Type), o.Doc)
				}
			}
			if len(t.Measures) > 0 {
				w.WriteString("\n| measure | unit | better | meaning |\n| --- | --- | --- | --- |\n")
				for _, m := range t.Measures {
					w.row("`"+m.Name+"`", UnitText(m), BetterText(m), strings.TrimSpace(m.Doc+" "+KeysText(m)))
				}
			}
		}
	}
}

// body writes the arguments of a type, and of the blocks in it; within is empty for the type itself.
func (w *writer) body(b schema.Block, within string) {
	if len(b.Attributes) > 0 {
		if within != "" {
			w.printf("\nIn the block %s:\n", within)
		}
		w.WriteString("\n| argument | type | default | meaning |\n| --- | --- | --- | --- |\n")
		for _, a := range b.Attributes {
			meaning := a.Doc
			if notes := NotesText(a); notes != "" {
				meaning += " " + notes
			}
			takes := TypeText(a)
			if limits := LimitsText(a); limits != "" {
				takes += ", " + limits
			}
			w.row("`"+a.Name+"`", takes, given(a.Required, a.Default), meaning)
		}
	}
	for _, n := range b.Blocks {
		name := "`" + n.Header() + "`"
		if within != "" {
			name += " in " + within
		}
		if n.Doc != "" {
			w.printf("\n%s: %s\n", name, n.Doc)
		}
		if same := SameBody(b.Blocks, n); same != "" {
			w.printf("\nIt takes the arguments of `%s`.\n", same)
			continue
		}
		w.body(n.Body, name)
	}
}
