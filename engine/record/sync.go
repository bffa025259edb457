package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// syncer puts an open file, or a directory with the names in it, on the disk: (*os.File).Sync, but for tests that look which
// files come there.
type syncer func(*os.File) error

// write writes a file through a temporary one, so that it is whole or absent, and is on the disk.
func (sync syncer) write(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, sync(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return sync.dir(filepath.Dir(path))
}

// dir makes the names in a directory last.
func (sync syncer) dir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	if err := errors.Join(sync(d), d.Close()); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return nil
}
