package command_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/command"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
)

// target is a block of the provider.
func target(t *testing.T, p providers.Provider, kind, typ string, values map[string]any) providers.Target {
	t.Helper()
	s, err := p.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	types := s.Types(kind)
	i := slices.IndexFunc(types, func(x schema.Type) bool { return x.Name == typ })
	if i < 0 {
		t.Fatalf("there is no %s %q", kind, typ)
	}
	return providers.Target{
		Kind: kind, Type: typ, Address: addr.Instance{Block: addr.Block{Kind: kind, Type: typ, Name: "x"}},
		Config: providertest.Config(t, types[i].Body, values),
	}
}

// TestMadeAnew: data that stand are removed before they are loaded again, and so is what is there of a thing in part; what stands as
// a whole is left alone.
func TestMadeAnew(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	makes, takes := with(argv("tee", "-a", log), "stdin", "made\n"), with(argv("tee", "-a", log), "stdin", "gone\n")
	p := command.New(host.Dial)
	for name, c := range map[string]struct {
		kind, makes, takes string
		before, want       string
	}{
		"data absent":   {"dataset", "load", "remove", "", "made"},
		"data stand":    {"dataset", "load", "remove", "made\n", "made gone made"},
		"setup stands":  {"setup", "create", "destroy", "made\n", "made"},
		"setup partial": {"setup", "create", "destroy", "half\n", "half gone made"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(log, []byte(c.before), 0o644); err != nil {
				t.Fatal(err)
			}
			req := providers.ThingRequest{Target: target(t, p, c.kind, "command", map[string]any{
				c.makes: makes, c.takes: takes,
				"inspect": map[string]any{"argv": []string{"tail", "-n", "1", log}, "standing": "^made$", "partial": "^half$", "settle": "0s"},
			})}
			if err := p.Prepare(t.Context(), req, providertest.NewSink("")); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(log)
			if want := strings.ReplaceAll(c.want, " ", "\n") + "\n"; err != nil || string(got) != want {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
}

// TestFiles: what a command is given as files nobody else can read, and nothing of it stays.
func TestFiles(t *testing.T) {
	p := command.New(host.Dial)
	sink := providertest.NewSink("")
	req := providers.MeasureRequest{Target: target(t, p, "test", "command", map[string]any{
		"argv": []string{"find", ".", "-printf", "%m %p\n", "-exec", "readlink", "-f", "{}", ";"}, "files": map[string]any{"secret": "x"},
		"measure": map[string]any{"name": "n", "pattern": "(1)"},
	})}
	if err := p.Measure(t.Context(), req, func(context.Context) error { return nil }, sink); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(sink.Data("command.stdout"))), "\n")
	if len(lines) != 4 || lines[0] != "700 ." || lines[2] != "600 ./secret" {
		t.Fatalf("%q", lines)
	}
	for _, path := range []string{lines[1], lines[3]} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}

// TestClaims: a setup holds what it claims while it stands, a test while it runs, and its host's CPU and I/O too.
func TestClaims(t *testing.T) {
	p := command.New(host.Dial)
	setup := thing("/nowhere")
	test := with(argv("true"), "measure", map[string]any{"name": "n", "pattern": "(1)"})
	test["claims"], test["shares"] = []string{"network"}, []string{"host::io"}
	for _, c := range []struct {
		kind   string
		values map[string]any
		want   []providers.Claim
	}{
		{"setup", setup, []providers.Claim{{Name: "network", Standing: true}, {Name: "switch:1", Standing: true, Shared: true}}},
		{"test", test, []providers.Claim{{Name: "network"}, {Name: "host::io", Shared: true}, {Name: "host::cpu"}}},
	} {
		resp, err := p.Plan(t.Context(), providers.PlanRequest{Target: target(t, p, c.kind, "command", c.values), Offline: true})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, resp.Claims); d != "" {
			t.Errorf("%s: %s", c.kind, d)
		}
	}
}

// TestFilesOfSetup: nor does anything stay of the files of a setup's command.
func TestFilesOfSetup(t *testing.T) {
	p := command.New(host.Dial)
	dir := t.TempDir()
	values := thing(dir)
	values["create"] = []map[string]any{with(argv("readlink", "-f", "secret"), "files", map[string]any{"secret": "x"}), argv("touch", dir+"/one", dir+"/two")}
	sink := providertest.NewSink("")
	if err := p.Prepare(t.Context(), providers.ThingRequest{Target: target(t, p, "setup", "command", values)}, sink); err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(string(sink.Data("create-1.stdout")))
	if _, err := os.Stat(filepath.Dir(path)); !filepath.IsAbs(path) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q is still there: %v", path, err)
	}
}
