package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pkg/sftp"
)

// remote is a host over ssh. It has one connection, made again when a command finds it lost.
//
// A command whose link is lost fails with a *LinkError at once when the connection breaks, after a minute when it falls silent; on the
// other side the leash (leash.sh) ends the command's process group, with SIGTERM and after Grace SIGKILL, when sshd closes its
// input or when it was silent for a minute, whichever comes first. Nothing is resumed: a lost link ends the work.
type remote struct {
	address string
	target  target
	grace   time.Duration
	silence time.Duration // the constant, but in tests

	mu     sync.Mutex
	link   *link
	files  *sftp.Client
	closed bool
}

// LinkError says that the connection to a host broke while something was going on. What it was is ended by the host itself after
// Grace, at the latest a minute later; how it ended is not known.
type LinkError struct {
	Host string // address
	Err  error
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("the connection to %s was lost: %v", e.Host, e.Err)
}

func (e *LinkError) Unwrap() error { return e.Err }

// Address implements Host.
func (r *remote) Address() string { return r.address }

// Close implements Host. What runs is ended as if its link were lost.
func (r *remote) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.drop()
	return nil
}

// drop ends the connection; the lock is held.
func (r *remote) drop() {
	if r.files != nil {
		_ = r.files.Close()
		r.files = nil
	}
	if r.link != nil {
		r.link.close()
		r.link = nil
	}
}

// connected is the connection, made where there is none.
func (r *remote) connected(ctx context.Context) (*link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ensure(ctx)
}

// ensure is connected with the lock held.
func (r *remote) ensure(ctx context.Context) (*link, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.closed:
		return nil, fmt.Errorf("%s is closed", r.address)
	case r.link != nil && !r.link.lost():
		return r.link, nil
	}
	r.drop()
	l, err := dialLink(ctx, r.target, r.silence)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.address, err)
	}
	if err := r.probe(ctx, l); err != nil {
		l.close()
		return nil, fmt.Errorf("%s: %w", r.address, err)
	}
	r.link = l
	return l, nil
}

// probeTimeout is enough for a slow login script.
const probeTimeout = time.Minute

// probe finds out whether commands can run, and what the login's PATH and HOME are.
func (r *remote) probe(ctx context.Context, l *link) error {
	ctx, cancel := context.WithTimeoutCause(ctx, probeTimeout, fmt.Errorf("the login's shell does not answer within %s", probeTimeout))
	defer cancel()
	s, err := l.start(ctx, r.target.become, true, "", "probe")
	if err != nil {
		return err
	}
	defer s.ch.Close()
	if _, err := s.answer(ctx, 0); err != nil {
		return r.sudoError(err)
	}
	out, err := io.ReadAll(s.out.r)
	if err != nil {
		return err
	}
	var missing []string
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		switch name {
		case "PATH":
			l.path = value
		case "HOME":
			l.home = value
		case "missing":
			missing = append(missing, value)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s not found there; a host needs these tools (Debian: coreutils, util-linux, grep)", strings.Join(missing, ", "))
	}
	if l.home == "" {
		l.home = "/"
	}
	return nil
}

// sudoError says what to do where it was sudo that did not let us through.
func (r *remote) sudoError(err error) error {
	var silent *silentError
	if !r.target.become || !errors.As(err, &silent) {
		return err
	}
	said := silent.stderr
	switch {
	case strings.Contains(said, "password") || strings.Contains(said, "terminal"):
		return fmt.Errorf("sudo asks for a password there, and nobody can answer; allow the user ALL=(root) NOPASSWD: ALL in a file of /etc/sudoers.d, or log in as root: %s", said)
	case strings.Contains(said, "not found"):
		return fmt.Errorf("become=sudo, and sudo is not there; install it, or log in as root: %s", said)
	}
	return fmt.Errorf("become=sudo does not work: %w", err)
}

// Facts implements Host.
func (r *remote) Facts(ctx context.Context) (map[string]string, error) { return readFacts(ctx, r) }
