// Package umltest runs a test inside a User-Mode-Linux kernel: a Linux that is an ordinary process, with md RAID, device mapper and disks of
// its own. Its root is this machine's, read only, so every tool is there at its own path; it needs no image and no privileges, only Debian's
// package user-mode-linux. Nothing that is done in it reaches a device of this machine.
//
// It is for tests only. What it has not: more than one CPU, disks of type ubd with serial numbers (SCSI disks have them), O_DIRECT
// on files of the root.
package umltest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Machine says what the virtual machine has. The zero value has a kernel and no disk.
type Machine struct {
	Disks     int   // /dev/ubda …, without identity; 16 at most
	DiskBytes int64 // of each, sparse and empty; 0: 64 MiB
	SCSI      int   // /dev/sda …, in memory, each with a serial number and a WWN of its own
	SCSIMiB   int   // of each; 0: 16
	MemoryMiB int   // 0: 1024; SCSI disks take theirs out of it
	// Modules are loaded beside those of md (raid0, raid1, raid10, raid456), which always are. The kernel itself loads what a mount needs.
	Modules []string
	Udev    bool          // udevd runs, so /dev/disk and the database of lsblk are there; it costs seconds
	Timeout time.Duration // for all of it, from the start of the kernel; 0: 5 minutes
}

// inside is the variable that holds the folder of the machine in which a test finds itself.
const inside = "ASSAY_UMLTEST"

// Dir is a folder of the machine's own that is in memory, and large: a place for TMPDIR, mount points and files.
const Dir = "/run/work"

// Run runs do in a machine of its own, as the test that calls it: the test binary runs once more in there, with this test only, and do is
// called there and not here. What it logs and how it ends is what the test here logs, and how it ends. Run must be the first thing that the test does, and the only
// one: what stands before it is done twice.
func Run(t *testing.T, m Machine, do func(t *testing.T)) {
	t.Helper()
	if os.Getenv(inside) != "" {
		if err := arrange(m); err != nil {
			t.Fatalf("in the virtual machine: %v", err)
		}
		do(t)
		return
	}
	self, err := binary(t)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if m.Timeout == 0 {
		m.Timeout = 5 * time.Minute
	}
	argv := []string{self, "-test.run", pattern(t.Name()), "-test.v", "-test.count=1", "-test.timeout", m.Timeout.String()}
	ended, err := Boot(t.Context(), m, t.TempDir(), dir, argv)
	text := strings.TrimSpace(ended.Output)
	switch {
	case err != nil:
		t.Fatalf("%v\n%s\nIts console:\n%s", err, text, ended.Console)
	case ended.Status != 0:
		t.Fatalf("it failed in the virtual machine:\n%s", text)
	case strings.Contains(text, "--- SKIP"):
		t.Skipf("it was skipped in the virtual machine:\n%s", text)
	case !strings.Contains(text, "--- PASS: "+t.Name()+" "):
		t.Fatalf("it did not run in the virtual machine:\n%s", text)
	}
	t.Logf("in the virtual machine:\n%s", text)
}

// pattern is what picks this test, and of its parts those that were asked for.
func pattern(name string) string {
	p := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	if asked := flag.Lookup("test.run"); asked != nil {
		if _, parts, ok := strings.Cut(asked.Value.String(), "/"); ok {
			p += "/" + parts
		}
	}
	return p
}

// Inside reports whether this process runs in a machine that Run made.
func Inside() bool { return os.Getenv(inside) != "" }

// WorkDir makes a folder of a test in the machine, in memory.
func WorkDir(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(Dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
