package chart

import (
	"bytes"
	"image/png"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSpikeSurvives draws a hundred thousand points of which one is far above the others, and looks for it in the picture.
func TestSpikeSurvives(t *testing.T) {
	for _, spike := range []struct {
		at    int
		value float64
	}{{0, 1900}, {40_000, 1900}, {99_999, 1900}, {33_333, 20}} {
		c := course(100_000, 0.1, 1060, 0.3)
		c.Y[spike.at] = spike.value
		f := Figure{Kind: kindCurves, Curves: []Curve{c}, Limits: []Limit{{2000, ""}}}
		p := &plot{Figure: f, scene: &scene{}, page: rect{0, 0, Width, Height}, area: rect{margin, 40, Width - margin, 240}}
		p.place()
		want := point{p.xAt(c.X[spike.at]), p.yAt(spike.value)}
		_, img := render(t, f)
		picture, err := png.Decode(bytes.NewReader(img))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		whole := f.layout()
		for _, it := range whole.items {
			if s, ok := it.(stroke); ok && s.role == roleLine && s.width < 1 {
				for _, l := range s.lines {
					for _, at := range l {
						if math.Abs(at.x-want.x) > 60 { // axes of the whole lie elsewhere
							continue
						}
						x, y := int(at.x*DPI/72), int((Height-at.y)*DPI/72)
						high, low := at.y > 220, at.y < 60
						if spike.value > 1500 && high || spike.value < 100 && low {
							for dx := -1; dx <= 1; dx++ {
								r, g, b, _ := picture.At(x+dx, y).RGBA()
								found = found || r>>8 < 235 && b > r && g > r
							}
						}
					}
				}
			}
		}
		if !found {
			t.Errorf("the spike to %v at point %d does not show", spike.value, spike.at)
		}
	}
}

// TestReduce holds what is drawn to all points: in each column the first, the least, the greatest and the last.
func TestReduce(t *testing.T) {
	c := course(5000, 1, 100, 0.5)
	c.Y[777], c.Y[778] = 500, -500
	p := &plot{area: rect{0, 0, 100, 100}, across: scaleAxis(linear, 0, 4999, 5, false), y: scaleAxis(linear, -500, 500, 5, false)}
	const column = 0.75
	want := map[int][4]float64{}
	got := map[int][4]float64{}
	fill := func(m map[int][4]float64, at point) {
		k := int(at.x / column)
		v, ok := m[k]
		if !ok {
			v = [4]float64{at.y, at.y, at.y, at.y}
		}
		m[k] = [4]float64{v[0], math.Min(v[1], at.y), math.Max(v[2], at.y), at.y}
	}
	for _, at := range p.whole(c, [2]int{0, 5000}) {
		fill(want, at)
	}
	pts := p.reduce(c, [2]int{0, 5000}, column)
	for _, at := range pts {
		fill(got, at)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(pts) > 4*134 || !slices.IsSortedFunc(pts, func(a, b point) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	}) {
		t.Errorf("%d points, or not in order", len(pts))
	}
}

func TestRuns(t *testing.T) {
	c := Curve{X: []float64{0, 1, 2, 10, 11, 30}, Gap: 5}
	if d := cmp.Diff([][2]int{{0, 3}, {3, 5}, {5, 6}}, c.runs()); d != "" {
		t.Error(d)
	}
	c.Gap = 0
	if d := cmp.Diff([][2]int{{0, 6}}, c.runs()); d != "" {
		t.Error(d)
	}
	if got := (Curve{}).runs(); got != nil {
		t.Error(got)
	}
}

func TestScales(t *testing.T) {
	for _, tt := range []struct {
		scale  string
		lo, hi float64
		most   int
		wide   bool
		want   string
		ends   [2]float64
	}{
		{linear, 0, 599, 10, false, "0 100 200 300 400 500", [2]float64{0, 599}},
		{linear, 3, 3, 5, false, "2.0 2.5 3.0 3.5 4.0", [2]float64{2, 4}},
		{linear, 1e20, 1e20, 5, false, "6e19 8e19 1e20 1.2e20 1.4e20", [2]float64{5e19, 1.5e20}},
		{log10, 0.1, 88, 8, true, "0.1 1 10 100", [2]float64{0.1, 100}},
		{log10, 0.3, 8, 8, true, "0.2 0.5 1 2 5 10", [2]float64{0.2, 10}},
		{log10, 0.3, 8, 8, false, "0.5 1 2 5", [2]float64{0.3, 8}},
		{log10, 3, 3, 8, true, "1 2 5 10", [2]float64{1, 10}},
		{log10, 3.1, 3.4, 8, false, "3.1 3.2 3.3 3.4", [2]float64{3.1, 3.4}},
		{log10, 1e-9, 1e9, 5, true, "", [2]float64{1e-9, 1e9}},
		{log2, 1, 256, 10, false, "1 2 4 8 16 32 64 128 256", [2]float64{1, 256}},
		{log2, 1, 256, 5, false, "1 4 16 64 256", [2]float64{1, 256}},
		{nines, 0, 0.99999, 9, true, "0 50 90 99 99.9 99.99 99.999", [2]float64{0, 0.99999}},
		{nines, 0, 0.2, 9, true, "0 50", [2]float64{0, 0.5}},
	} {
		a := scaleAxis(tt.scale, tt.lo, tt.hi, tt.most, tt.wide)
		got := strings.Join(a.labels(), " ")
		if tt.lo != 1e-9 && got != tt.want || math.Abs(a.lo-tt.ends[0]) > 1e-9*math.Abs(a.lo) || math.Abs(a.hi-tt.ends[1]) > 1e-9*math.Abs(a.hi) {
			t.Errorf("%s %v to %v: %s from %v to %v, want %s from %v to %v", tt.scale, tt.lo, tt.hi, got, a.lo, a.hi, tt.want, tt.ends[0], tt.ends[1])
		}
		if n := len(a.ticks); n > max(tt.most, 10) || n < 2 {
			t.Errorf("%s %v to %v: %d ticks", tt.scale, tt.lo, tt.hi, n)
		}
	}
	a := scaleAxis(nines, 0, 0.999, 9, true)
	for v, want := range map[float64]float64{0: 0, 0.9: 1.0 / 3, 0.99: 2.0 / 3, 0.999: 1} {
		if got := a.norm(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v lies at %v on nines, want %v", v, got, want)
		}
	}
}

// TestMarksOverTime is about lines and shades of what happened, also beyond what is drawn.
func TestMarksOverTime(t *testing.T) {
	f := Figure{Kind: kindCurves, Curves: []Curve{course(100, 1, 50, 0)}, Marks: []Mark{
		{X: 10, Text: "fault"}, {X: 20, Until: 60, Text: "rebuild"}, {X: 200, Text: "long after"}, {X: -50, Until: -20, Text: "before"}, {X: 90, Until: 500, Text: "resync"}, {X: 21, Text: "hidden by none"},
	}}
	s := f.layout()
	lines, shades := 0, 0
	for _, it := range s.items {
		switch it := it.(type) {
		case stroke:
			if it.role == roleMark {
				lines += len(it.lines)
			}
		case polygon:
			if it.role == roleMark {
				shades++
			}
		}
	}
	if lines != 5 || shades != 2 {
		t.Errorf("%d lines and %d shades, want 5 and 2", lines, shades)
	}
	got := strings.Join(texts(s, roleMark), ", ")
	if want := "fault, rebuild, resync, hidden by none"; got != want {
		t.Errorf("texts %s, want %s", got, want)
	}
	if want := "fault; rebuild; long after; before; resync; hidden by none"; !strings.Contains(f.describe(), want) {
		t.Errorf("described as %s", f.describe())
	}
}

func TestCurveErrors(t *testing.T) {
	curve := func(c Curve) Figure { return Figure{Title: "T", Kind: kindCurves, Curves: []Curve{c}} }
	scaled := func(x, y string, c Curve) Figure {
		f := curve(c)
		f.Scale, f.YScale = x, y
		return f
	}
	one := Curve{Name: "c", X: []float64{1}, Y: []float64{1}}
	marked := scaled(log10, "", one)
	marked.Marks = []Mark{{X: 1}}
	lines := Figure{Title: "T", Kind: kindLines, X: []string{"a"}, Series: []Series{{"", make([]Point, 1)}}, XLimits: []Limit{{1, "l"}}}
	cell := func(v float64, n int) Figure {
		return Figure{Title: "T", Kind: kindHeatmap, X: []string{"a"}, Rows: []string{"r"}, Cells: [][]Cell{make([]Cell, n)}, Scale: log10, Foot: string(rune('0' + int(v)))}
	}
	mixed := Figure{Title: "T", Kind: kindBars, Panels: []Figure{{Title: "p", Kind: kindLines}}}
	nested := Figure{Title: "T", Kind: kindBars, Panels: []Figure{{Title: "p", Kind: kindBars, Panels: make([]Figure, 1)}}}
	limited := Figure{Title: "T", Kind: kindBars, Limits: []Limit{{1, ""}}, Panels: []Figure{{Title: "p", Kind: kindBars}}}
	many := Figure{Title: "T", Kind: kindBars, Panels: make([]Figure, mostPanels+1)}
	for i := range many.Panels {
		many.Panels[i].Kind = kindBars
	}
	wrong := figures0()
	wrong.Title, wrong.Against = "T", &Against{Shares: [][]float64{nil}}
	short := figures0()
	short.Title, short.Against = "T", &Against{Shares: [][]float64{nil, nil, nil}}
	for _, tt := range []struct {
		figure Figure
		want   string
	}{
		{curve(Curve{Name: "c", X: []float64{1}}), `curve "c": 1 values of x, 0 of y`},
		{curve(Curve{Name: "c", X: []float64{1}, Y: []float64{1}, Lo: []float64{1}}), `1 and 0 of its band`},
		{curve(Curve{Name: "c", X: []float64{1}, Y: []float64{1}, Lo: []float64{2}, Hi: []float64{3}}), `band 2 to 3 does not hold 1`},
		{curve(Curve{Name: "c", X: []float64{1}, Y: []float64{math.NaN()}}), `NaN has no place on a linear scale`},
		{curve(Curve{Name: "c", X: []float64{2, 1}, Y: []float64{1, 1}}), `x value 1 stands after 2: put the points in order`},
		{scaled(log10, "", Curve{Name: "c", X: []float64{0}, Y: []float64{1}}), `x value 0 has no place on a log10 scale`},
		{scaled("", log10, Curve{Name: "c", X: []float64{0}, Y: []float64{0}}), `0 has no place on a log10 scale`},
		{scaled(nines, "", one), `x value 1 has no place on a nines scale`},
		{scaled("", "ln", one), `unknown scale of y "ln"`},
		{marked, `marks stand at values of x: draw curves, with x on a linear scale`},
		{lines, `only curves have limits on x, and targets`},
		{cell(1, 2), `row "r": 2 cells for 1 categories`},
		{cell(0, 1), `row "r" at "a": 0 has no place on a log10 scale`},
		{mixed, `panel "p": it is of another kind or scale than the whole`},
		{nested, `a panel has no panels of its own`},
		{limited, `what is drawn and its limits belong to the panels`},
		{many, `41 panels: at most 40 can be drawn`},
		{wrong, `shares of the baseline for 1 series, but there are 3`},
		{short, `series "baseline": 0 shares of the baseline for 5 categories`},
	} {
		if _, err := tt.figure.SVG(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
}

// TestPanelsShareScales asks that a value stands at the same height in every panel.
func TestPanelsShareScales(t *testing.T) {
	for _, name := range []string{"panels-bars", "panels-time", "panels-heat"} {
		f := at(t, name)
		s := f.layout()
		seen := map[string]int{}
		for _, l := range s.labels(roleYTick) {
			seen[l.lines[0]]++
		}
		for text, n := range seen {
			if n != len(f.Panels) {
				t.Errorf("%s: tick %s stands at %d panels of %d", name, text, n, len(f.Panels))
			}
		}
		if got := texts(s, rolePanel); len(got) != len(f.Panels) || got[0] != f.Panels[0].Title {
			t.Errorf("%s: headings %q", name, got)
		}
	}
}

// TestHeatValuesAreReadable looks at the colour of each value's text and of its cell.
func TestHeatValuesAreReadable(t *testing.T) {
	s := at(t, "heat").layout()
	n := 0
	for i, it := range s.items {
		l, ok := it.(label)
		if !ok || l.role != roleValue {
			continue
		}
		n++
		for k := i - 1; k >= 0; k-- {
			if p, ok := s.items[k].(polygon); ok && p.role == roleCell {
				if c := contrast(l.style.color, p.fill); c < 4.5 || !l.box().within(bounds(p.pts)) {
					t.Errorf("%q has a contrast of %.2f, or leaves its cell", l.lines, c)
				}
				break
			}
		}
	}
	if n != 41 {
		t.Errorf("%d values, want 41", n)
	}
}

func TestHeatMarksWhatIsBeyond(t *testing.T) {
	f := at(t, "heat")
	marks := func() int {
		n := 0
		for _, it := range f.layout().items {
			if p, ok := it.(polygon); ok && p.role == roleBeyond {
				n++
			}
		}
		return n
	}
	if got := marks(); got != 5 { // four cells, and one in the legend
		t.Errorf("%d marks, want 5", got)
	}
	f.Cells, f.Limits = [][]Cell{f.Cells[0]}, nil
	f.Rows = f.Rows[:1]
	if got := marks(); got != 0 {
		t.Errorf("%d marks where nothing is beyond a limit", got)
	}
}

// TestAgainstStandsClear asks that the strip of shares covers neither bars nor their labels.
func TestAgainstStandsClear(t *testing.T) {
	s := at(t, "against").layout()
	top, strip := 0.0, math.Inf(1)
	for _, it := range s.items {
		switch it := it.(type) {
		case polygon:
			if it.role == roleBar {
				top = math.Max(top, bounds(it.pts).y1)
			}
			if it.role == roleMarker {
				strip = math.Min(strip, bounds(it.pts).y0)
			}
		}
	}
	if !(top < strip) {
		t.Errorf("bars end at %v, the strip begins at %v", top, strip)
	}
	shares := 0
	for _, l := range s.labels(roleValue) {
		if l.at.y > strip-10 {
			shares++
		}
	}
	if shares != 10 {
		t.Errorf("%d shares are named, want 10: %q", shares, texts(s, roleValue))
	}
}

// BenchmarkMillionPoints draws one million points into an SVG. The target is under 0.5 CPU seconds (user and system) and 300 kB.
func BenchmarkMillionPoints(b *testing.B) {
	f := Figure{Kind: kindCurves, Title: "One million points", XLabel: "time (s)", YLabel: "bandwidth (MB/s)", Curves: []Curve{course(1_000_000, 0.01, 1060, 0.3)}}
	if _, err := at0().SVG(); err != nil { // reads the fonts
		b.Fatal(err)
	}
	var size int
	before := cpu(b)
	for b.Loop() {
		svg, err := f.SVG()
		if err != nil {
			b.Fatal(err)
		}
		size = len(svg)
	}
	b.ReportMetric((cpu(b)-before).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(size)/1000, "kB")
	if size > 300_000 {
		b.Errorf("%d bytes, more than 300 kB", size)
	}
}

func at0() Figure { return figures()[0].figure }

func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
