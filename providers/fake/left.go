package fake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// What a repetition of a test leaves is a file in .assay/fake/left that holds the number of the repetition, so that a test that takes
// what is not there yet, or what an earlier repetition left, fails.

func (w *world) leftPath(id string) (string, error) {
	if !idRE.MatchString(id) {
		return "", fmt.Errorf("%q is not what a fake test leaves: ids are made of A-Z a-z 0-9 _ -", id)
	}
	return filepath.Join(w.dir, "left", id), nil
}

// leave notes that a repetition of a test is over and has left what it promises.
func (w *world) leave(id string, repetition int) error {
	path, err := w.leftPath(id)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strconv.Itoa(repetition)+"\n"), 0o666)
}

// take says why what a repetition should have left is not there; empty where it is.
func (w *world) take(id string, repetition int) (why string, err error) {
	path, err := w.leftPath(id)
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("nothing was left as %q", id), nil
	}
	if n := strings.TrimSpace(string(raw)); err == nil && n != strconv.Itoa(repetition) {
		return fmt.Sprintf("what was left as %q is of repetition %s, not of %d", id, n, repetition), nil
	}
	return "", err
}

// forget removes what a test left.
func (w *world) forget(id string) error {
	path, err := w.leftPath(id)
	if err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
