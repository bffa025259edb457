package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/providers/measure"
)

// TestMarkdownScreen: however large the run, report.md is one screen, no line is endless, and what it leaves out is counted.
func TestMarkdownScreen(t *testing.T) {
	in := large(1000, 6)
	for i := range 30 {
		in.Notes = append(in.Notes, fmt.Sprintf("note %d", i))
		in.Results.Warnings = append(in.Results.Warnings, fmt.Sprintf("warning %d", i))
		in.Results.NotJudged = append(in.Results.NotJudged, judge.NotJudged{Block: fmt.Sprintf("kpi.n%d", i), Reason: "no instance"})
		in.Results.Samples[i].Warnings = []measure.Warning{{Code: "code", Text: fmt.Sprint("doubt ", i)}}
	}
	in.Results.Samples[45].Reason = strings.Repeat("x", 1e6) // of a failed one
	v, err := newView(in)
	if err != nil {
		t.Fatal(err)
	}
	text := string(markdown(v))
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines", n)
	}
	if len(text) > 12000 {
		t.Errorf("%d bytes", len(text))
	}
	for _, want := range []string{"990 more verdicts: 666 pass, 324 fail.", "57 more notes and warnings are in report.html", "27 more blocks that are not judged are in report.html", "more reasons are in report.html", "## Most changed"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}

// TestMostChanged: the largest by ratio first, a measure once before any comes twice, chance and what is incomplete last.
func TestMostChanged(t *testing.T) {
	in := example()
	in.Results.Comparisons = nil
	add := func(arm string, m string, ratio float64, sure bool) {
		c := judge.Comparison{Block: "compare.c", Across: "bs", Baseline: "4KiB", Complete: ratio > 0, Ratio: ratio, Change: ratio - 1, Test: "test.fio.seq[bs=128KiB,rw=read]", BaselineTest: "test.fio.seq[bs=4KiB,rw=read]", Measure: bandwidth}
		c.Coordinates = map[string]string{"bs": arm}
		c.Measure.Name = m
		if sure {
			c.Interval = &judge.Interval{Lo: ratio - 1, Hi: ratio - 1}
		}
		in.Results.Comparisons = append(in.Results.Comparisons, c)
	}
	add("none", "bandwidth", 0, false)
	add("chance", "iops", 9, false)
	add("double", "bandwidth", 2, true)
	add("third", "bandwidth", 1.0/3, true)
	add("more", "latency_p99", 1.5, true)
	v, err := newView(in)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{3: "third more chance", 10: "third more chance double"} {
		var got []string
		for _, c := range mostChanged(v, n) {
			arm, _, _ := strings.Cut(strings.TrimPrefix(c.Arm, "bs="), " ")
			got = append(got, arm)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", n, got, want)
		}
	}
	if c := mostChanged(v, 1)[0]; c.Was != "612 MB/s" || c.Is != "1.412 GB/s" || c.Change != "−66.67 %" || c.Measure != "bandwidth of test.fio.seq" {
		t.Errorf("%+v", c)
	}
}

// TestMarkdownHostile: text that a spec brings makes no markup, calls no one and loads nothing.
func TestMarkdownHostile(t *testing.T) {
	in := withCourses()
	everyText(&in, func(s *string) { *s = "a|b\n# c ![x](http://h/i) [y](http://h) <b> @someone `code` ~~d~~ *e*" })
	dir := t.TempDir()
	if err := write(dir, in, sketch); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, MarkdownFile))
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "", `\|`, "", "\\`", "", `\*`, "", `\#`, "", `\!`, "", `\~`, "").Replace(string(data))
	for _, bad := range []string{"](http", "<b>", "@someone", "\n# c", "`code`", "~~d", " *e"} {
		if strings.Contains(plain, bad) {
			t.Errorf("%q is markup in\n%s", bad, data)
		}
	}
}
