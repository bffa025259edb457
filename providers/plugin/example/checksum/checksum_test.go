package checksum

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
)

func newProvider() providers.Provider { return New(host.Dial) }

func TestMain(m *testing.M) { providertest.Main(m, newProvider) }

// TestConformance is all that it takes to hold a provider to the contract: a few configurations of its types.
func TestConformance(t *testing.T) {
	file := providertest.Thing{
		Name: "file", Type: "checksum_file",
		Values: func(p providertest.Place) map[string]any { return map[string]any{"directory": p.Dir, "size": "1MiB"} },
		Partial: func(t testing.TB, _ providers.Provider, req providers.ThingRequest) { // what a crash leaves
			dir := req.Config.GetAttr("directory").AsString()
			if err := os.WriteFile(filepath.Join(dir, ".assay-checksum.data.assay"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		},
	}
	test := func(name, algorithm string) providertest.Test {
		return providertest.Test{
			Name: name, Type: "checksum", On: &file, Yields: []string{"duration", "rate"},
			Values: func(p providertest.Place) map[string]any {
				return map[string]any{"path": p.Outputs.GetAttr("path"), "bytes": p.Outputs.GetAttr("bytes"), "algorithm": algorithm}
			},
		}
	}
	providertest.RunBoth(t, newProvider, providertest.Cases{
		Things: []providertest.Thing{file},
		Tests:  []providertest.Test{test("sha256", "sha256"), test("md5", "md5")},
		Bad: []providertest.Bad{{Name: "relative", Kind: "setup", Type: "checksum_file", Attribute: "directory",
			Values: map[string]any{"directory": "here", "size": "1MiB"}}},
		Offline: func(_ testing.TB, dial host.Dialer) providers.Provider { return New(dial) },
	})
}

// TestForeign: a file of somebody else's is neither used nor removed.
func TestForeign(t *testing.T) {
	p, dir := newProvider(), t.TempDir()
	s, err := p.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Configure(t.Context(), providers.ConfigureRequest{Config: providertest.Config(t, s.Config, nil)}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "assay-checksum.data")
	if err := os.WriteFile(file, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	req := providers.ThingRequest{Target: providers.Target{Kind: "setup", Type: "checksum_file",
		Config: providertest.Config(t, s.Setups[0].Body, map[string]any{"directory": dir, "size": "8B"})}}
	if err := p.Prepare(t.Context(), req, providertest.NewSink("")); err == nil {
		t.Error("it was used")
	}
	if err := p.Release(t.Context(), req, providertest.NewSink("")); err == nil {
		t.Error("it was released")
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "precious" {
		t.Errorf("the file is %q, %v", got, err)
	}
}
