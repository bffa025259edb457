package host

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed" // leash.sh
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

//go:embed leash.sh
var leashScript string

// lineMax is the longest that the kernel takes as one argument, and so the longest command line over ssh, bytes.
const lineMax = 128<<10 - 1

// quote is the one place that writes for a shell: s as one word for sh, bash, zsh, ksh and fish, which do not agree on backslashes
// between quotes, nor on what ! is.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\'', '\\', '!':
			b.WriteString(`'\` + string(rune(c)) + `'`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// session is leash.sh at work on the other side.
type session struct {
	ch       ssh.Channel
	out, err *marks
	ended    chan struct{} // closed when the server has ended the session, or the link is gone

	mu     sync.Mutex // of what is written: the library takes no end of it beside a write
	hungUp bool
}

// Write implements io.Writer for the standard input of the other side.
func (s *session) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hungUp {
		return 0, io.ErrClosedPipe
	}
	return s.ch.Write(p)
}

// hangUp ends the standard input of the other side, which ends what answers there, not a command that is kept. last is sent before. It does not wait: a silent link must not hold us.
func (s *session) hangUp(last string) {
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.hungUp {
			s.hungUp = true
			_, _ = io.WriteString(s.ch, last)
			_ = s.ch.CloseWrite() // on a lost link there is nobody to tell
		}
	}()
}

// errand is what leash.sh is to do.
type errand struct {
	mode   string
	args   []string
	become bool
	login  bool   // the environment is as the login has it; else it is empty
	word   string // of the marks; empty: a new one
	// prelude is shell text that is evaluated before, and like the script is seen in no command line: secrets may stand in it.
	prelude string
	input   string // comes behind the script, for what the script starts
}

// start runs leash.sh.
func (l *link) start(ctx context.Context, e errand) (*session, error) {
	type answer struct {
		s   *session
		err error
	}
	done := make(chan answer, 1)
	go func() {
		s, err := l.begin(e)
		done <- answer{s, err}
	}()
	select {
	case a := <-done:
		return a.s, a.err
	case <-ctx.Done():
		// A link that is silent knows no context.
		go func() {
			if a := <-done; a.err == nil {
				_ = a.s.ch.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

func (l *link) begin(e errand) (*session, error) {
	word := cmp.Or(e.word, rand.Text())
	header := "leash=" + quote(leashScript) + "\n" + e.prelude + "\neval \"$leash\"\n"
	argv := []string{"sh", "-c", `eval "$(head -c "$1")"`, "assay", strconv.Itoa(len(header)), e.mode, word}
	if !e.login {
		argv = append([]string{"env", "-i", "PATH=" + systemPath}, argv...)
	}
	if e.become {
		argv = append([]string{"sudo", "-n", "-H", "--"}, argv...)
	}
	words := make([]string, 0, len(argv)+len(e.args))
	for _, a := range append(argv, e.args...) {
		words = append(words, quote(a))
	}
	line := "exec " + strings.Join(words, " ")
	if len(line) > lineMax {
		return nil, fmt.Errorf("the arguments are too long for one command over ssh: %d bytes, and at most %d go: %w", len(line), lineMax, unix.E2BIG)
	}
	ch, requests, err := l.client.OpenChannel("session", nil)
	if err != nil {
		var refused *ssh.OpenChannelError
		if errors.As(err, &refused) {
			return nil, fmt.Errorf("the host opens no further session: %w; MaxSessions of its sshd_config may be too low for what runs at once", err)
		}
		return nil, err
	}
	s := &session{ch: ch, out: newMarks(ch, word), err: newMarks(ch.Stderr(), word), ended: make(chan struct{})}
	go s.watch(requests)
	ok, err := ch.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{line}))
	if err == nil && !ok {
		err = errors.New("the host refuses to run commands")
	}
	if err == nil {
		_, err = io.WriteString(s, header+e.input)
	}
	if err != nil {
		_ = ch.Close()
		return nil, err
	}
	return s, nil
}

// watch waits until the server has ended the session, or the link is gone.
func (s *session) watch(requests <-chan *ssh.Request) {
	defer close(s.ended)
	for r := range requests {
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
}

// tell sends bytes for the keeper of a command. It does not wait: a silent link must not hold us.
func (s *session) tell(what string) { go func() { _, _ = io.WriteString(s, what) }() }

// answer waits for the first mark. Where none comes, the error has what came instead. When ctx ends, it waits for another while, which may
// be 0, and then closes the session.
func (s *session) answer(ctx context.Context, while time.Duration) (string, error) {
	heard := make(chan struct{})
	defer close(heard)
	go func() {
		select {
		case <-heard:
			return
		case <-ctx.Done():
		}
		select {
		case <-heard:
		case <-time.After(while):
			_ = s.ch.Close()
		}
	}()
	text, before, err := s.out.begin()
	switch {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	_, said, _ := s.err.begin()
	return "", &silentError{before: before, stderr: said}
}

// silentError is a session that ended before the leash could speak.
type silentError struct{ before, stderr string }

func (e *silentError) Error() string {
	said := e.stderr
	if said == "" {
		said = e.before
	}
	if said == "" {
		said = "nothing was printed"
	}
	return "the login gives no shell that runs commands: " + said
}
