package run_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/host"
)

// real is a provider that claims things on hosts.
type real struct{ providers.Provider }

func (real) Schema(context.Context) (*schema.Provider, error) {
	return &schema.Provider{Name: "real", Setups: []schema.Type{{Name: "disk"}}, Tests: []schema.Type{{Name: "load"}}}, nil
}

// lockable makes options for a run whose thing and test claim these, with locks in dir.
func lockable(t *testing.T, dir, runs string, things, tests []string) run.LockOptions {
	t.Helper()
	set, err := providers.NewSet(context.Background(), t.TempDir(), real{fake.New()})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Create(runs, time.Now(), []byte("{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return run.LockOptions{
		Plan: &plan.Plan{
			Things: []plan.Thing{{ID: rec.ID, Kind: "setup", Type: "disk", Hosts: []string{""}, Claims: things}},
			Tests:  []plan.Test{{Type: "load", Hosts: []string{""}, Claims: tests}},
		},
		Set: set, Record: rec, Dial: host.Dial, HostDir: dir, WorkDir: t.TempDir(),
	}
}

// claims reads which claims are locked, and by which run.
func claims(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var l struct{ Claim, Run string }
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(f, err)
		}
		if !strings.HasPrefix(l.Claim, "thing:") {
			out[l.Claim] = l.Run
		}
	}
	return out
}

func TestLock(t *testing.T) {
	ctx, dir, runs := context.Background(), filepath.Join(t.TempDir(), "locks"), t.TempDir()
	a := lockable(t, dir, runs, []string{"disk:1", "disk:2"}, []string{"host::io"})
	b := lockable(t, dir, runs, []string{"disk:0", "disk:2"}, nil)
	if _, err := run.Lock(ctx, a); err != nil {
		t.Fatal(err)
	}
	want(t, claims(t, dir), map[string]string{"disk:1": a.Record.ID, "disk:2": a.Record.ID, "host::io": a.Record.ID})

	// Another run gets all or nothing, and is told who has what it lacks.
	refused := func(text string) {
		t.Helper()
		if _, err := run.Lock(ctx, b); err == nil || !strings.Contains(err.Error(), "disk:2 on this machine belongs to run "+a.Record.ID) || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want %s", err, text)
		}
		if claims(t, dir)["disk:0"] != "" {
			t.Error("a run that was refused left a lock")
		}
	}
	refused("which still goes on: wait")
	if err := a.Record.CloseJournal(); err != nil { // it was killed
		t.Fatal(err)
	}
	refused("`assay destroy " + a.Record.Dir + "`")

	// Gone on with, it has its own claims still, and gives back those of what is gone.
	mine, err := run.Lock(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Release(ctx, []*plan.Thing{&a.Plan.Things[0]}); err != nil {
		t.Fatal(err)
	}
	want(t, claims(t, dir), map[string]string{"disk:1": a.Record.ID, "disk:2": a.Record.ID})
	if err := run.Unlock(ctx, b); err != nil { // touches only its own
		t.Fatal(err)
	}
	refused("destroy")

	// Its record is lost: what is to be done by hand is said.
	if err := os.RemoveAll(a.Record.Dir); err != nil {
		t.Fatal(err)
	}
	refused("remove " + dir)
	if err := run.Unlock(ctx, a); err != nil {
		t.Fatal(err)
	}
	theirs, err := run.Lock(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := theirs.Release(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// TestLockTorn: what is no lock is not taken for none.
func TestLockTorn(t *testing.T) {
	dir := t.TempDir()
	a := lockable(t, dir, t.TempDir(), []string{"disk:1"}, nil)
	if _, err := run.Lock(context.Background(), a); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run.Lock(context.Background(), a); err == nil || !strings.Contains(err.Error(), "is no lock that this assay understands") {
		t.Errorf("error %v", err)
	}
}

// TestLockRace: of many runs that want the same at the same time, one gets it.
func TestLockRace(t *testing.T) {
	dir, runs := t.TempDir(), t.TempDir()
	var wg sync.WaitGroup
	got := make([]bool, 12)
	for i := range got {
		o := lockable(t, dir, runs, []string{"disk:1", "disk:2", "disk:3"}, nil)
		wg.Go(func() {
			_, err := run.Lock(context.Background(), o)
			got[i] = err == nil
		})
	}
	wg.Wait()
	n := len(slices.DeleteFunc(got, func(ok bool) bool { return !ok }))
	if held := claims(t, dir); n != 1 || len(held) != 3 {
		t.Errorf("%d runs got it; held are %v", n, held)
	}
}

// TestLockLeftOver: what a crash left of a lock that was just being taken goes with the run's locks, and when it is unlocked; what is of
// another run stays.
func TestLockLeftOver(t *testing.T) {
	for name, end := range map[string]func(run.LockOptions) error{
		"released": func(o run.LockOptions) error {
			l, err := run.Lock(t.Context(), o)
			if err != nil {
				return err
			}
			return l.Release(t.Context(), nil)
		},
		"unlocked": func(o run.LockOptions) error { return run.Unlock(t.Context(), o) },
	} {
		dir := t.TempDir()
		o := lockable(t, dir, t.TempDir(), []string{"disk:1"}, nil)
		mine := filepath.Join(dir, "assay-lock-0011223344556677.json."+o.Record.ID)
		other := filepath.Join(dir, "assay-lock-0011223344556677.json.20260101T000000.000Z-abcdef")
		for _, f := range []string{mine, mine + ".123.tmp", other} {
			if err := os.WriteFile(f, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := end(o); err != nil {
			t.Fatal(name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); !slices.Equal(left, []string{other}) {
			t.Errorf("%s: left %q", name, left)
		}
	}
}
