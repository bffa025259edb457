package providertest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// gate counts its calls and notes when it let the test go.
type gate struct {
	calls  atomic.Int32
	passed atomic.Pointer[time.Time]
}

func (g *gate) wait(context.Context) error {
	time.Sleep(time.Millisecond) // what starts at once started before
	now := time.Now()
	g.passed.Store(&now)
	g.calls.Add(1)
	return nil
}

// run is a test that is ready to run.
type run struct {
	typ    *schema.Type
	target providers.Target
	expect map[string]string
}

func (b *bench) test(p providers.Provider, c Test, place Place, values func(Place) map[string]any, name string) run {
	b.Helper()
	t := b.typ(p, "test", c.Type)
	target := b.target(t, "test", name, valuesAt(values, place))
	return run{t.Declared(target.Config), target, b.plan(p, target).Expect}
}

func (r run) request(repetition int) providers.MeasureRequest {
	return providers.MeasureRequest{Target: r.target, Repetition: repetition, Attempt: 1, Expect: r.expect}
}

func (r run) parseRequest(sink *Sink) providers.ParseRequest {
	return providers.ParseRequest{Target: r.target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: r.expect}
}

// measure runs one repetition that must give a sample.
func (b *bench) measure(p providers.Provider, r run, repetition int) *Sink {
	b.Helper()
	sink := NewSink(b.TempDir())
	if err := p.Measure(b.context(), r.request(repetition), new(gate).wait, sink); err != nil {
		b.Fatalf("Measure: %v", err)
	}
	return sink
}

// sample parses what must be a sample.
func (b *bench) sample(p providers.Provider, r run, req providers.ParseRequest, yields []string) measure.Sample {
	b.Helper()
	res, err := p.Parse(b.context(), req)
	if err != nil || res == nil {
		b.Fatalf("Parse: %v, %v", res, err)
	}
	s := res.Sample
	if s.Outcome != measure.OK {
		b.Fatalf("Parse: outcome %s: %s", s.Outcome, s.Reason)
	}
	if why := wrong(r.typ, s); why != "" {
		b.Errorf("Parse: %s", why)
	}
	if why := wrongSeries(r.typ, res.Series); why != "" {
		b.Errorf("Parse: %s", why)
	}
	for _, name := range yields {
		if !slices.ContainsFunc(s.Values, func(v measure.Value) bool { return v.Measure == name }) {
			b.Errorf("Parse: the sample lacks %s: %v", name, s.Values)
		}
	}
	return s
}

// wrong says what no sample may be, whatever it was made from.
func wrong(t *schema.Type, s measure.Sample) string {
	finite := func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
	switch s.Outcome {
	case measure.OK:
		if s.Reason != "" {
			return "a sample that is ok has the reason " + s.Reason
		}
	case measure.Failed, measure.DidNotFinish, measure.Invalid:
		if s.Reason == "" {
			return "outcome " + string(s.Outcome) + " without a reason"
		}
	default:
		return "outcome " + string(s.Outcome) + " is not Parse's to give"
	}
	seen := map[string]bool{}
	for _, v := range s.Values {
		m := t.Measure(v.Measure)
		id := v.Measure + "[" + v.Keys.String() + "]"
		switch {
		case m == nil:
			return v.Measure + " is not a declared measure"
		case !finite(v.Value):
			return v.Measure + " is not finite"
		case seen[id]:
			return id + " is given twice"
		}
		seen[id] = true
		for k := range v.Keys {
			if !slices.Contains(m.Keys, k) {
				return v.Measure + " does not declare the key " + k
			}
		}
	}
	for _, h := range s.Histograms {
		if t.Measure(h.Measure) == nil && !slices.ContainsFunc(t.Measures, func(m schema.Measure) bool {
			return m.Histogram == h.Measure || len(m.Name) > len(h.Measure) && m.Name[:len(h.Measure)+1] == h.Measure+"_" // latency of latency_p99
		}) {
			return "there is a histogram of " + h.Measure + ", which no declared measure comes from"
		}
		for i, bin := range h.Bins {
			if !finite(bin.Value) || i > 0 && bin.Value <= h.Bins[i-1].Value {
				return "the bins of " + h.Measure + " are not finite and ascending"
			}
		}
	}
	return ""
}

// checkMeasure: one repetition gives a sample; the gate is called once, before the measured part; the residue can be
// taken away, also where it is gone.
func checkMeasure(b *bench, c Test) {
	p := b.provider()
	r := b.test(p, c, b.stand(p, c), c.Values, c.Name)
	sink := NewSink(b.TempDir())
	var g gate
	if err := p.Measure(b.context(), r.request(1), g.wait, sink); err != nil {
		b.Fatalf("Measure: %v", err)
	}
	b.tidy("Measure", sink)
	if n := g.calls.Load(); n != 1 {
		b.Fatalf("Measure called the gate %d times; it is called just once, when all is ready", n)
	}
	exits := sink.Exits()
	if len(exits) == 0 {
		b.Fatalf("Measure recorded no exit")
	}
	last := exits[len(exits)-1]
	if last.Started.Before(*g.passed.Load()) {
		b.Errorf("the last command, %s, started before the gate was passed", last.Name)
	}
	b.sample(p, r, r.parseRequest(sink), c.Yields)
	residue := providers.ThingRequest{Target: r.target, Expect: r.expect}
	b.release(p, residue, "of a test's residue")
	b.release(p, residue, "of a test's residue for the second time")
}

// checkGate: a start that is called off measures nothing.
func checkGate(b *bench, c Test) {
	p := b.provider()
	r := b.test(p, c, b.stand(p, c), c.Values, c.Name)
	for name, g := range map[string]func(ctx context.Context, cancel func()) error{
		"gives an error":           func(context.Context, func()) error { return errors.New("called off") },
		"waits until ctx is ended": func(ctx context.Context, cancel func()) error { cancel(); <-ctx.Done(); return context.Cause(ctx) },
	} {
		ctx, cancel := context.WithCancel(b.context())
		sink := NewSink(b.TempDir())
		var calls atomic.Int32
		err := p.Measure(ctx, r.request(1), func(ctx context.Context) error { calls.Add(1); return g(ctx, cancel) }, sink)
		cancel()
		if err == nil || calls.Load() != 1 {
			b.Errorf("a gate that %s: Measure gives the error %v after %d calls; an error after one call is wanted", name, err, calls.Load())
		}
		b.tidy("Measure", sink)
		b.noSample(p, r, r.parseRequest(sink), "of a start that was called off")
	}
}

// checkCancel: Measure ends soon after ctx, and says how the tool ended.
func checkCancel(b *bench, c Test) {
	p := b.provider()
	r := b.test(p, c, b.stand(p, c), c.Long, c.Name)
	ctx, cancel := context.WithCancel(b.context())
	defer cancel()
	sink := NewSink(b.TempDir())
	done := make(chan error, 1)
	started := make(chan struct{})
	var once sync.Once
	go func() {
		done <- p.Measure(ctx, r.request(1), func(context.Context) error { once.Do(func() { close(started) }); return nil }, sink)
	}()
	select {
	case <-started:
	case err := <-done:
		b.Fatalf("Measure ended before it called the gate: %v", err)
	case <-time.After(patience):
		b.Fatalf("Measure did not call the gate in %v", patience)
	}
	select {
	case err := <-done:
		b.Fatalf("Measure ended by itself; the Long case should take a minute: %v", err)
	case <-time.After(300 * time.Millisecond): // the tool may be running by now, or just starting: both must end
	}
	cancel()
	select {
	case err := <-done:
		if err == nil {
			b.Errorf("Measure gives no error although its context ended")
		}
	case <-time.After(prompt):
		b.Fatalf("Measure still runs %v after its context ended", prompt)
	}
	b.tidy("a cancelled Measure", sink)
	if len(sink.Exits()) == 0 {
		b.Errorf("a cancelled Measure recorded no exit")
	}
	b.noSample(p, r, r.parseRequest(sink), "of a cancelled repetition")
}

// checkTwoAtOnce: two repetitions at once do not mix. The race detector sees the rest.
func checkTwoAtOnce(b *bench, c Test) {
	p := b.provider()
	place := b.stand(p, c)
	var group sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		r := b.test(p, c, place, c.Values, name)
		sink := NewSink(b.TempDir())
		group.Go(func() {
			if err := p.Measure(b.context(), r.request(1), new(gate).wait, sink); err != nil {
				b.Errorf("Measure %s: %v", name, err)
				return
			}
			res, err := p.Parse(b.context(), r.parseRequest(sink))
			if err != nil || res.Sample.Outcome != measure.OK {
				b.Errorf("Parse %s: %+v, %v", name, res, err)
			}
		})
	}
	group.Wait()
}
