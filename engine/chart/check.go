package chart

import (
	"fmt"
	"math"
	"strings"
)

// largest is the magnitude up to which differences of values are sure to be finite.
const largest = 1e300

// check finds what cannot be drawn: the wrong number of points, numbers that are not finite, intervals upside down.
func (f Figure) check() error {
	switch f.Kind {
	case "", "bars", "lines":
	default:
		return fmt.Errorf("chart %q: unknown kind %q: expected bars or lines", f.Title, f.Kind)
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
	for _, l := range f.Limits {
		if !drawable(l.Y) {
			return fmt.Errorf("chart %q, limit %q: %v cannot be drawn: expected a finite number", f.Title, l.Label, l.Y)
		}
	}
	return nil
}

func (f Figure) checkX() error {
	log := false
	switch f.Scale {
	case "", "linear":
	case "log2", "log10":
		log = true
	default:
		return fmt.Errorf("chart %q: unknown scale %q: expected linear, log2 or log10", f.Title, f.Scale)
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
	if f.count() > manyValues {
		return strings.Join(parts, "; ")
	}
	for _, s := range f.Series {
		for i, p := range s.Points {
			what := p.Label
			switch {
			case p.Absent && p.Note == "":
				what = "no value"
			case p.Absent:
				what = p.Note
			case what == "":
				what = fmt.Sprintf("%.4g", p.Y)
			}
			add(strings.TrimSpace(s.Name+" "+f.X[i]) + ": " + what)
		}
	}
	for _, l := range f.Limits {
		add(l.Label)
	}
	return strings.Join(parts, "; ")
}
