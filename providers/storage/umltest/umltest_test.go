package umltest

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRun looks at what a machine has: disks of both kinds, md, loopback, a place to write, and the folder of the test.
func TestRun(t *testing.T) {
	Run(t, Machine{Disks: 3, SCSI: 2, DiskBytes: 48 << 20}, func(t *testing.T) {
		for _, name := range []string{"umltest.go", "/sys/block/ubdc", "/sys/module/raid456", "/sys/module/raid10", "/dev/ubda", "/dev/sdb"} {
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
		if size, err := os.ReadFile("/sys/block/ubda/size"); err != nil || strings.TrimSpace(string(size)) != "98304" {
			t.Errorf("a disk has %s sectors, %v", size, err)
		}
		a, _ := os.ReadFile("/sys/block/sda/device/wwid")
		b, _ := os.ReadFile("/sys/block/sdb/device/wwid")
		if len(a) == 0 || string(a) == string(b) {
			t.Errorf("the SCSI disks are %q and %q", a, b)
		}
		if err := os.WriteFile(filepath.Join(t.TempDir(), "x"), []byte("x"), 0o600); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile("written", []byte("x"), 0o600); err == nil {
			t.Error("the folder of the test could be written")
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		// What is written on a disk is read again, and the kernel mounts what it has no driver for yet.
		mnt := WorkDir(t, "mnt")
		for _, argv := range [][]string{{"mkfs.ext4", "-q", "/dev/ubdb"}, {"mount", "/dev/ubdb", mnt}, {"touch", mnt + "/file"}, {"umount", mnt}} {
			if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v: %s", argv, err, out)
			}
		}
		t.Run("part", func(t *testing.T) { t.Log("a part ran") })
	})
}

// outcome is the variable that says what TestOutcome is to do in the machine.
const outcome = "USER"

// TestOutcome is what TestOutcomes runs; by itself it passes.
func TestOutcome(t *testing.T) {
	what, ok := strings.CutPrefix(os.Getenv(outcome), "umltest-")
	if !ok {
		return
	}
	Run(t, Machine{Timeout: 60 * time.Second}, func(t *testing.T) {
		switch what {
		case "fail":
			t.Error("failed as asked")
		case "panic":
			panic("panicked as asked")
		case "skip":
			t.Skip("skipped as asked")
		case "hang":
			time.Sleep(time.Minute)
		case "die":
			_ = os.WriteFile("/proc/sysrq-trigger", []byte("o"), 0)
			time.Sleep(time.Minute)
		}
	})
}

func TestOutcomes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{
		"pass": "--- PASS: TestOutcome",
		"fail": "it failed in the virtual machine:\n", "panic": "panic: panicked as asked",
		"skip": "--- SKIP: TestOutcome", "die": "the virtual machine ended before the command did",
	} {
		cmd := exec.Command(self, "-test.run", "^TestOutcome$", "-test.v")
		cmd.Env = append(os.Environ(), outcome+"=umltest-"+what)
		out, err := cmd.CombinedOutput()
		if bad := what != "pass" && what != "skip"; (err != nil) != bad || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
}

// TestBootEnds looks that a machine that hangs is ended, with all its processes.
func TestBootEnds(t *testing.T) {
	scratch := t.TempDir()
	ended, err := Boot(context.Background(), Machine{Timeout: 8 * time.Second}, scratch, "/", []string{"sh", "-c", "echo begun; exec sleep 1000"})
	if err == nil || !strings.Contains(err.Error(), "had not ended after 8s") || ended.Output != "begun\n" {
		t.Errorf("%v: %q\n%s", err, ended.Output, ended.Console)
	}
	if left := processes(t, scratch); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// processes lists those that have a text among their arguments.
func processes(t *testing.T, text string) []string {
	t.Helper()
	procs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range procs {
		if line, _ := os.ReadFile(p); strings.Contains(string(line), text) {
			out = append(out, p)
		}
	}
	return out
}

// TestKilled looks that a machine goes with a test that is killed.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(self, "-test.run", "^TestOutcome$", "-test.v")
	cmd.Env = append(os.Environ(), outcome+"=umltest-hang", "TMPDIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(50 * time.Second); !done(); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %v", what, processes(t, "init="+dir))
			}
		}
	}
	wait("no machine was started", func() bool { return len(processes(t, "init="+dir)) > 2 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	wait("processes are left", func() bool { return len(processes(t, "init="+dir)) == 0 })
}

func TestTooManyDisks(t *testing.T) {
	if _, err := Boot(context.Background(), Machine{Disks: 17}, t.TempDir(), "/", []string{"true"}); err == nil {
		t.Error("17 disks were taken")
	}
}
