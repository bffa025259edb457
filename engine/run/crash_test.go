package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// campaign has all that a crash can come between: setups on setups, a switch, data, repetitions, retries, and what fails for good. Two
// benches go on side by side.
const campaign = `
matrix {
  axis "cache" {
    values = ["off", "on"]
  }
}
setup "fake_thing" "disk" {
  create_time  = "1ms"
  destroy_time = "1ms"
}
setup "fake_thing" "cache" {
  label       = setup.fake_thing.disk.id
  slot        = "cache"
  state       = matrix.cache
  create_time = "1ms"
  switch_time = "1ms"
}
dataset "fake_data" "d" {
  thing     = setup.fake_thing.disk.id
  load_time = "1ms"
  noise     = "10%"
  rows      = 7
  bytes     = "1GB"
}
test "fake" "t" {
  thing      = setup.fake_thing.cache.id
  depends_on = [dataset.fake_data.d]
  throughput = "100MB/s"
  noise      = "5%"
  duration   = "1ms"
  repeat     = 2
}
test "fake" "flaky" {
  thing = setup.fake_thing.disk.id
  count = 3
  mode  = "flaky"
  retry {
    attempts = 2
  }
}
test "fake" "fails" {
  thing = setup.fake_thing.disk.id
  count = 1
  mode  = "fail"
  retry {
    attempts = 2
  }
}
setup "fake_thing" "bad" {
  fail = "create"
  retry {
    attempts = 2
  }
}
test "fake" "blocked" {
  thing = setup.fake_thing.bad.id
  count = 1
}
dataset "fake_data" "broken" {
  thing = setup.fake_thing.disk.id
  fail  = "load"
  retry {
    attempts = 2
  }
}
test "fake" "unread" {
  thing = dataset.fake_data.broken.id
  count = 1
}
`

// stuck has a thing that cannot be removed, and another that claims the same.
const stuck = `
matrix {
  axis "n" {
    values = ["1", "2"]
  }
}
setup "fake_thing" "stuck" {
  label  = matrix.n
  claims = ["tape"]
  fail   = matrix.n == "1" ? "destroy" : null
}
test "fake" "tape" {
  thing = setup.fake_thing.stuck.id
  count = 1
}
`

// anew has a test that changes its data, which are loaded anew for each repetition, and a thing that each repetition wants fresh.
const anew = `
setup "fake_thing" "disk" {
  create_time = "1ms"
}
setup "fake_thing" "array" {
  label = setup.fake_thing.disk.id
  fresh = true
}
dataset "fake_data" "orders" {
  thing     = setup.fake_thing.disk.id
  load_time = "1ms"
  rows      = 7
}
test "fake_update" "writes" {
  thing    = dataset.fake_data.orders.id
  count    = 1
  duration = "1ms"
  repeat   = 2
  reset    = "repetition"
}
test "fake" "rebuild" {
  thing    = setup.fake_thing.array.id
  count    = 1
  duration = "1ms"
  repeat   = 2
}
`

// joint has tests that start together, of which one fails once, so that both are tried again, and one that is never ready.
const joint = `
setup "fake_thing" "disk" {
  create_time = "1ms"
}
test "fake" "oltp" {
  thing     = setup.fake_thing.disk.id
  count     = 1
  duration  = "1ms"
  repeat    = 2
  alongside = [test.fake.scan]
  retry {
    attempts = 2
  }
}
test "fake" "scan" {
  thing    = setup.fake_thing.disk.id
  count    = 2
  duration = "1ms"
}
test "fake" "first" {
  thing     = setup.fake_thing.disk.id
  count     = 1
  alongside = [test.fake.second]
}
test "fake" "second" {
  thing = setup.fake_thing.disk.id
  count = 1
  mode  = "fail"
}
`

// watched has a test with monitors, of which one fails, and one that watches whatever runs.
const watched = `
setup "fake_thing" "agent" {
  create_time = "1ms"
}
test "fake" "copy" {
  throughput = "100MB/s"
  duration   = "1ms"
  repeat     = 2
}
test "fake" "once" {
  thing = setup.fake_thing.agent.id
  count = 1
}
monitor "fake" "io" {
  during = test.fake.copy
  thing  = setup.fake_thing.agent.id
  load   = "60%"
}
monitor "fake" "broken" {
  during = test.fake.copy
  load   = "1%"
  mode   = "fail"
}
monitor "fake" "machine" {
  load = "10%"
}
`

// rig carries a spec out again and again, each time in a new world, with crashes.
type rig struct {
	t    *testing.T
	src  map[string][]byte
	dir  string // of the world
	rec  *record.Record
	plan *plan.Plan
	set  *providers.Set
	hits map[string]int // of failpoints, over all runs
	wrap func(providers.Provider) providers.Provider
	// unwarned leaves out the warnings of the samples, where they are of how long something took.
	unwarned bool
}

// quiet is this machine without its facts, which take longer to read than the whole campaign.
type quiet struct{ host.Host }

func (quiet) Facts(context.Context) (map[string]string, error) { return map[string]string{}, nil }

func dialQuiet(ctx context.Context, address string) (host.Host, error) {
	h, err := host.Dial(ctx, address)
	return quiet{h}, err
}

// torn is a provider in whose calls a crash can come too.
type torn struct {
	providers.Provider
	hook func(string)
}

func (p torn) Prepare(ctx context.Context, req providers.ThingRequest, s providers.Sink) error {
	return p.Provider.Prepare(ctx, req, tornSink{s, p.hook})
}

func (p torn) Measure(ctx context.Context, req providers.MeasureRequest, g providers.Gate, s providers.Sink) error {
	return p.Provider.Measure(ctx, req, g, tornSink{s, p.hook})
}

func (p torn) Release(ctx context.Context, req providers.ThingRequest, s providers.Sink) error {
	return p.Provider.Release(ctx, req, tornSink{s, p.hook})
}

type tornSink struct {
	providers.Sink
	hook func(string)
}

func (s tornSink) Progress(share float64, text string) {
	s.hook("within")
	s.Sink.Progress(share, text)
}

func (s tornSink) Artifact(name string) (io.WriteCloser, error) {
	s.hook("within")
	return s.Sink.Artifact(name)
}

// memory is a directory in which syncing costs nothing, where there is one.
func memory(t *testing.T) string {
	t.Helper()
	base := "/dev/shm"
	if info, err := os.Stat(base); err != nil || !info.IsDir() {
		base = ""
	}
	dir, err := os.MkdirTemp(base, "assay-crash-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func newRig(t *testing.T, spec string) *rig {
	return &rig{t: t, src: map[string][]byte{"main.assay.hcl": []byte(spec)}, hits: map[string]int{}}
}

// crash says where a run ends as if the machine had lost its power; the zero value lets it go on to its end.
type crash struct {
	at        int // the number of the failpoint; 0: none
	interrupt int // the number of the failpoint at which a person asks to stop; 0: none
}

// begin makes a new world and a record for the campaign.
func (r *rig) begin() {
	r.t.Helper()
	r.dir = memory(r.t)
	r.plan = nil
	set := r.configure(func(string) {})
	built, diags, err := plan.Build(context.Background(), set, plan.Request{Sources: r.src, Path: "."})
	if err != nil || diags.HasErrors() {
		r.t.Fatal(err, diags)
	}
	r.plan, r.set = built.Plan, set
	raw, err := plan.Encode(r.plan)
	if err != nil {
		r.t.Fatal(err)
	}
	if r.rec, err = record.Create(filepath.Join(r.dir, "runs"), time.Now(), raw, r.src); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) configure(hook func(string)) *providers.Set {
	var p providers.Provider = torn{fake.New(), hook}
	if r.wrap != nil {
		p = r.wrap(p)
	}
	set, err := providers.NewSet(context.Background(), r.dir, p)
	if err == nil && r.plan != nil {
		err = plan.Configure(context.Background(), set, r.plan)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return set
}

// again opens the record after a crash; nothing of the memory of the run before is left.
func (r *rig) again() *record.State {
	r.t.Helper()
	rec, err := record.Open(r.rec.Dir)
	if err != nil {
		r.t.Fatal(err)
	}
	st, err := rec.Continue()
	if err != nil {
		r.t.Fatal(err)
	}
	r.rec = rec
	return st
}

// run goes on up to the crash, and reports how many failpoints there were.
func (r *rig) run(st *record.State, c crash) (points int, err error) {
	r.t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var mu sync.Mutex
	crashed := false
	hook := func(point string) {
		mu.Lock()
		defer mu.Unlock()
		if !crashed {
			points++
			r.hits[point]++
			if points == c.interrupt {
				cancel(run.ErrInterrupted)
			}
			crashed = points == c.at
		}
		if crashed {
			cancel(errors.New("crash"))
			runtime.Goexit()
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = run.Run(ctx, run.Options{Plan: r.plan, Set: r.configure(hook), Record: r.rec, Dial: dialQuiet, Resume: st, Hook: hook})
	}()
	<-done
	if crashed {
		_ = r.rec.CloseJournal() // as the kernel does
	}
	return points, err
}

// outcome is all that a run leaves which must not depend on crashes.
type outcome struct {
	Samples  []measure.Sample
	Standing []string
}

func (r *rig) outcome(generations bool) outcome {
	r.t.Helper()
	derived, err := derive.All(context.Background(), r.rec, r.plan, r.set)
	if err != nil {
		r.t.Fatal(err)
	}
	samples := derived.Samples
	for i := range samples {
		s := &samples[i]
		s.Attempt, s.Artifacts = 0, nil
		if !generations {
			s.Generation = 0
		}
		if r.unwarned {
			s.Warnings = nil
		}
	}
	st, err := r.rec.State()
	if err != nil {
		r.t.Fatal(err)
	}
	if !st.Finished {
		r.t.Errorf("the run is not finished: %+v", st)
	}
	for _, step := range r.plan.Steps { // attempts that were interrupted do not count, all others do
		if n := st.Step(step.ID).Failures; step.Action == plan.RunTest && n > 1 {
			r.t.Errorf("%s failed %d times before its last attempt, and has 2", step.Address, n)
		}
	}
	out := outcome{Samples: samples}
	files, err := filepath.Glob(filepath.Join(r.dir, ".assay", "fake", "*.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range files {
		out.Standing = append(out.Standing, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	for id := range st.Things {
		out.Standing = append(out.Standing, id)
	}
	slices.Sort(out.Standing)
	if _, diffs, err := r.rec.Verify(); err != nil || len(diffs) > 0 {
		r.t.Errorf("the record is not sealed: %v %v", err, diffs)
	}
	return out
}

// check compares with a run that nothing disturbed.
func (r *rig) check(what string, want outcome, generations bool) {
	r.t.Helper()
	if d := cmp.Diff(want, r.outcome(generations)); d != "" {
		raw, _ := r.rec.Read(record.JournalFile)
		r.t.Fatalf("after %s it ends otherwise (-undisturbed +resumed):\n%s\n%s", what, d, raw)
	}
}

// TestCrash crashes at every failpoint in turn, and at another one while the run is gone on with. However that is, it ends as if nothing
// had happened, and every failpoint was hit.
func TestCrash(t *testing.T) {
	r := newRig(t, campaign)
	want, points := r.undisturbed(true)
	if len(want.Samples) < 10 || points < 150 {
		t.Fatalf("the campaign is not what it should be, with %d failpoints: %+v", points, want)
	}
	crashes := r.everywhere(want, points, 1, true)
	want.Samples = withoutGenerations(want.Samples) // what was taken away is made again
	crashes += r.interrupted(want, points)
	crashes += r.stuck()

	fresh := newRig(t, anew)
	fresh.hits = r.hits
	want, points = fresh.undisturbed(false)
	crashes += fresh.everywhere(want, points, 2, false)

	together := newRig(t, joint)
	together.hits, together.unwarned = r.hits, true
	want, points = together.undisturbed(true)
	crashes += together.everywhere(want, points, 1, true)

	monitored := newRig(t, watched)
	monitored.hits, monitored.unwarned = r.hits, true
	want, points = monitored.undisturbed(true)
	if len(want.Samples) < 8 {
		t.Fatalf("not all monitors have samples: %+v", want)
	}
	crashes += monitored.everywhere(want, points, 1, true)

	for _, p := range run.Failpoints() {
		if r.hits[p] == 0 {
			t.Errorf("no run came by the failpoint %q", p)
		}
	}
	t.Logf("%d crashes", crashes)
}

// undisturbed carries the campaign out to its end.
func (r *rig) undisturbed(generations bool) (outcome, int) {
	r.t.Helper()
	r.begin()
	points, err := r.run(nil, crash{})
	if err != nil {
		r.t.Fatal(err)
	}
	want := r.outcome(generations)
	if len(want.Standing) > 0 {
		r.t.Fatalf("%v are left", want.Standing)
	}
	return want, points
}

// everywhere crashes at every so many-th failpoint.
func (r *rig) everywhere(want outcome, points, step int, generations bool) (crashes int) {
	r.t.Helper()
	for at := 1; at <= points; at += step {
		r.begin()
		if n, err := r.run(nil, crash{at: at}); err != nil || n != at {
			r.t.Fatalf("%v, %d failpoints of %d", err, n, at)
		}
		what := fmt.Sprintf("a crash at failpoint %d", at)
		if at/step%2 == 0 { // once more, somewhere in the rest
			second := 1 + (at*7919)%max(1, points-at+8)
			if _, err := r.run(r.again(), crash{at: second}); err != nil {
				r.t.Fatal(err)
			}
			what += fmt.Sprintf(" and another %d later", second)
			crashes++
		}
		if _, err := r.run(r.again(), crash{}); err != nil {
			r.t.Fatalf("after %s: %v", what, err)
		}
		crashes++
		r.check(what, want, generations)
	}
	return crashes
}

// interrupted has a person stop the run at every fifth failpoint, and a crash in the tear-down, or none.
func (r *rig) interrupted(want outcome, points int) (crashes int) {
	r.t.Helper()
	for at := 1; at <= points; at += 5 {
		r.begin()
		_, err := r.run(nil, crash{interrupt: at, at: at + (at*31)%40})
		if err != nil && !errors.Is(err, run.ErrInterrupted) {
			r.t.Fatal(err)
		}
		what := fmt.Sprintf("an interruption at failpoint %d", at)
		if st, err := r.rec.State(); err != nil || st.Finished && st.Interrupted {
			r.t.Fatalf("after %s: %+v %v", what, st, err)
		}
		if _, err := r.run(r.again(), crash{}); err != nil {
			r.t.Fatalf("after %s: %v", what, err)
		}
		crashes++
		r.check(what, want, false)
	}
	return crashes
}

func withoutGenerations(samples []measure.Sample) []measure.Sample {
	out := slices.Clone(samples)
	for i := range out {
		out[i].Generation = 0
	}
	return out
}

// stuck crashes a run with a thing that cannot be removed: it is the one that is left, and what claims the same is never touched.
func (r *rig) stuck() (crashes int) {
	r.t.Helper()
	s := newRig(r.t, stuck)
	s.hits = r.hits
	s.begin()
	points, err := s.run(nil, crash{})
	if err != nil {
		r.t.Fatal(err)
	}
	for at := 1; at <= points; at++ {
		s.begin()
		if _, err := s.run(nil, crash{at: at}); err != nil {
			r.t.Fatal(err)
		}
		if _, err := s.run(s.again(), crash{}); err != nil {
			r.t.Fatal(err)
		}
		crashes++
		got := s.outcome(true)
		if len(got.Samples) != 2 || got.Samples[1].Outcome != measure.Blocked || len(got.Standing) != 2 {
			r.t.Fatalf("after a crash at failpoint %d: %+v", at, got)
		}
		if o := got.Samples[0].Outcome; o != measure.OK && o != measure.Blocked { // blocked, where it was partial after the crash
			r.t.Fatalf("after a crash at failpoint %d: %+v", at, got)
		}
	}
	return crashes
}
