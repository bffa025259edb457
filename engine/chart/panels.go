package chart

import (
	"fmt"
	"math"
)

// ranges are common to the panels of a figure.
type ranges struct{ x, y [2]float64 }

// checkPanels finds panels that cannot be drawn together.
func (f Figure) checkPanels() error {
	for _, p := range f.Panels {
		switch {
		case len(p.Panels) > 0:
			return fmt.Errorf("chart %q, panel %q: a panel has no panels of its own", f.Title, p.Title)
		case p.Kind != f.Kind || p.Scale != f.Scale || p.YScale != f.YScale || p.Dots != f.Dots:
			return fmt.Errorf("chart %q, panel %q: it is of another kind or scale than the whole", f.Title, p.Title)
		}
		if err := p.check(); err != nil {
			return fmt.Errorf("chart %q: %w", f.Title, err)
		}
	}
	if len(f.X)+len(f.Series)+len(f.Curves)+len(f.Cells)+len(f.Limits)+len(f.XLimits)+len(f.Marks) > 0 {
		return fmt.Errorf("chart %q: what is drawn and its limits belong to the panels", f.Title)
	}
	if n := len(f.Panels); n > mostPanels {
		return fmt.Errorf("chart %q: %d panels: at most %d can be drawn; narrow it by where", f.Title, n, mostPanels)
	}
	return nil
}

// mostPanels is how many panels one figure has at most, and panelHeight the height of one, with its heading.
const (
	mostPanels  = 40
	panelHeight = 148.0
)

// columns is how many panels stand side by side.
func (f Figure) columns() int {
	if n := f.widest(); len(f.Panels) == 1 || f.Kind == kindHeatmap && n > 5 || f.Kind != kindHeatmap && n > 12 {
		return 1
	}
	if n := len(f.Panels); n%3 == 0 && f.widest() <= 4 && f.Kind != kindHeatmap {
		return 3
	}
	return 2
}

// widest is the most bars, cells in a row or categories of lines that a panel has; of curves, which have none, 5.
func (f Figure) widest() int {
	if f.Kind == kindCurves {
		return 5
	}
	n := 0
	for _, p := range f.Panels {
		each := 1
		if p.bars() {
			each = max(1, len(p.Series))
		}
		n = max(n, len(p.X)*each)
	}
	return n
}

// layoutPanels places the panels in rows under one header, all on the same scales.
func (f Figure) layoutPanels() *scene {
	whole := f.tidy()
	first := whole.Panels[0]
	whole.X, whole.Series, whole.Curves = first.X, first.Series, first.Curves // what the legend lists
	for _, p := range whole.Panels {
		if len(p.names()) > len(whole.names()) {
			whole.X, whole.Series, whole.Curves = p.X, p.Series, p.Curves
		}
		whole.Limits, whole.XLimits = append(whole.Limits, p.Limits...), append(whole.XLimits, p.XLimits...)
	}
	columns := f.columns()
	rows := (len(f.Panels) + columns - 1) / columns
	probe := &plot{Figure: whole, scene: &scene{}, page: rect{0, 0, Width, Height}}
	top := Height - probe.header() // what the header takes
	total := math.Ceil(top + float64(rows)*panelHeight + probe.footer())
	p := &plot{Figure: whole, scene: &scene{w: Width, h: total}, page: rect{0, 0, Width, total}}
	foot, head := p.footer(), p.header()
	if len(p.name.lines) > 0 {
		p.name.at.x = Width / 2
		p.scene.add(p.name)
	}
	common := whole.common()
	wide := (Width - 6) / float64(columns)
	for i, one := range whole.Panels {
		x0, y1 := 3+float64(i%columns)*wide, head-float64(i/columns)*panelHeight
		one.YLabel = p.YLabel // for the labels of values, which leave its unit out
		one.shared = common
		q := &plot{Figure: one, scene: p.scene, page: rect{x0, y1 - panelHeight, x0 + wide, y1}}
		q.scene.add(label{role: rolePanel, lines: []string{panelText.truncate(one.Title, wide-2*margin)}, style: panelText, at: point{x0 + margin, y1 - 4}, ay: 1})
		q.area = rect{x0 + margin, math.Max(y1-panelHeight+4, foot), x0 + wide - margin + 4, y1 - 4 - panelText.size*1.6}
		q.bare = true
		q.place()
	}
	return p.scene
}

// common gives ranges that hold what all panels show.
func (f Figure) common() *ranges {
	c := &ranges{[2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}}
	grow := func(r *[2]float64, lo, hi float64) { r[0], r[1] = math.Min(r[0], lo), math.Max(r[1], hi) }
	for _, p := range f.Panels {
		switch f.Kind {
		case kindCurves:
			if x, y, ok := p.extent(); ok {
				grow(&c.x, x[0], x[1])
				grow(&c.y, y[0], y[1])
			}
		case kindHeatmap:
			if lo, hi, ok := p.heatRange(); ok {
				grow(&c.y, lo, hi)
			}
		default:
			lo, hi := (&plot{Figure: p}).span()
			grow(&c.y, lo, hi)
		}
	}
	return c
}
