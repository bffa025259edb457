package fio

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
)

// onTwo is one captured run as if it had been on two hosts, the second of which began after delay; edit may change its output.
func onTwo(t *testing.T, delay time.Duration, edit func(string) string) providers.ParseRequest {
	t.Helper()
	good := readFolder(t, "version-fio-3.42-jsonplus").stdout
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	req := providers.ParseRequest{Expect: expected{job: "rr", numjobs: 1, directions: []string{"read"}, runtime: 1, bs: 4096}.asMap()}
	req.Hosts = []string{"ssh://root@a:1", "ssh://root@b:1"}
	for i, out := range []string{good, edit(good)} {
		name := []string{"fio-1", "fio-2"}[i]
		start := began.Add(time.Duration(i) * delay)
		req.Exits = append(req.Exits, measure.Exit{Name: name, Host: req.Hosts[i], Started: start, Ended: start.Add(time.Second)})
		req.Artifacts = append(req.Artifacts, measure.Artifact{Name: name + ".stdout", Data: []byte(out)})
	}
	return req
}

func same(s string) string { return s }

// TestTwoHosts: what is summed is summed, what is merged is as of one, and each host has its own.
func TestTwoHosts(t *testing.T) {
	one := parse(request(expected{job: "rr", numjobs: 1, directions: []string{"read"}, runtime: 1, bs: 4096}, readFolder(t, "version-fio-3.42-jsonplus").stdout, ""))
	two := parse(onTwo(t, 0, same))
	if two.Outcome != measure.OK || len(two.Warnings) != 0 {
		t.Fatalf("%s: %s, %v", two.Outcome, two.Reason, two.Warnings)
	}
	at := map[string]map[string]float64{}
	for _, v := range two.Values {
		key := v.Keys["host"]
		if at[key] == nil {
			at[key] = map[string]float64{}
		}
		at[key][v.Measure] = v.Value
	}
	if len(at) != 3 || len(at[""]) != len(at["a"]) || len(at["a"]) != len(one.Values) || len(at["b"]) != len(one.Values) {
		t.Fatalf("values %v", at)
	}
	for _, v := range one.Values {
		times := 1.0
		if strings.HasSuffix(v.Measure, "bandwidth") || strings.HasSuffix(v.Measure, "iops") {
			times = 2
		}
		if got := at[""][v.Measure]; math.Abs(got-times*v.Value) > 1e-9*got || at["a"][v.Measure] != v.Value || at["b"][v.Measure] != v.Value {
			t.Errorf("%s of all is %g, of a %g, of b %g; of one alone %g", v.Measure, got, at["a"][v.Measure], at["b"][v.Measure], v.Value)
		}
	}
	for _, h := range two.Histograms {
		want := total(one.Histograms[0].Bins)
		if len(h.Keys) == 0 {
			want *= 2
		}
		if total(h.Bins) != want {
			t.Errorf("the histogram %s%v holds %d I/Os, want %d", h.Measure, h.Keys, total(h.Bins), want)
		}
	}
}

func TestTwoHostsThatDidNotOverlap(t *testing.T) {
	for delay, warned := range map[time.Duration]bool{0: false, 50 * time.Millisecond: false, 200 * time.Millisecond: true, time.Minute: true} {
		s := parse(onTwo(t, delay, same))
		got := len(s.Warnings) == 1 && s.Warnings[0].Code == "did_not_overlap" && strings.Contains(s.Warnings[0].Text, "ssh://root@b:1 began last, and ssh://root@a:1 ended first")
		if s.Outcome != measure.OK || got != warned || len(s.Warnings) > 1 {
			t.Errorf("%s apart: %s, %v", delay, s.Outcome, s.Warnings)
		}
	}
}

// TestOneOfTwoHostsFailed: there is no figure then, not half of one.
func TestOneOfTwoHostsFailed(t *testing.T) {
	half := func(s string) string { return s[:len(s)/2] }
	if s := parse(onTwo(t, 0, half)); s.Outcome != measure.Failed || !strings.HasPrefix(s.Reason, "b: fio's output is not whole") || len(s.Values) > 0 {
		t.Errorf("%s: %s, %v", s.Outcome, s.Reason, s.Values)
	}
	req := onTwo(t, 0, same)
	req.Exits = req.Exits[:1]
	if s := parse(req); s.Outcome != measure.Failed || !strings.Contains(s.Reason, "b: fio was not run") || len(s.Values) > 0 {
		t.Errorf("%s: %s, %v", s.Outcome, s.Reason, s.Values)
	}
}

// TestMeasureOnTwoHosts: both begin behind one gate, and where one cannot begin neither does. Both are this machine, under two addresses.
func TestMeasureOnTwoHosts(t *testing.T) {
	unreachable := errors.New("no route")
	var broken atomic.Bool
	p := New(func(_ context.Context, address string) (host.Host, error) {
		if broken.Load() && address == "ssh://b" {
			return nil, unreachable
		}
		return as{host.Local(), address}, nil
	})
	target := testTarget(t, "x", values{"directory": t.TempDir(), "rw": "read", "size": "1MiB", "runtime": "500ms"})
	target.Hosts = []string{"ssh://a", "ssh://b"}
	resp, err := p.Plan(t.Context(), providers.PlanRequest{Target: target})
	if err != nil {
		t.Fatal(err)
	}
	sink := providertest.NewSink(t.TempDir())
	asked := 0
	var opened time.Time
	err = p.Measure(t.Context(), providers.MeasureRequest{Target: target, Expect: resp.Expect}, func(context.Context) error {
		asked++
		opened = time.Now()
		return nil
	}, sink)
	if err != nil || asked != 1 || len(sink.Exits()) != 2 {
		t.Fatalf("%v, the gate was asked %d times, %+v", err, asked, sink.Exits())
	}
	for _, e := range sink.Exits() {
		if e.Started.Before(opened) {
			t.Errorf("%s began before the gate was open", e.Host)
		}
	}
	parsed, err := p.Parse(t.Context(), providers.ParseRequest{Target: target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: resp.Expect})
	if err != nil || parsed.Sample.Outcome != measure.OK {
		t.Errorf("%v, %+v", err, parsed)
	}
	broken.Store(true)
	sink = providertest.NewSink(t.TempDir())
	err = p.Measure(t.Context(), providers.MeasureRequest{Target: target, Expect: resp.Expect}, func(context.Context) error {
		t.Error("the gate was asked, and one host is missing")
		return nil
	}, sink)
	if !errors.Is(err, unreachable) || !strings.Contains(err.Error(), "ssh://b") {
		t.Errorf("%v; want that b cannot be reached", err)
	}
	for _, e := range sink.Exits() {
		if !e.Started.IsZero() {
			t.Errorf("%s began alone", e.Host)
		}
	}
}

// as is a host under another address.
type as struct {
	host.Host
	address string
}

func (a as) Address() string { return a.address }
