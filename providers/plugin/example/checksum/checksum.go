// Package checksum is an example of a provider: it measures how fast a host computes checksums. A setup makes a file, and a test lets
// sha256sum or md5sum of coreutils read it. docs/providers.md goes through it.
//
// It leaves out what a serious benchmark would need: the file is in the page cache, so that the CPU is measured and not the disk.
package checksum

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// provider reaches hosts through dial.
type provider struct {
	dial host.Dialer
	file string // name of the files that it makes
}

// New makes the provider.
func New(dial host.Dialer) providers.Provider { return &provider{dial: dial} }

// Schema declares what may stand in a spec, what a setup promises, and what a test measures.
func (p *provider) Schema(context.Context) (*schema.Provider, error) {
	return &schema.Provider{
		Name: "checksum", Version: "0.1.0",
		Doc: "How fast a host computes checksums.",
		Config: schema.Block{Attributes: []schema.Attribute{
			{Name: "file", Kind: schema.String, Default: "assay-checksum.data", Doc: "The name of the files that are made."},
		}},
		Setups: []schema.Type{{
			Name: "checksum_file", Doc: "A file of zeros. It is removed at the end.",
			Body: schema.Block{Attributes: []schema.Attribute{
				{Name: "directory", Kind: schema.String, Required: true, Doc: "Where it is made; an absolute path."},
				{Name: "size", Kind: schema.Quantity, Dim: unit.Bytes, Required: true, Min: "1B", Max: "1TiB", Doc: "How large it is."},
			}},
			Outputs: []schema.Output{
				{Name: "path", Type: schema.String, Doc: "The file."},
				{Name: "bytes", Type: schema.Number, Doc: "Its size."},
			},
			Tools: []string{"truncate"},
		}},
		Tests: []schema.Type{{
			Name: "checksum", Doc: "Reads a file and computes its checksum.",
			Body: schema.Block{Attributes: []schema.Attribute{
				{Name: "path", Kind: schema.String, Target: true, Required: true, Doc: "The file: setup.checksum_file.NAME.path."},
				{Name: "bytes", Kind: schema.Number, Required: true, Min: "1", Doc: "Its size: setup.checksum_file.NAME.bytes."},
				{Name: "algorithm", Kind: schema.String, Enum: []string{"sha256", "md5"}, Default: "sha256", Doc: "Which checksum."},
			}},
			Measures: []schema.Measure{
				{Name: "duration", Doc: "How long the tool ran.", Dim: unit.Seconds, Better: schema.Lower},
				{Name: "rate", Doc: "Bytes of the file per second.", Dim: unit.BytesPerSec, Better: schema.Higher},
			},
			Tools: []string{"sha256sum", "md5sum"},
		}},
	}, nil
}

// Configure takes the provider block. What is wrong with it is a list of problems.
func (p *provider) Configure(_ context.Context, req providers.ConfigureRequest) error {
	p.file = req.Config.GetAttr("file").AsString()
	if !fileName(p.file) {
		return &providers.Refused{Problems: []providers.Problem{{
			Attribute: "file", Summary: "Not a name of a file",
			Detail: fmt.Sprintf("%q may not begin with a dot or a hyphen, or hold a slash.", p.file),
		}}}
	}
	return nil
}

// Plan checks a block, promises outputs, and says what will be done: all of that stands in the plan that people look at. It may read
// the host, though not offline; here there is nothing to read.
func (p *provider) Plan(_ context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	if req.Kind == "setup" {
		return p.planFile(req), nil
	}
	return &providers.PlanResponse{Commands: []providers.Command{{On: on(req.Target), Argv: argv(req.Config)}}}, nil
}

// Observe samples something beside a test. There are no monitors here.
func (p *provider) Observe(_ context.Context, req providers.ObserveRequest, _ providers.Sink) error {
	return fmt.Errorf("checksum has no monitor %q", req.Type)
}

// Close ends what the provider holds: nothing.
func (p *provider) Close() error { return nil }

// on is the host of a block; empty: this machine.
func on(t providers.Target) string {
	if len(t.Hosts) == 0 {
		return ""
	}
	return t.Hosts[0]
}

func text(config cty.Value, name string) string { return config.GetAttr(name).AsString() }

func number(config cty.Value, name string) int64 {
	n, _ := config.GetAttr(name).AsBigFloat().Int64()
	return n
}
