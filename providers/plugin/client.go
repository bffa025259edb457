package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/plugin/pb"
	"github.com/hashicorp/go-hclog"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Options say which program a client starts.
type Options struct {
	Name   string   // of the provider, as the spec calls it
	Path   string   // the program
	Sum    string   // SHA-256 that it must have, at each start; empty: any
	Args   []string // its arguments
	Env    []string // NAME=value, beside what every program gets
	Dir    string   // its working directory; empty: assay's
	Log    hclog.Logger
	Limits Limits
}

// Client is a provider that is a program of its own. The program is started with the first call, and anew after it crashed or had
// to be killed; the call in which that happened fails.
type Client struct {
	o Options

	mu         sync.Mutex
	process    *process                    // nil: none was started yet
	schema     *schema.Provider            // as the program first told
	configured *providers.ConfigureRequest // what every start is told
	closed     bool
}

var _ providers.Provider = (*Client)(nil)

// New makes a client. It starts nothing yet.
func New(o Options) *Client {
	o.Limits = o.Limits.withDefaults()
	return &Client{o: o}
}

// running gives a process that can be asked.
func (c *Client) running(ctx context.Context) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, fmt.Errorf("provider %s is closed", c.o.Name)
	}
	if c.process != nil {
		if c.process.alive() {
			return c.process, nil
		}
		_ = c.process.close(c.o.Limits.Quick) // how it ended was said before
		c.process = nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p, err := start(c.o)
	if err != nil {
		return nil, err
	}
	if c.configured != nil {
		if err := configure(ctx, p, c.o.Limits.Quick, *c.configured); err != nil {
			return nil, errors.Join(fmt.Errorf("starting provider %s again: %w", c.o.Name, err), p.close(c.o.Limits.Quick))
		}
	}
	c.process = p
	return p, nil
}

// call makes one call that answers at once.
func call[T any](ctx context.Context, p *process, name string, limit time.Duration, do func(context.Context, pb.ProviderClient) (T, error)) (T, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res, err := do(within, p.rpc)
	if err != nil {
		return res, p.explain(ctx, name, limit, err)
	}
	return res, nil
}

// explain turns the error of a call into one that says what happened to the program. What does not answer any more is killed.
func (p *process) explain(ctx context.Context, name string, limit time.Duration, err error) error {
	p.mu.Lock()
	ended := p.ended
	p.mu.Unlock()
	st, _ := status.FromError(err)
	switch {
	case ended != "":
		return fmt.Errorf("provider %s was ended in the middle of %s: %s", p.name, name, ended)
	case ctx.Err() != nil && name != "Close":
		return fmt.Errorf("%s of provider %s: %w", name, p.name, context.Cause(ctx))
	case st.Code() == codes.Unknown:
		return errors.New(st.Message()) // the provider's own
	case st.Code() == codes.Unimplemented:
		return fmt.Errorf("provider %s does not know the call %s, which version %d of the protocol has", p.name, name, ProtocolVersion)
	case st.Code() == codes.DeadlineExceeded:
		p.kill(fmt.Sprintf("it did not answer %s for %s", name, limit))
		return fmt.Errorf("provider %s did not answer %s for %s, and was ended", p.name, name, limit)
	}
	if how := p.died(); how != "" {
		return fmt.Errorf("provider %s ended in the middle of %s, %s", p.name, name, how)
	}
	if st.Code() == codes.Unavailable {
		p.kill("it did not answer any more")
		return fmt.Errorf("provider %s did not answer any more in the middle of %s, and was ended: %s", p.name, name, st.Message())
	}
	p.kill("what it said could not be read")
	return fmt.Errorf("what provider %s said in %s cannot be read, so it was ended: %s", p.name, name, st.Message())
}

// Schema implements providers.Provider. The answer is kept.
func (c *Client) Schema(ctx context.Context) (*schema.Provider, error) {
	c.mu.Lock()
	known := c.schema
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	p, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, p, "Schema", c.o.Limits.Quick, func(ctx context.Context, rpc pb.ProviderClient) (*pb.SchemaResponse, error) {
		return rpc.Schema(ctx, &pb.SchemaRequest{})
	})
	if err != nil {
		return nil, err
	}
	var s schema.Provider
	if err := read(p, "Schema", res.GetSchemaJson(), &s); err != nil {
		return nil, err
	}
	if s.Name != c.o.Name {
		return nil, fmt.Errorf("%s is provider %q, and not %q, as the spec calls it", c.o.Path, s.Name, c.o.Name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.schema = &s
	return c.schema, nil
}

// read reads a document that a program answered.
func read(p *process, name string, raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("what provider %s said in %s cannot be read: %w", p.name, name, err)
	}
	return nil
}

// Configure implements providers.Provider.
func (c *Client) Configure(ctx context.Context, req providers.ConfigureRequest) error {
	p, err := c.running(ctx)
	if err != nil {
		return err
	}
	if err := configure(ctx, p, c.o.Limits.Quick, req); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.configured = &req
	return nil
}

func configure(ctx context.Context, p *process, limit time.Duration, req providers.ConfigureRequest) error {
	config, err := encodeValue(req.Config)
	if err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	res, err := call(ctx, p, "Configure", limit, func(ctx context.Context, rpc pb.ProviderClient) (*pb.ConfigureResponse, error) {
		return rpc.Configure(ctx, &pb.ConfigureRequest{ConfigMsgpack: config, Dir: req.Dir})
	})
	if err != nil || len(res.GetProblemsJson()) == 0 {
		return err
	}
	refused := &providers.Refused{}
	if err := read(p, "Configure", res.GetProblemsJson(), &refused.Problems); err != nil {
		return err
	}
	return refused
}

// Plan implements providers.Provider.
func (c *Client) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	p, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	config := take(&req.Config)
	r, err := request(req, config, cty.NilVal)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, p, "Plan", c.o.Limits.Look, func(ctx context.Context, rpc pb.ProviderClient) (*pb.PlanResponse, error) {
		return rpc.Plan(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	var answer providers.PlanResponse
	if err := read(p, "Plan", res.GetResponseJson(), &answer); err != nil {
		return nil, err
	}
	if answer.Outputs, err = decodeValue(res.GetOutputsMsgpack()); err != nil {
		return nil, fmt.Errorf("the outputs that provider %s promised cannot be read: %w", p.name, err)
	}
	return &answer, nil
}

// Inspect implements providers.Provider.
func (c *Client) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	p, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	config, outputs := take(&req.Config), take(&req.Outputs)
	r, err := request(req, config, outputs)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, p, "Inspect", c.o.Limits.Look, func(ctx context.Context, rpc pb.ProviderClient) (*pb.Document, error) {
		return rpc.Inspect(ctx, r)
	})
	if err != nil {
		return nil, err
	}
	var answer providers.InspectResponse
	if err := read(p, "Inspect", res.GetResponseJson(), &answer); err != nil {
		return nil, err
	}
	return &answer, nil
}

// Parse implements providers.Provider.
func (c *Client) Parse(ctx context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	p, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	artifacts := req.Artifacts
	req.Artifacts = make([]measure.Artifact, len(artifacts))
	for i, a := range artifacts {
		req.Artifacts[i] = measure.Artifact{Name: a.Name, File: a.File} // the program is on this machine, and reads a file itself
	}
	config := take(&req.Config)
	head, err := request(req, config, cty.NilVal)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, p, "Parse", c.o.Limits.Look, func(ctx context.Context, rpc pb.ProviderClient) (*pb.Document, error) {
		stream, err := rpc.Parse(ctx)
		if err != nil {
			return nil, err
		}
		err = stream.Send(&pb.ParseRequest{Kind: &pb.ParseRequest_Head{Head: head}})
		for i, a := range artifacts {
			for n := 0; n < len(a.Data) && err == nil; n += chunk {
				err = stream.Send(&pb.ParseRequest{Kind: &pb.ParseRequest_Data{Data: &pb.ArtifactData{
					Artifact: uint32(i), Data: a.Data[n:min(n+chunk, len(a.Data))],
				}}})
			}
		}
		return stream.CloseAndRecv() // where sending failed, this says why
	})
	if err != nil {
		return nil, err
	}
	var answer providers.ParseResponse
	if err := read(p, "Parse", res.GetResponseJson(), &answer); err != nil {
		return nil, err
	}
	return &answer, nil
}

// Close implements providers.Provider: the program ends, or is killed.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.process == nil {
		return nil
	}
	return c.process.close(c.o.Limits.Quick)
}
