package providertest

import (
	"context"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// request is about a thing as it was planned.
func (b *bench) request(target providers.Target, res *providers.PlanResponse) providers.ThingRequest {
	return providers.ThingRequest{
		Target: target, ID: "conformance", Outputs: res.Outputs, Erase: true, Expect: res.Expect,
		Addresses: []string{target.Address.String()},
	}
}

// thing plans a thing at a place of its own and sees to it that it is gone at the end.
func (b *bench) thing(p providers.Provider, c Thing) providers.ThingRequest {
	b.Helper()
	t := b.typ(p, c.kind(), c.Type)
	target := b.target(t, c.kind(), c.Name, valuesAt(c.Values, b.place(cty.NilVal)))
	req := b.request(target, b.plan(p, target))
	b.person = c.Person
	b.Cleanup(func() { _ = p.Release(context.Background(), req, b.sink("")) }) // a test that failed may have left it
	return req
}

// stand makes the thing that a test stands on, and gives the test's place.
func (b *bench) stand(p providers.Provider, c Test) Place {
	b.Helper()
	if c.On == nil {
		return b.place(cty.NilVal)
	}
	req := b.thing(p, *c.On)
	if err := p.Prepare(b.context(), req, b.sink("")); err != nil {
		b.Fatalf("Prepare of what the test stands on: %v", err)
	}
	return b.place(req.Outputs)
}

// expect inspects, and sees that this changes nothing.
func (b *bench) expect(p providers.Provider, req providers.ThingRequest, when string, want ...providers.Standing) {
	b.Helper()
	before := b.tree()
	res, err := p.Inspect(b.context(), req)
	if err != nil || res == nil {
		b.Fatalf("Inspect %s: %v, %v", when, res, err)
	}
	if diff := cmp.Diff(before, b.tree()); diff != "" {
		b.Errorf("Inspect %s changed files:\n%s", when, diff)
	}
	for _, w := range want {
		if res.Standing == w {
			return
		}
	}
	b.Errorf("Inspect %s: %s (%s), want %v", when, res.Standing, res.Detail, want)
}

func (b *bench) prepare(p providers.Provider, req providers.ThingRequest, when string) {
	b.Helper()
	sink := b.sink(b.TempDir())
	if err := p.Prepare(b.context(), req, sink); err != nil {
		b.Fatalf("Prepare %s: %v", when, err)
	}
	b.tidy("Prepare "+when, sink)
}

func (b *bench) release(p providers.Provider, req providers.ThingRequest, when string) {
	b.Helper()
	sink := b.sink(b.TempDir())
	if err := p.Release(b.context(), req, sink); err != nil {
		b.Fatalf("Release %s: %v", when, err)
	}
	b.tidy("Release "+when, sink)
}

// checkLife: absent, standing, and absent again, each twice; the promise is the same in every state.
func checkLife(b *bench, c Thing) {
	p := b.provider()
	req := b.thing(p, c)
	same := func(when string) {
		if res := b.plan(p, req.Target); !cmp.Equal(res.Outputs, req.Outputs, equalCty) {
			b.Errorf("Plan %s promises %#v, before it promised %#v", when, res.Outputs, req.Outputs)
		}
	}
	b.expect(p, req, "at first", providers.Absent)
	b.release(p, req, "of an absent thing")
	b.expect(p, req, "after the release of an absent thing", providers.Absent)
	for _, when := range []string{"once", "again"} { // a thing can be made anew after it was released
		b.prepare(p, req, when)
		b.expect(p, req, "after Prepare "+when, providers.Stands)
		same("of a standing thing")
		b.prepare(p, req, "of a standing thing")
		b.expect(p, req, "after Prepare of a standing thing", providers.Stands)
		// A resumed run asks a provider that did not make the thing.
		b.expect(b.provider(), req, "by another provider of the kind", providers.Stands)
		b.release(p, req, when)
		b.expect(p, req, "after Release "+when, providers.Absent)
		same("of a released thing")
	}
	b.release(p, req, "of a released thing")
	b.prepare(p, req, "before another releases it")
	b.release(b.provider(), req, "by another provider of the kind")
	b.expect(p, req, "after Release by another provider", providers.Absent)
}

// checkPartial: what a crash leaves is seen for what it is, and can be taken away.
func checkPartial(b *bench, c Thing) {
	p := b.provider()
	req := b.thing(p, c)
	c.Partial(b, p, req)
	b.expect(p, req, "of a partial thing", providers.Partial)
	b.release(p, req, "of a partial thing")
	b.expect(p, req, "after Release of a partial thing", providers.Absent)
	b.prepare(p, req, "after Release of a partial thing")
	b.expect(p, req, "after that", providers.Stands)
	b.release(p, req, "at last")
}

// checkCancelledPrepare: with a context that has ended, Prepare fails and leaves nothing that cannot be taken away.
func checkCancelledPrepare(b *bench, c Thing) {
	p := b.provider()
	req := b.thing(p, c)
	ctx, cancel := context.WithCancel(b.context())
	cancel()
	if err := p.Prepare(ctx, req, b.sink(b.TempDir())); err == nil {
		b.Errorf("Prepare succeeds although its context has ended")
	}
	b.expect(p, req, "after a cancelled Prepare", providers.Absent, providers.Partial)
	b.release(p, req, "after a cancelled Prepare")
	b.expect(p, req, "after Release", providers.Absent)
}

// tidy looks at what a step left in its sink.
func (b *bench) tidy(step string, sink *Sink) {
	b.Helper()
	if open := sink.Open(); len(open) > 0 {
		b.Errorf("%s did not close the artifacts %s", step, strings.Join(open, ", "))
	}
	for _, e := range sink.Exits() {
		if e.Name == "" || len(e.Argv) == 0 {
			b.Errorf("%s: an exit needs a name and an argv: %+v", step, e)
		}
		never := e.Started.IsZero() && e.Ended.IsZero() && e.Code == -1 && e.Error != "" // it was not started
		if !never && (e.Started.IsZero() || e.Ended.Before(e.Started)) {
			b.Errorf("%s: exit %s ended at %v before it started at %v", step, e.Name, e.Ended, e.Started)
		}
	}
}
