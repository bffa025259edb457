package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// readPid waits for a file that holds the number of a process.
func readPid(t *testing.T, file string) int {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(file)
		if err != nil || !strings.HasSuffix(string(data), "\n") {
			continue
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}
	t.Fatalf("%s was never written", file)
	return 0
}

// alive reports whether a process runs; one that has ended and waits for its parent does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// The scripts write the number of the process that must not survive to $0.
var families = map[string]struct {
	script   string
	survives bool // the command is cancelled, and this is out of reach: documented at Run
	signal   string
}{
	"the command itself":          {"echo $$ >$0; exec sleep 1000", false, "SIGTERM"},
	"a child in the background":   {"sleep 1000 & echo $! >$0; wait", false, "SIGTERM"},
	"a child that ignores TERM":   {"(trap '' TERM; exec sleep 1000) & echo $! >$0; wait", false, "SIGTERM"},
	"one that ignores TERM":       {"trap '' TERM; echo $$ >$0; while :; do sleep 1; done", false, "SIGKILL"},
	"a stopped one":               {"sh -c 'echo $$ >$0; kill -STOP $$' $0 & wait; sleep 1000", false, "SIGTERM"},
	"one in a session of its own": {"setsid sh -c 'echo $$ >$0; exec sleep 1000' $0 & wait; sleep 1000", false, "SIGTERM"},
	"a daemon":                    {"(setsid sh -c 'echo $$ >$0; exec sleep 1000' $0 &) & sleep 1000", false, "SIGTERM"},
	"a daemon without our mark":   {"(env -i PATH=$PATH setsid sh -c 'echo $$ >$0; exec sleep 1000' $0 &) & sleep 1000", true, "SIGTERM"},
}

func TestCancelEndsTheFamily(t *testing.T) {
	everywhere(t, 300*time.Millisecond, cancelEndsTheFamily)
}

func cancelEndsTheFamily(t *testing.T, h Host) {
	errStop := errors.New("the user wants to stop")
	for name, tc := range families {
		t.Run(name, func(t *testing.T) {
			pidFile := filepath.Join(scratch(t), "pid")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				readPid(t, pidFile)
				cancel(errStop)
			}()
			var out bytes.Buffer
			// All of the family hold the output: none may hold us.
			res, err := watched(t, h, ctx, Cmd{Argv: []string{"sh", "-c", "echo begun; " + tc.script, pidFile}, Stdout: &out, Stderr: &out})
			if !errors.Is(err, errStop) || res.Code != -1 {
				t.Errorf("%+v, %v; want the cause", res, err)
			}
			// A loaded machine may need the second signal where the first would have done.
			if res.Signal != tc.signal && res.Signal != "SIGKILL" {
				t.Errorf("ended by %q, want %q", res.Signal, tc.signal)
			}
			if out.String() != "begun\n" {
				t.Errorf("output %q", out.String())
			}
			pid := readPid(t, pidFile)
			if !tc.survives {
				waitGone(t, pid)
				return
			}
			if !alive(pid) {
				t.Error("it is gone: Run's comment says that it stays")
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		})
	}
}

func TestTermComesFirst(t *testing.T) {
	everywhere(t, patience, termComesFirst)
}

func termComesFirst(t *testing.T, h Host) {
	dir := scratch(t)
	pidFile, note := filepath.Join(dir, "pid"), filepath.Join(dir, "note")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		readPid(t, pidFile)
		cancel(context.Canceled)
	}()
	// It tidies up and ends with a status of its own; grace is patient, so this is not a matter of speed.
	script := "trap 'echo tidied >$1; exit 7' TERM; echo $$ >$0; while :; do sleep 0.05; done"
	res, err := watched(t, h, ctx, Cmd{Argv: []string{"sh", "-c", script, pidFile, note}})
	if !errors.Is(err, context.Canceled) || res.Code != 7 || res.Signal != "" || !exists(note) {
		t.Errorf("%+v, %v; want status 7 after tidying up", res, err)
	}
}

func TestCauses(t *testing.T) { everywhere(t, Grace, causes) }

func causes(t *testing.T, h Host) {
	errLate := errors.New("over the test's timeout of 10 min")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errLate)
	mark := filepath.Join(scratch(t), "mark")
	if res, err := watched(t, h, ended, Cmd{Argv: []string{"touch", mark}}); err != errLate || exists(mark) || !res.Started.IsZero() {
		t.Errorf("an ended context: %+v, %v; want nothing started and %v", res, err, errLate)
	}
	limited, stop := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errLate)
	defer stop()
	if _, err := watched(t, h, limited, Cmd{Argv: []string{"sleep", "1000"}}); err != errLate {
		t.Errorf("a timeout: %v; want %v", err, errLate)
	}
}

func TestWhatACommandLeavesBehind(t *testing.T) { everywhere(t, Grace, whatACommandLeavesBehind) }

func whatACommandLeavesBehind(t *testing.T, h Host) {
	for name, tc := range map[string]struct {
		script   string
		survives bool
	}{
		"a child of the group":                           {"sleep 1000 & echo $! >$0", false},
		"one that ignores TERM":                          {"(trap '' TERM; exec sleep 1000) & echo $! >$0", false},
		"a daemon that holds the output":                 {"setsid sh -c 'echo $$ >$0; exec sleep 1000' $0 & while ! [ -s $0 ]; do sleep 0.01; done", true},
		"a daemon that writes for ever":                  {"setsid sh -c 'echo $$ >$0; exec yes' $0 & while ! [ -s $0 ]; do sleep 0.01; done", true},
		"a daemon that holds the output of a failed one": {"setsid sh -c 'echo $$ >$0; exec sleep 1000' $0 & while ! [ -s $0 ]; do sleep 0.01; done; exit 0", true},
	} {
		t.Run(name, func(t *testing.T) {
			pidFile := filepath.Join(scratch(t), "pid")
			var out bytes.Buffer
			res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", tc.script, pidFile}, Stdout: &out, Stderr: &out})
			if err != nil || !res.OK() {
				t.Errorf("%+v, %v", res, err)
			}
			pid := readPid(t, pidFile)
			if !tc.survives {
				waitGone(t, pid)
				return
			}
			_ = syscall.Kill(pid, syscall.SIGKILL) // yes may have got SIGPIPE: then it is gone already
		})
	}
}
