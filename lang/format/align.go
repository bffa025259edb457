package format

import (
	"bytes"

	"github.com/clipperhouse/displaywidth"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// align does what concerns blanks within lines, by hclwrite.Format. That counts characters where a terminal has columns, and
// changes blanks in heredocs. So it gets a text in which what is not ASCII is as many letters as it is columns wide, and
// of its result only the blanks are taken, outside of heredocs.
func align(src []byte) []byte {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	stand := hclwrite.Format(standIn(src, tokens))
	laid, _ := hclsyntax.LexConfig(stand, "", hcl.InitialPos)
	if len(laid) != len(tokens) {
		return src // not seen; Source's caller gets the text with its lines in order
	}
	var out bytes.Buffer
	depth, from, to := 0, 0, 0
	for i, t := range tokens {
		gap := stand[to:laid[i].Range.Start.Byte]
		if depth > 0 {
			gap = src[from:t.Range.Start.Byte]
		}
		from, to = t.Range.End.Byte, laid[i].Range.End.Byte
		depth += heredoc(t.Type)
		out.Write(gap)
		out.Write(t.Bytes)
	}
	return out.Bytes()
}

// standIn writes letters for each name and text that is not ASCII. Comments need none, since nothing is aligned behind them.
func standIn(src []byte, tokens hclsyntax.Tokens) []byte {
	var out bytes.Buffer
	depth, from := 0, 0
	for _, t := range tokens {
		out.Write(src[from:t.Range.Start.Byte])
		from = t.Range.End.Byte
		depth += heredoc(t.Type)
		if depth > 0 || t.Type != hclsyntax.TokenIdent && t.Type != hclsyntax.TokenQuotedLit || ascii(t.Bytes) {
			out.Write(t.Bytes)
			continue
		}
		out.Write(bytes.Repeat([]byte("x"), max(1, displaywidth.Bytes(t.Bytes))))
	}
	return out.Bytes()
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
