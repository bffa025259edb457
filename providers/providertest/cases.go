package providertest

import (
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// Cases are what the suite needs to know of a provider. There must be a case for each type.
type Cases struct {
	Config   map[string]any // the provider block
	Things   []Thing
	Tests    []Test
	Monitors []Monitor
	Bad      []Bad
	// Elsewhere names types, such as "setup storage_raid", of which another test of the provider has the cases, since they need another machine.
	Elsewhere []string
	// Offline makes a provider on the given dialer, which fails the test when it is used: what is planned offline
	// touches no host. Nil for a provider that has no hosts.
	Offline func(t testing.TB, dial host.Dialer) providers.Provider
}

// Place is where a case runs.
type Place struct {
	Dir     string    // an empty directory of its own
	Outputs cty.Value // of the thing that a test stands on; cty.NilVal without one
}

// Thing is a setup or dataset that can be made on this machine.
type Thing struct {
	Name   string
	Kind   string // empty: setup
	Type   string
	Values func(Place) map[string]any // see Config; nil: none
	Yields []string                   // of a dataset: measures that must be in the sample of a load
	Person func(what string) error    // does what the provider asks a person for; nil: it asks for nothing
	// Partial, if not nil, leaves the thing partial: as a crash would in the middle of Prepare.
	Partial func(t testing.TB, p providers.Provider, req providers.ThingRequest)
}

// Test is a test that can be run on this machine in a few seconds and yields a sample.
type Test struct {
	Name   string
	Type   string
	On     *Thing                     // made before, if not nil
	Values func(Place) map[string]any // see Config; nil: none
	// Long, if not nil, is a configuration whose measured part takes at least a minute, so that it can be cancelled.
	Long func(Place) map[string]any
	// Yields names measures that must be in the sample.
	Yields []string
	// Imports says, for each import format, which artifact of a run is a file of that format.
	Imports map[string]string
}

// Bad is a configuration that the provider must refuse.
type Bad struct {
	Name      string
	Kind      string // setup, dataset, test, monitor
	Type      string
	Values    map[string]any
	Attribute string // that the problem must be about; empty: the block
}

func (c Thing) kind() string {
	if c.Kind == "" {
		return "setup"
	}
	return c.Kind
}
