package report

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/google/go-cmp/cmp"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		s       stats.Summary
		planned int
		m       schema.Measure
		want    string
	}{
		{stats.Summary{N: 6, Median: 612e6, Lo: 598e6, Hi: 630e6, Interval: true}, 6, bandwidth, "n=6, 598–630"},
		{stats.Summary{N: 6, Median: 1.01e9, Lo: 980e6, Hi: 1.2e9, Interval: true}, 6, bandwidth, "n=6, 980 MB/s – 1.2 GB/s"},
		{stats.Summary{N: 6, Median: 999e6, Lo: 1.1e9, Hi: 1.2e9, Interval: true}, 6, bandwidth, "n=6, 1.1–1.2 GB/s"},
		{stats.Summary{N: 3, Median: 1e-3, Lo: 9e-4, Hi: 2e-3}, 3, latency, "n=3, range 900 µs – 2 ms, no interval"},
		{stats.Summary{N: 2, Median: 0, Lo: -1, Hi: 2}, 2, cpu, "n=2, range -1 to 2, no interval"},
		{stats.Summary{N: 1, Median: 5, Lo: 5, Hi: 5}, 1, cpu, "one observation"},
		{stats.Summary{N: 1, Median: 5, Lo: 5, Hi: 5}, 6, cpu, "n=1 of 6, one observation"},
		{stats.Summary{N: 5, Median: 5400, Lo: 5000, Hi: 5800}, 6, latency, "n=5 of 6, range 1h23m20s–1h36m40s, no interval"},
		{stats.Summary{}, 6, cpu, "n=0 of 6"},
	} {
		if got := spread(c.s, c.planned, c.m, value(c.s.Median, c.m)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{numbers([]int{6, 1, 2, 3}), "1–3, 6"},
		{numbers([]int{1, 1, 2}), "1–2"},
		{numbers([]int{4}), "4"},
		{missing(map[string]int{"ok": 3, "failed": 1, "did_not_finish": 2, "skipped": 0}), "2 did not finish, 1 failed"},
		{missing(map[string]int{"ok": 3}), ""},
		{pValue(0.0021645), "0.002"},
		{pValue(0.0004), "< 0.001"},
		{pValue(1), "1"},
		{percentOf(1), "100 %"},
		{percentOf(0.935), "93.5 %"},
		{commandLine([]string{"fio", "--name=a b", "it's", "", "$(rm)", "--bs=4k"}), `fio '--name=a b' 'it'\''s' '' '$(rm)' --bs=4k`},
		{plainText("a\x1b[31mb\nc\u202ed"), "a[31mb cd"},
		{md("a|b <i> `c` *d* [e](f) @g"), "a\\|b &lt;i&gt; \\`c\\` \\*d\\* \\[e\\](f) &#64;g"},
		{code("a`b"), "a\\`b"},
		{code("a_b"), "`a_b`"},
		{number(8e8), "800000000"},
		{number(0.000412), "0.000412"},
		{number(1e-12), "1e-12"},
		{verdictWord("new"), "new"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "带宽": 4, "µs": 2, "\x1b[1;32mok\x1b[0m": 2, "e\u0301": 1, "≥ 5": 3, "：": 2} {
		if got := columns(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestXValues(t *testing.T) {
	for _, c := range []struct {
		p    plan.Plot
		xs   []string
		want []float64
	}{
		{plan.Plot{Kind: "lines", Scale: "log2"}, []string{"4KiB", "128KiB"}, []float64{4096, 131072}},
		{plan.Plot{Kind: "lines", Scale: "log2"}, []string{"1", "16"}, []float64{1, 16}},
		{plan.Plot{Kind: "lines", Scale: "linear"}, []string{"0", "16"}, []float64{0, 16}},
		{plan.Plot{Kind: "lines", Scale: "log10"}, []string{"0", "16"}, nil},
		{plan.Plot{Kind: "lines"}, []string{"1", "16"}, nil},
		{plan.Plot{Kind: "bars", Scale: "log2"}, []string{"1", "16"}, nil},
		{plan.Plot{Kind: "lines", Scale: "log2"}, []string{"4KiB", "1s"}, nil},
		{plan.Plot{Kind: "lines", Scale: "log2"}, []string{"sas", "sata"}, nil},
	} {
		if d := cmp.Diff(c.want, xValues(c.p, c.xs)); d != "" {
			t.Errorf("%v %v: %s", c.p, c.xs, d)
		}
	}
}

func TestConfidence(t *testing.T) {
	for in, want := range map[float64]string{0: "95 %", 0.99: "99 %", math.Nextafter(0.9, 1): "90 %"} {
		if got := confidence(in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
}
