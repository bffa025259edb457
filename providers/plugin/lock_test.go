package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLock: what is written is read, in any order, with any text; without providers there is no file.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	if got, err := ReadLock(dir); err != nil || len(got) != 0 {
		t.Errorf("without a file: %v %v", got, err)
	}
	want := map[string]Locked{
		"b": {Name: "b", Source: "./bin/b ${x} \"磁盘\"", SHA256: map[string]string{"linux_amd64": "aa", "darwin_arm64": "bb"}},
		"a": {Name: "a", Source: "../a", SHA256: map[string]string{Platform: "cc"}},
	}
	if err := WriteLock(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLock(dir)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	raw, err := os.ReadFile(filepath.Join(dir, LockFile))
	if err != nil || !strings.HasPrefix(string(raw), "# Written by `assay providers lock`") || strings.Index(string(raw), `"a"`) > strings.Index(string(raw), `"b"`) {
		t.Errorf("the file is %q, %v", raw, err)
	}
	for range 2 {
		if err := WriteLock(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := os.WriteFile(filepath.Join(dir, LockFile), []byte("provider \"x\" {\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = ReadLock(dir)
	wants(t, "a torn file", err, "the lock file cannot be read", LockFile)
}

func TestSum(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Sum(file); err != nil || got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("%s %v", got, err)
	}
}
