package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// sftpClient is the connection for files: sshd's own subsystem, or, where it has none and for root, a server started as a command.
func (r *remote) sftpClient(ctx context.Context) (*sftp.Client, *link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, err := r.ensure(ctx)
	if err != nil {
		return nil, nil, err
	}
	if r.files == nil {
		if !r.target.become {
			r.files, err = subsystem(l.client)
		}
		if r.files == nil {
			r.files, err = r.fileServer(ctx, l)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: files: %w", r.address, r.linkError(l, err))
		}
	}
	return r.files, l, nil
}

func subsystem(c *ssh.Client) (*sftp.Client, error) {
	return sftp.NewClient(c, sftp.UseFstat(true))
}

func (r *remote) fileServer(ctx context.Context, l *link) (*sftp.Client, error) {
	s, err := l.start(ctx, errand{mode: "files", become: r.target.become})
	if err != nil {
		return nil, err
	}
	text, err := s.answer(ctx, 0)
	if err == nil && text != "go" {
		err = errors.New("no sftp-server there; install it (Debian: openssh-sftp-server)")
	}
	if err != nil {
		_ = s.ch.Close()
		return nil, err
	}
	go func() { _, _ = io.Copy(io.Discard, s.ch.Stderr()) }()
	return sftp.NewClientPipe(s.out.r, struct {
		io.Writer
		io.Closer
	}{s, s.ch}, sftp.UseFstat(true))
}

// withFiles runs do, and returns when it has or ctx ends: a link that is silent must not hold us. do may go on a little then, and
// looks at ctx itself before it changes anything.
func withFiles[T any](ctx context.Context, r *remote, op, name string, do func(*sftp.Client) (T, error)) (T, error) {
	var none T
	if err := usable(ctx, name); err != nil {
		return none, err
	}
	c, l, err := r.sftpClient(ctx)
	if err != nil {
		return none, err
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		v, err := do(c)
		done <- answer{v, err}
	}()
	select {
	case a := <-done:
		if a.err == nil {
			return a.value, nil
		}
		if ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		if errors.Is(a.err, sftp.ErrSSHFxConnectionLost) || errors.Is(a.err, io.EOF) {
			r.forget(c)
			return none, r.linkError(l, fmt.Errorf("%s %s: %w", op, name, a.err))
		}
		var pathErr *fs.PathError
		if !errors.As(a.err, &pathErr) {
			a.err = &fs.PathError{Op: op, Path: name, Err: a.err}
		}
		return none, a.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// forget drops a client that has lost its server, so that the next call starts another.
func (r *remote) forget(c *sftp.Client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files == c {
		_ = c.Close()
		r.files = nil
	}
}

// ReadFile implements Host.
func (r *remote) ReadFile(ctx context.Context, name string) ([]byte, error) {
	return withFiles(ctx, r, "open", name, func(c *sftp.Client) ([]byte, error) {
		f, err := c.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		var data bytes.Buffer
		_, err = f.WriteTo(&pausing{ctx, &data}) // many requests at once, and to the end even where, as in /proc, there is no size
		return data.Bytes(), err
	})
}

// pausing stops between two writes when ctx ends.
type pausing struct {
	ctx context.Context
	w   io.Writer
}

func (p *pausing) Write(b []byte) (int, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	return p.w.Write(b)
}

// Stat implements Host.
func (r *remote) Stat(ctx context.Context, name string) (FileInfo, error) {
	return withFiles(ctx, r, "lstat", name, func(c *sftp.Client) (FileInfo, error) {
		info, err := c.Lstat(name)
		if err != nil {
			return FileInfo{}, err
		}
		return FileInfo{Mode: info.Mode(), Size: info.Size()}, nil
	})
}

// ReadDir implements Host.
func (r *remote) ReadDir(ctx context.Context, name string) ([]Entry, error) {
	return withFiles(ctx, r, "open", name, func(c *sftp.Client) ([]Entry, error) {
		list, err := c.ReadDirContext(ctx, name)
		if err != nil {
			return nil, err
		}
		entries := make([]Entry, len(list))
		for i, info := range list {
			entries[i] = Entry{Name: info.Name(), Mode: info.Mode().Type()}
		}
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		return entries, nil
	})
}

// WriteFile implements Host.
func (r *remote) WriteFile(ctx context.Context, name string, data []byte, mode fs.FileMode) error {
	n, err := rand.Int(rand.Reader, big.NewInt(1<<32))
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d.tmp", name, n)
	_, err = withFiles(ctx, r, "write", name, func(c *sftp.Client) (struct{}, error) {
		err := fill(ctx, c, temporary, data, mode)
		if err == nil {
			if err = c.PosixRename(temporary, name); err == nil {
				return struct{}{}, nil
			}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			_ = c.Remove(temporary)
		}
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	// The new name is data of the directory, and sftp cannot sync that.
	var said strings.Builder
	res, err := r.Run(ctx, Cmd{Argv: []string{"sync", path.Dir(name)}, Stderr: &said})
	if err == nil && !res.OK() {
		err = fmt.Errorf("sync %s: %s", path.Dir(name), strings.TrimSpace(said.String()))
	}
	return err
}

// fill makes the temporary file. Nobody but its owner can read it before it has its mode.
func fill(ctx context.Context, c *sftp.Client, name string, data []byte, mode fs.FileMode) error {
	f, err := c.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	err = f.Chmod(0o600)
	for rest := data; err == nil && len(rest) > 0; {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
			break
		}
		part := rest[:min(len(rest), 1<<20)]
		_, err = f.Write(part)
		rest = rest[len(part):]
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if _, ok := c.HasExtension("fsync@openssh.com"); ok && err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), context.Cause(ctx))
}

// TempDir implements Host. It lies in /tmp.
func (r *remote) TempDir(ctx context.Context) (string, func() error, error) {
	var out, said strings.Builder
	res, err := r.Run(ctx, Cmd{Argv: []string{"mktemp", "-d", "/tmp/assay-XXXXXXXXXX"}, Stdout: &out, Stderr: &said})
	if err == nil && !res.OK() {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	dir := strings.TrimSuffix(out.String(), "\n")
	if err == nil && !path.IsAbs(dir) {
		err = fmt.Errorf("mktemp printed %q", dir)
	}
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary directory on %s: %w", r.address, err)
	}
	return dir, func() error { return r.removeAll(context.WithoutCancel(ctx), dir) }, nil
}

// removeTimeout bounds the removal of a temporary directory.
const removeTimeout = time.Minute

func (r *remote) removeAll(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, removeTimeout, fmt.Errorf("%s was not removed within %s", dir, removeTimeout))
	defer cancel()
	var said strings.Builder
	res, err := r.Run(ctx, Cmd{Argv: []string{"rm", "-rf", "--", dir}, Stderr: &said})
	if err == nil && !res.OK() {
		err = fmt.Errorf("remove %s: %s", dir, strings.TrimSpace(said.String()))
	}
	return err
}
