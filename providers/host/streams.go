package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// pipeMax is the most that a pipe holds on Linux (fs.pipe-max-size), bytes.
const pipeMax = 1 << 20

// streams connects a command with its reader and writers through pipes of our own, so that nobody who keeps the other end
// open can hold us: os/exec's own copying goes on until the last one has closed it.
type streams struct {
	child   []*os.File // the command's ends
	outputs []*output
	stdin   *os.File // our end; nil where the command reads nothing
	source  io.Reader
}

// output carries one stream to its writer.
type output struct {
	r    *os.File
	w    io.Writer
	done chan error
}

// connect gives cmd its files. On error nothing stays open.
func connect(cmd *exec.Cmd, c Cmd) (_ *streams, err error) {
	s := &streams{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if c.Stdin != nil {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		cmd.Stdin, s.stdin, s.source = r, w, c.Stdin
		s.child = append(s.child, r)
	}
	if cmd.Stdout, err = s.output(c.Stdout); err != nil {
		return nil, err
	}
	if c.Stdout != nil && same(c.Stdout, c.Stderr) {
		cmd.Stderr = cmd.Stdout // one pipe keeps the order, and the writer from being used twice at once
		return s, nil
	}
	if cmd.Stderr, err = s.output(c.Stderr); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *streams) output(w io.Writer) (io.Writer, error) {
	if w == nil {
		return nil, nil // os/exec opens /dev/null
	}
	r, child, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.child = append(s.child, child)
	s.outputs = append(s.outputs, &output{r: r, w: w, done: make(chan error, 1)})
	return child, nil
}

// same reports whether two writers are one; writers that cannot be compared are two.
func same(a, b io.Writer) (equal bool) {
	defer func() {
		if recover() != nil {
			equal = false
		}
	}()
	return a == b
}

// start begins to copy, once the command runs. A writer that fails is told to fail.
func (s *streams) start(fail func(error)) {
	closeAll(s.child)
	s.child = nil
	if s.stdin != nil {
		go func() {
			// A command that does not want its input to the end is none of our business.
			_, _ = io.Copy(s.stdin, s.source)
			_ = s.stdin.Close()
		}()
	}
	for _, o := range s.outputs {
		go func() {
			err := o.copy()
			if err != nil {
				err = fmt.Errorf("its output cannot be kept: %w", err)
				fail(err)
			}
			_ = o.r.Close() // a command that writes on gets SIGPIPE
			o.done <- err
		}()
	}
}

// finish takes what the ended command has written, without waiting for others that hold its pipes. The error is that of
// the first writer that failed.
func (s *streams) finish() error {
	var first error
	for _, o := range s.outputs {
		// Wakes a reader that waits; where it has closed already, there is nothing to wake.
		_ = o.r.SetReadDeadline(time.Unix(1, 0))
		if err := <-o.done; err != nil && first == nil {
			first = err
		}
	}
	if s.stdin != nil {
		_ = s.stdin.Close()
	}
	return first
}

// close closes all ends, for a command that did not start.
func (s *streams) close() {
	closeAll(s.child)
	for _, o := range s.outputs {
		_ = o.r.Close()
	}
	if s.stdin != nil {
		_ = s.stdin.Close()
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

func (o *output) copy() error {
	buf := make([]byte, 64<<10)
	for {
		n, err := o.r.Read(buf)
		if n > 0 {
			if _, err := o.w.Write(buf[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return o.drain(buf)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// drain takes what is in the pipe now. All that the command wrote is there, since it has ended, and it is no more than the pipe
// holds: so neither a clock nor somebody who writes on for ever decides what is kept.
func (o *output) drain(buf []byte) error {
	if err := o.r.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	raw, err := o.r.SyscallConn()
	if err != nil {
		return err
	}
	for taken := 0; taken < pipeMax; {
		var n int
		var readErr error
		err := raw.Read(func(fd uintptr) bool {
			n, readErr = syscall.Read(int(fd), buf)
			return true // never wait
		})
		switch {
		case err != nil:
			return err
		case readErr == syscall.EINTR:
			continue
		case readErr == syscall.EAGAIN, readErr == nil && n == 0:
			return nil
		case readErr != nil:
			return readErr
		}
		if _, err := o.w.Write(buf[:n]); err != nil {
			return err
		}
		taken += n
	}
	return nil
}
