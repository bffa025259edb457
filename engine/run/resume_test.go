package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
)

const stack = `
setup "fake_thing" "array" {
  erase = true
}
setup "fake_thing" "volume" {
  label = setup.fake_thing.array.id
}
test "fake" "t" {
  thing  = setup.fake_thing.volume.id
  count  = 1
  repeat = 2
}
`

// found is the fake provider, of which one thing is found in a way that files cannot be in.
type found struct {
	providers.Provider
	name     string
	standing providers.Standing
	asked    *[]providers.ThingRequest // to prepare it
	fail     error                     // of Prepare
}

func (f found) is(a addr.Instance) bool { return a.Name == f.name }

func (f found) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	if f.is(req.Address) {
		return &providers.InspectResponse{Standing: f.standing, Detail: "as the test says"}, nil
	}
	return f.Provider.Inspect(ctx, req)
}

func (f found) Prepare(ctx context.Context, req providers.ThingRequest, s providers.Sink) error {
	if f.is(req.Address) {
		*f.asked = append(*f.asked, req)
		if f.fail != nil {
			return f.fail
		}
	}
	return f.Provider.Prepare(ctx, req, s)
}

// TestFound goes on with a run that was cut off after its first repetition, and in which the array is found otherwise than it was left.
func TestFound(t *testing.T) {
	for _, c := range []struct {
		name     string
		standing providers.Standing
		fail     error
		prepared int
		events   string // of the array and the volume, up to the next repetition
		outcomes string
		left     int
	}{
		{"dormant, as after a reboot", providers.Dormant, nil, 1,
			"resume, intent wake array, done wake array, adopt array, adopt volume", "ok ok", 0},
		{"dormant for good", providers.Dormant, context.DeadlineExceeded, 1,
			"resume, intent wake array, failed wake array, intent destroy volume, done destroy volume", "ok blocked", 0},
		{"gone", providers.Absent, nil, 1,
			"resume, gone array, intent destroy volume, done destroy volume, intent create array, done create array, intent create volume, done create volume", "ok ok", 0},
		{"foreign", providers.Foreign, nil, 0,
			"resume, quarantine array, intent destroy volume, done destroy volume", "ok blocked", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, stack)
			r.begin()
			for at := 1; ; at++ { // up to the first sample
				if _, err := r.run(nil, crash{at: at}); err != nil {
					t.Fatal(err)
				}
				if st, err := r.rec.State(); err == nil && st.Step("s3").Sample != nil {
					break
				}
				r.begin()
			}
			var asked []providers.ThingRequest
			r.wrap = func(p providers.Provider) providers.Provider {
				return found{p, "array", c.standing, &asked, c.fail}
			}
			if _, err := r.run(r.again(), crash{}); err != nil {
				t.Fatal(err)
			}
			if len(asked) != c.prepared || c.standing == providers.Dormant && asked[0].Erase {
				t.Errorf("it was prepared %d times, want %d: %+v", len(asked), c.prepared, asked)
			}
			events, err := r.rec.Events()
			if err != nil {
				t.Fatal(err)
			}
			var story, outcomes []string
			at := slices.IndexFunc(events, func(e record.Event) bool { return e.Event == record.Resume })
			for i, e := range events {
				if e.Event == record.SampleDone {
					outcomes = append(outcomes, string(e.Outcome))
				}
				if i < at || e.Event == record.SampleDone || e.Action == "run" || len(outcomes) == 2 || e.Event == record.Blocked {
					continue
				}
				words := []string{string(e.Event), e.Action, e.Address[strings.LastIndexByte(e.Address, '.')+1:]}
				story = append(story, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
			}
			if got := strings.Join(story, ", "); got != c.events {
				t.Errorf("the journal tells\n%s, want\n%s", got, c.events)
			}
			if got := strings.Join(outcomes, " "); got != c.outcomes {
				t.Errorf("outcomes %q, want %q", got, c.outcomes)
			}
			if got := r.outcome(true).Standing; len(got) != c.left {
				t.Errorf("%v are left, want %d", got, c.left)
			}
		})
	}
}

// TestReloaded: data that are gone when the run goes on are loaded again, as a new generation; their first load keeps its sample.
func TestReloaded(t *testing.T) {
	r := newRig(t, loading)
	r.begin()
	for at := 1; ; at++ {
		if _, err := r.run(nil, crash{at: at}); err != nil {
			t.Fatal(err)
		}
		if st, err := r.rec.State(); err == nil && st.Step("s2").Sample != nil {
			break
		}
		r.begin()
	}
	r.wrap = func(p providers.Provider) providers.Provider {
		return found{p, "d", providers.Absent, new([]providers.ThingRequest), nil}
	}
	if _, err := r.run(r.again(), crash{}); err != nil {
		t.Fatal(err)
	}
	generations := map[string]int{}
	for _, s := range r.outcome(true).Samples {
		generations[s.Address] = s.Generation
	}
	want(t, generations, map[string]int{"dataset.fake_data.d": 1, "test.fake.t": 2})
}

// TestAbove: what is below a thing that cannot be removed is left too.
func TestAbove(t *testing.T) {
	b := carryOut(t, context.Background(), `
setup "fake_thing" "lower" {}
setup "fake_thing" "upper" {
  label = setup.fake_thing.lower.id
  fail  = "destroy"
}
test "fake" "t" {
  thing = setup.fake_thing.upper.id
  count = 1
}
`, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	for _, e := range b.events {
		if e.Event == record.Intent && e.Action == "destroy" && e.Address == "setup.fake_thing.lower" {
			t.Error("what carries a thing that could not be removed was touched")
		}
	}
	if !b.has(record.Quarantine, "setup.fake_thing.lower could not be removed") || len(b.standing()) != 2 {
		t.Errorf("%v stand, and the journal does not say why", b.standing())
	}
}
