package providertest

import (
	"github.com/assay-bench/assay/providers"
	"github.com/google/go-cmp/cmp"
)

// checkLoad: every load leaves artifacts from which a sample is made, also one of data that stand already; what ended badly is no
// sample.
func checkLoad(b *bench, c Thing) {
	p := b.provider()
	req := b.thing(p, c)
	r := run{typ: b.typ(p, c.kind(), c.Type).Declared(req.Config), target: req.Target, expect: req.Expect}
	var last providers.ParseRequest
	for generation, when := range []string{"at first", "of standing data", "after a release"} {
		if generation == 2 {
			b.release(p, req, "before the third load")
		}
		req.Generation = generation + 1
		sink := b.sink(b.TempDir())
		if err := p.Prepare(b.context(), req, sink); err != nil {
			b.Fatalf("Prepare %s: %v", when, err)
		}
		b.tidy("Prepare "+when, sink)
		last = r.parseRequest(sink)
		kept := clone(last)
		sample := b.sample(p, r, last, c.Yields)
		if diff := cmp.Diff(sample, b.sample(b.provider(), r, last, nil)); diff != "" {
			b.Errorf("Parse of another provider of the kind answers differently:\n%s", diff)
		}
		if diff := cmp.Diff(kept, last, equalCty); diff != "" {
			b.Errorf("Parse changes its request:\n%s", diff)
		}
	}
	b.badEnds(p, r, last)
	for i := range last.Artifacts {
		b.corrupted(p, r.typ, last, i)
	}
}
