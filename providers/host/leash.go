package host

import (
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
	ended    chan exit // gets one, or is closed without: then the link is lost or the server ended the session

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

// hangUp ends the standard input of the other side, which ends what runs there. It does not wait: a silent link must not hold us.
func (s *session) hangUp() {
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.hungUp {
			s.hungUp = true
			_ = s.ch.CloseWrite() // on a lost link there is nobody to tell
		}
	}()
}

// exit is how the first process of a session ended.
type exit struct {
	code   int    // -1 when a signal ended it
	signal string // SIGTERM
}

// start runs leash.sh with a mode and its arguments. prelude is shell text that is evaluated before, and like the script is seen
// in no command line: secrets may stand in it. login leaves the environment as the login has it, else it is empty.
func (l *link) start(ctx context.Context, become, login bool, prelude, mode string, args ...string) (*session, error) {
	type answer struct {
		s   *session
		err error
	}
	done := make(chan answer, 1)
	go func() {
		s, err := l.begin(become, login, prelude, mode, args...)
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

func (l *link) begin(become, login bool, prelude, mode string, args ...string) (*session, error) {
	word := rand.Text()
	header := "leash=" + quote(leashScript) + "\n" + prelude + "\neval \"$leash\"\n"
	argv := []string{"sh", "-c", `eval "$(head -c "$1")"`, "assay", strconv.Itoa(len(header)), mode, word}
	if !login {
		argv = append([]string{"env", "-i", "PATH=" + systemPath}, argv...)
	}
	if become {
		argv = append([]string{"sudo", "-n", "-H", "--"}, argv...)
	}
	words := make([]string, 0, len(argv)+len(args))
	for _, a := range append(argv, args...) {
		words = append(words, quote(a))
	}
	// exec: the command shall be what sshd started, so that sshd tells how it ended.
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
	s := &session{ch: ch, out: newMarks(ch, word), err: newMarks(ch.Stderr(), word), ended: make(chan exit, 1)}
	go s.watch(requests)
	ok, err := ch.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{line}))
	if err == nil && !ok {
		err = errors.New("the host refuses to run commands")
	}
	if err == nil {
		_, err = io.WriteString(s, header)
	}
	if err != nil {
		_ = ch.Close()
		return nil, err
	}
	return s, nil
}

// watch takes what the server says of the end.
func (s *session) watch(requests <-chan *ssh.Request) {
	defer close(s.ended)
	told := false
	for r := range requests {
		e := exit{code: -1}
		switch r.Type {
		case "exit-status":
			var m struct{ Status uint32 }
			if ssh.Unmarshal(r.Payload, &m) == nil && !told {
				e.code, told = int(m.Status), true
				s.ended <- e
			}
		case "exit-signal":
			var m struct {
				Name    string
				Core    bool
				Message string
				Lang    string
			}
			if ssh.Unmarshal(r.Payload, &m) == nil && !told {
				e.signal, told = "SIG"+m.Name, true
				if strings.Contains(m.Name, "@") {
					e.signal = "SIGUNKNOWN" // ssh has names for the common ones only
				}
				s.ended <- e
			}
		}
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
}

// answer waits for the first mark. Where none comes, the error has what came instead. When ctx ends, the leash is told to end what it may
// have begun; after another while, which may be 0, the session is closed.
func (s *session) answer(ctx context.Context, while time.Duration) (string, error) {
	heard := make(chan struct{})
	defer close(heard)
	go func() {
		select {
		case <-heard:
			return
		case <-ctx.Done():
			s.hangUp()
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
