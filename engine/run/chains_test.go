package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers/measure"
)

const backupAndRestore = `
spec {
  rounds = 2
}
test "fake" "restore" {
  takes  = test.fake.backup.left
  count  = 1
  repeat = 2
}
test "fake" "check" {
  takes = test.fake.restore.left
  count = 1
}
test "fake" "backup" {
  count  = 1
  repeat = 3
  # mode
}
`

// TestChain: each repetition goes through the whole chain. A fake test fails where what it takes is not of its own repetition.
func TestChain(t *testing.T) {
	b := carryOut(t, context.Background(), backupAndRestore, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	ok := 0
	for _, e := range b.events {
		if e.Event == record.SampleDone && e.Outcome == measure.OK {
			ok++
		}
	}
	if ok != 2*(3+2+1) {
		t.Errorf("%d samples are ok: %v", ok, b.outcomes())
	}
}

// TestBrokenChain: where a test left nothing, those that need it are blocked, and say why.
func TestBrokenChain(t *testing.T) {
	for mode, want := range map[string]string{
		"fail": "test.fake.backup repetition 1 failed, and this test uses its output: exit status 1",
		"hang": "test.fake.backup repetition 1 did not finish, and this test uses its output: killed at its timeout",
	} {
		b := carryOut(t, context.Background(), strings.Replace(backupAndRestore, "# mode", "mode = \""+mode+"\"\ntimeout = \"50ms\"", 1), nil)
		if b.err != nil {
			t.Fatal(b.err)
		}
		for _, address := range []string{"test.fake.restore#1", "test.fake.restore#2", "test.fake.check#1"} {
			if o := b.outcomes()[address]; o != measure.Blocked {
				t.Errorf("%s: %s is %s", mode, address, o)
			}
		}
		for _, e := range b.events {
			if e.Event == record.Intent && e.Address != "test.fake.backup" {
				t.Errorf("%s: %s was run", mode, e.Address)
			}
		}
		if !b.has(record.SampleDone, want) {
			t.Errorf("%s: no sample has the reason %q", mode, want)
		}
		if !b.has(record.SampleDone, "test.fake.restore repetition 1 is blocked, and this test uses its output: test.fake.backup") {
			t.Errorf("%s: the test at the end does not say what blocks it", mode)
		}
	}
}
