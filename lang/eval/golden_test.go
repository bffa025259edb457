package eval_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

var update = flag.Bool("update", false, "write golden files anew")

// readSources reads the files of one spec.
func readSources(t *testing.T, dir string) diag.Sources {
	t.Helper()
	src := diag.Sources{}
	for _, ext := range []string{"hcl", "json"} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.assay."+ext))
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			src[filepath.Base(f)] = raw
		}
	}
	if len(src) == 0 {
		t.Fatalf("no spec in %s", dir)
	}
	return src
}

// goldenDirs are the specs that evaluate without an error.
func goldenDirs(t *testing.T) []string {
	t.Helper()
	dirs, _ := filepath.Glob("testdata/golden/*")
	if len(dirs) == 0 {
		t.Fatal("no specs")
	}
	return dirs
}

func TestGolden(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, diags := evaluate(readSources(t, dir), options())
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			got, file := dump(s), filepath.Join(dir, "golden.txt")
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
				t.Error(d)
			}
		})
	}
}

// dump prints a spec for people to check: every instance with its configuration and what it needs, and what judges it.
func dump(s *spec.Spec) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if s.Title != "" {
		line("title %s", s.Title)
	}
	for _, h := range s.Hardware {
		line("hardware %s hosts=%q memory=%v", h.Name, h.Hosts, h.Memory)
	}
	for _, p := range s.Providers {
		if p.Range.Filename != "" { // it has a block
			line("provider %s %s secret=%d", p.Name, configText(&spec.Instance{Config: p.Config}), len(p.Secret))
		}
	}
	for _, a := range s.Axes {
		var cases []string
		for _, c := range a.Cases {
			cases = append(cases, fmt.Sprintf("%q (%s)", c.Name, c.Label))
		}
		line("axis %s baseline=%q %s", a.Name, a.Baseline, strings.Join(cases, ", "))
	}
	line("%d setups, %d tests", len(s.Setups), len(s.Tests))
	for _, i := range slices.Concat(s.Setups, s.Tests, s.Monitors) {
		line("\n%s", i.Addr)
		line("  %s", configText(i))
		for _, n := range i.Needs {
			line("  needs %s", n.Addr)
		}
		for _, n := range i.After {
			line("  after %s", n.Addr)
		}
		if i.Leader != nil {
			line("  alongside %s", i.Leader.Addr)
		}
		line("  %s", strings.Join(meta(i), " "))
	}
	b.WriteString("\n")
	for _, a := range s.Unused {
		line("unused %s", a)
	}
	for _, c := range s.Comparisons {
		run := ""
		if c.OtherRun {
			run = fmt.Sprintf(" of run %q across %s", c.Run, c.Across)
		}
		line("%s: %s of %s against %s%s%s", c.Addr, c.Measure.Name, c.Test, c.BaselineTest, run, byText(c.By, nil))
	}
	for _, k := range s.KPIs {
		line("%s: %s %s of %s%s required=%v%s %s", k.Addr, k.Statistic, k.Ref.Measure.Name, k.Ref.Of, limits(k), k.Required, byText(k.By, k.Keys), k.Because)
		if p := k.Profile; p != nil {
			line("  %s %s: %s (%s) looser %q", p.Name, p.Version, p.Published, p.Source, p.Looser)
		}
	}
	for _, n := range s.NotJudged {
		line("not judged %s: %s", n.Block, n.Reason)
	}
	for _, p := range s.Plots {
		line("plot %s: %s of %s, %s over %s series=%q facet=%q scale=%s where=%v%s", p.Name, p.Measure.Name, p.Y, p.Kind, p.X, p.Series, p.Facet, p.Scale, p.Where, byText(p.By, nil))
	}
	return b.String()
}

func byText(by []string, keys map[string][]string) string {
	if len(by) == 0 {
		return ""
	}
	if len(keys) == 0 {
		return fmt.Sprintf(" by %v", by)
	}
	return fmt.Sprintf(" by %v where %v", by, keys)
}

func configText(i *spec.Instance) string {
	attrs := map[string]cty.Value{}
	for name, v := range i.Config.AsValueMap() { // nulls and empty blocks say nothing
		if v.IsNull() || v.CanIterateElements() && v.LengthInt() == 0 {
			continue
		}
		attrs[name] = v
	}
	v := cty.ObjectVal(attrs)
	raw, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func meta(i *spec.Instance) []string {
	out := []string{fmt.Sprintf("repeat=%d attempts=%d", i.Repeat, i.Attempts)}
	if i.Timeout != nil {
		out = append(out, "timeout="+i.Timeout.Decimal())
	}
	if i.Backoff != nil {
		out = append(out, "backoff="+i.Backoff.Decimal())
	}
	if keep := i.Keep != nil && *i.Keep; keep || i.Erase {
		out = append(out, fmt.Sprintf("keep=%v erase=%v", keep, i.Erase))
	}
	if len(i.Hosts) > 0 {
		out = append(out, fmt.Sprintf("hosts=%q", i.Hosts))
	}
	if i.During != nil {
		out = append(out, "during "+i.During.Addr.String())
	}
	if i.Import != nil {
		out = append(out, fmt.Sprintf("import %s of %q as %s", i.Import.Files, i.Import.Path, i.Import.Format))
	}
	if i.Skip != "" {
		out = append(out, "skip: "+i.Skip)
	}
	for _, p := range i.Secret {
		out = append(out, "secret "+p[0].(cty.GetAttrStep).Name)
	}
	return out
}

func limits(k spec.KPI) string {
	s := ""
	for _, l := range []struct {
		word  string
		limit *spec.Limit
	}{{"min", k.Min}, {"max", k.Max}} {
		if l.limit != nil {
			s += fmt.Sprintf(" %s %s (%g)", l.word, l.limit.Text, l.limit.Value)
		}
	}
	for _, l := range []struct {
		word string
		of   *spec.MeasureRef
	}{{"min_of", k.MinOf}, {"max_of", k.MaxOf}} {
		if l.of != nil {
			s += fmt.Sprintf(" %s %s of %s", l.word, l.of.Measure.Name, l.of.Of)
		}
	}
	if k.Confidence != nil {
		s += fmt.Sprintf(" confidence %g", *k.Confidence)
	}
	return s
}

// TestCounts: the numbers of the design are asserted beside the golden files, which could be updated in error.
func TestCounts(t *testing.T) {
	for dir, want := range map[string][2]int{"example": {8, 8}, "when": {3, 3}, "studyd": {2, 14}, "imports": {1, 3}} {
		s, diags := evaluate(readSources(t, "testdata/golden/"+dir), options())
		if got := [2]int{len(s.Setups), len(s.Tests)}; got != want || diags.HasErrors() {
			t.Errorf("%s: %v setups and tests, want %v (%v)", dir, got, want, diags)
		}
	}
}

// TestReferenceFindsOneInstance holds the one idea: what an instance needs stands at its own coordinates.
func TestReferenceFindsOneInstance(t *testing.T) {
	for _, dir := range goldenDirs(t) {
		s, _ := evaluate(readSources(t, dir), options())
		for _, list := range [][]*spec.Instance{s.Setups, s.Tests, s.Monitors} {
			for _, i := range list {
				seen := map[string]bool{}
				for _, n := range i.Needs {
					if want := i.Addr.Coordinates.Project(n.Addr.Coordinates.Axes()); want.String() != n.Addr.Coordinates.String() {
						t.Errorf("%s needs %s", i.Addr, n.Addr)
					}
					if b := n.Addr.Block.String() + n.Addr.Each; seen[b] {
						t.Errorf("%s needs two of %s", i.Addr, b)
					} else {
						seen[b] = true
					}
				}
			}
		}
	}
}
