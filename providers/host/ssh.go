package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pkg/sftp"
)

// remote is a host over ssh. It has one connection, made again when a command finds it lost.
type remote struct {
	address string
	target  target
	grace   time.Duration
	silence time.Duration // the constant, but in tests

	mu      sync.Mutex
	link    *link
	files   *sftp.Client
	closed  bool
	running map[*job]bool
	orphans []string // folders of commands that were ended while there was no link
}

// Reconnect is how long work goes on without a link where hardware does not say it.
const Reconnect = 10 * time.Minute

func (r *remote) reconnect() time.Duration { return cmp.Or(r.target.reconnect, Reconnect) }

// LinkError says that the connection to a host was lost while something was going on, and for good.
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

// Close implements Host. What runs is ended first.
func (r *remote) Close() error {
	r.mu.Lock()
	r.closed = true
	running := slices.Collect(maps.Keys(r.running))
	r.mu.Unlock()
	for _, k := range running {
		k.fail(fmt.Errorf("%s was closed", r.address))
	}
	for _, k := range running {
		<-k.done
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	return nil
}

// begins notes a command that runs.
func (r *remote) begins(k *job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fmt.Errorf("%s is closed", r.address)
	}
	if r.running == nil {
		r.running = map[*job]bool{}
	}
	r.running[k] = true
	return nil
}

// ends notes that Run is done with a command.
func (r *remote) ends(k *job) {
	close(k.done)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, k)
}

// orphan notes a command that is to be ended and cannot be told.
func (r *remote) orphan(k *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orphans = append(r.orphans, k.home)
}

// endOrphans ends what is left of commands whose link was lost, before anything else is done on the host; the lock is held. What cannot
// be ended now its keeper ends later.
func (r *remote) endOrphans(ctx context.Context, l *link) {
	ctx, cancel := context.WithTimeout(ctx, 2*r.grace+reserve)
	defer cancel()
	for _, home := range r.orphans {
		s, err := l.start(ctx, errand{mode: "end", become: r.target.become, args: []string{home}})
		if err != nil {
			return
		}
		select {
		case <-s.ended:
		case <-ctx.Done():
		}
		_ = s.ch.Close()
		r.orphans = r.orphans[1:]
	}
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
		r.endOrphans(ctx, r.link)
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
	r.endOrphans(ctx, l)
	return l, nil
}

// probeTimeout is enough for a slow login script.
const probeTimeout = time.Minute

// probe finds out whether commands can run, and what the login's PATH and HOME are.
func (r *remote) probe(ctx context.Context, l *link) error {
	ctx, cancel := context.WithTimeoutCause(ctx, probeTimeout, fmt.Errorf("the login's shell does not answer within %s", probeTimeout))
	defer cancel()
	s, err := l.start(ctx, errand{mode: "probe", become: r.target.become, login: true})
	if err != nil {
		return err
	}
	defer s.ch.Close()
	if _, err := s.answer(ctx, 0); err != nil {
		return r.sudoError(err)
	}
	defer context.AfterFunc(ctx, func() { _ = s.ch.Close() })()
	var missing []string
	for name := ""; name != "end"; {
		line, err := s.out.r.ReadString('\n')
		if err != nil {
			return firstError(context.Cause(ctx), err)
		}
		var value string
		name, value, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "=")
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
	read, err := readClock(s)
	if err != nil {
		return firstError(context.Cause(ctx), err)
	}
	l.boot = read.boot()
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

// Facts implements Host. Beside what parseFacts gives there are volatile.clock.offset_s and volatile.clock.uncertainty_s.
func (r *remote) Facts(ctx context.Context) (map[string]string, error) {
	facts, err := readFacts(ctx, r)
	if err == nil {
		err = r.clock(ctx, facts)
	}
	return facts, err
}

// firstError is the first that is one.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
