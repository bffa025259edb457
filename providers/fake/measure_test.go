package fake_test

import (
	"context"
	"math"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func open(context.Context) error { return nil }

// run measures one repetition and parses it.
func run(t testing.TB, p providers.Provider, req providers.MeasureRequest) (measure.Sample, *providertest.Sink) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if !req.Config.GetAttr("mode").IsNull() && req.Config.GetAttr("mode").AsString() == "hang" {
		time.AfterFunc(10*time.Millisecond, cancel)
	}
	sink := providertest.NewSink("")
	if err := p.Measure(ctx, req, open, sink); (err != nil) != (ctx.Err() != nil) {
		t.Fatal(err)
	}
	res, err := p.Parse(context.Background(), providers.ParseRequest{
		Target: req.Target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: req.Expect})
	if err != nil {
		t.Fatal(err)
	}
	return res.Sample, sink
}

func TestModes(t *testing.T) {
	type outcome struct {
		Outcome measure.Outcome
		Reason  string // a part
		Code    int
		Signal  string
	}
	for name, c := range map[string]struct {
		values  map[string]any
		attempt int
		want    outcome
	}{
		"ok":                {map[string]any{}, 1, outcome{measure.OK, "", 0, ""}},
		"fail":              {map[string]any{"mode": "fail"}, 2, outcome{measure.Failed, `exit status 1: failed as the spec asks (mode = "fail")`, 1, ""}},
		"hang":              {map[string]any{"mode": "hang"}, 1, outcome{measure.Failed, "ended by SIGTERM", -1, "SIGTERM"}},
		"crash":             {map[string]any{"mode": "crash"}, 1, outcome{measure.Failed, "ended by SIGSEGV", -1, "SIGSEGV"}},
		"garbage":           {map[string]any{"mode": "garbage"}, 1, outcome{measure.Failed, `not with "fake 1"`, 0, ""}},
		"flaky at first":    {map[string]any{"mode": "flaky"}, 1, outcome{measure.Failed, `mode = "flaky"`, 1, ""}},
		"flaky then":        {map[string]any{"mode": "flaky"}, 2, outcome{measure.OK, "", 0, ""}},
		"thing not there":   {map[string]any{"thing": "array-00000000"}, 1, outcome{measure.Failed, `the thing "array-00000000" does not stand`, 1, ""}},
		"thing partial":     {map[string]any{"thing": "PARTIAL"}, 1, outcome{measure.Failed, "does not stand", 1, ""}},
		"nothing to take":   {map[string]any{"takes": "backup-00000000"}, 1, outcome{measure.Failed, `nothing was left as "backup-00000000"`, 1, ""}},
		"takes an old one":  {map[string]any{"takes": "OLD"}, 1, outcome{measure.Failed, "is of repetition 2, not of 1", 1, ""}},
		"takes its own":     {map[string]any{"takes": "NEW"}, 1, outcome{measure.OK, "", 0, ""}},
		"takes what failed": {map[string]any{"takes": "FAILED"}, 1, outcome{measure.Failed, "nothing was left as", 1, ""}},
		"thing of no sense": {map[string]any{"thing": "../world.log"}, 1, outcome{measure.Failed, `the thing "../world.log" does not stand`, 1, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			p := configured(t, t.TempDir())
			c.values["count"] = 3
			if c.values["thing"] == "PARTIAL" {
				req := thing(t, p, "a", nil)
				interrupted(t, p, req)
				c.values["thing"] = req.Outputs.GetAttr("id")
			}
			if before := map[any]map[string]any{"OLD": {}, "NEW": {}, "FAILED": {"mode": "fail"}}[c.values["takes"]]; before != nil {
				tg := target(t, "test", "before", before)
				repetition := map[any]int{"OLD": 2}[c.values["takes"]]
				run(t, p, providers.MeasureRequest{Target: tg, Repetition: max(1, repetition), Attempt: 1})
				answer, err := p.Plan(context.Background(), providers.PlanRequest{Target: tg})
				if err != nil {
					t.Fatal(err)
				}
				c.values["takes"] = answer.Outputs.GetAttr("left")
			}
			s, sink := run(t, p, providers.MeasureRequest{Target: target(t, "test", "t", c.values), Repetition: 1, Attempt: c.attempt})
			if len(sink.Exits()) != 1 {
				t.Fatalf("exits: %+v", sink.Exits())
			}
			e := sink.Exits()[0]
			got := outcome{s.Outcome, s.Reason, e.Code, e.Signal}
			if strings.Contains(s.Reason, c.want.Reason) && (s.Reason == "") == (c.want.Reason == "") {
				got.Reason = c.want.Reason
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What the spec gives comes out, to the digit, unless noise is asked for.
func TestFigures(t *testing.T) {
	tg := target(t, "test", "t", map[string]any{"throughput": "100MiB/s", "latency": "400us", "count": 0.1})
	s, sink := run(t, configured(t, t.TempDir()), providers.MeasureRequest{Target: tg, Repetition: 1, Attempt: 1})
	want := []measure.Value{
		{Measure: "throughput", Value: 104857600}, {Measure: "latency", Value: 0.0004}, {Measure: "count", Value: 0.1}}
	if diff := cmp.Diff(want, s.Values); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const out = "fake 1\nthroughput 104857600 B/s\nlatency 0.0004 s\ncount 0.1\nend\n"
	if got := string(sink.Data("fake.stdout")); got != out {
		t.Errorf("output %q, want %q", got, out)
	}
}

func TestNoise(t *testing.T) {
	p := configured(t, t.TempDir())
	figures := func(seed any, address string, n int) []float64 {
		var all []float64
		for rep := 1; rep <= n; rep++ {
			tg := target(t, "test", "t", map[string]any{"throughput": "1000MB/s", "noise": "2%", "seed": seed})
			tg.Address.Coordinates = addr.Coordinates{"a": address}
			s, _ := run(t, p, providers.MeasureRequest{Target: tg, Repetition: rep, Attempt: rep%2 + 1})
			v, ok := s.Get("throughput")
			if !ok {
				t.Fatalf("no throughput: %+v", s)
			}
			all = append(all, v/1e9)
		}
		return all
	}
	first := figures(1, "x", 200)
	for i, again := range figures(1, "x", 200) {
		if again != first[i] {
			t.Fatalf("repetition %d: %v, then %v", i+1, first[i], again)
		}
	}
	for what, other := range map[string][]float64{"seed": figures(2, "x", 5), "address": figures(1, "y", 5)} {
		if cmp.Equal(first[:5], other) {
			t.Errorf("another %s gives the same noise", what)
		}
	}
	sorted := append([]float64(nil), first...)
	sort.Float64s(sorted)
	low, median, high := sorted[0], (sorted[99]+sorted[100])/2, sorted[199]
	if low < 0.98 || high > 1.02 || low > 0.985 || high < 1.015 || math.Abs(median-1) > 0.004 {
		t.Errorf("of ±2 %%: from %v to %v, median %v", low, high, median)
	}
}

func TestPlan(t *testing.T) {
	p := configured(t, t.TempDir())
	for name, c := range map[string]struct {
		kind   string
		values map[string]any
		want   providers.PlanResponse
	}{
		"thing": {"setup", map[string]any{"claims": []string{"disk:S1"}, "create_time": "1h30m", "destroy_time": "1.5s"}, providers.PlanResponse{
			Claims:          []providers.Claim{{Name: "disk:S1", Standing: true}},
			Commands:        []providers.Command{{Manual: "write .assay/fake/ID.json"}},
			ReleaseCommands: []providers.Command{{Manual: "remove .assay/fake/ID.json"}},
			Estimate:        90 * time.Minute, ReleaseEstimate: 1500 * time.Millisecond,
		}},
		"test": {"test", map[string]any{"throughput": "28 GB/s", "count": "35k", "noise": "2%", "duration": "60s", "mode": "flaky"}, providers.PlanResponse{
			Commands: []providers.Command{{Manual: "pretend to measure throughput 28 GB/s, count 35000 ±2 % for 60 s (mode flaky)"}},
			Estimate: time.Minute,
		}},
		"nothing": {"test", nil, providers.PlanResponse{
			Commands: []providers.Command{{Manual: "pretend to measure nothing"}},
			Problems: []providers.Problem{{Warning: true, Summary: "A test without figures",
				Detail: "It yields nothing that could be compared or judged. Give throughput, latency or count."}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.Plan(context.Background(), providers.PlanRequest{Target: target(t, c.kind, "n", c.values), Offline: true})
			if err != nil {
				t.Fatal(err)
			}
			if c.kind == "setup" {
				id := got.Outputs.GetAttr("id").AsString()
				for _, list := range [][]providers.Command{got.Commands, got.ReleaseCommands} {
					list[0].Manual = strings.Replace(list[0].Manual, id, "ID", 1)
				}
			}
			if diff := cmp.Diff(&c.want, got, cmpopts.IgnoreFields(providers.PlanResponse{}, "Outputs")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Ids differ where addresses do, and are fit for a file's name whatever the spec's language.
func TestIDs(t *testing.T) {
	p := configured(t, t.TempDir())
	seen := map[string]bool{}
	for i, name := range []string{"a", "a", "阵列", "array", "数据"} {
		tg := target(t, "setup", name, nil)
		tg.Address.Coordinates = addr.Coordinates{"drive": "SSD/" + strconv.Itoa(i)}
		res, err := p.Plan(context.Background(), providers.PlanRequest{Target: tg})
		if err != nil {
			t.Fatal(err)
		}
		id := res.Outputs.GetAttr("id").AsString()
		if seen[id] || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(id, "-") {
			t.Errorf("%s: id %q", tg.Address, id)
		}
		seen[id] = true
	}
}

// With hosts there is a figure for each: throughput is divided, the parts follow it, and noise is each one's own.
func TestHosts(t *testing.T) {
	p := configured(t, t.TempDir())
	config := map[string]any{"throughput": "100MiB/s", "latency": "400us", "hosts": []string{"h1", "h2"}}
	s, sink := run(t, p, providers.MeasureRequest{Target: target(t, "test", "t", config), Repetition: 1, Attempt: 1})
	at := func(name, host string, v float64) measure.Value {
		return measure.Value{Measure: name, Keys: addr.Coordinates{"host": host}, Value: v}
	}
	want := []measure.Value{
		at("throughput", "h1", 52428800), at("throughput", "h2", 52428800), at("latency", "h1", 0.0004), at("latency", "h2", 0.0004),
		at("share", "h1", 0.5), at("share", "h2", 0.5),
	}
	if diff := cmp.Diff(want, s.Values); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const out = "fake 1\nthroughput[host=h1] 52428800 B/s\nthroughput[host=h2] 52428800 B/s\nshare[host=h1] 0.5\nshare[host=h2] 0.5\n" +
		"latency[host=h1] 0.0004 s\nlatency[host=h2] 0.0004 s\nend\n"
	if got := string(sink.Data("fake.stdout")); got != out {
		t.Errorf("output %q, want %q", got, out)
	}
	config["noise"] = "10%"
	s, _ = run(t, p, providers.MeasureRequest{Target: target(t, "test", "t", config), Repetition: 1, Attempt: 1})
	for i := 0; i+1 < len(s.Values); i += 2 {
		if s.Values[i].Value == s.Values[i+1].Value {
			t.Errorf("%s is %v at both hosts, with noise", s.Values[i].Measure, s.Values[i].Value)
		}
	}
	for _, hosts := range [][]string{{"h1", "h1"}, {"h 1"}, {""}} {
		config["hosts"] = hosts
		answer, err := p.Plan(t.Context(), providers.PlanRequest{Target: target(t, "test", "t", config)})
		if err != nil || len(answer.Problems) != 1 || answer.Problems[0].Attribute != "hosts" {
			t.Errorf("hosts %q: %v, %+v", hosts, err, answer)
		}
	}
}
