package chart

import (
	_ "embed" // for the two fonts
	"fmt"
	"slices"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/NotoSansSC-GB2312-Regular.otf
var notoRegular []byte

//go:embed fonts/NotoSansSC-GB2312-Bold.otf
var notoBold []byte

// The faces of a weight, in the order in which they are asked for a character: digits and Latin from Liberation Sans,
// Han from Noto. They are read once, when the first figure is drawn, and are safe for concurrent use.
var (
	regularFaces = sync.OnceValue(func() []face { return parseFaces(liberationsansregular.TTF, notoRegular) })
	boldFaces    = sync.OnceValue(func() []face { return parseFaces(liberationsansbold.TTF, notoBold) })
)

// face is a font together with the size of its design square.
type face struct {
	font *sfnt.Font
	upem float64
}

func parseFaces(files ...[]byte) []face {
	var faces []face
	for _, b := range files {
		f, err := sfnt.Parse(b)
		if err != nil {
			panic(fmt.Sprintf("chart: an embedded font is broken: %v", err))
		}
		faces = append(faces, face{f, float64(f.UnitsPerEm())})
	}
	return faces
}

func facesOf(bold bool) []face {
	if bold {
		return boldFaces()
	}
	return regularFaces()
}

// find gives the face that has the rune and its glyph there; ok is false where none has it.
func find(faces []face, buf *sfnt.Buffer, r rune) (f face, g sfnt.GlyphIndex, ok bool) {
	for _, f := range faces {
		if g, err := f.font.GlyphIndex(buf, r); err == nil && g != 0 {
			return f, g, true
		}
	}
	return face{}, 0, false
}

// boxAdvance is the width of the box that stands for a character without a glyph, and spaceAdvance that of a space
// that the fonts do not know, both in ems.
const (
	boxAdvance   = 0.72
	spaceAdvance = 0.25
)

// advance gives the width of a rune in ems.
func advance(faces []face, buf *sfnt.Buffer, r rune) float64 {
	f, g, ok := find(faces, buf, r)
	switch {
	case ok:
		a, err := f.font.GlyphAdvance(buf, g, fixed.Int26_6(f.upem)<<6, font.HintingNone)
		if err == nil {
			return float64(a) / 64 / f.upem
		}
	case unicode.IsSpace(r):
		return spaceAdvance
	}
	return boxAdvance
}

// contour is a part of a glyph's outline in ems, y upwards. Segments follow on from start.
type contour struct {
	start    point
	segments []segment
}

// segment is a line (one point), a quadratic (control, end) or a cubic curve (two controls, end).
type segment []point

// outline gives a rune's shape. A character that no font has is a hollow box; a space has no contours.
func outline(faces []face, buf *sfnt.Buffer, r rune) []contour {
	f, g, ok := find(faces, buf, r)
	if !ok {
		if unicode.IsSpace(r) {
			return nil
		}
		return []contour{boxContour(0.06, false), boxContour(0.12, true)}
	}
	segs, err := f.font.LoadGlyph(buf, g, fixed.Int26_6(f.upem)<<6, nil)
	if err != nil {
		return []contour{boxContour(0.06, false), boxContour(0.12, true)}
	}
	at := func(p fixed.Point26_6) point {
		return point{float64(p.X) / 64 / f.upem, -float64(p.Y) / 64 / f.upem}
	}
	var out []contour
	for _, s := range segs {
		n := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[s.Op]
		if s.Op == sfnt.SegmentOpMoveTo {
			out = append(out, contour{start: at(s.Args[0])})
			continue
		}
		if len(out) == 0 {
			continue // a font that draws before it moves
		}
		seg := make(segment, n)
		for i := range seg {
			seg[i] = at(s.Args[i])
		}
		last := &out[len(out)-1]
		last.segments = append(last.segments, seg)
	}
	return out
}

// boxContour is a square with its edges inset by d; reversed, it cuts a hole.
func boxContour(d float64, reversed bool) contour {
	w, h := boxAdvance, 0.72
	ring := []point{{d, d}, {w - d, d}, {w - d, h - d}, {d, h - d}}
	if reversed {
		slices.Reverse(ring)
	}
	c := contour{start: ring[0]}
	for _, p := range ring[1:] {
		c.segments = append(c.segments, segment{p})
	}
	return c
}

// MissingGlyphs gives the characters of a text for which the charts have no glyph and draw a box, each once, in order
// of appearance.
func MissingGlyphs(text string) []rune {
	var buf sfnt.Buffer
	var missing []rune
	for _, r := range clean(text) {
		_, _, regular := find(regularFaces(), &buf, r)
		_, _, bold := find(boldFaces(), &buf, r)
		if !(regular && bold) && !unicode.IsSpace(r) && !slices.Contains(missing, r) {
			missing = append(missing, r)
		}
	}
	return missing
}
