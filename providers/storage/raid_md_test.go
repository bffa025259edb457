package storage

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage/umltest"
)

// typeOf is one type of setup.
func typeOf(t testing.TB, name string) schema.Type {
	t.Helper()
	s, err := newProvider().Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range s.Setups {
		if typ.Name == name {
			return typ
		}
	}
	t.Fatalf("there is no setup %s", name)
	return schema.Type{}
}

// idleDisks are n disks that nobody looks at.
func idleDisks(n int) []map[string]any {
	var out []map[string]any
	for i := range n {
		out = append(out, map[string]any{"id": fmt.Sprintf("d%d", i+1), "serial": fmt.Sprintf("d%d", i+1), "group": "d"})
	}
	return out
}

// plainDisks are n disks that are named after devices of a virtual machine, by their paths that the guard would give them. The links are made here,
// without the guard, whose own tests tell that it lets nothing through.
func plainDisks(t *testing.T, n int) []map[string]any {
	t.Helper()
	if err := os.MkdirAll("/dev/assay", 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := os.Symlink("/dev/ubd"+string(rune('a'+i)), fmt.Sprintf("/dev/assay/disk-d%d", i+1)); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
	return idleDisks(n)
}

func read1(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

// blocks is what the kernel has of arrays: their names.
func arrays(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir("/sys/block")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "md") {
			out = append(out, e.Name())
		}
	}
	return strings.Join(out, " ")
}

// TestArrays makes an array of each level by the commands of the plan, and looks at what the kernel has then.
func TestArrays(t *testing.T) {
	umltest.Run(t, umltest.Machine{Disks: 8, DiskBytes: 32 << 20, Timeout: 10 * time.Minute}, func(t *testing.T) {
		for _, tc := range []struct {
			level, disks int
			values       map[string]any
			data         int64 // disks' worth of data
		}{
			{0, 3, map[string]any{"chunk": "64KiB"}, 3},
			{1, 3, map[string]any{"spares": 1, "bitmap": "internal"}, 1},
			{5, 5, map[string]any{"spares": 1, "chunk": "64KiB", "layout": "left-asymmetric"}, 3},
			{6, 5, map[string]any{"spares": 1, "chunk": "128KiB"}, 2},
			{10, 4, map[string]any{"layout": "f2", "chunk": "64KiB"}, 2},
			{50, 7, map[string]any{"spares_by_leg": []string{"0", "1"}, "chunk": "64KiB"}, 4},
			{60, 8, map[string]any{"chunk": "64KiB"}, 4},
		} {
			t.Run(fmt.Sprint(tc.level), func(t *testing.T) {
				tc.values["level"], tc.values["devices"] = tc.level, plainDisks(t, tc.disks)
				typ := typeOf(t, "storage_raid")
				req := providers.ThingRequest{ID: "thing1", Erase: true, Target: providers.Target{Kind: "setup", Type: "storage_raid", Config: providertest.Config(t, typ.Body, tc.values)}}
				a, problems := arrayOf(req.Target)
				if d := (mdDriver{}); len(problems) > 0 || len(d.check(a)) > 0 {
					t.Fatalf("%v %v", problems, d.check(a))
				}
				if a.dataDisks() != tc.data {
					t.Errorf("%d data disks, want %d", a.dataDisks(), tc.data)
				}
				arrayLife(t, a, req)
			})
		}
	})
}

// arrayLife makes an array twice, and takes it apart twice.
func arrayLife(t *testing.T, a arrayConfig, req providers.ThingRequest) {
	t.Helper()
	d, ctx := mdDriver{}, t.Context()
	list := d.arrays(a)
	for i := range list {
		list[i].disks = nil // the guard has no part in this
	}
	for _, want := range []int{len(list), 0} {
		sink := providertest.NewSink("")
		w := worker{Host: host.Local(), sink: sink}
		for i, s := range list {
			if err := d.make(ctx, w, s, req, true, fmt.Sprintf("mdadm-%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.synced(ctx, w, list); err != nil {
			t.Fatal(err)
		}
		if n := len(sink.Exits()); n != want {
			t.Errorf("%d commands, want %d: %v", n, want, argvs(sink))
		}
	}
	for _, s := range list {
		f, err := d.find(ctx, host.Local(), s)
		if err != nil || f.array == nil || !f.array.Synced() || !f.named || f.foreign != "" || len(f.array.Spares()) != len(s.Spares) {
			t.Fatalf("%s: %+v, %v", s.Device, f, err)
		}
		for slot := range s.Members {
			if m, ok := f.array.At(slot); !ok || !m.Is("in_sync") {
				t.Errorf("%s has no good member in place %d: %+v", s.Device, slot, m)
			}
		}
		other := s
		other.Name += "x"
		if f, err := d.find(ctx, host.Local(), other); err != nil || f.foreign == "" {
			t.Errorf("an array of another name is not foreign: %+v, %v", f, err)
		}
		if opt := read1(t, "/sys/block/"+f.kernel+"/queue/optimal_io_size"); s.Device == d.device(a) && a.legLevel() != 1 && a.level != 10 && opt != fmt.Sprint(a.chunk*a.dataDisks()) {
			t.Errorf("a stripe has %d x %d B, and the kernel says %s", a.chunk, a.dataDisks(), opt)
		}
	}
	for _, want := range []bool{true, false} {
		sink := providertest.NewSink("")
		w := worker{Host: host.Local(), sink: sink}
		for i, s := range slices.Backward(list) {
			if err := d.unmake(ctx, w, s, req, fmt.Sprintf("mdadm-%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if did := len(sink.Exits()) > 0; did != want {
			t.Errorf("%d commands: %v", len(sink.Exits()), argvs(sink))
		}
	}
	if left := arrays(t); left != "" {
		t.Errorf("arrays are left: %s", left)
	}
	if out, _ := exec.Command("blkid", "-p", "-u", "raid", "/dev/ubda", "/dev/ubdb", "/dev/ubdc").CombinedOutput(); len(out) > 0 {
		t.Errorf("superblocks are left: %s", out)
	}
}
