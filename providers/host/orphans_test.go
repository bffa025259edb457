package host

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestEndTagged starts what a killed assay leaves behind: a command of an open step with a worker in a session of its own, and a daemon of
// a step that is over.
func TestEndTagged(t *testing.T) {
	leave := func(tag string) int {
		t.Helper()
		var out bytes.Buffer
		ctx := WithTag(context.Background(), tag)
		res, err := Local().Run(ctx, Cmd{
			Argv:   []string{"sh", "-c", "setsid sh -c 'echo $$; exec sleep 300 >/dev/null 2>&1' & sleep 0.5"},
			Env:    []string{"OTHER=x"},
			Stdout: &out,
		})
		if err != nil || !res.OK() {
			t.Fatal(res, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		})
		return pid
	}
	worker, daemon := leave("run/s1/2"), leave("run/s1/20")
	// One that bears the text elsewhere is nobody's.
	other := exec.Command("sleep", "300")
	other.Env = []string{"X=" + tagName + "=run/s1/2"}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait() // it was killed
	}()
	for want := 1; want >= 0; want-- { // a second time there is none
		n, err := EndTagged(context.Background(), Local(), "run/s0/1", "run/s1/2")
		if err != nil || n != want {
			t.Fatalf("ended %d, want %d: %v", n, want, err)
		}
	}
	if running(worker, false) || !running(daemon, true) || !running(other.Process.Pid, true) {
		t.Error("the wrong process was ended")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if _, err := EndTagged(ctx, Local(), "run/s1/20"); err == nil {
		t.Error("no error after the end of the context")
	}
}
