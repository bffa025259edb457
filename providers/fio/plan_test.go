package fio

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

type values = map[string]any

type list = []any

func plan(t *testing.T, target providers.Target) *providers.PlanResponse {
	t.Helper()
	resp, err := New(nil).Plan(context.Background(), providers.PlanRequest{Target: target, Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestCommands(t *testing.T) {
	cases := []struct {
		name   string
		config values
		argv   string // after the constant part
		expect map[string]string
		writes int64
		takes  time.Duration
	}{
		{"seq", values{"directory": "/d", "size": "1GiB"},
			"--name=seq --filename=/d/assay-fio-seq --size=1G",
			map[string]string{"job": "seq", "numjobs": "1", "directions": "read", "bs": "4096"}, 1 << 30, 6368709120},
		{"seq", values{"directory": "/d", "rw": "randrw", "bs": "128KiB", "iodepth": 32, "ioengine": "libaio", "direct": true, "numjobs": 4,
			"filesize": "10GiB", "runtime": "60s", "ramp_time": "1500ms", "rwmixread": 70},
			"--name=seq --filename=/d/assay-fio-seq --rw=randrw --bs=128k --rwmixread=70 --ioengine=libaio --iodepth=32 --numjobs=4 --direct=1 --filesize=10G --ramp_time=1500ms --time_based=1 --runtime=60",
			map[string]string{"job": "seq", "numjobs": "4", "directions": "read,write", "runtime": "60", "bs": "131072"}, 10 << 30, 62500 * time.Millisecond},
		{"w", values{"directory": "/d/", "rw": "write", "bs": "4000B", "size": "1GB", "numjobs": 2, "end_fsync": true, "thread": false, "sync": "dsync"},
			"--name=w --filename=/d/assay-fio-w --rw=write --bs=4000 --numjobs=2 --size=1000000000 --end_fsync=1 --sync=dsync --thread=0",
			map[string]string{"job": "w", "numjobs": "2", "directions": "write", "bs": "4000"}, 2e9, 11 * time.Second},
		{"r", values{"directory": "/d", "size": "1536KiB", "runtime": "1h30m", "rate": "10MB/s", "rate_iops": "35k IOPS", "rw": "randread", "rwmixread": nil},
			"--name=r --filename=/d/assay-fio-r --rw=randread --size=1536k --time_based=1 --runtime=5400 --rate=10000000 --rate_iops=35000",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "runtime": "5400", "bs": "4096"}, 1536 << 10, 5401 * time.Second},
		{"r", values{"directory": "/d", "size": "1MiB", "runtime": "250us", "options": values{"zero_buffers": true, "bssplit": "4k/60:64k/40", "thinktime": "1ms", "nice": -5}},
			"--name=r --filename=/d/assay-fio-r --size=1M --time_based=1 --runtime=250us --bssplit=4k/60:64k/40 --nice=-5 --thinktime=1ms --zero_buffers=1",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "runtime": "0.00025"}, 1 << 20, 1000250 * time.Microsecond},
		{"r", values{"directory": "/d", "size": "1MiB", "runtime": "5s", "options": values{"steadystate": "iops:0.3%"}},
			"--name=r --filename=/d/assay-fio-r --size=1M --time_based=1 --runtime=5 --steadystate=iops:0.3%",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "bs": "4096"}, 1 << 20, 6 * time.Second},
		{"r", values{"device": "/dev/md/a", "rw": "randread", "direct": true, "runtime": "60s"},
			"--name=r --filename=/dev/md/a --rw=randread --direct=1 --time_based=1 --runtime=60",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "runtime": "60", "bs": "4096"}, 0, 61 * time.Second},
		{"w", values{"devices": list{"/dev/disk/by-path/pci-0000:00:1f.2-ata-1", "/dev/b"}, "rw": "write", "size": "1GB", "direct": true},
			`--name=w --filename=/dev/disk/by-path/pci-0000\:00\:1f.2-ata-1:/dev/b --rw=write --direct=1 --size=1000000000`,
			map[string]string{"job": "w", "numjobs": "1", "directions": "write", "bs": "4096"}, 1e9, 6 * time.Second},
		{"r", values{"directories": list{"/a:b", "/c/"}, "file": "shared", "rw": "read", "filesize": "1GB", "runtime": "1s"},
			`--name=r --filename=/a\:b/assay-fio-shared:/c/assay-fio-shared --rw=read --filesize=1000000000 --time_based=1 --runtime=1`,
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "runtime": "1", "bs": "4096"}, 2e9, 2 * time.Second},
		{"r", values{"directory": "/d", "size": "1MiB", "runtime": "1min", "log_avg_msec": "1s", "options": values{"nice": 1}},
			"--name=r --filename=/d/assay-fio-r --size=1M --time_based=1 --runtime=60 --write_bw_log=fio --write_iops_log=fio --log_avg_msec=1000 --per_job_logs=0 --nice=1",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "runtime": "60", "bs": "4096"}, 1 << 20, 61 * time.Second},
		{"w", values{"directory": "/d", "size": "1GB", "rw": "write", "verify": "sha3-256"},
			"--name=w --filename=/d/assay-fio-w --rw=write --size=1000000000 --verify=sha3-256",
			map[string]string{"job": "w", "numjobs": "1", "directions": "write", "bs": "4096", "reads_back": "true"}, 1e9, 11 * time.Second},
		{"r", values{"directory": "/d", "size": "1MiB", "log_hist_msec": "70ms"},
			"--name=r --filename=/d/assay-fio-r --size=1M --write_hist_log=fio --log_hist_msec=70 --log_hist_coarseness=2 --per_job_logs=0",
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "bs": "4096"}, 1 << 20, 1005242880},
		{"w", values{"directories": list{"/a", "/b"}, "rw": "write", "filesize": "1GB", "numjobs": 3},
			`--name=w --filename=/a/assay-fio-w:/b/assay-fio-w --rw=write --numjobs=3 --filesize=1000000000`,
			map[string]string{"job": "w", "numjobs": "3", "directions": "write", "bs": "4096"}, 6e9, 31 * time.Second},
		{"r", values{"directories": list{"/a", "/b"}, "rw": "read", "filesize": "1GB", "size": "500MB"},
			`--name=r --filename=/a/assay-fio-r:/b/assay-fio-r --rw=read --size=500000000 --filesize=1000000000`,
			map[string]string{"job": "r", "numjobs": "1", "directions": "read", "bs": "4096"}, 2e9, 3500 * time.Millisecond},
		{"顺序读", values{"directory": `/数据/a:b\c`, "size": "1MiB", "rw": "rw", "rwmixread": 0},
			`--name=___-e967a331 --filename=/数据/a\:b\c/assay-fio-___-e967a331 --rw=rw --rwmixread=0 --size=1M`,
			map[string]string{"job": "___-e967a331", "numjobs": "1", "directions": "write", "bs": "4096"}, 1 << 20, 1005242880},
	}
	for _, c := range cases {
		resp := plan(t, testTarget(t, c.name, c.config))
		if firstError(resp.Problems) != nil {
			t.Errorf("%v: %+v", c.config, resp.Problems)
			continue
		}
		got := strings.Join(resp.Commands[0].Argv, " ")
		if want := "fio --output-format=json+ --eta=never " + c.argv; got != want {
			t.Errorf("%v:\n got %s\nwant %s", c.config, got, want)
		}
		if diff := cmp.Diff(c.expect, resp.Expect); diff != "" {
			t.Errorf("%v: expects\n%s", c.config, diff)
		}
		if resp.Writes != c.writes || resp.Estimate != c.takes {
			t.Errorf("%v: writes %d, takes %d; want %d, %d", c.config, resp.Writes, resp.Estimate, c.writes, c.takes)
		}
		if !resp.Outputs.RawEquals(cty.EmptyObjectVal) || len(resp.Erases) > 0 {
			t.Errorf("outputs %v, erases %v", resp.Outputs, resp.Erases)
		}
		e, err := readExpected(resp.Expect)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(resp.Expect, e.asMap()); diff != "" {
			t.Errorf("expectation does not come back:\n%s", diff)
		}
	}
}

func TestClaims(t *testing.T) {
	target := testTarget(t, "x", values{"directory": "/d", "size": "1MiB"})
	target.Hosts = []string{"ssh://db1"}
	resp := plan(t, target)
	want := []providers.Claim{{Name: "host:ssh://db1:cpu"}, {Name: "host:ssh://db1:io"}}
	if diff := cmp.Diff(want, resp.Claims); diff != "" {
		t.Error(diff)
	}
	if resp.Commands[0].On != "ssh://db1" {
		t.Errorf("on %q", resp.Commands[0].On)
	}
}

func TestProblems(t *testing.T) {
	good := values{"directory": "/d", "size": "1GiB", "bs": "4KiB"}
	cases := []struct {
		change    values
		attribute string
		warning   bool
		detail    string
	}{
		{values{"directory": nil}, "directory", false, "setup.storage_directory.NAME.path"},
		{values{"directory": "d"}, "directory", false, "not an absolute path"},
		{values{"directory": "/d#1"}, "directory", false, "would write to another file"},
		{values{"directory": "/d;1"}, "directory", false, "would write to another file"},
		{values{"directory": "/d\n"}, "directory", false, "control characters"},
		{values{"directory": nil, "devices": list{}}, "devices", false, "The list is empty"},
		{values{"device": "/dev/sda"}, "directory", false, "Both device and directory"},
		{values{"directory": nil, "directories": list{"/a", "/b", "/a/"}, "size": nil, "filesize": "1MiB"}, "directories", false, "/a/ is in the list twice"},
		{values{"directory": nil, "device": "/dev/a", "file": "x"}, "file", false, "A device has no files"},
		{values{"file": "../x"}, "file", false, "without a path"},
		{values{"file": ".."}, "file", false, "without a path"},
		{values{"directory": nil, "device": "/dev/a", "size": nil}, "runtime", true, "cannot tell how long that takes"},
		{values{"directory": nil, "directories": list{"/a", "/b", "/c", "/d"}, "size": "16GiB"}, "size", true, `divides size among the 4 files: each has 4 GiB, and all have 16 GiB. Where each is to have as much, write filesize = "16 GiB"`},
		{values{"directory": nil, "devices": list{"/dev/a", "/dev/b"}}, "size", true, "among the 2 devices: each has 512 MiB"},
		{values{"directory": nil, "directories": list{"/a", "/b"}, "filesize": "1MiB", "size": "2MiB"}, "", false, ""},
		{values{"directory": nil, "directories": list{"/a", "/b"}, "filesize": "1MiB", "size": "3MiB"}, "size", true, "All files have 2 MiB; of 3 MiB fio uses no more"},
		{values{"directory": nil, "directories": list{"/a", "/b"}, "size": nil, "filesize": "1MiB", "bs": "2MiB"}, "bs", false, "2 MiB does not fit into 1 MiB"},
		{values{"size": nil}, "size", false, `write size = "1GiB"`},
		{values{"size": "8192.5B"}, "size", false, "in whole bytes; 8192.5 is none"},
		{values{"runtime": "1ns"}, "runtime", false, "in whole microseconds"},
		{values{"rate_iops": "1/min"}, "rate_iops", false, "in whole numbers"},
		{values{"bs": "2GiB"}, "bs", false, "2 GiB does not fit into 1 GiB"},
		{values{"bs": "1000B", "direct": true}, "bs", false, "multiple of 512 B"},
		{values{"options": values{"bssplit": "4k/50:8k/50"}}, "bs", false, "stand for bs"},
		{values{"options": values{"filename": "/dev/sda"}}, "options", false, "comes from a setup only"},
		{values{"options": values{"hipri": "1"}}, "options", false, "Only io_uring or pvsync2"},
		{values{"filesize": "1MiB"}, "size", true, "no more than that"},
		{values{"runtime": "1s", "ramp_time": "2s"}, "runtime", true, "runtime, which comes after it, is only 1 s"},
		{values{"runtime": "1s", "io_size": "1MiB"}, "io_size", true, "whatever io_size says"},
		{values{"rw": "write", "verify": "crc32c", "runtime": "1s"}, "runtime", false, "it is over before that. Leave runtime out"},
		{values{"rw": "randrw", "verify": "crc32c"}, "verify", false, "cannot be told from those of the workload"},
		{values{"rw": "read", "verify": "crc32c", "runtime": "1s"}, "", false, ""},
		{values{"log_avg_msec": "100.5ms"}, "log_avg_msec", false, "in whole milliseconds; 100.5 ms is none"},
		{values{"runtime": "1s", "log_hist_msec": "600ms"}, "log_hist_msec", true, "a point for each 600 ms, and fio leaves out the last; the test measures for 1 s only"},
		{values{"iodepth": 32}, "iodepth", true, `psync, fio's default, has one I/O in flight`},
		{values{"iodepth": 32, "ioengine": "sync"}, "iodepth", true, `sync has one I/O in flight`},
		{values{"rwmixread": 70}, "rwmixread", true, `rw = "read" goes in one direction only`},
		{values{"iodepth": 32, "ioengine": "io_uring", "direct": true, "rw": "randrw", "rwmixread": 70, "runtime": "60s", "ramp_time": "2s"}, "", false, ""},
	}
	for _, c := range cases {
		config := maps.Clone(good)
		maps.Copy(config, c.change)
		resp := plan(t, testTarget(t, "x", config))
		if c.detail == "" {
			if len(resp.Problems) > 0 {
				t.Errorf("%v: %+v", c.change, resp.Problems)
			}
			continue
		}
		if len(resp.Problems) != 1 || resp.Problems[0].Attribute != c.attribute || resp.Problems[0].Warning != c.warning || !strings.Contains(resp.Problems[0].Detail, c.detail) {
			t.Errorf("%v: %+v, want one about %s with %q", c.change, resp.Problems, c.attribute, c.detail)
		}
		if c.warning == (len(resp.Commands) == 0) {
			t.Errorf("%v: %d commands", c.change, len(resp.Commands))
		}
	}
}

// TestPlanOnTwoHosts: each has its command, and what it claims and writes is counted.
func TestPlanOnTwoHosts(t *testing.T) {
	one := testTarget(t, "x", values{"directory": "/d", "rw": "write", "size": "1MiB"})
	two := one
	two.Hosts = []string{"ssh://a", "ssh://b"}
	single, double := plan(t, one), plan(t, two)
	if len(double.Problems) != 0 || double.Writes != 2*single.Writes || double.Writes != 2<<20 {
		t.Errorf("%+v; it writes %d B, and on one host %d B", double.Problems, double.Writes, single.Writes)
	}
	var on, claims []string
	for i, c := range double.Commands {
		on = append(on, c.On, double.ReleaseCommands[i].On)
		if strings.Join(c.Argv, " ") != strings.Join(single.Commands[0].Argv, " ") {
			t.Errorf("on %s: %q", c.On, c.Argv)
		}
	}
	for _, c := range double.Claims {
		claims = append(claims, c.Name)
	}
	if got := strings.Join(append(on, claims...), " "); got != "ssh://a ssh://a ssh://b ssh://b host:ssh://a:cpu host:ssh://a:io host:ssh://b:cpu host:ssh://b:io" {
		t.Error(got)
	}
}

// TestJobNames: ASCII, never empty, and different for different blocks.
func TestJobNames(t *testing.T) {
	seen := map[string]string{}
	for _, block := range []string{"seq", "seq-2", "a_b.c", "读", "写", "", "___", "a b", "a\tb", "a/b", "é", "e"} {
		name := jobName(block)
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
			t.Errorf("%q becomes %q", block, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q both become %q", block, other, name)
		}
		seen[name] = block
	}
}
