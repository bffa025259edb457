package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// world is the folder in which things stand. It does not exist before the first effect.
type world struct {
	name string // empty: the one without a name
	dir  string
	mu   sync.Mutex // holds together what is read and then written
}

// shown is the file of a thing as a plan calls it: from the working directory.
func (w *world) shown(id string) string {
	return filepath.ToSlash(filepath.Join(".assay", "fake", w.name, id+".json"))
}

// mark tells assay's files from others; what lacks it is foreign and not touched.
const mark = "assay fake"

// The states of a file.
const (
	statePartial  = "partial"
	stateStanding = "standing"
)

// thing is the content of a thing's file.
type thing struct {
	Mark  string `json:"mark"`
	ID    string `json:"id"`
	State string `json:"state"`
	// Aliases are the ids that the thing's other addresses were promised: equal things stand once.
	Aliases   []string `json:"aliases,omitempty"`
	Addresses []string `json:"addresses"`
	Of        string   `json:"of,omitempty"` // the standing thing's id, which tells it from one of another configuration
	Label     string   `json:"label,omitempty"`
	Claims    []string `json:"claims,omitempty"`
	Slot      string   `json:"slot,omitempty"`
	SlotState string   `json:"slot_state,omitempty"`
	Changes   int      `json:"changes,omitempty"` // attempts of fake_update that it was changed by
}

var idRE = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// errForeign says that a file is not assay's.
var errForeign = errors.New("the file was not written by assay; move it away if this thing is to be made")

func (w *world) path(id string) (string, error) {
	if !idRE.MatchString(id) {
		return "", fmt.Errorf("%q is not the id of a fake thing: ids are made of A-Z a-z 0-9 _ -", id)
	}
	return filepath.Join(w.dir, id+".json"), nil
}

// load reads a thing; nil where it is absent, errForeign where the file is not assay's.
func (w *world) load(id string) (*thing, error) {
	path, err := w.path(id)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var t thing
	if json.Unmarshal(data, &t) != nil || t.Mark != mark || t.ID != id {
		return nil, fmt.Errorf("%s.json: %w", id, errForeign)
	}
	return &t, nil
}

// save writes a thing's file in one act: another process sees the old one or the new one. It is not synced: a rehearsal
// need not outlive the machine.
func (w *world) save(t *thing) error {
	path, err := w.path(t.ID)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(w.dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left of this name
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// remove takes a thing's file away.
func (w *world) remove(id string) error {
	path, err := w.path(id)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

// things reads all things, sorted by id. Foreign files are passed over.
func (w *world) things() ([]*thing, error) {
	entries, err := os.ReadDir(w.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []*thing
	for _, e := range entries {
		id, isThing := cutJSON(e.Name())
		if !isThing {
			continue
		}
		t, err := w.load(id)
		if err != nil && !errors.Is(err, errForeign) {
			return nil, err
		}
		if t != nil {
			all = append(all, t)
		}
	}
	return all, nil
}

func cutJSON(name string) (string, bool) {
	id := name[:len(name)-len(filepath.Ext(name))]
	return id, filepath.Ext(name) == ".json" && idRE.MatchString(id)
}

// stands reports whether a thing stands whole under this id or alias.
func (w *world) stands(id string) (bool, error) {
	all, err := w.things()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(all, func(t *thing) bool {
		return t.State == stateStanding && (t.ID == id || slices.Contains(t.Aliases, id))
	}), nil
}

// inState finds the thing that stands in a slot in the given state.
func (w *world) inState(slot, state string) (*thing, error) {
	all, err := w.things()
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Slot == slot && t.SlotState == state && t.State == stateStanding {
			return t, nil
		}
	}
	return nil, fmt.Errorf("nothing stands in slot %q in state %q, from which it could be switched", slot, state)
}

// holder finds another thing, whole or partial, that holds one of the claims or the slot, but for the one whose place it takes.
func (w *world) holder(of *thing, before string) (other *thing, claim string, err error) {
	all, err := w.things()
	if err != nil {
		return nil, "", err
	}
	for _, t := range all {
		if t.ID == of.ID || t.ID == before {
			continue
		}
		if of.Slot != "" && t.Slot == of.Slot {
			return t, of.Slot, nil
		}
		for _, c := range of.Claims {
			if slices.Contains(t.Claims, c) {
				return t, c, nil
			}
		}
	}
	return nil, "", nil
}

// log appends a line to world.log.
func (w *world) log(format string, args ...any) error {
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(w.dir, "world.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, format+"\n", args...) // one write, so lines of two processes do not mix
	return errors.Join(err, f.Close())
}
