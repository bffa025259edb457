package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// canvas is the part of gonum's canvases that painting needs: no text, as letters are outlines here.
type canvas interface {
	SetColor(color.Color)
	SetLineWidth(vg.Length)
	SetLineDash(pattern []vg.Length, offset vg.Length)
	Fill(vg.Path)
	Stroke(vg.Path)
}

func paintPNG(s *scene) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(s.w), vg.Length(s.h)), vgimg.UseDPI(DPI), vgimg.UseBackgroundColor(color.White))
	for _, it := range s.items {
		it.paint(c)
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed} // packing figures tighter takes longer than drawing them
	if err := enc.Encode(&b, c.Image()); err != nil {
		return nil, fmt.Errorf("chart: encode PNG: %w", err)
	}
	return b.Bytes(), nil
}

// styles finds what vgsvg writes as CSS. The same words are attributes of their own, which a page shows even where its
// content security policy forbids inline styles.
var styles = regexp.MustCompile(`style="([^"]*)"`)

func paintSVG(s *scene, title, description string) ([]byte, error) {
	c := vgsvg.New(vg.Length(s.w), vg.Length(s.h))
	for _, it := range s.items {
		it.paint(c)
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("chart: encode SVG: %w", err)
	}
	// vgsvg's prologue cannot stand inside a page: everything before the first group is written anew.
	_, body, ok := bytes.Cut(b.Bytes(), []byte("<g "))
	if !ok {
		return nil, errors.New("chart: encode SVG: no group in what vgsvg wrote")
	}
	body = styles.ReplaceAllFunc(body, func(m []byte) []byte {
		var attrs []string
		for _, d := range strings.Split(string(styles.FindSubmatch(m)[1]), ";") {
			k, v, _ := strings.Cut(d, ":")
			attrs = append(attrs, k+`="`+strings.TrimSpace(v)+`"`)
		}
		return []byte(strings.Join(attrs, " "))
	})
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%gpt" height="%gpt" viewBox="0 0 %[1]g %[2]g">`, s.w, s.h)
	fmt.Fprintf(&out, "\n<title>%s</title>\n<desc>%s</desc>\n", escape(title), escape(description))
	fmt.Fprintf(&out, `<rect width="%g" height="%g" fill="#FFFFFF"/>`+"\n<g ", s.w, s.h)
	out.Write(body)
	return out.Bytes(), nil
}

// escape makes a text safe inside an element, in XML and in HTML.
func escape(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(clean(s))); err != nil {
		return "" // a bytes.Buffer takes everything
	}
	return b.String()
}

func (p polygon) paint(c canvas) {
	c.SetColor(p.fill.color())
	var path vg.Path
	trace(&path, p.pts)
	path.Close()
	c.Fill(path)
}

func (s stroke) paint(c canvas) {
	c.SetColor(s.color.color())
	c.SetLineWidth(vg.Length(s.width))
	var dash []vg.Length
	for _, d := range s.dash {
		dash = append(dash, vg.Length(d))
	}
	c.SetLineDash(dash, 0)
	var path vg.Path
	for _, l := range s.lines {
		trace(&path, l)
	}
	c.Stroke(path)
}

// paint fills the letters as one path.
func (l label) paint(c canvas) {
	w, h := l.size()
	if l.halo { // the line of a limit may pass behind
		b := rect{-l.ax*w - 1, -l.ay * h, (1-l.ax)*w + 1, (1 - l.ay) * h}
		back := polygon{pts: b.corners(), fill: white.fade(225)}
		for i, p := range back.pts {
			back.pts[i] = l.turn(p)
		}
		back.paint(c)
	}
	var path vg.Path
	var buf sfnt.Buffer
	faces := facesOf(l.style.bold)
	for i, line := range l.lines {
		x := -l.ax * l.style.width(line) // each line is set to the side at which the label is anchored
		y := (1-l.ay)*h - l.style.size*(ascent+leading*float64(i))
		for _, r := range line {
			for _, ct := range outline(faces, &buf, r) {
				at := func(p point) vg.Point {
					return place(l.turn(point{x + p.x*l.style.size, y + p.y*l.style.size}))
				}
				path.Move(at(ct.start))
				for _, s := range ct.segments {
					switch len(s) {
					case 1:
						path.Line(at(s[0]))
					case 2:
						path.QuadTo(at(s[0]), at(s[1]))
					case 3:
						path.CubeTo(at(s[0]), at(s[1]), at(s[2]))
					}
				}
				path.Close()
			}
			x += advance(faces, &buf, r) * l.style.size
		}
	}
	if len(path) > 0 {
		c.SetColor(l.style.color.color())
		c.Fill(path)
	}
}

func trace(path *vg.Path, pts []point) {
	for i, p := range pts {
		if i == 0 {
			path.Move(place(p))
		} else {
			path.Line(place(p))
		}
	}
}

// place rounds to 1/100 point, finer than any printer, which keeps an SVG small.
func place(p point) vg.Point {
	return vg.Point{X: vg.Length(math.Round(p.x*100) / 100), Y: vg.Length(math.Round(p.y*100) / 100)}
}

func (s shade) color() color.Color { return color.NRGBA{s.r, s.g, s.b, s.a} }
