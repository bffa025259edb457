package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/zclconf/go-cty/cty"
)

// Set holds providers by the types that they declare. It serves one spec: providers are configured once.
type Set struct {
	dir        string
	list       []Provider
	schemas    []*schema.Provider
	byType     map[string]Provider
	configured map[string]cty.Value
}

// NewSet reads the schemas of the providers. They keep what they need of their own below the working directory dir. Until
// Configure they can only parse.
func NewSet(ctx context.Context, dir string, list ...Provider) (*Set, error) {
	s := &Set{dir: dir, byType: map[string]Provider{}}
	for _, p := range list {
		if err := s.Add(ctx, p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add takes one more provider, which the set closes. Names of providers and types are unique; after an error the provider is not in the set.
func (s *Set) Add(ctx context.Context, p Provider) error {
	sch, err := p.Schema(ctx)
	if err != nil {
		return fmt.Errorf("reading a provider's schema: %w", err)
	}
	for _, other := range s.schemas {
		if other.Name == sch.Name {
			return fmt.Errorf("there are two providers of the name %q", sch.Name)
		}
	}
	for _, kind := range Kinds {
		for _, t := range sch.Types(kind) {
			if s.byType[kind+" "+t.Name] != nil {
				return fmt.Errorf("provider %s declares the %s type %q, which another provider has", sch.Name, kind, t.Name)
			}
		}
	}
	for i := range sch.Profiles {
		if err := sch.Profiles[i].Check(); err != nil {
			return fmt.Errorf("provider %s: profile %s: %w", sch.Name, sch.Profiles[i].Name, err)
		}
	}
	s.list, s.schemas = append(s.list, p), append(s.schemas, sch)
	for _, kind := range Kinds {
		for _, t := range sch.Types(kind) {
			s.byType[kind+" "+t.Name] = p
		}
	}
	return nil
}

// Configure configures the provider of that name, once. Doing it again with the same configuration does nothing. What is wrong with the
// configuration is a *Refused.
func (s *Set) Configure(ctx context.Context, name string, config cty.Value) error {
	if before, ok := s.configured[name]; ok {
		if !before.RawEquals(config) {
			return fmt.Errorf("provider %s is configured already, and otherwise", name)
		}
		return nil
	}
	for i, sch := range s.schemas {
		if sch.Name != name {
			continue
		}
		if err := s.list[i].Configure(ctx, ConfigureRequest{Config: config, Dir: s.dir}); err != nil {
			return fmt.Errorf("configuring provider %s: %w", name, err)
		}
		if s.configured == nil {
			s.configured = map[string]cty.Value{}
		}
		s.configured[name] = config
		return nil
	}
	return fmt.Errorf("there is no provider %q", name)
}

// Kinds are the kinds of block that have a type.
var Kinds = []string{"setup", "dataset", "test", "monitor"}

// Types lists the types of a kind.
func (s *Set) Types(kind string) []schema.Type {
	var out []schema.Type
	for _, sch := range s.schemas {
		out = append(out, sch.Types(kind)...)
	}
	return out
}

// Type finds a type; nil where there is none.
func (s *Set) Type(kind, name string) *schema.Type {
	for _, sch := range s.schemas {
		for i, t := range sch.Types(kind) {
			if t.Name == name {
				return &sch.Types(kind)[i]
			}
		}
	}
	return nil
}

// For gives the provider of a type; nil where there is none.
func (s *Set) For(kind, name string) Provider { return s.byType[kind+" "+name] }

// Schema gives the schema of the provider of that name; nil where there is none.
func (s *Set) Schema(name string) *schema.Provider {
	for _, sch := range s.schemas {
		if sch.Name == name {
			return sch
		}
	}
	return nil
}

// Schemas lists the schemas in the order in which the providers were given.
func (s *Set) Schemas() []*schema.Provider { return s.schemas }

// Close ends all providers.
func (s *Set) Close() error {
	var errs []error
	for _, p := range s.list {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}
