package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// largest is the magnitude up to which differences of values are sure to be finite.
const largest = 1e300

// check finds what cannot be drawn: the wrong number of points, numbers that are not finite, intervals upside down.
func (f Figure) check() error {
	switch f.Kind {
	case "", kindBars, kindLines, kindCurves, kindHeatmap:
	default:
		return fmt.Errorf("chart %q: unknown kind %q: expected bars, lines, curves or heatmap", f.Title, f.Kind)
	}
	if len(f.Panels) > 0 {
		return f.checkPanels()
	}
	if err := f.checkX(); err != nil {
		return err
	}
	if n := len(f.X) * len(f.Series); n > MaxPoints {
		return fmt.Errorf("chart %q: %d points: at most %d can be drawn; split it by a facet or narrow it by where", f.Title, n, MaxPoints)
	}
	for _, s := range f.Series {
		if len(s.Points) != len(f.X) {
			return fmt.Errorf("chart %q, series %q: %d points for %d categories: give one for each, absent ones too",
				f.Title, s.Name, len(s.Points), len(f.X))
		}
		for i, p := range s.Points {
			if err := p.check(); err != nil {
				return fmt.Errorf("chart %q, series %q at %q: %w", f.Title, s.Name, f.X[i], err)
			}
		}
	}
	if err := f.checkMarks(); err != nil {
		return err
	}
	if err := f.checkAgainst(); err != nil {
		return err
	}
	kind := f.checkHeat
	if f.Kind != kindHeatmap {
		kind = f.checkCurves
	}
	if err := kind(); err != nil {
		return err
	}
	if len(f.XLimits)+len(f.Targets) > 0 && f.Kind != kindCurves {
		return fmt.Errorf("chart %q: only curves have limits on x, and targets", f.Title)
	}
	for _, t := range f.Targets {
		if !drawable(t.X) || !drawable(t.Y) {
			return fmt.Errorf("chart %q: a target at %v, %v cannot be drawn: expected finite numbers", f.Title, t.X, t.Y)
		}
	}
	for _, l := range append(slices.Clone(f.Limits), f.XLimits...) {
		if !drawable(l.Y) {
			return fmt.Errorf("chart %q, limit %q: %v cannot be drawn: expected a finite number", f.Title, l.Label, l.Y)
		}
	}
	return nil
}

func (f Figure) checkX() error {
	log := false
	switch f.Scale {
	case "", linear:
	case log2, log10:
		log = true
	default:
		if f.Scale != nines || f.Kind != kindCurves {
			return fmt.Errorf("chart %q: unknown scale %q: expected linear, log2 or log10", f.Title, f.Scale)
		}
	}
	switch f.YScale {
	case "", linear, log2, log10, percent:
	default:
		return fmt.Errorf("chart %q: unknown scale of y %q: expected linear, log2, log10 or percent", f.Title, f.YScale)
	}
	if len(f.XValues) == 0 {
		return nil
	}
	if f.bars() {
		return fmt.Errorf("chart %q: bars stand evenly spaced: leave XValues empty, or draw lines", f.Title)
	}
	if len(f.XValues) != len(f.X) {
		return fmt.Errorf("chart %q: %d x values for %d categories: give one for each, or none", f.Title, len(f.XValues), len(f.X))
	}
	for i, v := range f.XValues {
		if !drawable(v) {
			return fmt.Errorf("chart %q, category %q: x value %v cannot be drawn: expected a finite number", f.Title, f.X[i], v)
		}
		if log && v <= 0 {
			return fmt.Errorf("chart %q, category %q: x value %v has no place on a %s scale: use linear", f.Title, f.X[i], v, f.Scale)
		}
	}
	return nil
}

func (p Point) check() error {
	if p.Absent {
		return nil
	}
	if !drawable(p.Y) {
		return fmt.Errorf("%v cannot be drawn: expected a finite number; set Absent where there is none", p.Y)
	}
	if p.Bar && (!drawable(p.Lo) || !drawable(p.Hi) || p.Lo > p.Hi) {
		return fmt.Errorf("interval %v to %v cannot be drawn: expected two finite numbers, the lower first", p.Lo, p.Hi)
	}
	return nil
}

func drawable(v float64) bool { return math.Abs(v) <= largest } // false for NaN

// describe tells the figure in words, for those who cannot see it.
func (f Figure) describe() string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(f.Subtitle)
	add(f.YLabel)
	for _, m := range f.Marks {
		add(m.Text)
	}
	for _, p := range f.Panels {
		add(p.Title + ": " + p.describe())
	}
	if f.count() <= manyValues {
		add(f.values())
	}
	for _, c := range f.Curves {
		add(c.Name)
		for i, l := range c.Labels {
			add(fmt.Sprintf("%s: %.4g, %.4g", l, c.X[i], c.Y[i]))
		}
	}
	for _, l := range append(slices.Clone(f.Limits), f.XLimits...) {
		add(l.Label)
	}
	return strings.Join(parts, "; ")
}

// values tells the values in words.
func (f Figure) values() string {
	var parts []string
	add := func(s string) { parts = append(parts, s) }
	for i, row := range f.Cells {
		for k, c := range row {
			beyond := ""
			if c.Beyond {
				beyond = ", beyond a limit"
			}
			add(strings.TrimSpace(f.Rows[i]+" "+f.X[k]) + ": " + c.words() + beyond)
		}
	}
	for j, s := range f.Series {
		for i, p := range s.Points {
			share := ""
			if f.Against != nil && !math.IsNaN(f.Against.Shares[j][i]) {
				share = fmt.Sprintf(" (%.3g %% %s)", 100*f.Against.Shares[j][i], f.Against.Label)
			}
			add(strings.TrimSpace(s.Name+" "+f.X[i]) + ": " + p.words() + share)
		}
	}
	return strings.Join(parts, "; ")
}

// words tells a point.
func (p Point) words() string {
	switch {
	case p.Absent && p.Note == "":
		return "no value"
	case p.Absent:
		return p.Note
	case p.Label == "":
		return fmt.Sprintf("%.4g", p.Y)
	}
	return p.Label
}
