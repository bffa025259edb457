package fio

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
)

// repetition plans, measures and parses, with the host of this machine.
func repetition(t *testing.T, target providers.Target, gate providers.Gate) (measure.Sample, *providertest.Sink) {
	t.Helper()
	ctx := context.Background()
	p := New(host.Dial)
	resp, err := p.Plan(ctx, providers.PlanRequest{Target: target})
	if err != nil || firstError(resp.Problems) != nil {
		t.Fatalf("Plan: %v, %+v", err, resp)
	}
	sink := providertest.NewSink(t.TempDir())
	if err := p.Measure(ctx, providers.MeasureRequest{Target: target, Repetition: 1, Attempt: 1, Expect: resp.Expect}, gate, sink); err != nil {
		t.Fatalf("Measure: %v", err)
	}
	for _, e := range sink.Exits() {
		if got, want := strings.Join(e.Argv, " "), strings.Join(resp.Commands[0].Argv, " "); got != want {
			t.Errorf("ran %s\nplanned %s", got, want)
		}
	}
	parsed, err := p.Parse(ctx, providers.ParseRequest{Target: target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: resp.Expect})
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Sample, sink
}

func open(context.Context) error { return nil }

// TestConformance runs the suite that holds for every provider.
func TestConformance(t *testing.T) {
	body := func(runtime string) func(providertest.Place) map[string]any {
		return func(p providertest.Place) map[string]any {
			return values{"directory": p.Dir, "rw": "randread", "bs": "4KiB", "size": "1MiB", "runtime": runtime}
		}
	}
	device, _ := loopDevice(t, 1<<20)
	on := func(more values) func(providertest.Place) map[string]any {
		return func(p providertest.Place) map[string]any {
			v := values{"bs": "64KiB", "direct": false, "ioengine": "psync", "iodepth": 1}
			if maps.Copy(v, more); v["device"] == nil {
				v["directory"] = p.Dir
			}
			return v
		}
	}
	written := []string{"bandwidth", "bytes", "time"}
	providertest.RunBoth(t, newProvider, providertest.Cases{
		Things: []providertest.Thing{
			{Name: "files", Kind: "dataset", Type: preconditionType, Yields: written, Values: on(values{"size": "1MiB", "passes": 3}),
				Partial: func(t testing.TB, _ providers.Provider, req providers.ThingRequest) {
					if err := os.WriteFile(placeOf(req.Target).files[0], nil, 0o666); err != nil {
						t.Fatal(err)
					}
				}},
			{Name: "device", Kind: "dataset", Type: preconditionType, Yields: written, Values: on(values{"device": device})},
		},
		Tests: []providertest.Test{{
			Name: "seq", Type: "fio", Values: body("200ms"), Long: body("5min"),
			Yields:  []string{"bandwidth", "iops", "latency_mean", "latency_p99", "read_bandwidth", "cpu_user"},
			Imports: map[string]string{"json": "fio.stdout"},
		}, {
			Name: "jobs", Type: jobsType, Yields: []string{"bandwidth", "latency_p99"},
			Values: func(p providertest.Place) map[string]any {
				return values{"directory": p.Dir, "jobs_file": "[a]\nsize=1m\nruntime=100ms\ntime_based\n[b]\nrw=write\nsize=1m\n"}
			},
			Long: func(p providertest.Place) map[string]any {
				return values{"directory": p.Dir, "jobs_file": "[a]\nsize=1m\nruntime=5m\ntime_based\n"}
			},
		}},
		Bad: []providertest.Bad{
			{Name: "no directory", Kind: "test", Type: "fio", Values: values{"size": "1MiB"}, Attribute: "directory"},
			{Name: "a command", Kind: "test", Type: "fio", Attribute: "options",
				Values: values{"directory": "/d", "size": "1MiB", "options": values{"exec_pre": "true"}}},
		},
		Offline: func(_ testing.TB, dial host.Dialer) providers.Provider { return New(dial) },
	})
}

// TestRealFio: what is measured is what was written, and the figures are those of fio's own JSON.
func TestRealFio(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `a:b\c "d"`)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	target := testTarget(t, "随机", values{"directory": dir, "rw": "randrw", "bs": "8KiB", "numjobs": 2, "filesize": "4MiB", "runtime": "1s", "ramp_time": "100ms",
		"options": values{"thinktime": "100us"}})
	s, sink := repetition(t, target, open)
	if s.Outcome != measure.OK || len(s.Warnings) > 0 {
		t.Fatalf("%s: %s, %v", s.Outcome, s.Reason, s.Warnings)
	}
	checkSample(t, s)
	file := filepath.Join(dir, "assay-fio-"+jobName("随机"))
	if info, err := os.Stat(file); err != nil || info.Size() != 4<<20 {
		t.Errorf("the file: %v, %v; want 4 MiB at %s", info, err, file)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the directory holds %v", entries)
	}
	var raw struct {
		Jobs []struct {
			Options     map[string]string `json:"job options"`
			Read, Write struct {
				BW      float64 `json:"bw_bytes"`
				IOPS    float64 `json:"iops"`
				Bytes   float64 `json:"io_bytes"`
				IOs     float64 `json:"total_ios"`
				Runtime float64 `json:"runtime"`
				Clat    struct {
					N, Mean, Max float64
					Bins         map[string]float64
				} `json:"clat_ns"`
			}
		}
	}
	if err := json.Unmarshal(sink.Data("fio.stdout"), &raw); err != nil {
		t.Fatal(err)
	}
	if len(raw.Jobs) != 2 {
		t.Fatalf("%d jobs", len(raw.Jobs))
	}
	want := map[string]float64{}
	var sum, n float64
	for _, j := range raw.Jobs {
		want["read_bandwidth"] += j.Read.BW
		want["write_bandwidth"] += j.Write.BW
		want["read_iops"] += j.Read.IOPS
		want["bandwidth"] += j.Read.BW + j.Write.BW
		want["iops"] += j.Read.IOPS + j.Write.IOPS
		for _, d := range []struct{ n, mean, max float64 }{{j.Read.Clat.N, j.Read.Clat.Mean, j.Read.Clat.Max}, {j.Write.Clat.N, j.Write.Clat.Mean, j.Write.Clat.Max}} {
			n += d.n
			sum += d.n * d.mean
			want["latency_max"] = math.Max(want["latency_max"], d.max/1e9)
		}
		if j.Options["bs"] != "8k" || j.Options["runtime"] != "1" || j.Options["filesize"] != "4M" || j.Options["ramp_time"] != "100ms" {
			t.Errorf("fio understood %v", j.Options)
		}
		if got := j.Read.Bytes / j.Read.IOs; math.Abs(got-8192) > 300 { // I/Os in flight at the end of the ramp
			t.Errorf("a block has %g bytes, want 8192", got)
		}
		if j.Read.Runtime < 990 || j.Write.Runtime < 990 {
			t.Errorf("ran for %g and %g ms", j.Read.Runtime, j.Write.Runtime)
		}
	}
	want["latency_mean"] = sum / n / 1e9
	for name, w := range want {
		if got, ok := s.Get(name); !ok || math.Abs(got-w) > 1e-9*w {
			t.Errorf("%s is %g (%v), want %g", name, got, ok, w)
		}
	}
	if p, _ := s.Get("latency_p50"); !(p > 0) {
		t.Errorf("no median latency from two jobs: %v", s.Values)
	}

	p := New(host.Dial)
	for range 2 { // idempotent
		if err := p.Release(context.Background(), providers.ThingRequest{Target: target}, providertest.NewSink("")); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("after Release the directory holds %v", entries)
	}
}

// TestSizesAsWritten: bytes that fio moves are those that the spec says, in every form in which a size is passed on.
func TestSizesAsWritten(t *testing.T) {
	for _, c := range []struct {
		size  string
		bytes float64
	}{{"1MiB", 1 << 20}, {"1MB", 1e6}, {"4608B", 4608}, {"3k", 3 << 10}} {
		s, sink := repetition(t, testTarget(t, "w", values{"directory": t.TempDir(), "rw": "write", "bs": "512B", "size": c.size}), open)
		out := readOutput(sink.Data("fio.stdout"))
		if s.Outcome != measure.OK || out.doc == nil {
			t.Errorf("%s: %s: %s", c.size, s.Outcome, s.Reason)
		} else if got := out.doc.Jobs[0].Write.Bytes; got != math.Floor(c.bytes/512)*512 {
			t.Errorf("size = %s: fio wrote %g bytes, want %g", c.size, got, c.bytes)
		}
	}
}

// TestKilled: fio is killed in the middle of its run.
func TestKilled(t *testing.T) {
	realFio, err := exec.LookPath("fio")
	if err != nil {
		t.Fatal("fio must be installed: apt-get install fio")
	}
	pidFile := filepath.Join(t.TempDir(), "pid")
	fakeFio(t, fmt.Sprintf("echo $$ > %q.new; mv %q.new %q\nexec %q \"$@\"\n", pidFile, pidFile, pidFile, realFio))
	go func() {
		for {
			data, err := os.ReadFile(pidFile)
			if pid, perr := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && perr == nil {
				time.Sleep(300 * time.Millisecond) // fio in its run, or still starting: neither gives a sample
				_ = syscall.Kill(pid, syscall.SIGKILL)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	s, _ := repetition(t, testTarget(t, "r", values{"directory": t.TempDir(), "rw": "read", "size": "1MiB", "runtime": "60s"}), open)
	if s.Outcome != measure.Failed || !strings.Contains(s.Reason, "SIGKILL") {
		t.Errorf("%s: %s", s.Outcome, s.Reason)
	}
}

// fakeFio puts a script named fio before the real one.
func fakeFio(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fio"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestFakeFio(t *testing.T) {
	for _, c := range []struct{ name, script, reason string }{
		{"nothing", "exit 0\n", "holds no JSON result"},
		{"rubbish", "printf '{\\n rubbish \\000\\n'\n", "not whole"},
		{"text", "echo all is well\n", "holds no JSON result"},
		{"status", "echo 'fio: no' >&2; exit 7\n", "fio exited with status 7; fio said: no"},
		{"empty document", "printf '{\\n\"fio version\":\"fio-9\",\"jobs\":[]}\\n'\n", "0 of 1 jobs r are in the output"},
		{"signal", "kill -KILL $$\n", "SIGKILL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fakeFio(t, c.script)
			s, _ := repetition(t, testTarget(t, "r", values{"directory": t.TempDir(), "size": "1MiB"}), open)
			if s.Outcome != measure.Failed || !strings.Contains(s.Reason, c.reason) {
				t.Errorf("%s: %s, want failed with %q", s.Outcome, s.Reason, c.reason)
			}
		})
	}
}

// TestOwnWorkingDirectory: fio starts in an empty directory that is gone afterwards, with the gate passed.
func TestOwnWorkingDirectory(t *testing.T) {
	fakeFio(t, "pwd; ls -A\n")
	passed := false
	_, sink := repetition(t, testTarget(t, "r", values{"directory": t.TempDir(), "size": "1MiB"}), func(context.Context) error { passed = true; return nil })
	lines := strings.Split(strings.TrimSpace(string(sink.Data("fio.stdout"))), "\n")
	if len(lines) != 1 || !filepath.IsAbs(lines[0]) {
		t.Fatalf("pwd and ls give %q", lines)
	}
	if _, err := os.Stat(lines[0]); !os.IsNotExist(err) || !passed {
		t.Errorf("%s: %v; gate passed: %v", lines[0], err, passed)
	}
}

func TestMissingDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"/nonexistent/d": "/nonexistent/d does not exist on this machine", file: "is not a directory"} {
		sink := providertest.NewSink("")
		err := New(host.Dial).Measure(context.Background(), providers.MeasureRequest{Target: testTarget(t, "r", values{"directory": dir, "size": "1MiB"})}, open, sink)
		if err == nil || !strings.Contains(err.Error(), want) || len(sink.Exits()) > 0 {
			t.Errorf("%s: %v, want %q", dir, err, want)
		}
	}
}

// TestThingsAreRefused: what fio does not have is an error, not a success.
func TestThingsAreRefused(t *testing.T) {
	p, ctx := New(host.Dial), context.Background()
	req := providers.ThingRequest{Target: providers.Target{Kind: "setup", Type: "fio", Address: addr.Instance{}}}
	if _, err := p.Inspect(ctx, req); err == nil {
		t.Error("Inspect")
	}
	if p.Prepare(ctx, req, nil) == nil || p.Release(ctx, req, nil) == nil || p.Observe(ctx, providers.ObserveRequest{}, nil) == nil {
		t.Error("Prepare, Release or Observe")
	}
}
