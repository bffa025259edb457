package chart

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAxis(t *testing.T) {
	tests := []struct {
		lo, hi, height float64
		rooms          []room
		want           string
		end            float64
	}{
		{0, 612, 150, nil, "0 200 400 600", 700},
		{0, 612, 150, []room{{value: 612, above: 30}}, "0 200 400 600 800", 800},
		{0, 0, 150, nil, "0 0.2 0.4 0.6 0.8 1.0", 1},
		{-12, 33, 150, nil, "−10 0 10 20 30", 35},
		{0, 23456, 150, nil, "0 5000 10\u2009000 15\u2009000 20\u2009000 25\u2009000", 25000},
		{0, 1e9, 150, nil, "0 2e8 4e8 6e8 8e8 1e9", 1e9},
		{0, 3e-9, 150, nil, "0 1e−9 2e−9 3e−9", 3e-9},
		{0, 0.75, 90, nil, "0 0.25 0.50 0.75", 0.75},
		{5, 5, 150, nil, "0 1 2 3 4 5", 5},
		{0, 5e-324, 150, nil, "0 0.2 0.4 0.6 0.8 1.0", 1},
		{-1e300, 1e300, 150, nil, "−1e300 −5e299 0 5e299 1e300", 1e300},
	}
	for _, tt := range tests {
		a := newAxis(tt.lo, tt.hi, tt.height, tt.rooms)
		got := strings.Join(a.labels(), " ")
		if got != tt.want || math.Abs(a.hi-tt.end) > 1e-9*math.Abs(tt.end) {
			t.Errorf("%v to %v: ticks %s up to %v, want %s up to %v", tt.lo, tt.hi, got, a.hi, tt.want, tt.end)
		}
		for _, r := range tt.rooms {
			if a.norm(r.value)*tt.height+r.above > tt.height {
				t.Errorf("%v to %v: no room above %v", tt.lo, tt.hi, r.value)
			}
		}
	}
}

func TestSpan(t *testing.T) {
	line := func(ys ...float64) Figure {
		return Figure{Kind: "lines", X: make([]string, len(ys)), Series: []Series{{"", values("", 0, ys...)}}}
	}
	flat, bars, limited := line(95, 100), line(95, 100), line(95, 100)
	bars.Kind = "bars"
	limited.Limits = []Limit{{120, "l"}, {1e6, "far"}}
	tests := []struct {
		name   string
		figure Figure
		lo, hi float64
	}{
		{"lines", line(1, 10), 0, 10},
		{"nearly equal lines", flat, 95, 100},
		{"bars", bars, 0, 100},
		{"with a limit", limited, 0, 120},
		{"negative", line(-5, 5), -5, 5},
		{"equal", line(7, 7), 0, 7},
	}
	for _, tt := range tests {
		lo, hi := (&plot{Figure: tt.figure}).span()
		if lo != tt.lo || hi != tt.hi {
			t.Errorf("%s: %v to %v, want %v to %v", tt.name, lo, hi, tt.lo, tt.hi)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		text  string
		width float64
		lines int
		want  string
		fits  bool
	}{
		{"", 100, 2, "", true},
		{"one line", 100, 2, "one line", true},
		{"6 x SAS SSD, RAID 5, healthy", 62, 3, "6 x SAS SSD,|RAID 5, healthy", true},
		{"KPI read_iops ≥ 100 kIOPS", 70, 3, "KPI read_iops|≥ 100 kIOPS", true},
		{"612 MB/s", 30, 2, "612|MB/s", true},
		{"未完成的测试，没有结果", 50, 3, "未完成的测|试，没有结|果", true},
		{"bandwidth", 20, 2, "ba…", false},
		{"one two three four", 24, 2, "one|two…", false},
		{"storage_filesystem", 45, 2, "storage_|filesystem", true},
	}
	for _, tt := range tests {
		lines, fits := tickText.wrap(tt.text, tt.width, tt.lines)
		if got := strings.Join(lines, "|"); got != tt.want || fits != tt.fits {
			t.Errorf("%q in %v: %q, %v; want %q, %v", tt.text, tt.width, got, fits, tt.want, tt.fits)
		}
		for _, l := range lines {
			if tickText.width(l) > tt.width {
				t.Errorf("%q is wider than %v", l, tt.width)
			}
		}
	}
}

func TestSpread(t *testing.T) {
	tests := []struct {
		name            string
		wishes, heights []float64
		want            []float64
	}{
		{"apart", []float64{10, 50}, []float64{10, 10}, []float64{10, 50}},
		{"equal", []float64{50, 50}, []float64{10, 10}, []float64{45, 55}},
		{"three", []float64{49, 50, 51}, []float64{10, 20, 10}, []float64{35, 50, 65}},
		{"at the bottom", []float64{0, 0}, []float64{10, 10}, []float64{5, 15}},
		{"at the top", []float64{100, 100}, []float64{10, 10}, []float64{85, 95}},
		{"one pushes the next", []float64{50, 52, 61}, []float64{10, 10, 10}, []float64{44.333, 54.333, 64.333}},
		{"none", nil, nil, nil},
	}
	for _, tt := range tests {
		got := spread(tt.wishes, tt.heights, 0, 100)
		for i := range got {
			got[i] = math.Round(got[i]*1000) / 1000
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}

// TestFontsCoverGB2312 holds the embedded subset to the list beside it.
func TestFontsCoverGB2312(t *testing.T) {
	list, err := os.ReadFile("fonts/gb2312.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(list), "\n", "")
	if n := len([]rune(text)); n < 7445 { // what GB 2312-80 defines
		t.Errorf("%d characters, want 7445 at least", n)
	}
	if missing := MissingGlyphs(text); len(missing) > 0 {
		t.Errorf("without a glyph: %q", missing)
	}
}

func TestMissingGlyphs(t *testing.T) {
	tests := []struct {
		text string
		want []rune
	}{
		{"", nil},
		{"KPI ≥ 5 µs, ±3 %, 10\u202f000 → 12 – 未完成", nil},
		{"a 🦫 b 🦫 한", []rune{'🦫', '한'}},
		{"tab\tnewline\njoiner\u200d", nil},
		{"\xff", []rune{'\uFFFD'}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, MissingGlyphs(tt.text)); d != "" {
			t.Errorf("%q: %s", tt.text, d)
		}
	}
}

// TestChineseIsDrawn compares pixels: Han, the box for what no font has, and nothing are three different pictures.
func TestChineseIsDrawn(t *testing.T) {
	var got [][]byte
	for _, title := range []string{"阵列", "阵阵", "🦫🦫", ""} {
		_, png := render(t, Figure{Title: title, X: []string{"a"}, Series: []Series{{"", values("B", 0, 1)}}})
		for _, other := range got {
			if bytes.Equal(png, other) {
				t.Errorf("%q looks like another title", title)
			}
		}
		got = append(got, png)
	}
}

// TestSeriesDifferWithoutColour holds that a black-and-white print tells series apart: seven of bars by hatch or by luminance
// (ITU-R BT.709, linear), twice as many lines by marker.
func TestSeriesDifferWithoutColour(t *testing.T) {
	linear := func(c uint8) float64 { return math.Pow(float64(c)/255, 2.2) }
	luminance := func(s shade) float64 { return 0.2126*linear(s.r) + 0.7152*linear(s.g) + 0.0722*linear(s.b) }
	for i := range 2 * len(palette) {
		a := lookOf(i)
		if a.fill == alarm {
			t.Errorf("series %d has the colour of limits", i)
		}
		for j := range i {
			b := lookOf(j)
			if i < len(palette) && a.hatch == b.hatch && math.Abs(luminance(a.fill)-luminance(b.fill)) < 0.15 {
				t.Errorf("bars of series %d and %d print alike", j, i)
			}
			if a.marker == b.marker && a.hollow == b.hollow {
				t.Errorf("lines of series %d and %d print alike", j, i)
			}
		}
	}
}

func TestMarkersDiffer(t *testing.T) {
	var shapes [][]point
	for m := range markers {
		s := markerShape(m, point{}, 1)
		if slices.ContainsFunc(shapes, func(o []point) bool { return slices.Equal(o, s) }) {
			t.Errorf("marker %d looks like another", m)
		}
		shapes = append(shapes, s)
	}
}

func TestHatchingStaysInside(t *testing.T) {
	r := rect{10, 20, 31, 57}
	for h := rising; h <= upright; h++ {
		lines := hatching(r, h, false)
		if len(lines) < 3 {
			t.Errorf("hatch %d has %d lines", h, len(lines))
		}
		if b := bounds(lines...); !b.within(r.grow(1e-9)) {
			t.Errorf("hatch %d covers %v, want %v at most", h, b, r)
		}
	}
	if len(hatching(r, plain, false)) > 0 {
		t.Error("plain has lines")
	}
}
