// Package storage makes what tests read and write stand: directories, disks, and in time arrays and file systems. It erases
// nothing that does not carry assay's mark, but for disks that package guard lets through, and every command that it runs stands in the plan.
//
// It has no tests; its monitor, storage_io, reads the counters of hosts while others measure. A type of setup is one file, that implements handler and is entered in the table of handlers.
package storage

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// handler is one type of setup. Its methods mean what those of providers.Provider mean.
type handler interface {
	schema() schema.Type
	plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error)
	inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error)
	prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error
	release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error
}

// provider holds nothing that changes once it is configured: hosts are opened for each request.
type provider struct {
	dial     host.Dialer
	flex     *flex
	handlers map[string]handler
}

// New is the provider storage; it reaches hosts through dial.
func New(dial host.Dialer) providers.Provider {
	watched := &flex{}
	return &provider{dial: dial, flex: watched, handlers: map[string]handler{
		"storage_directory": directory{},
		"storage_disk":      disk{},
		"storage_raid":      newRaid(),
		faultType:           fault{},
		filesystemType:      filesystem{},
		"storage_powerflex": watched,
	}}
}

// Schema implements providers.Provider.
func (p *provider) Schema(context.Context) (*schema.Provider, error) {
	s := &schema.Provider{
		Name: "storage", Version: "1",
		Doc: "Makes the storage stand on which tests run, takes away what it made, and watches disks and hosts during tests.",
	}
	for _, name := range slices.Sorted(maps.Keys(p.handlers)) {
		s.Setups = append(s.Setups, p.handlers[name].schema())
	}
	s.Monitors = []schema.Type{ioSchema()}
	return s, nil
}

// Configure implements providers.Provider. There is nothing to configure.
func (p *provider) Configure(_ context.Context, req providers.ConfigureRequest) error {
	p.flex.dir = filepath.Join(req.Dir, notesDir)
	return nil
}

// Close implements providers.Provider.
func (p *provider) Close() error { return nil }

// Plan implements providers.Provider.
func (p *provider) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	if isIO(req.Target) {
		return planIO(req), nil
	}
	h, err := p.handler(req.Target)
	if err != nil {
		return nil, err
	}
	return h.plan(ctx, p.dial, req)
}

// Inspect implements providers.Provider.
func (p *provider) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	h, err := p.handler(req.Target)
	if err != nil {
		return nil, err
	}
	return h.inspect(ctx, p.dial, req)
}

// Prepare implements providers.Provider.
func (p *provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	h, err := p.handler(req.Target)
	if err != nil {
		return err
	}
	return h.prepare(ctx, p.dial, req, sink)
}

// Release implements providers.Provider.
func (p *provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	h, err := p.handler(req.Target)
	if err != nil {
		return err
	}
	return h.release(ctx, p.dial, req, sink)
}

// Measure implements providers.Provider. There is no test of this provider.
func (p *provider) Measure(_ context.Context, req providers.MeasureRequest, _ providers.Gate, _ providers.Sink) error {
	return unknown(req.Target)
}

// Observe implements providers.Provider.
func (p *provider) Observe(ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error {
	if isFault(req.Target) {
		return fault{}.observe(ctx, p.dial, req, sink)
	}
	if !isIO(req.Target) {
		return unknown(req.Target)
	}
	return observeIO(ctx, p.dial, req, sink)
}

// Parse implements providers.Provider. There is no test of this provider, and a monitor and a setup that is read as one.
func (p *provider) Parse(_ context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	if isFault(req.Target) {
		return parseFault(req), nil
	}
	if !isIO(req.Target) {
		return nil, unknown(req.Target)
	}
	return parseIO(req), nil
}

func isIO(t providers.Target) bool { return t.Kind == "monitor" && t.Type == ioType }

// isFault reports the one setup that takes part in tests.
func isFault(t providers.Target) bool { return t.Kind == "setup" && t.Type == faultType }

func (p *provider) handler(t providers.Target) (handler, error) {
	if h, ok := p.handlers[t.Type]; ok && t.Kind == "setup" {
		return h, nil
	}
	return nil, unknown(t)
}

func unknown(t providers.Target) error {
	return fmt.Errorf("provider storage has no %s of type %q", t.Kind, t.Type)
}
