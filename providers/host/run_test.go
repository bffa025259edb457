package host

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience is how long a test waits for what must happen in the end; it is reached only by a hang.
const patience = 2 * time.Minute

// watched runs a command and fails when it hangs.
func watched(t *testing.T, h Host, ctx context.Context, cmd Cmd) (Result, error) {
	t.Helper()
	type answer struct {
		res Result
		err error
	}
	done := make(chan answer, 1)
	go func() {
		res, err := h.Run(ctx, cmd)
		done <- answer{res, err}
	}()
	select {
	case a := <-done:
		return a.res, a.err
	case <-time.After(patience):
		t.Fatalf("%q hangs", cmd.Argv)
	}
	panic("unreachable")
}

func TestHowACommandEnds(t *testing.T) { everywhere(t, Grace, howACommandEnds) }

func howACommandEnds(t *testing.T, h Host) {
	for _, tc := range []struct {
		script string
		code   int
		signal string
	}{
		{"exit 0", 0, ""},
		{"exit 3", 3, ""},
		{"exit 255", 255, ""},
		{"kill -KILL $$", -1, "SIGKILL"},
		{"kill -TERM $$", -1, "SIGTERM"},
		{"kill -INT $$", -1, "SIGINT"}, // which a job in the background would not hear
		{"exit 193", 193, ""},
		{"kill -SEGV $$", -1, "SIGSEGV"},
	} {
		res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", tc.script}})
		if err != nil || res.Code != tc.code || res.Signal != tc.signal {
			t.Errorf("%s: code %d, signal %q, error %v; want %d, %q", tc.script, res.Code, res.Signal, err, tc.code, tc.signal)
		}
		if res.OK() != (tc.script == "exit 0") {
			t.Errorf("%s: OK is %v", tc.script, res.OK())
		}
		if res.Started.IsZero() || res.Ended.Before(res.Started) {
			t.Errorf("%s: started %s, ended %s", tc.script, res.Started, res.Ended)
		}
	}
}

func TestArgumentsPassUnchanged(t *testing.T) { everywhere(t, Grace, argumentsPassUnchanged) }

func argumentsPassUnchanged(t *testing.T, h Host) {
	args := []string{"", "-n", "a b", "$HOME", "`id`", "*", "--", "數據庫"}
	var all []byte
	for b := 1; b < 256; b++ {
		args = append(args, string([]byte{byte(b)}))
		all = append(all, byte(b))
	}
	args = append(args, string(all))
	var out bytes.Buffer
	res, err := watched(t, h, t.Context(), Cmd{Argv: append([]string{"printf", `%s\0`}, args...), Stdout: &out})
	if err != nil || !res.OK() {
		t.Fatalf("%+v, %v", res, err)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\x00"), "\x00")
	if diff := cmp.Diff(args, got); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentIsFixed(t *testing.T) {
	t.Setenv("PATH", "/opt/tool/bin:relative::/usr/bin:/bin")
	t.Setenv("HOME", "/home/somebody")
	t.Setenv("LC_ALL", "zh_TW.UTF-8")
	t.Setenv("PASSWORD", "secret")
	var out bytes.Buffer
	_, err := watched(t, Local(), t.Context(), Cmd{Argv: []string{"env"}, Env: []string{"A=1", "A=2", "TZ=UTC", "EMPTY="}, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		if cookie, ok := strings.CutPrefix(line, "ASSAY_COMMAND="); ok {
			line = "ASSAY_COMMAND"
			if len(cookie) != 26 {
				t.Errorf("the cookie %q is not of constant length: the size of the environment moves a tool's stack", cookie)
			}
		}
		got = append(got, line)
	}
	want := []string{
		"PATH=/opt/tool/bin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin", "HOME=/home/somebody",
		"LC_ALL=C", "ASSAY_COMMAND", "A=2", "TZ=UTC", "EMPTY=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	bin, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for name, tc := range map[string]struct {
		cmd     Cmd
		missing bool
		want    string
	}{
		"not found":      {Cmd{Argv: []string{"no-such-tool"}}, true, "no-such-tool: not found on PATH of this machine (" + bin + ":/usr/local/sbin"},
		"advice":         {Cmd{Argv: []string{"no-such-tool"}}, true, "install it, or put its folder on PATH"},
		"absolute":       {Cmd{Argv: []string{"/no/such/tool"}}, true, "/no/such/tool: no such program on this machine"},
		"not executable": {Cmd{Argv: []string{"not-executable"}}, true, "not-executable: it is not executable"},
		"a directory":    {Cmd{Argv: []string{bin}}, true, "it is a directory"},
		"relative":       {Cmd{Argv: []string{"./tool"}}, false, "without slashes or an absolute path"},
		"no name":        {Cmd{Argv: []string{""}}, false, "without slashes or an absolute path"},
		"nothing":        {Cmd{}, false, "at least the name of a program"},
		"no shebang":     {Cmd{Argv: []string{"no-shebang"}}, false, "a script without a #! line"},
		"NUL":            {Cmd{Argv: []string{"true", "a\x00b"}}, false, "NUL"},
		"environment":    {Cmd{Argv: []string{"true"}, Env: []string{"NAME"}}, false, "expected NAME=value"},
		"cookie":         {Cmd{Argv: []string{"true"}, Env: []string{"ASSAY_COMMAND=x"}}, false, "cannot stand"},
		"too long":       {Cmd{Argv: []string{"true", strings.Repeat("x", 4<<20)}}, false, "too long"},
		"no directory":   {Cmd{Argv: []string{"true"}, Dir: "/no/such/dir"}, false, "working directory: stat /no/such/dir"},
		"directory file": {Cmd{Argv: []string{"true"}, Dir: bin + "/on-stdout"}, false, "is not a directory"},
	} {
		res, err := watched(t, Local(), t.Context(), tc.cmd)
		var missing *NotFoundError
		if err == nil || errors.As(err, &missing) != tc.missing || !strings.Contains(err.Error(), tc.want) || res.Code != -1 {
			t.Errorf("%s: %+v, %v; want an error with %q", name, res, err, tc.want)
		}
	}
}

func TestWorkingDirectory(t *testing.T) { everywhere(t, Grace, workingDirectory) }

func workingDirectory(t *testing.T, h Host) {
	dir := scratch(t)
	for given, want := range map[string]string{"": "/\n", dir: dir + "\n"} {
		var out bytes.Buffer
		if _, err := watched(t, h, t.Context(), Cmd{Argv: []string{"pwd"}, Dir: given, Stdout: &out}); err != nil || out.String() != want {
			t.Errorf("in %q: %q, %v; want %q", given, out.String(), err, want)
		}
	}
}

func TestEndGivesUp(t *testing.T) {
	var sent []syscall.Signal
	gone := end(func(s syscall.Signal) { sent = append(sent, s) }, make(chan struct{}), time.Millisecond)
	if diff := cmp.Diff([]syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}, sent); gone || diff != "" {
		t.Errorf("gone is %v; %s", gone, diff)
	}
}

func TestDial(t *testing.T) {
	if h, err := Dial(t.Context(), ""); err != nil || h.Address() != "" || h.Close() != nil {
		t.Errorf("this machine: %v", err)
	}
	for address, want := range map[string]string{
		"db1":       "expected ssh://USER@HOST",
		"localhost": "leave hosts out",
	} {
		if h, err := Dial(t.Context(), address); h != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v; want %q", address, err, want)
		}
	}
}

// exists is for tests that look at files directly.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
