package providertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"sync"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// Sink is a providers.Sink that keeps everything in memory and, where it has a directory, artifacts as files too. It is
// as strict as a record: it refuses names that a record would, and a second artifact of one name. Its methods may be
// called concurrently.
type Sink struct {
	// Person does what a person is asked for; nil: nobody can be asked.
	Person func(what string) error

	dir string

	mu        sync.Mutex
	artifacts map[string]*artifact
	exits     []measure.Exit
	progress  []Progress
}

var (
	_ providers.Sink  = (*Sink)(nil)
	_ providers.Asker = (*Sink)(nil)
)

// Ask lets Person do what is asked.
func (s *Sink) Ask(_ context.Context, what string) error {
	if s.Person == nil {
		return errors.New("nobody can be asked")
	}
	return s.Person(what)
}

// Progress is one call of Sink.Progress.
type Progress struct {
	Share float64
	Text  string
}

// NewSink makes a sink. Artifacts are written below dir, which must exist; with an empty dir they are kept in memory only.
func NewSink(dir string) *Sink { return &Sink{dir: dir, artifacts: map[string]*artifact{}} }

var artifactRE = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// Artifact opens an artifact. It is an error when the name is not made of [A-Za-z0-9._-], or was opened before.
func (s *Sink) Artifact(name string) (io.WriteCloser, error) {
	if !artifactRE.MatchString(name) {
		return nil, fmt.Errorf("artifact %q: names are made of A-Z a-z 0-9 . _ - and do not start with a dot", name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.artifacts[name] != nil {
		return nil, fmt.Errorf("artifact %q: opened before in this step; each needs a name of its own", name)
	}
	a := &artifact{sink: s}
	if s.dir != "" {
		f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return nil, fmt.Errorf("artifact %q: %w", name, err)
		}
		a.file = f
	}
	s.artifacts[name] = a
	return a, nil
}

// Exit keeps an exit.
func (s *Sink) Exit(e measure.Exit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exits = append(s.exits, e)
}

// Progress keeps a report of progress.
func (s *Sink) Progress(share float64, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = append(s.progress, Progress{share, text})
}

// Artifacts are the artifacts so far, sorted by name, as ParseRequest wants them. The data are copies.
func (s *Sink) Artifacts() []measure.Artifact {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []measure.Artifact
	for name, a := range s.artifacts {
		list = append(list, measure.Artifact{Name: name, Data: bytes.Clone(a.data)})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Data is the content of one artifact so far; nil where there is none of that name.
func (s *Sink) Data(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.artifacts[name]; a != nil {
		return append([]byte{}, a.data...)
	}
	return nil
}

// Exits are the exits so far, in the order in which they came.
func (s *Sink) Exits() []measure.Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]measure.Exit(nil), s.exits...)
}

// Reports are the reports of progress so far, in the order in which they came.
func (s *Sink) Reports() []Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Progress(nil), s.progress...)
}

// Open names the artifacts that were not closed, sorted.
func (s *Sink) Open() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, a := range s.artifacts {
		if !a.closed {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

type artifact struct {
	sink   *Sink // whose lock guards the rest
	data   []byte
	file   *os.File // nil: memory only
	closed bool
}

// Write implements io.Writer.
func (a *artifact) Write(p []byte) (int, error) {
	a.sink.mu.Lock()
	defer a.sink.mu.Unlock()
	if a.closed {
		return 0, os.ErrClosed
	}
	a.data = append(a.data, p...)
	if a.file != nil {
		return a.file.Write(p)
	}
	return len(p), nil
}

// Close implements io.Closer.
func (a *artifact) Close() error {
	a.sink.mu.Lock()
	defer a.sink.mu.Unlock()
	if a.closed {
		return errors.New("artifact closed twice")
	}
	a.closed = true
	if a.file != nil {
		return a.file.Close()
	}
	return nil
}
