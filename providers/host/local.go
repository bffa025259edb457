package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// local is this machine.
type local struct {
	grace time.Duration
}

// Local is this machine. It holds nothing; Close does nothing.
func Local() Host { return local{grace: Grace} }

// Address implements Host.
func (local) Address() string { return "" }

// Close implements Host.
func (local) Close() error { return nil }

// ReadFile implements Host.
func (local) ReadFile(ctx context.Context, path string) ([]byte, error) {
	if err := usable(ctx, path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Stat implements Host.
func (local) Stat(ctx context.Context, path string) (FileInfo, error) {
	if err := usable(ctx, path); err != nil {
		return FileInfo{}, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return FileInfo{}, err
	}
	return FileInfo{Mode: info.Mode(), Size: info.Size()}, nil
}

// ReadDir implements Host.
func (local) ReadDir(ctx context.Context, path string) ([]Entry, error) {
	if err := usable(ctx, path); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = Entry{Name: e.Name(), Mode: e.Type()}
	}
	return entries, nil
}

// WriteFile implements Host.
func (local) WriteFile(ctx context.Context, path string, data []byte, mode fs.FileMode) error {
	if err := usable(ctx, path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	if err := replace(f, path, data, mode); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// replace fills f and puts it in the place of path. It closes f in every case.
func replace(f *os.File, path string, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// syncDir makes a rename last: the new name is data of the directory.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// TempDir implements Host.
func (local) TempDir(ctx context.Context) (string, func() error, error) {
	if ctx.Err() != nil {
		return "", nil, context.Cause(ctx)
	}
	dir, err := os.MkdirTemp("", "assay-")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}

// usable refuses what would mean another file on another host: a relative path.
func usable(ctx context.Context, path string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%q: expected an absolute path", path)
	}
	return nil
}
