package providertest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// checkParse: a pure function, whose samples need a good end and whole output.
func checkParse(b *bench, c Test) {
	p := b.provider()
	r := b.test(p, c, b.stand(p, c), c.Values, c.Name)
	req := r.parseRequest(b.measure(p, r, 1))
	kept := clone(req)
	good := b.sample(p, r, req, c.Yields)
	same := func(who string, p providers.Provider) {
		if diff := cmp.Diff(good, b.sample(p, r, req, nil)); diff != "" {
			b.Errorf("Parse %s answers differently:\n%s", who, diff)
		}
	}
	same("for the second time", p)
	b.dir = b.subdirectory("elsewhere-") // it knows nothing of the world in which the test ran
	same("in another place", b.provider())
	if diff := cmp.Diff(kept, req, equalCty); diff != "" {
		b.Errorf("Parse changes its request:\n%s", diff)
	}
	b.badEnds(p, r, req)
	b.imports(p, r, req, c)
	for i := range req.Artifacts {
		b.corrupted(p, r.typ, req, i)
	}
}

// clone copies what Parse could change.
func clone(req providers.ParseRequest) providers.ParseRequest {
	req.Exits = slices.Clone(req.Exits)
	req.Artifacts = slices.Clone(req.Artifacts)
	for i := range req.Artifacts {
		req.Artifacts[i].Data = bytes.Clone(req.Artifacts[i].Data)
	}
	return req
}

// noSample parses what must not be a sample.
func (b *bench) noSample(p providers.Provider, r run, req providers.ParseRequest, what string) {
	b.Helper()
	res, err := p.Parse(b.context(), req)
	if err != nil || res == nil {
		b.Errorf("Parse %s: %v, %v; what is no sample is an outcome with a reason", what, res, err)
		return
	}
	if res.Sample.Outcome == measure.OK {
		b.Errorf("Parse %s gives a sample: %v", what, res.Sample.Values)
	}
	if why := wrong(r.typ, res.Sample); why != "" {
		b.Errorf("Parse %s: %s", what, why)
	}
}

// badEnds: whole output of a tool that ended badly, and good ends without output, are no samples.
func (b *bench) badEnds(p providers.Provider, r run, req providers.ParseRequest) {
	b.Helper()
	for what, spoil := range map[string]func(*measure.Exit){
		"of a tool that exited with 1":   func(e *measure.Exit) { e.Code = 1 },
		"of a tool that was killed":      func(e *measure.Exit) { e.Code, e.Signal = -1, "SIGKILL" },
		"of a tool that was cancelled":   func(e *measure.Exit) { e.Error = "context canceled" },
		"of a tool that did not start":   func(e *measure.Exit) { e.Code, e.Error = -1, "executable file not found" },
		"of a tool ended by its timeout": func(e *measure.Exit) { e.Code, e.Signal, e.Error = -1, "SIGTERM", "context deadline exceeded" },
	} {
		bad := clone(req)
		for i := range bad.Exits {
			spoil(&bad.Exits[i])
		}
		b.noSample(p, r, bad, what)
	}
	bad := clone(req)
	bad.Exits = nil
	b.noSample(p, r, bad, "of a tool of which no exit is known")
	bad = clone(req)
	bad.Artifacts = nil
	b.noSample(p, r, bad, "without artifacts")
	for _, rubbish := range []string{"", "\x00\xff rubbish }{\n", "null\n", "{}\n"} {
		bad = clone(req)
		for i := range bad.Artifacts {
			bad.Artifacts[i].Data = []byte(rubbish)
		}
		b.noSample(p, r, bad, fmt.Sprintf("of the output %q", rubbish))
	}
}

// imports: each declared format is read without an exit; rubbish of it is no sample.
func (b *bench) imports(p providers.Provider, r run, req providers.ParseRequest, c Test) {
	b.Helper()
	for _, format := range r.typ.Imports {
		name, ok := c.Imports[format]
		if !ok {
			b.Errorf("the case does not say which artifact is a file of the import format %q", format)
			continue
		}
		i := slices.IndexFunc(req.Artifacts, func(a measure.Artifact) bool { return a.Name == name })
		if i < 0 {
			b.Errorf("the run has no artifact %q to import as %q", name, format)
			continue
		}
		imported := clone(req)
		imported.Exits, imported.Imported, imported.Format = nil, true, format
		imported.Artifacts = []measure.Artifact{{Name: "results_1", Data: imported.Artifacts[i].Data}}
		b.sample(p, r, imported, c.Yields)
		b.corrupted(p, r.typ, imported, 0)
		imported.Artifacts[0].Data = []byte("rubbish\n")
		b.noSample(p, r, imported, "of an imported file of rubbish")
	}
}

// corrupted cuts an artifact off and flips bits, at places all over it. Nothing of that may panic, or give a sample that
// no sample may be.
func (b *bench) corrupted(p providers.Provider, t *schema.Type, req providers.ParseRequest, i int) {
	b.Helper()
	whole := req.Artifacts[i]
	try := func(what string, data []byte) {
		bad := clone(req)
		bad.Artifacts[i].Data = data
		why := func() (why string) {
			defer func() {
				if r := recover(); r != nil {
					why = fmt.Sprintf("panic: %v", r)
				}
			}()
			res, err := p.Parse(b.context(), bad)
			if err != nil || res == nil {
				return fmt.Sprintf("%v, %v; what is no sample is an outcome with a reason", res, err)
			}
			if why := wrong(t, res.Sample); why != "" {
				return why
			}
			return wrongSeries(t, res.Series)
		}()
		if why != "" {
			b.Errorf("Parse of %s %s: %s", whole.Name, what, why)
		}
	}
	const cuts, flips = 32, 96
	for k := range cuts {
		at := k * len(whole.Data) / cuts
		try(fmt.Sprintf("cut off at %d", at), bytes.Clone(whole.Data[:at]))
	}
	for k := range min(flips, 8*len(whole.Data)) {
		at := k * len(whole.Data) / min(flips, 8*len(whole.Data))
		data := bytes.Clone(whole.Data)
		data[at] ^= 1 << (k % 8)
		try(fmt.Sprintf("with bit %d of byte %d flipped", k%8, at), data)
	}
}
