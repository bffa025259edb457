package run_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/all"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// bench carries out a spec on the fake provider.
type bench struct {
	t      *testing.T
	dir    string
	set    *providers.Set
	plan   *plan.Plan
	rec    *record.Record
	err    error
	events []record.Event
}

func carryOut(t *testing.T, ctx context.Context, spec string, watch func(record.Event)) *bench {
	t.Helper()
	return carryOutWith(t, ctx, all.Builtin(host.Dial), spec, watch)
}

// carryOutWith carries out a spec on other providers.
func carryOutWith(t *testing.T, ctx context.Context, with []providers.Provider, spec string, watch func(record.Event)) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir()}
	var err error
	if b.set, err = providers.NewSet(ctx, b.dir, with...); err != nil {
		t.Fatal(err)
	}
	src := map[string][]byte{"main.assay.hcl": []byte(spec)}
	built, diags, err := plan.Build(context.Background(), b.set, plan.Request{Sources: src, Path: "."})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	b.plan = built.Plan
	raw, err := plan.Encode(b.plan)
	if err != nil {
		t.Fatal(err)
	}
	if b.rec, err = record.Create(filepath.Join(b.dir, "runs"), time.Now(), raw, src); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	b.err = run.Run(ctx, run.Options{
		Plan: b.plan, Configs: built.Configs, Set: b.set, Record: b.rec, Dial: host.Dial, WatchGrace: 2 * time.Second,
		Emit: func(e record.Event) {
			mu.Lock()
			defer mu.Unlock()
			if watch != nil {
				watch(e)
			}
		},
	})
	if b.events, err = b.rec.Events(); err != nil {
		t.Fatal(err)
	}
	b.invariants()
	return b
}

// invariants hold in every journal.
func (b *bench) invariants() {
	b.t.Helper()
	intents, samples := map[string]int{}, map[string]int{}
	for i, e := range b.events {
		key := fmt.Sprint(e.Step, e.Action, e.Attempt)
		switch e.Event {
		case record.Intent:
			intents[key]++
		case record.Done, record.FailedStep:
			if intents[key] != 1 {
				b.t.Errorf("event %d: %s of %s attempt %d without an intent before it", i+1, e.Event, e.Address, e.Attempt)
			}
		case record.SampleDone:
			if samples[e.Step]++; samples[e.Step] > 1 {
				b.t.Errorf("event %d: a second sample of %s repetition %d", i+1, e.Address, e.Repetition)
			}
		}
	}
	if n := len(b.events); b.events[0].Event != record.Begin || b.events[n-1].Event != record.End {
		b.t.Errorf("the journal goes from %s to %s", b.events[0].Event, b.events[n-1].Event)
	}
	if _, diffs, err := b.rec.Verify(); err != nil || len(diffs) > 0 {
		b.t.Errorf("the record is not sealed: %v %v", diffs, err)
	}
}

// outcomes of all samples: address#repetition → outcome.
func (b *bench) outcomes() map[string]measure.Outcome {
	b.t.Helper()
	derived, err := derive.All(context.Background(), b.rec, b.plan, b.set)
	if err != nil {
		b.t.Fatal(err)
	}
	out := map[string]measure.Outcome{}
	for _, s := range derived.Samples {
		out[fmt.Sprintf("%s#%d", s.Address, s.Repetition)] = s.Outcome
	}
	return out
}

// standing lists the things that the fake world still has.
func (b *bench) standing() []string {
	files, err := filepath.Glob(filepath.Join(b.dir, ".assay", "fake", "*.json"))
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

func (b *bench) has(kind record.Kind, text string) bool {
	for _, e := range b.events {
		if e.Event == kind && strings.Contains(e.Address+" "+e.Reason, text) {
			return true
		}
	}
	return false
}

func want[K comparable, V comparable](t *testing.T, got map[K]V, want map[K]V) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%v is %v, want %v", k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d results, want %d: %v", len(got), len(want), got)
	}
}

func TestOutcomes(t *testing.T) {
	b := carryOut(t, context.Background(), `
setup "fake_thing" "good" {
  label = "good"
}
setup "fake_thing" "bad" {
  label = "bad"
  fail  = "create"
  retry {
    attempts = 2
  }
}
setup "fake_thing" "on_bad" {
  label = setup.fake_thing.bad.id
}
test "fake" "fine" {
  thing  = setup.fake_thing.good.id
  count  = 1
  repeat = 2
}
test "fake" "needs_bad" {
  thing = setup.fake_thing.on_bad.id
  count = 1
}
test "fake" "hangs" {
  count   = 1
  mode    = "hang"
  timeout = "100ms"
  retry {
    attempts = 2
    backoff  = "10ms"
  }
}
test "fake" "flaky" {
  count = 1
  mode  = "flaky"
  retry {
    attempts = 3
  }
}
test "fake" "once" {
  count = 1
  mode  = "flaky"
}
`, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	want(t, b.outcomes(), map[string]measure.Outcome{
		"test.fake.fine#1": measure.OK, "test.fake.fine#2": measure.OK,
		"test.fake.needs_bad#1": measure.Blocked, "test.fake.hangs#1": measure.DidNotFinish,
		"test.fake.flaky#1": measure.OK, "test.fake.once#1": measure.Failed,
	})
	if n := len(b.standing()); n != 0 {
		t.Errorf("%d things still stand", n)
	}
	if !b.has(record.Blocked, "setup.fake_thing.on_bad") {
		t.Error("what stands on a thing that could not be made was not blocked")
	}
	creates := 0
	for _, e := range b.events {
		if e.Event == record.Intent && e.Action == "create" && e.Address == "setup.fake_thing.bad" {
			creates++
		}
	}
	if creates != 2 {
		t.Errorf("%d attempts to create, want 2", creates)
	}
}

// TestQuarantine: a thing that cannot be removed blocks what claims the same, and discards no result.
func TestQuarantine(t *testing.T) {
	b := carryOut(t, context.Background(), `
matrix {
  axis "n" {
    values = ["1", "2"]
  }
}
setup "fake_thing" "stuck" {
  label  = matrix.n
  claims = ["disk"]
  fail   = matrix.n == "1" ? "destroy" : null
}
test "fake" "t" {
  thing = setup.fake_thing.stuck.id
  count = 1
}
test "fake" "free" {
  count = 1
}
`, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	want(t, b.outcomes(), map[string]measure.Outcome{
		"test.fake.t[n=1]#1": measure.OK, "test.fake.t[n=2]#1": measure.Blocked, "test.fake.free#1": measure.OK,
	})
	if !b.has(record.Quarantine, "setup.fake_thing.stuck[n=1]") {
		t.Error("there is no quarantine event")
	}
	if b.has(record.Intent, "setup.fake_thing.stuck[n=2]") {
		t.Error("what claims the same was touched")
	}
	if n := len(b.standing()); n != 1 {
		t.Errorf("%d things stand, want the stuck one", n)
	}
}

// TestCancel: the tool is ended, what stands is taken away, finished samples are kept, the interrupted one has none.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	b := carryOut(t, ctx, `
setup "fake_thing" "a" {
  label = "a"
}
test "fake" "t" {
  thing    = setup.fake_thing.a.id
  count    = 1
  duration = "200ms"
  repeat   = 1000
}
`, func(e record.Event) {
		if e.Event == record.Intent && e.Repetition == 3 {
			cancel(run.ErrInterrupted)
		}
	})
	if !errors.Is(b.err, run.ErrInterrupted) {
		t.Fatal(b.err)
	}
	got := b.outcomes()
	if len(got) != 2 {
		t.Errorf("%d samples are kept, want 2", len(got))
	}
	if n := len(b.standing()); n != 0 {
		t.Errorf("%d things still stand", n)
	}
}

// TestBegin: what is wrong with the machine is found before the first step.
func TestBegin(t *testing.T) {
	for _, c := range []struct{ name, spec, want string }{
		{"memory", `
hardware "server" {
  memory = "1PiB"
}
test "fake" "t" {
  count = 1
}
`, `hardware "server" declares 1024 TiB of memory`},
		{"host", `
hardware "server" {
  hosts = ["ssh://root@127.0.0.1:1"]
}
test "fake" "t" {
  count = 1
}
`, "host ssh://root@127.0.0.1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := carryOut(t, context.Background(), c.spec, nil)
			if b.err == nil || !strings.Contains(b.err.Error(), c.want) {
				t.Errorf("error %v, want %s", b.err, c.want)
			}
			if b.has(record.Intent, "") {
				t.Error("something was done")
			}
		})
	}
}

// TestMissingTool: a tool that is not there is an error before the first step.
func TestMissingTool(t *testing.T) {
	dir := t.TempDir()
	_, err := run.Facts(context.Background(), &plan.Plan{
		Hosts: []string{""},
		Tests: []plan.Test{{Address: "test.fio.x", Type: "fio", Hosts: []string{""}}},
	}, noTools(t, dir), host.Dial)
	if err == nil || !strings.Contains(err.Error(), "assay-no-such-tool is not installed on this machine, and test.fio.x needs it") {
		t.Fatalf("error %v", err)
	}
}
