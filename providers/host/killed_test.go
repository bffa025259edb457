package host

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledLeavesNoWorkers: a command that is killed from outside, as by the kernel when memory is short, leaves no worker that made a
// session of its own. One that exits may leave a daemon.
func TestKilledLeavesNoWorkers(t *testing.T) { everywhere(t, Grace, killedLeavesNoWorkers) }

func killedLeavesNoWorkers(t *testing.T, h Host) {
	for _, c := range []struct {
		name, end string
		left      bool
	}{
		{"killed", "kill -KILL $$", false},
		{"exited", "exit 3", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			res, err := h.Run(context.Background(), Cmd{
				Argv:   []string{"sh", "-c", "setsid sh -c 'echo $$; exec sleep 300 >/dev/null 2>&1' & sleep 1; " + c.end},
				Stdout: &out,
			})
			if err != nil {
				t.Fatal(err)
			}
			if (res.Signal != "") == c.left {
				t.Fatalf("ended with %+v", res)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(out.String()))
			if err != nil {
				t.Fatal(err)
			}
			p, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Kill()
			if alive := running(pid, c.left); alive != c.left {
				t.Errorf("the worker is alive: %v, want %v", alive, c.left)
			}
		})
	}
}

// running reports whether a process is there and no zombie; it waits a while for one that is to be gone.
func running(pid int, want bool) bool {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		alive := err == nil && !strings.Contains(string(stat), ") Z ")
		if alive == want || time.Now().After(deadline) {
			return alive
		}
	}
}
