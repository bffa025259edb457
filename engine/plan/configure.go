package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// configure answers the evaluator: it configures the providers.
func (b *builder) configure(list []spec.Provider) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for i := range list {
		p := &list[i]
		b.configured[p.Name] = p
		err := b.set.Configure(b.ctx, p.Name, p.Config)
		var refused *providers.Refused
		switch {
		case errors.As(err, &refused):
			diags = append(diags, problems(refused.Problems, p.AttrRange, p.Range)...)
		case err != nil && b.err == nil:
			b.err = err
		}
	}
	return diags
}

// problems places what a provider found in a block: at the attribute, else at the header.
func problems(list []providers.Problem, attributes map[string]hcl.Range, header hcl.Range) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range list {
		rng, ok := attributes[p.Attribute]
		if !ok {
			rng = header
		}
		d := diag.Error(rng, p.Summary, "%s", p.Detail)
		if p.Warning {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	return diags
}

// providerOf is the provider of an instance, with its configuration.
func (b *builder) providerOf(inst *spec.Instance) *spec.Provider {
	for _, s := range b.set.Schemas() {
		for _, t := range s.Types(inst.Addr.Kind) {
			if t.Name == inst.Type.Name {
				return b.configured[s.Name]
			}
		}
	}
	return nil
}

// otherwise is how the provider of an instance is configured, without what is sensitive; empty where by the defaults.
func (b *builder) otherwise(inst *spec.Instance) string {
	p := b.providerOf(inst)
	if p == nil || p.Range == (hcl.Range{}) {
		return ""
	}
	config := string(valueJSON(without(p.Config, p.Secret)))
	for _, s := range b.set.Schemas() {
		if s.Name == p.Name && len(p.Secret) == 0 && config == string(valueJSON(eval.Defaults(s.Config))) {
			return ""
		}
	}
	return config
}

// info is what a plan says of a provider.
func (b *builder) info(name, version string) ProviderInfo {
	out := ProviderInfo{Name: name, Version: version}
	if p := b.programs[name]; p != nil {
		out.Source, out.SHA256 = p.Source, p.SHA256
	}
	if p := b.configured[name]; p != nil && len(p.Config.Type().AttributeTypes()) > 0 {
		out.Config, out.SensitiveConfig = valueJSON(without(p.Config, p.Secret)), namesOf(p.Secret)
	}
	return out
}

// Configure configures the providers that a plan uses as the plan says. A plan has no sensitive values: with a provider that was
// configured with some it fails, and the spec must be planned again.
func Configure(ctx context.Context, set *providers.Set, p *Plan) error {
	for _, info := range p.Providers {
		if len(info.SensitiveConfig) > 0 {
			return fmt.Errorf("provider %s was configured with sensitive values, which no plan holds", info.Name)
		}
		for _, s := range set.Schemas() {
			if s.Name != info.Name {
				continue
			}
			config := eval.Defaults(s.Config)
			if len(info.Config) > 0 {
				var err error
				if config, err = ctyjson.Unmarshal(info.Config, s.Config.Cty()); err != nil {
					return fmt.Errorf("the configuration of provider %s in the plan: %w", info.Name, err)
				}
			}
			if err := set.Configure(ctx, info.Name, config); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChangedProviders says in words in what the configuration of the providers of two plans differs. Of sensitive values a plan knows
// only that there are some.
func ChangedProviders(old, now *Plan) []string {
	was := map[string]ProviderInfo{}
	for _, p := range old.Providers {
		was[p.Name] = p
	}
	var out []string
	for _, p := range now.Providers {
		o, ok := was[p.Name]
		if !ok {
			continue // the steps that need it are new too
		}
		if o.SHA256 != p.SHA256 {
			out = append(out, fmt.Sprintf("provider %s is another program: %s, which was %s", p.Name, program(p), program(o)))
		}
		before, after := attributesOf(o), attributesOf(p)
		for _, name := range keys(before, after) {
			a, b := before[name], after[name]
			if !reflect.DeepEqual(canonical(a), canonical(b)) || slices.Contains(o.SensitiveConfig, name) != slices.Contains(p.SensitiveConfig, name) {
				out = append(out, fmt.Sprintf("%s of provider %s is %s and was %s", name, p.Name, configured(p, name, b), configured(o, name, a)))
			}
		}
	}
	return out
}

func attributesOf(p ProviderInfo) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	_ = json.Unmarshal(p.Config, &out) // nothing where a block takes nothing
	return out
}

func configured(p ProviderInfo, name string, value json.RawMessage) string {
	switch {
	case slices.Contains(p.SensitiveConfig, name):
		return "sensitive"
	case value == nil, string(value) == "null":
		return "not set"
	}
	return string(value)
}
