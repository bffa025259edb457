package providertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// recorder takes down what a check finds instead of failing.
type recorder struct {
	testing.TB
	mu    sync.Mutex
	found []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = append(r.found, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// defective is the fake provider with a defect.
type defective struct {
	observe func(d *defective, ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error
	series  func(res *providers.ParseResponse)
	providers.Provider
	dir     string
	schema  func(*schema.Provider)
	plan    func(*defective, providers.PlanRequest, *providers.PlanResponse)
	inspect func(*defective, *providers.InspectResponse)
	prepare func(*defective, context.Context, providers.ThingRequest, providers.Sink) error
	measure func(*defective, context.Context, providers.MeasureRequest, providers.Gate, providers.Sink) error
	parse   func(*defective, providers.ParseRequest, *measure.Sample)
	release func(*defective, context.Context, providers.ThingRequest, providers.Sink) error
}

func (d *defective) Configure(ctx context.Context, req providers.ConfigureRequest) error {
	d.dir = req.Dir
	return d.Provider.Configure(ctx, req)
}

func (d *defective) Schema(ctx context.Context) (*schema.Provider, error) {
	s, err := d.Provider.Schema(ctx)
	if d.schema != nil {
		d.schema(s)
	}
	return s, err
}

func (d *defective) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	res, err := d.Provider.Plan(ctx, req)
	if d.plan != nil && err == nil {
		d.plan(d, req, res)
	}
	return res, err
}

func (d *defective) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	res, err := d.Provider.Inspect(ctx, req)
	if d.inspect != nil && err == nil {
		d.inspect(d, res)
	}
	return res, err
}

func (d *defective) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if d.prepare != nil {
		return d.prepare(d, ctx, req, sink)
	}
	return d.Provider.Prepare(ctx, req, sink)
}

func (d *defective) Measure(ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
	if d.measure != nil {
		return d.measure(d, ctx, req, g, sink)
	}
	return d.Provider.Measure(ctx, req, g, sink)
}

func (d *defective) Parse(ctx context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	res, err := d.Provider.Parse(ctx, req)
	if d.parse != nil && err == nil {
		d.parse(d, req, &res.Sample)
	}
	if d.series != nil && err == nil {
		d.series(res)
	}
	return res, err
}

func (d *defective) Observe(ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error {
	if d.observe != nil {
		return d.observe(d, ctx, req, sink)
	}
	return d.Provider.Observe(ctx, req, sink)
}

func (d *defective) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if d.release != nil {
		return d.release(d, ctx, req, sink)
	}
	return d.Provider.Release(ctx, req, sink)
}

// suppressed is a sink without exits.
type suppressed struct{ providers.Sink }

func (suppressed) Exit(measure.Exit) {}

// leaky is a sink whose artifacts are never closed.
type leaky struct{ providers.Sink }

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func (l leaky) Artifact(name string) (io.WriteCloser, error) {
	w, err := l.Sink.Artifact(name)
	return unclosed{w}, err
}

func open(context.Context) error { return nil }

// Each defect must be found, by the words given. The first has none.
func TestSuiteFindsDefects(t *testing.T) {
	calls := new(atomic.Int64)
	for name, c := range map[string]struct {
		d    defective
		want string
	}{
		"none":                {defective{}, ""},
		"schema changes":      {defective{schema: func(s *schema.Provider) { s.Version = fmt.Sprint(calls.Add(1)) }}, "Schema differs between two calls"},
		"odd name":            {defective{schema: func(s *schema.Provider) { s.Tests[0].Measures[0].Name = "Throughput" }}, `"Throughput" is not a name`},
		"no doc":              {defective{schema: func(s *schema.Provider) { s.Setups[0].Doc = "" }}, "setup fake_thing: no doc"},
		"foreign type":        {defective{schema: func(s *schema.Provider) { s.Name = "other" }}, "a type is named other or other_THING"},
		"type without a case": {defective{schema: func(s *schema.Provider) { s.Tests = append(s.Tests, schema.Type{Name: "fake_x", Doc: "x"}) }}, "there is no case for test fake_x"},
		"quantile of nothing": {defective{schema: func(s *schema.Provider) { s.Tests[0].Measures[0].Quantile = 0.5 }}, `it is the quantile 0.5 of the histogram ""`},
		"warm-up not planned": {defective{plan: func(_ *defective, req providers.PlanRequest, res *providers.PlanResponse) {
			res.Estimate -= req.Warmup
		}}, "with a warm-up of 3s the estimate is"},
		"default not in enum":   {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("mode").Default = "off" }}, `"off" is not one of`},
		"default without unit":  {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("duration").Default = "0" }}, "a duration needs a unit"},
		"default out of limits": {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("noise").Default = "200%" }}, `default "200%" is not within "0%" and "100%"`},
		"default of a list":     {defective{schema: func(s *schema.Provider) { s.Setups[0].Body.Attribute("claims").Default = `["x"]` }}, "a list or map has no default"},
		"limit without unit":    {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("latency").Min = "1" }}, "limit or default"},
		"meta-argument":         {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("seed").Name = "repeat" }}, "meta-argument of this name"},
		"attribute twice":       {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("seed").Name = "mode" }}, "declared twice"},
		"unknown kind":          {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("seed").Kind = "text" }}, `kind "text" is unknown`},
		"dimension of a string": {defective{schema: func(s *schema.Provider) { s.Tests[0].Body.Attribute("seed").Dim = unit.Bytes }}, "only a quantity has a dimension"},
		"output without a type": {defective{schema: func(s *schema.Provider) { s.Setups[0].Outputs[0].Type = "" }}, `type "" is not string`},
		"symbol of seconds":     {defective{schema: func(s *schema.Provider) { s.Tests[0].Measures[1].Symbol = "sec" }}, "only a count or a rate has a symbol"},

		"plan writes": {defective{plan: func(d *defective, _ providers.PlanRequest, _ *providers.PlanResponse) {
			_ = os.WriteFile(filepath.Join(d.dir, fmt.Sprint("plan", calls.Add(1))), nil, 0o666)
		}}, "Plan changed files"},
		"plan differs": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Expect = map[string]string{"n": fmt.Sprint(calls.Add(1))}
		}}, "Plan answers differently the second time"},
		"unknown output": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			if res.Outputs != cty.NilVal {
				res.Outputs = cty.ObjectVal(map[string]cty.Value{"id": cty.UnknownVal(cty.String)})
			}
		}}, "Outputs is not wholly known"},
		"undeclared output": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Outputs = cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("x"), "path": cty.StringVal("/")})
		}}, "Outputs is of type"},
		"no commands": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Commands = nil
		}}, "Commands is empty"},
		"shell": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Commands = []providers.Command{{Argv: []string{"bash", "-c", "rm x"}}}
		}}, "is a shell string"},
		"problem about nothing": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Problems = append(res.Problems, providers.Problem{Warning: true, Attribute: "colour", Summary: "s", Detail: "d"})
		}}, `is about "colour"`},
		"bad is planned": {defective{plan: func(_ *defective, _ providers.PlanRequest, res *providers.PlanResponse) {
			res.Problems = nil
		}}, `no problem about "claims"`},
		"plan knows what stands": {defective{plan: func(d *defective, req providers.PlanRequest, res *providers.PlanResponse) {
			if all, _ := filepath.Glob(filepath.Join(d.dir, ".assay/fake/*.json")); len(all) > 0 && req.Kind == "setup" {
				res.Outputs = cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("other")})
			}
		}}, "before it promised"},

		"inspect writes": {defective{inspect: func(d *defective, _ *providers.InspectResponse) {
			_ = os.WriteFile(filepath.Join(d.dir, fmt.Sprint("inspect", calls.Add(1))), nil, 0o666)
		}}, "changed files"},
		"inspect is hopeful": {defective{inspect: func(_ *defective, res *providers.InspectResponse) {
			if res.Standing == providers.Partial {
				res.Standing = providers.Stands
			}
		}}, "want [partial]"},
		"prepare does nothing": {defective{prepare: func(*defective, context.Context, providers.ThingRequest, providers.Sink) error { return nil }},
			"Prepare succeeds although its context has ended"},
		"prepare once": {defective{prepare: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if res, _ := d.Provider.Inspect(ctx, req); res.Standing == providers.Stands {
				return errors.New("it is there already")
			}
			return d.Provider.Prepare(ctx, req, sink)
		}}, "Prepare of a standing thing"},
		"release does nothing": {defective{release: func(*defective, context.Context, providers.ThingRequest, providers.Sink) error { return nil }},
			"after Release once: standing"},
		"release once": {defective{release: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if res, _ := d.Provider.Inspect(ctx, req); res.Standing == providers.Absent {
				return errors.New("it is not there")
			}
			return d.Provider.Release(ctx, req, sink)
		}}, "Release of an absent thing"},
		"release needs a whole thing": {defective{release: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if res, _ := d.Provider.Inspect(ctx, req); res.Standing == providers.Partial {
				return errors.New("it is not whole")
			}
			return d.Provider.Release(ctx, req, sink)
		}}, "Release of a partial thing"},

		"residue stays": {defective{release: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if req.Kind == "test" {
				return errors.New("tests are not released")
			}
			return d.Provider.Release(ctx, req, sink)
		}}, "Release of a test's residue: tests are not released"},
		"monitor ends by itself": {defective{observe: func(*defective, context.Context, providers.ObserveRequest, providers.Sink) error {
			return nil
		}}, "Observe ended by itself"},
		"end of a monitor is an error": {defective{observe: func(d *defective, ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error {
			return errors.Join(d.Provider.Observe(ctx, req, sink), ctx.Err())
		}}, "being told to end is no error"},
		"series goes back": {defective{series: func(res *providers.ParseResponse) {
			for i := range res.Series {
				slices.Reverse(res.Series[i].Points)
			}
		}}, "are not finite and ascending"},
		"series of a stranger": {defective{series: func(res *providers.ParseResponse) {
			res.Series = append(res.Series, measure.Series{Measure: "colour", Points: []measure.SeriesPoint{{}}})
		}}, "a series of colour, which is not a declared measure"},
		"gate twice": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			return errors.Join(g(ctx), d.Provider.Measure(ctx, req, g, sink))
		}}, "Measure called the gate 2 times"},
		"gate too late": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			if mode := req.Config.GetAttr("mode"); mode.AsString() == "hang" {
				return d.Provider.Measure(ctx, req, g, sink) // else nobody would cancel it
			}
			return errors.Join(d.Provider.Measure(ctx, req, open, sink), g(ctx))
		}}, "started before the gate was passed"},
		"gate's error is lost": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			_ = g(ctx)
			return d.Provider.Measure(ctx, req, open, sink)
		}}, "an error after one call is wanted"},
		"no exit": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			return d.Provider.Measure(ctx, req, g, suppressed{sink})
		}}, "Measure recorded no exit"},
		"artifact left open": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			return d.Provider.Measure(ctx, req, g, leaky{sink})
		}}, "did not close the artifacts fake.stderr, fake.stdout"},
		"cancel is not an error": {defective{measure: func(d *defective, ctx context.Context, req providers.MeasureRequest, g providers.Gate, sink providers.Sink) error {
			err := d.Provider.Measure(ctx, req, g, sink)
			if ctx.Err() != nil {
				err = nil
			}
			return err
		}}, "Measure gives no error although its context ended"},

		"standing data are not loaded again": {defective{prepare: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if res, err := d.Provider.Inspect(ctx, req); req.Kind == "dataset" && err == nil && res.Standing == providers.Stands {
				return nil
			}
			return d.Provider.Prepare(ctx, req, sink)
		}}, "Parse: outcome failed"},
		"load without exits": {defective{prepare: func(d *defective, ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
			if req.Kind == "dataset" {
				sink = suppressed{sink}
			}
			return d.Provider.Prepare(ctx, req, sink)
		}}, "Parse: outcome failed"},
		"dataset without measures": {defective{schema: func(s *schema.Provider) { s.Datasets[0].Measures = nil }}, "a dataset yields at least one measure"},
		"load lacks a measure": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			s.Values = nil
		}}, "the sample lacks load_time"},
		"undeclared measure": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			s.Values = append(s.Values, measure.Value{Measure: "iops", Value: 1})
		}}, "iops is not a declared measure"},
		"infinite measure": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			s.Values = []measure.Value{{Measure: "count", Value: math.Inf(1)}}
		}}, "count is not finite"},
		"undeclared key": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			for i := range s.Values {
				s.Values[i].Keys = map[string]string{"host": "a"}
			}
		}}, "does not declare the key host"},
		"missing measure": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			s.Values = nil
		}}, "the sample lacks throughput"},
		"no reason": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) { s.Reason = "" }},
			"outcome failed without a reason"},
		"exit status is ignored": {defective{parse: func(d *defective, req providers.ParseRequest, s *measure.Sample) {
			for i := range req.Exits {
				req.Exits[i] = measure.Exit{Name: "fake"}
			}
			res, _ := d.Provider.Parse(context.Background(), req)
			*s = res.Sample
		}}, "Parse of a tool that exited with 1 gives a sample"},
		"parse remembers": {defective{parse: func(_ *defective, _ providers.ParseRequest, s *measure.Sample) {
			s.Warnings = []measure.Warning{{Code: "n", Text: fmt.Sprint(calls.Add(1))}}
		}}, "Parse for the second time answers differently"},
		"parse reads the world": {defective{parse: func(d *defective, _ providers.ParseRequest, s *measure.Sample) {
			if _, err := os.Stat(filepath.Join(d.dir, ".assay")); err != nil {
				s.Warnings = []measure.Warning{{Code: "n", Text: "no world"}}
			}
		}}, "Parse in another place answers differently"},
		"parse changes its input": {defective{parse: func(_ *defective, req providers.ParseRequest, _ *measure.Sample) {
			for _, a := range req.Artifacts {
				if n := len(a.Data); n > 0 {
					a.Data[n-1] = '\r'
				}
			}
		}}, "Parse changes its request"},
		"parse panics": {defective{parse: func(_ *defective, req providers.ParseRequest, _ *measure.Sample) {
			_ = req.Artifacts[len(req.Artifacts)-1].Data[:40]
		}}, "panic: runtime error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is spent waiting for what is cancelled
			found := findings(t, c.d)
			if c.want == "" {
				for _, f := range found {
					t.Errorf("a sound provider is blamed: %s", f)
				}
				return
			}
			if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, c.want) }) {
				t.Errorf("the suite does not say %q; it found:\n%s", c.want, strings.Join(found, "\n"))
			}
		})
	}
}

// findings runs all checks and gives what they found.
func findings(t *testing.T, d defective) []string {
	thing := Thing{
		Name: "thing", Type: "fake_thing", Values: func(Place) map[string]any { return map[string]any{"claims": []string{"x"}} },
		Partial: func(t testing.TB, p providers.Provider, req providers.ThingRequest) {
			req.Config = cty.ObjectVal(map[string]cty.Value{"fail": cty.StringVal("create")})
			if p, ok := p.(*defective); ok {
				_ = p.Provider.Prepare(context.Background(), req, NewSink(""))
			}
		},
	}
	cases := Cases{
		Things: []Thing{thing, {Name: "data", Kind: "dataset", Type: "fake_data", Yields: []string{"load_time"}}},
		Tests: []Test{{
			Name: "test", Type: "fake", On: &thing,
			Values: func(p Place) map[string]any {
				return map[string]any{"throughput": "1MB/s", "count": 2, "thing": p.Outputs.GetAttr("id")}
			},
			Long:    func(Place) map[string]any { return map[string]any{"count": 1, "mode": "hang"} },
			Yields:  []string{"throughput", "count"},
			Imports: map[string]string{"fake": "fake.stdout"},
		}, {
			Name: "update", Type: "fake_update", On: &thing,
			Values: func(p Place) map[string]any {
				return map[string]any{"throughput": "1MB/s", "count": 2, "thing": p.Outputs.GetAttr("id")}
			},
			Long:    func(Place) map[string]any { return map[string]any{"count": 1, "mode": "hang"} },
			Yields:  []string{"throughput", "count", "changes"},
			Imports: map[string]string{"fake": "fake.stdout"},
		}},
		Monitors: []Monitor{{
			Name: "monitor", Type: "fake", Values: func(Place) map[string]any { return map[string]any{"load": "40%"} },
			Yields: []string{"load"}, Series: []string{"load"}, Imports: map[string]string{"fake": "fake.stdout"},
		}},
		Elsewhere: []string{"setup fake_witness"}, // the provider's own test has it
		Bad:       []Bad{{Name: "bad", Kind: "setup", Type: "fake_thing", Values: map[string]any{"claims": []string{""}}, Attribute: "claims"}},
	}
	r := &recorder{TB: t}
	for _, c := range checks(cases) {
		done := make(chan struct{})
		go func() { // which Fatalf ends
			defer close(done)
			defer func() {
				if v := recover(); v != nil {
					r.Errorf("%s: panic: %v", c.name, v)
				}
			}()
			c.run(newBench(r, cases, func() providers.Provider {
				own := d
				own.Provider = fake.New()
				return &own
			}))
		}()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatalf("check %s does not end", c.name)
		}
	}
	return r.found
}
