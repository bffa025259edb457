package plan

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/profiles"
	"github.com/hashicorp/hcl/v2"
)

// tables reads the tables from which tests and loads are imported, checks them, and counts the repetitions of each.
func (b *builder) tables() hcl.Diagnostics {
	type source struct {
		block addr.Block
		file  string
	}
	users := map[source][]*spec.Instance{}
	exists := map[addr.Block]map[string]bool{} // coordinates of the instances of a block
	var order []source
	for _, t := range b.runs() {
		if exists[t.Addr.Block] == nil {
			exists[t.Addr.Block] = map[string]bool{}
		}
		exists[t.Addr.Block][t.Addr.Coordinates.String()] = true
		if t.Import == nil || !t.Import.Table || len(t.Import.Files) != 1 || t.Skip != "" {
			continue
		}
		s := source{t.Addr.Block, t.Import.Files[0]}
		if users[s] == nil {
			order = append(order, s)
		}
		users[s] = append(users[s], t)
	}
	var diags hcl.Diagnostics
	for _, s := range order {
		diags = append(diags, b.table(s.file, users[s], exists[s.block])...)
	}
	return diags
}

// table reads one table for the tests that come from it, all of one block.
func (b *builder) table(file string, tests []*spec.Instance, exists map[string]bool) hcl.Diagnostics {
	first := tests[0]
	raw, err := b.req.read(file)
	if err != nil {
		return hcl.Diagnostics{diag.Error(first.Import.Range, "Cannot read", "The results of %s are to be taken from %q: %s.", first.Addr.Block, file, err)}
	}
	report := func(severity hcl.DiagnosticSeverity, summary string, problems []imported.Problem) hcl.Diagnostics {
		return located(problems, severity, summary, first.Import.Range, file)
	}
	shape := b.shape(first)
	t, problems := imported.Read(first.Import.Format, raw, shape)
	if len(problems) > 0 {
		return report(hcl.DiagError, "Wrong table of results", problems)
	}
	if problems = t.Strangers(shape.Axes); len(problems) > 0 {
		return report(hcl.DiagError, "Wrong table of results", problems)
	}
	diags := report(hcl.DiagWarning, "Row without a "+first.Addr.Kind, t.Unused(shape.Axes, exists))
	var lacking []string
	for _, inst := range tests {
		reps, problems := t.Repetitions(inst.Addr.Coordinates)
		diags = append(diags, report(hcl.DiagError, "Wrong table of results", problems)...)
		if inst.Repeat = max(1, len(reps)); len(reps) == 0 {
			lacking = append(lacking, inst.Addr.String())
		}
	}
	if len(lacking) > 0 {
		const few = 5
		if n := len(lacking) - few; n > 1 {
			lacking = append(lacking[:few:few], fmt.Sprintf("%d more", n))
		}
		diags = append(diags, diag.Error(first.Import.Range, "No results",
			"%q has no row for %s. Add one, whose outcome may say why there is no figure; or exclude the combination from the matrix, or skip the %s.",
			file, strings.Join(lacking, ", "), first.Addr.Kind))
	}
	return diags
}

// located places problems in the table, which stands beside the spec. What is about the table as a whole is placed where the spec
// names it.
func located(problems []imported.Problem, severity hcl.DiagnosticSeverity, summary string, named hcl.Range, file string) (diags hcl.Diagnostics) {
	name := path.Join(path.Dir(named.Filename), file)
	for _, p := range problems {
		at, text := named, p.Text
		if p.Line > 0 {
			pos := hcl.Pos{Line: p.Line, Column: 1}
			at = hcl.Range{Filename: name, Start: pos, End: pos}
		} else {
			text = name + ": " + text
		}
		d := diag.Error(at, summary, "%s", text)
		d.Severity = severity
		diags = append(diags, d)
	}
	return diags
}

func (r Request) read(name string) ([]byte, error) {
	if r.ReadFile == nil {
		return nil, errors.New("no file of the spec's folder can be read here")
	}
	return r.ReadFile(name)
}

// Evaluation is what evaluating the spec needs, but for the promises of setups.
func (r Request) Evaluation(set *providers.Set) eval.Options {
	limits, err := profiles.All()
	if err != nil {
		panic(err) // they are part of the program, and its tests read them
	}
	for _, s := range set.Schemas() {
		limits = append(limits, s.Profiles...)
	}
	return eval.Options{Profiles: limits, Variables: r.Variables, Types: set.Types, Providers: set.Schemas(), Glob: r.Glob, ReadFile: r.ReadFile, Quotes: r.quotes}
}

// quotes reads a table of published comparisons.
func (r Request) quotes(f eval.QuoteFile) ([]spec.Quote, hcl.Diagnostics) {
	raw, err := r.read(f.Path)
	if err != nil {
		return nil, hcl.Diagnostics{diag.Error(f.Range, "Cannot read", "Published figures are to be taken from %q: %s.", f.Path, err)}
	}
	var others []string
	for _, a := range f.Others {
		others = append(others, a.Name)
	}
	quotes, problems := imported.Quotes(f.Format, raw, columnsOf(f.Axes), others, *f.Measure)
	if len(problems) > 0 {
		return nil, located(problems, hcl.DiagError, "Wrong table of figures", f.Range, f.Path)
	}
	var out []spec.Quote
	for _, q := range quotes {
		out = append(out, spec.Quote{At: q.At, Change: q.Change, Ratio: q.Ratio, Difference: q.Difference, Source: fmt.Sprintf("%s line %d", f.Path, q.Line)})
	}
	return out, nil
}

func columnsOf(axes []spec.Axis) []imported.Axis {
	var out []imported.Axis
	for _, a := range axes {
		ax := imported.Axis{Name: a.Name}
		for _, c := range a.Cases {
			ax.Cases = append(ax.Cases, c.Name)
		}
		out = append(out, ax)
	}
	return out
}

// shape says which columns a table for a test may have.
func (b *builder) shape(inst *spec.Instance) imported.Shape {
	s := imported.Shape{Measures: inst.Type.Measures}
	for _, a := range b.spec.Axes {
		if _, has := inst.Addr.Coordinates[a.Name]; !has {
			s.Others = append(s.Others, a.Name)
			continue
		}
		s.Axes = append(s.Axes, columnsOf([]spec.Axis{a})...)
	}
	return s
}

// Shape says which columns the table of an imported test may have, with no other cases than those of the test.
func (t *Test) Shape(typ *schema.Type) imported.Shape {
	s := imported.Shape{Measures: typ.Measures}
	for _, a := range t.Coordinates.Axes() {
		s.Axes = append(s.Axes, imported.Axis{Name: a, Cases: []string{t.Coordinates[a]}})
	}
	return s
}
