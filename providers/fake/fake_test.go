package fake_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
)

// configured makes a provider whose world is below dir.
func configured(t testing.TB, dir string) providers.Provider {
	t.Helper()
	p := fake.New()
	if err := p.Configure(context.Background(), providers.ConfigureRequest{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return p
}

// target is setup.fake_thing.NAME or test.fake.NAME.
func target(t testing.TB, kind, name string, values map[string]any) providers.Target {
	t.Helper()
	s, err := fake.New().Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	typ := s.Types(kind)[0]
	return providers.Target{
		Kind: kind, Type: typ.Name,
		Address: addr.Instance{Block: addr.Block{Kind: kind, Type: typ.Name, Name: name}},
		Config:  providertest.Config(t, typ.Body, values),
	}
}

// thing plans a thing.
func thing(t testing.TB, p providers.Provider, name string, values map[string]any) providers.ThingRequest {
	t.Helper()
	tg := target(t, "setup", name, values)
	res, err := p.Plan(context.Background(), providers.PlanRequest{Target: tg})
	if err != nil {
		t.Fatal(err)
	}
	return providers.ThingRequest{Target: tg, Outputs: res.Outputs, Addresses: []string{tg.Address.String()}}
}

// interrupted leaves a thing partial: its creation takes an hour, and is cancelled when its file is there.
func interrupted(t testing.TB, p providers.Provider, req providers.ThingRequest) {
	long := map[string]string{"setup": "create_time", "dataset": "load_time"}[req.Kind]
	req.Config = target(t, req.Kind, req.Address.Name, map[string]any{long: "1h"}).Config
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Prepare(ctx, req, providertest.NewSink("")) }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		res, err := p.Inspect(ctx, req)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the creation does not begin: %v", err)
		}
		if res.Standing != providers.Absent {
			break
		}
	}
	cancel()
	if err := <-done; err == nil {
		t.Fatalf("a cancelled creation gives no error")
	}
}

// worldLog reads the world's log.
func worldLog(t testing.TB, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ".assay", "fake", "world.log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// steps is a small play: what is done to a world, what comes of it, and what the world's log says at the end.
func TestWorld(t *testing.T) {
	a := map[string]any{"claims": []string{"disk:S0001", "x"}}
	b := map[string]any{"claims": []string{"disk:S0001"}}
	off := map[string]any{"slot": "cache", "state": "off", "claims": []string{"x"}}
	on := map[string]any{"slot": "cache", "state": "on", "claims": []string{"x"}}
	failing := map[string]any{"slot": "cache", "state": "on", "fail": "switch"}
	type step struct {
		do     string // create, switch FROM, destroy, interrupt (a creation), abandon (a destruction)
		name   string
		values map[string]any
		err    string             // part of the error; empty: none
		then   providers.Standing // state of the thing afterwards
	}
	for name, c := range map[string]struct {
		steps []step
		log   []string
	}{
		"create twice, destroy twice": {
			[]step{
				{"create", "a", a, "", providers.Stands}, {"create", "a", a, "", providers.Stands},
				{"destroy", "a", a, "", providers.Absent}, {"destroy", "a", a, "", providers.Absent},
			},
			[]string{"create A setup.fake_thing.a", "created A", "destroy A", "destroyed A"},
		},
		"a claim is exclusive": {
			[]step{
				{"create", "a", a, "", providers.Stands},
				{"create", "b", b, `"disk:S0001" is claimed by A (setup.fake_thing.a), which is still standing`, providers.Absent},
				{"destroy", "a", a, "", providers.Absent},
				{"create", "b", b, "", providers.Stands},
			},
			[]string{"create A setup.fake_thing.a", "created A", "destroy A", "destroyed A", "create B setup.fake_thing.b", "created B"},
		},
		"a partial thing holds its claims": {
			[]step{
				{"create", "a", map[string]any{"claims": []string{"x"}, "fail": "create"}, `fail = "create"`, providers.Partial},
				{"create", "b", map[string]any{"claims": []string{"x"}}, "which is still partial", providers.Absent},
				{"destroy", "a", map[string]any{"fail": "create"}, "", providers.Absent},
				{"create", "b", map[string]any{"claims": []string{"x"}}, "", providers.Stands},
			},
			[]string{"create A setup.fake_thing.a", "create failed A", "destroy A", "destroyed A", "create B setup.fake_thing.b", "created B"},
		},
		"things without common claims stand side by side": {
			[]step{{"create", "a", a, "", providers.Stands}, {"create", "b", map[string]any{"claims": []string{"y"}}, "", providers.Stands}},
			[]string{"create A setup.fake_thing.a", "created A", "create B setup.fake_thing.b", "created B"},
		},
		"a destruction that fails leaves it standing": {
			[]step{
				{"create", "a", map[string]any{"fail": "destroy"}, "", providers.Stands},
				{"destroy", "a", map[string]any{"fail": "destroy"}, `fail = "destroy"`, providers.Stands},
				{"destroy", "a", nil, "", providers.Absent},
			},
			[]string{"create A setup.fake_thing.a", "created A", "destroy failed A", "destroy A", "destroyed A"},
		},
		"an interrupted creation can be completed": {
			[]step{{"interrupt", "a", nil, "", providers.Partial}, {"create", "a", nil, "", providers.Stands}},
			[]string{"create A setup.fake_thing.a", "create A setup.fake_thing.a", "created A"},
		},
		"an abandoned destruction leaves it partial": {
			[]step{
				{"create", "a", nil, "", providers.Stands}, {"abandon", "a", nil, "context canceled", providers.Partial},
				{"destroy", "a", nil, "", providers.Absent},
			},
			[]string{"create A setup.fake_thing.a", "created A", "destroy A", "destroy A", "destroyed A"},
		},
		"a slot is switched": {
			[]step{
				{"create", "a", off, "", providers.Stands},
				{"create", "b", on, `"cache" is claimed by A`, providers.Absent},
				{"switch off", "b", on, "", providers.Stands},
				{"destroy", "a", off, "", providers.Absent},
				{"destroy", "b", on, "", providers.Absent},
			},
			[]string{"create A setup.fake_thing.a", "created A", "switch B off on", "switched B", "destroy B", "destroyed B"},
		},
		"a switch that fails leaves nothing of the state before": {
			[]step{
				{"create", "a", off, "", providers.Stands},
				{"switch off", "b", failing, `fail = "switch"`, providers.Partial},
				{"create", "a", off, `"cache" is claimed by B`, providers.Absent},
				{"switch off", "b", on, "", providers.Stands},
			},
			[]string{"create A setup.fake_thing.a", "created A", "switch B off on", "switch failed B", "switch B off on", "switched B"},
		},
		"a switch needs the state that it comes from": {
			[]step{{"create", "a", off, "", providers.Stands}, {"switch full", "b", on, `nothing stands in slot "cache" in state "full"`, providers.Absent}},
			[]string{"create A setup.fake_thing.a", "created A"},
		},
		"a thing whose label changed is made anew": {
			[]step{{"create", "a", map[string]any{"label": "old"}, "", providers.Stands}, {"create", "a", map[string]any{"label": "new"}, "", providers.Stands}},
			[]string{"create A setup.fake_thing.a", "created A", "create A setup.fake_thing.a", "created A"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := configured(t, dir)
			ids := strings.NewReplacer(
				thing(t, p, "a", nil).Outputs.GetAttr("id").AsString(), "A", thing(t, p, "b", nil).Outputs.GetAttr("id").AsString(), "B")
			for i, s := range c.steps {
				req := thing(t, p, s.name, s.values)
				var err error
				switch s.do {
				case "create":
					err = p.Prepare(context.Background(), req, providertest.NewSink(""))
				case "switch off", "switch full":
					req.From = strings.TrimPrefix(s.do, "switch ")
					err = p.Prepare(context.Background(), req, providertest.NewSink(""))
				case "destroy":
					err = p.Release(context.Background(), req, providertest.NewSink(""))
				case "abandon":
					ctx, cancel := context.WithCancel(context.Background())
					cancel()
					err = p.Release(ctx, req, providertest.NewSink(""))
				case "interrupt":
					interrupted(t, p, req)
				}
				if (err == nil) != (s.err == "") || err != nil && !strings.Contains(ids.Replace(err.Error()), s.err) {
					t.Fatalf("step %d, %s %s: error %v, want %q", i+1, s.do, s.name, err, s.err)
				}
				got, err := p.Inspect(context.Background(), req)
				if state, _ := s.values["state"].(string); err == nil && got.Standing == providers.Stands && got.State != state {
					t.Fatalf("step %d, %s %s: it is in state %q", i+1, s.do, s.name, got.State)
				}
				if err != nil || got.Standing != s.then {
					t.Fatalf("step %d, %s %s: it is %+v, %v; want %s", i+1, s.do, s.name, got, err, s.then)
				}
			}
			var log []string
			for _, line := range worldLog(t, dir) {
				log = append(log, ids.Replace(line))
			}
			if diff := cmp.Diff(c.log, log); diff != "" {
				t.Errorf("world.log (-want +got):\n%s", diff)
			}
		})
	}
}

// A file that assay did not write is neither used nor touched.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	p := configured(t, dir)
	req := thing(t, p, "a", nil)
	path := filepath.Join(dir, ".assay", "fake", req.Outputs.GetAttr("id").AsString()+".json")
	for _, content := range []string{"", "not JSON", `{"mark": "somebody", "id": "a"}`} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Inspect(context.Background(), req); err != nil || got.Standing != providers.Foreign || got.Detail == "" {
			t.Errorf("%q: Inspect: %+v, %v", content, got, err)
		}
		if err := p.Prepare(context.Background(), req, providertest.NewSink("")); err == nil {
			t.Errorf("%q: Prepare overwrites it", content)
		}
		if err := p.Release(context.Background(), req, providertest.NewSink("")); err == nil {
			t.Errorf("%q: Release says that it is gone", content)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%q: it was touched: %q, %v", content, got, err)
		}
	}
}

// Equal things stand once; a test finds the thing by the id that any of its addresses was promised.
func TestSharedThing(t *testing.T) {
	dir := t.TempDir()
	p := configured(t, dir)
	a, b := thing(t, p, "a", nil), thing(t, p, "b", nil)
	a.Addresses = append(a.Addresses, b.Address.String())
	if err := p.Prepare(context.Background(), a, providertest.NewSink("")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		req := thing(t, p, id, nil)
		tg := target(t, "test", "t", map[string]any{"count": 1, "thing": req.Outputs.GetAttr("id")})
		if s, _ := run(t, p, providers.MeasureRequest{Target: tg, Repetition: 1, Attempt: 1}); s.Outcome != measure.OK {
			t.Errorf("on the id of %s: %s: %s", id, s.Outcome, s.Reason)
		}
	}
}

// Worlds do not see each other, and a name that leads elsewhere is refused.
func TestWorlds(t *testing.T) {
	dir := t.TempDir()
	with := func(world string) (providers.Provider, error) {
		p := fake.New()
		s, err := p.Schema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p, p.Configure(t.Context(), providers.ConfigureRequest{Dir: dir, Config: providertest.Config(t, s.Config, map[string]any{"world": world})})
	}
	a, err := with("a")
	if err != nil {
		t.Fatal(err)
	}
	b, err := with("b")
	if err != nil {
		t.Fatal(err)
	}
	req := thing(t, a, "n", map[string]any{"claims": []string{"disk:S1"}})
	if err := a.Prepare(t.Context(), req, providertest.NewSink("")); err != nil {
		t.Fatal(err)
	}
	if res, err := b.Inspect(t.Context(), req); err != nil || res.Standing != providers.Absent {
		t.Errorf("the other world has it: %v %v", res, err)
	}
	other := thing(t, b, "m", map[string]any{"claims": []string{"disk:S1"}})
	if err := b.Prepare(t.Context(), other, providertest.NewSink("")); err != nil {
		t.Errorf("a claim of another world: %v", err)
	}
	id := req.Outputs.GetAttr("id").AsString()
	if _, err := os.Stat(filepath.Join(dir, ".assay", "fake", "a", id+".json")); err != nil {
		t.Error(err)
	}
	res, err := a.Plan(t.Context(), providers.PlanRequest{Target: req.Target, Offline: true})
	if err != nil || res.Commands[0].Manual != "write .assay/fake/a/"+id+".json" {
		t.Errorf("planned %+v, %v", res.Commands, err)
	}
	for _, world := range []string{"..", "a/b", "世界", "x.json"} {
		_, err := with(world)
		var refused *providers.Refused
		if !errors.As(err, &refused) || refused.Problems[0].Attribute != "world" || !strings.Contains(err.Error(), world) {
			t.Errorf("%q: %v", world, err)
		}
	}
}
