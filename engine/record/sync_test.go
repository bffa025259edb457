package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers/measure"
)

// synced notes which files come on the disk, by their names in the folder of all runs.
type synced struct {
	base  string
	names []string
}

func (s *synced) sync(f *os.File) error {
	name, err := filepath.Rel(s.base, f.Name())
	if err != nil {
		return err
	}
	s.names = append(s.names, name)
	return f.Sync()
}

// take gives what came on the disk since it was last asked, with the run's id and the names of temporary files left out.
func (s *synced) take(id string) []string {
	var out []string
	for _, n := range s.names {
		n = strings.ReplaceAll(n, id, "RUN")
		if i := strings.Index(n, ".tmp-"); i >= 0 {
			n = n[:i] + "TMP"
		}
		out = append(out, n)
	}
	s.names = nil
	return out
}

// TestSync: what an event says is on the disk before what it announces begins, and every file with the folders that lead to it.
func TestSync(t *testing.T) {
	base := t.TempDir()
	s := &synced{base: base}
	r, err := create(filepath.Join(base, "runs"), time.Now(), []byte("{}"), map[string][]byte{"a": nil}, s.sync)
	if err != nil {
		t.Fatal(err)
	}
	want := func(what string, want ...string) {
		t.Helper()
		if got := s.take(r.ID); !slices.Equal(got, want) {
			t.Errorf("%s put on the disk %q, want %q", what, got, want)
		}
	}
	want("making the record", "runs/RUN/spec/TMP", "runs/RUN/spec", "runs/RUN/TMP", "runs/RUN", "runs", ".")
	if _, err := r.Append(Event{Event: Begin}); err != nil {
		t.Fatal(err)
	}
	want("an event", "runs/RUN/journal.jsonl")
	a, err := r.Attempt("s1", 2)
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.Artifact("fio.stdout")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want("an artifact", "runs/RUN/artifacts/s1/2/fio.stdout")
	a.Exit(measure.Exit{})
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	want("its commit", "runs/RUN/artifacts/s1/2/TMP", "runs/RUN/artifacts/s1/2", "runs/RUN/artifacts/s1", "runs/RUN/artifacts", "runs/RUN")
	if err := r.WriteFacts(nil); err != nil {
		t.Fatal(err)
	}
	want("the facts", "runs/RUN/TMP", "runs/RUN")
	if err := r.CloseJournal(); err != nil {
		t.Fatal(err)
	}
	r.sync = (*os.File).Sync
	if _, err := r.Continue(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(Event{Event: Resume}); err != nil {
		t.Fatal(err)
	}
}

// failing is a disk that takes no more.
func failing(*os.File) error { return os.ErrDeadlineExceeded }

// TestSyncFails: after a write that may have come to nothing no further line is written, and what was not whole is taken away.
func TestSyncFails(t *testing.T) {
	r, err := Create(t.TempDir(), time.Now(), []byte("{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(Event{Event: Begin}); err != nil {
		t.Fatal(err)
	}
	a, err := r.Attempt("s1", 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.Artifact("out")
	if err != nil {
		t.Fatal(err)
	}
	r.sync, a.sync = failing, failing
	if err := w.Close(); err == nil {
		t.Error("an artifact that does not come on the disk is closed without an error")
	}
	a.sync = (*os.File).Sync
	if err := a.Commit(); err == nil {
		t.Error("an attempt of which an artifact is not on the disk is committed")
	}
	if _, err := r.Append(Event{Event: Intent}); err == nil {
		t.Error("an event that does not come on the disk counts as written")
	}
	r.sync = (*os.File).Sync
	if _, err := r.Append(Event{Event: Intent}); err == nil {
		t.Error("an event is written after one that may be lost")
	}
	if err := r.CloseJournal(); err != nil {
		t.Fatal(err)
	}
	if events, err := r.Events(); err != nil || len(events) != 1 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// TestClock: a clock that was set back makes no run seem older than the one before.
func TestClock(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var ids []string
	for _, at := range []time.Time{now, now.Add(-10 * 365 * 24 * time.Hour), now, now.Add(time.Hour)} {
		r, err := Create(dir, at, []byte("{}"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.CloseJournal(); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("the ids are not in the order of the runs: %q", ids)
	}
	if latest, err := Find(dir, "latest"); err != nil || latest.ID != ids[3] {
		t.Errorf("the latest is %v, want %s: %v", latest, ids[3], err)
	}
}
