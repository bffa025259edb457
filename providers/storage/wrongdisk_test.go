package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
)

// taken is a sandbox disk that was taken and not purged yet, so that its Prepare would erase it.
type taken struct {
	t    testing.TB
	p    providers.Provider
	req  providers.ThingRequest
	ref  guard.Ref
	link string
	loop string // /dev/loop3
	file string
}

func take(t testing.TB) *taken {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root makes loop devices")
	}
	dir := t.TempDir()
	config := providertest.Config(t, disk{}.schema().Body, map[string]any{
		"purge": "discard", "disk": []map[string]any{{"id": "sas-1", "group": "sas", "capacity": 16 << 20, "sandbox": dir}},
	})
	d := &taken{t: t, p: New(host.Dial)}
	d.req = providers.ThingRequest{ID: "storage_disk-0123456789", Erase: true,
		Target: providers.Target{Kind: "setup", Type: "storage_disk", Config: config, Hosts: []string{""}}}
	d.ref = guard.Refs(config.GetAttr("disk"))[0]
	d.link = d.ref.Path()
	h, err := host.Dial(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	atEnd := providertest.NewSink(t.TempDir())
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		if err := d.p.Release(ctx, d.req, atEnd); err != nil {
			t.Errorf("Release: %v", err)
		}
		if left, err := filepath.Glob(dir + "/*"); err != nil || len(left) > 0 {
			t.Errorf("left in the sandbox: %q, %v", left, err)
		}
		if _, err := os.Lstat(d.link); err == nil {
			t.Errorf("the link %s is left", d.link)
		}
	})
	w := worker{Host: h, sink: providertest.NewSink(t.TempDir())}
	if err := guard.Take(t.Context(), w, d.req, []guard.Ref{d.ref}, w.run); err != nil {
		t.Fatal(err)
	}
	if d.loop, err = os.Readlink(d.link); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(dir + "/assay-sandbox-*/*.img")
	if err != nil || len(files) != 1 {
		t.Fatalf("files of the sandbox: %q, %v", files, err)
	}
	d.file = files[0]
	return d
}

func (d *taken) sh(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
}

// undo runs a command at the end, before the disk is given back.
func (d *taken) undo(name string, args ...string) {
	d.t.Cleanup(func() {
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			d.t.Errorf("%s %q: %v: %s", name, args, err, out)
		}
	})
}

func (d *taken) write(data []byte) {
	d.t.Helper()
	f, err := os.OpenFile(d.loop, os.O_WRONLY|os.O_SYNC, 0)
	if err == nil {
		_, err = f.Write(data)
	}
	if err := errorsOf(err, f.Close()); err != nil {
		d.t.Fatal(err)
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *taken) sum() [32]byte {
	d.t.Helper()
	raw, err := os.ReadFile(d.file)
	if err != nil {
		d.t.Fatal(err)
	}
	return sha256.Sum256(raw)
}

// holder starts a program that lasts until the end of the test, and waits until it says that it is ready.
func (d *taken) holder(name string, args ...string) {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { // the end of its input ends it
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	if n, err := stdout.Read(make([]byte, 64)); n == 0 || err != nil {
		d.t.Fatalf("%s %q said nothing: %v", name, args, err)
	}
}

// TestWrongDiskIsNotTouched brings a disk that was taken into the ways of being wrong that real devices can be brought into here. Prepare,
// whose next command erases, is refused each time with the reason, and not a byte of the disk is different.
func TestWrongDiskIsNotTouched(t *testing.T) {
	mbr := make([]byte, 512) // one partition of 8 MiB from 1 MiB on
	mbr[446+4] = 0x83
	binary.LittleEndian.PutUint32(mbr[446+8:], 2048)
	binary.LittleEndian.PutUint32(mbr[446+12:], 16384)
	copy(mbr[510:], "\x55\xaa")
	for _, c := range []struct {
		name  string
		wrong func(*taken)
		want  string
	}{
		{"mounted", func(d *taken) {
			at := d.t.TempDir()
			d.sh("mkfs.ext4", "-q", d.loop)
			d.sh("mount", d.loop, at)
			d.undo("umount", at)
		}, "is mounted at"},
		{"mounted through the link", func(d *taken) {
			at := d.t.TempDir()
			d.sh("mkfs.ext4", "-q", d.loop)
			d.sh("mount", d.link, at)
			d.undo("umount", at)
		}, "is mounted at"},
		{"mounted in another namespace", func(d *taken) {
			at := d.t.TempDir()
			d.sh("mkfs.ext4", "-q", d.loop)
			d.holder("unshare", "--mount", "--propagation", "private", "sh", "-c", `mount "$0" "$1" && echo ready && read -r end; umount "$1"`, d.loop, at)
		}, "is mounted at"},
		{"partition mounted", func(d *taken) {
			at := d.t.TempDir()
			d.write(mbr)
			d.sh("partx", "--add", d.loop)
			d.undo("partx", "--delete", d.loop)
			d.sh("mkfs.ext4", "-q", d.loop+"p1")
			d.sh("mount", d.loop+"p1", at)
			d.undo("umount", at)
		}, "p1), in this or another mount namespace"},
		{"partition of the same number as another's node", func(d *taken) {
			node := filepath.Join(d.t.TempDir(), "node")
			at := d.t.TempDir()
			d.sh("mkfs.ext4", "-q", d.loop)
			d.sh("cp", "-a", d.loop, node)
			d.sh("mount", node, at)
			d.undo("umount", at)
		}, "is mounted at"},
		{"two loops over the file", func(d *taken) { d.again(d.file) }, "loops over one file"},
		{"a loop over a hard link of the file", func(d *taken) {
			name := filepath.Join(filepath.Dir(filepath.Dir(d.file)), "hard-link")
			d.sh("ln", d.file, name)
			d.undo("rm", name)
			d.again(name)
		}, "loops over one file"},
		{"a loop over the disk", func(d *taken) { d.again(d.loop) }, "lies over"},
		{"opened by a process", func(d *taken) {
			d.holder("sh", "-c", `exec 3<"$0"; echo ready; read -r end`, d.loop)
		}, "open; end it first"},
		{"link turned to another disk", func(d *taken) {
			d.sh("ln", "-s", "-f", "-n", "/dev/zero", d.link)
			d.undo("ln", "-s", "-f", "-n", d.loop, d.link)
		}, ""}, // Take turns it back: what is erased is the disk itself, see below
		{"marked by another run", func(d *taken) {
			mark := "/var/lib/assay/" + filepath.Base(d.link) + ".json"
			before, err := os.ReadFile(mark)
			if err != nil {
				d.t.Fatal(err)
			}
			other := bytes.Replace(before, []byte(d.req.ID), []byte("storage_raid-other"), 1)
			if err := os.WriteFile(mark, other, 0o644); err != nil {
				d.t.Fatal(err)
			}
			d.t.Cleanup(func() { _ = os.WriteFile(mark, before, 0o644) })
		}, "bears the mark of the thing storage_raid-other"},
		{"mark that is no mark", func(d *taken) {
			mark := "/var/lib/assay/" + filepath.Base(d.link) + ".json"
			before, err := os.ReadFile(mark)
			if err != nil {
				d.t.Fatal(err)
			}
			if err := os.WriteFile(mark, []byte("{"), 0o644); err != nil {
				d.t.Fatal(err)
			}
			d.t.Cleanup(func() { _ = os.WriteFile(mark, before, 0o644) })
		}, "is not a mark that this assay understands"},
		{"read-only", func(d *taken) {
			d.sh("blockdev", "--setro", d.loop)
			d.undo("blockdev", "--setrw", d.loop)
		}, "is read-only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := take(t)
			d.write(bytes.Repeat([]byte("precious"), 1000))
			c.wrong(d)
			d.sh("sync", "--", d.file)
			before := d.sum()
			err := d.p.Prepare(t.Context(), d.req, providertest.NewSink(t.TempDir()))
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Prepare: %v; want %q", err, c.want)
			}
			if d.sum() != before {
				t.Error("the disk was written to")
			}
		})
	}
}

// again attaches one more loop device over a file.
func (d *taken) again(file string) {
	d.t.Helper()
	out, err := exec.Command("losetup", "--find", "--show", file).Output()
	if err != nil {
		d.t.Fatal(err)
	}
	loop := strings.TrimSpace(string(out))
	d.t.Cleanup(func() {
		if err := exec.Command("losetup", "--detach", loop).Run(); err != nil {
			d.t.Error(err)
		}
		for range 100 { // the kernel lets go of it a little later
			if out, _ := exec.Command("losetup", "--noheadings", "--output", "BACK-FILE", loop).Output(); len(bytes.TrimSpace(out)) == 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

// TestSandboxDiskIsBare: Prepare leaves a disk of zeros behind a link, also where a crash had left it half made, and Release leaves nothing.
func TestSandboxDiskIsBare(t *testing.T) {
	d := take(t)
	d.write(bytes.Repeat([]byte("residue"), 1000))
	look := func() *providers.InspectResponse {
		t.Helper()
		resp, err := d.p.Inspect(t.Context(), d.req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	if got := look(); got.Standing != providers.Partial {
		t.Errorf("before it was purged it is %s (%s), want partial", got.Standing, got.Detail)
	}
	if err := d.p.Prepare(t.Context(), d.req, providertest.NewSink(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(d.link)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) != 16<<20 || len(bytes.TrimLeft(raw, "\x00")) > 0 {
		t.Errorf("the disk has %d B, and is not all zeros", len(raw))
	}
	if got := look(); got.Standing != providers.Stands {
		t.Errorf("it is %s (%s), want standing", got.Standing, got.Detail)
	}

	// After a restart of the machine there is neither the link nor the loop; woken, it has what was on it.
	d.write([]byte("kept"))
	d.sh("sync", "--", d.loop)
	d.sh("losetup", "--detach", d.loop)
	d.sh("rm", d.link)
	if got := look(); got.Standing != providers.Dormant {
		t.Errorf("after a restart it is %s (%s), want dormant", got.Standing, got.Detail)
	}
	asleep := d.req
	asleep.Erase = false
	if err := d.p.Prepare(t.Context(), asleep, providertest.NewSink(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	if raw, err = os.ReadFile(d.link); err != nil || !bytes.HasPrefix(raw, []byte("kept")) {
		t.Errorf("woken it begins with %q, %v", raw[:min(8, len(raw))], err)
	}
	if d.loop, err = os.Readlink(d.link); err != nil {
		t.Fatal(err)
	}

	// What is in use stays, and is given back once it is free.
	at := t.TempDir()
	d.sh("mkfs.ext4", "-q", d.loop)
	d.sh("mount", d.loop, at)
	if err := d.p.Release(t.Context(), d.req, providertest.NewSink(t.TempDir())); err == nil {
		t.Error("Release of a disk that is mounted was no error")
	}
	if _, err := os.Stat(d.file); err != nil {
		t.Errorf("the file of the mounted disk: %v", err)
	}
	d.sh("umount", at)
}
