package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// TestRounds: how many rounds there are, and what becomes of the repetition.
func TestRounds(t *testing.T) {
	test := func(body, steady string) string {
		return fmt.Sprintf("test \"fake\" \"t\" {\nthroughput = \"100MB/s\"\n%s\nsteady_state {\nmeasure = \"throughput\"\n%s\n}\n}\n", body, steady)
	}
	for _, c := range []struct {
		name, spec string
		outcome    string
		reason     string
		rounds     int // that the record has, of the attempt that counts
		attempt    int
	}{
		{"steady at once", test("", ""), "ok", "", 5, 1},
		{"a smaller window", test("", "window = 2"), "ok", "", 2, 1},
		// 200, 150, 125, 112.5, 106.25, 103.1, 101.6, 100.8, 100.4: the range of five is within 20 % from the fourth on, their trend within 10 % from the fifth on.
		{"after a drift", test("drift = \"100%\"", ""), "ok", "", 9, 1},
		{"by the range alone", test("drift = \"100%\"", "slope = \"100%\""), "ok", "", 8, 1},
		{"never", test("noise = \"80%\"", "max_rounds = 6"), "invalid", "not_steady: after 6 rounds the last 5 of throughput range over", 6, 1},
		{"in the last that there may be", test("drift = \"100%\"", "max_rounds = 9"), "ok", "", 9, 1},
		{"one too few", test("drift = \"100%\"", "max_rounds = 8"), "invalid", "(at most 20 %), and fall by 10.7", 8, 1},
		{"the first attempt fails", test("mode = \"flaky\"\nretry {\nattempts = 2\n}", ""), "ok", "", 5, 2},
		{"fails", test("mode = \"fail\"", ""), "failed", "round 1: exit status 1", 1, 1},
		{"garbage", test("mode = \"garbage\"", ""), "failed", "round 1: the output begins with", 1, 1},
		{"hangs", test("mode = \"hang\"\ntimeout = \"20ms\"", ""), "did_not_finish", "killed at its timeout of 20ms", 1, 1},
		{"the timeout is for all rounds", test("duration = \"20s\"\ntimeout = \"30ms\"", ""), "did_not_finish", "timeout of 30ms", 1, 1},
		{"hosts", test("hosts = [\"a\", \"b\"]\ndrift = \"100%\"", ""), "ok", "", 9, 1},
		{"without the measure", strings.Replace(test("latency = \"1ms\"", ""), "throughput = \"100MB/s\"\n", "", 1), "failed", "round 1: the output lacks throughput", 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := carryOut(t, context.Background(), c.spec, nil)
			samples := b.samples()
			if b.err != nil || len(samples) != 1 {
				t.Fatal(b.err, samples)
			}
			s := samples[0]
			if string(s.Outcome) != c.outcome || !strings.Contains(s.Reason, c.reason) || s.Attempt != c.attempt {
				t.Errorf("%s, attempt %d: %s", s.Outcome, s.Attempt, s.Reason)
			}
			dir := filepath.Join(b.rec.Dir, record.AttemptName("s1", c.attempt))
			files, _ := filepath.Glob(filepath.Join(dir, "r*-fake.stdout"))
			if len(files) != c.rounds {
				t.Errorf("the record has %d rounds, want %d", len(files), c.rounds)
			}
			if c.outcome != "ok" && c.outcome != "invalid" {
				return
			}
			window := 0
			for i, r := range s.Rounds {
				if r.Number != i+1 {
					t.Errorf("round %d is number %d", i+1, r.Number)
				}
				if r.Window {
					window++
				}
			}
			if len(s.Rounds) != c.rounds || window == 0 || (len(s.Values) > 0) != (c.outcome == "ok") {
				t.Errorf("%d rounds, %d in the window, values %v", len(s.Rounds), window, s.Values)
			}
		})
	}
}

// TestRoundsInterrupted: an interrupted repetition has no sample, and its rounds so far are in the record.
func TestRoundsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	told := ""
	b := carryOut(t, ctx, `
test "fake" "t" {
  throughput = "100MB/s"
  drift      = "1000%"
  steady_state {
    measure = "throughput"
    window  = 2
  }
}`, func(e record.Event) {
		if e.Event == record.Progress && strings.HasPrefix(e.Text, "round 3 of at most 25: ") {
			told = e.Text
			stop(run.ErrInterrupted)
		}
	})
	if !errors.Is(b.err, run.ErrInterrupted) || len(b.samples()) > 0 {
		t.Errorf("%v, samples %v", b.err, b.samples())
	}
	if !strings.Contains(told, "the last 2 of throughput range over ") || !strings.Contains(told, " (at most 20 %), and fall by ") {
		t.Errorf("progress said %q", told)
	}
	if _, err := os.Stat(filepath.Join(b.rec.Dir, record.AttemptName("s1", 1), "r03-fake.stdout")); err != nil {
		t.Error(err)
	}
}

// TestCooldown: it is waited after what was measured is recorded, and an interrupt ends it.
func TestCooldown(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	began := time.Now()
	b := carryOut(t, ctx, `
test "fake" "t" {
  count    = 1
  repeat   = 2
  cooldown = "10h"
}`, func(e record.Event) {
		if e.Event == record.Progress && e.Text == "cooling down for 10h" {
			stop(run.ErrInterrupted)
		}
	})
	if !errors.Is(b.err, run.ErrInterrupted) || len(b.samples()) != 1 {
		t.Errorf("%v, samples %v", b.err, b.samples())
	}
	if d := time.Since(began); d > time.Hour {
		t.Errorf("it took %v", d)
	}
}

// samples are those that are derived from the record.
func (b *bench) samples() []measure.Sample {
	b.t.Helper()
	derived, err := derive.All(context.Background(), b.rec, b.plan, b.set)
	if err != nil {
		b.t.Fatal(err)
	}
	return derived.Samples
}

// TestRoundsLost: where the record has fewer rounds than it takes, there is no sample.
func TestRoundsLost(t *testing.T) {
	b := carryOut(t, context.Background(), "test \"fake\" \"t\" {\ncount = 1\nsteady_state {\nmeasure = \"count\"\n}\n}\n", nil)
	dir := filepath.Join(b.rec.Dir, record.AttemptName("s1", 1))
	_, exits, err := b.rec.Artifacts("s1", 1)
	if err != nil || len(exits) != 5 {
		t.Fatal(err, exits)
	}
	raw, err := json.Marshal(exits[:4])
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "exits.json"), raw, 0o644))
	for _, f := range []string{"r05-fake.stdout", "r05-fake.stderr"} {
		err = errors.Join(err, os.Remove(filepath.Join(dir, f)))
	}
	if err != nil {
		t.Fatal(err)
	}
	s := b.samples()[0]
	if s.Outcome != measure.Failed || s.Reason != "there are 4 rounds of the 5 that it takes" || len(s.Rounds) != 4 {
		t.Errorf("%s: %s, %d rounds", s.Outcome, s.Reason, len(s.Rounds))
	}
}
