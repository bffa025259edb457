package config

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The limits stand before the parser, which is recursive: some 100,000 brackets, operators or nested templates overflow its
// stack, and that ends the whole process, since nothing can catch it. The scanner is not recursive, so what would nest
// too deep is found by counting its tokens.
const (
	maxFileSize = 1 << 20
	maxNesting  = 500
	maxExponent = 9999 // of a number: printed in full, 1e999999999 would have a thousand million digits
)

// Limits checks a text before it is parsed: a file of a spec, a file of variables, or one expression. It gives nil for
// everything that can be parsed and evaluated without harm to the process.
func Limits(name string, src []byte) *hcl.Diagnostic {
	if len(src) > maxFileSize {
		at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		return diag.Error(at, "File too large", "The file has %d bytes; a file of a spec has at most %d. Split it, or keep data in files that the spec imports.", len(src), maxFileSize)
	}
	if strings.HasSuffix(name, JSONExtension) {
		return jsonLimits(name, src)
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos) // errors are the parser's to report
	return tokenLimits(tokens, true)
}

// frame is an open bracket, quote or template sequence while tokens are counted.
type frame struct {
	closer hclsyntax.TokenType
	// lines: a new line ends an expression here. It does not inside of parentheses, brackets, templates and object-for.
	lines bool
	ops   int // operators of the expression that is open here: each may nest the tree once more
}

var closers = map[hclsyntax.TokenType]hclsyntax.TokenType{
	hclsyntax.TokenOParen:          hclsyntax.TokenCParen,
	hclsyntax.TokenOBrack:          hclsyntax.TokenCBrack,
	hclsyntax.TokenOBrace:          hclsyntax.TokenCBrace,
	hclsyntax.TokenOQuote:          hclsyntax.TokenCQuote,
	hclsyntax.TokenOHeredoc:        hclsyntax.TokenCHeredoc,
	hclsyntax.TokenTemplateInterp:  hclsyntax.TokenTemplateSeqEnd,
	hclsyntax.TokenTemplateControl: hclsyntax.TokenTemplateSeqEnd,
}

// operators nest the tree to the left or to the right, in a chain without any bracket.
var operators = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenBang: true, hclsyntax.TokenMinus: true, hclsyntax.TokenPlus: true, hclsyntax.TokenStar: true,
	hclsyntax.TokenSlash: true, hclsyntax.TokenPercent: true, hclsyntax.TokenQuestion: true, hclsyntax.TokenAnd: true,
	hclsyntax.TokenOr: true, hclsyntax.TokenEqualOp: true, hclsyntax.TokenNotEqual: true, hclsyntax.TokenLessThan: true,
	hclsyntax.TokenLessThanEq: true, hclsyntax.TokenGreaterThan: true, hclsyntax.TokenGreaterThanEq: true,
}

// tokenLimits bounds the depth of the tree that the parser would build. Where brackets do not match, which the parser
// reports, it errs on the side of too deep. lines tells whether a new line ends an expression at the outermost level.
func tokenLimits(tokens hclsyntax.Tokens, lines bool) *hcl.Diagnostic {
	stack := []frame{{lines: lines}}
	depth := 0
	add := func(f *frame, n int) { f.ops += n; depth += n }
	for i, t := range tokens {
		top := &stack[len(stack)-1]
		newline := t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
		switch closer := closers[t.Type]; {
		case closer != 0:
			if t.Type == hclsyntax.TokenTemplateControl {
				add(top, directive(tokens, i+1, top.ops))
			}
			stack = append(stack, frame{closer: closer, lines: t.Type == hclsyntax.TokenOBrace && !isFor(tokens, i+1)})
			depth++
		case len(stack) > 1 && t.Type == top.closer:
			depth -= 1 + top.ops
			stack = stack[:len(stack)-1]
			if t.Type == hclsyntax.TokenCBrack {
				add(&stack[len(stack)-1], 1) // x[a][b] nests too
			}
		case t.Type == hclsyntax.TokenComma || newline && top.lines:
			add(top, -top.ops)
		case operators[t.Type]:
			add(top, 1)
		case t.Type == hclsyntax.TokenNumberLit && exponent(string(t.Bytes)) > maxExponent:
			return diag.Error(t.Range, "Number out of range", "The exponent of a number has at most four digits.")
		}
		if depth > maxNesting {
			return diag.Error(t.Range, "Nesting too deep", "Brackets, operators and templates are nested more than %d deep here. Give parts of the expression names, as locals.", maxNesting)
		}
	}
	return nil
}

// directive says by how much a template's directive changes the nesting: one that opens by one, its end by minus one. open is
// how many are open.
func directive(tokens hclsyntax.Tokens, at, open int) int {
	if at < len(tokens) && tokens[at].Type == hclsyntax.TokenIdent {
		switch string(tokens[at].Bytes) {
		case "if", "for":
			return 1
		case "endif", "endfor":
			return -min(1, open)
		}
	}
	return 0
}

func isFor(tokens hclsyntax.Tokens, at int) bool {
	for at < len(tokens) && (tokens[at].Type == hclsyntax.TokenNewline || tokens[at].Type == hclsyntax.TokenComment) {
		at++
	}
	return at < len(tokens) && tokens[at].Type == hclsyntax.TokenIdent && string(tokens[at].Bytes) == "for"
}

// exponent gives the size of a number's exponent, without its sign.
func exponent(number string) int {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimLeft(number[i+1:], "+-0"))
	switch {
	case err == nil:
		return n
	case strings.Trim(number[i+1:], "+-0") == "":
		return 0
	}
	return maxExponent + 1
}

// jsonLimits counts the brackets of JSON, and looks into every string, which may be a template, a type or a reference.
func jsonLimits(name string, src []byte) *hcl.Diagnostic {
	pos := hcl.InitialPos
	depth := 0
	for i := 0; i < len(src); i++ {
		pos.Byte = i
		switch c := src[i]; {
		case c == '\n':
			pos.Line++
			pos.Column = 0
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == '"':
			n := quoted(src[i:])
			if d := stringLimits(name, src[i:i+n], pos); d != nil {
				return d
			}
			i, pos.Column = i+n-1, pos.Column+n-1
		case c == 'e' || c == 'E':
			n := bytes.IndexFunc(src[i+1:], func(r rune) bool { return !strings.ContainsRune("+-0123456789", r) })
			if n > 0 && exponent(string(src[i:i+1+n])) > maxExponent {
				return diag.Error(hcl.Range{Filename: name, Start: pos, End: pos}, "Number out of range", "The exponent of a number has at most four digits.")
			}
		}
		pos.Column++
		if depth > maxNesting {
			return diag.Error(hcl.Range{Filename: name, Start: pos, End: pos}, "Nesting too deep", "Brackets are nested more than %d deep here.", maxNesting)
		}
	}
	return nil
}

// quoted is the length of the string literal that src begins with, its quotes included.
func quoted(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

func stringLimits(name string, literal []byte, at hcl.Pos) *hcl.Diagnostic {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return nil // the parser says so
	}
	var d *hcl.Diagnostic
	if strings.Contains(text, "${") || strings.Contains(text, "%{") {
		tokens, _ := hclsyntax.LexTemplate([]byte(text), name, at)
		d = tokenLimits(tokens, false)
	}
	if d == nil && len(text) > maxNesting {
		tokens, _ := hclsyntax.LexExpression([]byte(text), name, at)
		d = tokenLimits(tokens, false)
	}
	if d != nil {
		d.Subject = &hcl.Range{Filename: name, Start: at, End: at} // places inside of the text are none of the file
	}
	return d
}
