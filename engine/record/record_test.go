package record

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers/measure"
)

// newRecord makes a record with two steps, one of them with artifacts, ended and sealed.
func newRecord(t *testing.T) *Record {
	t.Helper()
	r, err := Create(t.TempDir(), time.Now(), []byte("{}\n"), map[string][]byte{"specs/x/main.assay.hcl": []byte("spec {}\n")})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kind{Begin, Intent} {
		if _, err := r.Append(Event{Event: k}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := r.Attempt("s1", 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.Artifact("fio.stdout")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a.Exit(measure.Exit{Name: "fio", Argv: []string{"fio"}, Code: 3})
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(Event{Event: End}); err != nil {
		t.Fatal(err)
	}
	if err := r.CloseJournal(); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteManifest(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJournal(t *testing.T) {
	r := newRecord(t)
	events, err := r.Events()
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 3 || events[0].Seq != 1 || events[2].Seq != 3 || events[2].Event != End || events[0].Time.IsZero() {
		t.Fatalf("events: %+v", events)
	}

	path := filepath.Join(r.Dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < 30; cut++ { // a crash tears the last line anywhere
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o644); err != nil {
			t.Fatal(err)
		}
		events, err := r.Events()
		want := 2
		if cut == 1 { // only the newline is missing: the event is whole
			want = 3
		}
		if err != nil || len(events) != want {
			t.Fatalf("cut %d: %d events, %v", cut, len(events), err)
		}
	}
	lines := strings.SplitAfter(string(whole), "\n")
	torn := lines[0] + lines[1][:10] + "\n" + lines[2] // any other torn line is an error that names it
	if err := os.WriteFile(path, []byte(torn), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Events(); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Fatalf("a torn line in the middle: %v", err)
	}
	newer := strings.Replace(lines[0], `"format_version":1`, `"format_version":99`, 1)
	if err := os.WriteFile(path, []byte(newer), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Events(); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Fatalf("a newer journal: %v", err)
	}
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, r *Record)
		want   string // part of the only difference; empty: none
	}{
		{"untouched", func(*testing.T, *Record) {}, ""},
		{"derived files do not count", func(t *testing.T, r *Record) {
			write(t, filepath.Join(r.Dir, SamplesFile), "x")
			if err := os.MkdirAll(filepath.Join(r.Dir, ReportDir), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(r.Dir, ReportDir, "report.md"), "x")
			if err := r.WriteSeries(map[string][]byte{"a.parquet": []byte("x")}); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"artifact edited", func(t *testing.T, r *Record) {
			write(t, filepath.Join(r.Dir, "artifacts/s1/1/fio.stdout"), "{ }")
		}, "artifacts/s1/1/fio.stdout is not as the run left it"},
		{"exit status edited", func(t *testing.T, r *Record) {
			write(t, filepath.Join(r.Dir, "artifacts/s1/1/exits.json"), "[]")
		}, "artifacts/s1/1/exits.json is not as the run left it"},
		{"spec gone", func(t *testing.T, r *Record) {
			if err := os.Remove(filepath.Join(r.Dir, "spec/main.assay.hcl")); err != nil {
				t.Fatal(err)
			}
		}, "spec/main.assay.hcl is in the manifest, and is gone"},
		{"file added", func(t *testing.T, r *Record) {
			write(t, filepath.Join(r.Dir, "artifacts/s1/1/other"), "")
		}, "artifacts/s1/1/other is not in the manifest"},
		{"no manifest", func(t *testing.T, r *Record) {
			if err := os.Remove(filepath.Join(r.Dir, ManifestFile)); err != nil {
				t.Fatal(err)
			}
		}, "did not come to its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecord(t)
			c.change(t, r)
			_, diffs, err := r.Verify()
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(diffs) > 0 || c.want != "" && (len(diffs) != 1 || !strings.Contains(diffs[0], c.want)) {
				t.Fatalf("differences %q, want %q", diffs, c.want)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestArtifacts(t *testing.T) {
	r := newRecord(t)
	files, exits, err := r.Artifacts("s1", 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Name != "fio.stdout" || string(files[0].Data) != "{}" || len(exits) != 1 || exits[0].Code != 3 {
		t.Fatalf("%+v %+v", files, exits)
	}
	a, err := r.Attempt("s1", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"fio.stdout", "exits.json", "../plan.json", "a/b", "", "..", ".hidden", "日志"} {
		if w, err := a.Artifact(bad); err == nil {
			w.Close()
			t.Errorf("artifact %q was made: raw output must not be written over, nor outside of its folder", bad)
		}
	}
}

// TestLogArtifacts: a log is not read whole, but named as a file, and it is copied and hashed all the same.
func TestLogArtifacts(t *testing.T) {
	r, other := newRecord(t), newRecord(t)
	a, err := r.Attempt("s9", 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.Artifact("fio.bw.log")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "1000, 5, 0\n"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), a.Commit()); err != nil {
		t.Fatal(err)
	}
	if err := other.CopyArtifacts("s3", 1, r, "s9", 1); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		r    *Record
		step string
	}{{r, "s9"}, {other, "s3"}} {
		files, _, err := of.r.Artifacts(of.step, 1)
		if err != nil || len(files) != 1 || files[0].Data != nil || !filepath.IsAbs(files[0].File) {
			t.Fatalf("%+v, %v", files, err)
		}
		in, err := files[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil || string(raw) != "1000, 5, 0\n" {
			t.Errorf("%q, %v", raw, err)
		}
	}
	if err := r.WriteManifest(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "artifacts", "s9", "1", "fio.bw.log"), []byte("1000, 6, 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, differences, err := r.Verify(); err != nil || len(differences) != 1 || !strings.Contains(differences[0], "fio.bw.log") {
		t.Errorf("%v, %v", differences, err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for range 3 {
		r, err := Create(dir, time.Now(), []byte("{}"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.CloseJournal(); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
		time.Sleep(2 * time.Millisecond) // ids order by their time, to the millisecond
	}
	for _, c := range []struct{ run, want, err string }{
		{"latest", ids[2], ""},
		{ids[0], ids[0], ""},
		{ids[1][len(ids[1])-6:], ids[1], ""},
		{filepath.Join(dir, ids[1]), ids[1], ""},
		{"20", "", "means 3 runs"},
		{"nothing", "", "there is no run"},
	} {
		r, err := Find(dir, c.run)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %s", c.run, err, c.err)
		case c.err == "" && (err != nil || r.ID != c.want):
			t.Errorf("%s: %v %v, want %s", c.run, r, err, c.want)
		}
	}
	if _, err := Find(t.TempDir(), "latest"); err == nil || !strings.Contains(err.Error(), "holds no runs") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestSeries(t *testing.T) {
	r := newRecord(t)
	if files, err := r.ReadSeries(); err != nil || len(files) != 0 {
		t.Fatalf("a new record: %v, %v", files, err)
	}
	for _, files := range []map[string][]byte{{"a": []byte("1"), "b": []byte("2")}, {"b": []byte("3")}, {}} {
		if err := r.WriteSeries(files); err != nil {
			t.Fatal(err)
		}
		if got, err := r.ReadSeries(); err != nil || !maps.EqualFunc(got, files, bytes.Equal) {
			t.Errorf("%v was written, and %v is read: %v", files, got, err)
		}
	}
}
