package providertest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// Monitor is a monitor that can observe this machine.
type Monitor struct {
	Name   string
	Type   string
	Values func(Place) map[string]any // see Config; nil: none
	// Enough, if not nil, says that what was put out so far makes a sample. Nil: it does as soon as it observes.
	Enough func(*Sink) bool
	Yields []string // measures that must be in the sample
	Series []string // measures of which there must be a series
	// Imports says, for each import format, which artifact is a file of that format.
	Imports map[string]string
}

func monitorChecks(c Monitor) []check {
	return []check{
		{"monitor/" + c.Name + "/plan", func(b *bench) {
			p := b.provider()
			t := b.typ(p, "monitor", c.Type)
			checkPlan(b, p, t, b.target(t, "monitor", c.Name, valuesAt(c.Values, b.place(cty.NilVal))))
		}},
		{"monitor/" + c.Name + "/observe", func(b *bench) { checkObserve(b, c) }},
		{"monitor/" + c.Name + "/called_off", func(b *bench) { checkCalledOff(b, c) }},
		{"monitor/" + c.Name + "/parse", func(b *bench) { checkObserved(b, c) }},
	}
}

func (b *bench) monitor(p providers.Provider, c Monitor) run {
	b.Helper()
	t := b.typ(p, "monitor", c.Type)
	target := b.target(t, "monitor", c.Name, valuesAt(c.Values, b.place(cty.NilVal)))
	return run{t.Declared(target.Config), target, b.plan(p, target).Expect}
}

// observe watches until there is enough, and tells the monitor to end.
func (b *bench) observe(p providers.Provider, r run, c Monitor) *Sink {
	b.Helper()
	ctx, cancel := context.WithCancel(b.context())
	defer cancel()
	sink := NewSink(b.TempDir())
	done := make(chan error, 1)
	go func() {
		done <- p.Observe(ctx, providers.ObserveRequest{Target: r.target, Repetition: 1, Attempt: 1, Expect: r.expect}, sink)
	}()
	for len(sink.Reports()) == 0 || c.Enough != nil && !c.Enough(sink) {
		select {
		case err := <-done:
			b.Fatalf("Observe ended by itself, or never reported that it observes: %v", err)
		case <-ctx.Done():
			b.Fatalf("Observe does not report progress, or never puts out enough")
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			b.Fatalf("Observe: %v; being told to end is no error", err)
		}
	case <-time.After(prompt):
		b.Fatalf("Observe did not end within %s of its context", prompt)
	}
	b.tidy("Observe", sink)
	if len(sink.Exits()) == 0 {
		b.Fatalf("Observe recorded no exit")
	}
	return sink
}

// checkObserve: what it puts out until it is told to end gives a sample and series.
func checkObserve(b *bench, c Monitor) {
	p := b.provider()
	r := b.monitor(p, c)
	req := r.parseRequest(b.observe(p, r, c))
	req.Started = req.Exits[0].Started
	b.sample(p, r, req, c.Yields)
	res, err := p.Parse(b.context(), req)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range c.Series {
		if !slices.ContainsFunc(res.Series, func(s measure.Series) bool { return s.Measure == name && len(s.Points) > 0 }) {
			b.Errorf("Parse: there is no series of %s", name)
		}
	}
}

// checkCalledOff: a monitor whose context has ended already ends at once.
func checkCalledOff(b *bench, c Monitor) {
	p := b.provider()
	r := b.monitor(p, c)
	ctx, cancel := context.WithCancel(b.context())
	cancel()
	sink := NewSink("")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = p.Observe(ctx, providers.ObserveRequest{Target: r.target, Repetition: 1, Attempt: 1, Expect: r.expect}, sink)
	}()
	select {
	case <-done:
		if open := sink.Open(); len(open) > 0 {
			b.Errorf("Observe did not close the artifacts %s", strings.Join(open, ", "))
		}
	case <-time.After(prompt):
		b.Fatalf("Observe goes on although its context had ended before")
	}
}

// checkObserved: Parse is a pure function; a bad end and output that is not there are no samples. That a monitor was ended by a signal
// says nothing: so it is told to end.
func checkObserved(b *bench, c Monitor) {
	p := b.provider()
	r := b.monitor(p, c)
	req := r.parseRequest(b.observe(p, r, c))
	kept := clone(req)
	good := b.sample(p, r, req, c.Yields)
	b.dir = b.subdirectory("elsewhere-")
	if diff := cmp.Diff(good, b.sample(b.provider(), r, req, nil)); diff != "" {
		b.Errorf("Parse in another place answers differently:\n%s", diff)
	}
	if diff := cmp.Diff(kept, req, equalCty); diff != "" {
		b.Errorf("Parse changes its request:\n%s", diff)
	}
	bad := clone(req)
	for i := range bad.Exits {
		bad.Exits[i].Code, bad.Exits[i].Signal, bad.Exits[i].Error = 1, "", ""
	}
	b.noSample(p, r, bad, "of a monitor that exited with 1")
	bad = clone(req)
	bad.Exits = nil
	b.noSample(p, r, bad, "of a monitor of which no exit is known")
	bad = clone(req)
	bad.Artifacts = nil
	b.noSample(p, r, bad, "without artifacts")
	for _, rubbish := range []string{"", "\x00\xff rubbish }{\n", "null\n"} {
		bad = clone(req)
		for i := range bad.Artifacts {
			bad.Artifacts[i].Data = []byte(rubbish)
		}
		b.noSample(p, r, bad, fmt.Sprintf("of the output %q", rubbish))
	}
	b.imports(p, r, req, Test{Imports: c.Imports, Yields: c.Yields})
	for i := range req.Artifacts {
		b.corrupted(p, r.typ, req, i)
	}
}

// wrongSeries says what no series may be.
func wrongSeries(t *schema.Type, list []measure.Series) string {
	finite := func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
	seen := map[string]bool{}
	for _, s := range list {
		m := t.Measure(s.Measure)
		id := s.Measure + "[" + s.Keys.String() + "]"
		switch {
		case s.Measure == "" && len(s.Points) == 0:
		case m == nil:
			return "there is a series of " + s.Measure + ", which is not a declared measure"
		case seen[id]:
			return "the series " + id + " is given twice"
		}
		seen[id] = true
		for k := range s.Keys {
			if m != nil && !slices.Contains(m.Keys, k) {
				return s.Measure + " does not declare the key " + k + " of a series"
			}
		}
		for i, p := range s.Points {
			if !finite(p.T) || !finite(p.Value) || i > 0 && p.T <= s.Points[i-1].T {
				return "the points of the series " + id + " are not finite and ascending"
			}
		}
		for i, k := range s.Marks {
			if !finite(k.T) || k.Text == "" || i > 0 && k.T < s.Marks[i-1].T {
				return "the marks of the series " + id + " are not finite and ascending, or have no text"
			}
			if k.Until != 0 && (!finite(k.Until) || k.Until <= k.T) {
				return "a mark of the series " + id + " is over before it begins"
			}
		}
	}
	return ""
}
