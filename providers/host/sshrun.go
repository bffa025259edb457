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
// cancel. Only names of letters, digits and _ can be set in the environment. How a command ended a shell over there tells, so an exit
// status from 129 to 192 is taken for a signal.
//
// The command is kept by a keeper of its own on the host, its output in files there until it was fetched. A lost link does not end it:
// it goes on, and assay tries to get back to it, for as long as the host's reconnect says; then its keeper ends it, and Run
// returns a *LinkError. Where the link goes while not all standard input was sent, the command is ended. When ctx ends while there is no link,
// Run returns at once, and what is left is ended when the link is back, or by its keeper. Started and Ended were read from the host's clock
// and moved into this machine's.
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
	k := &job{r: r, c: c, word: rand.Text(), done: make(chan struct{})}
	env, err := commandEnv(l.path, l.home, k.word, tagged(ctx, c.Env))
	if err != nil {
		return res, err
	}
	prelude, err := prelude(env)
	if err != nil {
		return res, err
	}
	ctx, k.fail = context.WithCancelCause(ctx)
	defer k.fail(nil)
	if err := r.begins(k); err != nil {
		return res, err
	}
	defer r.ends(k)
	s, err := l.start(ctx, errand{
		mode: "run", become: r.target.become, word: k.word, prelude: prelude, input: prelude,
		args: append([]string{
			strconv.Itoa(len(prelude)), k.word, strconv.Itoa(max(1, int(r.grace/(50*time.Millisecond)))), seconds(r.reconnect()),
			directory(c), drop(c.Stdout), stderrMode(c), flag01(c.Stdin != nil), flag01(c.Gate != nil),
		}, c.Argv...),
	})
	if err != nil {
		return res, r.linkError(l, err)
	}
	// A cancel may come when the command has begun and its news is still on the way.
	text, err := s.answer(ctx, 2*r.grace+reserve)
	if err != nil {
		_ = s.ch.Close()
		return res, r.linkError(l, err)
	}
	word, rest, _ := strings.Cut(text, " ")
	if word != "go" {
		_ = s.ch.Close()
		if ctx.Err() != nil {
			return res, context.Cause(ctx)
		}
		return res, r.refusal(word, rest, c, env)
	}
	k.home = rest
	res.Started = time.Now()
	err = k.carry(ctx, l, s, &res)
	switch {
	case !is(k.held):
		res.Started, res.Ended = time.Time{}, time.Time{}
	case res.Ended.IsZero():
		res.Ended = time.Now()
	}
	return res, err
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// linkError names the link where it is what broke.
func (r *remote) linkError(l *link, err error) error {
	switch {
	case err == nil:
		return nil
	}
	var silent *silentError
	if errors.As(err, &silent) || errors.Is(err, io.EOF) || errors.Is(err, sftp.ErrSSHFxConnectionLost) || errors.Is(err, errSessionGone) {
		// The news of the end may come a little after what it ended.
		select {
		case <-l.down:
		case <-time.After(time.Second):
		}
	}
	if l.lost() && !errors.As(err, new(*LinkError)) {
		if errors.Is(err, errSessionGone) {
			return &LinkError{Host: r.address, Err: l.cause}
		}
		return &LinkError{Host: r.address, Err: fmt.Errorf("%w: %w", l.cause, err)}
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
	case "nohome":
		return fmt.Errorf("%s: its output cannot be kept on %s: it %s", program, r.address, rest)
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
