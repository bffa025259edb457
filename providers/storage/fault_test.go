package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage/umltest"
)

// anArray is an array as a fault gets it, but for one of its outputs.
func anArray(name, value string) map[string]any {
	a := map[string]any{"device": "/dev/md/assay-x", "leg": "/dev/md/assay-x", "member": "/dev/assay/disk-d1", "level": "5", "spares": "1", "disk_bytes": "33554432"}
	if name != "" {
		a[name] = value
	}
	return a
}

// faultTarget is a fault of an array that is a leg by itself.
func faultTarget(t testing.TB, state, device string, more map[string]any) providers.Target {
	t.Helper()
	array := anArray("device", device)
	array["leg"] = device
	values := map[string]any{"state": state, "array": array}
	for name, v := range more {
		values[name] = v
	}
	return providers.Target{Kind: "setup", Type: faultType, Config: providertest.Config(t, typeOf(t, faultType).Body, values)}
}

// faulty is an array in a state, as it goes through a run.
type faulty struct {
	t      *testing.T
	kernel string
	device string
	now    string // state in which it stands; empty: none
}

func (f *faulty) req(state string) providers.ThingRequest {
	return providers.ThingRequest{Target: faultTarget(f.t, state, f.device, map[string]any{"sync_speed_max": "4MiB/s"}), ID: "thing-" + state}
}

// to brings the array into a state, from the one in which it is.
func (f *faulty) to(state string) {
	f.t.Helper()
	req := f.req(state)
	req.From = f.now
	sink := providertest.NewSink("")
	if err := newProvider().Prepare(f.t.Context(), req, sink); err != nil {
		f.t.Fatalf("%s to %s: %v", f.now, state, err)
	}
	f.now = state
	f.stands(state, providers.Stands)
	for _, other := range []string{healthy, degraded, rebuilding} {
		if other != state {
			f.stands(other, providers.Absent)
		}
	}
}

func (f *faulty) stands(state string, want providers.Standing) {
	f.t.Helper()
	got, err := newProvider().Inspect(f.t.Context(), f.req(state))
	if err != nil || got.Standing != want {
		f.t.Fatalf("%s is %+v, %v; want %s", state, got, err, want)
	}
}

func (f *faulty) sysfs(name string) string { return read1(f.t, "/sys/block/"+f.kernel+"/md/"+name) }

// during lets a test run on the array, and gives what is said of it.
func (f *faulty) during(state string, test func()) *providers.ParseResponse {
	f.t.Helper()
	req := f.req(state)
	sink := providertest.NewSink("")
	ctx, cancel := context.WithCancel(f.t.Context())
	done := make(chan error, 1)
	go func() {
		done <- newProvider().Observe(ctx, providers.ObserveRequest{Target: req.Target, During: "test.fio.seq", Repetition: 1, Attempt: 1}, sink)
	}()
	for len(sink.Reports()) == 0 {
		select {
		case err := <-done:
			f.t.Fatalf("it did not begin: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	test()
	cancel()
	if err := <-done; err != nil {
		f.t.Fatal(err)
	}
	res, err := newProvider().Parse(f.t.Context(), providers.ParseRequest{Target: req.Target, Artifacts: sink.Artifacts(), Exits: sink.Exits()})
	if err != nil {
		f.t.Fatal(err)
	}
	return res
}

func (f *faulty) release() {
	f.t.Helper()
	sink := providertest.NewSink("")
	if err := newProvider().Release(f.t.Context(), f.req(f.now), sink); err != nil {
		f.t.Fatal(err)
	}
	f.stands(f.now, providers.Absent)
	f.now = ""
	f.isWhole()
}

func (f *faulty) isWhole() {
	f.t.Helper()
	if d, a := f.sysfs("degraded"), f.sysfs("sync_action"); d != "0" || a != "idle" {
		f.t.Errorf("the array is degraded by %s and in %s", d, a)
	}
}

// TestFaults takes an array through all states and back.
func TestFaults(t *testing.T) {
	umltest.Run(t, umltest.Machine{Disks: 4, DiskBytes: 48 << 20, Timeout: 10 * time.Minute}, func(t *testing.T) {
		req := providers.ThingRequest{ID: "thing1", Erase: true, Target: providers.Target{Kind: "setup", Type: "storage_raid", Config: providertest.Config(t, typeOf(t, "storage_raid").Body,
			map[string]any{"level": 5, "devices": plainDisks(t, 4), "spares": 1, "chunk": "64KiB"})}}
		a, _ := arrayOf(req.Target)
		d, w := mdDriver{}, worker{Host: host.Local(), sink: providertest.NewSink("")}
		s := d.arrays(a)[0]
		s.disks = nil
		if err := d.make(t.Context(), w, s, req, true, "mdadm"); err != nil {
			t.Fatal(err)
		}
		if err := d.synced(t.Context(), w, []mdArray{s}); err != nil {
			t.Fatal(err)
		}
		found, err := d.find(t.Context(), host.Local(), s)
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{t: t, kernel: found.kernel, device: s.Device}
		pause := func() { time.Sleep(1200 * time.Millisecond) }
		ok := func(state string) *providers.ParseResponse {
			t.Helper()
			res := f.during(state, pause)
			if res.Sample.Outcome != measure.OK {
				t.Errorf("%s: %s: %s", state, res.Sample.Outcome, res.Sample.Reason)
			}
			return res
		}

		f.to(healthy)
		ok(healthy)
		f.to(degraded)
		if d, a := f.sysfs("degraded"), f.sysfs("sync_action"); d != "1" || a != "frozen" {
			t.Errorf("degraded by %s, in %s", d, a)
		}
		ok(degraded)
		f.to(degraded) // as a repetition finds it
		if res := f.during(healthy, pause); res.Sample.Outcome != measure.Invalid || !strings.Contains(res.Sample.Reason, "degraded by 1, frozen before the test, and was to be healthy") {
			t.Errorf("degraded taken for healthy: %+v", res.Sample)
		}
		f.to(rebuilding) // from degraded: at once
		res := ok(rebuilding)
		for _, name := range []string{"rebuild_done", "rebuild_rate", "rebuild_time"} {
			if v, has := res.Sample.Get(name); !has || v <= 0 {
				t.Errorf("%s is %v, %v", name, v, has)
			}
		}
		if rate, _ := res.Sample.Get("rebuild_rate"); rate > 16<<20 {
			t.Errorf("it is rebuilt at %.0f B/s, and the limit is 4 MiB/s", rate)
		}
		if len(res.Series) != 1 || len(res.Series[0].Points) < 2 || len(res.Series[0].Marks) != 1 || res.Series[0].Marks[0].Until <= res.Series[0].Marks[0].T {
			t.Errorf("the series is %+v", res.Series)
		}
		f.stands(rebuilding, providers.Partial) // it is being rebuilt, or was
		f.release()
		if n := strings.Count(strings.Join(memberStates(t, f.kernel), " "), "spare"); n != 1 {
			t.Errorf("members are %v; the disk that failed is to be the spare", memberStates(t, f.kernel))
		}

		// Once more, with a test that is longer than the rebuild.
		f.to(rebuilding)
		res = f.during(rebuilding, func() {
			if err := os.WriteFile("/sys/block/"+f.kernel+"/md/sync_speed_max", []byte("2000000"), 0o644); err != nil {
				t.Fatal(err)
			}
			for f.sysfs("degraded") != "0" || f.sysfs("sync_action") != "idle" {
				time.Sleep(50 * time.Millisecond)
			}
		})
		if res.Sample.Outcome != measure.Invalid || !strings.Contains(res.Sample.Reason, "the rebuild was over before the test was") {
			t.Errorf("a rebuild that is over: %+v", res.Sample)
		}
		f.to(healthy)
		f.isWhole()
		f.release()
		if _, err := os.Stat(faultDir); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", faultDir, err)
		}
		// What a run has left in a state that another does not know is not touched by that one.
		f.to(degraded)
		other := f.req(healthy)
		if err := newProvider().Prepare(t.Context(), other, providertest.NewSink("")); err == nil || !strings.Contains(err.Error(), "of another run") {
			t.Errorf("prepared over another run's state: %v", err)
		}
		if err := newProvider().Release(t.Context(), other, providertest.NewSink("")); err != nil || f.sysfs("degraded") != "1" {
			t.Errorf("released another run's state: %v", err)
		}
		f.release()
		if err := d.unmake(t.Context(), worker{Host: host.Local(), sink: providertest.NewSink("")}, s, req, "mdadm"); err != nil {
			t.Fatal(err)
		}
	})
}

func memberStates(t *testing.T, kernel string) []string {
	t.Helper()
	var out []string
	for _, n := range []string{"a", "b", "c", "d"} {
		out = append(out, fmt.Sprintf("ubd%s: %s", n, read1(t, "/sys/block/"+kernel+"/md/dev-ubd"+n+"/state")))
	}
	return out
}

// TestConformanceOfArrays holds the types that need md to the contract, on the smallest arrays.
func TestConformanceOfArrays(t *testing.T) {
	umltest.Run(t, umltest.Machine{Disks: 4, DiskBytes: 16 << 20, Timeout: 25 * time.Minute}, func(t *testing.T) {
		target := providers.Target{Kind: "setup", Type: "storage_raid", Config: providertest.Config(t, typeOf(t, "storage_raid").Body,
			map[string]any{"level": 5, "devices": plainDisks(t, 4), "spares": 1, "chunk": "64KiB"})}
		a, _ := arrayOf(target)
		d, w := mdDriver{}, worker{Host: host.Local(), sink: providertest.NewSink("")}
		s := d.arrays(a)[0]
		s.disks = nil
		if err := errors.Join(d.make(t.Context(), w, s, providers.ThingRequest{}, true, "mdadm"), d.synced(t.Context(), w, []mdArray{s})); err != nil {
			t.Fatal(err)
		}
		array := anArray("device", s.Device)
		array["leg"] = s.Device
		in := func(state string) providertest.Thing {
			return providertest.Thing{Name: state, Type: faultType, Values: func(providertest.Place) map[string]any { return map[string]any{"array": array, "state": state} }}
		}
		providertest.Run(t, func(*testing.T) providers.Provider { return newProvider() }, providertest.Cases{
			Things: []providertest.Thing{
				in(healthy), in(degraded),
				{Name: "ext4", Type: filesystemType, Values: func(providertest.Place) map[string]any { return map[string]any{"device": s.Device, "type": "ext4"} }},
				{Name: "raid", Type: "storage_raid", Values: func(p providertest.Place) map[string]any {
					var disks []map[string]any
					for i := range 2 {
						disks = append(disks, map[string]any{"id": fmt.Sprintf("sas-%d", i+1), "group": "sas", "capacity": 8 << 20, "sandbox": p.Dir})
					}
					return map[string]any{"level": 1, "devices": disks}
				}},
			},
			Elsewhere: []string{"setup storage_directory", "setup storage_disk", "setup storage_powerflex", "monitor storage_io"},
			Offline:   func(_ testing.TB, dial host.Dialer) providers.Provider { return New(dial) },
		})
	})
}
