package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteSeries puts derived files of series in the place of those that are there.
func (r *Record) WriteSeries(files map[string][]byte) error {
	dir := filepath.Join(r.Dir, SeriesDir)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	if len(files) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	for name, raw := range files {
		if err := r.Write(filepath.Join(SeriesDir, name), raw); err != nil {
			return err
		}
	}
	return nil
}

// ReadSeries reads the files of series by their names. A record may have none.
func (r *Record) ReadSeries() (map[string][]byte, error) {
	entries, err := os.ReadDir(filepath.Join(r.Dir, SeriesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = r.Read(filepath.Join(SeriesDir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}
