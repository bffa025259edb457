// Package providertest is the conformance suite: what holds for every provider, whatever it drives. A provider's own
// tests call Run with a few configurations of its own; the suite does the rest. The package also has a Sink and a reader
// of configurations, which tests of other packages may use alone.
//
// It leaves out what only a provider itself can know: whether its figures are right.
package providertest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// The suite's patience. These bounds are for what hangs, far beyond what slow machines need.
const (
	patience = 2 * time.Minute
	prompt   = 30 * time.Second // to end after a cancel: host.Grace and much more
)

// Run checks a provider. newProvider makes one that is not configured; it is called many times.
func Run(t *testing.T, newProvider func(t *testing.T) providers.Provider, cases Cases) {
	t.Helper()
	for _, c := range checks(cases) {
		t.Run(c.name, func(t *testing.T) {
			c.run(newBench(t, cases, func() providers.Provider { return newProvider(t) }))
		})
	}
}

// check is one thing that must hold.
type check struct {
	name string
	run  func(*bench)
}

func checks(cases Cases) []check {
	all := []check{{"schema", checkSchema}, {"cases", checkCases}}
	for _, c := range cases.Bad {
		all = append(all, check{"bad/" + c.Name, func(b *bench) { checkBad(b, c) }})
	}
	for _, c := range cases.Things {
		all = append(all,
			check{"thing/" + c.Name + "/plan", func(b *bench) { checkThingPlan(b, c) }},
			check{"thing/" + c.Name + "/life", func(b *bench) { checkLife(b, c) }},
			check{"thing/" + c.Name + "/cancelled", func(b *bench) { checkCancelledPrepare(b, c) }})
		if c.kind() == "dataset" {
			all = append(all, check{"thing/" + c.Name + "/load", func(b *bench) { checkLoad(b, c) }})
		}
		if c.Partial != nil {
			all = append(all, check{"thing/" + c.Name + "/partial", func(b *bench) { checkPartial(b, c) }})
		}
	}
	for _, c := range cases.Tests {
		all = append(all,
			check{"test/" + c.Name + "/plan", func(b *bench) { checkTestPlan(b, c) }},
			check{"test/" + c.Name + "/measure", func(b *bench) { checkMeasure(b, c) }},
			check{"test/" + c.Name + "/gate", func(b *bench) { checkGate(b, c) }},
			check{"test/" + c.Name + "/parse", func(b *bench) { checkParse(b, c) }},
			check{"test/" + c.Name + "/two_at_once", func(b *bench) { checkTwoAtOnce(b, c) }})
		if c.Long != nil {
			all = append(all, check{"test/" + c.Name + "/cancel", func(b *bench) { checkCancel(b, c) }})
		}
	}
	for _, c := range cases.Monitors {
		all = append(all, monitorChecks(c)...)
	}
	return all
}

// bench is what one check works with.
type bench struct {
	testing.TB
	cases Cases
	root  string // holds dir and the cases' places
	dir   string // the working directory of its providers
	make  func() providers.Provider
	// person does what the thing at hand asks for.
	person func(what string) error
}

// sink is one for a step of a thing; with an empty dir artifacts are kept in memory only.
func (b *bench) sink(dir string) *Sink {
	s := NewSink(dir)
	s.Person = b.person
	return s
}

func newBench(t testing.TB, cases Cases, newProvider func() providers.Provider) *bench {
	b := &bench{TB: t, cases: cases, root: t.TempDir(), make: newProvider}
	b.dir = b.subdirectory("work-")
	return b
}

func (b *bench) subdirectory(pattern string) string {
	b.Helper()
	dir, err := os.MkdirTemp(b.root, pattern)
	if err != nil {
		b.Fatalf("making a directory: %v", err)
	}
	return dir
}

// place makes a place for a case.
func (b *bench) place(outputs cty.Value) Place {
	b.Helper()
	return Place{Dir: b.subdirectory("place-"), Outputs: outputs}
}

// context gives each step its patience.
func (b *bench) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	b.Cleanup(cancel)
	return ctx
}

// schema asks a provider for its schema.
func (b *bench) schema(p providers.Provider) *schema.Provider {
	b.Helper()
	s, err := p.Schema(b.context())
	if err != nil || s == nil {
		b.Fatalf("Schema: %v, %v; it needs no configuration and does not fail", s, err)
	}
	return s
}

// provider makes a configured provider that is closed at the end.
func (b *bench) provider() providers.Provider {
	b.Helper()
	return b.configure(b.make())
}

func (b *bench) configure(p providers.Provider) providers.Provider {
	b.Helper()
	req := providers.ConfigureRequest{Config: Config(b, b.schema(p).Config, b.cases.Config), Dir: b.dir}
	if err := p.Configure(b.context(), req); err != nil {
		b.Fatalf("Configure: %v", err)
	}
	b.Cleanup(func() {
		if err := p.Close(); err != nil {
			b.Errorf("Close: %v", err)
		}
	})
	return p
}

// typ finds a type.
func (b *bench) typ(p providers.Provider, kind, name string) *schema.Type {
	b.Helper()
	types := b.schema(p).Types(kind)
	for i := range types {
		if types[i].Name == name {
			return &types[i]
		}
	}
	b.Fatalf("the schema has no %s %q, which a case names", kind, name)
	return nil
}

// target is an instance of a type with a configuration.
func (b *bench) target(t *schema.Type, kind, name string, values map[string]any) providers.Target {
	b.Helper()
	return providers.Target{
		Kind: kind, Type: t.Name,
		Address: addr.Instance{
			Block:       addr.Block{Kind: kind, Type: t.Name, Name: "conformance"},
			Coordinates: addr.Coordinates{"case": name},
		},
		Config: Config(b, t.Body, values),
	}
}

// plan plans and insists that there is no problem, and that nothing is wrong with the promise.
func (b *bench) plan(p providers.Provider, target providers.Target) *providers.PlanResponse {
	b.Helper()
	res, err := p.Plan(b.context(), providers.PlanRequest{Target: target})
	if err != nil || res == nil {
		b.Fatalf("Plan: %v, %v; what is wrong with a configuration is a Problem, not an error", res, err)
	}
	for _, pr := range res.Problems {
		if !pr.Warning {
			b.Fatalf("Plan: %s: %s: %s", pr.Attribute, pr.Summary, pr.Detail)
		}
	}
	if why := badOutputs(b.typ(p, target.Kind, target.Type), res.Outputs); why != "" {
		b.Fatalf("Plan: %s", why)
	}
	return res
}

func valuesAt(f func(Place) map[string]any, p Place) map[string]any {
	if f == nil {
		return nil
	}
	return f(p)
}

// checkCases insists on a case for each type.
func checkCases(b *bench) {
	s := b.schema(b.make())
	covered := map[string]bool{}
	for _, c := range b.cases.Things {
		covered[c.kind()+" "+c.Type] = true
	}
	for _, c := range b.cases.Tests {
		covered["test "+c.Type] = true
	}
	for _, c := range b.cases.Monitors {
		covered["monitor "+c.Type] = true
	}
	for _, name := range b.cases.Elsewhere {
		covered[name] = true
	}
	for _, kind := range providers.Kinds {
		for _, t := range s.Types(kind) {
			if name := fmt.Sprintf("%s %s", kind, t.Name); !covered[name] {
				b.Errorf("there is no case for %s", name)
			}
		}
	}
}
