package standing_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/standing"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

func kept(id, outputs string) plan.Kept {
	return plan.Kept{
		Thing: plan.Thing{ID: id, Kind: "dataset", Type: "fake_data", Hosts: []string{""}, Addresses: []string{"dataset.fake_data.w"}, Outputs: json.RawMessage(outputs)},
		Run:   "20260102T030405.000Z-abcdef", Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Sample: &measure.Sample{Outcome: measure.OK, Values: []measure.Value{{Measure: "rows", Value: 10}}},
	}
}

func ids(t *testing.T, r *standing.Registry) string {
	t.Helper()
	list, err := r.List()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, k := range list {
		out = append(out, k.Thing.ID)
	}
	return strings.Join(out, " ")
}

func TestRegistry(t *testing.T) {
	r := &standing.Registry{Dir: filepath.Join(t.TempDir(), ".assay", "standing")}
	if got := ids(t, r); got != "" {
		t.Errorf("a folder that is not there holds %q", got)
	}
	if err := r.Remove("fake_data-1"); err != nil {
		t.Error(err)
	}
	for _, k := range []plan.Kept{kept("fake_data-2", `{"id":"b"}`), kept("fake_data-1", `{"id":"a"}`), kept("fake_data-3", `{}`), kept("fake_data-4", `{}`)} {
		if err := r.Put(k); err != nil {
			t.Fatal(err)
		}
	}
	if got := ids(t, r); got != "fake_data-1 fake_data-2 fake_data-3 fake_data-4" {
		t.Errorf("the registry holds %s", got)
	}
	got, err := r.Get("fake_data-1")
	if err != nil {
		t.Fatal(err)
	}
	want := kept("fake_data-1", "")
	got.Thing.Outputs, got.Thing.Config = want.Thing.Outputs, nil // laid out otherwise
	if d := cmp.Diff(&want, got); d != "" {
		t.Error(d)
	}
	// What promises the same stands in its place now.
	if err := r.Put(kept("fake_data-5", `{ "id": "b" }`)); err != nil {
		t.Fatal(err)
	}
	if err := r.Remove("fake_data-1"); err != nil {
		t.Fatal(err)
	}
	if got := ids(t, r); got != "fake_data-3 fake_data-4 fake_data-5" {
		t.Errorf("the registry holds %s", got)
	}
	entries, err := os.ReadDir(r.Dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

func TestBadEntries(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"rubbish":         {"x", "is not an entry of what stands"},
		"another version": {`{"format_version": 9}`, "has format version 9"},
		"renamed":         {`{"format_version": 1, "thing": {"id": "fake_data-2"}}`, "it was renamed"},
	} {
		r := &standing.Registry{Dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(r.Dir, "fake_data-1.json"), []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := r.List(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	r := &standing.Registry{Dir: t.TempDir()}
	for _, id := range []string{"", "../x", ".x", "a/b"} {
		if _, err := r.Get(id); err == nil {
			t.Errorf("%q is taken as an id", id)
		}
		if r.Remove(id) == nil || r.Put(kept(id, "{}")) == nil {
			t.Errorf("%q is taken as an id", id)
		}
	}
}
