package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/zclconf/go-cty/cty"
)

var zero = time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)

// came writes the times of pieces that came so many seconds after zero.
func came(t testing.TB, at []float64, pieces ...string) (out, times []byte) {
	t.Helper()
	if len(at) != len(pieces) {
		t.Fatalf("%d times for %d pieces", len(at), len(pieces))
	}
	for i, p := range pieces {
		out = append(out, p...)
		times = fmt.Appendf(times, "%s %d\n", zero.Add(time.Duration(at[i]*float64(time.Second))).Format(time.RFC3339Nano), len(p))
	}
	return out, times
}

func monitorConfig(t testing.TB, values map[string]any) cty.Value {
	t.Helper()
	typ := monitorType()
	return providertest.Config(t, typ.Body, values)
}

// text of series: measure{keys}: time=value …
func seriesText(list []measure.Series) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s{%s}:", s.Measure, s.Keys)
		for _, p := range s.Points {
			fmt.Fprintf(&b, " %g=%g", p.T, p.Value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

const vmstat = `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
`

// TestWatched: which points a monitor has, what becomes of them, and why there are none.
func TestWatched(t *testing.T) {
	idle := map[string]any{"name": "idle", "column": "id", "separator": " ", "unit": "%"}
	load := func(more ...any) map[string]any {
		m := map[string]any{"name": "load", "pattern": `load (\S+)`}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	told := measure.Exit{Name: "monitor", Argv: []string{"/bin/tool"}, Code: -1, Signal: "SIGTERM", Error: "the test is over", Started: zero.Add(-time.Second)}
	three := []float64{1, 2, 3}
	for name, c := range map[string]struct {
		measures []map[string]any
		every    string
		at       []float64
		pieces   []string
		want     string // values and series, or after ! a part of the reason
	}{
		"vmstat": {[]map[string]any{idle}, "", []float64{-0.9, -0.9 + 1e-6, -0.9 + 2e-6, 0.1, 1.1},
			append(strings.SplitAfter(vmstat, "\n")[:2], " 1  0 0 9 9 9 0 0 1 1 1 1 50 30 20 0 0\n", " 1  0 0 9 9 9 0 0 1 1 1 1 0 0 100 0 0\n", " 1  0 0 9 9 9 0 0 1 1 1 1 45 5 50 0 0\n"),
			"0.75\nidle{}: 0.1=1 1.1=0.5\n"},
		"mean":             {[]map[string]any{load()}, "", three, []string{"load 1\n", "load 2\n", "load 6\n"}, "3\nload{}: 1=1 2=2 3=6\n"},
		"median":           {[]map[string]any{load("statistic", "median")}, "", three, []string{"load 1\n", "load 2\n", "load 6\n"}, "2\nload{}: 1=1 2=2 3=6\n"},
		"max":              {[]map[string]any{load("statistic", "max")}, "", three, []string{"load 1\n", "load 7\n", "load 6\n"}, "7\nload{}: 1=1 2=7 3=6\n"},
		"min":              {[]map[string]any{load("statistic", "min")}, "", three, []string{"load 3\n", "load 2\n", "load 6\n"}, "2\nload{}: 1=3 2=2 3=6\n"},
		"last":             {[]map[string]any{load("statistic", "last")}, "", three, []string{"load 3\n", "load 2\n", "load 6\n"}, "6\nload{}: 1=3 2=2 3=6\n"},
		"units":            {[]map[string]any{load("unit", "ms")}, "", []float64{0}, []string{"load 2s\n"}, "2\nload{}: 0=2\n"},
		"lines between":    {[]map[string]any{load()}, "", three, []string{"begin\n", "load 2\n", "\n"}, "2\nload{}: 2=2\n"},
		"torn":             {[]map[string]any{load()}, "", []float64{1}, []string{"load 4\n+load 5"}, "4\nload{}: 1=4\n"},
		"before":           {[]map[string]any{load()}, "", []float64{-2, -1, 1}, []string{"load x\n", "load 2\n", "load 3\n"}, "3\nload{}: 1=3\n"},
		"only before":      {[]map[string]any{load()}, "", []float64{-2, -1, 1}, []string{"load 1\n", "load 2\n", "bye\n"}, "!load: the pattern load (\\S+) is found only before the test began (2 times)"},
		"nothing":          {[]map[string]any{load()}, "", nil, nil, "!it printed no whole line"},
		"not there":        {[]map[string]any{load(), idle}, "", []float64{1}, []string{"load 4\n"}, "!idle: a table with the column id is not found"},
		"no number":        {[]map[string]any{load()}, "", []float64{1, 2}, []string{"load 4\n", "load low\n"}, `!load: in line 2: what is found for it, "low"`},
		"twice in a line":  {[]map[string]any{load()}, "", []float64{1}, []string{"load 4 load 5\n"}, "!more than once in line 1; keys tell figures apart"},
		"times go back":    {[]map[string]any{load()}, "", []float64{2, 1}, []string{"load 4\n", "load 5\n"}, "!do not ascend"},
		"keys":             {[]map[string]any{load("pattern", `(?P<disk>sd.)=(?P<value>\d+)`, "keys", []string{"disk"})}, "", []float64{1, 2}, []string{"sda=1 sdb=2\n", "sda=3 sdb=4\n"}, "disk=sda=2 disk=sdb=3\nload{disk=sda}: 1=1 2=3\nload{disk=sdb}: 1=2 2=4\n"},
		"json lines":       {[]map[string]any{load("pattern", nil, "json", "a.b")}, "", []float64{1, 2, 3, 4, 5}, []string{"[\n", "[info] warm\n", "{\"a\": {\"b\": 3}},\n", "{\"c\": 1}\n", "]\n"}, "3\nload{}: 3=3\n"},
		"json broken":      {[]map[string]any{load("pattern", nil, "json", "a.b")}, "", []float64{1}, []string{"{\"a\": {\"b\"\n"}, "!load: in line 1: its JSON"},
		"runs":             {[]map[string]any{load("pattern", nil, "json", "a.b")}, "1s", []float64{1, 2}, []string{"{\"a\":\n{\"b\": 3}}\n", "{\"a\":\n{\"b\": 5}}"}, "4\nload{}: 1=3 2=5\n"},
		"run cut off":      {[]map[string]any{load()}, "1s", []float64{1}, []string{"load 3\n+load 4\nmore\n"}, "3\nload{}: 1=3\n"},
		"run without":      {[]map[string]any{load()}, "1s", []float64{1, 2}, []string{"load 3\n", "busy\n"}, "!load: in run 2: the pattern load (\\S+) is not found"},
		"run without mine": {[]map[string]any{idle}, "1s", []float64{1, 2}, []string{"us id\n1 2\n", "3 4\n"}, "!idle: in run 2: a table with the column id is not found"},
		"run before":       {[]map[string]any{load()}, "1s", []float64{-1, 2}, []string{"busy\n", "load 3\n"}, "3\nload{}: 2=3\n"},
		"no run":           {[]map[string]any{load()}, "1s", nil, nil, "!no run of it had ended"},
	} {
		t.Run(name, func(t *testing.T) {
			values := map[string]any{"argv": []string{"tool"}, "measure": c.measures}
			if c.every != "" {
				values["every"] = c.every
			}
			var torn string
			for i, p := range c.pieces {
				c.pieces[i], torn, _ = strings.Cut(p, "+")
			}
			out, times := came(t, c.at, c.pieces...)
			req := providers.ParseRequest{Target: providers.Target{Kind: "monitor", Type: "command", Config: monitorConfig(t, values)}, Started: zero, Exits: []measure.Exit{told},
				Artifacts: []measure.Artifact{{Name: "monitor.stdout", Data: append(out, torn...)}, {Name: "monitor.stderr"}, {Name: "monitor.times", Data: times}}}
			res, err := New(nil).Parse(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			got := text(res.Sample.Values) + "\n" + seriesText(res.Series)
			if want, bad := strings.CutPrefix(c.want, "!"); bad {
				if res.Sample.Outcome != measure.Failed || !strings.Contains(res.Sample.Reason, want) || len(res.Sample.Values)+len(res.Series) > 0 {
					t.Errorf("%s, %q, %s; want a failure: %s", res.Sample.Outcome, res.Sample.Reason, got, want)
				}
			} else if got != want || res.Sample.Outcome != measure.OK {
				t.Errorf("%s, %q:\n%swant\n%s", res.Sample.Outcome, res.Sample.Reason, got, want)
			}
		})
	}
}

// TestWatchedExit: only a command that was told to end has a sample.
func TestWatchedExit(t *testing.T) {
	config := monitorConfig(t, map[string]any{"argv": []string{"tool"}, "measure": map[string]any{"name": "load", "pattern": `load (\S+)`}})
	out, times := came(t, []float64{1}, "load 1\n")
	for name, c := range map[string]struct {
		exit measure.Exit
		want string // a part of the reason; empty: a sample
	}{
		"told":              {measure.Exit{Code: -1, Signal: "SIGTERM", Error: "over", Started: zero}, ""},
		"told and caught":   {measure.Exit{Code: 143, Error: "over", Started: zero}, ""},
		"ended with 0":      {measure.Exit{Started: zero}, "tool ended by itself with status 0 before the test was over; it said: bye"},
		"killed by another": {measure.Exit{Code: -1, Signal: "SIGKILL", Started: zero}, "tool was ended by SIGKILL before the test was over"},
		"never started":     {measure.Exit{Code: -1, Error: "not found on PATH"}, "did not start: not found on PATH"},
	} {
		t.Run(name, func(t *testing.T) {
			c.exit.Name, c.exit.Argv = monitorName, []string{"/bin/tool"}
			res, err := New(nil).Parse(t.Context(), providers.ParseRequest{Target: providers.Target{Kind: "monitor", Type: "command", Config: config}, Started: zero, Exits: []measure.Exit{c.exit},
				Artifacts: []measure.Artifact{{Name: "monitor.stdout", Data: out}, {Name: "monitor.stderr", Data: []byte("hello\nbye\n")}, {Name: "monitor.times", Data: times}}})
			if err != nil || (res.Sample.Outcome == measure.OK) != (c.want == "") || !strings.Contains(res.Sample.Reason, c.want) {
				t.Errorf("%+v, %v; want %q", res, err, c.want)
			}
		})
	}
}

// TestStamped: each whole line has a time, however it is written; pieces takes it apart again.
func TestStamped(t *testing.T) {
	for name, writes := range map[string][]string{
		"a line each":   {"load 1\n", "x\n", "\n", "torn"},
		"in pieces":     {"lo", "ad", " 1", "\nx", "\n\nto", "rn"},
		"all at once":   {"load 1\nx\n\ntorn"},
		"an empty last": {"load 1\nx\n\n", "", "torn"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, times bytes.Buffer
			ready := 0
			s := &stamped{out: &out, times: &times, lines: true, began: time.Now(), first: newFollower([]figure{{pattern: `load (\d)`}, {pattern: `^(x)$`}}, false), ready: func() { ready++ }}
			for _, w := range writes {
				if n, err := s.Write([]byte(w)); n != len(w) || err != nil {
					t.Fatal(n, err)
				}
			}
			list, err := pieces(out.Bytes(), times.Bytes(), true)
			var got []string
			for _, p := range list {
				got = append(got, string(p.data))
			}
			if err != nil || strings.Join(got, "|") != "load 1\n|x\n|\n" || out.String() != "load 1\nx\n\ntorn" {
				t.Errorf("%q of %q, %v", got, out.String(), err)
			}
			if ready != 1 {
				t.Errorf("ready %d times", ready)
			}
			if _, err := pieces(append(out.Bytes(), '\n'), times.Bytes(), true); err == nil {
				t.Error("a whole line without a time is read")
			}
			if _, err := pieces(out.Bytes()[:3], times.Bytes(), true); err == nil {
				t.Error("a time without its line is read")
			}
		})
	}
}

// TestObserveEnds: a command that ends by itself, or a run that fails, ends the monitor with an error that says what it said.
func TestObserveEnds(t *testing.T) {
	for name, c := range map[string]struct {
		values map[string]any
		want   string
	}{
		"ends":      {map[string]any{"argv": []string{"echo", "load 1"}}, "echo ended by itself with status 0 before the test was over"},
		"says why":  {map[string]any{"argv": []string{"ls", "/no/such/place"}}, "ls ended by itself with status 2 before the test was over; it said: ls: cannot access '/no/such/place'"},
		"run fails": {map[string]any{"argv": []string{"ls", "/no/such/place"}, "every": "100ms"}, "ls ended by itself with status 2"},
		"not there": {map[string]any{"argv": []string{"no-such-program"}, "every": "100ms"}, "no-such-program: not found on PATH"},
	} {
		t.Run(name, func(t *testing.T) {
			c.values["measure"] = map[string]any{"name": "load", "pattern": `load (\S+)`}
			target := providers.Target{Kind: "monitor", Type: "command", Config: monitorConfig(t, c.values)}
			sink := providertest.NewSink("")
			err := New(host.Dial).Observe(t.Context(), providers.ObserveRequest{Target: target}, sink)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if len(sink.Exits()) != 1 || len(sink.Open()) > 0 {
				t.Errorf("exits %v, open %v", sink.Exits(), sink.Open())
			}
			res, err := New(nil).Parse(context.Background(), providers.ParseRequest{Target: target, Started: zero, Exits: sink.Exits(), Artifacts: sink.Artifacts()})
			if err != nil || res.Sample.Outcome != measure.Failed {
				t.Errorf("parsed: %+v, %v", res, err)
			}
		})
	}
}

// TestObserveRuns runs a command again and again; each run is one point, and standard input is there for each.
func TestObserveRuns(t *testing.T) {
	config := monitorConfig(t, map[string]any{"argv": []string{"cat"}, "stdin": "load 1\nload 2\n", "every": "100ms",
		"measure": map[string]any{"name": "load", "pattern": `load (\S+)\n\z`, "better": string(schema.Lower)}})
	target := providers.Target{Kind: "monitor", Type: "command", Config: config}
	sink := providertest.NewSink("")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(host.Dial).Observe(ctx, providers.ObserveRequest{Target: target}, sink) }()
	for bytes.Count(sink.Data("monitor.times"), []byte("\n")) < 3 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	res, err := New(nil).Parse(t.Context(), providers.ParseRequest{Target: target, Exits: sink.Exits(), Artifacts: sink.Artifacts()})
	if err != nil || res.Sample.Outcome != measure.OK || len(res.Series) != 1 || len(res.Series[0].Points) < 3 || res.Sample.Values[0].Value != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	for i, p := range res.Series[0].Points[1:] {
		if d := p.T - res.Series[0].Points[i].T; d <= 0 {
			t.Errorf("%g s between two runs", d)
		}
	}
}
