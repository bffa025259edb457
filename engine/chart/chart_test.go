package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var (
	update = flag.Bool("update", false, "write the golden files anew")
	draw   = flag.String("draw", "", "write the figures of the tests as PNG and SVG into this folder, to be looked at")
)

// render draws a figure in both forms.
func render(t *testing.T, f Figure) (svg, png []byte) {
	t.Helper()
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	png, err = f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	return svg, png
}

func TestGolden(t *testing.T) {
	for _, f := range figures() {
		t.Run(f.name, func(t *testing.T) {
			svg, err := f.figure.SVG()
			if err != nil {
				t.Fatal(err)
			}
			if *draw != "" {
				_, img := render(t, f.figure)
				if err := os.MkdirAll(*draw, 0o777); err != nil {
					t.Fatal(err)
				}
				for ext, b := range map[string][]byte{".svg": svg, ".png": img} {
					if err := os.WriteFile(filepath.Join(*draw, f.name+ext), b, 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !f.golden {
				return
			}
			file := filepath.Join("testdata", f.name+".svg")
			if *update {
				if err := os.WriteFile(file, svg, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(svg, want) {
				t.Errorf("%s is not what is drawn now: look at what -draw DIR writes, and if it is right, run with -update", file)
			}
		})
	}
}

func TestSVGStandsInAPage(t *testing.T) {
	f := figures()[0].figure
	f.Title = "a <b> & \"c\"\x00\n"
	f.Series[0].Name = "</desc><script>alert(1)</script>"
	for _, f := range append(figures(), named{name: "hostile", figure: f}) {
		t.Run(f.name, func(t *testing.T) {
			svg, err := f.figure.SVG()
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"<?xml", "<text", " id=", "style=", "href", "<script", "NaN", "Inf", "url("} {
				if bytes.Contains(svg, []byte(bad)) {
					t.Errorf("contains %s", bad)
				}
			}
			size := "273.6"
			if len(f.figure.Panels) > 0 {
				size = `[1-9][0-9]+`
			}
			if !regexp.MustCompile(`^<svg xmlns="http://www.w3.org/2000/svg" role="img" width="460.8pt" height="` + size + `pt" viewBox="0 0 460.8 ` + size + `">`).Match(svg) {
				t.Errorf("begins with %.150s", svg)
			}
			texts := map[string]string{}
			d := xml.NewDecoder(bytes.NewReader(svg))
			name := ""
			for {
				tok, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("not XML: %v", err)
				}
				switch tok := tok.(type) {
				case xml.StartElement:
					name = tok.Name.Local
					for _, a := range tok.Attr {
						if a.Name.Local != "xmlns" && strings.ContainsAny(a.Value, ";:") {
							t.Fatalf("%s=%q is CSS", a.Name.Local, a.Value)
						}
					}
				case xml.CharData:
					texts[name] += strings.TrimSpace(string(tok))
				}
			}
			if want := strings.TrimSpace(clean(f.figure.Title)); texts["title"] != want {
				t.Errorf("title %q, want %q", texts["title"], want)
			}
		})
	}
}

func TestDescription(t *testing.T) {
	f := figures()[0].figure
	f.Series[1].Points[0] = absent("did not finish")
	f.Series[1].Points[1] = Point{Absent: true}
	want := "fio 3.33, 5 s · median of 6, error bars: 95 % interval; bandwidth, MB/s; read 4 KiB: 412.5 MB/s; " +
		"read 128 KiB: 1893 MB/s; write 4 KiB: did not finish; write 128 KiB: no value; KPI floor ≥ 500 MB/s"
	if got := f.describe(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPNGSize(t *testing.T) {
	_, b := render(t, figures()[0].figure)
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if c.Width != 1229 || c.Height != 730 {
		t.Errorf("%d × %d pixels, want 1229 × 730", c.Width, c.Height)
	}
}

// TestSameBytes draws the same figures at the same time: run it with -race.
func TestSameBytes(t *testing.T) {
	fs := figures()[2:4]
	const times = 2
	got := make([][times][2][]byte, len(fs))
	var wg sync.WaitGroup
	for i, f := range fs {
		for k := range times {
			wg.Go(func() {
				svg, err1 := f.figure.SVG()
				png, err2 := f.figure.PNG()
				if err := errors.Join(err1, err2); err != nil {
					t.Error(err)
				}
				got[i][k] = [2][]byte{svg, png}
			})
		}
	}
	wg.Wait()
	for i, f := range fs {
		for k := 1; k < times; k++ {
			for form := range 2 {
				if !bytes.Equal(got[i][0][form], got[i][k][form]) {
					t.Errorf("%s: two drawings differ", f.name)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	one := func(p Point) Figure {
		return Figure{Title: "T", X: []string{"a"}, Series: []Series{{"s", []Point{p}}}}
	}
	line := func(scale string, xs ...float64) Figure {
		f := one(Point{Y: 1})
		f.Kind, f.Scale, f.XValues = "lines", scale, xs
		return f
	}
	bars := line("", 1)
	bars.Kind = "bars"
	limit := one(Point{Y: 1})
	limit.Limits = []Limit{{math.Inf(1), "l"}}
	large := Figure{Title: "T", X: make([]string, MaxPoints+1), Series: []Series{{"s", make([]Point, MaxPoints+1)}}}
	tests := []struct {
		name   string
		figure Figure
		want   string
	}{
		{"kind", Figure{Title: "T", Kind: "pie"}, `chart "T": unknown kind "pie": expected bars, lines, curves or heatmap`},
		{"scale", line("ln", 1), `unknown scale "ln": expected linear, log2 or log10`},
		{"points", Figure{Title: "T", X: []string{"a", "b"}, Series: []Series{{"s", make([]Point, 1)}}}, `series "s": 1 points for 2 categories: give one for each, absent ones too`},
		{"nan", one(Point{Y: math.NaN()}), `series "s" at "a": NaN cannot be drawn: expected a finite number; set Absent`},
		{"too large", one(Point{Y: 1e301}), `1e+301 cannot be drawn`},
		{"interval", one(Point{Y: 1, Bar: true, Lo: 2, Hi: 1}), `interval 2 to 1 cannot be drawn: expected two finite numbers, the lower first`},
		{"interval nan", one(Point{Y: 1, Bar: true, Lo: 0, Hi: math.NaN()}), `interval 0 to NaN`},
		{"limit", limit, `limit "l": +Inf cannot be drawn`},
		{"x count", line("", 1, 2), `2 x values for 1 categories`},
		{"x log", line("log2", 0), `category "a": x value 0 has no place on a log2 scale: use linear`},
		{"x nan", line("", math.NaN()), `x value NaN`},
		{"x bars", bars, `bars stand evenly spaced: leave XValues empty, or draw lines`},
		{"large", large, `20001 points: at most 20000 can be drawn; split it by a facet or narrow it by where`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.figure.SVG()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if _, err2 := tt.figure.PNG(); err2 == nil || err2.Error() != err.Error() {
				t.Errorf("PNG says %v, SVG %v", err2, err)
			}
		})
	}
	if _, err := one(Point{Absent: true, Y: math.NaN()}).SVG(); err != nil {
		t.Errorf("an absent point's number is looked at: %v", err)
	}
}

var numbers = regexp.MustCompile(`[ML]([-0-9.e+]+),([-0-9.e+]+)`)

func FuzzFigure(f *testing.F) {
	f.Add("bars", "", "a b", "note", "1 MB/s", 1.0, -2.0, 0.5, 3.0, 1.0, uint8(3), uint8(2), uint8(0))
	f.Add("lines", "log10", "六块", "", "", 1e300, -1e300, 1e-300, 5e-324, 1e-9, uint8(40), uint8(9), uint8(3))
	f.Add("lines", "", "x", "\xff", "🦫", 0.0, 0.0, 0.0, 0.0, 0.0, uint8(1), uint8(1), uint8(1))
	f.Add("bars", "", strings.Repeat("word ", 60), strings.Repeat("w", 300), "1 "+strings.Repeat("u", 90), 5.0, 5.0, 5.0, 5.0, 5.0, uint8(90), uint8(1), uint8(30))
	f.Fuzz(func(t *testing.T, kind, scale, text, note, lbl string, y1, y2, half, limit, x float64, categories, series, limits uint8) {
		fig := Figure{Kind: kind, Scale: scale, Title: text, Subtitle: note, XLabel: text, YLabel: lbl, Foot: note, Band: limits%2 == 1}
		for i := range int(categories) {
			fig.X = append(fig.X, text[:min(len(text), i)])
			if kind == "lines" && scale != "" {
				fig.XValues = append(fig.XValues, x*float64(i+1))
			}
		}
		for j := range int(series) % 12 {
			s := Series{Name: text}
			for i := range fig.X {
				y := []float64{y1, y2, 0, y1 - y2, y1 * y2}[(i+j)%5]
				s.Points = append(s.Points, Point{Absent: (i*j)%7 == 3, Note: note, Y: y, Bar: i%2 == 0, Lo: y - math.Abs(half), Hi: y + math.Abs(half), Label: lbl})
			}
			fig.Series = append(fig.Series, s)
		}
		for k := range int(limits) {
			fig.Limits = append(fig.Limits, Limit{Y: limit * float64(k), Label: text})
		}
		svg, err := fig.SVG()
		if err != nil {
			return
		}
		if err := xml.Unmarshal(svg, new(struct{})); err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf,")) || !numbers.Match(svg) && len(svg) > 600 {
			t.Fatal("numbers that are none")
		}
	})
}
