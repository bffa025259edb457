// Package command drives what has no provider of its own by commands that the spec gives: an array's command line, a
// firmware update, vdbench, a reboot.
//
// A command is a list of arguments and never a shell string. Its exit status alone is not believed: a spec says what must
// be in the output, what in it means failure, and of a setup by which output one sees that it stands. What the commands do
// is the spec's own business; this package leaves out every guard against a wrong target, since it cannot know of one.
package command

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

type provider struct {
	dial host.Dialer
}

// New gives the provider; dial opens the hosts on which commands run.
func New(dial host.Dialer) providers.Provider { return &provider{dial: dial} }

// Schema implements providers.Provider.
func (p *provider) Schema(context.Context) (*schema.Provider, error) { return providerSchema(), nil }

// Configure implements providers.Provider; there is nothing to configure.
func (p *provider) Configure(context.Context, providers.ConfigureRequest) error { return nil }

// Close implements providers.Provider.
func (p *provider) Close() error { return nil }

func unknown(t providers.Target) error {
	return fmt.Errorf("provider command has no %s of type %q", t.Kind, t.Type)
}

// hosts are those of a target; without any it is this machine.
func hosts(t providers.Target) []string {
	if len(t.Hosts) == 0 {
		return []string{""}
	}
	return t.Hosts
}
