package report

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/addr"
)

// The page stays below 10 MB: each part has a share of it, in bytes, and says what it left out. The shares add up to 9.7 MB.
const (
	stepBytes       = 1000e3
	chainBytes      = 900e3
	verdictBytes    = 2000e3
	comparisonBytes = 1000e3
	plotBytes       = 1700e3
	zoomBytes       = 800e3
	figureBytes     = 1300e3
	restBytes       = 350e3
	hostBytes       = 100e3
)

// mostText is how many bytes of one text are shown.
const mostText = 2000

// part is a part of the page that is rendered already.
type part struct {
	HTML  template.HTML
	Shown int
	Left  int // items that had no room
}

// Empty reports that there is nothing to show.
func (p part) Empty() bool { return p.Shown+p.Left == 0 }

// pageWriter renders the parts of report.html. Its first error is kept.
type pageWriter struct {
	v         *view
	templates *template.Template
	coords    coordinateCodes
	chainAt   map[string]string // ids of the chains that are in the page, by address
	stepAt    map[string]string // ids of the steps likewise
	zooms     int               // pictures that can be zoomed
	err       error
}

func newPageWriter(v *view) (*pageWriter, error) {
	w := &pageWriter{v: v, coords: newCoordinateCodes(v), chainAt: map[string]string{}, stepAt: map[string]string{}}
	t := template.New("report").Funcs(template.FuncMap{
		"icon":    icon,
		"reason":  func(k judge.KPI) string { return cut(shortReason(k)) },
		"cut":     cut,
		"trim":    func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
		"verdict": verdictWord,
		"label":   v.cases.labelOf,
		"dir":     direction,
		"short":   func(label string) bool { return columns(label) <= 24 },
		"at":      w.coords.code,
		"axis":    w.coords.index,
		"base":    path.Base,
		"plural":  plural,
		"chain":   func(address string) string { return w.chainAt[address] },
		"step":    func(address string) string { return w.stepAt[address] },
		// A KPI mostly has the coordinates of what it judges: they are not said twice.
		"of": func(k judge.KPI) string { return strings.TrimSuffix(k.Of, "["+k.Coordinates.String()+"]") },
	})
	var err error
	if w.templates, err = t.Parse(pageTemplate); err == nil {
		_, err = t.New("parts").Parse(partsTemplate)
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return w, nil
}

// fill renders n items by one template, until their share of the page is used up. The first is always there.
func (w *pageWriter) fill(name string, share, n int, item func(int) any) part {
	var b bytes.Buffer
	for i := range n {
		before := b.Len()
		if w.err != nil {
			return part{}
		}
		if err := w.templates.ExecuteTemplate(&b, name, item(i)); err != nil {
			w.err = fmt.Errorf("report: report.html: %w", err)
		}
		if b.Len() > share && i > 0 {
			b.Truncate(before)
			return part{template.HTML(b.String()), i, n - i}
		}
	}
	return part{template.HTML(b.String()), n, 0}
}

// cut shortens what a tool may have made endless.
func cut(s string) string {
	if len(s) <= mostText {
		return s
	}
	n := mostText
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d more bytes)", s[:n], len(s)-n)
}

// filterAxis is an axis, or a key of results, by which the page is filtered.
type filterAxis struct {
	Name   string   `json:"name"`
	Labels []string `json:"labels"`
	Cases  []string `json:"cases"`
}

// coordinateCodes write coordinates as places: "1,,0" is the second case of the first axis and the first of the third.
type coordinateCodes struct {
	axes []filterAxis
	at   map[string]int            // of an axis in axes
	of   map[string]map[string]int // of a case in its axis
}

func newCoordinateCodes(v *view) coordinateCodes {
	c := coordinateCodes{at: map[string]int{}, of: map[string]map[string]int{}}
	add := func(axis, name string) {
		i, ok := c.at[axis]
		if !ok {
			i = len(c.axes)
			c.at[axis], c.of[axis] = i, map[string]int{}
			c.axes = append(c.axes, filterAxis{Name: axis})
		}
		if _, ok := c.of[axis][name]; !ok {
			c.of[axis][name] = len(c.axes[i].Cases)
			c.axes[i].Cases = append(c.axes[i].Cases, name)
			c.axes[i].Labels = append(c.axes[i].Labels, v.cases.labelOf(axis, name))
		}
	}
	for _, a := range v.in.Plan.Judgement.Axes {
		for _, k := range a.Cases {
			add(a.Name, k.Name)
		}
	}
	found := map[string]map[string]bool{} // keys that only the results bring
	for _, t := range v.tables {
		for _, r := range t.Rows {
			for axis, name := range r.Coordinates {
				if _, known := c.of[axis][name]; !known {
					if found[axis] == nil {
						found[axis] = map[string]bool{}
					}
					found[axis][name] = true
				}
			}
		}
	}
	for _, axis := range sortedKeys(found) {
		for _, name := range sortedKeys(found[axis]) {
			add(axis, name)
		}
	}
	return c
}

// code gives the places of coordinates. A case that nothing else has is left out: it cannot be asked for.
func (c coordinateCodes) code(of addr.Coordinates) string {
	parts := make([]string, len(c.axes))
	last := -1
	for axis, name := range of {
		i, ok := c.at[axis]
		if k, known := c.of[axis][name]; ok && known {
			parts[i] = fmt.Sprint(k)
			last = max(last, i)
		}
	}
	return strings.Join(parts[:last+1], ",")
}

// index is the place of an axis; −1 where there is none.
func (c coordinateCodes) index(axis string) int {
	if i, ok := c.at[axis]; ok {
		return i
	}
	return -1
}
