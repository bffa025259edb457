package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/measure"
)

// liar is the fake provider, whose loads say nothing of how they ended.
type liar struct{ providers.Provider }

func (l liar) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	return l.Provider.Prepare(ctx, req, silent{sink})
}

type silent struct{ providers.Sink }

func (silent) Exit(measure.Exit) {}

const loading = `
setup "fake_thing" "array" {}
dataset "fake_data" "d" {
  thing     = setup.fake_thing.array.id
  load_time = "1ms"
  retry {
    attempts = 2
  }
}
test "fake" "t" {
  thing = dataset.fake_data.d.id
  count = 1
}
`

// TestLoad: a load leaves its sample between what it made and what stands on it, with all that is below it.
func TestLoad(t *testing.T) {
	b := carryOut(t, context.Background(), loading, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	want(t, b.outcomes(), map[string]measure.Outcome{"dataset.fake_data.d#1": measure.OK, "test.fake.t#1": measure.OK})
	var story []string
	for _, e := range b.events {
		if e.Step != "" {
			story = append(story, string(e.Event)+" "+e.Action)
		}
		if e.Event == record.SampleDone && e.Action == "load" {
			if !e.Parsed || e.Generation != 1 || e.Attempt != 1 || len(e.Things) != 1 || !strings.HasPrefix(e.Things[0], "fake_thing-") {
				t.Errorf("the sample of the load is %+v", e)
			}
		}
	}
	const whole = "intent create, done create, intent load, done load, sample load, intent run, sample run, intent destroy, done destroy, intent destroy, done destroy"
	if got := strings.Join(story, ", "); got != whole {
		t.Errorf("the journal tells\n%s, want\n%s", got, whole)
	}
}

// TestLoadWithoutSample: what Parse finds no sample in was not loaded, whatever Prepare said.
func TestLoadWithoutSample(t *testing.T) {
	b := carryOutWith(t, context.Background(), []providers.Provider{liar{fake.New()}}, loading, nil)
	if b.err != nil {
		t.Fatal(b.err)
	}
	want(t, b.outcomes(), map[string]measure.Outcome{"dataset.fake_data.d#1": measure.Failed, "test.fake.t#1": measure.Blocked})
	failed := 0
	for _, e := range b.events {
		if e.Event == record.Done && e.Action == "load" {
			t.Error("the load counts as done")
		}
		if e.Event == record.FailedStep && e.Action == "load" {
			failed++
		}
	}
	if failed != 2 {
		t.Errorf("%d attempts have failed, want both", failed)
	}
	if n := len(b.standing()); n != 0 {
		t.Errorf("%d things still stand", n)
	}
}

// TestCancelLoad: an interrupted load has no sample, and leaves nothing.
func TestCancelLoad(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	b := carryOut(t, ctx, strings.Replace(loading, `"1ms"`, `"1h"`, 1), func(e record.Event) {
		if e.Event == record.Progress && e.Action == "load" {
			cancel(run.ErrInterrupted)
		}
	})
	if !errors.Is(b.err, run.ErrInterrupted) {
		t.Fatal(b.err)
	}
	if got := b.outcomes(); len(got) != 0 {
		t.Errorf("samples %v, want none", got)
	}
	if n := len(b.standing()); n != 0 {
		t.Errorf("%d things still stand", n)
	}
}
