package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/reference"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/clipperhouse/displaywidth"
)

// typePrinter writes schemas for a person.
type typePrinter struct {
	out   bytes.Buffer
	width int // columns
	color bool
}

func (p *typePrinter) bold(s string) string {
	if !p.color {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// list names every provider with its types.
func (p *typePrinter) list(all []*schema.Provider) {
	for i, s := range all {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		fmt.Fprintf(&p.out, "%s %s\n", p.bold(s.Name), s.Version)
		p.paragraph("  ", s.Doc)
		var rows [][]string
		for _, kind := range providers.Kinds {
			for _, t := range s.Types(kind) {
				rows = append(rows, []string{kind, t.Name, t.Doc})
			}
		}
		p.table(nil, rows)
	}
}

// describe writes all that a block of a type may contain, and what comes of it.
func (p *typePrinter) describe(s *schema.Provider, kind string, t schema.Type) {
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	fmt.Fprintf(&p.out, "%s, of provider %s %s\n", p.bold(fmt.Sprintf("%s %q", kind, t.Name)), s.Name, s.Version)
	p.paragraph("  ", t.Doc)
	for _, sentence := range reference.AbilitiesText(t) {
		p.paragraph("  ", sentence)
	}
	p.body("Arguments", t.Body)
	var rows [][]string
	for _, o := range t.Outputs {
		rows = append(rows, []string{o.Name, string(o.Type), o.Doc})
	}
	p.section("Outputs", []string{"output", "type", "meaning"}, rows)
	rows = nil
	for _, m := range t.Measures {
		rows = append(rows, []string{m.Name, reference.UnitText(m), reference.BetterText(m), strings.TrimSpace(m.Doc + " " + reference.KeysText(m))})
	}
	p.section("Measures", []string{"measure", "unit", "better", "meaning"}, rows)
}

// config writes what the provider block takes.
func (p *typePrinter) config(s *schema.Provider) {
	if len(s.Config.Attributes)+len(s.Config.Blocks) == 0 {
		return
	}
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	fmt.Fprintf(&p.out, "%s, version %s\n", p.bold(fmt.Sprintf("provider %q", s.Name)), s.Version)
	p.paragraph("  ", s.Doc)
	p.body("Arguments", s.Config)
}

func (p *typePrinter) body(title string, b schema.Block) {
	var rows [][]string
	for _, a := range b.Attributes {
		def := a.Default
		if a.Required {
			def = "required"
		}
		takes := reference.TypeText(a)
		if len(a.Enum) > 0 {
			takes = string(a.Kind)
		}
		meaning := []string{a.Doc}
		if len(a.Enum) > 0 {
			meaning = append(meaning, upperFirst(reference.TypeText(a))+".")
		}
		if limits := reference.LimitsText(a); limits != "" {
			meaning = append(meaning, upperFirst(limits)+".")
		}
		if notes := reference.NotesText(a); notes != "" {
			meaning = append(meaning, notes)
		}
		rows = append(rows, []string{a.Name, takes, def, strings.Join(meaning, " ")})
	}
	p.section(title, []string{"argument", "type", "default", "meaning"}, rows)
	for _, n := range b.Blocks {
		if same := reference.SameBody(b.Blocks, n); same != "" {
			fmt.Fprintf(&p.out, "\n%s\n", p.bold(title+" in "+n.Header()+": those in "+same))
			continue
		}
		p.body(title+" in "+n.Header(), n.Body)
	}
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (p *typePrinter) section(title string, header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(&p.out, "\n%s\n", p.bold(title))
	p.table(header, rows)
}

// table writes rows in columns; the last one is broken at blanks. A column that is empty in all rows is left out.
func (p *typePrinter) table(header []string, rows [][]string) {
	all := rows
	if header != nil {
		all = append([][]string{header}, rows...)
	}
	widths := make([]int, len(all[0]))
	for _, r := range all {
		for i, c := range r {
			widths[i] = max(widths[i], displaywidth.String(c))
		}
	}
	filled := make([]bool, len(widths))
	for _, r := range rows {
		for i, c := range r {
			filled[i] = filled[i] || c != ""
		}
	}
	for _, r := range all {
		left := "  "
		for i, c := range r[:len(r)-1] {
			if !filled[i] {
				continue
			}
			left += c + strings.Repeat(" ", widths[i]-displaywidth.String(c)+2)
		}
		p.paragraph(left, r[len(r)-1])
	}
}

// paragraph writes a text behind what stands left of it on the first line, broken at blanks. What is left is at least wide enough to
// read.
func (p *typePrinter) paragraph(left, text string) {
	indent := displaywidth.String(left)
	room := max(p.width-indent, 30)
	line, w := left, 0
	for _, word := range strings.Fields(text) {
		n := displaywidth.String(word)
		if w > 0 && w+1+n > room {
			p.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, w = strings.Repeat(" ", indent), 0
		}
		if w > 0 {
			line, w = line+" ", w+1
		}
		line, w = line+word, w+n
	}
	p.out.WriteString(strings.TrimRight(line, " ") + "\n")
}
