package derive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

var declared = []schema.Measure{
	{Name: "iops", Better: schema.Higher, Keys: []string{"host"}, RollUp: schema.Sum},
	{Name: "p50", Better: schema.Lower, Histogram: "latency", Quantile: 0.5},
	{Name: "p99_9", Better: schema.Lower, Histogram: "latency", Quantile: 0.999},
	{Name: "max", Better: schema.Lower, Histogram: "latency", Quantile: 1},
	{Name: "share_p50", Better: schema.Higher, Histogram: "share", Quantile: 0.5},
}

// sample writes a round: values as NAME[@HOST]=V, a histogram as V*N, warnings as !CODE.
func sample(text string) measure.Sample {
	s := measure.Sample{Outcome: measure.OK}
	var bins []measure.Bin
	for _, w := range strings.Fields(text) {
		var v float64
		var n uint64
		name, value, _ := strings.Cut(w, "=")
		switch {
		case w[0] == '!':
			s.Warnings = append(s.Warnings, measure.Warning{Code: "w", Text: w[1:]})
		case value != "":
			_, _ = fmt.Sscan(value, &v)
			one := measure.Value{Value: v}
			host := ""
			if one.Measure, host, _ = strings.Cut(name, "@"); host != "" {
				one.Keys = addr.Coordinates{"host": host}
			}
			s.Values = append(s.Values, one)
		default:
			_, _ = fmt.Sscanf(w, "%g*%d", &v, &n)
			bins = append(bins, measure.Bin{Value: v, Count: n})
		}
	}
	if bins != nil {
		s.Histograms = []measure.Histogram{{Measure: "latency", Bins: bins}}
	}
	return s
}

// text is the other way round.
func text(s measure.Sample) string {
	var out []string
	for _, v := range s.Values {
		name := v.Measure
		if h := v.Keys["host"]; h != "" {
			name += "@" + h
		}
		out = append(out, fmt.Sprintf("%s=%g", name, v.Value))
	}
	for _, h := range s.Histograms {
		for _, b := range h.Bins {
			out = append(out, fmt.Sprintf("%g*%d", b.Value, b.Count))
		}
	}
	for _, w := range s.Warnings {
		out = append(out, "!"+w.Code+":"+w.Text)
	}
	return strings.Join(out, " ")
}

// TestUnite is about what the rounds of a window are together.
func TestUnite(t *testing.T) {
	for _, c := range []struct{ name, rounds, want string }{
		{"means", "iops=100 other=1 | iops=200 other=2 | iops=600 other=6", "iops=300 other=3"},
		{"keys apart", "iops@a=1 iops@b=10 | iops@a=3 iops@b=30", "iops@a=2 iops@b=20"},
		// 100 quick ones and one slow one in two rounds: the mean of the medians would be 5.5.
		{"merged", "p50=1 max=1 1*100 | p50=10 max=10 10*1", "p50=1 max=10 1*100 10*1"},
		{"the largest, not the mean", "max=3 | max=9 | max=6", "max=9"},
		{"never beyond the largest", "p50=4.2 max=4 4.5*3 | p50=4.2 max=4.1 4.5*3", "p50=4.1 max=4.1 4.5*6"},
		{"enough only together", "p50=1 1*6000 | p50=1 p99_9=2 1*3989 2*11", "p50=1 p99_9=2 1*9989 2*11"},
		{"too few", "p99_9=1 1*10 | p99_9=1 1*10", "1*20"},
		{"without histograms the worst", "p50=1 | p50=3 | p50=2", "p50=3 !percentile_not_merged:p50: the worst of the 3 rounds, since there are no histograms to merge"},
		{"the worst where more is better", "share_p50=1 | share_p50=3", "share_p50=1 !percentile_not_merged:share_p50: the worst of the 2 rounds, since there are no histograms to merge"},
		{"a histogram that one lacks", "p50=1 1*9 | p50=2", "p50=2 !percentile_not_merged:p50: the worst of the 2 rounds, since there are no histograms to merge"},
		{"a value that one lacks", "iops=1 max=2 | iops=3", "iops=2 !not_in_every_round:left out, since not all 2 rounds have them: max (1)"},
		{"warnings", "iops=1 !same !one | iops=1 !same !two", "iops=1 !w:same !w:round 7: one !w:round 8: two"},
		{"nothing", "|", ""},
	} {
		var samples []measure.Sample
		var rounds []measure.Round
		for i, r := range strings.Split(c.rounds, "|") {
			samples, rounds = append(samples, sample(r)), append(rounds, measure.Round{Number: 7 + i})
		}
		got := unite(samples, rounds, declared)
		if d := cmp.Diff(c.want, text(got)); d != "" || got.Outcome != measure.OK {
			t.Errorf("%s: %s %s", c.name, got.Outcome, d)
		}
	}
}

// TestSplit: rounds come in their order, and nothing else is taken for one.
func TestSplit(t *testing.T) {
	var artifacts []measure.Artifact
	for _, n := range []string{"fio.stdout", "r01-fio.stdout", "r01-r02-x", "r100-fio.stdout", "r11-fio.stdout", "r1-x", "rx-y", "r02-"} {
		artifacts = append(artifacts, measure.Artifact{Name: n})
	}
	got := ""
	for _, r := range split(artifacts, []measure.Exit{{Name: "r11-fio"}, {Name: "fio"}, {Name: "r12-fio"}}) {
		got += fmt.Sprintf("%d:", r.number)
		for _, a := range r.artifacts {
			got += " " + a.Name
		}
		for _, e := range r.exits {
			got += " (" + e.Name + ")"
		}
		got += "\n"
	}
	if d := cmp.Diff("1: fio.stdout r02-x\n11: fio.stdout (fio)\n12: (fio)\n100: fio.stdout\n", got); d != "" {
		t.Error(d)
	}
}

// TestSteadyFigure: a round has one figure, over its keys.
func TestSteadyFigure(t *testing.T) {
	typ := &schema.Type{Name: "t", Measures: []schema.Measure{
		declared[0], {Name: "slow", Better: schema.Lower, RollUp: schema.Worst}, {Name: "fast", Better: schema.Higher, RollUp: schema.Worst},
		{Name: "mean", RollUp: schema.Mean}, {Name: "merged", RollUp: schema.Merged},
	}}
	const keys = "NAME@a=2 NAME@b=6 NAME@c=4"
	for _, c := range []struct {
		measure, round string
		want           float64
		why            string
	}{
		{"iops", "iops=5 iops@a=1", 5, ""}, {"iops", strings.ReplaceAll(keys, "NAME", "iops"), 12, ""}, {"mean", strings.ReplaceAll(keys, "NAME", "mean"), 4, ""},
		{"slow", strings.ReplaceAll(keys, "NAME", "slow"), 6, ""}, {"fast", strings.ReplaceAll(keys, "NAME", "fast"), 2, ""},
		{"merged", "merged@a=2", 2, ""}, {"merged", "merged@a=2 merged=7", 7, ""}, {"merged", "merged@a=2 merged@b=3", 0, "no figure of merged over all its keys"},
		{"iops", "fast=1", 0, "the output lacks iops"}, {"gone", "gone=1", 0, "gone is not a measure of t"},
	} {
		s := sample(c.round)
		v, why := SteadyFigure(&s, typ, &plan.Steady{Measure: c.measure})
		if v != c.want || !strings.Contains(why, c.why) || c.why == "" && why != "" {
			t.Errorf("%s of %s: %v, %q", c.measure, c.round, v, why)
		}
	}
	if _, why := SteadyFigure(&measure.Sample{Outcome: measure.Failed, Reason: "no disk"}, typ, &plan.Steady{Measure: "iops"}); why != "no disk" {
		t.Errorf("%q", why)
	}
}
