package format

import (
	"bytes"
	"flag"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write golden files anew")

func formatted(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	out, diags := Source(name, src)
	if diags.HasErrors() {
		t.Fatalf("%s: %v\n%s", name, diags, src)
	}
	return out
}

// TestCases holds what comes out, for what comes in with line feeds and with carriage returns alike.
func TestCases(t *testing.T) {
	file := filepath.Join("testdata", "cases.txtar")
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(ar.Files); i += 2 {
		in, want := ar.Files[i], &ar.Files[i+1]
		name := strings.TrimSuffix(in.Name, ".in")
		if want.Name != name+".out" {
			t.Fatalf("%s is followed by %s", in.Name, want.Name)
		}
		got := formatted(t, name, in.Data)
		if *update {
			want.Data = got
		}
		if d := cmp.Diff(string(want.Data), string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if name == "heredoc" {
			continue // carriage returns in a heredoc are part of the value
		}
		if got := formatted(t, name, bytes.ReplaceAll(in.Data, []byte("\n"), []byte("\r\n"))); !bytes.Equal(got, want.Data) {
			t.Errorf("%s with carriage returns: %s", name, cmp.Diff(string(want.Data), string(got)))
		}
		if got := formatted(t, name, bytes.TrimRight(in.Data, "\n")); !bytes.Equal(got, want.Data) {
			t.Errorf("%s without a new line at its end: %s", name, cmp.Diff(string(want.Data), string(got)))
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHeredocKeepsCarriageReturns(t *testing.T) {
	in := "spec {\r\n  a=<<EOT\r\n one \r\n\r\n\r\n two\r\nEOT\r\n}\r\n"
	want := "spec {\n  a = <<EOT\r\n one \r\n\r\n\r\n two\r\nEOT\n}\n"
	if got := string(formatted(t, "x", []byte(in))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestByteOrderMark: it is not part of the text, and goes.
func TestByteOrderMark(t *testing.T) {
	if got := string(formatted(t, "x", []byte("\ufeffspec {\n  a=1\n}\n"))); got != "spec {\n  a = 1\n}\n" {
		t.Errorf("%q", got)
	}
}

// specs are all specs of the repository that parse, the wrong ones among them: what is wrong in them is not their syntax.
func specs(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	for _, dir := range []string{filepath.Join("..", "..", "specs"), filepath.Join("..", "eval", "testdata")} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".assay.hcl") {
				return err
			}
			src, err := os.ReadFile(path)
			if _, diags := hclsyntax.ParseConfig(src, path, hcl.InitialPos); !diags.HasErrors() {
				out[path] = src
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d specs", len(out))
	}
	return out
}

// check holds the properties of every result.
func check(t *testing.T, name string, src []byte) {
	t.Helper()
	out := formatted(t, name, src)
	if again := formatted(t, name, out); !bytes.Equal(out, again) {
		t.Errorf("%s changes when it is laid out again: %s", name, cmp.Diff(string(out), string(again)))
	}
	if d := cmp.Diff(said(src), said(out)); d != "" {
		t.Errorf("%s says something else: %s", name, d)
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Errorf("%s has no new line at its end", name)
	}
}

// said is what a text says: its tokens but for line ends. It is written apart from what Source itself looks at.
func said(src []byte) []string {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	out := []string{}
	for _, tok := range tokens {
		if tok.Type == hclsyntax.TokenComment {
			out = append(out, strings.TrimRight(strings.ReplaceAll(string(tok.Bytes), "\r", ""), "\n"))
		} else if tok.Type != hclsyntax.TokenNewline {
			out = append(out, tok.Type.String()+string(tok.Bytes))
		}
	}
	return out
}

// TestAsTerraform: the texts of the specs that are ASCII come out as hclwrite.Format has them, but for blank lines.
func TestAsTerraform(t *testing.T) {
	n := 0
	for name, src := range specs(t) {
		if !ascii(src) {
			continue
		}
		n++
		packed := bytes.ReplaceAll(src, []byte("  "), []byte(" "))
		want := lines(hclwrite.Format(hclwrite.Format(packed)))
		if d := cmp.Diff(string(want), string(formatted(t, name, packed))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if n < 5 {
		t.Errorf("only %d specs are ASCII", n)
	}
}

// TestMangled changes the blanks of every spec at random, as a hand may.
func TestMangled(t *testing.T) {
	for name, src := range specs(t) {
		check(t, name, src)
		r := rand.New(rand.NewSource(1))
		for range 6 {
			check(t, name, mangle(r, src))
		}
	}
}

// mangle changes the blanks between tokens, outside of heredocs and where a change says nothing else.
func mangle(r *rand.Rand, src []byte) []byte {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var out bytes.Buffer
	from, depth, quotes := 0, 0, 0
	for _, t := range tokens {
		gap := src[from:t.Range.Start.Byte]
		from = t.Range.End.Byte
		if depth == 0 && quotes == 0 && (len(gap) > 0 || t.Type == hclsyntax.TokenEqual) {
			gap = []byte([]string{" ", "  ", "\t", "      "}[r.Intn(4)])
		}
		out.Write(gap)
		out.Write(t.Bytes)
		depth += heredoc(t.Type)
		switch t.Type {
		case hclsyntax.TokenOQuote:
			quotes++
		case hclsyntax.TokenCQuote:
			quotes--
		case hclsyntax.TokenNewline:
			if depth == 0 && quotes == 0 {
				out.WriteString(strings.Repeat([]string{"\n", " \r\n", "\t\n"}[r.Intn(3)], r.Intn(3)))
			}
		}
	}
	return out.Bytes()
}

// TestRefused: what does not parse is not laid out, and neither is what would harm the process.
func TestRefused(t *testing.T) {
	for name, src := range map[string]string{
		"bracket":  "spec {\n  title = [1\n}\n",
		"quote":    "spec {\n  title = \"a\n}\n",
		"twice":    "spec {\n  a = 1\n  a = 2\n}\n",
		"bytes":    "spec {\n  a = \"\xff\"\n}\n",
		"return":   "spec {\r  a = 1\r}\r",
		"heredoc":  "spec {\n  a = <<EOT\n  x\n}\n",
		"brackets": "a = " + strings.Repeat("[", 100000),
	} {
		out, diags := Source(name+".assay.hcl", []byte(src))
		if !diags.HasErrors() || out != nil {
			t.Errorf("%s: %q", name, out)
			continue
		}
		if diags[0].Subject == nil || diags[0].Subject.Filename != name+".assay.hcl" {
			t.Errorf("%s: no place: %v", name, diags)
		}
	}
}

// TestSameTokens: the guard bites.
func TestSameTokens(t *testing.T) {
	base := "a = 1 # c\nb {\n  c = <<EOT\nx\nEOT\n}\n"
	for other, same := range map[string]bool{
		"a=1 # c\n\nb {\n\n  c   = <<EOT\nx\nEOT\n}": true,
		"a = 1 # c\nb {\n  c = <<EOT\n x\nEOT\n}\n":  false,
		"a = 1 # d\nb {\n  c = <<EOT\nx\nEOT\n}\n":   false,
		"a = 1\nb {\n  c = <<EOT\nx\nEOT\n}\n":       false,
		"a = 2 # c\nb {\n  c = <<EOT\nx\nEOT\n}\n":   false,
		"a = 1 # c\nb { c = <<EOT\nx\nEOT\n}\n":      true,
		"a = 1 # c\nb {\n  c = <<EOT\nx\n\nEOT\n}\n": false,
	} {
		if got := sameTokens([]byte(base), []byte(other)); got != same {
			t.Errorf("%q: %v, want %v", other, got, same)
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, src := range specs(f) {
		if len(src) < 3000 {
			f.Add(src)
		}
	}
	for _, s := range []string{
		"a = <<EOT\r\n${ <<X\n y\nX\n}\r\nEOT\n", "a = \"${\n\n1}\"\n", "a = - -1\n", "a = b ? c : d...\n", "a {}\n", "a = x.0.1\n", "/* */ a = 1 /* */\n",
		"a = \"é\u0301 %{ for x in y ~} 中 %{ endfor }\"\n", "a = {\n\n(b) = 1\n}\n", "x \"y\" z {\n# \n}", "a = b::c(1...)\n", "a = [for a in b: a...]\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		_, diags := Source("x", src)
		for _, d := range diags {
			if d.Summary == "Not formatted" {
				t.Fatalf("%q: the guard had to step in", src)
			}
		}
		if diags.HasErrors() {
			return
		}
		check(t, "x", src)
	})
}
