package fake_test

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// TestTails: percentiles follow from a distribution, which comes along; there is no p99.9 of fewer than 10,000 operations.
func TestTails(t *testing.T) {
	p := configured(t, t.TempDir())
	at := func(values map[string]any) measure.Sample {
		s, sink := run(t, p, providers.MeasureRequest{Target: target(t, "test", "t", values), Repetition: 1, Attempt: 1})
		if s.Outcome != measure.OK {
			t.Fatalf("%s\n%s", s.Reason, sink.Data("fake.stdout"))
		}
		return s
	}
	s := at(map[string]any{"latency": "1ms", "operations": 10000})
	want := []measure.Value{{Measure: "latency", Value: 0.001}, {Measure: "latency_p99", Value: 0.002}, {Measure: "latency_p99_9", Value: 0.01}}
	if d := cmp.Diff(want, s.Values); d != "" {
		t.Error(d)
	}
	bins := []measure.Histogram{{Measure: "latency", Bins: []measure.Bin{{Value: 0.001, Count: 9850}, {Value: 0.002, Count: 130}, {Value: 0.01, Count: 20}}}}
	if d := cmp.Diff(bins, s.Histograms); d != "" {
		t.Error(d)
	}
	s = at(map[string]any{"latency": "1ms", "operations": 9999, "hosts": []string{"h1", "h2"}})
	var names []string
	for _, v := range s.Values {
		names = append(names, v.Measure+" "+v.Keys.String())
	}
	if got := strings.Join(names, ", "); got != "latency host=h1, latency host=h2, latency_p99 host=h1, latency_p99 host=h2" {
		t.Errorf("values %s", got)
	}
	if len(s.Histograms) != 2 || s.Histograms[1].Keys.String() != (addr.Coordinates{"host": "h2"}).String() {
		t.Errorf("histograms %v", s.Histograms)
	}
	if s = at(map[string]any{"count": 1, "operations": 10}); len(s.Values) != 1 || len(s.Histograms) != 0 {
		t.Errorf("without a latency: %v", s.Values)
	}
}
