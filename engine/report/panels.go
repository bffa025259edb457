package report

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
)

// panelled makes one figure of the pictures that differ only in the facet of their plot. A single one stays as it is, and says its case.
func panelled(cs cases, p plan.Plot, pictures []figure) []figure {
	if p.Facet == "" {
		return pictures
	}
	together := map[string][]figure{}
	var order []addr.Coordinates
	for _, f := range pictures {
		c := without(f.Coordinates, p.Facet)
		if together[c.String()] == nil {
			order = append(order, c)
		}
		together[c.String()] = append(together[c.String()], f)
	}
	var out []figure
	for _, c := range order {
		same := together[c.String()]
		one := same[0].Chart
		if name, has := same[0].Coordinates[p.Facet]; len(same) == 1 {
			if has {
				one.Subtitle = joined(p.Facet+" = "+cs.labelOf(p.Facet, name), one.Subtitle)
			}
			same[0].Coordinates, same[0].Chart = c, one
			out = append(out, same[0])
			continue
		}
		shared := common(same)
		whole := chart.Figure{
			Title: one.Title, Subtitle: strings.Join(shared, "; "), Kind: one.Kind, Scale: one.Scale, YScale: one.YScale, Dots: one.Dots,
			XLabel: one.XLabel, YLabel: one.YLabel, Foot: one.Foot,
		}
		for _, o := range same {
			panel := o.Chart
			panel.Title = cs.labelOf(p.Facet, o.Coordinates[p.Facet])
			if !strings.ContainsAny(panel.Title, " ") {
				panel.Title = p.Facet + " = " + panel.Title
			}
			own := slices.DeleteFunc(subtitleParts(panel.Subtitle), func(s string) bool { return slices.Contains(shared, s) })
			if len(own) > 0 {
				panel.Title += " (" + strings.Join(own, "; ") + ")"
			}
			panel.Subtitle, panel.XLabel, panel.YLabel, panel.Foot = "", "", "", ""
			whole.Panels = append(whole.Panels, panel)
		}
		out = append(out, figure{Plot: p.Name, Coordinates: c, Chart: whole, More: same[0].More})
	}
	return out
}

func without(c addr.Coordinates, axis string) addr.Coordinates {
	var rest []string
	for a := range c {
		if a != axis {
			rest = append(rest, a)
		}
	}
	return c.Project(rest)
}

// subtitleParts are those of a subtitle.
func subtitleParts(subtitle string) []string {
	if subtitle == "" {
		return nil
	}
	return strings.Split(subtitle, "; ")
}

func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "; ")
}

// common are the parts of the subtitle that all pictures have.
func common(pictures []figure) []string {
	return slices.DeleteFunc(subtitleParts(pictures[0].Chart.Subtitle), func(s string) bool {
		return slices.ContainsFunc(pictures, func(f figure) bool { return !slices.Contains(subtitleParts(f.Chart.Subtitle), s) })
	})
}
