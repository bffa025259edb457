package plugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// configuredMood configures a moody program and gives its type.
func configuredMood(c *Client) (*schema.Type, error) {
	s, err := c.Schema(context.Background())
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for i := range s.Tests {
		if s.Tests[i].Name == "fake_mood" {
			return &s.Tests[i], c.Configure(context.Background(), providers.ConfigureRequest{Config: eval.Defaults(s.Config), Dir: dir})
		}
	}
	return nil, errors.New("there is no fake_mood")
}

func measureRequest(typ *schema.Type, mood, size string) providers.MeasureRequest {
	config := map[string]cty.Value{"mood": cty.StringVal(mood), "size": cty.NullVal(cty.Number)}
	if size != "" {
		config["size"] = cty.MustParseNumberVal(size)
	}
	return providers.MeasureRequest{
		Target: providers.Target{
			Kind: "test", Type: typ.Name, Config: cty.ObjectVal(config),
			Address: addr.Instance{Block: addr.Block{Kind: "test", Type: typ.Name, Name: "t"}},
		},
		Repetition: 1, Attempt: 1,
	}
}

// moods starts a moody program.
func moods(t *testing.T, change func(*Options)) (*Client, *schema.Type) {
	t.Helper()
	c := client(t, "moody", change)
	typ, err := configuredMood(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, typ
}

func open(context.Context) error { return nil }

func wants(t *testing.T, what string, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one with %q", what, texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %q, want %q in it", what, err, text)
		}
	}
}

// TestNoProvider: what is started and is no provider ends in an error that says what it is.
func TestNoProvider(t *testing.T) {
	self, _ := os.Executable()
	notExecutable := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(notExecutable, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for kind, c := range map[string]struct {
		change func(*Options)
		want   []string
	}{
		"garbage": {nil, []string{"provider fake cannot be started", `its first words were "Hello, world!"`}},
		"silent":  {func(o *Options) { o.Limits.Start = time.Second }, []string{"said nothing for 1s"}},
		"dead":    {nil, []string{"ended", "cannot find libfoo.so.3"}},
		"mangled": {func(o *Options) { o.Limits.Quick = 5 * time.Second }, []string{"provider fake"}},
		"old":     {nil, []string{"speaks version 2 of the protocol, and this assay speaks version 1"}},
		"fake":    {func(o *Options) { o.Name = "other" }, []string{`is provider "fake", and not "other", as the spec calls it`}},
		"absent":  {func(o *Options) { o.Path = "/nonexistent/program" }, []string{"/nonexistent/program: no such file or directory"}},
		"text":    {func(o *Options) { o.Path = notExecutable }, []string{"permission denied"}},
		"changed": {func(o *Options) { o.Sum = strings.Repeat("0", 64) }, []string{self + " has changed: its SHA-256 is ", "and was 000000"}},
	} {
		t.Run(kind, func(t *testing.T) {
			client := client(t, kind, c.change)
			_, err := client.Schema(t.Context())
			wants(t, kind, err, c.want...)
			if strings.Contains(fmt.Sprint(err), "\n") {
				t.Errorf("the error has several lines: %s", err)
			}
			if err := client.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// TestCrash: a call in which the program ends fails and says how; the next one finds a new program, configured as the old one was.
func TestCrash(t *testing.T) {
	c, typ := moods(t, nil)
	request := measureRequest(typ, "crash", "")
	sink := newMemory()
	err := c.Measure(t.Context(), request, open, sink)
	wants(t, "Measure", err, "provider fake ended in the middle of Measure, with exit status 2: panic: runtime error: invalid memory address")
	if len(sink.Open()) > 0 || string(sink.Data("half.stdout")) != "half of it" {
		t.Errorf("left open: %q; got %q", sink.Open(), sink.Data("half.stdout"))
	}
	wants(t, "exit", c.Measure(t.Context(), measureRequest(typ, "exit", ""), open, discard{}), "with exit status 7: ", "license expired")
	_, err = c.Plan(t.Context(), providers.PlanRequest{Target: request.Target})
	wants(t, "Plan", err, "in the middle of Plan, with exit status 2: panic: the plan is too bold")
	fine := providers.ThingRequest{Target: providers.Target{Kind: "setup", Type: "fake_thing", Address: addr.Instance{Block: addr.Block{Kind: "setup", Type: "fake_thing", Name: "x"}}}}
	if res, err := c.Inspect(t.Context(), fine); err != nil || res.Standing != providers.Absent {
		t.Errorf("after the crash: %v %v", res, err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := c.Inspect(t.Context(), fine); err == nil {
		t.Error("a closed provider answers")
	}
}

// TestHang: what does not answer, does not end, or does not even breathe is killed, and says why.
func TestHang(t *testing.T) {
	for mood, c := range map[string]struct {
		limits Limits
		call   func(ctx context.Context, c *Client, r providers.MeasureRequest) error
		want   string
	}{
		"hang": {Limits{Look: 2 * time.Second}, func(ctx context.Context, c *Client, r providers.MeasureRequest) error {
			_, err := c.Plan(ctx, providers.PlanRequest{Target: r.Target})
			return err
		}, "did not answer Plan for 2s, and was ended"},
		"deaf": {Limits{Ending: 500 * time.Millisecond}, func(ctx context.Context, c *Client, r providers.MeasureRequest) error {
			ctx, cancel := context.WithCancelCause(ctx)
			cause := errors.New("its timeout")
			err := c.Measure(ctx, r, func(context.Context) error { time.AfterFunc(10*time.Millisecond, func() { cancel(cause) }); return nil }, discard{})
			if !errors.Is(err, cause) {
				return fmt.Errorf("the cause is lost: %w", err)
			}
			return err
		}, "was ended in the middle of Measure: Measure did not end for 500ms after it was told to (its timeout)"},
		"frozen": {Limits{Silence: time.Second}, func(ctx context.Context, c *Client, r providers.MeasureRequest) error {
			return c.Measure(ctx, r, open, discard{})
		}, "did not answer any more in the middle of Measure, and was ended"},
	} {
		t.Run(mood, func(t *testing.T) {
			t.Parallel()
			p, typ := moods(t, func(o *Options) { o.Limits = c.limits })
			pid := p.process.cmd.Process.Pid
			wants(t, mood, c.call(t.Context(), p, measureRequest(typ, mood, "")), c.want)
			waitGone(t, "the program", func() bool { return !processRuns(pid) })
			if err := p.Measure(t.Context(), measureRequest(typ, "print", ""), open, discard{}); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// TestCloseKills: a program that cannot even be told to end is ended, and says nothing of it while it is frozen.
func TestCloseKills(t *testing.T) {
	c, _ := moods(t, func(o *Options) { o.Limits.Quick = 2 * time.Second })
	pid := c.process.cmd.Process.Pid
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	waitGone(t, "the will to answer", func() bool { return processState(pid) == "T" })
	wants(t, "Close", c.Close(), "did not answer Close for 2s, and was ended")
	waitGone(t, "the program", func() bool { return !processRuns(pid) })
}

// TestLargeOutput: two steps at once do not mix, and much output arrives whole and in order.
func TestLargeOutput(t *testing.T) {
	c, typ := moods(t, nil)
	const size = 8 << 20
	var wg sync.WaitGroup
	for range 2 {
		sink := newMemory()
		wg.Go(func() {
			if err := c.Measure(t.Context(), measureRequest(typ, "large", fmt.Sprint(size)), open, sink); err != nil {
				t.Error(err)
			}
			got := sink.Data("large.stdout")
			if len(got) < size || strings.ReplaceAll(string(got), "0123456789abcde\n", "") != "" || len(sink.Exits()) != 1 || len(sink.Open()) > 0 {
				t.Errorf("%d bytes, %d exits, open %q", len(got), len(sink.Exits()), sink.Open())
			}
		})
	}
	wg.Wait()
}

// fullSink is a record on a disk that is soon full.
type fullSink struct{ discard }

func (fullSink) Artifact(string) (io.WriteCloser, error) { return &fullFile{left: 1 << 20}, nil }

var errFull = errors.New("no space left on device")

type fullFile struct{ left int }

func (f *fullFile) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}
func (f *fullFile) Close() error { return nil }

// TestSinkFails: a record that cannot be written ends the step, and is what the error says.
func TestSinkFails(t *testing.T) {
	c, typ := moods(t, nil)
	err := c.Measure(t.Context(), measureRequest(typ, "large", fmt.Sprint(int64(1)<<40)), open, fullSink{})
	if !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
	wants(t, "a name that leads elsewhere", c.Measure(t.Context(), measureRequest(typ, "name", ""), open, discard{}), `artifact "../escape"`)
	// What is written after the end of a step reaches nothing, and hurts nobody.
	for range 3 {
		if err := c.Measure(t.Context(), measureRequest(typ, "after", ""), open, newMemory()); err != nil {
			t.Errorf("a step that writes on: %v", err)
		}
	}
}

// asked is a sink with a person behind it, who presses a button once.
type asked struct {
	discard
	heard []string
}

func (a *asked) Ask(_ context.Context, what string) error {
	if a.heard = append(a.heard, what); len(a.heard) > 1 {
		return errors.New("the person went home")
	}
	return nil
}

// TestAsk: a person is asked on the side of assay, and what the person says gets through. Where there is nobody, that is said.
func TestAsk(t *testing.T) {
	c, typ := moods(t, nil)
	person := &asked{}
	wants(t, "Measure", c.Measure(t.Context(), measureRequest(typ, "ask", ""), open, person), "the person went home")
	if got := strings.Join(person.heard, ", "); got != "press the button, press it again" {
		t.Errorf("the person heard %q", got)
	}
	wants(t, "nobody", c.Measure(t.Context(), measureRequest(typ, "ask", ""), open, discard{}), "nobody can be asked here: press the button")
}

// TestEnvironment: a program sees what it needs, and nothing else of assay's environment.
func TestEnvironment(t *testing.T) {
	t.Setenv("ASSAY_VAR_password", "hunter22")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter22")
	c, typ := moods(t, nil)
	_, err := c.Plan(t.Context(), providers.PlanRequest{Target: measureRequest(typ, "environment", "").Target})
	wants(t, "the environment", err, "PATH="+os.Getenv("PATH"), "PLUGIN_CLIENT_CERT=-----BEGIN CERTIFICATE")
	allowed := map[string]bool{program: true, cookieKey: true, lifelineKey: true, socketsKey: true, host.OwnerName: true}
	for _, name := range passed {
		allowed[name] = true
	}
	inside := false // a certificate has several lines
	for _, line := range strings.Split(err.Error(), "\n") {
		name, _, _ := strings.Cut(line, "=")
		inside = (inside || name == "PLUGIN_CLIENT_CERT") && !strings.HasPrefix(line, "-----END")
		if !inside && line != "" && !allowed[name] && !strings.HasPrefix(name, "PLUGIN_") && !strings.HasPrefix(line, "-----END") {
			t.Errorf("it sees %s", line)
		}
	}
}

// TestDiesWithAssay: when assay is killed the program ends, and the tool that it ran, and nothing stays behind.
func TestDiesWithAssay(t *testing.T) {
	self, _ := os.Executable()
	tmp := t.TempDir()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), program+"=assay", "TMPDIR="+tmp)
	cmd.Dir = t.TempDir()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var owner string
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscan(line, &pid, &owner); err != nil || scanErr != nil {
		t.Fatalf("the stand-in for assay said %q: %v", line, err)
	}
	waitGone(t, "the wait for the tool", func() bool { return len(ofOwner(owner)) >= 2 }) // the program and its sleep
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	waitGone(t, "the program", func() bool { return !processRuns(pid) })
	waitGone(t, "its tool", func() bool { return len(ofOwner(owner)) == 0 })
	if left, err := filepath.Glob(filepath.Join(tmp, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestKillEndsTools: what a killed program ran is ended too.
func TestKillEndsTools(t *testing.T) {
	c, typ := moods(t, nil)
	owner, pid := c.process.owner, c.process.cmd.Process.Pid
	err := c.Measure(t.Context(), measureRequest(typ, "sleep", ""), func(context.Context) error {
		go func() {
			for len(ofOwner(owner)) < 2 {
				time.Sleep(10 * time.Millisecond)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}()
		return nil
	}, discard{})
	wants(t, "Measure", err, "with signal: killed")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	waitGone(t, "the tool", func() bool { return len(ofOwner(owner)) == 0 })
}

// ofOwner lists the processes that bear an owner's mark.
func ofOwner(owner string) []string {
	var out []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && strings.Contains(string(env), host.OwnerName+"="+owner+"\x00") {
			out = append(out, f)
		}
	}
	return out
}
