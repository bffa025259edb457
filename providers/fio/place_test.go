package fio

import (
	"bytes"
	"context"
	"math"
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

// TestSeveralFiles: size and filesize are what fio makes of them, over directories whose names it would take for several.
func TestSeveralFiles(t *testing.T) {
	for _, c := range []struct {
		config     values
		file, each float64 // bytes of each file, and I/O of each job
	}{
		{values{"filesize": "1MiB"}, 1 << 20, 3 << 20},
		{values{"filesize": "1MiB", "size": "2MiB"}, 1 << 20, 2 << 20},
		{values{"size": "3MiB"}, 1 << 20, 3 << 20},
		{values{"size": "1MiB", "bs": "512B"}, math.Floor((1 << 20) / 3), 3 * math.Floor((1<<20)/3/512) * 512},
	} {
		var dirs list
		for _, name := range []string{"a", "b:c", `d\`} {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, dir)
		}
		c.config["directories"], c.config["rw"], c.config["numjobs"] = dirs, "read", 2
		target := testTarget(t, "r", c.config)
		s, sink := repetition(t, target, open)
		out := readOutput(sink.Data("fio.stdout"))
		if s.Outcome != measure.OK || out.doc == nil {
			t.Fatalf("%v: %s: %s", c.config, s.Outcome, s.Reason)
		}
		for _, j := range out.doc.Jobs {
			if j.Read.Bytes != c.each {
				t.Errorf("%v: a job read %g bytes, want %g", c.config, j.Read.Bytes, c.each)
			}
		}
		for _, file := range placeOf(target).files {
			if info, err := os.Stat(file); err != nil || float64(info.Size()) != c.file {
				t.Errorf("%v: %v, %v; want %g bytes", c.config, info, err, c.file)
			}
		}
		e := (config{target.Config}).extent(placeOf(target))
		if math.Abs(e.each-c.file) > 1 || math.Abs(e.job-c.each) > 4096 {
			t.Errorf("%v: planned %+v", c.config, e)
		}
		if err := New(host.Dial).Release(t.Context(), providers.ThingRequest{Target: target}, providertest.NewSink("")); err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if left, _ := os.ReadDir(dir.(string)); len(left) > 0 {
				t.Errorf("%s holds %v", dir, left)
			}
		}
	}
}

// loopDevice is a device over a file of that size, until the test ends.
func loopDevice(t *testing.T, bytes int64) (device, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, bytes); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", file).Output()
	if err != nil {
		t.Fatalf("losetup: %v (as root, on Linux)", err)
	}
	device = strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("losetup --detach: %v: %s", err, out)
		}
	})
	return device, file
}

// TestDevices: fio works on devices, also through a symbolic link, and what size leaves out is not written.
func TestDevices(t *testing.T) {
	first, content := loopDevice(t, 4<<20)
	second, _ := loopDevice(t, 4<<20)
	link := filepath.Join(t.TempDir(), "array:0")
	if err := os.Symlink(first, link); err != nil {
		t.Fatal(err)
	}
	s, _ := repetition(t, testTarget(t, "w", values{"devices": list{link, second}, "rw": "write", "bs": "64KiB", "size": "2MiB", "direct": true, "ioengine": "libaio", "iodepth": 4}), open)
	if s.Outcome != measure.OK {
		t.Fatalf("%s: %s", s.Outcome, s.Reason)
	}
	raw, err := os.ReadFile(content)
	if err != nil {
		t.Fatal(err)
	}
	half := make([]byte, 1<<20)
	if bytes.Equal(raw[:1<<20], half) || !bytes.Equal(raw[1<<20:2<<20], half) {
		t.Error("the first MiB is not what was written")
	}
	if s, _ = repetition(t, testTarget(t, "r", values{"device": first, "rw": "read", "bs": "1MiB", "direct": true}), open); s.Outcome != measure.OK {
		t.Errorf("the whole device: %s: %s", s.Outcome, s.Reason)
	}
}

// TestMissingDevice: nothing is made in its place.
func TestMissingDevice(t *testing.T) {
	dir := t.TempDir()
	gone, file := filepath.Join(dir, "gone"), filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dev := range []string{gone, file, dir} {
		sink := providertest.NewSink("")
		err := New(host.Dial).Measure(context.Background(), providers.MeasureRequest{Target: testTarget(t, "w", values{"device": dev, "rw": "write", "size": "1MiB"})}, open, sink)
		if err == nil || !strings.Contains(err.Error(), dev+" on this machine is not a block device") || len(sink.Exits()) > 0 {
			t.Errorf("%s: %v", dev, err)
		}
	}
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("%s: %v", gone, err)
	}
}
