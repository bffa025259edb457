package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// job is a command with a keeper of its own on the other side.
type job struct {
	r    *remote
	c    Cmd
	word string // its cookie, and that of its marks
	home string // its folder over there
	fail context.CancelCauseFunc
	done chan struct{} // closed when Run returns

	got    [2]int64      // bytes of standard output and standard error that were taken
	unsent chan struct{} // closed once standard input was sent to its end; nil where there is none
	held   chan struct{} // closed once it was told to begin; nil where it was not held
}

// ending is how a command ended, as its keeper tells.
type ending struct {
	word           string // end; off: it was not begun; stuck: it is still there after SIGKILL
	code           int
	signal         string
	started, ended float64 // seconds since the machine started
}

func parseEnd(text string) (ending, error) {
	f := strings.Fields(text)
	if len(f) == 1 && (f[0] == "off" || f[0] == "stuck") {
		return ending{word: f[0], code: -1}, nil
	}
	if len(f) != 5 || f[0] != "end" {
		return ending{}, fmt.Errorf("the keeper of the command says %q", text)
	}
	e := ending{word: "end"}
	var errs [3]error
	e.code, errs[0] = strconv.Atoi(f[1])
	e.started, errs[1] = strconv.ParseFloat(f[3], 64)
	e.ended, errs[2] = strconv.ParseFloat(f[4], 64)
	if f[2] != "-" {
		e.code, e.signal = -1, f[2]
	}
	return e, errors.Join(errs[:]...)
}

// carry carries a command's output until it has ended, and ends it when ctx does. Lost links are made again.
func (k *job) carry(ctx context.Context, l *link, s *session, res *Result) error {
	for {
		e, err := k.attach(ctx, l, s)
		lost := err != nil && errors.Is(err, errSessionGone)
		if !lost {
			k.leave(s)
			if e.word == "end" {
				res.Code, res.Signal = e.code, e.signal
				res.Started, res.Ended = l.when(e.started), l.when(e.ended)
			}
			return k.outcome(ctx, e, err)
		}
		_ = s.ch.Close()
		if err = lostLink(k.r.linkError(l, err), k.r.address); ctx.Err() != nil {
			k.r.orphan(k)
			return stopped(ctx, err)
		}
		switch {
		case !is(k.held):
			k.fail(fmt.Errorf("%w; it had not begun", err))
		case !is(k.unsent):
			k.fail(fmt.Errorf("%w; not all of its standard input was sent, so it is ended", err))
		}
		if l, s, err = k.again(ctx, err); err != nil {
			k.r.orphan(k)
			return err
		}
	}
}

// stopped is the error of one who was ended while there was no link.
func stopped(ctx context.Context, lost error) error {
	cause := context.Cause(ctx)
	if errors.As(cause, new(*LinkError)) {
		return cause // it was ended because of that
	}
	return fmt.Errorf("%w; %w, so the command is ended when it is back, or by the host itself", cause, lost)
}

// lostLink makes a *LinkError of the end of a session.
func lostLink(err error, address string) error {
	if errors.As(err, new(*LinkError)) {
		return err
	}
	return &LinkError{Host: address, Err: err}
}

// outcome is the error of Run for what the keeper has said.
func (k *job) outcome(ctx context.Context, e ending, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err != nil && cause != nil:
		return fmt.Errorf("%w; %w", cause, err)
	case err != nil:
		return err
	case e.word == "stuck" && cause != nil:
		return fmt.Errorf("%w; the command is still there after SIGKILL: it waits for a device", cause)
	case cause == nil && e.word != "end":
		return &LinkError{Host: k.r.address, Err: errors.New("the host has ended the command, since nobody asked for it")}
	}
	return cause
}

// errSessionGone is a session that ended before the command did.
var errSessionGone = errors.New("the session ended before the command did")

// attach carries output over one session until the keeper tells of the end, or the session is gone.
func (k *job) attach(ctx context.Context, l *link, s *session) (ending, error) {
	type stream struct {
		which int
		how   string
		kept  int64
		err   error
	}
	streams := make(chan stream, 2)
	keep := func(err error) { k.fail(fmt.Errorf("its output cannot be kept: %w", err)) }
	go func() {
		how, n, err := s.out.copy(k.c.Stdout, keep)
		streams <- stream{0, how, n, err}
	}()
	go func() {
		w := k.c.Stderr
		if same(k.c.Stdout, k.c.Stderr) {
			w = nil // merged over there
		}
		if _, _, err := s.err.begin(); err != nil {
			streams <- stream{1, "", 0, err}
			return
		}
		how, n, err := s.err.copy(w, keep)
		streams <- stream{1, how, n, err}
	}()
	stop := s.beat(k.r.silence / beats)
	defer stop()
	k.supply(ctx, l, s)

	var told ending
	var late <-chan time.Time
	var failed error
	done := ctx.Done()
	for open := 2; open > 0; {
		select {
		case <-done:
			done = nil
			s.tell("x")
			late = time.After(2*k.r.grace + reserve)
		case x := <-streams:
			open--
			k.got[x.which] += x.kept
			if x.err != nil {
				if failed == nil {
					failed = errSessionGone
				}
				break
			}
			var err error
			if told, err = parseEnd(x.how); err != nil {
				failed = err
				_ = s.ch.Close()
			}
		case <-late:
			failed = errors.New("the host does not say that the command has ended")
			_ = s.ch.Close()
		}
	}
	return told, failed
}

// supply starts to send standard input, and lets a command begin that is held. On a link that was made again it says again what is
// settled: that it may have been lost does no harm.
func (k *job) supply(ctx context.Context, l *link, s *session) {
	switch {
	case k.c.Gate != nil && k.held == nil:
		k.held = make(chan struct{})
		go func() {
			if err := k.c.Gate(ctx); err != nil {
				k.fail(err)
				return
			}
			if _, err := io.WriteString(s, "g"); err == nil {
				close(k.held)
			}
		}()
	case k.held != nil && is(k.held):
		s.tell("g")
	}
	switch {
	case k.c.Stdin != nil && k.unsent == nil:
		k.unsent = make(chan struct{})
		go k.send(ctx, l, s)
	case k.unsent != nil && is(k.unsent):
		s.tell("i")
	}
}

// is reports whether a channel is closed; one that is nil stands for what need not be.
func is(c chan struct{}) bool {
	if c == nil {
		return true
	}
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// send carries standard input over a session of its own.
func (k *job) send(ctx context.Context, l *link, s *session) {
	in, err := l.start(ctx, errand{mode: "input", args: []string{k.home}, become: k.r.target.become})
	if err == nil {
		defer in.ch.Close()
		var text string
		if text, err = in.answer(ctx, 0); err == nil && text == "gone" {
			return
		}
	}
	if err != nil {
		k.fail(fmt.Errorf("its standard input cannot be sent: %w", err)) // of no effect where the command has ended
		return
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(in, k.c.Stdin)
		copied <- err
	}()
	select {
	case err = <-copied: // an error is of a command that does not want its input to the end, or of a link
	case <-k.done:
		return
	}
	in.hangUp("")
	select {
	case <-in.ended:
	case <-k.done:
		return
	}
	if err == nil && !l.lost() {
		close(k.unsent)
		s.tell("i")
	}
}

// leave tells the keeper to go, and waits a little for it to have heard.
func (k *job) leave(s *session) {
	s.hangUp("q")
	select {
	case <-s.ended:
	case <-time.After(reserve):
	}
	_ = s.ch.Close()
}

// again makes the link again and follows the command on from where its output was lost, as long as the keeper lets it live.
func (k *job) again(ctx context.Context, lost error) (*link, *session, error) {
	within := k.r.reconnect()
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		l, err := k.r.connected(limited)
		var s *session
		if err == nil {
			s, err = l.start(limited, errand{mode: "follow", become: k.r.target.become, word: k.word, args: []string{
				k.home, strconv.FormatInt(k.got[0], 10), strconv.FormatInt(k.got[1], 10),
			}})
		}
		if err == nil {
			var text string
			if text, err = s.answer(limited, 0); err == nil && text == "go" {
				return l, s, nil
			}
			_ = s.ch.Close()
			if err == nil {
				return nil, nil, fmt.Errorf("%w; the link is back, and the host knows nothing of the command any more: it was started anew, or somebody has tidied /tmp", lost)
			}
		}
		if errors.As(err, new(*HostKeyError)) {
			return nil, nil, errors.Join(lost, err)
		}
		select {
		case <-limited.Done():
			if ctx.Err() != nil {
				return nil, nil, stopped(ctx, lost)
			}
			return nil, nil, fmt.Errorf("%w; it did not come back within %s (%s), and the host itself ends the command", lost, within,
				strings.TrimPrefix(err.Error(), k.r.address+": "))
		case <-time.After(wait):
		}
	}
}

// beat tells the keeper now and then that we are there.
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
