package eval

import (
	"path/filepath"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
)

// whenConstant evaluates the condition of a block that is the same in the whole spec; without one it is true.
func (e *evaluator) whenConstant(b *config.Plain) bool {
	a := b.Attrs["when"]
	if a == nil {
		return true
	}
	yes, ok := e.bool(e.constant(a.Expr), a)
	return yes || !ok
}

// quoted makes the instances of a comparison from a table of published figures: one for each row, whether its tests exist or not.
func (e *evaluator) quoted(c *config.Plain, cmp *comparison, baseline string) {
	a := c.Import.Attrs["path"]
	if a == nil {
		return // reported by config
	}
	file := QuoteFile{Format: "csv", Measure: cmp.measure, Range: a.Expr.Range(), Path: e.stringOf(e.constant(a.Expr), a)}
	if f := c.Import.Attrs["format"]; f != nil {
		file.Format = e.enum(e.constant(f.Expr), f, []string{"csv", "json"})
	}
	if file.Path == "" || file.Format == "" {
		return
	}
	if !filepath.IsLocal(file.Path) {
		e.errorf(file.Range, "Path outside of the spec", "%q leads out of the spec's folder; published figures stand beside the spec, so that they are reviewed with it.", file.Path)
		return
	}
	for i, ax := range e.out.Axes {
		if contains(cmp.of.axes, e.axisList[i].cfg.Name) {
			file.Axes = append(file.Axes, ax)
		} else {
			file.Others = append(file.Others, ax)
		}
	}
	quotes, diags := e.opts.Quotes(file)
	e.diags = append(e.diags, diags...)
	exists := map[string]bool{}
	e.combinations(cmp.of.axes, c.Range, func(at addr.Coordinates) { exists[at.String()] = true })
	for i := range quotes {
		q := &quotes[i]
		switch {
		case q.At[cmp.across] == baseline:
			e.errorf(file.Range, "Figure of the baseline", "%s is about %s = %s, which is the baseline itself; remove that row.", q.Source, cmp.across, baseline)
		case !exists[q.At.String()]:
			e.report(diag.Warning(file.Range, "Row without a combination", "%s is about %s, which is excluded from the matrix, so it is not used.", q.Source, q.At))
		default:
			cmp.list = append(cmp.list, spec.Comparison{
				Addr:    addr.Instance{Block: addr.Block{Kind: "compare", Name: c.Name}, Coordinates: q.At},
				Measure: cmp.measure, Across: cmp.across, Baseline: baseline, Quoted: q, Range: c.Range,
				Test:         cmp.of.at(q.At),
				BaselineTest: cmp.of.at(q.At.With(cmp.across, baseline)),
			})
		}
	}
	e.out.Comparisons = append(e.out.Comparisons, cmp.list...)
}
