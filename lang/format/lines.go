package format

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// lines does what concerns whole lines: line ends, blank lines, the end of the file. What stands within a line stays.
func lines(src []byte) []byte {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	w := lineWriter{first: true, empty: true}
	depth, from := 0, 0
	for _, t := range tokens {
		gap := src[from:t.Range.Start.Byte]
		from = t.Range.End.Byte
		depth += heredoc(t.Type)
		switch {
		case depth > 0 || t.Type == hclsyntax.TokenCHeredoc:
			w.raw(gap, t.Bytes, t.Type)
		case t.Type == hclsyntax.TokenNewline:
			w.newline()
		case t.Type == hclsyntax.TokenComment:
			w.comment(gap, t.Bytes)
		case t.Type == hclsyntax.TokenEOF:
			if !w.empty {
				w.newline()
			}
		default:
			w.raw(gap, t.Bytes, t.Type)
		}
	}
	return w.out.Bytes()
}

// lineWriter holds back blank lines until it is known what follows them.
type lineWriter struct {
	out   bytes.Buffer
	empty bool // nothing stands on the line yet
	blank bool // a blank line is held back
	first bool // nothing, or an opening bracket, is before it: no blank line may follow
}

func (w *lineWriter) newline() {
	if w.empty {
		w.blank = true
		return
	}
	w.out.WriteByte('\n')
	w.empty = true
}

// raw writes a token as it is.
func (w *lineWriter) raw(gap, text []byte, t hclsyntax.TokenType) {
	if w.blank && !w.first && opener(t) >= 0 {
		w.out.WriteByte('\n')
	}
	w.out.Write(gap)
	w.out.Write(text)
	w.blank, w.empty, w.first = false, false, opener(t) > 0
}

// comment writes a comment. One behind an opening bracket belongs to that line, so the block still is at its start.
func (w *lineWriter) comment(gap, text []byte) {
	first := w.first && !w.empty
	w.raw(gap, clean(text), hclsyntax.TokenComment)
	w.first = first
	if bytes.HasSuffix(text, []byte("\n")) {
		w.newline()
	}
}
