package eval

import (
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// evalProviders reads the provider blocks, and hands the configuration of all providers out before anything is promised.
func (e *evaluator) evalProviders() {
	before := len(e.diags.Errs())
	blocks := map[string]*config.Provider{}
	var names []string
	for _, s := range e.opts.Providers {
		names = append(names, s.Name)
	}
	for _, p := range e.model.Providers {
		if !contains(names, p.Name) && p.SourceRange.Filename == "" { // what is wrong with a program was said before
			e.errorf(p.NameRange, "Unknown provider", "There is no provider %q.%s One that is a program of its own needs its source: source = \"./bin/assay-provider-%s\".", p.Name, diag.DidYouMean(p.Name, names), p.Name)
		}
		blocks[p.Name] = p
	}
	for _, s := range e.opts.Providers {
		if p := e.provider(s, blocks[s.Name]); p != nil {
			e.out.Providers = append(e.out.Providers, *p)
		}
	}
	if !e.unconfigured && len(e.diags.Errs()) == before {
		e.diags = append(e.diags, e.opts.Configure(e.out.Providers)...)
	}
	e.unconfigured = e.unconfigured || len(e.diags.Errs()) > before
}

// provider decodes the configuration of a provider; nil where it lacks what only a block can give, and nothing uses it.
func (e *evaluator) provider(s *schema.Provider, b *config.Provider) *spec.Provider {
	out := &spec.Provider{Name: s.Name, AttrRange: map[string]hcl.Range{}}
	if b == nil {
		out.Config = Defaults(s.Config)
		if lacks := required(s.Config); lacks != "" {
			if user := e.userOf(s); user != nil {
				e.errorf(user.cfg.TypeRange, "Provider not configured", "Provider %q, of which this type is, needs %q: write provider %q { %s = … }.", s.Name, lacks, s.Name, lacks)
			}
			return nil
		}
		return out
	}
	taken := e.takeApart(b.Body, s.Config, b.Range)
	fixed := true
	for _, x := range taken.expressions() {
		fixed = e.fixedInSpec(x) && fixed
	}
	if !fixed {
		return nil
	}
	for name, a := range taken.attrs {
		out.AttrRange[name] = a.Expr.Range()
	}
	d := &decoder{e: e}
	out.Range = b.Range
	out.Config = d.decode(taken, s.Config, nil)
	out.Secret = d.secret
	e.unconfigured = e.unconfigured || d.bad // an error elsewhere, in a local, may be the reason
	return out
}

// userOf is the first block of a type that a provider has; nil where there is none.
func (e *evaluator) userOf(s *schema.Provider) *block {
	for _, b := range e.order {
		for _, t := range s.Types(b.cfg.Addr.Kind) {
			if t.Name == b.cfg.Addr.Type {
				return b
			}
		}
	}
	return nil
}

// required is the name of an argument that must be given; empty where there is none.
func required(b schema.Block) string {
	for _, a := range b.Attributes {
		if a.Required {
			return a.Name
		}
	}
	return ""
}

// Defaults is what an empty body is decoded to: every attribute has its default, or is null.
func Defaults(b schema.Block) cty.Value {
	attrs := map[string]cty.Value{}
	for _, a := range b.Attributes {
		attrs[a.Name] = cty.NullVal(a.Kind.Cty())
		if a.Default != "" {
			attrs[a.Name] = defaultValue(a)
		}
	}
	for i := range b.Blocks {
		attrs[b.Blocks[i].Name] = cty.ListValEmpty(b.Blocks[i].Body.Cty())
	}
	return cty.ObjectVal(attrs)
}
