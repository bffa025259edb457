package eval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/clipperhouse/displaywidth"
	"github.com/hashicorp/hcl/v2"
)

// The specs in testdata/errors bear their expected diagnostics as comments:
//
//	rw = "raed" # want "Did you mean \"read\"?"
//	rw = matrix.rv
//	#           ^ want "There is no axis" "Did you mean"
//
// The first form tells the line. The second stands below the line and tells the column too, as a terminal shows it.
// Each quoted text must be part of one and the same diagnostic; several wants are several diagnostics. warn stands for
// warnings. `# var name=value` at the top sets a variable.
type expectation struct {
	line    int
	column  int // 0: any
	warning bool
	texts   []string
	met     bool
}

var (
	wantRE   = regexp.MustCompile(`(\^\s*)?\b(want|warn)((?:\s+(?:"(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `))+)`)
	quotedRE = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|` + "`[^`]*`")
	varRE    = regexp.MustCompile(`(?m)^# var (\w+)=(.*)$`)
)

// expectations reads the comments of a source.
func expectations(t *testing.T, src string) []*expectation {
	t.Helper()
	var out []*expectation
	last := 0 // the line of code before
	for i, line := range strings.Split(src, "\n") {
		at, below := i+1, false
		comment := strings.LastIndex(line, "# ")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			comment, at, below = strings.Index(line, "#"), last, true
		} else {
			last = at
		}
		if comment < 0 {
			continue
		}
		for _, m := range wantRE.FindAllStringSubmatchIndex(line[comment:], -1) {
			e := &expectation{line: at, warning: line[comment+m[4]:comment+m[5]] == "warn"}
			if m[2] >= 0 && below {
				e.column = displaywidth.String(line[:comment+m[2]]) + 1
			}
			for _, q := range quotedRE.FindAllString(line[comment+m[6]:comment+m[7]], -1) {
				text, err := strconv.Unquote(q)
				if err != nil {
					t.Fatalf("line %d: %s: %s", i+1, q, err)
				}
				e.texts = append(e.texts, text)
			}
			out = append(out, e)
		}
	}
	return out
}

// column is where a diagnostic's range begins, as a terminal counts.
func column(src []byte, rng hcl.Range) int {
	start := strings.LastIndexByte(string(src[:rng.Start.Byte]), '\n') + 1
	return displaywidth.String(string(src[start:rng.Start.Byte])) + 1
}

func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.assay.hcl")
	if err != nil || len(files) == 0 {
		t.Fatal("no specs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".assay.hcl"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range errorsOf(file, src) {
				checkShape(t, d)
			}
			for _, complaint := range unmet(t, src, errorsOf(file, src)) {
				t.Error(complaint)
			}
		})
	}
}

func errorsOf(file string, src []byte) hcl.Diagnostics {
	var vars []eval.Input
	for _, m := range varRE.FindAllStringSubmatch(string(src), -1) {
		vars = append(vars, eval.Input{Name: m[1], Text: m[2], Source: "--var " + m[1]})
	}
	_, diags := evaluate(diag.Sources{filepath.Base(file): src}, options(vars...))
	return diags
}

// unmet says which diagnostics were not expected and which expectations not met.
func unmet(t *testing.T, src []byte, diags hcl.Diagnostics) []string {
	t.Helper()
	wants := expectations(t, string(src))
	var out []string
next:
	for _, d := range diags {
		if d.Subject == nil {
			out = append(out, fmt.Sprintf("without a place: %s: %s", d.Summary, d.Detail))
			continue
		}
		col := column(src, *d.Subject)
		for _, w := range wants {
			if !w.met && w.line == d.Subject.Start.Line && (w.column == 0 || w.column == col) &&
				w.warning == (d.Severity == hcl.DiagWarning) && hasAll(d.Summary+"\n"+d.Detail, w.texts) {
				w.met = true
				continue next
			}
		}
		out = append(out, fmt.Sprintf("not expected: line %d column %d: %s: %s", d.Subject.Start.Line, col, d.Summary, d.Detail))
	}
	for _, w := range wants {
		if !w.met {
			out = append(out, fmt.Sprintf("not met: line %d column %d: %q", w.line, w.column, w.texts))
		}
	}
	return out
}

func hasAll(s string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// checkShape holds every message to the house's form: a title without a full stop, sentences with one, and no trace of a
// format that lacks or has too many arguments.
func checkShape(t *testing.T, d *hcl.Diagnostic) {
	t.Helper()
	if d.Summary == "" || strings.HasSuffix(d.Summary, ".") {
		t.Errorf("summary %q: it is a title", d.Summary)
	}
	if !strings.HasSuffix(d.Detail, ".") && !strings.HasSuffix(d.Detail, "?") && !strings.HasSuffix(d.Detail, ".)") {
		t.Errorf("%s: detail %q does not end as a sentence does", d.Summary, d.Detail)
	}
	for _, bad := range []string{"%!", ".. ", "  ", "<nil>", " . ", "?. "} {
		if strings.Contains(d.Detail+" ", bad) {
			t.Errorf("%s: detail %q has %q", d.Summary, d.Detail, bad)
		}
	}
}

// TestHarness makes sure that the annotations bite: a spec with a wrong expectation must not pass.
func TestHarness(t *testing.T) {
	diagnostic := hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "S", Detail: "D.", Subject: &hcl.Range{
		Start: hcl.Pos{Line: 1, Column: 3, Byte: 4}, End: hcl.Pos{Line: 1, Column: 4, Byte: 5},
	}}}
	for _, c := range []struct {
		src  string
		want int
	}{
		{"中 = 1 # want \"S\"\n", 0},
		{"中 = 1\n#  ^ want \"S\" \"D\"\n", 0},
		{"中 = 1\n# ^ want \"S\"\n", 2},
		{"中 = 1 # want \"X\"\n", 2},
		{"中 = 1 # warn \"S\"\n", 2},
		{"中 = 1\nb = 2 # want \"S\"\n", 2},
		{"中 = 1\n", 1},
		{"中 = 1 # want \"S\" want \"S\"\n", 1},
	} {
		if got := unmet(t, []byte(c.src), diagnostic); len(got) != c.want {
			t.Errorf("%q: %d complaints, want %d: %q", c.src, len(got), c.want, got)
		}
	}
}
