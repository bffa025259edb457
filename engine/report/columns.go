package report

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is the number of columns that s takes on a terminal: two for a Chinese character, none for a combining mark
// or for the codes of a colour.
func columns(s string) int {
	n, escape := 0, false
	for _, r := range s {
		switch {
		case escape:
			escape = r != 'm'
		case r == '\x1b':
			escape = true
		default:
			n += runeColumns(r)
		}
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func pad(s string, n int) string {
	if k := n - columns(s); k > 0 {
		return s + strings.Repeat(" ", k)
	}
	return s
}

// print writes a line, folded at the width; what follows is indented. Chinese text is folded between any two characters.
func (t *textWriter) print(indent int, s string) {
	width := t.opts.Width
	if width <= 0 || columns(s) <= width {
		t.b.WriteString(strings.TrimRight(s, " ") + "\n")
		return
	}
	line, used := "", 0
	flush := func() {
		t.b.WriteString(strings.TrimRight(line, " ") + "\n")
		line, used = strings.Repeat(" ", indent), indent
	}
	for _, p := range pieces(s) {
		n := columns(p)
		if used+columns(strings.TrimRight(p, " ")) > width && used > indent {
			flush()
		}
		line += p
		used += n
	}
	if strings.TrimSpace(line) != "" {
		flush()
	}
}

// pieces cuts s where a line may end: after spaces and after wide characters, but not before closing punctuation.
func pieces(s string) []string {
	var out []string
	start := 0
	rs := []rune(s)
	for i, r := range rs {
		next := rune(0)
		if i+1 < len(rs) {
			next = rs[i+1]
		}
		space := r == ' ' && next != ' '
		wide := runeColumns(r) == 2 && next != ' ' && !strings.ContainsRune("，。；：、！？）」』》”’", next)
		if next == 0 || space || wide {
			out = append(out, string(rs[start:i+1]))
			start = i + 1
		}
	}
	return out
}

const indent, gap = 2, 2 // of tables

// fits reports whether the table needs no parts.
func (t *textWriter) fits(rows [][]string) bool {
	used := indent - gap
	for _, w := range columnWidths(rows) {
		used += w + gap
	}
	return t.opts.Width <= 0 || used <= t.opts.Width
}

func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			widths[i] = max(widths[i], columns(c))
		}
	}
	return widths
}

// table lines up rows, the first of which is the heading. One that is too wide for the terminal is printed in parts, each
// with the first keys columns again.
func (t *textWriter) table(rows [][]string, keys int) {
	n := len(rows[0])
	widths := columnWidths(rows)
	base := indent
	for _, w := range widths[:keys] {
		base += w + gap
	}
	for from := keys; from < n || n == keys; {
		to, used := from, base
		for to < n && (to == from || t.opts.Width <= 0 || used+widths[to] <= t.opts.Width) {
			used += widths[to] + gap
			to++
		}
		if from > keys {
			t.gap()
		}
		for i, r := range rows {
			var line strings.Builder
			line.WriteString(strings.Repeat(" ", indent))
			for c := range r {
				if c >= keys && (c < from || c >= to) {
					continue
				}
				text := pad(r[c], widths[c]+gap)
				if i == 0 {
					text = t.paint("2", r[c]) + strings.Repeat(" ", widths[c]+gap-columns(r[c]))
				}
				line.WriteString(text)
			}
			t.b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
		if from = to; n == keys {
			return
		}
	}
}
