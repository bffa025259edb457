package run_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers/measure"
)

// sampleEvents are the sample events by address, of the first repetition.
func (b *bench) sampleEvents() map[string]record.Event {
	out := map[string]record.Event{}
	for _, e := range b.events {
		if e.Event == record.SampleDone && e.Repetition == 1 {
			out[strings.TrimPrefix(e.Address, "test.fake.")] = e
		}
	}
	return out
}

// warned are the tests whose first sample has a warning of that code.
func (b *bench) warned(code string) string {
	b.t.Helper()
	derived, err := derive.All(context.Background(), b.rec, b.plan, b.set)
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, s := range derived.Samples {
		for _, w := range s.Warnings {
			if w.Code == code && s.Repetition == 1 {
				out = append(out, strings.TrimPrefix(s.Address, "test.fake."))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestTogether: none starts before all are ready, what fails is tried again together, and each outcome is its own.
func TestTogether(t *testing.T) {
	const ok, failed, hung, blocked = measure.OK, measure.Failed, measure.DidNotFinish, measure.Blocked
	for _, c := range []struct {
		name, a, b    string // arguments of the leader, and of its companion
		more          string // blocks
		outA, outB    measure.Outcome
		reasonA       string
		reasonB       string
		attempts      int // of both
		runs          string
		didNotOverlap string
	}{
		{name: "both", a: `duration = "2s"`, b: `duration = "2s"`, outA: ok, outB: ok, attempts: 1, runs: "a b"},
		{name: "one is ready later", b: `ready_time = "300ms"`, a: `duration = "1s"`, outA: ok, outB: ok, attempts: 1, runs: "a b", didNotOverlap: "a b"},
		{name: "the other is ready later", a: `ready_time = "300ms"`, b: `duration = "1s"`, outA: ok, outB: ok, attempts: 1, runs: "a b", didNotOverlap: "a b"},
		{name: "waiting is not running", a: "timeout = \"1s\"", b: `ready_time = "1500ms"`, outA: ok, outB: ok, attempts: 1, runs: "a b"},
		{name: "one is never ready", b: `mode = "unready"`, outA: failed, outB: failed, attempts: 1,
			reasonA: "the start was called off, since test.fake.b was not ready: fake: test.fake.b: it fails before it is ready",
			reasonB: "fake: test.fake.b: it fails before it is ready"},
		{name: "the leader is never ready", a: `mode = "unready"`, b: "ready_time = \"10ms\"\ntimeout = \"1min\"", outA: failed, outB: failed, attempts: 1,
			reasonA: "it fails before it is ready",
			reasonB: "the start was called off, since test.fake.a was not ready"},
		{name: "one takes too long to be ready", b: "ready_time = \"1h\"\ntimeout = \"100ms\"", outA: failed, outB: hung, attempts: 1,
			reasonA: "the start was called off, since test.fake.b was not ready: timeout", reasonB: "killed at its timeout of 100ms"},
		{name: "one hangs", b: "mode = \"hang\"\ntimeout = \"500ms\"", outA: ok, outB: hung, attempts: 1, runs: "a b", reasonB: "killed at its timeout", didNotOverlap: "a"},
		{name: "one fails at first", a: "retry {\nattempts = 3\n}", b: `mode = "flaky"`, outA: ok, outB: ok, attempts: 2, runs: "a a b b"},
		{name: "the leader fails", a: "mode = \"fail\"\nretry {\nattempts = 2\n}", outA: failed, outB: ok, attempts: 2, runs: "a a b b", reasonA: "exit status 1"},
		{name: "what one stands on fails", b: `thing = setup.fake_thing.bad.id`, more: "setup \"fake_thing\" \"bad\" {\nfail = \"create\"\n}\n",
			outA: blocked, outB: blocked, reasonA: "setup.fake_thing.bad could not be created", reasonB: "setup.fake_thing.bad could not be created"},
		{name: "what one takes is not there", b: `takes = test.fake.before.left`, more: "test \"fake\" \"before\" {\ncount = 1\nmode = \"fail\"\n}\n",
			outA: blocked, outB: blocked, reasonA: "it starts together with test.fake.b, which is blocked: test.fake.before repetition 1 failed", reasonB: "test.fake.before repetition 1 failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := carryOut(t, context.Background(), "test \"fake\" \"a\" {\ncount = 1\nalongside = [test.fake.b]\n"+c.a+"\n}\n"+
				"test \"fake\" \"b\" {\ncount = 1\n"+c.b+"\n}\n"+c.more, nil)
			if b.err != nil {
				t.Fatal(b.err)
			}
			got := b.sampleEvents()
			one, two := got["a"], got["b"]
			if one.Outcome != c.outA || two.Outcome != c.outB || !strings.Contains(one.Reason, c.reasonA) || !strings.Contains(two.Reason, c.reasonB) ||
				(one.Reason == "") != (c.reasonA == "") || (two.Reason == "") != (c.reasonB == "") {
				t.Errorf("a: %s, %q\nb: %s, %q", one.Outcome, one.Reason, two.Outcome, two.Reason)
			}
			if one.Attempt != c.attempts || two.Attempt != c.attempts {
				t.Errorf("attempts %d and %d, want %d", one.Attempt, two.Attempt, c.attempts)
			}
			var runs []string
			for _, list := range []string{"a", "b"} {
				runs = append(runs, strings.Repeat(list+" ", b.ran("test.fake."+list)))
			}
			if r := strings.TrimSpace(strings.Join(runs, "")); r != c.runs {
				t.Errorf("run were %q, want %q", r, c.runs)
			}
			if (one.Started != nil) != (c.runs != "") || (two.Started != nil) != (c.runs != "") {
				t.Errorf("started at %v and %v", one.Started, two.Started)
			}
			if c.name == "both" && (one.Ended.Before(*two.Started) || two.Ended.Before(*one.Started)) { // the others are over at once
				t.Error("one was over before the other began")
			}
			if c.name != "both" && c.didNotOverlap != "" {
				if w := b.warned("did_not_overlap"); w != c.didNotOverlap {
					t.Errorf("warned are %q, want %q", w, c.didNotOverlap)
				}
			}
		})
	}
}

// ran counts how often the fake world says that a test was run.
func (b *bench) ran(address string) int {
	n := 0
	for _, line := range strings.Split(b.worldLog(), "\n") {
		if strings.HasPrefix(line, "run "+address+" ") {
			n++
		}
	}
	return n
}

// TestStartsTogether: the one that is ready at once waits for the other.
func TestStartsTogether(t *testing.T) {
	b := carryOut(t, context.Background(), `
test "fake" "a" {
  count     = 1
  repeat    = 2
  alongside = [test.fake.b, test.fake.c]
}
test "fake" "b" {
  count      = 1
  ready_time = "200ms"
}
test "fake" "c" {
  count = 1
}
`, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	intent := map[int]time.Time{}
	starts := 0
	for _, e := range b.events {
		if e.Event == record.Intent && e.Address == "test.fake.b" {
			intent[e.Repetition] = e.Time
		}
		if e.Event == record.SampleDone {
			starts++
			if d := e.Started.Sub(intent[e.Repetition]); d < 200*time.Millisecond {
				t.Errorf("%s repetition %d started %v after the intent, before all were ready", e.Address, e.Repetition, d)
			}
		}
	}
	if starts != 6 {
		t.Errorf("%d samples, want 6", starts)
	}
}

// TestCancelTogether: where one was interrupted, none has a sample, since all run again.
func TestCancelTogether(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	b := carryOut(t, ctx, `
setup "fake_thing" "s" {
}
test "fake" "a" {
  thing     = setup.fake_thing.s.id
  count     = 1
  repeat    = 3
  alongside = [test.fake.b]
}
test "fake" "b" {
  count    = 1
  duration = "100ms"
}
`, func(e record.Event) {
		if e.Event == record.Intent && e.Repetition == 2 && e.Address == "test.fake.b" {
			cancel(run.ErrInterrupted)
		}
	})
	if !errors.Is(b.err, run.ErrInterrupted) {
		t.Fatal(b.err)
	}
	want(t, b.outcomes(), map[string]measure.Outcome{"test.fake.a#1": measure.OK, "test.fake.b#1": measure.OK})
	if n := len(b.standing()); n != 0 {
		t.Errorf("%d things still stand", n)
	}
}

func (b *bench) worldLog() string {
	raw, err := os.ReadFile(filepath.Join(b.dir, ".assay", "fake", "world.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(raw)
}
