package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// sketch stands in for drawing where a test is not about pictures. It tells what would be drawn.
func sketch(f chart.Figure) (svg, png []byte, err error) {
	var b bytes.Buffer
	b.WriteString(`<svg viewBox="0 0 1 1"><title>sketch</title></svg>`)
	return b.Bytes(), []byte("png of " + f.Title), nil
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got), update with -update:\n%s", name, d)
	}
}

// tree reads every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// assetRE finds what is ours and no one reads in a report, and its hashes.
var assetRE = regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|(&#39;sha256-).*?(&#39;)`)

// TestGolden compares every file of the example with what a person has read.
func TestGolden(t *testing.T) {
	for name, in := range map[string]Input{"example": example(), "passing": passing()} {
		dir := t.TempDir()
		if err := write(dir, in, sketch); err != nil {
			t.Fatal(err)
		}
		files := tree(t, dir)
		var names []string
		for _, f := range sortedKeys(files) {
			names = append(names, f)
			if strings.HasSuffix(f, ".svg") || strings.HasSuffix(f, ".png") {
				continue
			}
			data := files[f]
			if f == HTMLFile {
				data = assetRE.ReplaceAllString(data, "$1$2$3$4$5$6")
			}
			golden(t, name+"/"+f, []byte(data))
		}
		golden(t, name+"/files", []byte(strings.Join(names, "\n")+"\n"))
		for _, o := range []struct {
			file string
			opts TextOptions
		}{
			{"text.txt", TextOptions{Report: "runs/1/report/report.html"}},
			{"text-80.txt", TextOptions{Width: 80}},
			{"text-color.txt", TextOptions{Color: true}},
		} {
			var b bytes.Buffer
			if err := Text(&b, in, o.opts); err != nil {
				t.Fatal(err)
			}
			golden(t, name+"/"+o.file, b.Bytes())
			if !o.opts.Color && strings.Contains(b.String(), "\x1b") {
				t.Errorf("%s/%s: colour without being asked for", name, o.file)
			}
		}
	}
}

func TestTextWidth(t *testing.T) {
	for _, width := range []int{60, 80, 100, 140} {
		var b bytes.Buffer
		if err := Text(&b, example(), TextOptions{Width: width, Color: true}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			// A table's own keys and one column are the least that is printed.
			if n := columns(line); n > width && width >= 100 {
				t.Errorf("width %d: %d columns: %q", width, n, line)
			}
		}
	}
}

// TestSame: the same input gives the same bytes, also over an older report with more in it.
func TestSame(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, f := range []string{"tables/old.csv", "plots/old.svg", "plots/old.png"} {
		if err := os.MkdirAll(filepath.Join(b, filepath.Dir(f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(b, f), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(a, example()); err != nil {
		t.Fatal(err)
	}
	if err := Write(b, example()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tree(t, a), tree(t, b)); d != "" {
		t.Fatalf("two reports of one record differ:\n%s", d)
	}
	for range 10 { // maps are walked in another order each time
		if err := write(a, example(), sketch); err != nil {
			t.Fatal(err)
		}
		if err := write(b, example(), sketch); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tree(t, a), tree(t, b)); d != "" {
			t.Fatalf("two reports of one record differ:\n%s", d)
		}
	}
}

// TestKeepsOthers: files that are not ours stay.
func TestKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"notes.txt", "tables/notes.txt"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(dir, passing(), sketch); err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	if files["notes.txt"] != "mine" || files["tables/notes.txt"] != "mine" {
		t.Errorf("a file of someone else's is gone: %v", sortedKeys(files))
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, Input{}); err == nil || !strings.Contains(err.Error(), "a plan and results were expected") {
		t.Errorf("without results: %v", err)
	}
	in := example()
	in.Results.Figures[4].Median = in.Results.Figures[4].Median / zero()
	err := write(dir, in, sketch)
	if err == nil || !strings.Contains(err.Error(), "must be a finite number") {
		t.Errorf("infinity: %v", err)
	}
	if n := len(tree(t, dir)); n != 0 {
		t.Errorf("%d files were written in spite of the error", n)
	}
}

func zero() float64 { return 0 }

// TestPlotThatCannotBeDrawn: the rest of the report is there, and says why.
func TestPlotThatCannotBeDrawn(t *testing.T) {
	dir := t.TempDir()
	err := write(dir, example(), func(f chart.Figure) (svg, png []byte, err error) {
		if f.Kind == "lines" {
			return nil, nil, errors.New("too many <points>")
		}
		return sketch(f)
	})
	if err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	if want := "<b>latency_p99[rw=read]</b> could not be drawn: too many &lt;points&gt;"; !strings.Contains(files[HTMLFile], want) {
		t.Errorf("%s lacks %q", HTMLFile, want)
	}
	if _, ok := files["plots/bandwidth.png"]; !ok {
		t.Errorf("the plot that could be drawn is missing: %v", sortedKeys(files))
	}
}

func TestResultsJSON(t *testing.T) {
	data, err := resultsJSON(&judge.Results{FormatVersion: 1, Title: "<a> & 中文"})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("null")) || !bytes.Contains(data, []byte("<a> & 中文")) {
		t.Errorf("a list is null, or text is escaped:\n%s", data)
	}
	want := example().Results
	if data, err = resultsJSON(want); err != nil {
		t.Fatal(err)
	}
	var got judge.Results
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fmt.Sprint(want.KPIs), fmt.Sprint(got.KPIs)); d != "" {
		t.Error(d)
	}
}
