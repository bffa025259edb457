package report

import (
	"testing"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/google/go-cmp/cmp"
)

func TestOrderKPIs(t *testing.T) {
	in := []judge.KPI{
		{Address: "pass", Verdict: judge.Pass, Severity: "required"},
		{Address: "skipped", Verdict: judge.Skipped, Severity: "required"},
		{Address: "advice", Verdict: judge.Fail, Severity: "advisory"},
		{Address: "unsure", Verdict: judge.Inconclusive, Severity: "required"},
		{Address: "fail", Verdict: judge.Fail, Severity: "required"},
		{Address: "advice ok", Verdict: judge.Pass, Severity: "advisory"},
	}
	var got []string
	for _, k := range orderKPIs(in) {
		got = append(got, k.Address)
	}
	if d := cmp.Diff([]string{"unsure", "fail", "advice", "pass", "advice ok", "skipped"}, got); d != "" {
		t.Error(d)
	}
	if in[0].Address != "pass" {
		t.Error("the results were changed")
	}
}

// TestArms: rows go by the order of the spec's cases, the baseline first wherever it stands among them.
func TestArms(t *testing.T) {
	in := example()
	in.Results.Comparisons = nil
	for _, rw := range []string{"write", "read"} {
		base, _ := testAddress("128KiB", rw)
		test, _ := testAddress("4KiB", rw)
		in.Results.Comparisons = append(in.Results.Comparisons, judge.Comparison{Block: "compare.c", Across: "bs", Baseline: "128KiB", Complete: true, Ratio: 0.5,
			Change: -0.5, Coordinates: addr.Coordinates{"bs": "4KiB", "rw": rw}, Test: test.String(), BaselineTest: base.String(), Measure: bandwidth, N: 3, NBaseline: 2, P: 1})
	}
	v, err := newView(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range v.comparisons[0].Arms {
		got = append(got, a.Coordinates["rw"]+" "+a.Case+" "+a.Percent+" "+a.Change+" "+a.Interval)
	}
	want := []string{"read 128KiB 100 %  ", "read 4KiB 50 % −50 % no interval", "write 128KiB 100 %  ", "write 4KiB 50 % −50 % no interval"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
