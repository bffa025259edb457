package diag

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxContext is the size of a source in which blocks are looked for; a larger one is no spec.
const maxContext = 1 << 20

// block is the extent of an outermost block in a source, with its header as it is written: test "fio" "seq".
type block struct {
	header     string
	start, end int // bytes
}

// blocks finds the outermost blocks of a source in HCL's native syntax. It counts the scanner's tokens, so that a source that
// cannot be parsed has its blocks too.
func blocks(src []byte) []block {
	if len(src) > maxContext {
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var out []block
	var header []string // words of the line that may be a header
	start, depth := 0, 0
	open := false
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if depth == 0 && t.Type == hclsyntax.TokenOBrace && len(header) > 0 {
				out = append(out, block{strings.Join(header, " "), start, len(src)})
				open = true
			}
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			if depth = max(0, depth-1); depth == 0 && open {
				out[len(out)-1].end, open = t.Range.End.Byte, false
			}
		case hclsyntax.TokenIdent:
			if depth == 0 && len(header) == 0 {
				start = t.Range.Start.Byte
			}
			header = append(header, string(t.Bytes))
		case hclsyntax.TokenQuotedLit:
			header = append(header, `"`+string(t.Bytes)+`"`)
		case hclsyntax.TokenOQuote, hclsyntax.TokenCQuote:
		default:
			header = header[:0]
		}
		if depth > 0 {
			header = header[:0]
		}
	}
	return out
}

// enclosing is the header of the outermost block that a place lies in, or "".
func enclosing(list []block, at int) string {
	for _, b := range list {
		if b.start <= at && at < b.end {
			return b.header
		}
	}
	return ""
}

// contexts finds the blocks of each source once.
type contexts struct {
	src   Sources
	known map[string][]block
}

func (c *contexts) of(rng hcl.Range) string {
	if strings.HasSuffix(rng.Filename, ".json") {
		return ""
	}
	list, ok := c.known[rng.Filename]
	if !ok {
		list = blocks(c.src[rng.Filename])
		c.known[rng.Filename] = list
	}
	return enclosing(list, rng.Start.Byte)
}
