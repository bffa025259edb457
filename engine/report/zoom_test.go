package report

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/assay-bench/assay/engine/chart"
)

// TestZoom: what lasts a second in an hour is there to be found, and no line has more points than are drawn.
func TestZoom(t *testing.T) {
	in := withCourses()
	all := buildFigures(in)
	z := newZoom(all[len(all)-1])
	if z == nil || len(z.Lines) != 2 || z.XLabel != "time (min)" || len(z.Marks) != 2 || len(z.Limits) != 1 {
		t.Fatalf("the zoom is %+v", z)
	}
	if newZoom(all[0]) != nil {
		t.Error("bars can be zoomed")
	}
	for _, l := range z.Lines {
		if len(l.Y) > mostBins || len(l.Y) < mostBins/3 || len(l.Lo) != len(l.Y) || len(l.Hi) != len(l.Y) {
			t.Errorf("%s has %d, %d and %d points", l.Name, len(l.Y), len(l.Lo), len(l.Hi))
		}
	}
	lowest, at := math.Inf(1), 0
	for i, v := range z.Lines[0].Lo {
		if v < lowest {
			lowest, at = v, i
		}
	}
	if when := (z.From + float64(at)*z.Step) * 60; lowest != 0 || math.Abs(when-1234) > z.Step*60 {
		t.Errorf("the lowest value is %v at %v s, want 0 at 1234 s", lowest, when)
	}
	if z.Lines[0].Colour != "#0072b2" {
		t.Errorf("the colour is %s, which is not that of the picture", z.Lines[0].Colour)
	}
	data, err := json.Marshal(sequence{0, 1e-7, math.NaN(), 123456.789, -2})
	if err != nil || string(data) != "[0,1e-07,null,1.2346e5,-2]" {
		t.Errorf("%s, %v", data, err)
	}
}

// TestAffordable: each plot has its share, the first pictures first, and what is left out is counted.
func TestAffordable(t *testing.T) {
	bars := chart.Figure{Series: []chart.Series{{Points: make([]chart.Point, 60)}}}
	var all []figure
	for i := range 300 {
		all = append(all, figure{Plot: "course", Chart: bars, More: 700})
		if i < 10 {
			all = append(all, figure{Plot: "few", Chart: bars})
		}
	}
	chosen, left := affordable(append(all, figure{Plot: "one"}), 5000)
	n, work := map[string]int{}, 0
	for _, f := range chosen {
		n[f.Plot]++
		work += f.work()
	}
	if n["one"] != 1 || n["few"] != 10 || work < 5000 || work > 5500 {
		t.Errorf("pictures %v, work %d", n, work)
	}
	if len(left) != 1 || left[0].Plot != "course" || left[0].Left != 1000-n["course"] {
		t.Errorf("left out %v of %v", left, n)
	}
}
