package judge

import (
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

func TestRollUp(t *testing.T) {
	host := func(name string, v float64) measure.Value {
		return measure.Value{Measure: "m", Keys: addr.Coordinates{"host": name}, Value: v}
	}
	three := []measure.Value{host("a", 1), host("b", 5), host("c", 3)}
	for _, c := range []struct {
		name   string
		rollUp schema.RollUp
		better schema.Better
		values []measure.Value
		want   float64
		ok     bool
		note   string
	}{
		{"none", schema.Sum, schema.Higher, nil, 0, false, ""},
		{"another measure", schema.Sum, schema.Higher, []measure.Value{{Measure: "n", Value: 1}}, 0, false, ""},
		{"no keys", schema.NoRollUp, schema.Higher, []measure.Value{{Measure: "m", Value: 7}}, 7, true, ""},
		{"sum", schema.Sum, schema.Higher, three, 9, true, ""},
		{"mean", schema.Mean, schema.Higher, three, 3, true, ""},
		{"worst where more is better", schema.Worst, schema.Higher, three, 1, true, ""},
		{"worst where less is better", schema.Worst, schema.Lower, three, 5, true, ""},
		{"worst where neither is", schema.Worst, schema.Neither, three, 0, false, ""},
		{"merged, of which nothing is known", schema.Merged, schema.Lower, three, 5, true, "m is the worst of 3: percentiles are not averaged, and the distribution of host=a, host=b, host=c is missing"},
		{"not rolled up", schema.NoRollUp, schema.Higher, three, 0, false, ""},
		{"a single key", schema.NoRollUp, schema.Higher, three[1:2], 5, true, ""},
		{"a single key, merged", schema.Merged, schema.Lower, three[1:2], 5, true, ""},
		{"the provider's own", schema.Sum, schema.Higher, append([]measure.Value{{Measure: "m", Value: 8}}, three...), 8, true, ""},
		{"the provider's own, last", schema.Sum, schema.Higher, append(append([]measure.Value{}, three...), measure.Value{Measure: "m", Value: 8}), 8, true, ""},
		{"not a number", schema.Sum, schema.Higher, append([]measure.Value{host("d", math.NaN())}, three...), 0, false, "m is NaN, which is not a figure"},
		{"beyond all floats", schema.Sum, schema.Higher, []measure.Value{host("a", 1.7e308), host("b", 1.7e308)}, 0, false, "too large"},
	} {
		s := measure.Sample{Values: c.values}
		v, ok, doubt := rollUp(&s, schema.Measure{Name: "m", RollUp: c.rollUp, Better: c.better, Keys: []string{"host"}})
		note := ""
		if doubt != nil {
			note = doubt.Text
		}
		if v != c.want || ok != c.ok || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%s: %v, %v, %q; want %v, %v, %q", c.name, v, ok, note, c.want, c.ok, c.note)
		}
	}
}

// A sample in the results: figures with units, keyed values beside them, nothing that JSON cannot hold, and a warning
// for all that was left out.
func TestShownSample(t *testing.T) {
	c := &cell{test: plan.Test{Type: "fio"}, measures: []schema.Measure{{Name: "m", Dim: unit.Seconds, RollUp: schema.Sum, Keys: []string{"host"}}, {Name: "odd"}}}
	got := show(c, &measure.Sample{
		Outcome: measure.OK, Warnings: []measure.Warning{{Code: "noise", Text: "noisy"}},
		Values: []measure.Value{
			{Measure: "m", Keys: addr.Coordinates{"host": "a"}, Value: 1},
			{Measure: "m", Keys: addr.Coordinates{"host": "b"}, Value: 2},
			{Measure: "odd", Keys: addr.Coordinates{"host": "b"}, Value: math.Inf(1)},
			{Measure: "unheard", Value: 3},
		},
	})
	if len(got.Measures) != 1 || got.Measures["m"] != (MeasuredValue{3, "s"}) {
		t.Errorf("measures %v", got.Measures)
	}
	if len(got.Values) != 2 {
		t.Errorf("keyed values %v", got.Values)
	}
	var codes []string
	for _, w := range got.Warnings {
		codes = append(codes, w.Code)
	}
	if strings.Join(codes, " ") != "noise no_figure undeclared_measure" {
		t.Errorf("warnings %v", got.Warnings)
	}
}
