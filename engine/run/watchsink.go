package run

import (
	"errors"
	"io"
	"sync"

	"github.com/assay-bench/assay/providers/measure"
)

// watchSink takes what a monitor puts out, until it is shut: what comes of one that was left behind is refused.
type watchSink struct {
	*sink
	ready chan struct{} // closed at the first progress
	once  sync.Once

	mu     sync.Mutex
	closed bool
	open   map[*watchFile]bool
}

var errLeftBehind = errors.New("the test has been over for long: nothing more is kept")

// Artifact implements providers.Sink.
func (s *watchSink) Artifact(name string) (io.WriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errLeftBehind
	}
	w, err := s.sink.Artifact(name)
	if err != nil {
		return nil, err
	}
	f := &watchFile{s, w}
	if s.open == nil {
		s.open = map[*watchFile]bool{}
	}
	s.open[f] = true
	return f, nil
}

// Exit implements providers.Sink.
func (s *watchSink) Exit(e measure.Exit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.sink.Exit(e)
	}
}

// Progress lets the test begin. It is not shown, since it would hide the test's own.
func (s *watchSink) Progress(float64, string) { s.once.Do(func() { close(s.ready) }) }

// shut closes what is open and puts it on the disk.
func (s *watchSink) shut() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for f := range s.open {
		errs = append(errs, f.w.Close())
	}
	s.open = nil
	return errors.Join(append(errs, s.sink.Commit())...)
}

// watchFile is an artifact of a monitor.
type watchFile struct {
	s *watchSink
	w io.WriteCloser
}

// Write implements io.Writer.
func (f *watchFile) Write(p []byte) (int, error) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if !f.s.open[f] {
		return 0, errLeftBehind
	}
	return f.w.Write(p)
}

// Close implements io.Closer.
func (f *watchFile) Close() error {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if !f.s.open[f] {
		return errLeftBehind
	}
	delete(f.s.open, f)
	return f.w.Close()
}
