package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/hashicorp/hcl/v2"
)

// Sources holds the files that diagnostics point into, by name.
type Sources map[string][]byte

// Write prints diagnostics for a person: what is wrong, the line with a caret under the culprit, what to do. Columns are
// those of a terminal, in which a Han character is two wide. width 0 does not wrap.
func Write(w io.Writer, src Sources, diags hcl.Diagnostics, width int, color bool) error {
	for _, d := range diags {
		if _, err := io.WriteString(w, text(src, d, width, color)); err != nil {
			return err
		}
	}
	return nil
}

func text(src Sources, d *hcl.Diagnostic, width int, color bool) string {
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	var b strings.Builder
	word, code := "Error", "1;31"
	if d.Severity == hcl.DiagWarning {
		word, code = "Warning", "1;33"
	}
	fmt.Fprintf(&b, "%s %s\n", paint(code, word+":"), paint("1", d.Summary))
	if d.Subject != nil {
		b.WriteString("\n")
		fmt.Fprintf(&b, "  on %s line %d", d.Subject.Filename, d.Subject.Start.Line)
		if line, before, mark, ok := snippet(src[d.Subject.Filename], *d.Subject); ok {
			num := fmt.Sprintf("%d", d.Subject.Start.Line)
			fmt.Fprintf(&b, ":\n  %s: %s\n", num, line)
			fmt.Fprintf(&b, "  %s  %s%s\n", strings.Repeat(" ", len(num)), before, paint(code, mark))
		} else {
			b.WriteString(":\n")
		}
	}
	if d.Detail != "" {
		b.WriteString("\n" + wrap(d.Detail, width) + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// snippet gives the first line of a range, the blank that stands before the culprit in it, and the carets.
func snippet(src []byte, rng hcl.Range) (line, before, mark string, ok bool) {
	if rng.Start.Byte > len(src) || len(src) == 0 {
		return "", "", "", false
	}
	start := bytes.LastIndexByte(src[:rng.Start.Byte], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[rng.Start.Byte:], '\n'); i >= 0 {
		end = rng.Start.Byte + i
	}
	line = strings.TrimRight(string(src[start:end]), "\r")
	stop := min(max(rng.End.Byte, rng.Start.Byte), start+len(line))
	for _, r := range string(src[start:rng.Start.Byte]) {
		if r == '\t' {
			before += "\t"
		} else {
			before += strings.Repeat(" ", displaywidth.Rune(r))
		}
	}
	n := 1
	if stop > rng.Start.Byte {
		n = max(1, displaywidth.String(strings.TrimRight(string(src[rng.Start.Byte:stop]), " \t")))
	}
	return line, before, strings.Repeat("^", n), true
}

// wrap breaks a text at blanks so that no line is wider than width columns.
func wrap(s string, width int) string {
	if width <= 0 {
		return s
	}
	var out []string
	for _, para := range strings.Split(s, "\n") {
		line, w := "", 0
		for _, word := range strings.Split(para, " ") {
			n := displaywidth.String(word)
			if w > 0 && w+1+n > width {
				out = append(out, line)
				line, w = "", 0
			}
			if w > 0 {
				line, w = line+" ", w+1
			}
			line, w = line+word, w+n
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
