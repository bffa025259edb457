package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/assay-bench/assay/providers/measure"
)

// Kind is the kind of an event.
type Kind string

// The events. An intent is on the disk before the effect that it announces; a sample event commits artifacts that are on the
// disk already.
const (
	Begin      Kind = "begin"      // the first: which plan
	Intent     Kind = "intent"     // an effect will begin: create, destroy, or an attempt of a run
	Done       Kind = "done"       // a create or destroy has succeeded
	FailedStep Kind = "failed"     // an attempt of a step has failed; the step is tried again or given up
	SampleDone Kind = "sample"     // the final outcome of one repetition
	Blocked    Kind = "blocked"    // a step will not be done, since something it needs failed
	Quarantine Kind = "quarantine" // a thing could not be removed, or is not ours: what claims the same is blocked
	Resume     Kind = "resume"     // the run is gone on with after a crash or an interruption, or what it left is removed
	Adopt      Kind = "adopt"      // a thing was looked at and stands whole: it counts as made
	Gone       Kind = "gone"       // a thing was looked at and is not there
	Progress   Kind = "progress"   // not kept in the journal: how far a step is
	Interrupt  Kind = "interrupt"  // a person asked to stop
	End        Kind = "end"        // the last: the walk is over, everything is removed that will be
)

// Event is one line of the journal.
type Event struct {
	FormatVersion int       `json:"format_version"`
	Seq           int       `json:"seq"` // from 1
	Time          time.Time `json:"time"`
	Event         Kind      `json:"event"`
	Step          string    `json:"step,omitempty"`
	Address       string    `json:"address,omitempty"`
	Action        string    `json:"action,omitempty"`
	Bench         string    `json:"bench,omitempty"`
	Repetition    int       `json:"repetition,omitempty"`
	Attempt       int       `json:"attempt,omitempty"`
	// Thing is the id of the standing thing that a step makes or removes, which it bears as its mark. From and Replaces are of a switch:
	// the state before, and the thing in that state.
	Thing    string `json:"thing,omitempty"`
	From     string `json:"from,omitempty"`
	Replaces string `json:"replaces,omitempty"`
	// Reused is of a sample that is taken over: the run in which it was measured.
	Reused string `json:"reused,omitempty"`
	// Anew is of a sample: the attempt before which what the repetition wants fresh was made anew; 0: the first.
	Anew int `json:"anew,omitempty"`
	// Interrupted is of a failed attempt that was ended with the run: it does not count.
	Interrupted bool            `json:"interrupted,omitempty"`
	Outcome     measure.Outcome `json:"outcome,omitempty"` // of a sample
	// Parsed: the outcome is what Parse made of the artifacts; otherwise the runner itself decided it.
	Parsed     bool     `json:"parsed,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Things     []string `json:"things,omitempty"` // what stood when a sample was taken
	Generation int      `json:"generation,omitempty"`
	DurationS  float64  `json:"duration_s,omitempty"`
	// Started and Ended bound the measured part of a repetition, in the last attempt: from when all was ready to the end of the tool.
	// Nil: it did not start.
	Started  *time.Time `json:"started,omitempty"`
	Ended    *time.Time `json:"ended,omitempty"`
	Share    float64    `json:"share,omitempty"` // of progress
	Text     string     `json:"text,omitempty"`
	Run      string     `json:"run,omitempty"`       // of begin
	PlanHash string     `json:"plan_hash,omitempty"` // of begin
	Tool     string     `json:"assay,omitempty"`     // of begin: assay's version
	Dir      string     `json:"dir,omitempty"`       // of begin: the working directory
}

// journal is open for writing. The process that writes it holds a lock on it, which ends with the process.
type journal struct {
	mu   sync.Mutex
	file *os.File
	seq  int
	size int64 // of what is written whole
	err  error // of the first failure: a journal that may lack an event gets no further ones
}

// ErrRunning is the error where another process writes the journal.
var ErrRunning = errors.New("the run still goes on")

func createJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("making the journal: %w", err)
	}
	if err := lock(f, syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("making the journal: %w", err), f.Close())
	}
	return &journal{file: f}, nil
}

// lock takes the lock of a journal, and does not wait for it.
func lock(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrRunning
	}
	return err
}

// Running reports whether a process writes the journal.
func (r *Record) Running() (bool, error) {
	f, err := os.Open(filepath.Join(r.Dir, JournalFile))
	if err != nil {
		return false, fmt.Errorf("reading the record: %w", err)
	}
	defer f.Close()
	err = lock(f, syscall.LOCK_SH)
	if errors.Is(err, ErrRunning) {
		return true, nil
	}
	return false, err
}

// Continue opens the journal of a record to write on, and gives the state up to there. A torn last line is taken away: what it was to
// announce was not begun. ErrRunning, where another process writes it.
func (r *Record) Continue() (*State, error) {
	f, err := os.OpenFile(filepath.Join(r.Dir, JournalFile), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	s, j, err := r.reopen(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.journal = j
	return s, nil
}

func (r *Record) reopen(f *os.File) (*State, *journal, error) {
	if err := lock(f, syscall.LOCK_EX); err != nil {
		return nil, nil, err
	}
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the journal: %w", err)
	}
	s, err := r.State()
	if err != nil {
		return nil, nil, err
	}
	events, err := r.Events()
	if err != nil {
		return nil, nil, err
	}
	whole := raw[:bytes.LastIndexByte(raw, '\n')+1]
	if bytes.Count(whole, []byte("\n")) < len(events) { // only the end of the last line is missing
		whole = append(raw, '\n')
		_, err = f.Write(whole[len(raw):])
	} else if len(whole) < len(raw) {
		err = f.Truncate(int64(len(whole)))
	}
	if err == nil {
		err = r.sync(f)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("mending the journal: %w", err)
	}
	return s, &journal{file: f, seq: len(events), size: int64(len(whole))}, nil
}

// Append writes an event and returns once it is on the disk. It gives the event as written, with its number and time. After a
// failure nothing is written any more, so that no line follows a torn one.
func (r *Record) Append(e Event) (Event, error) {
	j := r.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	e.FormatVersion, e.Seq, e.Time = FormatVersion, j.seq+1, time.Now().UTC()
	if j.err != nil {
		return e, j.err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return e, err
	}
	line = append(line, '\n')
	if _, err = j.file.Write(line); err == nil {
		err = r.sync(j.file)
	}
	if err != nil {
		j.err = fmt.Errorf("writing the journal: %w", err)
		_ = j.file.Truncate(j.size) // if that fails too, the line is torn, and is taken away later
		return e, j.err
	}
	j.seq++
	j.size += int64(len(line))
	return e, nil
}

// CloseJournal ends the writing.
func (r *Record) CloseJournal() error { return r.journal.file.Close() }

// Events reads the journal. Only its last line may be torn; it is then left out.
func (r *Record) Events() ([]Event, error) {
	raw, err := r.Read(JournalFile)
	if err != nil {
		return nil, err
	}
	events, err := parseEvents(raw)
	if err != nil {
		return nil, fmt.Errorf("%s %w", filepath.Join(r.Dir, JournalFile), err)
	}
	return events, nil
}

func parseEvents(raw []byte) ([]Event, error) {
	lines := bytes.Split(raw, []byte("\n"))
	var events []Event
	for i, line := range lines {
		if len(line) == 0 {
			continue
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			if i == len(lines)-1 { // without a newline behind it: torn
				break
			}
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if e.FormatVersion != FormatVersion {
			return nil, fmt.Errorf("line %d has format version %d; this assay reads %d", i+1, e.FormatVersion, FormatVersion)
		}
		events = append(events, e)
	}
	return events, nil
}
