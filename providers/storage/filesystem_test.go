package storage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage/umltest"
	"github.com/google/go-cmp/cmp"
)

// setupOf is a setup of a type as it goes through a run; what is wrong with it ends the test.
func setupOf(t *testing.T, typ string, values map[string]any) *thing {
	t.Helper()
	th := &thing{t: t, p: newProvider(), req: providers.ThingRequest{ID: "thing1", Target: providers.Target{
		Kind: "setup", Type: typ, Config: providertest.Config(t, typeOf(t, typ).Body, values),
	}}}
	plan, err := th.p.Plan(t.Context(), providers.PlanRequest{Target: th.req.Target})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plan.Problems {
		t.Fatalf("%s: %s: %s", p.Attribute, p.Summary, p.Detail)
	}
	th.plan, th.req.Outputs, th.req.Expect = plan, plan.Outputs, plan.Expect
	return th
}

// plainArray makes an array without the guard, and gives its device.
func plainArray(t *testing.T, values map[string]any) string {
	t.Helper()
	target := providers.Target{Kind: "setup", Type: "storage_raid", Config: providertest.Config(t, typeOf(t, "storage_raid").Body, values)}
	a, problems := arrayOf(target)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, w := mdDriver{}, worker{Host: host.Local(), sink: providertest.NewSink("")}
	list := d.arrays(a)
	for _, s := range list {
		s.disks = nil
		if err := d.make(t.Context(), w, s, providers.ThingRequest{}, true, filepath.Base(s.Device)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.synced(t.Context(), w, list); err != nil {
		t.Fatal(err)
	}
	return d.device(a)
}

// TestFilesystems makes each type, with the stripe that the array has, and finds it again after it was unmounted.
func TestFilesystems(t *testing.T) {
	umltest.Run(t, umltest.Machine{Disks: 6, DiskBytes: 560 << 20, Timeout: 15 * time.Minute}, func(t *testing.T) {
		disks := plainDisks(t, 6)
		array := plainArray(t, map[string]any{"level": 5, "devices": disks[:3], "chunk": "64KiB"})
		given := umltest.WorkDir(t, "given")
		for name, tc := range map[string]struct {
			values map[string]any
			form   []string // tells what the file system has
			want   string   // a part of what that says
		}{
			"xfs":        {map[string]any{"device": array, "mount_options": []string{"noatime"}}, []string{"xfs_info"}, "sunit=16     swidth=32 blks"},
			"given":      {map[string]any{"device": array, "su": "64KiB", "sw": 2, "path": given}, []string{"xfs_info"}, "sunit=16     swidth=32 blks"},
			"ext4":       {map[string]any{"device": array, "type": "ext4"}, []string{"df", "-T"}, "ext4"},
			"ext4 given": {map[string]any{"device": array, "type": "ext4", "su": "64KiB", "sw": 2, "path": umltest.Dir + "/absent"}, []string{"df", "-T"}, "ext4"},
			"btrfs": {map[string]any{"devices": []string{"/dev/assay/disk-d4", "/dev/assay/disk-d5", "/dev/assay/disk-d6"}, "type": "btrfs", "data": "raid5", "metadata": "raid1"},
				[]string{"btrfs", "filesystem", "df"}, "Data, RAID5"},
		} {
			t.Run(name, func(t *testing.T) {
				th := setupOf(t, filesystemType, tc.values)
				path := th.req.Outputs.GetAttr("path").AsString()
				_, was := os.Stat(path)
				if got := th.standing(); got != providers.Absent {
					t.Fatalf("it is %s", got)
				}
				th.release()
				sink := th.prepare()
				var did []string
				for _, argv := range argvs(sink) {
					if !strings.HasPrefix(argv, "xfs_info") && !strings.HasPrefix(argv, "dumpe2fs") { // these only look
						did = append(did, argv)
					}
				}
				if diff := cmp.Diff(planned(th.plan.Commands), did); diff != "" {
					t.Errorf("the plan did not say what was run: %s", diff)
				}
				out, err := exec.Command(tc.form[0], append(tc.form[1:], path)...).CombinedOutput()
				if err != nil || !strings.Contains(string(out), tc.want) {
					t.Errorf("%v: %s; want %q", err, out, tc.want)
				}
				if n := len(argvs(th.prepare())); n > 0 {
					t.Errorf("it was made again by %d commands", n)
				}
				write(t, path, "kept", "data")
				if out, err := exec.Command("umount", path).CombinedOutput(); err != nil { // as a machine that was started anew
					t.Fatalf("%v: %s", err, out)
				}
				if got := th.standing(); got != providers.Dormant {
					t.Errorf("unmounted it is %s", got)
				}
				th.prepare()
				if got := read1(t, filepath.Join(path, "kept")); got != "data" {
					t.Errorf("the data are %q", got)
				}
				other := *th
				other.req.Config = providertest.Config(t, typeOf(t, filesystemType).Body, map[string]any{"device": th.req.Outputs.GetAttr("device").AsString(), "path": umltest.Dir + "/other"})
				if _, err := other.step(other.p.Prepare); err == nil || !strings.Contains(err.Error(), "of another thing of assay") {
					t.Errorf("made over another: %v", err)
				}
				if _, err := other.step(other.p.Release); err == nil {
					t.Error("another was released")
				}
				th.release()
				if got := th.standing(); got != providers.Absent {
					t.Errorf("it is %s", got)
				}
				if _, err := os.Stat(path); (err == nil) != (was == nil) {
					t.Errorf("the mount point is there: %v; before: %v", err == nil, was == nil)
				}
			})
		}
		if _, err := os.Stat(mountsDir); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", mountsDir, err)
		}
		write(t, given, "file", "x")
		th := setupOf(t, filesystemType, map[string]any{"device": array, "path": given})
		if _, err := th.step(th.p.Prepare); err == nil || !strings.Contains(err.Error(), "file would be hidden") {
			t.Errorf("mounted over a file: %v", err)
		}
		if out, _ := exec.Command("blkid", "-p", array).Output(); len(out) > 0 {
			t.Errorf("something was made first: %s", out)
		}
	})
}
