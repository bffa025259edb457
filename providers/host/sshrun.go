package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/sftp"
)

// reserve is how much longer than it must take the other side may need to end a command, on a host that is busy.
const reserve = 30 * time.Second

// Run implements Host, with the same limits as on this machine: what has both left the group and dropped ASSAY_COMMAND survives a
// cancel. Only names of letters, digits and _ can be set in the environment. Signals that ssh has no name for are SIGUNKNOWN.
func (r *remote) Run(ctx context.Context, c Cmd) (Result, error) {
	res := Result{Code: -1}
	if err := check(c); err != nil {
		return res, err
	}
	if !isProgram(c.Argv[0]) {
		return res, notAProgram(c.Argv[0])
	}
	l, err := r.connected(ctx)
	if err != nil {
		return res, err
	}
	cookie := rand.Text()
	env, err := commandEnv(l.path, l.home, cookie, tagged(ctx, c.Env))
	if err != nil {
		return res, err
	}
	prelude, err := prelude(env)
	if err != nil {
		return res, err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	s, err := l.start(ctx, r.target.become, false, prelude, "run", append([]string{
		cookie, strconv.Itoa(max(1, int(r.grace/(50*time.Millisecond)))), strconv.FormatFloat(r.silence.Seconds(), 'f', -1, 64),
		directory(c), drop(c.Stdout), stderrMode(c), flag01(c.Stdin != nil),
	}, c.Argv...)...)
	if err != nil {
		return res, r.linkError(l, err)
	}
	defer s.ch.Close()
	// A cancel may come when the command has begun and its news is still on the way.
	text, err := s.answer(ctx, 2*r.grace+reserve)
	if err != nil {
		return res, r.linkError(l, err)
	}
	word, rest, _ := strings.Cut(text, " ")
	if word != "go" {
		if ctx.Err() != nil {
			return res, context.Cause(ctx)
		}
		return res, r.refusal(word, rest, c, env)
	}
	res.Started = time.Now()
	if c.Stdin != nil {
		in, err := l.start(ctx, r.target.become, false, "", "input", rest)
		if err != nil {
			fail(fmt.Errorf("its standard input cannot be sent: %w", err))
		} else {
			defer in.ch.Close()
			go func() {
				if _, err := in.answer(ctx, 0); err != nil {
					fail(fmt.Errorf("its standard input cannot be sent: %w", err)) // of no effect where the command has ended
					return
				}
				// A command that does not want its input to the end is none of our business.
				_, _ = io.Copy(in, c.Stdin)
				in.hangUp()
			}()
		}
	}
	err = s.follow(ctx, c, r.grace, r.silence/beats, fail, &res)
	res.Ended = time.Now()
	return res, r.linkError(l, err)
}

// follow carries a command's output until it has ended, and ends it when ctx does.
func (s *session) follow(ctx context.Context, c Cmd, grace, every time.Duration, fail func(error), res *Result) error {
	stdout, stderr := make(chan streamEnd, 1), make(chan streamEnd, 1)
	keep := func(err error) { fail(fmt.Errorf("its output cannot be kept: %w", err)) }
	go func() {
		how, err := s.out.copy(c.Stdout, keep)
		stdout <- streamEnd{how, err}
	}()
	go func() {
		w := c.Stderr
		if same(c.Stdout, c.Stderr) {
			w = nil // merged over there
		}
		if _, _, err := s.err.begin(); err != nil {
			stderr <- streamEnd{"", err}
			return
		}
		how, err := s.err.copy(w, keep)
		stderr <- streamEnd{how, err}
	}()
	stop := s.beat(every)
	defer stop()

	// What is to come: the exit and both ends. On cancel and after the exit there is a limit.
	var cause error
	var late <-chan time.Time
	done, exited := ctx.Done(), false
	ended := s.ended
	for open := 2; open > 0 || !exited; {
		select {
		case <-done:
			cause, done = context.Cause(ctx), nil
			s.hangUp()
			late = time.After(2*grace + reserve)
		case e, ok := <-ended:
			exited, ended = true, nil
			if !ok {
				// Nobody told: the link is gone, or the server ended the session.
				return errors.Join(cause, errSessionGone)
			}
			res.Code, res.Signal = e.code, e.signal
			s.hangUp() // sshd does so by itself; other servers may not
			if late == nil {
				late = time.After(grace + reserve)
			}
		case e := <-stdout:
			open--
			if e.how == "stuck" {
				return fmt.Errorf("%w; the command is still there after SIGKILL: it waits for a device", cause)
			}
		case <-stderr:
			open--
		case <-late:
			if !exited {
				return fmt.Errorf("%w; the host does not say that the command has ended", cause)
			}
			open = 0 // the leash was killed, and something holds the output
		}
	}
	if cause == nil && ctx.Err() != nil {
		cause = context.Cause(ctx)
	}
	return cause
}

// streamEnd is how a stream ended: the mark, or the error instead.
type streamEnd struct {
	how string
	err error
}

// errSessionGone is a session without a word on how it ended.
var errSessionGone = errors.New("it ended without a word on the command")

// beat tells the leash now and then that we are there.
func (s *session) beat(every time.Duration) (stop func()) {
	quit := make(chan struct{})
	go func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-quit:
				return
			case <-ticker.C:
				if _, err := s.Write([]byte{'.'}); err != nil {
					return
				}
			}
		}
	}()
	return func() { close(quit) }
}

// linkError names the link where it is what broke.
func (r *remote) linkError(l *link, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errSessionGone):
		return &LinkError{Host: r.address, Err: err}
	}
	var silent *silentError
	if errors.As(err, &silent) || errors.Is(err, io.EOF) || errors.Is(err, sftp.ErrSSHFxConnectionLost) {
		// The news of the end may come a little after what it ended.
		select {
		case <-l.down:
		case <-time.After(time.Second):
		}
	}
	if l.lost() && !errors.As(err, new(*LinkError)) {
		return &LinkError{Host: r.address, Err: errors.Join(err, l.cause)}
	}
	return err
}

// refusal is what the leash found before anything was started.
func (r *remote) refusal(word, rest string, c Cmd, env []string) error {
	program := c.Argv[0]
	dir := directory(c)
	path := ""
	if !strings.HasPrefix(program, "/") {
		path = pathOf(env)
	}
	switch word {
	case "absent":
		return &NotFoundError{Program: program, Host: r.address, Path: path}
	case "refused":
		return &NotFoundError{Program: program, Host: r.address, Path: path, Why: rest}
	case "nodir":
		return fmt.Errorf("working directory: %w", &fs.PathError{Op: "stat", Path: dir, Err: fs.ErrNotExist})
	case "notdir":
		return fmt.Errorf("working directory %s is not a directory", dir)
	case "closed":
		return fmt.Errorf("working directory: %w", &fs.PathError{Op: "chdir", Path: dir, Err: fs.ErrPermission})
	case "noexec":
		return startError(rest, syscall.ENOEXEC)
	case "noinput":
		return fmt.Errorf("%s: its standard input cannot be given: %s", program, rest)
	}
	return fmt.Errorf("%s: the leash on %s says %q", program, r.address, word+" "+rest)
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// prelude is the environment as shell text: a function that sets it, called right before the command begins.
func prelude(env []string) (string, error) {
	var b strings.Builder
	b.WriteString("search=" + quote(pathOf(env)) + "\nenvironment() {\n")
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if !variable.MatchString(name) {
			return "", fmt.Errorf("%s cannot be set over ssh; expected a name of letters, digits and _", name)
		}
		b.WriteString("export " + name + "=" + quote(value) + "\n")
	}
	b.WriteString("}\n")
	return b.String(), nil
}

func directory(c Cmd) string {
	if c.Dir == "" {
		return "/"
	}
	return c.Dir
}

func drop(w io.Writer) string {
	if w == nil {
		return "drop"
	}
	return "keep"
}

func stderrMode(c Cmd) string {
	if c.Stdout != nil && same(c.Stdout, c.Stderr) {
		return "merge"
	}
	return drop(c.Stderr)
}

func flag01(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
