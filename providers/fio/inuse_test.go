package fio

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
)

// TestMountedDevice: a mounted file system is not written to, by whatever name, and is read.
func TestMountedDevice(t *testing.T) {
	dev, file := loopDevice(t, 8<<20)
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", dev).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.ext4: %v: %s (Debian: e2fsprogs)", err, out)
	}
	link, mnt := filepath.Join(t.TempDir(), "link"), t.TempDir()
	if err := os.Symlink(dev, link); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "ro", dev, mnt).CombinedOutput(); err != nil {
		t.Fatalf("mount: %v: %s", err, out)
	}
	mounted := true
	unmount := func() {
		if mounted {
			mounted = false
			if out, err := exec.Command("umount", mnt).CombinedOutput(); err != nil {
				t.Errorf("umount: %v: %s", err, out)
			}
		}
	}
	t.Cleanup(unmount)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := values{"rw": "write", "bs": "64KiB", "size": "1MiB", "runtime": "100ms"}
	for _, name := range []string{dev, link} {
		write["device"] = name
		jobs := jobsTarget(t, values{"device": name, "jobs_file": "[a]\nrw=randrw\nsize=1m\n"})
		for _, target := range []providers.Target{testTarget(t, "w", write), jobs} {
			sink := providertest.NewSink("")
			err := New(host.Dial).Measure(t.Context(), providers.MeasureRequest{Target: target}, open, sink)
			if err == nil || !strings.Contains(err.Error(), name+" on this machine is not written to, since "+dev+" is mounted at "+mnt) || len(sink.Exits()) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
		full := precondition(t, values{"device": name, "size": "1MiB"})
		if err := New(host.Dial).Prepare(t.Context(), providers.ThingRequest{Target: full, ID: "mounted", Expect: plan(t, full).Expect}, providertest.NewSink("")); err == nil || !strings.Contains(err.Error(), "is mounted at") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file system was written to: %v", err)
	}
	if s, _ := repetition(t, testTarget(t, "r", values{"device": link, "rw": "read", "size": "1MiB"}), open); s.Outcome != measure.OK {
		t.Errorf("reading: %s", s.Reason)
	}
	unmount()
	write["device"] = link
	if s, _ := repetition(t, testTarget(t, "w", write), open); s.Outcome != measure.OK {
		t.Errorf("once it is free: %s", s.Reason)
	}
}

// TestMemberOfBtrfs: a file system of several devices is mounted under the name of one of them.
func TestMemberOfBtrfs(t *testing.T) {
	first, _ := loopDevice(t, 128<<20)
	second, _ := loopDevice(t, 128<<20)
	if out, err := exec.Command("mkfs.btrfs", "-q", "-d", "single", "-m", "single", first, second).CombinedOutput(); err != nil {
		t.Fatalf("mkfs.btrfs: %v: %s (Debian: btrfs-progs)", err, out)
	}
	mnt := t.TempDir()
	if out, err := exec.Command("mount", "-o", "ro,device="+second, first, mnt).CombinedOutput(); err != nil {
		t.Fatalf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", mnt).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	for _, dev := range []string{first, second} {
		err := New(host.Dial).Measure(t.Context(), providers.MeasureRequest{Target: testTarget(t, "w", values{"device": dev, "rw": "write", "size": "1MiB"})}, open, providertest.NewSink(""))
		if err == nil || !strings.Contains(err.Error(), "is not written to") {
			t.Errorf("%s: %v", dev, err)
		}
	}
}
