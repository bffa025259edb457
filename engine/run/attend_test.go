package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/providers/measure"
)

// attending is a test on a setup that takes part in it; what is said of each is filled in.
const attending = `
setup "fake_thing" "under" {}
setup "fake_witness" "array" {
  label = setup.fake_thing.under.id
  load  = "40%%"
  mark  = "rebuild starts"
  %s
}
test "fake" "t" {
  thing  = setup.fake_witness.array.id
  count  = 1
  repeat = 2
  %s
}
`

// TestAttend: what a setup under a test yields is the test's, and without it there is no valid sample.
func TestAttend(t *testing.T) {
	for name, c := range map[string]struct {
		setup, test string
		outcome     measure.Outcome
		reason      string // a part of it
		doubt       string
		load        bool
	}{
		"well":          {"", "", measure.OK, "", "", true},
		"it fails":      {`mode = "fail"`, "", measure.Invalid, "setup.fake_witness.array: exit status 1: failed as the spec asks", "", false},
		"it gives up":   {`mode = "error"`, "", measure.Invalid, "setup.fake_witness.array: fake: setup.fake_witness.array: it gives up as the spec asks", "", false},
		"it ends early": {`mode = "early"`, `duration = "300ms"`, measure.Invalid, "setup.fake_witness.array: it ended before the test did", "", false},
		"it hangs":      {`mode = "hang"`, "", measure.Invalid, "setup.fake_witness.array: it had not ended 2s after the test", "", false},
		"a doubt":       {`doubt = "the clock jumped"`, "", measure.OK, "", "doubt: setup.fake_witness.array: the clock jumped", true},
		"test fails":    {`mode = "fail"`, `mode = "fail"`, measure.Failed, "exit status 1: failed as the spec asks", "", false},
		"tried again":   {"", "mode = \"flaky\"\nretry {\nattempts = 2\n}", measure.OK, "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := carryOut(t, context.Background(), fmt.Sprintf(attending, c.setup, c.test), nil)
			if b.err != nil {
				t.Fatal(b.err)
			}
			d, err := derive.All(context.Background(), b.rec, b.plan, b.set)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Samples) != 2 {
				t.Fatalf("%d samples, want two of the test", len(d.Samples))
			}
			events, err := b.rec.Events()
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events { // the journal says what the samples say
				if e.Event == "sample" && e.Address == "test.fake.t" && (e.Outcome != c.outcome || !strings.Contains(e.Reason, c.reason)) {
					t.Errorf("the journal has %s: %s", e.Outcome, e.Reason)
				}
			}
			marks := 0
			for _, s := range d.Series {
				if s.Address != "test.fake.t" || s.During != "" {
					t.Errorf("a series is of %s during %q", s.Address, s.During)
				}
				marks += len(s.Marks)
			}
			for i, s := range d.Samples {
				if s.Address != "test.fake.t" || s.Outcome != c.outcome || s.Repetition != i+1 || !strings.Contains(s.Reason, c.reason) {
					t.Errorf("sample %d is %s repetition %d: %s, %q; want %s, %q", i, s.Address, s.Repetition, s.Outcome, s.Reason, c.outcome, c.reason)
				}
				said := ""
				for _, w := range s.Warnings {
					said += w.Code + ": " + w.Text
				}
				if said != c.doubt {
					t.Errorf("the warnings are %q, want %q", said, c.doubt)
				}
				if v, has := s.Get("load"); has != c.load || has && v != 0.4 {
					t.Errorf("load is %v, %v", v, has)
				}
			}
			if c.load && marks != 2 {
				t.Errorf("%d marks, want one for each repetition", marks)
			}
		})
	}
}
