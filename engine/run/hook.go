package run

import (
	"context"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
)

// Failpoints names every point at which Options.Hook is called: before and after each write of the journal, and before and after each call
// of a provider that looks at the world or changes it.
func Failpoints() []string {
	var out []string
	for _, k := range []record.Kind{
		record.Begin, record.Intent, record.Done, record.FailedStep, record.SampleDone, record.Blocked, record.Quarantine,
		record.Resume, record.Adopt, record.Gone, record.Interrupt, record.End,
	} {
		out = append(out, "before "+string(k), "after "+string(k))
	}
	for _, call := range []string{"Inspect", "Prepare", "Measure", "Release"} {
		out = append(out, "before "+call, "after "+call)
	}
	return out
}

func (r *runner) hook(point string) {
	if r.o.Hook != nil {
		r.o.Hook(point)
	}
}

// provider gives the provider of a type, with failpoints around it.
func (r *runner) provider(kind, typ string) providers.Provider {
	p := r.o.Set.For(kind, typ)
	if r.o.Hook == nil {
		return p
	}
	return &hooked{p, r.o.Hook}
}

type hooked struct {
	providers.Provider
	hook func(string)
}

func (h *hooked) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	h.hook("before Inspect")
	res, err := h.Provider.Inspect(ctx, req)
	h.hook("after Inspect")
	return res, err
}

func (h *hooked) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	h.hook("before Prepare")
	err := h.Provider.Prepare(ctx, req, sink)
	h.hook("after Prepare")
	return err
}

func (h *hooked) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	h.hook("before Measure")
	err := h.Provider.Measure(ctx, req, gate, sink)
	h.hook("after Measure")
	return err
}

func (h *hooked) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	h.hook("before Release")
	err := h.Provider.Release(ctx, req, sink)
	h.hook("after Release")
	return err
}
