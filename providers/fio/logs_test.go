package fio

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// pointText prints points as time:value.
func pointText(points []measure.SeriesPoint) string {
	var out []string
	for _, p := range points {
		out = append(out, fmt.Sprintf("%.4g:%.6g", p.T, p.Value))
	}
	return strings.Join(out, " ")
}

// TestRates: rows of several jobs become one rate for each window.
func TestRates(t *testing.T) {
	for _, c := range []struct{ name, log, read, write, all string }{
		{"one job", "1000, 5, 0, 0, 0\n2000, 7, 0, 0, 0\n", "1:5 2:7", "", "1:5 2:7"},
		{"four columns", "1000, 5, 0, 0\n2000, 7, 0, 0\n", "1:5 2:7", "", "1:5 2:7"},
		{"two jobs", "1000, 5, 0, 0, 0\n2000, 7, 0, 0, 0\n1000, 1, 0, 0, 0\n2000, 2, 0, 0, 0\n", "1:6 2:9", "", "1:6 2:9"},
		{"two directions, in any order", "1000, 5, 1, 0, 0\n1000, 3, 0, 0, 0\n2000, 1, 0, 0, 0\n2000, 2, 1, 0, 0\n", "1:3 2:1", "1:5 2:2", "1:8 2:3"},
		{"late rows", "1010, 5, 0, 0, 0\n2030, 7, 0, 0, 0\n3050, 7, 0, 0, 0\n", "1:5 2:6.98 3:7", "", "1:5 2:6.98 3:7"},
		{"the last window of one job is not whole", "1000, 5, 0, 0, 0\n2000, 7, 0, 0, 0\n1000, 1, 0, 0, 0\n1500, 2, 0, 0, 0\n", "1:6", "", "1:6"},
		{"a stall", "1000, 5, 0, 0, 0\n2000, 0, 0, 0, 0\n3000, 5, 0, 0, 0\n", "1:5 2:0 3:5", "", "1:5 2:0 3:5"},
		{"rows for two windows", "2000, 5, 0, 0, 0\n4000, 7, 0, 0, 0\n", "1:5 2:5 3:7 4:7", "", "1:5 2:5 3:7 4:7"},
		{"trims", "1000, 5, 0, 0, 0\n1000, 9, 2, 0, 0\n", "1:5", "", "1:5"},
		{"nothing", "", "", "", ""},
	} {
		r, err := readRates(strings.NewReader(c.log), 1, 1)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff([]string{c.read, c.write, c.all}, []string{pointText(r.points(0)), pointText(r.points(1)), pointText(r.points(-1))}); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestBadLogs: what is not a log of fio is an error that names the line.
func TestBadLogs(t *testing.T) {
	hist := "1000, 0, 4096" + strings.Repeat(", 1", platNumberNS>>2)
	for _, c := range []struct{ log, want string }{
		{"1000, 5, 0, 0, 0\n2000, 7", "line 2 is cut off"},
		{"1000, 5, 0, 0, 0\n2000, x, 0\n", `line 2: there is "x" where a number should be`},
		{"1000, -5, 0\n", `line 1: there is "-"`},
		{"1000, 5\n", "line 1: a row has fewer than three columns"},
		{"99999999999999999999, 5, 0\n", "line 1: a number is too large"},
		{"18446744073709551616, 5, 0\n", "line 1: a number is too large"},
		{strings.Repeat("1, ", 50000) + "\n", "line 1 is longer than any row"},
	} {
		if _, err := readRates(strings.NewReader(c.log), 1, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.log, err, c.want)
		}
	}
	for _, c := range []struct{ log, want string }{
		{"1000, 0, 4096\n", "a row of a histogram has only 3 columns"},
		{"1000, 0, 4096, 1, 2, 3\n", "there are 3 bins, which no fio writes"},
		{hist + "\n1000, 0, 4096" + strings.Repeat(", 1", platNumberNS) + "\n", "line 2: there are 1856 bins here and 464 above"},
		{hist, "line 1 is cut off"},
	} {
		if _, err := readLatencies(strings.NewReader(c.log), 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.log, err, c.want)
		}
	}
}

func openLog(t *testing.T, name string) io.Reader {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "logs", name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(raw)
}

// TestCapturedLogs: what fio logged over time is what it gave in all.
func TestCapturedLogs(t *testing.T) {
	r, err := readRates(openLog(t, "13_bw.log"), 0.5, 1024)
	if err != nil {
		t.Fatal(err)
	}
	if got := pointText(r.points(0)); got != "0.5:2.55263e+07 1:1.93792e+07 1.5:1.78586e+07 2:2.10862e+07 2.5:2.83843e+07" {
		t.Error(got)
	}
	out := readOutput([]byte(readFolder(t, "15-hist-log").stdout))
	l, err := readLatencies(openLog(t, "15_clat_hist.log"), 1)
	if err != nil {
		t.Fatal(err)
	}
	for d, dir := range []*direction{out.doc.Jobs[0].Read, out.doc.Jobs[0].Write} {
		n := uint64(0)
		for _, window := range l.counts[d] {
			for _, c := range window {
				n += c
			}
		}
		// The last window, of less than a second of three, is not in the log.
		if float64(n) > dir.IOs || float64(n) < dir.IOs/2 {
			t.Errorf("direction %d: the log counts %d I/Os of %g", d, n, dir.IOs)
		}
		fios := dir.ClatNS.Percentile["50.000000"] / 1e9
		for _, p := range l.points(d, percentiles[0]) {
			if p.Value < fios/2 || p.Value > fios*2 {
				t.Errorf("direction %d: the median is %g at %g s, and %g over the whole run", d, p.Value, p.T, fios)
			}
		}
		for _, p := range l.points(d, percentiles[3]) { // of the windows with enough I/Os
			n := uint64(0)
			for _, c := range l.counts[d][int(p.T)-1] {
				n += c
			}
			if n < minForP999 {
				t.Errorf("a 99.9th percentile of %d I/Os", n)
			}
		}
	}
}

// TestHistogramValues: bins that are put together have the middle of all of them, and lie where fio's own lie.
func TestHistogramValues(t *testing.T) {
	for coarse := range 7 {
		values := coarseValues(platNumberNS >> coarse)
		for i := range values {
			first, last := uint64(i)<<coarse, uint64(i+1)<<coarse-1
			if lo, hi := float64(binValue(first))/1e9, float64(binValue(last))/1e9; values[i] < lo || values[i] > math.Nextafter(hi, 1)+1e-9 {
				t.Fatalf("coarseness %d: bin %d is %g, its buckets are %g to %g", coarse, i, values[i], lo, hi)
			}
		}
	}
	if v := coarseValues(platNumber); v == nil || v[200] < 1e-4 || v[200] > 1e-3 {
		t.Errorf("a bin of old fio, in microseconds: %v", v[200])
	}
	for _, n := range []int{0, 1, 100, platNumberNS + 1, platNumberNS >> 7} {
		if coarseValues(n) != nil {
			t.Errorf("%d bins are taken", n)
		}
	}
}

// TestLatenciesOverTime: rows of two jobs are merged, not averaged.
func TestLatenciesOverTime(t *testing.T) {
	row := func(ms, dir int, bins map[int]int) string {
		list := make([]string, platNumberNS>>6)
		for i := range list {
			list[i] = fmt.Sprint(bins[i])
		}
		return fmt.Sprintf("%d, %d, 4096, %s\n", ms, dir, strings.Join(list, ", "))
	}
	log := row(1001, 0, map[int]int{10: 99}) + row(2003, 0, map[int]int{10: 1}) + row(1002, 0, map[int]int{20: 1}) + row(1002, 1, map[int]int{12: 100}) + row(1998, 0, map[int]int{20: 9})
	l, err := readLatencies(strings.NewReader(log), 1)
	if err != nil {
		t.Fatal(err)
	}
	v := l.values
	at := func(points []measure.SeriesPoint) (out []float64) {
		for _, p := range points {
			out = append(out, p.T, p.Value)
		}
		return out
	}
	p50, p99 := percentiles[0], percentiles[2]
	for _, c := range []struct {
		got  []measure.SeriesPoint
		want []float64
	}{
		{l.points(0, p50), []float64{1, v[10], 2, v[20]}},
		{l.points(0, p99), []float64{1, v[10], 2, v[20]}},
		{l.points(1, p50), []float64{1, v[12]}},
		{l.points(-1, p50), []float64{1, v[12], 2, v[20]}},
	} {
		if d := cmp.Diff(c.want, at(c.got)); d != "" {
			t.Error(d)
		}
	}
	l.widen()
	if d := cmp.Diff([]float64{2, v[10], 2, v[20]}, append(at(l.points(0, p50)), at(l.points(0, p99))...)); d != "" {
		t.Error(d)
	}
}

// endless is a log of that many bytes, made as it is read.
type endless struct {
	row  func(n int) string
	n    int
	left int
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		if e.left <= 0 {
			return 0, io.EOF
		}
		e.rest = e.row(e.n)
		e.n++
		e.left -= len(e.rest)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestLogsLargerThanMemory: a log of any length is read in less than 64 MiB. What is kept is bounded after the first few MiB, so that
// 96 MiB show it as well as 10 GB.
func TestLogsLargerThanMemory(t *testing.T) {
	bins := strings.Repeat(", 17", platNumberNS)
	for _, c := range []struct {
		name string
		row  func(n int) string
		read func(io.Reader) (points int, err error)
	}{
		{"rates", func(n int) string { return fmt.Sprintf("%d, 123456, %d, 0, 0\n", n*100, n%2) }, func(r io.Reader) (int, error) {
			x, err := readRates(r, 0.1, 1024)
			return len(x.points(-1)), err
		}},
		{"histograms", func(n int) string { return fmt.Sprintf("%d, %d, 4096%s\n", n*1000, n%2, bins) }, func(r io.Reader) (int, error) {
			x, err := readLatencies(r, 1)
			return len(x.points(-1, percentiles[2])), err
		}},
	} {
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		peak, done, stopped := uint64(0), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
		}()
		points, err := c.read(&endless{row: c.row, left: 96 << 20})
		close(done)
		<-stopped
		if err != nil || points < 100 || points > maxWindows {
			t.Errorf("%s: %d points, %v", c.name, points, err)
		}
		if used := int64(peak) - int64(before.HeapAlloc); used > 64<<20 {
			t.Errorf("%s: %d MiB are held at once", c.name, used>>20)
		}
	}
}

// TestRealLogs: a run that logs gives series, whose mean is the figure of its JSON.
func TestRealLogs(t *testing.T) {
	target := testTarget(t, "t", values{"directory": t.TempDir(), "rw": "randrw", "bs": "4KiB", "size": "4MiB", "numjobs": 2, "runtime": "2s", "ramp_time": "200ms",
		"log_avg_msec": "200ms", "log_hist_msec": "500ms"})
	s, sink := repetition(t, target, open)
	if s.Outcome != measure.OK || len(s.Warnings) > 0 {
		t.Fatalf("%s: %s, %v", s.Outcome, s.Reason, s.Warnings)
	}
	req := providers.ParseRequest{Target: target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: expectation(target).asMap()}
	series := parseSeries(req, &s)
	got := map[string][]measure.SeriesPoint{}
	for _, x := range series {
		if len(x.Keys) > 0 || got[x.Measure] != nil {
			t.Errorf("%s %v", x.Measure, x.Keys)
		}
		got[x.Measure] = x.Points
	}
	for _, name := range []string{"bandwidth", "iops", "read_bandwidth", "write_iops"} {
		sum := 0.0
		for _, p := range got[name] {
			sum += p.Value
			if p.T < 0.4 || p.T > sink.Exits()[0].Ended.Sub(sink.Exits()[0].Started).Seconds()+0.01 {
				t.Errorf("%s has a point at %g s", name, p.T)
			}
		}
		want, _ := s.Get(name)
		if n := float64(len(got[name])); n < 5 || n > 10 || math.Abs(sum/n-want) > want/2 {
			t.Errorf("%s is %g on average over %g points, and %g over all", name, sum/n, n, want)
		}
	}
	for _, name := range []string{"latency_p50", "read_latency_p99", "write_latency_p95"} {
		if n := len(got[name]); n < 2 || n > 4 {
			t.Errorf("%s: %s", name, pointText(got[name]))
		}
	}
	for i := range req.Artifacts { // a log that was cut off, and one that is not there
		if req.Artifacts[i].Name == "fio.iops.log" {
			req.Artifacts[i].Data = req.Artifacts[i].Data[:len(req.Artifacts[i].Data)-3]
		}
		if req.Artifacts[i].Name == "fio.bw.log" {
			req.Artifacts[i].Name = "other"
		}
	}
	series = parseSeries(req, &s)
	for _, x := range series {
		if strings.Contains(x.Measure, "iops") || strings.Contains(x.Measure, "bandwidth") {
			t.Errorf("%s came of a log that is not whole", x.Measure)
		}
	}
	if len(s.Warnings) != 2 || s.Warnings[0].Code != "log_unread" || !strings.Contains(s.Warnings[0].Text, "it was not fetched") || !strings.Contains(s.Warnings[1].Text, "is cut off") {
		t.Errorf("%v", s.Warnings)
	}
}

// TestLogsOfTwoHosts: each host has its series, and all together have the sum, also where the logs are files.
func TestLogsOfTwoHosts(t *testing.T) {
	target := testTarget(t, "t", values{"directory": "/d", "size": "1MiB", "runtime": "3s", "log_avg_msec": "1s"})
	target.Hosts = []string{"ssh://a", "ssh://b"}
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	req := providers.ParseRequest{Target: target, Expect: expectation(target).asMap(), Started: began}
	for i, name := range []string{"fio-1", "fio-2"} {
		start := began.Add(time.Duration(i) * 50 * time.Millisecond)
		req.Exits = append(req.Exits, measure.Exit{Name: name, Host: target.Hosts[i], Started: start, Ended: start.Add(3500 * time.Millisecond)})
		log := fmt.Sprintf("1000, %d, 0, 0, 0\n2000, 20, 0, 0, 0\n", 10*(i+1))
		file := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		req.Artifacts = append(req.Artifacts, measure.Artifact{Name: name + ".bw.log", Data: []byte(log)}, measure.Artifact{Name: name + ".iops.log", File: file})
	}
	var s measure.Sample
	var got []string
	for _, x := range parseSeries(req, &s) {
		got = append(got, x.Measure+x.Keys["host"]+" "+pointText(x.Points))
	}
	want := []string{
		"bandwidtha 1.5:10240 2.5:20480", "read_bandwidtha 1.5:10240 2.5:20480", "bandwidthb 1.55:20480 2.55:20480", "read_bandwidthb 1.55:20480 2.55:20480",
		"bandwidth 1.5:30720 2.5:40960", "read_bandwidth 1.5:30720 2.5:40960",
		"iopsa 1.5:10 2.5:20", "read_iopsa 1.5:10 2.5:20", "iopsb 1.55:20 2.55:20", "read_iopsb 1.55:20 2.55:20", "iops 1.5:30 2.5:40", "read_iops 1.5:30 2.5:40",
	}
	if d := cmp.Diff(want, got); d != "" || len(s.Warnings) > 0 {
		t.Error(d, s.Warnings)
	}
}

func FuzzLogs(f *testing.F) {
	f.Add("1000, 5, 0, 0, 0\n")
	f.Add("1000, 0, 4096" + strings.Repeat(", 1", platNumberNS>>6) + "\n")
	f.Fuzz(func(t *testing.T, log string) {
		if r, err := readRates(strings.NewReader(log), 0.5, 1); err == nil {
			for _, p := range r.points(-1) {
				if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Value < 0 || p.T <= 0 {
					t.Errorf("%+v", p)
				}
			}
		}
		if l, err := readLatencies(strings.NewReader(log), 0.5); err == nil {
			l.points(-1, percentiles[0])
		}
	})
}
