package plan

import (
	"errors"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
)

// Program is a provider that is a program of its own.
type Program struct {
	Provider providers.Provider
	Source   string // as the spec names it
	SHA256   string
}

// open adds the programs that the provider blocks of a spec name to the set, which closes them. It comes before evaluation, since the
// types of a program are not known before.
func (b *builder) open(m *config.Model) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range m.Providers {
		if p.Source == "" {
			continue
		}
		if b.set.Schema(p.Name) != nil {
			diags = append(diags, diag.Error(p.SourceRange, "Built-in provider", "Provider %q is built in, so it has no source. Leave source out, or give the program another name.", p.Name))
			continue
		}
		program, err := b.program(p)
		if err == nil {
			if err = b.set.Add(b.ctx, program.Provider); err != nil {
				err = errors.Join(err, program.Provider.Close())
			}
		}
		if err != nil {
			diags = append(diags, diag.Error(p.SourceRange, "Provider cannot be used", "%s.", err))
			continue
		}
		b.programs[p.Name] = program
	}
	return diags
}

func (b *builder) program(p *config.Provider) (*Program, error) {
	if b.req.Program == nil {
		return nil, errors.New("no program can be started here")
	}
	return b.req.Program(p.Name, p.Source)
}

// program names the program of a provider, for a difference.
func program(p ProviderInfo) string {
	if p.SHA256 == "" {
		return "built in"
	}
	return p.Source + " with SHA-256 " + p.SHA256[:min(12, len(p.SHA256))] + "…"
}
