package providertest

import (
	"os"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/plugin"
)

// served is the variable that makes a test binary the program of its provider.
const served = "ASSAY_PROVIDERTEST_SERVE"

// Main runs a package's tests, or serves its provider where RunBoth started the test binary for that. A package that calls RunBoth
// has it as TestMain:
//
//	func TestMain(m *testing.M) { providertest.Main(m, fake.New) }
func Main(m *testing.M, newProvider func() providers.Provider) {
	if os.Getenv(served) != "" {
		plugin.Serve(newProvider())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// RunBoth checks a provider twice: in the process, and as a program of its own, which is the test binary itself. Under the race detector only
// in the process, where it can see races; `make test` runs the conformance tests once more without it.
func RunBoth(t *testing.T, newProvider func() providers.Provider, cases Cases) {
	t.Helper()
	name := schemaName(t, newProvider())
	t.Run("process", func(t *testing.T) {
		Run(t, func(*testing.T) providers.Provider { return newProvider() }, cases)
	})
	if raceDetector {
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cases.Offline = nil // a dialer does not cross
	t.Run("program", func(t *testing.T) {
		Run(t, func(t *testing.T) providers.Provider {
			c := plugin.New(plugin.Options{Name: name, Path: self, Env: []string{served + "=1"}})
			t.Cleanup(func() { _ = c.Close() }) // of one that the suite did not configure
			return c
		}, cases)
	})
}

func schemaName(t *testing.T, p providers.Provider) string {
	t.Helper()
	s, err := p.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Name
}
