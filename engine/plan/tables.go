package plan

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// tables reads the tables from which tests are imported, checks them, and counts the repetitions of each test.
func (b *builder) tables() hcl.Diagnostics {
	type source struct {
		block addr.Block
		file  string
	}
	users := map[source][]*spec.Instance{}
	exists := map[addr.Block]map[string]bool{} // coordinates of the instances of a block
	var order []source
	for _, t := range b.spec.Tests {
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
	raw, err := b.readFile(file)
	if err != nil {
		return hcl.Diagnostics{diag.Error(first.Import.Range, "Cannot read", "The results of %s are to be taken from %q: %s.", first.Addr.Block, file, err)}
	}
	name := path.Join(path.Dir(first.Range.Filename), file)
	report := func(severity hcl.DiagnosticSeverity, summary string, problems []imported.Problem) (diags hcl.Diagnostics) {
		for _, p := range problems {
			at := first.Import.Range
			text := p.Text
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
	shape := b.shape(first)
	t, problems := imported.Read(first.Import.Format, raw, shape)
	if len(problems) > 0 {
		return report(hcl.DiagError, "Wrong table of results", problems)
	}
	if problems = t.Strangers(shape.Axes); len(problems) > 0 {
		return report(hcl.DiagError, "Wrong table of results", problems)
	}
	diags := report(hcl.DiagWarning, "Row without a test", t.Unused(shape.Axes, exists))
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
		diags = append(diags, diag.Error(first.Import.Range, "Test without results",
			"%q has no row for %s. Add one, whose outcome may say why there is no figure; or exclude the combination from the matrix, or skip the test.",
			file, strings.Join(lacking, ", ")))
	}
	return diags
}

func (b *builder) readFile(name string) ([]byte, error) {
	if b.req.ReadFile == nil {
		return nil, errors.New("no file of the spec's folder can be read here")
	}
	return b.req.ReadFile(name)
}

// shape says which columns a table for a test may have.
func (b *builder) shape(inst *spec.Instance) imported.Shape {
	s := imported.Shape{Measures: inst.Type.Measures}
	for _, a := range b.spec.Axes {
		if _, has := inst.Addr.Coordinates[a.Name]; !has {
			s.Others = append(s.Others, a.Name)
			continue
		}
		ax := imported.Axis{Name: a.Name}
		for _, c := range a.Cases {
			ax.Cases = append(ax.Cases, c.Name)
		}
		s.Axes = append(s.Axes, ax)
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
