package judge

import (
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// TestLoads: every planned load of a dataset is one observation, told apart by its generation; one that is not there is missing.
func TestLoads(t *testing.T) {
	block := addr.Block{Kind: "dataset", Type: "fake_data", Name: "d"}
	loadTime := schema.Measure{Name: "load_time", Dim: unit.Seconds, Better: schema.Lower}
	data := plan.Test{
		Address: block.String(), Instance: addr.Instance{Block: block}, Repeat: 1,
		Loads: []plan.Planned{{Round: 1, Generation: 1}, {Round: 1, Generation: 2}, {Round: 2, Generation: 3}, {Round: 2, Generation: 4}},
	}
	sample := func(round, generation int, outcome measure.Outcome) measure.Sample {
		return measure.Sample{
			Address: block.String(), Round: round, Repetition: 1, Generation: generation, Outcome: outcome,
			Values: []measure.Value{{Measure: "load_time", Value: float64(generation)}},
		}
	}
	j := plan.Judgement{Alpha: 0.05, Confidence: 0.95, Tests: []plan.TestType{{Block: block.String(), Measures: []schema.Measure{loadTime}}}}
	r := Judge("", j, []plan.Test{data}, []measure.Sample{
		sample(2, 3, measure.OK), sample(1, 1, measure.OK), sample(1, 2, measure.Failed),
	})
	if len(r.Figures) != 1 {
		t.Fatalf("%d figures", len(r.Figures))
	}
	f := r.Figures[0]
	if f.N != 2 || f.Median != 2 || f.Planned != 4 {
		t.Errorf("n=%d, median %v, planned %d; want 2, 2, 4", f.N, f.Median, f.Planned)
	}
	if d := cmp.Diff(map[string]int{"failed": 1, "missing": 1}, f.Missing); d != "" {
		t.Error(d)
	}
	var generations []int
	for _, s := range r.Samples {
		generations = append(generations, s.Generation)
	}
	if d := cmp.Diff([]int{1, 2, 3}, generations); d != "" {
		t.Errorf("samples: %s", d)
	}
	if r.Exit != ExitIncomplete {
		t.Errorf("exit %d", r.Exit)
	}
	want := "dataset.fake_data.d: 1 of 4 loads failed; 1 of 4 loads left no sample"
	if len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}
