// Package host runs commands and touches files on a machine. It is the one place that starts processes for providers: argv
// in, never a shell string; output streamed as it comes; the whole process group ended on cancel. It knows nothing of
// providers, records or specs.
package host

import (
	"context"
	"io"
	"io/fs"
	"time"
)

// Host is a machine on which commands run.
type Host interface {
	// Address is as the spec gives it; empty for this machine.
	Address() string
	// Run runs a command to its end. The error is nil whenever the command was started and ended by itself, whatever
	// its exit code. When ctx ends first, the process group gets SIGTERM, after Grace SIGKILL, and the error is
	// ctx's cause; the Result then tells how the command ended.
	Run(ctx context.Context, cmd Cmd) (Result, error)
	// ReadFile reads a whole file; fs.ErrNotExist where there is none.
	ReadFile(ctx context.Context, path string) ([]byte, error)
	// WriteFile writes a file through a temporary one beside it, synced and renamed.
	WriteFile(ctx context.Context, path string, data []byte, mode fs.FileMode) error
	// Stat describes a file without following a symbolic link; fs.ErrNotExist where there is none.
	Stat(ctx context.Context, path string) (FileInfo, error)
	// TempDir makes a new empty directory that only its owner can enter; remove takes it away with all that is in it.
	TempDir(ctx context.Context) (path string, remove func() error, err error)
	// Facts reads what is worth knowing of the machine: names like cpu.model, in no case secrets. What cannot be
	// read is absent.
	Facts(ctx context.Context) (map[string]string, error)
	// Close ends the connection.
	Close() error
}

// Cmd is a command to run. The program is looked up on the host's PATH.
type Cmd struct {
	Argv   []string
	Env    []string // NAME=value, added to a small fixed environment (PATH, HOME, LC_ALL=C)
	Dir    string   // working directory; empty: /
	Stdin  io.Reader
	Stdout io.Writer // nil: dropped
	Stderr io.Writer
}

// Grace is the time between SIGTERM and SIGKILL.
const Grace = 5 * time.Second

// Result is how a command ended.
type Result struct {
	Code    int    // -1 when a signal ended it
	Signal  string // SIGKILL; empty when it exited
	Started time.Time
	Ended   time.Time
}

// OK reports whether the command exited with status 0.
func (r Result) OK() bool { return r.Code == 0 && r.Signal == "" }

// FileInfo describes a file.
type FileInfo struct {
	Mode fs.FileMode
	Size int64
}

// Dialer opens hosts by address; the empty address is this machine.
type Dialer func(ctx context.Context, address string) (Host, error)
