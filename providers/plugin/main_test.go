package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// program is the variable that makes the test binary a program of another kind: a provider, good or bad.
const program = "ASSAY_TEST_PROGRAM"

func TestMain(m *testing.M) {
	kind := os.Getenv(program)
	if kind == "" {
		os.Exit(m.Run())
	}
	switch kind {
	case "fake":
		Serve(fake.New())
	case "old":
		serve(fake.New(), ProtocolVersion+1)
	case "runner":
		Serve(runner{fake.New()})
	case "moody":
		Serve(moody{fake.New()})
	case "assay": // a stand-in for assay that is killed in the middle of a step
		beKilled()
	case "garbage":
		fmt.Println("Hello, world!")
		time.Sleep(time.Minute)
	case "silent":
		time.Sleep(time.Minute)
	case "dead":
		fmt.Fprintln(os.Stderr, "cannot find libfoo.so.3")
		os.Exit(3)
	case "mangled":
		fmt.Printf("1|%d|unix|%s|grpc|\n", ProtocolVersion, "/nonexistent/socket")
		time.Sleep(time.Minute)
	default:
		fmt.Fprintln(os.Stderr, "unknown kind of program "+kind)
		os.Exit(1)
	}
	os.Exit(0)
}

// client makes a client of the test binary as a program of that kind.
func client(t testing.TB, kind string, change func(*Options)) *Client {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Name: "fake", Path: self, Env: []string{program + "=" + kind}}
	if change != nil {
		change(&o)
	}
	c := New(o)
	t.Cleanup(func() { _ = c.Close() }) // a test that wants to know how it ends asks before
	return c
}

// moody is fake with a test type that does what no provider should, as its configuration says.
type moody struct{ providers.Provider }

func (m moody) Schema(ctx context.Context) (*schema.Provider, error) {
	s, err := m.Provider.Schema(ctx)
	if err == nil {
		s.Tests = append(s.Tests, schema.Type{Name: "fake_mood", Doc: "Moods.", Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "mood", Kind: schema.String}, {Name: "size", Kind: schema.Quantity, Dim: unit.Bytes},
		}}})
	}
	return s, err
}

func mood(t providers.Target) string {
	if t.Type != "fake_mood" {
		return ""
	}
	return t.Config.GetAttr("mood").AsString()
}

func (m moody) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	switch mood(req.Target) {
	case "crash":
		panic("the plan is too bold")
	case "hang":
		select {}
	case "environment":
		return nil, errors.New(strings.Join(os.Environ(), "\n"))
	case "":
		return m.Provider.Plan(ctx, req)
	}
	return &providers.PlanResponse{}, nil
}

func (m moody) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	switch mood(req.Target) {
	case "":
		return m.Provider.Measure(ctx, req, gate, sink)
	case "crash":
		w, err := sink.Artifact("half.stdout")
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "half of it"); err != nil {
			return err
		}
		sink.Progress(0.5, "about to crash")
		time.Sleep(50 * time.Millisecond) // so that it is on its way
		var nothing *providers.Target
		_ = nothing.Address
	case "exit":
		log.Print("license expired")
		os.Exit(7)
	case "deaf": // to what it is told
		if err := gate(ctx); err != nil {
			return err
		}
		select {}
	case "frozen":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {} // other threads may get as far as this
	case "sleep": // a tool that outlives its provider
		if err := gate(ctx); err != nil {
			return err
		}
		_, err := providers.Run(ctx, host.Local(), sink, "sleep", host.Cmd{Argv: []string{"sleep", "300"}})
		return err
	case "large":
		w, err := sink.Artifact("large.stdout")
		if err != nil {
			return err
		}
		size, _ := req.Config.GetAttr("size").AsBigFloat().Int64()
		line := []byte(strings.Repeat("0123456789abcde\n", 6))
		for n := int64(0); n < size; n += int64(len(line)) {
			if _, err := w.Write(line); err != nil {
				return errors.Join(err, w.Close())
			}
		}
		sink.Exit(measure.Exit{Name: "large", Argv: []string{"large"}, Started: time.Now(), Ended: time.Now()})
		return w.Close()
	case "after": // writes when the step is over
		w, err := sink.Artifact("late.stdout")
		go func() {
			for err == nil {
				_, err = io.WriteString(w, strings.Repeat("x", chunk))
			}
		}()
		return err
	case "ask":
		if err := providers.Ask(ctx, sink, "press the button"); err != nil {
			return err
		}
		return providers.Ask(ctx, sink, "press it again")
	case "name":
		_, err := sink.Artifact("../escape")
		return err
	case "print":
		fmt.Println("a stray line")
	}
	return nil
}

// beKilled starts a provider, runs a step that runs a tool, tells the process ids, and waits to be killed.
func beKilled() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := New(Options{Name: "fake", Path: self, Env: []string{program + "=moody"}})
	typ, err := configuredMood(c)
	if err != nil {
		panic(err)
	}
	err = c.Measure(context.Background(), measureRequest(typ, "sleep", ""), func(context.Context) error {
		fmt.Println(c.process.cmd.Process.Pid, c.process.owner)
		return nil
	}, discard{})
	panic(err)
}

// discard is a sink that keeps nothing.
type discard struct{}

type nowhere struct{ io.Writer }

func (nowhere) Close() error                            { return nil }
func (discard) Artifact(string) (io.WriteCloser, error) { return nowhere{io.Discard}, nil }
func (discard) Exit(measure.Exit)                       {}
func (discard) Progress(float64, string)                {}

// memory is a sink that keeps everything, and refuses an artifact of the same name. Package providertest, which has a better one, is
// built on this package.
type memory struct {
	mu    sync.Mutex
	files map[string]*strings.Builder
	open  map[string]bool
	exits []measure.Exit
}

func newMemory() *memory {
	return &memory{files: map[string]*strings.Builder{}, open: map[string]bool{}}
}

type memoryFile struct {
	*memory
	name string
}

func (m *memory) Artifact(name string) (io.WriteCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] != nil {
		return nil, fmt.Errorf("there is a %s already", name)
	}
	m.files[name], m.open[name] = &strings.Builder{}, true
	return memoryFile{m, name}, nil
}

func (m *memory) Exit(e measure.Exit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.exits = append(m.exits, e)
}

func (*memory) Progress(float64, string) {}

func (f memoryFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.files[f.name].Write(p)
}

func (f memoryFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, f.name)
	return nil
}

// Data is what an artifact got; Open names those that are not closed; Exits are those so far.
func (m *memory) Data(name string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] == nil {
		return nil
	}
	return []byte(m.files[name].String())
}

func (m *memory) Open() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.open))
}

func (m *memory) Exits() []measure.Exit {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.exits)
}

// waitGone waits for something to go away.
func waitGone(t *testing.T, what string, gone func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !gone(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there after a minute", what)
		}
	}
}

// processState is the letter that the kernel shows: T is stopped, Z a zombie; empty where there is no such process.
func processState(pid int) string {
	out, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(out), ") ")
	state, _, _ := strings.Cut(after, " ")
	return state
}

func processRuns(pid int) bool { s := processState(pid); return s != "" && s != "Z" }
