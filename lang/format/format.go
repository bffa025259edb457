// Package format lays out the text of a spec as `assay fmt` does: Terraform's conventions, which are those of hclwrite.Format,
// with at most one blank line in a row, none at the start and the end of a block, a new line at the end and no carriage returns.
//
// Only blanks change. Heredocs stay as they are byte by byte, carriage returns too, since these are part of the value.
// Equal signs and comments are aligned by the columns of a terminal, in which a Han character is two wide; where all
// characters are one wide the result is that of hclwrite.Format.
//
// The package knows HCL's syntax and no block of the language. It reads and writes no file.
package format

import (
	"bytes"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// rounds is how often a text is laid out until it stays the same. hclwrite looks at the blanks that it finds, so a second
// round may move what the first one has joined; no text was seen to need a third.
const rounds = 5

// Source lays out a text in HCL's native syntax. What does not parse is not laid out: the diagnostics say why, and the result
// is nil. Source of a result is that result.
func Source(name string, src []byte) ([]byte, hcl.Diagnostics) {
	if d := config.Limits(name, src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	if _, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos); diags.HasErrors() {
		return nil, diag.Sorted(diags)
	}
	out := src
	for range rounds {
		next := once(out)
		if bytes.Equal(next, out) {
			break
		}
		out = next
	}
	if !sameTokens(src, out) || !bytes.Equal(once(out), out) {
		at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		return nil, hcl.Diagnostics{diag.Error(at, "Not formatted", "Laid out, the file would say something else. This is a bug of assay: report it with the file, which stays as it is.")}
	}
	return out, nil
}

func once(src []byte) []byte { return align(lines(src)) }

// sameTokens reports whether two texts differ in nothing but blanks, line ends and empty lines.
func sameTokens(a, b []byte) bool {
	x, y := words(a), words(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].Type != y[i].Type || !bytes.Equal(x[i].Bytes, y[i].Bytes) {
			return false
		}
	}
	return true
}

// words are the tokens of a text without empty lines; a comment has neither its line end nor carriage returns.
func words(src []byte) hclsyntax.Tokens {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var out hclsyntax.Tokens
	depth := 0
	newline := hclsyntax.Token{Type: hclsyntax.TokenNewline, Bytes: []byte("\n")}
	end := func() {
		if n := len(out); n > 0 && out[n-1].Type != hclsyntax.TokenNewline && opener(out[n-1].Type) == 0 {
			out = append(out, newline)
		}
	}
	for _, t := range tokens {
		depth += heredoc(t.Type)
		switch {
		case depth > 0:
			out = append(out, t)
		case t.Type == hclsyntax.TokenNewline:
			end()
		case t.Type == hclsyntax.TokenComment:
			line := bytes.HasSuffix(t.Bytes, []byte("\n"))
			t.Bytes = clean(t.Bytes)
			out = append(out, t)
			if line {
				end()
			}
		case t.Type == hclsyntax.TokenEOF:
			end()
		default:
			out = append(out, t)
		}
	}
	return out
}

// clean is a comment without its line end and without carriage returns.
func clean(comment []byte) []byte {
	return bytes.TrimRight(bytes.ReplaceAll(comment, []byte("\r\n"), []byte("\n")), "\r\n")
}

// heredoc is by how much a token changes how many heredocs are open.
func heredoc(t hclsyntax.TokenType) int {
	switch t {
	case hclsyntax.TokenOHeredoc:
		return 1
	case hclsyntax.TokenCHeredoc:
		return -1
	}
	return 0
}

// opener is 1 for a bracket that opens, -1 for one that closes, and 0 for everything else.
func opener(t hclsyntax.TokenType) int {
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
		return 1
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen:
		return -1
	}
	return 0
}
