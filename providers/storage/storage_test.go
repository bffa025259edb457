package storage

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage/powerflex/powerflexdouble"
	"github.com/zclconf/go-cty/cty"
)

func TestConformance(t *testing.T) {
	at := func(name string) func(providertest.Place) map[string]any {
		return func(p providertest.Place) map[string]any { return map[string]any{"path": filepath.Join(p.Dir, name)} }
	}
	bad := func(path string) providertest.Bad {
		return providertest.Bad{Name: path, Kind: "setup", Type: "storage_directory", Values: map[string]any{"path": path}, Attribute: "path"}
	}
	powerflex := serveFlex(t, powerflexdouble.New())
	flex := func(change map[string]any) map[string]any {
		values := maps.Clone(powerflex)
		maps.Copy(values, change)
		return values
	}
	badFlex := func(attribute string, v any, more ...any) providertest.Bad {
		values := flex(map[string]any{attribute: v})
		if len(more) > 0 {
			values[more[0].(string)] = more[1]
		}
		return providertest.Bad{Name: fmt.Sprint("powerflex ", attribute, " ", v), Kind: "setup", Type: "storage_powerflex", Values: values, Attribute: attribute}
	}
	providertest.RunBoth(t, newProvider, providertest.Cases{
		Things: []providertest.Thing{
			{Name: "absent", Type: "storage_directory", Values: at("bench"), Partial: func(t testing.TB, _ providers.Provider, req providers.ThingRequest) {
				p := pathOf(req.Config)
				if err := os.Mkdir(p, 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, p, ".assay-directory.123456.tmp", `{"form`)
			}},
			{Name: "present", Type: "storage_directory", Values: at("")},
			{Name: "odd name", Type: "storage_directory", Values: at("-rf 數據 $HOME * '\"")},
			{Name: "sandbox disk", Type: "storage_disk", Values: func(p providertest.Place) map[string]any {
				return map[string]any{"purge": "discard", "disk": []map[string]any{{"id": "sas-1", "group": "sas", "capacity": 8 << 20, "sandbox": p.Dir}}}
			}},
			{Name: "powerflex", Type: "storage_powerflex", Values: func(providertest.Place) map[string]any { return flex(nil) }},
		},
		Monitors: []providertest.Monitor{{
			Name: "io", Type: "storage_io", Values: func(providertest.Place) map[string]any { return map[string]any{"interval": "100ms"} },
			Enough: func(s *providertest.Sink) bool { return strings.Count(string(s.Data("io.stdout")), endOfReading) >= 3 },
			Yields: []string{"cpu_busy", "cpu_iowait", "memory_used", "memory_available"}, Series: []string{"cpu_busy", "memory_used"},
		}},
		Bad: []providertest.Bad{
			badFlex("endpoint", "http://127.0.0.1"), badFlex("endpoint", "https://127.0.0.1/api"), badFlex("endpoint", "https://admin:x@127.0.0.1"), badFlex("endpoint", "gateway"),
			badFlex("ca", "ca.pem"), badFlex("ca", "/ca.pem", "insecure", true), badFlex("pools", []string{}), badFlex("pools", []string{"a", "a"}), badFlex("volumes", []string{""}),
			bad(""), bad("relative/path"), bad("/etc/bench"), bad("/"), bad("/data/"), bad("/data/../etc"),
			{Name: "array of no level", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 7, "devices": idleDisks(3)}, Attribute: "level"},
			{Name: "array of too few", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 5, "devices": idleDisks(3), "spares": 1}, Attribute: "devices"},
			{Name: "legs of different size", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 50, "devices": idleDisks(7)}, Attribute: "devices"},
			{Name: "spares of no use", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 0, "devices": idleDisks(3), "spares": 1}, Attribute: "spares"},
			{Name: "spares twice", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 50, "devices": idleDisks(8), "spares": 1, "spares_by_leg": []string{"1", "1"}}, Attribute: "spares_by_leg"},
			{Name: "spares of other legs", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 50, "devices": idleDisks(8), "spares_by_leg": []string{"1"}}, Attribute: "spares_by_leg"},
			{Name: "spares without legs", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 5, "devices": idleDisks(4), "spares_by_leg": []string{"1"}}, Attribute: "spares_by_leg"},
			{Name: "odd chunk", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 5, "devices": idleDisks(3), "chunk": "96KiB"}, Attribute: "chunk"},
			{Name: "layout of another level", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 5, "devices": idleDisks(3), "layout": "n2"}, Attribute: "layout"},
			{Name: "copies beyond disks", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 10, "devices": idleDisks(4), "layout": "n5"}, Attribute: "layout"},
			{Name: "bitmap of RAID 0", Kind: "setup", Type: "storage_raid", Values: map[string]any{"level": 0, "devices": idleDisks(3), "bitmap": "internal"}, Attribute: "bitmap"},
			{Name: "no array", Kind: "setup", Type: "storage_fault", Values: map[string]any{"state": "healthy", "array": map[string]any{"device": "/dev/sda"}}, Attribute: "array"},
			{Name: "degraded RAID 0", Kind: "setup", Type: "storage_fault", Values: map[string]any{"state": "degraded", "array": anArray("level", "0")}, Attribute: "state"},
			{Name: "rebuilt without a spare", Kind: "setup", Type: "storage_fault", Values: map[string]any{"state": "rebuilding", "array": anArray("spares", "0")}, Attribute: "state"},
			{Name: "slowest above fastest", Kind: "setup", Type: "storage_fault", Values: map[string]any{"state": "rebuilding", "array": anArray("", ""), "sync_speed_min": "2MiB/s", "sync_speed_max": "1MiB/s"}, Attribute: "sync_speed_min"},
			{Name: "file system on nothing", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"path": "/data"}},
			{Name: "file system on a disk of somebody", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/sda"}, Attribute: "device"},
			{Name: "file system on a disk by a detour", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/../sda"}, Attribute: "device"},
			{Name: "file system on both", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "devices": []string{"/dev/assay/disk-b"}}, Attribute: "devices"},
			{Name: "xfs on several", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"devices": []string{"/dev/assay/disk-a", "/dev/assay/disk-b"}}, Attribute: "devices"},
			{Name: "mounted over the system", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "path": "/usr/local"}, Attribute: "path"},
			{Name: "half a geometry", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "su": "64KiB"}, Attribute: "su"},
			{Name: "geometry of btrfs", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "type": "btrfs", "su": "64KiB", "sw": 2}, Attribute: "su"},
			{Name: "profile of xfs", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "data": "raid1"}, Attribute: "data"},
			{Name: "profile of more", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "type": "btrfs", "metadata": "raid10"}, Attribute: "metadata"},
			{Name: "mount option that leads elsewhere", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "mount_options": []string{"logdev=/dev/sda"}}, Attribute: "mount_options"},
			{Name: "mount options in one", Kind: "setup", Type: "storage_filesystem", Values: map[string]any{"device": "/dev/assay/disk-a", "mount_options": []string{"noatime,logdev=/dev/sda"}}, Attribute: "mount_options"},
			{Name: "disk with a path", Kind: "monitor", Type: "storage_io", Values: map[string]any{"disks": []string{"/dev/sda"}}, Attribute: "disks"},
		},
		Elsewhere: []string{"setup storage_raid", "setup storage_fault", "setup storage_filesystem"},
		Offline:   func(_ testing.TB, dial host.Dialer) providers.Provider { return New(dial) },
	})
}

func TestOtherTypesAreRefused(t *testing.T) {
	p, ctx := New(host.Dial), t.Context()
	for _, target := range []providers.Target{{Kind: "setup", Type: "storage_tape"}, {Kind: "test", Type: "storage_directory"}} {
		_, planErr := p.Plan(ctx, providers.PlanRequest{Target: target})
		_, inspectErr := p.Inspect(ctx, providers.ThingRequest{Target: target})
		_, parseErr := p.Parse(ctx, providers.ParseRequest{Target: target})
		for i, err := range []error{
			planErr, inspectErr, parseErr,
			p.Prepare(ctx, providers.ThingRequest{Target: target}, nil), p.Release(ctx, providers.ThingRequest{Target: target}, nil),
			p.Measure(ctx, providers.MeasureRequest{Target: target}, nil, nil), p.Observe(ctx, providers.ObserveRequest{Target: target}, nil),
		} {
			if want := fmt.Sprintf("provider storage has no %s of type %q", target.Kind, target.Type); err == nil || err.Error() != want {
				t.Errorf("method %d on %s %s: %v; want %s", i, target.Kind, target.Type, err, want)
			}
		}
	}
}

// write makes a file below a directory.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func symlink(t testing.TB, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

// tree gives every file below a directory: its mode, and what it holds or where it points.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += " -> " + to
		}
		name, err := filepath.Rel(root, path)
		files[name] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func target(p string, hosts ...string) providers.Target {
	return providers.Target{
		Kind: "setup", Type: "storage_directory", Hosts: hosts,
		Config: cty.ObjectVal(map[string]cty.Value{"path": cty.StringVal(p)}),
	}
}

// thing is a directory as it goes through a run.
type thing struct {
	t    *testing.T
	p    providers.Provider
	req  providers.ThingRequest
	plan *providers.PlanResponse
}

func newThing(t *testing.T, path, id string) *thing {
	t.Helper()
	th := &thing{t: t, p: New(host.Dial), req: providers.ThingRequest{Target: target(path), ID: id}}
	plan, err := th.p.Plan(t.Context(), providers.PlanRequest{Target: th.req.Target})
	if err != nil {
		t.Fatal(err)
	}
	th.plan, th.req.Outputs, th.req.Expect = plan, plan.Outputs, plan.Expect
	return th
}

func (th *thing) step(do func(context.Context, providers.ThingRequest, providers.Sink) error) (*providertest.Sink, error) {
	th.t.Helper()
	sink := providertest.NewSink("")
	err := do(th.t.Context(), th.req, sink)
	if open := sink.Open(); len(open) > 0 {
		th.t.Errorf("artifacts %v are open", open)
	}
	return sink, err
}

func (th *thing) prepare() *providertest.Sink {
	th.t.Helper()
	sink, err := th.step(th.p.Prepare)
	if err != nil {
		th.t.Fatalf("Prepare: %v", err)
	}
	return sink
}

func (th *thing) release() *providertest.Sink {
	th.t.Helper()
	sink, err := th.step(th.p.Release)
	if err != nil {
		th.t.Fatalf("Release: %v", err)
	}
	return sink
}

func (th *thing) standing() providers.Standing {
	th.t.Helper()
	res, err := th.p.Inspect(th.t.Context(), th.req)
	if err != nil {
		th.t.Fatalf("Inspect: %v", err)
	}
	return res.Standing
}

// argvs are the commands that were run, or planned, without those that are no commands.
func argvs(sinks ...*providertest.Sink) (all []string) {
	for _, s := range sinks {
		for _, e := range s.Exits() {
			all = append(all, strings.Join(e.Argv, " "))
		}
	}
	return all
}

func planned(commands []providers.Command) (all []string) {
	for _, c := range commands {
		if len(c.Argv) > 0 {
			all = append(all, strings.Join(c.Argv, " "))
		}
	}
	return all
}

func said(s *providertest.Sink) string {
	var b strings.Builder
	for _, r := range s.Reports() {
		b.WriteString(r.Text + "\n")
	}
	return b.String()
}
