package storage

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// began is when the readings of the tests began.
var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// readingAt is one reading as io.sh prints it. Lines of disks are as in /proc/diskstats, without the numbers of the device.
func readingAt(uptime, cpu string, disks ...string) string {
	var b strings.Builder
	b.WriteString("=== blocks")
	for _, d := range disks {
		if name, _, _ := strings.Cut(d, " "); name != "sda1" {
			b.WriteString(" /sys/block/" + name)
		}
	}
	b.WriteString("\n=== slaves /sys/block/md0/slaves/sda1 /sys/block/md0/slaves/sdb\n=== partitions /sys/block/sda/sda1/partition\n")
	fmt.Fprintf(&b, "/proc/uptime:%s 1.00\n/proc/stat:cpu  %s\n/proc/stat:cpu0 1 2 3 4\n/proc/stat:cpu1 1 2 3 4\n", uptime, cpu)
	b.WriteString("/proc/meminfo:MemTotal:       1000 kB\n/proc/meminfo:MemAvailable:    600 kB\n")
	for _, d := range disks {
		b.WriteString("/proc/diskstats:   8       0 " + d + "\n")
	}
	return b.String() + endOfReading + "\n"
}

// request is a parse request for the output of one host.
func request(t testing.TB, out string, config map[string]any) providers.ParseRequest {
	return providers.ParseRequest{
		Target:    providers.Target{Kind: "monitor", Type: ioType, Config: providertest.Config(t, ioSchema().Body, config)},
		Artifacts: []measure.Artifact{{Name: "io.stdout", Data: []byte(out)}},
		Exits:     []measure.Exit{{Name: "io", Started: began}},
	}
}

// shown prints a sample: outcome, values, warnings.
func shown(res *providers.ParseResponse) string {
	s := res.Sample
	lines := []string{}
	for _, v := range s.Values {
		lines = append(lines, fmt.Sprintf("%s[%s] %.6g", v.Measure, v.Keys, v.Value))
	}
	slices.Sort(lines)
	head := string(s.Outcome)
	if s.Reason != "" {
		head += ": " + s.Reason
	}
	for _, w := range s.Warnings {
		lines = append(lines, w.Code+": "+w.Text)
	}
	for _, x := range res.Series {
		for _, m := range x.Marks {
			lines = append(lines, fmt.Sprintf("mark %.6g %s", m.T, m.Text))
		}
	}
	return strings.Join(append([]string{head}, lines...), "\n") + "\n"
}

const (
	idle  = "sda 0 0 0 0 0 0 0 0 0 0 0"
	empty = "sdb 0 0 0 0 0 0 0 0 0 0 0"
)

// TestIOFigures: an array on a partition and a disk, two seconds, exact.
func TestIOFigures(t *testing.T) {
	out := readingAt("100.00", "100 0 100 700 100 0 0 0 0 0", idle, "sda1 0 0 0 0 0 0 0 0 0 0 0", empty, "md0 0 0 0 0 0 0 0 0 0 0 0", "loop0 0 0 0 0 0 0 0 0 0 0 0", "ram0 1 0 0 0 0 0 0 0 0 0 0") +
		readingAt("101.00", "150 0 100 740 110 0 0 0 0 0", "sda 100 0 2048 50 0 0 0 0 0 500 50", "sda1 100 0 2048 50 0 0 0 0 0 500 50", "sdb 0 0 0 0 200 0 4096 100 0 250 100", "md0 100 0 2048 40 200 0 4096 90 0 500 130", "loop0 0 0 0 0 0 0 0 0 0 0 0", "ram0 9 0 0 0 0 0 0 0 0 0 0") +
		readingAt("102.00", "250 0 100 740 110 0 0 0 0 0", "sda 100 0 2048 50 0 0 0 0 0 500 50", "sda1 100 0 2048 50 0 0 0 0 0 500 50", "sdb 0 0 0 0 200 0 4096 100 0 250 100", "md0 100 0 2048 40 200 0 4096 90 0 500 130", "loop0 0 0 0 0 0 0 0 0 0 0 0", "ram0 9 0 0 0 0 0 0 0 0 0 0")
	const want = `ok
cpu_busy[host=localhost] 0.75
cpu_iowait[host=localhost] 0.05
memory_available[host=localhost] 614400
memory_used[host=localhost] 409600
read_await[disk=md0,host=localhost] 0.0004
read_await[disk=sda,host=localhost] 0.0005
read_bandwidth[] 524288
read_bandwidth[disk=md0,host=localhost] 524288
read_bandwidth[disk=sda,host=localhost] 524288
read_bandwidth[disk=sdb,host=localhost] 0
read_bandwidth[host=localhost] 524288
read_iops[] 50
read_iops[disk=md0,host=localhost] 50
read_iops[disk=sda,host=localhost] 50
read_iops[disk=sdb,host=localhost] 0
read_iops[host=localhost] 50
util[disk=md0,host=localhost] 0.25
util[disk=sda,host=localhost] 0.25
util[disk=sdb,host=localhost] 0.125
write_await[disk=md0,host=localhost] 0.00045
write_await[disk=sdb,host=localhost] 0.0005
write_bandwidth[] 1.04858e+06
write_bandwidth[disk=md0,host=localhost] 1.04858e+06
write_bandwidth[disk=sda,host=localhost] 0
write_bandwidth[disk=sdb,host=localhost] 1.04858e+06
write_bandwidth[host=localhost] 1.04858e+06
write_iops[] 100
write_iops[disk=md0,host=localhost] 100
write_iops[disk=sda,host=localhost] 0
write_iops[disk=sdb,host=localhost] 100
write_iops[host=localhost] 100
`
	if d := cmp.Diff(want, shown(parseIO(request(t, out, nil)))); d != "" {
		t.Error(d)
	}
	// Where only the array is watched, it counts.
	only := shown(parseIO(request(t, out, map[string]any{"disks": []string{"md0"}})))
	if !strings.Contains(only, "read_bandwidth[] 524288\n") || strings.Contains(only, "sda") {
		t.Errorf("of the array alone:\n%s", only)
	}
	// Time 0 is when the test began; the figures are of the time from the reading before it.
	req := request(t, out, nil)
	req.Started = began.Add(1100 * time.Millisecond)
	res := parseIO(req)
	if got := shown(res); !strings.Contains(got, "cpu_busy[host=localhost] 1\n") || !strings.Contains(got, "cpu_saturated: the processors of localhost were busy 100 % of the time, more than 95 %") {
		t.Errorf("since the test began:\n%s", got)
	}
	near := cmpopts.EquateApprox(0, 1e-9)
	if d := cmp.Diff([]measure.SeriesPoint{{T: 0.9, Value: 1}}, res.Series[0].Points, near); d != "" || res.Series[0].Measure != "cpu_busy" {
		t.Errorf("the series %s: %s", res.Series[0].Measure, d)
	}
	for _, s := range res.Series {
		if s.Keys[diskKey] != "" {
			t.Errorf("there is a series of %s, which did nothing in that time", s.Keys)
		}
	}
}

func TestIODoubts(t *testing.T) {
	cpu := func(n int) string { return fmt.Sprintf("%d 0 0 %d 0 0 0 0 0 0", 10*n, 90*n) }
	cpus := func(s string) string { return strings.Replace(s, "/proc/stat:cpu1 1 2 3 4\n", "", 1) }
	for name, c := range map[string]struct {
		out    string
		config map[string]any
		want   []string // lines of the sample
		not    string
	}{
		"one reading": {readingAt("1.0", cpu(1), idle), nil,
			[]string{"failed: localhost: 1 reading, and two are needed to tell what lies between: the test was shorter than the interval"}, "["},
		"torn": {readingAt("1.0", cpu(1), idle) + readingAt("2.0", cpu(2), idle) + "=== blocks /sys/block/sda\n/proc/upti", nil,
			[]string{"ok", "cpu_busy[host=localhost] 0.1"}, ""},
		"nothing of use": {"hello\n" + endOfReading + "\n", nil, []string{`failed: localhost: the output cannot be read: reading 1: "hello" is no line of a file`}, ""},
		"no disk of that name": {readingAt("1.0", cpu(1), idle) + readingAt("2.0", cpu(2), idle), map[string]any{"disks": []string{"sda", "sdz"}},
			[]string{"failed: there is no disk sdz on any of the hosts"}, ""},
		"a disk vanishes": {readingAt("1.0", cpu(1), idle, empty) + readingAt("2.0", cpu(2), "sda 0 0 0 0 1 0 8 1 0 1 1", "sdb 10 0 80 1 0 0 0 0 0 1 1") + readingAt("3.0", cpu(3), "sda 0 0 0 0 1 0 8 1 0 1 1"), nil,
			[]string{"read_iops[disk=sdb,host=localhost] 10", "disk_vanished: localhost: the disk sdb vanished after 2 s", "mark 2 localhost: sdb vanished"}, ""},
		"a disk appears": {readingAt("1.0", cpu(1), idle) + readingAt("2.0", cpu(2), idle, empty) + readingAt("3.0", cpu(3), idle, "sdb 10 0 80 1 0 0 0 0 0 1 1"), nil,
			[]string{"read_iops[disk=sdb,host=localhost] 10", "mark 1 localhost: sdb appeared"}, "disk_vanished"},
		"counters of 32 bits": {readingAt("1.0", cpu(1), "sda 4294967290 0 4294967280 4294967295 0 0 0 0 0 4294967196 0") + readingAt("2.0", cpu(2), "sda 4 0 16 9 0 0 0 0 0 0 0"), nil,
			[]string{"read_iops[disk=sda,host=localhost] 10", "read_bandwidth[disk=sda,host=localhost] 16384", "read_await[disk=sda,host=localhost] 0.001", "util[disk=sda,host=localhost] 0.1"}, ""},
		"another disk of the name": {readingAt("1.0", cpu(1), "sda 50000 0 50000 1 0 0 0 0 0 1 1") + readingAt("2.0", cpu(2), "sda 4 0 16 9 0 0 0 0 0 0 0") + readingAt("3.0", cpu(3), "sda 14 0 16 9 0 0 0 0 0 0 0"), nil,
			[]string{"read_iops[disk=sda,host=localhost] 10"}, ""},
		"a processor goes": {readingAt("1.0", cpu(1), idle) + cpus(readingAt("2.0", cpu(2), idle)), nil,
			[]string{"cpu_hotplug: localhost: the number of processors went from 2 to 1 after 1 s", "mark 1 localhost: the number of processors went from 2 to 1"}, ""},
		"waiting that goes back": {readingAt("1.0", "10 0 0 80 10 0 0 0 0 0", idle) + readingAt("2.0", "20 0 0 160 8 0 0 0 0 0", idle), nil,
			[]string{"cpu_busy[host=localhost] 0.111111", "cpu_iowait[host=localhost] 0"}, ""},
		"time that stands": {readingAt("1.0", cpu(1), idle) + readingAt("1.0", cpu(2), idle) + readingAt("0.5", cpu(2), idle) + readingAt("2.0", cpu(2), idle), nil,
			[]string{"ok", "cpu_busy[host=localhost] 0.1"}, ""},
		"saturated by a hair": {readingAt("1.0", cpu(1), idle) + readingAt("2.0", "9510 0 0 590 0 0 0 0 0 0", idle), nil, []string{"cpu_busy[host=localhost] 0.95"}, "cpu_saturated"},
		"saturated":           {readingAt("1.0", cpu(1), idle) + readingAt("2.0", "9711 0 0 389 0 0 0 0 0 0", idle), nil, []string{"cpu_saturated: the processors of localhost were busy 97.01 % of the time, more than 95 %: what was measured may be them"}, ""},
		"pressure": {strings.ReplaceAll(readingAt("1.0", cpu(1), idle), "/proc/meminfo:MemTotal", "/proc/pressure/io:some avg10=1.0 avg60=0.00 avg300=0.00 total=100\n/proc/meminfo:MemTotal") +
			strings.ReplaceAll(readingAt("3.0", cpu(2), idle), "/proc/meminfo:MemTotal", "/proc/pressure/io:some avg10=1.0 avg60=0.00 avg300=0.00 total=500100\n/proc/meminfo:MemTotal"), nil,
			[]string{"pressure_io[host=localhost] 0.25"}, "pressure_cpu"},
	} {
		t.Run(name, func(t *testing.T) {
			got := shown(parseIO(request(t, c.out, c.config)))
			for _, line := range c.want {
				if !strings.Contains("\n"+got, "\n"+line+"\n") {
					t.Errorf("there is no line %q in\n%s", line, got)
				}
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("there is %q in\n%s", c.not, got)
			}
		})
	}
}

// TestIOEnds: the exit status counts, unless a signal told the script to end.
func TestIOEnds(t *testing.T) {
	good := readingAt("1.0", "1 0 0 9 0", idle) + readingAt("2.0", "2 0 0 18 0", idle)
	for _, c := range []struct {
		exit measure.Exit
		want string
	}{
		{measure.Exit{Name: "io"}, "ok"},
		{measure.Exit{Name: "io", Code: -1, Signal: "SIGKILL", Error: "the test is over"}, "ok"},
		{measure.Exit{Name: "io", Code: 127}, "failed: localhost: sh ended with status 127: grep: not found"},
		{measure.Exit{Name: "iostat"}, "failed: localhost: it is not known how the reading of counters ended"},
	} {
		req := request(t, good, nil)
		req.Exits = []measure.Exit{c.exit}
		req.Artifacts = append(req.Artifacts, measure.Artifact{Name: "io.stderr", Data: []byte("grep: not found\nmore\n")})
		if got, _, _ := strings.Cut(shown(parseIO(req)), "\n"); got != c.want {
			t.Errorf("%+v: %s, want %s", c.exit, got, c.want)
		}
	}
}

// TestIOCaptured reads what a virtual machine printed while something wrote 60 MiB to its disk.
func TestIOCaptured(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "io", "virtual-disk.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := parseReadings(raw)
	if err != nil || len(list) < 3 || list[0].cpus != 2 || len(list[0].pressure) != 3 {
		t.Fatalf("%d readings, %v", len(list), err)
	}
	res := parseIO(request(t, string(raw), nil))
	byName := map[string]float64{}
	for _, v := range res.Sample.Values {
		byName[v.Measure+"["+v.Keys.String()+"]"] = v.Value
	}
	span := list[len(list)-1].uptime - list[0].uptime
	if written := byName["write_bandwidth[disk=vda,host=localhost]"] * span; written < 60<<20 || written > 500<<20 {
		t.Errorf("%v B were written, want a little more than 60 MiB; figures: %v", written, slices.Sorted(maps.Keys(byName)))
	}
	for name := range byName {
		if strings.Contains(name, "loop") || strings.Contains(name, "zram") {
			t.Errorf("%s is a figure of what nobody asked for", name)
		}
	}
}

// TestIOSeveralHosts: one command for each host, with the host as key; without one of them there is nothing.
func TestIOSeveralHosts(t *testing.T) {
	dial := func(ctx context.Context, address string) (host.Host, error) {
		if address == "gone" {
			return nil, fmt.Errorf("no route to host")
		}
		return host.Dial(ctx, "")
	}
	target := providers.Target{Kind: "monitor", Type: ioType, Config: providertest.Config(t, ioSchema().Body, map[string]any{"interval": "100ms"}), Hosts: []string{"h1", "h2"}}
	p, sink := New(dial), providertest.NewSink("")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Observe(ctx, providers.ObserveRequest{Target: target}, sink) }()
	for len(sink.Reports()) == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(30 * time.Millisecond) // the kernel's uptime counts hundredths of a second: the last reading must be of a later one
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	res, err := p.Parse(t.Context(), providers.ParseRequest{Target: target, Artifacts: sink.Artifacts(), Exits: sink.Exits()})
	if err != nil || res.Sample.Outcome != measure.OK {
		t.Fatal(err, res.Sample.Reason)
	}
	seen := map[string]bool{}
	for _, v := range res.Sample.Values {
		seen[v.Keys[hostKey]] = true
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, []string{"", "h1", "h2"}) && !slices.Equal(got, []string{"h1", "h2"}) {
		t.Errorf("figures of the hosts %q", got)
	}

	target.Hosts = []string{"h1", "gone"}
	err = p.Observe(t.Context(), providers.ObserveRequest{Target: target}, providertest.NewSink(""))
	if err == nil || err.Error() != "gone: no route to host" {
		t.Errorf("without a host: %v", err)
	}
}

func FuzzReadings(f *testing.F) {
	f.Add([]byte(readingAt("1.0", "1 0 0 9 0", idle) + readingAt("2.0", "2 0 0 18 0", idle, empty)))
	raw, err := os.ReadFile(filepath.Join("testdata", "io", "virtual-disk.txt"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw[:4000])
	f.Fuzz(func(t *testing.T, out []byte) {
		res := parseIO(request(t, string(out), nil))
		for _, v := range res.Sample.Values {
			if !(v.Value >= 0 && v.Value <= 1e308) {
				t.Errorf("%s is %v", v.Measure, v.Value)
			}
		}
		for _, s := range res.Series {
			for i, p := range s.Points {
				if !(p.Value >= 0 && p.Value <= 1e308) || !(p.T >= -1e308 && p.T <= 1e308) || i > 0 && p.T <= s.Points[i-1].T {
					t.Errorf("%s at %v is %v", s.Measure, p.T, p.Value)
				}
			}
		}
	})
}
