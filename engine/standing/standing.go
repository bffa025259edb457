// Package standing is the registry of what runs have left standing in a working directory: one file for each kept thing, from which a
// later plan finds it again. It knows files; whether the thing still stands its provider says, and what to do with it the plan.
package standing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
)

// FormatVersion is the version of the entries' form.
const FormatVersion = 1

// Registry is a folder of entries. It need not exist before the first Put. Its methods may be called concurrently for different things.
type Registry struct {
	Dir string
}

type entry struct {
	FormatVersion int `json:"format_version"`
	plan.Kept
}

const extension = ".json"

func (r *Registry) path(id string) (string, error) {
	if id == "" || id != filepath.Base(id) || strings.HasPrefix(id, ".") {
		return "", fmt.Errorf("%q is not the id of a thing", id)
	}
	return filepath.Join(r.Dir, id+extension), nil
}

// List gives all entries, sorted by id. A folder that is not there holds none.
func (r *Registry) List() ([]plan.Kept, error) {
	entries, err := os.ReadDir(r.Dir) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what stands: %w", err)
	}
	var out []plan.Kept
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), extension)
		if !ok || strings.HasPrefix(id, ".") {
			continue
		}
		k, err := r.Get(id)
		if err != nil {
			return nil, err
		}
		if k != nil {
			out = append(out, *k)
		}
	}
	return out, nil
}

// Get reads the entry of a thing; nil where there is none.
func (r *Registry) Get(id string) (*plan.Kept, error) {
	path, err := r.path(id)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what stands: %w", err)
	}
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("%s is not an entry of what stands: %w", path, err)
	}
	switch {
	case e.FormatVersion != FormatVersion:
		return nil, fmt.Errorf("%s has format version %d; this assay reads %d", path, e.FormatVersion, FormatVersion)
	case e.Thing.ID != id:
		return nil, fmt.Errorf("%s is about %q: it was renamed", path, e.Thing.ID)
	}
	return &e.Kept, nil
}

// Put enters a thing that stands; the entry is whole on the disk when it returns. It takes the place of an entry of the same id, and of
// one of the same type that promises the same on the same hosts: that thing is not what stands there any more.
func (r *Registry) Put(k plan.Kept) error {
	path, err := r.path(k.Thing.ID)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return fmt.Errorf("noting what stands: %w", err)
	}
	all, err := r.List()
	if err != nil {
		return err
	}
	for _, old := range all {
		if old.Thing.ID != k.Thing.ID && samePlace(&old.Thing, &k.Thing) {
			if err := r.Remove(old.Thing.ID); err != nil {
				return err
			}
		}
	}
	raw, err := json.MarshalIndent(entry{FormatVersion, k}, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(r.Dir, ".tmp-*")
	if err != nil {
		return fmt.Errorf("noting what stands: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Sync(), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("noting what stands: %w", err)
	}
	return r.sync()
}

// samePlace reports two things of which only one can be what its outputs name.
func samePlace(a, b *plan.Thing) bool {
	return a.Kind == b.Kind && a.Type == b.Type && fmt.Sprint(a.Hosts) == fmt.Sprint(b.Hosts) && !empty(a.Outputs) && bytes.Equal(compact(a.Outputs), compact(b.Outputs))
}

func empty(raw json.RawMessage) bool {
	s := string(compact(raw))
	return s == "" || s == "null" || s == "{}"
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// Remove takes out the entry of a thing that does not stand any more, or about which that is not sure. One that is not there is fine.
func (r *Registry) Remove(id string) error {
	path, err := r.path(id)
	if err != nil {
		return err
	}
	if err := os.Remove(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("noting what stands no more: %w", err)
	}
	return r.sync()
}

func (r *Registry) sync() error {
	d, err := os.Open(r.Dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
