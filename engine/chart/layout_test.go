package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// at finds a figure of the tests by name.
func at(t *testing.T, name string) Figure {
	t.Helper()
	for _, f := range figures() {
		if f.name == name {
			return f.figure
		}
	}
	t.Fatalf("no figure %s", name)
	return Figure{}
}

// bounds gives the area of points.
func bounds(ptss ...[]point) rect {
	b := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, pts := range ptss {
		for _, p := range pts {
			b = rect{math.Min(b.x0, p.x), math.Min(b.y0, p.y), math.Max(b.x1, p.x), math.Max(b.y1, p.y)}
		}
	}
	return b
}

// TestNothingCollides asks of every figure what one would see at once: text within the page, no text on text, no value
// on a bar, an error bar or a marker.
func TestNothingCollides(t *testing.T) {
	for _, f := range figures() {
		t.Run(f.name, func(t *testing.T) {
			s := f.figure.layout()
			var labels []label
			for _, it := range s.items {
				if l, ok := it.(label); ok {
					labels = append(labels, l)
				}
			}
			page := rect{0, 0, s.w, s.h}
			for i, l := range labels {
				b := l.box()
				if !b.within(page) {
					t.Errorf("%s %q leaves the page: %v", l.role, l.lines, b)
				}
				if l.angle > 0 && l.angle < math.Pi/2 {
					continue // its box is larger than its text
				}
				for _, o := range labels[:i] {
					if (o.angle == 0 || o.angle == math.Pi/2) && b.overlaps(o.box()) {
						t.Errorf("%s %q and %s %q overlap", l.role, l.lines, o.role, o.lines)
					}
				}
			}
			for _, l := range slices.Concat(s.labels(roleValue), s.labels(roleNote)) {
				for _, it := range s.items {
					var b rect
					switch it := it.(type) {
					case polygon:
						if it.role != roleBar && it.role != roleMarker || l.role == roleNote && f.figure.Kind == "lines" {
							continue // a note of lines has its marker beside it
						}
						b = bounds(it.pts)
					case stroke:
						if it.role != roleError || it.color == white {
							continue
						}
						b = bounds(it.lines...)
					default:
						continue
					}
					if l.box().overlaps(b) {
						t.Errorf("%s %q stands on a mark: %v and %v", l.role, l.lines, l.box(), b)
					}
				}
			}
		})
	}
}

// texts gives what the labels of a role say.
func texts(s *scene, r role) []string {
	var out []string
	for _, l := range s.labels(r) {
		out = append(out, strings.Join(l.lines, "|"))
	}
	return out
}

func TestTexts(t *testing.T) {
	tests := []struct {
		figure string
		role   role
		want   string
	}{
		{"quickstart", roleValue, "412.5 MB/s, 288 MB/s, 1893 MB/s, 1204 MB/s"},
		{"quickstart", roleYLabel, "bandwidth, MB/s"},
		{"quickstart", roleXLabel, "block size"},
		{"quickstart", roleYTick, "0, 500, 1000, 1500, 2000"},
		{"quickstart", roleXTick, "4 KiB, 128 KiB"},
		{"quickstart", roleLegend, "read, write"},
		{"quickstart", roleLimit, "KPI floor ≥ 500 MB/s"},
		{"six-by-three", roleNote, "did not finish"},
		{"six-by-three", roleLimit, "KPI a ≥ 80 kIOPS, KPI b ≥ 80 kIOPS, KPI c, advisory|≥ 85 kIOPS"},
		{"many-queries", roleValue, ""},
		{"many-queries", roleNote, "did not finish"},
		{"lines-log2", roleNote, "did not finish, n/a"},
		{"lines-log2", roleXTick, "1, 2, 4, 8, 16, 32, 64, 128, 256"},
		{"all-absent", roleNote, "did not finish, blocked, n/a, failed: create of|setup.storage_|raid.array"},
		{"empty", roleNote, "no data"},
		{"empty", roleYTick, ""},
		{"chinese", roleXTick, "六块 SAS 固态硬盘，|RAID 5，健康, 六块 SATA 固态硬盘，|RAID 5，降级, 重建中"},
		{"changes", roleYTick, "−20, −10, 0, 10, 20, 30, 40"},
		{"one-bar", roleLegend, ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.figure, " ", tt.role), func(t *testing.T) {
			if got := strings.Join(texts(at(t, tt.figure).layout(), tt.role), ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if got := texts(at(t, "six-by-three").layout(), roleValue); len(got) != 17 || got[0] != "182" {
		t.Errorf("18 bars, one absent: values %q, want 17 without unit", got)
	}
}

func TestTidy(t *testing.T) {
	f := at(t, "quickstart")
	f.Title = " line\nbreak\x00 \u200b" + strings.Repeat("x", 1000)
	f.Series[0].Points[0].Label = "1\tMB/s\n"
	got := f.tidy()
	if want := "line break  " + strings.Repeat("x", 288); got.Title != want {
		t.Errorf("title %q, want %q", got.Title, want)
	}
	if got := got.Series[0].Points[0].Label; got != "1 MB/s" {
		t.Errorf("label %q", got)
	}
	if f.Series[0].Points[0].Label != "1\tMB/s\n" {
		t.Error("the given figure has changed")
	}
}

func TestManyBarsHaveNoValues(t *testing.T) {
	for n, want := range map[int]int{24: 24, 25: 0} {
		f := Figure{X: make([]string, n), Series: []Series{{"", values("", 0, make([]float64, n)...)}}}
		if got := len(f.layout().labels(roleValue)); got != want {
			t.Errorf("%d bars: %d values, want %d", n, got, want)
		}
	}
}

func TestValuesAreTurnedWhereUnitsDiffer(t *testing.T) {
	f := at(t, "six-by-three")
	f.Series[0].Points[0].Label = "182 000 per second"
	for _, l := range f.layout().labels(roleValue) {
		if l.angle != math.Pi/2 {
			t.Fatalf("%q is not turned", l.lines)
		}
	}
}

func TestBarsBeginAtZero(t *testing.T) {
	for _, name := range []string{"quickstart", "changes", "huge", "many-queries"} {
		s := at(t, name).layout()
		zero := math.NaN()
		for _, l := range s.labels(roleYTick) {
			if l.lines[0] == "0" {
				zero = l.at.y
			}
		}
		bars := 0
		for _, it := range s.items {
			if p, ok := it.(polygon); ok && p.role == roleBar {
				bars++
				if b := bounds(p.pts); !(math.Abs(b.y0-zero) < 1e-6 || math.Abs(b.y1-zero) < 1e-6) {
					t.Errorf("%s: bar %v does not begin at zero, which is at %v", name, b, zero)
				}
			}
		}
		if want := at(t, name).count(); bars != want {
			t.Errorf("%s: %d bars, want %d", name, bars, want)
		}
	}
}

func TestLinesBreakAtAbsentPoints(t *testing.T) {
	var got []int
	for _, it := range at(t, "lines-log2").layout().items {
		if s, ok := it.(stroke); ok && s.role == roleLine {
			for _, l := range s.lines {
				got = append(got, len(l))
			}
		}
	}
	if want := []int{9, 6, 2, 8}; !slices.Equal(got, want) {
		t.Errorf("points of the lines: %v, want %v", got, want)
	}
}

func TestScaleOfX(t *testing.T) {
	tests := []struct {
		scale string
		xs    []float64
		want  []float64 // where they stand, from 0 to 1
	}{
		{"log2", []float64{1, 2, 4, 16}, []float64{0, 0.25, 0.5, 1}},
		{"log10", []float64{1, 100, 10}, []float64{0, 1, 0.5}},
		{"linear", []float64{0, 5, 20}, []float64{0, 0.25, 1}},
		{"", []float64{-1, 1}, []float64{0, 1}},
		{"linear", []float64{7}, []float64{math.NaN()}},
	}
	for _, tt := range tests {
		p := &plot{Figure: Figure{Kind: "lines", Scale: tt.scale, XValues: tt.xs, X: make([]string, len(tt.xs))}, area: rect{0, 0, 132, 100}}
		p.placeX()
		for i, x := range p.x {
			if want := 16 + tt.want[i]*100; !(math.Abs(x-want) < 1e-9) && !(math.IsNaN(want) && x == 66) {
				t.Errorf("%s %v: point %d at %v, want %v", tt.scale, tt.xs, i, x, want)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name   string
		limits []Limit
		lines  int // drawn
		labels int
	}{
		{"on the scale", []Limit{{500, "a"}}, 1, 1},
		{"equal", []Limit{{500, "a"}, {500, "b"}}, 1, 2},
		{"the same", []Limit{{500, "a"}, {500, "a"}}, 1, 1},
		{"near", []Limit{{500, "a"}, {501, "b"}, {499, "c"}}, 3, 3},
		{"far off", []Limit{{5e6, "a"}}, 0, 1},
		{"far off below", []Limit{{-5e6, "a"}, {5e6, "b"}}, 0, 2},
		{"without a label", []Limit{{500, ""}}, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := at(t, "quickstart")
			f.Limits = tt.limits
			s := f.layout()
			lines := 0
			for _, it := range s.items {
				if st, ok := it.(stroke); ok && st.role == roleLimit && st.color == alarm {
					lines += len(st.lines)
				}
			}
			labels := s.labels(roleLimit)
			if lines != tt.lines || len(labels) != tt.labels {
				t.Errorf("%d lines, %d labels; want %d and %d", lines, len(labels), tt.lines, tt.labels)
			}
			for i, l := range labels {
				for _, o := range labels[:i] {
					if l.box().overlaps(o.box()) {
						t.Errorf("%q and %q overlap", l.lines, o.lines)
					}
				}
			}
		})
	}
}

func TestManyLimits(t *testing.T) {
	f := at(t, "quickstart")
	f.Limits = nil
	for i := range 60 {
		f.Limits = append(f.Limits, Limit{float64(i * 10), fmt.Sprintf("KPI number %d, which has a long name ≥ %d MB/s", i, i*10)})
	}
	labels := f.layout().labels(roleLimit)
	more := 0
	for i, l := range labels {
		if strings.HasPrefix(l.lines[0], "and ") {
			more++
		}
		if !l.box().within(rect{0, 0, Width, Height}) || i > 0 && l.box().overlaps(labels[i-1].box()) {
			t.Errorf("%q at %v", l.lines, l.box())
		}
	}
	if more != 1 {
		t.Errorf("%d labels say how many are left out, want 1", more)
	}
}
