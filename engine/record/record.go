// Package record is the folder in which one run is kept. While a run goes on, only the journal and artifacts are written;
// samples and reports are derived from them afterwards and can be made again. The package knows files and events; what a
// plan or a sample means is told elsewhere.
package record

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// FormatVersion is the version of the journal's and the manifest's form.
const FormatVersion = 1

// Names of what a record holds.
const (
	PlanFile      = "plan.json"
	JournalFile   = "journal.jsonl"
	FactsFile     = "facts.json"
	ManifestFile  = "manifest.json"
	SignatureFile = "manifest.json.sig"
	SamplesFile   = "samples.jsonl"
	BaselineFile  = "baseline.json" // the run that --baseline has named
	SpecDir       = "spec"
	ArtifactsDir  = "artifacts"
	ReportDir     = "report"
	SeriesDir     = "series"
)

// Record is one run's folder.
type Record struct {
	Dir     string
	ID      string
	sync    syncer
	journal *journal // nil in a record that is only read
}

const idTime = "20060102T150405.000Z"

// Create makes the folder of a new run below dir, with the plan and the spec's files as they are. Its id sorts behind those that are there,
// also after a clock was set back: the latest run is the one that was begun last. The plan comes last, and without it
// a folder is no record: a crash leaves a whole one or none.
func Create(dir string, now time.Time, planJSON []byte, spec map[string][]byte) (*Record, error) {
	return create(dir, now, planJSON, spec, (*os.File).Sync)
}

func create(dir string, now time.Time, planJSON []byte, spec map[string][]byte, sync syncer) (*Record, error) {
	var id [3]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	ids, err := List(dir)
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		stamp, _, _ := strings.Cut(ids[len(ids)-1], "-")
		if last, err := time.Parse(idTime, stamp); err == nil && now.UTC().Before(last.Add(time.Millisecond)) {
			now = last.Add(time.Millisecond)
		}
	}
	r := &Record{ID: now.UTC().Format(idTime) + "-" + hex.EncodeToString(id[:]), sync: sync}
	r.Dir = filepath.Join(dir, r.ID)
	if err := os.MkdirAll(filepath.Join(r.Dir, SpecDir), 0o755); err != nil {
		return nil, fmt.Errorf("making the record: %w", err)
	}
	for name, src := range spec {
		if err := r.sync.write(filepath.Join(r.Dir, SpecDir, filepath.Base(name)), src); err != nil {
			return nil, err
		}
	}
	j, err := createJournal(filepath.Join(r.Dir, JournalFile))
	if err != nil {
		return nil, err
	}
	r.journal = j
	err = r.sync.write(filepath.Join(r.Dir, PlanFile), planJSON)
	// The folders of all runs may be new too.
	for _, d := range []string{dir, filepath.Dir(dir)} {
		err = errors.Join(err, r.sync.dir(d))
	}
	if err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return r, nil
}

// Discard takes away the record of a run that did not begin.
func (r *Record) Discard() error {
	return errors.Join(r.CloseJournal(), r.Remove())
}

// Remove takes a record away. The plan goes first: what is left after a crash is no record.
func (r *Record) Remove() error {
	err := os.Remove(filepath.Join(r.Dir, PlanFile))
	if err == nil {
		err = os.RemoveAll(r.Dir)
	}
	if err != nil {
		return fmt.Errorf("removing the record: %w", err)
	}
	return nil
}

// Size is how many bytes the files of the record have.
func (r *Record) Size() (int64, error) {
	var n int64
	err := filepath.WalkDir(r.Dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("reading the record: %w", err)
	}
	return n, nil
}

// Open opens a record to read it.
func Open(dir string) (*Record, error) {
	if _, err := os.Stat(filepath.Join(dir, PlanFile)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not a record of a run: it has no %s", dir, PlanFile)
		}
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return &Record{Dir: dir, ID: filepath.Base(abs), sync: (*os.File).Sync}, nil
}

// Find opens a run by its path, its id, an unambiguous beginning of it, or "latest".
func Find(dir, run string) (*Record, error) {
	if _, err := os.Stat(filepath.Join(run, PlanFile)); err == nil {
		return Open(run)
	}
	ids, err := List(dir)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("there is no run %q: %s holds no runs", run, dir)
	}
	if run == "latest" {
		return Open(filepath.Join(dir, ids[len(ids)-1]))
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, run) || strings.HasSuffix(id, "-"+run) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return Open(filepath.Join(dir, found[0]))
	case 0:
		return nil, fmt.Errorf("there is no run %q in %s; `assay runs` lists them", run, dir)
	}
	return nil, fmt.Errorf("%q means %d runs: %s", run, len(found), strings.Join(found, ", "))
}

// List gives the ids of all runs below dir, oldest first. A directory that is not there holds none.
func List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), PlanFile)); err == nil {
			ids = append(ids, e.Name())
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// Read reads a file of the record by its name in it.
func (r *Record) Read(name string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(r.Dir, name))
	if err != nil {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	return raw, nil
}

// Write writes a derived file, or facts.
func (r *Record) Write(name string, data []byte) error {
	return r.sync.write(filepath.Join(r.Dir, name), data)
}

// SpecFiles reads the spec as it was.
func (r *Record) SpecFiles() (map[string][]byte, error) {
	entries, err := os.ReadDir(filepath.Join(r.Dir, SpecDir))
	if err != nil {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = r.Read(filepath.Join(SpecDir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Facts reads the facts of the hosts: host → name → value. A run that ended before they were read has none.
func (r *Record) Facts() (map[string]map[string]string, error) {
	raw, err := r.Read(FactsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f struct {
		Hosts map[string]map[string]string `json:"hosts"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", FactsFile, err)
	}
	return f.Hosts, nil
}

// WriteFacts keeps the facts of the hosts.
func (r *Record) WriteFacts(hosts map[string]map[string]string) error {
	raw, err := json.MarshalIndent(map[string]any{"format_version": FormatVersion, "hosts": hosts}, "", "  ")
	if err != nil {
		return err
	}
	return r.Write(FactsFile, append(raw, '\n'))
}
