package host

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tellHome tells the folder of a command that is kept: its keeper holds the fifo open.
const tellHome = `readlink /proc/$PPID/fd/3 >$0.home; echo $$ >$0; `

// waitTidy waits until nothing is left of a kept command.
func waitTidy(t *testing.T, pidFile string) {
	t.Helper()
	waitGone(t, readPid(t, pidFile))
	ctl, err := os.ReadFile(pidFile + ".home")
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Dir(strings.TrimSpace(string(ctl)))
	if !strings.HasPrefix(home, "/tmp/assay-") {
		t.Fatalf("its folder is %q", home)
	}
	for deadline := time.Now().Add(patience); exists(home); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there", home)
		}
	}
}

// impatient makes a link that soon takes silence for its end.
func impatient(h *remote) {
	h.grace = 300 * time.Millisecond
	// The link has its time from Dial: another one with less.
	h.silence = 2 * time.Second
	h.mu.Lock()
	h.drop()
	h.mu.Unlock()
}

// Three times a link is lost and comes back, and nothing of the command is: neither its output nor its status.
func TestWorkOutlivesALostLink(t *testing.T) {
	b := needBench(t)
	for _, become := range []string{"", "?become=sudo"} {
		for name, lose := range map[string]func(*relay, string){
			"broken": func(r *relay, _ string) { r.cut() },
			"fallen mute": func(r *relay, n string) {
				if n != "2" {
					r.cut()
					return
				}
				r.silence(true)
				time.Sleep(3 * time.Second) // until both sides know
				r.silence(false)
			},
		} {
			t.Run(name+become, func(t *testing.T) {
				h, relay := through(t, b, become)
				impatient(h)
				dir := scratch(t)
				pidFile := filepath.Join(dir, "pid")
				go func() {
					readPid(t, pidFile)
					for _, n := range []string{"1", "2", "3"} {
						lose(relay, n)
						if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
							t.Error(err)
						}
						for !exists(filepath.Join(dir, n+".seen")) {
							time.Sleep(5 * time.Millisecond)
						}
					}
				}()
				var stdout, stderr bytes.Buffer
				script := tellHome + `cd "${0%/pid}"
					for n in 1 2 3; do
						head -c 100000 /dev/zero | tr '\0' $n
						echo $n >&2
						while ! [ -e $n ]; do sleep 0.02; done
						: >$n.seen
					done
					exit 7`
				res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", script, pidFile}, Stdout: &stdout, Stderr: &stderr})
				if err != nil || res.Code != 7 || res.Signal != "" {
					t.Errorf("%+v, %v; want status 7", res, err)
				}
				want := strings.Repeat("1", 1e5) + strings.Repeat("2", 1e5) + strings.Repeat("3", 1e5)
				if stdout.String() != want || stderr.String() != "1\n2\n3\n" {
					t.Errorf("%d bytes of output, %q; want %d", stdout.Len(), stderr.String(), len(want))
				}
				waitTidy(t, pidFile)
			})
		}
	}
}

// A command that ends while there is no link is told of when it is back, with the time at which it ended.
func TestAnEndWithoutALink(t *testing.T) {
	b := needBench(t)
	h, relay := through(t, b, "")
	dir := scratch(t)
	pidFile, ended := filepath.Join(dir, "pid"), filepath.Join(dir, "ended")
	var between time.Time
	go func() {
		pid := readPid(t, pidFile)
		relay.close(true)
		if err := os.WriteFile(ended, nil, 0o644); err != nil {
			t.Error(err)
		}
		waitGone(t, pid)
		between = time.Now().Add(time.Second)
		time.Sleep(time.Until(between))
		relay.close(false)
	}()
	var out bytes.Buffer
	script := tellHome + "while ! [ -e $1 ]; do sleep 0.02; done; echo last; kill -KILL $$"
	res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", script, pidFile, ended}, Stdout: &out})
	if err != nil || res.Signal != "SIGKILL" || out.String() != "last\n" {
		t.Errorf("%+v, %v, %q; want SIGKILL", res, err, out.String())
	}
	if !res.Ended.Before(between) || res.Ended.Before(res.Started) {
		t.Errorf("started %s, ended %s; it was gone before %s", res.Started, res.Ended, between)
	}
	waitTidy(t, pidFile)
}

// Where the link does not come back, the host ends the command and leaves nothing of it.
func TestALinkThatDoesNotComeBack(t *testing.T) {
	b := needBench(t)
	for _, how := range []string{"?reconnect=3s", "?become=sudo&reconnect=3s"} {
		h, relay := through(t, b, how)
		h.grace = 300 * time.Millisecond
		pidFile := filepath.Join(scratch(t), "pid")
		go func() {
			readPid(t, pidFile)
			relay.close(true)
		}()
		res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", tellHome + "trap '' TERM; while :; do sleep 0.1; done", pidFile}})
		var lost *LinkError
		if !errors.As(err, &lost) || lost.Host != h.address || res.Code != -1 || !strings.Contains(err.Error(), "did not come back within 3s") {
			t.Errorf("%+v, %v; want that the link is lost", res, err)
		}
		waitTidy(t, pidFile)
		relay.close(false)
		if res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"true"}}); err != nil || !res.OK() {
			t.Errorf("afterwards: %+v, %v", res, err)
		}
	}
}

// Who wants to stop while there is no link is not kept waiting; what he wanted to end is ended before anything else is done there.
func TestCancelWithoutALink(t *testing.T) {
	b := needBench(t)
	h, relay := through(t, b, "?become=sudo")
	h.grace = 300 * time.Millisecond
	pidFile := filepath.Join(scratch(t), "pid")
	errStop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		readPid(t, pidFile)
		relay.close(true)
		time.Sleep(300 * time.Millisecond)
		cancel(errStop)
	}()
	_, err := watched(t, h, ctx, Cmd{Argv: []string{"sh", "-c", tellHome + "sleep 1000", pidFile}})
	if !errors.Is(err, errStop) || !errors.As(err, new(*LinkError)) {
		t.Errorf("%v; want the cause, and that the link is lost", err)
	}
	if !alive(readPid(t, pidFile)) {
		t.Error("it is gone, and nobody could say so")
	}
	relay.close(false)
	if _, err := watched(t, h, t.Context(), Cmd{Argv: []string{"true"}}); err != nil {
		t.Error(err)
	}
	if alive(readPid(t, pidFile)) {
		t.Error("another command ran beside it")
	}
	waitTidy(t, pidFile)
}

// Standard input that was sent in part would be taken for all of it.
func TestStandardInputOverALostLink(t *testing.T) {
	b := needBench(t)
	h, relay := through(t, b, "")
	h.grace = 300 * time.Millisecond
	pidFile := filepath.Join(scratch(t), "pid")
	go func() {
		readPid(t, pidFile)
		relay.cut()
	}()
	endless, never := io.Pipe()
	defer never.Close()
	go func() { _, _ = never.Write([]byte("first\n")) }()
	got := filepath.Join(filepath.Dir(pidFile), "got")
	_, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", "read -r line; " + tellHome + "cat; echo all >$1", pidFile, got}, Stdin: endless})
	if !errors.As(err, new(*LinkError)) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("%v; want that standard input was not sent", err)
	}
	if res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"true"}}); err != nil || !res.OK() {
		t.Errorf("afterwards: %+v, %v", res, err)
	}
	waitTidy(t, pidFile)
	if exists(got) {
		t.Error("the command took a part for all of it")
	}
}

func TestNothingIsLeftOfACommand(t *testing.T) {
	b := needBench(t)
	for _, become := range []string{"", "?become=sudo"} {
		h := dialed(t, "ssh://"+sudoer+"@127.0.0.1:"+b.port+become)
		pidFile := filepath.Join(scratch(t), "pid")
		script := tellHome + `stat -c %a "$(dirname "$(readlink /proc/$PPID/fd/3)")"`
		var out bytes.Buffer
		res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", script, pidFile}, Stdout: &out, Stdin: strings.NewReader("x")})
		if err != nil || !res.OK() || out.String() != "700\n" {
			t.Errorf("%+v, %v, %q; want that only its owner enters", res, err, out.String())
		}
		waitTidy(t, pidFile)
	}
}
