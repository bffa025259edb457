package main

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/plugin"
	"github.com/assay-bench/assay/providers/plugin/example/checksum"
)

// providerPrograms are programs for the scripts: the example of a provider, and one that crashes where a test is called bad. The
// scripts find them in $PROGRAMS.
var providerPrograms = map[string]func(){
	"assay-provider-checksum": func() { plugin.Serve(checksum.New(host.Dial)) },
	"assay-provider-crashy":   func() { plugin.Serve(crashy{fake.New()}) },
}

// programDirectory finds the folder on a PATH in which the programs are.
func programDirectory(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, "assay-provider-checksum")); err == nil {
			return dir
		}
	}
	return ""
}

// crashy is the test of fake under another name.
type crashy struct{ providers.Provider }

func (c crashy) Schema(ctx context.Context) (*schema.Provider, error) {
	s, err := c.Provider.Schema(ctx)
	if err != nil {
		return nil, err
	}
	t := s.Tests[0]
	t.Name = "crashy"
	return &schema.Provider{Name: "crashy", Version: "1.0", Doc: "Crashes.", Config: s.Config, Tests: []schema.Type{t}}, nil
}

func (c crashy) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	req.Type = "fake"
	return c.Provider.Plan(ctx, req)
}

func (c crashy) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	if req.Address.Name == "bad" {
		log.Fatal("out of cheese")
	}
	req.Type = "fake"
	return c.Provider.Measure(ctx, req, gate, sink)
}

func (c crashy) Parse(ctx context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	req.Type = "fake"
	return c.Provider.Parse(ctx, req)
}

// TestProvidersPage plans the spec that docs/providers.md shows.
func TestProvidersPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "providers.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, spec, _ := strings.Cut(string(page), "```hcl\n")
	spec, _, _ = strings.Cut(spec, "```")
	opened := ""
	built, diags, err := plan.Build(t.Context(), builtin(t), plan.Request{
		Sources: diag.Sources{"spec.assay.hcl": []byte(spec)}, Path: "spec", Offline: true,
		Program: func(name, source string) (*plan.Program, error) {
			opened = name + " " + source
			return &plan.Program{Provider: checksum.New(host.Dial), Source: source, SHA256: "0"}, nil
		},
	})
	if err != nil || len(diags) > 0 || len(built.Plan.Steps) != 8 || opened != "checksum ./bin/assay-provider-checksum" {
		t.Errorf("%v %v, opened %q", err, diags, opened)
	}
}
