package host

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteFile(t *testing.T) { everywhere(t, Grace, writeFile) }

func writeFile(t *testing.T, h Host) {
	dir := scratch(t)
	file, link, victim := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "victim")
	for name, text := range map[string]string{file: "old", victim: "untouched"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for path, mode := range map[string]fs.FileMode{file: 0o644, link: 0o600, filepath.Join(dir, "new"): 0o755} {
		if err := h.WriteFile(t.Context(), path, []byte("new"), mode); err != nil {
			t.Fatal(err)
		}
		info, err := h.Stat(t.Context(), path)
		if err != nil || info.Mode != mode || info.Size != 3 {
			t.Errorf("%s: %+v, %v; want mode %v", path, info, err, mode)
		}
		if data, err := h.ReadFile(t.Context(), path); err != nil || string(data) != "new" {
			t.Errorf("%s holds %q, %v", path, data, err)
		}
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "untouched" {
		t.Errorf("what the link pointed at is now %q, %v", data, err)
	}
	// A write that fails leaves nothing.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := h.WriteFile(t.Context(), filepath.Join(dir, "taken"), nil, 0o600); err == nil {
		t.Error("a directory was replaced")
	}
	entries, err := h.ReadDir(t.Context(), dir)
	want := []Entry{{"file", 0}, {"link", 0}, {"new", 0}, {"taken", fs.ModeDir}, {"victim", 0}}
	if diff := cmp.Diff(want, entries); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
}

func TestAReaderSeesTheOldFileOrTheNew(t *testing.T) {
	everywhere(t, Grace, aReaderSeesTheOldFileOrTheNew)
}

func aReaderSeesTheOldFileOrTheNew(t *testing.T, h Host) {
	file := filepath.Join(scratch(t), "file")
	versions := [][]byte{bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("b"), 1<<16)}
	write := func(i int) {
		if err := h.WriteFile(context.Background(), file, versions[i%2], 0o600); err != nil {
			t.Error(err)
		}
	}
	write(0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 12 {
			write(i)
		}
	}()
	for reads := 0; ; reads++ {
		data, err := h.ReadFile(t.Context(), file)
		if err != nil || !bytes.Equal(data, versions[0]) && !bytes.Equal(data, versions[1]) {
			t.Fatalf("read %d: %d bytes, %v", reads, len(data), err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

func TestStatDoesNotFollow(t *testing.T) { everywhere(t, Grace, statDoesNotFollow) }

func statDoesNotFollow(t *testing.T, h Host) {
	dir := scratch(t)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	info, err := h.Stat(t.Context(), link)
	if err != nil || info.Mode&fs.ModeSymlink == 0 {
		t.Errorf("%+v, %v; want a symbolic link", info, err)
	}
	entries, err := h.ReadDir(t.Context(), dir)
	if diff := cmp.Diff([]Entry{{"link", fs.ModeSymlink}}, entries); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
}

func TestFilesThatAreNotThere(t *testing.T) { everywhere(t, Grace, filesThatAreNotThere) }

func filesThatAreNotThere(t *testing.T, h Host) {
	ended, cancel := context.WithCancelCause(t.Context())
	errStop := errors.New("stop")
	cancel(errStop)
	ways := map[string]func(context.Context, string) error{
		"ReadFile":  func(ctx context.Context, p string) error { _, err := h.ReadFile(ctx, p); return err },
		"Stat":      func(ctx context.Context, p string) error { _, err := h.Stat(ctx, p); return err },
		"ReadDir":   func(ctx context.Context, p string) error { _, err := h.ReadDir(ctx, p); return err },
		"WriteFile": func(ctx context.Context, p string) error { return h.WriteFile(ctx, p, nil, 0o600) },
	}
	for name, do := range ways {
		if err := do(t.Context(), "/no/such/file"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v; want that it does not exist", name, err)
		}
		if err := do(t.Context(), "local.go"); err == nil || !strings.Contains(err.Error(), "absolute") {
			t.Errorf("%s: %v; want that the path must be absolute", name, err)
		}
		if err := do(ended, "/no/such/file"); err != errStop {
			t.Errorf("%s: %v; want the cause", name, err)
		}
	}
}

func TestTempDir(t *testing.T) { everywhere(t, Grace, tempDir) }

func tempDir(t *testing.T, h Host) {
	dir, remove, err := h.TempDir(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	info, err := h.Stat(t.Context(), dir)
	if err != nil || info.Mode != fs.ModeDir|0o700 {
		t.Errorf("%+v, %v; want a directory that only its owner enters", info, err)
	}
	if entries, err := h.ReadDir(t.Context(), dir); err != nil || len(entries) != 0 {
		t.Errorf("it holds %v, %v", entries, err)
	}
	if err := h.WriteFile(t.Context(), filepath.Join(dir, "x"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := remove(); err != nil || exists(dir) {
			t.Errorf("after remove: %v, there: %v", err, exists(dir))
		}
	}
}
