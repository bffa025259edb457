package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
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
	Quarantine Kind = "quarantine" // a thing could not be removed: what claims the same is blocked
	Progress   Kind = "progress"   // not kept in the journal: how far a step is
	Interrupt  Kind = "interrupt"  // a person asked to stop
	End        Kind = "end"        // the last: the walk is over, everything is removed that will be
)

// Event is one line of the journal.
type Event struct {
	FormatVersion int             `json:"format_version"`
	Seq           int             `json:"seq"` // from 1
	Time          time.Time       `json:"time"`
	Event         Kind            `json:"event"`
	Step          string          `json:"step,omitempty"`
	Address       string          `json:"address,omitempty"`
	Action        string          `json:"action,omitempty"`
	Bench         string          `json:"bench,omitempty"`
	Repetition    int             `json:"repetition,omitempty"`
	Attempt       int             `json:"attempt,omitempty"`
	Outcome       measure.Outcome `json:"outcome,omitempty"` // of a sample
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
}

type journal struct {
	mu   sync.Mutex
	file *os.File
	seq  int
}

func createJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("making the journal: %w", err)
	}
	return &journal{file: f}, nil
}

// Append writes an event and returns once it is on the disk. It gives the event as written, with its number and time.
func (r *Record) Append(e Event) (Event, error) {
	j := r.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	e.FormatVersion, e.Seq, e.Time = FormatVersion, j.seq, time.Now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return e, err
	}
	if _, err = j.file.Write(append(line, '\n')); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return e, fmt.Errorf("writing the journal: %w", err)
	}
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
			return nil, fmt.Errorf("%s line %d: %w", filepath.Join(r.Dir, JournalFile), i+1, err)
		}
		if e.FormatVersion != FormatVersion {
			return nil, fmt.Errorf("%s line %d has format version %d; this assay reads %d", filepath.Join(r.Dir, JournalFile), i+1, e.FormatVersion, FormatVersion)
		}
		events = append(events, e)
	}
	return events, nil
}
