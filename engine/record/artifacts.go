package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-bench/assay/providers/measure"
)

const exitsFile = "exits.json"

var artifactRE = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// Attempt is the folder of the raw output of one attempt at a step.
type Attempt struct {
	dir  string
	sync syncer

	mu    sync.Mutex
	exits []measure.Exit
	err   error // the first, of what could not be written
}

// AttemptName is where the artifacts of an attempt lie in the record.
func AttemptName(step string, attempt int) string {
	return path.Join(ArtifactsDir, step, strconv.Itoa(attempt))
}

// Attempt makes the folder of an attempt.
func (r *Record) Attempt(step string, attempt int) (*Attempt, error) {
	a := &Attempt{dir: filepath.Join(r.Dir, filepath.FromSlash(AttemptName(step, attempt))), sync: r.sync}
	if err := os.MkdirAll(a.dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the artifacts' folder: %w", err)
	}
	return a, nil
}

// Artifact opens a file of raw output. It is on the disk once it is closed.
func (a *Attempt) Artifact(name string) (io.WriteCloser, error) {
	if !artifactRE.MatchString(name) || name == exitsFile {
		return nil, fmt.Errorf("%q cannot be the name of an artifact", name)
	}
	f, err := os.OpenFile(filepath.Join(a.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) { // the provider's own mistake
		return nil, fmt.Errorf("making an artifact: %w", err)
	}
	if err != nil {
		return nil, a.note(fmt.Errorf("making an artifact: %w", err))
	}
	return &artifact{f, a}, nil
}

// artifact is a file that is being written. What cannot be written is remembered, since the tool's output is then not whole, whatever
// is made of the error.
type artifact struct {
	file *os.File
	of   *Attempt
}

func (f *artifact) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, f.of.note(err)
}

func (f *artifact) Close() error {
	return f.of.note(errors.Join(f.of.sync(f.file), f.file.Close()))
}

func (a *Attempt) note(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && a.err == nil {
		a.err = fmt.Errorf("writing the record: %w", err)
	}
	return err
}

// Exit notes how a command ended.
func (a *Attempt) Exit(e measure.Exit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.exits = append(a.exits, e)
}

// Commit puts the exits beside the artifacts, and everything on the disk with the folders in which it lies. It fails, too, where an artifact
// could not be written whole.
func (a *Attempt) Commit() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil {
		return a.err
	}
	raw, err := json.MarshalIndent(a.exits, "", "  ")
	if err != nil {
		return err
	}
	if err := a.sync.write(filepath.Join(a.dir, exitsFile), append(raw, '\n')); err != nil {
		return err
	}
	step := filepath.Dir(a.dir)
	for _, d := range []string{step, filepath.Dir(step), filepath.Dir(filepath.Dir(step))} {
		err = errors.Join(err, a.sync.dir(d))
	}
	return err
}

// Artifacts reads the raw output of an attempt: all files by name, and how the commands ended. Logs are not read, but named.
func (r *Record) Artifacts(step string, attempt int) ([]measure.Artifact, []measure.Exit, error) {
	dir := filepath.Join(r.Dir, filepath.FromSlash(AttemptName(step, attempt)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("reading artifacts: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil { // a provider in a program of its own has another working directory
		return nil, nil, fmt.Errorf("reading artifacts: %w", err)
	}
	var list []measure.Artifact
	var exits []measure.Exit
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if strings.HasSuffix(e.Name(), measure.LogSuffix) {
			list = append(list, measure.Artifact{Name: e.Name(), File: file})
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, fmt.Errorf("reading artifacts: %w", err)
		}
		if e.Name() != exitsFile {
			list = append(list, measure.Artifact{Name: e.Name(), Data: raw})
			continue
		}
		if err := json.Unmarshal(raw, &exits); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return list, exits, nil
}

// CopyArtifacts takes over the raw output of an attempt at a step of another run, as it is.
func (r *Record) CopyArtifacts(step string, attempt int, from *Record, fromStep string, fromAttempt int) error {
	files, exits, err := from.Artifacts(fromStep, fromAttempt)
	if err != nil {
		return err
	}
	a, err := r.Attempt(step, attempt)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := a.copy(f); err != nil {
			return err
		}
	}
	a.exits = exits
	return a.Commit()
}

func (a *Attempt) copy(f measure.Artifact) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("reading an artifact: %w", err)
	}
	w, err := a.Artifact(f.Name)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close(), r.Close())
}

// AttemptsOf lists the attempts of a step that left artifacts.
func (r *Record) AttemptsOf(step string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(r.Dir, ArtifactsDir, step))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			out = append(out, n)
		}
	}
	sort.Ints(out)
	return out, nil
}
