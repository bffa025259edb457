package derive

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers/measure"
)

// ran is the sample event of a test that ran from one second to another; from a negative one it did not run.
func ran(address string, from, to float64) record.Event {
	e := record.Event{Address: address}
	if from >= 0 {
		at := func(s float64) *time.Time {
			t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s * float64(time.Second)))
			return &t
		}
		e.Started, e.Ended = at(from), at(to)
	}
	return e
}

func TestApart(t *testing.T) {
	for _, c := range []struct {
		name       string
		one, other record.Event
		want       string // a part; empty: none
	}{
		{"the same time", ran("a", 0, 60), ran("b", 0, 60), ""},
		{"just enough", ran("a", 0, 100), ran("b", 5, 95), ""},
		{"just too little", ran("a", 0, 100), ran("b", 5, 94), "this test ran for 100 s and b for 89 s, both at once for 89 s: 89 % of the longer, and at least 90 % is wanted"},
		{"the other was shorter", ran("a", 0, 60), ran("b", 0, 30), "60 s and b for 30 s, both at once for 30 s: 50 %"},
		{"the other was longer", ran("a", 0, 30), ran("b", 0, 60), "30 s and b for 60 s, both at once for 30 s: 50 %"},
		{"one after the other", ran("a", 0, 30), ran("b", 40, 70), "both at once for 0 s: 0 %"},
		{"the other did not run", ran("a", 0, 30), ran("b", -1, 0), "b did not run in the 30 s of this test"},
		{"neither took any time", ran("a", 1, 1), ran("b", 1, 1), ""},
	} {
		if got := apart(c.one, c.other); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOverlaps: each of two that started together is warned of the other; what is not ok needs no warning.
func TestOverlaps(t *testing.T) {
	p := &plan.Plan{Steps: []plan.Step{{ID: "s1"}, {ID: "s2", Alongside: "s1"}, {ID: "s3", Alongside: "s1"}, {ID: "s4"}}}
	final := map[string]record.Event{"s1": ran("a", 0, 60), "s2": ran("b", 0, 59), "s3": ran("c", 0, 20), "s4": ran("d", 90, 100)}
	samples := map[string]*measure.Sample{"s1": {Outcome: measure.OK}, "s2": {Outcome: measure.OK}, "s3": {Outcome: measure.Failed}, "s4": {Outcome: measure.OK}}
	overlaps(p, final, func(step string) *measure.Sample { return samples[step] })
	for step, want := range map[string]int{"s1": 1, "s2": 1, "s3": 0, "s4": 0} {
		if got := samples[step].Warnings; len(got) != want || want > 0 && (got[0].Code != "did_not_overlap" || !strings.Contains(got[0].Text, "c for 20 s")) {
			t.Errorf("%s: %v", step, got)
		}
	}
}
