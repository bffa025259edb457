package chart

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
)

// textStyle is how a text is set.
type textStyle struct {
	size  float64 // points
	bold  bool
	color shade
}

// Of every text, in ems: where the top and the bottom of a line are seen from its base line, and how far apart lines
// stand. They hold for Latin and Han alike.
const (
	ascent  = 0.80
	descent = 0.20
	leading = 1.22
)

// clean makes one line of a text: line breaks and control characters become spaces, characters without width (joiners,
// marks of direction) go.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		}
		return r
	}, s)
}

// longText is the number of characters of one text that layout looks at; none has room for more.
const longText = 300

// tidy gives the figure with all its texts clean, trimmed and of bounded length. The given one stays as it is.
func (f Figure) tidy() Figure {
	short := func(s string) string {
		n := 0
		for i := range s {
			if n++; n > 4*longText { // before cleaning, which may shorten
				s = s[:i]
				break
			}
		}
		rs := []rune(strings.TrimSpace(clean(s)))
		return string(rs[:min(len(rs), longText)])
	}
	f.Title, f.Subtitle, f.Foot = short(f.Title), short(f.Subtitle), short(f.Foot)
	f.XLabel, f.YLabel = short(f.XLabel), short(f.YLabel)
	f.X, f.Series, f.Limits = slices.Clone(f.X), slices.Clone(f.Series), slices.Clone(f.Limits)
	for i := range f.X {
		f.X[i] = short(f.X[i])
	}
	f.XLimits = slices.Clone(f.XLimits)
	for i := range f.Limits {
		f.Limits[i].Label = short(f.Limits[i].Label)
	}
	for i := range f.XLimits {
		f.XLimits[i].Label = short(f.XLimits[i].Label)
	}
	f.Curves, f.Rows, f.Cells, f.Marks, f.Panels = slices.Clone(f.Curves), slices.Clone(f.Rows), slices.Clone(f.Cells), slices.Clone(f.Marks), slices.Clone(f.Panels)
	for i := range f.Rows {
		f.Rows[i] = short(f.Rows[i])
	}
	for i := range f.Cells {
		f.Cells[i] = slices.Clone(f.Cells[i])
		for k := range f.Cells[i] {
			c := &f.Cells[i][k]
			c.Label, c.Note = short(c.Label), short(c.Note)
		}
	}
	for i := range f.Marks {
		f.Marks[i].Text = short(f.Marks[i].Text)
	}
	for i := range f.Curves {
		c := &f.Curves[i]
		c.Name, c.Labels = short(c.Name), slices.Clone(c.Labels)
		for k := range c.Labels {
			c.Labels[k] = short(c.Labels[k])
		}
	}
	for i := range f.Panels {
		f.Panels[i] = f.Panels[i].tidy()
	}
	if f.Against != nil {
		f.Against = &Against{short(f.Against.Label), f.Against.Shares}
	}
	for i := range f.Series {
		s := &f.Series[i]
		s.Name, s.Points = short(s.Name), slices.Clone(s.Points)
		for k := range s.Points {
			p := &s.Points[k]
			p.Label, p.Note = short(p.Label), short(p.Note)
		}
	}
	return f
}

// width gives the width of one line in points.
func (t textStyle) width(s string) float64 {
	var buf sfnt.Buffer
	faces := facesOf(t.bold)
	w := 0.0
	for _, r := range s {
		w += advance(faces, &buf, r)
	}
	return w * t.size
}

// truncate shortens a line to a width; what is cut off is marked by an ellipsis.
func (t textStyle) truncate(s string, max float64) string {
	if t.width(s) <= max {
		return s
	}
	var buf sfnt.Buffer
	faces := facesOf(t.bold)
	left := max/t.size - advance(faces, &buf, '…')
	for i, r := range s {
		left -= advance(faces, &buf, r)
		if left < 0 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// wrap breaks a text into at most n lines of a width: at spaces and between Han; within a word after a hyphen, slash,
// dot or underscore, and beside a number, only if it cannot be helped, so that 5 stays with MB/s and RAID with 5. A word that is too long for a line,
// and what does not fit into the last line, is cut off with an ellipsis; fits is then false.
func (t textStyle) wrap(s string, max float64, n int) (lines []string, fits bool) {
	for care := 2; care >= 0; care-- {
		if lines, fits = t.wrapAt(s, max, n, care); fits {
			break
		}
	}
	return lines, fits
}

func (t textStyle) wrapAt(s string, max float64, n int, care int) (lines []string, fits bool) {
	rest := s
	fits = true
	for rest != "" {
		if len(lines) == n-1 {
			line := t.truncate(rest, max)
			return append(lines, line), fits && line == rest
		}
		end := 0
		for _, e := range breaks(rest, care) {
			if t.width(strings.TrimRight(rest[:e], " ")) > max {
				break
			}
			end = e
		}
		if end == 0 { // not even the first word fits
			end = breaks(rest, care)[0]
			fits = false
		}
		lines = append(lines, t.truncate(strings.TrimRight(rest[:end], " "), max))
		rest = strings.TrimLeft(rest[end:], " ")
	}
	return lines, fits
}

// breaks gives the byte offsets at which a line may end, the end of the text last. With care 2 words stay whole; with 1
// or 2 numbers stay with what is before and after them, and signs of comparison with what is after.
func breaks(s string, care int) []int {
	var ends []int
	runes := []rune(s)
	offset := 0
	for i, r := range runes {
		at := offset
		offset += utf8.RuneLen(r)
		if i == 0 || unicode.IsSpace(r) || strings.ContainsRune("，。、；：！？）】》」』”’%…,.;:!?)]", r) {
			continue
		}
		prev := runes[i-1]
		switch {
		case prev == ' ':
			last := runes[max(i-2, 0)]
			if care == 0 || !unicode.IsDigit(r) && !unicode.IsDigit(last) && !strings.ContainsRune("≥≤<>=±", last) {
				ends = append(ends, at)
			}
		case strings.ContainsRune("-/_.", prev): // not in MB/s
			if care < 2 && before(runes[:i-1]) >= 3 && after(runes[i:]) >= 3 && !unicode.IsDigit(r) {
				ends = append(ends, at)
			}
		case (wide(prev) || wide(r)) && !strings.ContainsRune("（【《「『“‘([", prev):
			ends = append(ends, at)
		}
	}
	return append(ends, len(s))
}

// before and after count the characters of the word that ends and begins here.
func before(rs []rune) int {
	n := 0
	for n < len(rs) && rs[len(rs)-1-n] != ' ' {
		n++
	}
	return n
}

func after(rs []rune) int {
	if n := slices.Index(rs, ' '); n >= 0 {
		return n
	}
	return len(rs)
}

// wide says whether a line may break before and after a character without a space.
func wide(r rune) bool {
	return unicode.Is(unicode.Han, r) || (r >= 0x3000 && r <= 0x303F) || (r >= 0xFF00 && r <= 0xFF60)
}
