package diag

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

var update = flag.Bool("update", false, "write golden files anew")

// source is a spec with something to point at on narrow, wide and tabbed lines.
const source = "variable \"a\" {\n" +
	"\tdefault = 1 +\n" +
	"}\n" +
	"\n" +
	"test \"fio\" \"顺序\" {\n" +
	"  标签 = \"六块固态盘\" # 中文\n" +
	"\tbs\t= { a = \"${matrix.读写}\" }\n" +
	"  long = \"" + "a wide line, " + "which goes on and on, further than any terminal is wide, and on, and on, and on\"\n" +
	"}\n" +
	"\n" +
	"locals {\n" +
	"  list = [\n" +
	"    1,\n" +
	"  ]\n" +
	"}\r\n"

// at finds a text in the source and gives its range, with HCL's columns.
func at(t *testing.T, what string) hcl.Range {
	t.Helper()
	i := strings.Index(source, what)
	if i < 0 {
		t.Fatalf("no %q", what)
	}
	pos := func(n int) hcl.Pos {
		line := strings.Count(source[:n], "\n")
		start := strings.LastIndexByte(source[:n], '\n') + 1
		return hcl.Pos{Line: line + 1, Column: len([]rune(source[start:n])) + 1, Byte: n}
	}
	return hcl.Range{Filename: "s.assay.hcl", Start: pos(i), End: pos(i + len(what))}
}

func diagnostics(t *testing.T) hcl.Diagnostics {
	end := hcl.Pos{Line: 16, Column: 1, Byte: len(source)}
	return hcl.Diagnostics{
		Error(at(t, "1 +"), "Behind a tab", "The caret stands under the 1."),
		Warning(at(t, "六块固态盘"), "Wide characters", "Each is two columns wide, as it is in a terminal. %s", "Did you mean \"六块机械盘\"?"),
		Error(at(t, "matrix.读写"), "In a template", "Behind tabs; the detail is long enough to be wrapped at the width of a narrow terminal, and has a word that is wider than the whole: "+strings.Repeat("x", 50)+"."),
		Error(at(t, "further than any"), "A wide line", "It is not cut: a terminal wraps it."),
		Error(at(t, "[\n    1,\n  ]"), "Several lines", "Only the first is shown."),
		Error(at(t, "test \"fio\" \"顺序\""), "A header", "It is in its own block."),
		Error(hcl.Range{Filename: "s.assay.hcl", Start: end, End: end}, "At the end", "There is no line there."),
		Error(hcl.Range{Filename: "absent.assay.hcl", Start: hcl.InitialPos, End: hcl.InitialPos}, "No source", "The file was not read."),
		Error(hcl.Range{}, "No place", "This is about no file: 100% sure."),
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: %s", name, d)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		color bool
	}{{"wide.txt", 0, false}, {"narrow.txt", 40, false}, {"color.txt", 80, true}} {
		var b bytes.Buffer
		if err := Write(&b, Sources{"s.assay.hcl": []byte(source)}, diagnostics(t), c.width, c.color); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, b.String())
	}
}

// TestCaret asserts beside the golden file that the carets stand under what they mean, in terminal columns.
func TestCaret(t *testing.T) {
	src := Sources{"s.assay.hcl": []byte(source)}
	for _, what := range []string{"六块固态盘", "further than any", "标签", "fio", "# 中文"} {
		var b bytes.Buffer
		if err := Write(&b, src, hcl.Diagnostics{Error(at(t, what), "S", "D.")}, 0, false); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		for i, l := range lines {
			if before, _, ok := strings.Cut(l, "^"); ok {
				code, _, _ := strings.Cut(lines[i-1], what)
				if got, want := displaywidth.String(before), displaywidth.String(code); got != want {
					t.Errorf("%q: the caret stands in column %d, want %d:\n%s", what, got, want, b.String())
				}
				if got, want := strings.Count(l, "^"), displaywidth.String(what); got != want {
					t.Errorf("%q: %d carets, want %d", what, got, want)
				}
			}
		}
	}
}

func TestJSON(t *testing.T) {
	report := JSON(Sources{"s.assay.hcl": []byte(source)}, diagnostics(t))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(report); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", b.String())
	if report.Valid || report.ErrorCount != 8 || report.WarningCount != 1 {
		t.Errorf("%v %d %d", report.Valid, report.ErrorCount, report.WarningCount)
	}
	for _, d := range report.Diagnostics { // the offsets cut out what the range covers, as far as it is on the line
		if d.Snippet == nil {
			continue
		}
		marked := d.Snippet.Code[d.Snippet.HighlightStartOffset:d.Snippet.HighlightEndOffset]
		covered, _, _ := strings.Cut(source[d.Range.Start.Byte:d.Range.End.Byte], "\n")
		if marked != covered {
			t.Errorf("%s: %q is marked, want %q", d.Summary, marked, covered)
		}
	}
	empty := JSON(nil, nil)
	if raw, _ := json.Marshal(empty); string(raw) != `{"format_version":"1.0","valid":true,"error_count":0,"warning_count":0,"diagnostics":[]}` {
		t.Errorf("%s", raw)
	}
}

// TestTerraformFields: editors and CI jobs that read Terraform's `validate -json` find the same fields.
func TestTerraformFields(t *testing.T) {
	raw, err := json.Marshal(JSON(Sources{"s.assay.hcl": []byte(source)}, diagnostics(t)[:1]))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	d := got["diagnostics"].([]any)[0].(map[string]any)
	for _, c := range []struct {
		in     any
		fields string
	}{
		{got, "diagnostics error_count format_version valid warning_count"},
		{d, "detail range severity snippet summary"},
		{d["range"], "end filename start"},
		{d["range"].(map[string]any)["start"], "byte column line"},
		{d["snippet"], "code context highlight_end_offset highlight_start_offset start_line values"},
	} {
		var names []string
		for k := range c.in.(map[string]any) {
			names = append(names, k)
		}
		for _, f := range strings.Fields(c.fields) {
			if _, ok := c.in.(map[string]any)[f]; !ok || len(names) != len(strings.Fields(c.fields)) {
				t.Errorf("fields %v, want %s", names, c.fields)
			}
		}
	}
}

// TestContext compares with the parser's own answer wherever it can parse.
func TestContext(t *testing.T) {
	src := []byte("a = { b = 1 }\n\n# c\nblock {\n  x = \"${y}}\"\n}\nkpi \"读 写\" {\n  z {\n  }\n}\nlabel word \"s\" {}\nb = [1]\n")
	f, diags := hclsyntax.ParseConfig(src, "x.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	list := blocks(src)
	if len(list) != 3 {
		t.Errorf("%d blocks: %v", len(list), list)
	}
	nav := f.Nav.(interface{ ContextString(int) string })
	for i := range src {
		want := strings.ReplaceAll(nav.ContextString(i), `label "word"`, "label word")
		if got := enclosing(list, i); got != want {
			t.Errorf("byte %d: %q, want %q", i, got, want)
		}
	}
	for _, broken := range []string{"kpi \"a\" {\n  x = \n", "kpi \"a\" {\n  x = [ }\n", "kpi \"a\" { x = \"${"} {
		if got := enclosing(blocks([]byte(broken)), len(broken)-1); got != `kpi "a"` {
			t.Errorf("%q: %q", broken, got)
		}
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"read", "write", "randread", "storage_directory", "sas", "容量"}
	for given, want := range map[string]string{
		"raed": "read", "READ": "read", "wirte": "write", "storage_dir": "", "storge_directori": "storage_directory", "ssd": "", "sata": "sas",
		"randrd": "randread", "x": "", "": "", "容": "容量", "capacity": "",
	} {
		if got := Suggest(given, names); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	for _, c := range []struct {
		given string
		from  []string
		want  string
	}{
		{"raed", []string{"read"}, ` Did you mean "read"?`},
		{"zzzz", []string{"a", "b", "c"}, ` There is "a", "b" and "c".`},
		{"zzzz", []string{"a"}, ` There is "a".`},
		{"zzzz", nil, ""},
		{"zzzz", strings.Split("abcdefghijklm", ""), ""},
	} {
		if got := DidYouMean(c.given, c.from); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.given, c.from, got, c.want)
		}
	}
}

func TestSorted(t *testing.T) {
	place := func(file string, b int) hcl.Range {
		return hcl.Range{Filename: file, Start: hcl.Pos{Line: 1, Column: b, Byte: b}, End: hcl.Pos{Line: 1, Column: b + 1, Byte: b + 1}}
	}
	in := hcl.Diagnostics{
		Error(place("b", 1), "S", "3"), Error(place("a", 9), "S", "2"), Error(place("a", 1), "T", "1b"), Error(place("a", 1), "S", "1a"),
		Error(place("a", 9), "S", "another value at other coordinates"), Error(hcl.Range{}, "S", "0"), Error(hcl.Range{}, "S", "0"), Error(hcl.Range{}, "S", "00"),
	}
	var got []string
	for _, d := range Sorted(in) {
		got = append(got, d.Detail)
	}
	if d := cmp.Diff([]string{"0", "00", "1a", "1b", "2", "3"}, got); d != "" {
		t.Error(d)
	}
	if d := Error(hcl.Range{}, "S", "100% as it is"); d.Detail != "100% as it is" || d.Subject != nil {
		t.Error(fmt.Sprint(d))
	}
}
