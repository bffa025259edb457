package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers/measure"
)

// watching is a test under a monitor; what is said of each is filled in.
const watching = `
setup "fake_thing" "agent" {}
test "fake" "t" {
  count  = 1
  repeat = 2
  %s
}
monitor "fake" "io" {
  during = test.fake.t
  thing  = setup.fake_thing.agent.id
  load   = "40%%"
  mark   = "rebuild starts"
  %s
}
`

// TestWatch: a monitor has a sample for each repetition, and whatever becomes of it the test has its own.
func TestWatch(t *testing.T) {
	const ok = measure.OK
	for name, c := range map[string]struct {
		test, monitor string
		outcome       measure.Outcome
		watched       measure.Outcome
		reason        string // of the monitor's sample, a part of it
		doubt         string // of the test's sample, a part of it
	}{
		"both well":          {"", "", ok, ok, "", ""},
		"monitor fails":      {"", `mode = "fail"`, ok, measure.Failed, "exit status 1: failed as the spec asks", "monitor.fake.io: exit status 1"},
		"monitor gives up":   {"", `mode = "error"`, ok, measure.Failed, "it gives up as the spec asks", "monitor_failed: monitor.fake.io: fake: monitor.fake.io: it gives up"},
		"monitor ends early": {"duration = \"300ms\"", `mode = "early"`, ok, measure.Failed, "it ended before the test did", "monitor_failed"},
		"monitor hangs":      {"", `mode = "hang"`, ok, measure.Failed, "it had not ended 2s after the test, and was left behind", "left behind"},
		"monitor at its timeout": {"duration = \"400ms\"", `timeout = "50ms"`, ok, measure.DidNotFinish,
			"ended at its timeout of 50ms, before the test was over", "monitor_failed"},
		"a doubt":      {"", `doubt = "the clock jumped"`, ok, ok, "", "doubt: monitor.fake.io: the clock jumped"},
		"test fails":   {`mode = "fail"`, "", measure.Failed, measure.Failed, "test.fake.t: exit status 1", ""},
		"test hangs":   {"mode = \"hang\"\ntimeout = \"100ms\"", "", measure.DidNotFinish, measure.DidNotFinish, "test.fake.t: killed at its timeout", ""},
		"tried again":  {"mode = \"flaky\"\nretry {\nattempts = 2\n}", "", ok, ok, "", ""},
		"test blocked": {"thing = setup.fake_thing.broken.id\n}\nsetup \"fake_thing\" \"broken\" {\nfail = \"create\"", "", measure.Blocked, measure.Blocked, "test.fake.t: setup.fake_thing.broken could not be created", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := carryOut(t, context.Background(), fmt.Sprintf(watching, c.test, c.monitor), nil)
			if b.err != nil {
				t.Fatal(b.err)
			}
			d, err := derive.All(context.Background(), b.rec, b.plan, b.set)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Samples) != 4 {
				t.Fatalf("%d samples, want two of the test, each followed by one of the monitor", len(d.Samples))
			}
			for i, s := range d.Samples {
				address, outcome, reason, doubt, during := "test.fake.t", c.outcome, "", c.doubt, ""
				if i%2 == 1 {
					address, outcome, reason, doubt, during = "monitor.fake.io", c.watched, c.reason, "", "test.fake.t"
					if strings.HasPrefix(c.doubt, "doubt: ") { // its own, of which the test is told
						doubt = "doubt: the clock jumped"
					}
				}
				if s.Address != address || s.Outcome != outcome || s.Repetition != i/2+1 || s.During != during || reason != "" && !strings.Contains(s.Reason, reason) {
					t.Errorf("sample %d is %s repetition %d during %q: %s, %q; want %s, %q", i, s.Address, s.Repetition, s.During, s.Outcome, s.Reason, outcome, reason)
				}
				said := ""
				for _, w := range s.Warnings {
					said += w.Code + ": " + w.Text
				}
				if (said == "") != (doubt == "") || !strings.Contains(said, doubt) {
					t.Errorf("the warnings of %s are %q, want %q", s.Address, said, doubt)
				}
				if v, has := s.Get("load"); i%2 == 1 && (has != (outcome == ok) || has && v != 0.4) {
					t.Errorf("the monitor's figure is %v, %v", v, has)
				}
			}
		})
	}
}

// TestWatchedSteps: the events of a monitor bear the id of its watch, come before the sample of the test, and know when the test began;
// its things stand for the test, and its series begin with the test.
func TestWatchedSteps(t *testing.T) {
	b := carryOut(t, context.Background(), fmt.Sprintf(watching, "", ""), nil)
	var told []string
	for _, e := range b.events {
		if e.Event == record.SampleDone {
			told = append(told, fmt.Sprintf("%s %s %s %v", e.Step, e.Action, e.Address, e.Started != nil && e.Parsed))
		}
	}
	const want = "s2-monitor-io observe monitor.fake.io true, s2 run test.fake.t true, s3-monitor-io observe monitor.fake.io true, s3 run test.fake.t true"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("the journal tells\n%s, want\n%s", got, want)
	}
	if len(b.plan.Tests[0].Things) != 1 || b.plan.Tests[0].Things[0] != b.plan.Things[0].ID {
		t.Errorf("the test stands on %v", b.plan.Tests[0].Things)
	}
	d, err := derive.All(context.Background(), b.rec, b.plan, b.set)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Series) != 4 { // of each repetition the load, and the mark
		t.Fatalf("%d series", len(d.Series))
	}
	for i, s := range d.Series {
		if s.Address != "monitor.fake.io" || s.During != "test.fake.t" || s.Repetition != i/2+1 {
			t.Errorf("series %d is of %s during %s, repetition %d", i, s.Address, s.During, s.Repetition)
		}
	}
	if d.Series[1].Marks[0].Text != "rebuild starts" || len(d.Series[0].Points) != 5 {
		t.Errorf("%+v", d.Series[:2])
	}
}

// TestCancelWatched: an interrupted repetition has no sample, nor has its monitor.
func TestCancelWatched(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	b := carryOut(t, ctx, fmt.Sprintf(watching, `mode = "hang"`, ""), func(e record.Event) {
		if e.Event == record.Progress && e.Action == "run" {
			cancel(run.ErrInterrupted)
		}
	})
	if got := b.outcomes(); len(got) != 0 {
		t.Errorf("samples %v, want none", got)
	}
	if left := b.standing(); len(left) > 0 {
		t.Errorf("%v stand at the end", left)
	}
}

// TestContext: a monitor without during watches every test on its hosts, at the test's coordinates.
func TestContext(t *testing.T) {
	b := carryOut(t, context.Background(), `
matrix {
  axis "a" {
    values = ["x", "y"]
  }
}
test "fake" "t" {
  count = matrix.a == "x" ? 1 : 2
}
test "fake" "u" {
  count = 1
}
monitor "fake" "机器" {
  load  = "40%"
  doubt = "busy"
}
`, nil)
	d, err := derive.All(context.Background(), b.rec, b.plan, b.set)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range d.Samples {
		got = append(got, fmt.Sprint(s.Address, s.Coordinates, " during ", s.During, len(s.Warnings)))
	}
	want := []string{
		"test.fake.t[a=x]a=x during 1", "monitor.fake.机器a=x during test.fake.t[a=x]1", "test.fake.t[a=y]a=y during 1", "monitor.fake.机器a=y during test.fake.t[a=y]1",
		"test.fake.u during 1", "monitor.fake.机器 during test.fake.u1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("samples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if id := b.plan.Steps[0].Watches[0].ID; id != "s1-monitor-__" {
		t.Errorf("the id is %s", id)
	}
}
