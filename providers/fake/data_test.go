package fake_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
)

// load plans data, loads them, and parses what the load left. The outcome is empty where Prepare failed.
func load(t *testing.T, p providers.Provider, name string, generation int, values map[string]any) (measure.Sample, error) {
	t.Helper()
	tg := target(t, "dataset", name, values)
	res, err := p.Plan(context.Background(), providers.PlanRequest{Target: tg})
	if err != nil {
		t.Fatal(err)
	}
	sink := providertest.NewSink(t.TempDir())
	req := providers.ThingRequest{Target: tg, Outputs: res.Outputs, Addresses: []string{tg.Address.String()}, Generation: generation}
	if err := p.Prepare(context.Background(), req, sink); err != nil {
		return measure.Sample{}, err
	}
	parsed, err := p.Parse(context.Background(), providers.ParseRequest{Target: tg, Artifacts: sink.Artifacts(), Exits: sink.Exits()})
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Sample, nil
}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name   string
		values map[string]any
		want   map[string]float64
		err    string
	}{
		{"bare", nil, map[string]float64{"load_time": 0}, ""},
		{"whole", map[string]any{"rows": "2k", "bytes": "1MB", "load_time": "2ms"},
			map[string]float64{"load_time": 0.002, "rows": 2000, "bytes": 1e6, "load_rate": 5e8}, ""},
		{"no time", map[string]any{"bytes": "1MB"}, map[string]float64{"load_time": 0, "bytes": 1e6}, ""},
		{"fails", map[string]any{"fail": "load"}, nil, `it fails as the spec asks (fail = "load")`},
		{"without its thing", map[string]any{"thing": "array-1"}, nil, `the thing "array-1" does not stand`},
		{"with a thing that is no id", map[string]any{"thing": "no id"}, nil, "does not stand"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := load(t, configured(t, t.TempDir()), "d", 1, c.values)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || s.Outcome != measure.OK {
				t.Fatal(err, s.Outcome, s.Reason)
			}
			if len(s.Values) != len(c.want) {
				t.Errorf("values %v, want %v", s.Values, c.want)
			}
			for name, want := range c.want {
				if v, ok := s.Get(name); !ok || v != want {
					t.Errorf("%s is %v, want %v", name, v, want)
				}
			}
		})
	}
}

// TestLoadAgain: data that stand are loaded again, with other noise in another generation and the same in the same.
func TestLoadAgain(t *testing.T) {
	dir := t.TempDir()
	p := configured(t, dir)
	var times []float64
	for _, generation := range []int{1, 2, 2} {
		s, err := load(t, p, "d", generation, map[string]any{"load_time": "1ms", "noise": "50%", "bytes": "1MB"})
		if err != nil || s.Outcome != measure.OK {
			t.Fatal(err, s.Reason)
		}
		v, _ := s.Get("load_time")
		rate, _ := s.Get("load_rate")
		if v < 0.0005 || v > 0.0015 || rate != 1e6/v {
			t.Errorf("load_time is %v, load_rate %v", v, rate)
		}
		times = append(times, v)
	}
	if times[0] == times[1] || times[1] != times[2] {
		t.Errorf("load times %v", times)
	}
	var did []string
	for _, line := range worldLog(t, dir) {
		verb, _, _ := strings.Cut(line, " ")
		did = append(did, verb)
	}
	if want := strings.Fields("load loaded load loaded load loaded"); !slices.Equal(did, want) {
		t.Errorf("the world saw %q", did)
	}
}

// TestLoadInTheWay: two that claim the same do not stand together.
func TestLoadInTheWay(t *testing.T) {
	p := configured(t, t.TempDir())
	claims := map[string]any{"claims": []string{"database"}}
	if _, err := load(t, p, "a", 1, claims); err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, p, "b", 1, claims); err == nil || !strings.Contains(err.Error(), `"database" is claimed by a-`) {
		t.Errorf("error %v", err)
	}
}
