package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Run implements Host. What is not ended on cancel: a process that has both left the group and dropped ASSAY_COMMAND from its
// environment (a daemon started through sudo), one of another user when assay is not root, and one that waits in the
// kernel for a dead device. Where the command's own first process is such a one, the error says that it is still there.
// A daemon that leaves the group of a command which exits is let live: some tools start servers so. What a command leaves that
// was ended by a signal, whoever sent it, is ended as on cancel.
func (l local) Run(ctx context.Context, c Cmd) (Result, error) {
	res := Result{Code: -1}
	if err := check(c); err != nil {
		return res, err
	}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	cookie := rand.Text()
	env, err := environment(cookie, tagged(ctx, c.Env))
	if err != nil {
		return res, err
	}
	program, err := lookup(c.Argv[0], env)
	if err != nil {
		return res, err
	}
	dir := c.Dir
	if dir == "" {
		dir = "/"
	}
	// fork and exec would report a missing directory as a missing program.
	if info, err := os.Stat(dir); err != nil {
		return res, fmt.Errorf("working directory: %w", err)
	} else if !info.IsDir() {
		return res, fmt.Errorf("working directory %s is not a directory", dir)
	}
	cmd := &exec.Cmd{
		Path: program, Args: c.Argv, Env: env, Dir: dir,
		// A session of its own is a process group of its own, and has no terminal: a tool that wants to ask there fails
		// at once instead of being stopped until its timeout.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	s, err := connect(cmd, c)
	if err != nil {
		return res, err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if c.Gate != nil {
		if err := c.Gate(ctx); err != nil {
			s.close()
			return res, err
		}
	}
	res.Started = time.Now()
	if err := cmd.Start(); err != nil {
		s.close()
		return res, startError(program, err)
	}
	s.start(fail)

	pid := cmd.Process.Pid
	exited := make(chan struct{})
	go func() {
		waitExit(pid)
		close(exited)
	}()
	var cause error
	gone := true
	select {
	case <-exited:
		awaitLeaving(pid)
	case <-ctx.Done():
		cause = context.Cause(ctx)
		gone = end(func(sig syscall.Signal) { _ = syscall.Kill(-pid, sig) }, exited, l.grace)
	}
	// Every signal is sent before the first process is reaped: until then its number cannot be another group's.
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	if gone {
		_ = cmd.Wait() // says no more than ProcessState
		res.Code, res.Signal = outcome(cmd.ProcessState)
	} else {
		go func() { _ = cmd.Wait() }()
		cause = fmt.Errorf("%w; process %d is still there after SIGKILL: it waits for a device, or belongs to another user", cause, pid)
	}
	// A command that a signal ended could not end its workers either: fio's make sessions of their own, and would go on
	// under the next measurement.
	if cause != nil || res.Signal != "" {
		killStrays(cookie)
	}
	res.Ended = time.Now()
	if err := s.finish(); err != nil && !errors.Is(cause, err) {
		cause = errors.Join(cause, err)
	}
	return res, cause
}

// check finds what no program can be given.
func check(c Cmd) error {
	if len(c.Argv) == 0 {
		return errors.New("a command needs at least the name of a program")
	}
	for _, a := range c.Argv {
		if strings.ContainsRune(a, 0) {
			return fmt.Errorf("argument %q of %s contains a NUL byte, which no argument can", a, c.Argv[0])
		}
	}
	return nil
}

// waitExit waits until a child has ended and leaves it unreaped.
func waitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// end ends a group: SIGTERM, after grace SIGKILL. It reports whether its first process is gone; after another grace it gives up.
func end(signal func(syscall.Signal), exited <-chan struct{}, grace time.Duration) bool {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		signal(sig)
		timer := time.NewTimer(grace)
		select {
		case <-exited:
			timer.Stop()
			return true
		case <-timer.C:
		}
	}
	return false
}

func outcome(state *os.ProcessState) (code int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, unix.SignalName(ws.Signal())
	}
	return state.ExitCode(), ""
}

// startError says what the kernel's bare words mean here.
func startError(program string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is not a program of this machine's kind, or a script without a #! line: %w", program, err)
	case errors.Is(err, syscall.E2BIG):
		return fmt.Errorf("%s: the arguments are too long for one command: %w", program, err)
	}
	return err
}
