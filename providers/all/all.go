// Package all is the explicit list of the built-in providers.
package all

import (
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/command"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/fio"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage"
)

// Builtin gives every built-in provider, in the order in which they are documented. They reach machines through dial.
func Builtin(dial host.Dialer) []providers.Provider {
	return []providers.Provider{
		storage.New(dial),
		fio.New(dial),
		command.New(dial),
		fake.New(),
	}
}
