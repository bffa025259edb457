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
	// its exit code. When ctx ends first, the process group gets SIGTERM, after Grace SIGKILL, and the error wraps
	// ctx's cause; the Result then tells how the command ended. A program that is not there is a *NotFoundError.
	//
	// A command has ended when its first process has: what is left of its group is killed, and nothing that still holds
	// its output is waited for. The writers are not used after Run returns.
	Run(ctx context.Context, cmd Cmd) (Result, error)
	// ReadFile reads a whole file; fs.ErrNotExist where there is none.
	ReadFile(ctx context.Context, path string) ([]byte, error)
	// WriteFile writes a file through a temporary one beside it (NAME.<digits>.tmp), synced and renamed: there is the old
	// file or the new one, never half of it. A symbolic link at path is replaced, not followed. The mode is taken as given,
	// whatever the umask.
	WriteFile(ctx context.Context, path string, data []byte, mode fs.FileMode) error
	// Stat describes a file without following a symbolic link; fs.ErrNotExist where there is none.
	Stat(ctx context.Context, path string) (FileInfo, error)
	// ReadDir lists a directory, sorted by name; symbolic links in it are not followed. fs.ErrNotExist where there is none.
	ReadDir(ctx context.Context, path string) ([]Entry, error)
	// TempDir makes a new empty directory that only its owner can enter; remove takes it away with all that is in it.
	TempDir(ctx context.Context) (path string, remove func() error, err error)
	// Facts reads what is worth knowing of the machine: names like cpu.model, in no case secrets. What cannot be
	// read is absent.
	Facts(ctx context.Context) (map[string]string, error)
	// Close ends the connection.
	Close() error
}

// Cmd is a command to run. The program is an absolute path, or a bare name that is looked up on the host's PATH.
type Cmd struct {
	Argv   []string
	Env    []string  // NAME=value, added to a small fixed environment (PATH, HOME, LC_ALL=C, ASSAY_COMMAND)
	Dir    string    // working directory; empty: /
	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: dropped; when a write fails, the command is ended as if ctx had
	Stderr io.Writer // may be the same as Stdout
	// Gate, where it is not nil, is called when all is ready and the program is not started yet; it starts when Gate returns nil. When it
	// returns an error, that is Run's.
	Gate func(context.Context) error
}

// Grace is the time between SIGTERM and SIGKILL.
const Grace = 5 * time.Second

// Result is how a command ended.
type Result struct {
	Code    int    // -1 when a signal ended it
	Signal  string // SIGKILL; empty when it exited
	Started time.Time
	Ended   time.Time // both in this machine's clock, also where the host told them by its own
}

// OK reports whether the command exited with status 0.
func (r Result) OK() bool { return r.Code == 0 && r.Signal == "" }

// FileInfo describes a file.
type FileInfo struct {
	Mode fs.FileMode
	Size int64
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Mode fs.FileMode // of the entry itself, not of what a link points at
}

// Dialer opens hosts by address; the empty address is this machine.
type Dialer func(ctx context.Context, address string) (Host, error)
