package host

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSlowDaemon: a daemon that makes its session a moment after its parent has ended is let live, as one that is quick about it; what
// stays in the group is ended all the same.
func TestSlowDaemon(t *testing.T) {
	var out bytes.Buffer
	// The inner shell is the child of daemon(3): it leaves the group only after a while.
	res, err := Local().Run(t.Context(), Cmd{Stdout: &out, Argv: []string{"sh", "-c",
		`sh -c 'sleep 0.1; exec setsid sleep 1000' >/dev/null 2>&1 & echo $!; sleep 1000 >/dev/null 2>&1 & echo $!`}})
	if err != nil || !res.OK() {
		t.Fatal(res, err)
	}
	var daemon, other int
	if _, err := fmt.Sscan(strings.TrimSpace(out.String()), &daemon, &other); err != nil {
		t.Fatal(out.String(), err)
	}
	t.Cleanup(func() { _ = syscall.Kill(daemon, syscall.SIGKILL) })
	if zombie(daemon) {
		t.Error("the daemon was ended with the command that started it")
	}
	for end := time.Now().Add(10 * time.Second); !zombie(other); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("what stays in the group is not ended")
		}
	}
	if zombie(os.Getpid()) {
		t.Error("we are no zombie")
	}
}
