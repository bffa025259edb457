package reference

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
)

func (w *writer) profile(p *schema.Profile) {
	w.printf("\n## Profile %s\n\n%s, version %s. %s\n", p.Name, p.Title, p.Version, p.Doc)
	each := ""
	if len(p.Each) > 0 {
		each = ", for each " + strings.Join(p.Each, " and ")
	}
	w.printf("\nOf the repetitions the %s decides%s.\n", cmp.Or(p.Statistic, "median"), each)
	header := []string{"measure"}
	for _, k := range p.Keys {
		header = append(header, "`"+k+"`")
	}
	header = append(header, "limit", "source")
	w.WriteString("\n")
	w.row(header...)
	w.row(slices.Repeat([]string{"---"}, len(header))...)
	line := func(measure string, at map[string]string, limit, source string) {
		cells := []string{"`" + measure + "`"}
		for _, k := range p.Keys {
			cells = append(cells, cmp.Or(at[k], "any"))
		}
		w.row(append(cells, limit, source)...)
	}
	for _, l := range p.Limits {
		line(l.Measure, l.At, l.Text(), strings.Join(l.Sources, ", "))
	}
	for _, r := range p.Informative {
		line(r.Measure, r.At, "informative", "")
	}
	w.WriteString("\n| source | |\n| --- | --- |\n")
	for _, s := range slices.Sorted(maps.Keys(p.Sources)) {
		w.row(s, p.Sources[s])
	}
}
