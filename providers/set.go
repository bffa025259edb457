package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
)

// Set holds configured providers by the types that they declare.
type Set struct {
	list    []Provider
	schemas []*schema.Provider
	byType  map[string]Provider
}

// NewSet reads the schemas of the providers and configures each with the working directory dir.
func NewSet(ctx context.Context, dir string, list ...Provider) (*Set, error) {
	s := &Set{list: list, byType: map[string]Provider{}}
	for _, p := range list {
		sch, err := p.Schema(ctx)
		if err != nil {
			return nil, fmt.Errorf("reading a provider's schema: %w", err)
		}
		if err := p.Configure(ctx, ConfigureRequest{Dir: dir}); err != nil {
			return nil, fmt.Errorf("configuring provider %s: %w", sch.Name, err)
		}
		s.schemas = append(s.schemas, sch)
		for _, kind := range Kinds {
			for _, t := range sch.Types(kind) {
				s.byType[kind+" "+t.Name] = p
			}
		}
	}
	return s, nil
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
