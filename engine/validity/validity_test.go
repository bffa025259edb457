package validity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/validity"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fio"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// loadMeasures are of a load, as datasets have them.
var loadMeasures = []schema.Measure{
	{Name: "rows"}, {Name: "rows_expected"}, {Name: "rows_rejected"}, {Name: "bytes", Dim: unit.Bytes}, {Name: "change"},
}

func measures(t testing.TB) ([]schema.Measure, *schema.Type) {
	t.Helper()
	s, err := fio.New(nil).Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return append(loadMeasures, s.Tests[0].Measures...), &s.Tests[0]
}

// healthy is a sample that nothing speaks against, with what it is held against.
func healthy(t testing.TB) (measure.Sample, validity.Evidence) {
	list, _ := measures(t)
	figures := map[string]float64{
		"bandwidth": 40960000, "iops": 10000, "read_bandwidth": 30720000, "write_bandwidth": 10240000, "read_iops": 7500, "write_iops": 2500,
		"latency_mean": 0.0016, "latency_p50": 0.0015, "latency_p95": 0.002, "latency_p99": 0.003, "latency_max": 0.02,
		"cpu_user": 0.2, "cpu_system": 0.3, "rows": 990, "rows_rejected": 0, "rows_expected": 990, "bytes": 64 << 30, "change": -0.1,
	}
	s := measure.Sample{Outcome: measure.OK, Histograms: []measure.Histogram{{Measure: "latency", Bins: []measure.Bin{{Value: 0.0016, Count: 600000}}}}}
	for _, m := range list {
		if v, ok := figures[m.Name]; ok {
			s.Values = append(s.Values, measure.Value{Measure: m.Name, Value: v})
		}
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return s, validity.Evidence{
		Measures: list, Hosts: 1,
		Config: object(map[string]any{"bs": 4096, "iodepth": 16, "numjobs": 1, "runtime": 60, "rate": 32000000, "directory": "/data/x", "expect_fit": "over_memory"}),
		Facts: func() []map[string]string {
			return []map[string]string{{"memory.bytes": "34359738368", "mount./": "/dev/sda1 ext4 rw", "mount./data": "/dev/sdb1 xfs rw", "disk.sdb.transport": "sata", "net.eth0.speed": "1000"}}
		},
		Exits: []measure.Exit{{Name: "fio", Started: start, Ended: start.Add(61 * time.Second)}},
	}
}

func object(attrs map[string]any) cty.Value {
	values := map[string]cty.Value{}
	for name, v := range attrs {
		switch v := v.(type) {
		case int:
			values[name] = cty.NumberIntVal(int64(v))
		case string:
			values[name] = cty.StringVal(v)
		case []string:
			list := make([]cty.Value, len(v))
			for i, s := range v {
				list[i] = cty.StringVal(s)
			}
			values[name] = cty.ListVal(list)
		case nil:
			values[name] = cty.NullVal(cty.Number)
		case map[string]cty.Value:
			values[name] = cty.MapVal(v)
		}
	}
	return cty.ObjectVal(values)
}

func with(o cty.Value, name string, v any) cty.Value {
	m := o.AsValueMap()
	for n, v := range object(map[string]any{name: v}).AsValueMap() {
		m[n] = v
	}
	return cty.ObjectVal(m)
}

func set(s *measure.Sample, name string, v float64) {
	for i := range s.Values {
		if s.Values[i].Measure == name {
			s.Values[i].Value = v
			return
		}
	}
	s.Values = append(s.Values, measure.Value{Measure: name, Value: v})
}

// TestCheck breaks a healthy sample in one way each, and wants just that to be said, with its numbers.
func TestCheck(t *testing.T) {
	nfs := func() []map[string]string {
		return []map[string]string{{"memory.bytes": "34359738368", "mount./data": "nas:/vol one nfs4 rw", "net.eth0.speed": "100", "net.eth1.speed": "100"}}
	}
	type change = func(*measure.Sample, *validity.Evidence)
	figure := func(name string, v float64) change {
		return func(s *measure.Sample, _ *validity.Evidence) { set(s, name, v) }
	}
	config := func(name string, v any) change {
		return func(_ *measure.Sample, e *validity.Evidence) { e.Config = with(e.Config, name, v) }
	}
	both := func(list ...change) change {
		return func(s *measure.Sample, e *validity.Evidence) {
			for _, c := range list {
				c(s, e)
			}
		}
	}
	several := func(dirs ...string) change {
		return func(_ *measure.Sample, e *validity.Evidence) {
			e.Config = with(with(e.Config, "directory", nil), "directories", dirs)
			facts := e.Facts()
			for name, value := range map[string]string{"mount./more": "/dev/sdc1 xfs rw", "disk.sdc.transport": "sata", "mount./nvme": "/dev/nvme0n1 xfs rw", "disk.nvme0n1.transport": "nvme"} {
				facts[0][name] = value
			}
			e.Facts = func() []map[string]string { return facts }
		}
	}
	for _, c := range []struct {
		name   string
		change change
		want   string // codes; an invalid one with a !
		text   string
	}{
		{"nothing", both(), "", ""},
		{"less than no time", both(figure("latency_p50", -0.001)), "!negative_figure", "latency_p50 is -1 ms"},
		{"a change may be negative", figure("change", -0.5), "", ""},
		{"no reads", both(figure("read_iops", 0), figure("write_iops", 10000)), "zero_rate", "read_iops is 0 IOPS"},
		{"p95 below p50", figure("latency_p95", 0.001), "!percentiles_out_of_order", "latency_p50 is 1.5 ms and latency_p95 is 1 ms"},
		{"p99 above max", figure("latency_max", 0.0025), "!percentiles_out_of_order", "latency_p99 is 3 ms and latency_max is 2.5 ms"},
		{"percentiles of a host", func(s *measure.Sample, _ *validity.Evidence) {
			h := addr.Coordinates{"host": "h1"}
			s.Values = append(s.Values, measure.Value{Measure: "latency_p50", Keys: h, Value: 2}, measure.Value{Measure: "latency_p99", Keys: h, Value: 1})
		}, "!percentiles_out_of_order", "latency_p50[host=h1] is 2 s"},
		{"percentiles of two hosts are two distributions", func(s *measure.Sample, _ *validity.Evidence) {
			s.Values = append(s.Values, measure.Value{Measure: "latency_p50", Keys: addr.Coordinates{"host": "h1"}, Value: 2},
				measure.Value{Measure: "latency_p99", Keys: addr.Coordinates{"host": "h2"}, Value: 1})
		}, "", ""},
		{"mean above max", both(figure("latency_mean", 0.0016), figure("read_latency_mean", 0.05), figure("read_latency_max", 0.04)), "!mean_beyond_max", "read_latency_mean is 50 ms"},
		{"an exit before its start", func(_ *measure.Sample, e *validity.Evidence) {
			x := e.Exits[0]
			x.Name, x.Ended = "sync", x.Started.Add(-2*time.Second)
			e.Exits = append(e.Exits, x)
		}, "!time_went_back", "sync ended 2 s before it started"},
		{"longer than the run", figure("latency_max", 100), "!latency_beyond_run", "latency_max is 100 s, and the command ran for 61 s"},
		{"rows lost", figure("rows", 980), "!rows_do_not_add_up", "980 rows were loaded and 0 rejected, 980 in all, of 990"},
		{"rows rejected", both(figure("rows", 980), figure("rows_rejected", 10)), "rows_rejected", "10 rows were rejected and 980 loaded"},
		{"directions", both(figure("read_iops", 5000)), "directions_do_not_add_up", "iops is 10 kIOPS, but reads of 5 kIOPS and writes of 2.5 kIOPS are 7.5 kIOPS"},
		{"block size", config("bs", 8192), "iops_mismatch", "10 kIOPS of 8 KiB are 81.92 MB/s, but the bandwidth is 40.96 MB/s"},
		{"block sizes", both(config("bs", 8192), config("options", map[string]cty.Value{"bssplit": cty.StringVal("4k/50")})), "", ""},
		{"block size, said by the provider", both(config("bs", 8192), func(s *measure.Sample, _ *validity.Evidence) {
			s.Warnings = []measure.Warning{{Code: "iops_mismatch", Text: "x"}}
		}), "iops_mismatch", "x"},
		{"Little's law", config("iodepth", 8), "littles_law", "are 16.0 I/Os in flight, but no more than 8 may be (iodepth 8, 1 jobs)"},
		{"Little's law on two hosts", both(config("iodepth", 8), func(_ *measure.Sample, e *validity.Evidence) { e.Hosts = 2 }), "", ""},
		{"a queue that is not filled", both(config("iodepth", 64), config("rate", nil)), "queue_not_filled", "16.0 I/Os in flight of the 64 that were asked for"},
		{"a queue that a rate keeps from filling", config("iodepth", 64), "", ""},
		{"a rate that is not kept", config("rate", 20000000), "rate_exceeded", "read_bandwidth is 30.72 MB/s, but rate = 20 MB/s for each of 1 jobs lets through 20 MB/s"},
		{"two jobs of that rate", both(config("rate", 20000000), config("numjobs", 2)), "", ""},
		{"too short", both(config("runtime", 60), func(_ *measure.Sample, e *validity.Evidence) {
			e.Exits[0].Ended = e.Exits[0].Started.Add(50 * time.Second)
		}), "ran_too_short", "the command ran for 50 s, and runtime is 60 s"},
		{"moved too little", func(s *measure.Sample, _ *validity.Evidence) { s.Histograms[0].Bins[0].Count = 300000 }, "moved_mismatch", "300000 I/Os at 10 kIOPS take 30 s, but runtime is 60 s"},
		{"two rounds", func(s *measure.Sample, e *validity.Evidence) { s.Histograms[0].Bins[0].Count, e.Windows = 1200000, 2 }, "", ""},
		{"a busy processor", figure("cpu_user", 0.69), "job_cpu_saturated", "69 % of one CPU in user mode and 30 % in the kernel, 99 % in all"},
		{"above the links", both(func(_ *measure.Sample, e *validity.Evidence) { e.Facts = nfs }), "bandwidth_above_link", "read_bandwidth is 30.72 MB/s over links of 25 MB/s in all"},
		{"above SATA", both(figure("bandwidth", 800e6), figure("read_bandwidth", 700e6), figure("write_bandwidth", 100e6), config("rate", nil), config("bs", 80000)), "bandwidth_above_device", "read_bandwidth is 700 MB/s, but the SATA link of sdb carries 600 MB/s"},
		{"above one SATA disk of two directories", both(figure("bandwidth", 800e6), figure("read_bandwidth", 700e6), figure("write_bandwidth", 100e6), config("rate", nil), config("bs", 80000), several("/data/x", "/data/y")),
			"bandwidth_above_device", "read_bandwidth is 700 MB/s, but the SATA link of sdb carries 600 MB/s"},
		{"within two SATA disks", both(figure("bandwidth", 800e6), figure("read_bandwidth", 700e6), figure("write_bandwidth", 100e6), config("rate", nil), config("bs", 80000), several("/data/x", "/more/y")), "", ""},
		{"above two SATA disks", both(figure("bandwidth", 1400e6), figure("read_bandwidth", 1300e6), figure("write_bandwidth", 100e6), config("rate", nil), config("bs", 140000), several("/data/x", "/more/y")),
			"bandwidth_above_device", "but the SATA links of sdb, sdc carry 1.2 GB/s"},
		{"one of two directories is not on SATA", both(figure("bandwidth", 800e6), figure("read_bandwidth", 700e6), figure("write_bandwidth", 100e6), config("rate", nil), config("bs", 80000), several("/data/x", "/nvme")), "", ""},
		{"above the links, in two directories", both(func(_ *measure.Sample, e *validity.Evidence) { e.Facts = nfs }, config("directory", nil), config("directories", []string{"/data/x", "/data/y"})), "bandwidth_above_link", "read_bandwidth is 30.72 MB/s over links of 25 MB/s in all"},
		{"fits in memory", figure("bytes", 16<<30), "fits_in_memory", "the data are 16 GiB and the memory is 32 GiB"},
		{"may fit in memory", both(figure("bytes", 16<<30), config("expect_fit", "in_memory")), "", ""},
		{"nothing is known", func(_ *measure.Sample, e *validity.Evidence) { *e = validity.Evidence{} }, "", ""},
		{"not ok", func(s *measure.Sample, _ *validity.Evidence) { s.Outcome = measure.Failed; set(s, "latency_p50", -1) }, "", ""},
	} {
		s, e := healthy(t)
		c.change(&s, &e)
		before := s.Outcome
		validity.Check(&s, e)
		got := said(s)
		if before != measure.OK && s.Outcome != before {
			t.Errorf("%s: %s became %s", c.name, before, s.Outcome)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q: %s %v", c.name, got, c.want, s.Reason, s.Warnings)
		}
		if all := s.Reason + fmt.Sprint(s.Warnings); !strings.Contains(all, c.text) {
			t.Errorf("%s: %s lacks %q", c.name, all, c.text)
		}
	}
}

// said lists the codes of warnings, and those for which a sample is invalid with a !.
func said(s measure.Sample) string {
	var out []string
	if s.Outcome == measure.Invalid {
		for _, r := range strings.Split(s.Reason, "; ") {
			code, _, _ := strings.Cut(r, ":")
			out = append(out, "!"+code)
		}
	}
	for _, w := range s.Warnings {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		name          string
		steady, ofDay float64
		want, text    string
	}{
		{"as it was", 61, 60, "", ""}, {"within a second", 60, 61, "", ""}, {"not known", 0, 60, "", ""},
		{"put forward", 60, 3660, "clock_jumped", "by the time of day the repetition took "},
		{"put back", 60, -3540, "!time_went_back", "ended 59min before it began"},
	} {
		s := measure.Sample{Outcome: measure.OK}
		validity.Clock(&s, c.steady, c.ofDay)
		if got := said(s); got != c.want || !strings.Contains(s.Reason+fmt.Sprint(s.Warnings), c.text) {
			t.Errorf("%s: %q, want %q: %s %v", c.name, got, c.want, s.Reason, s.Warnings)
		}
	}
}

func TestCopied(t *testing.T) {
	list, _ := measures(t)
	for _, c := range []struct {
		name, measure string
		a, b          float64
		keyed         bool
		want          string
	}{
		{"to the last digit", "bandwidth", 40960123.5, 40960123.5, false, "copied_result"},
		{"almost", "bandwidth", 40960123.5, 40960123.25, false, ""},
		{"round", "bandwidth", 40960000, 40960000, false, ""},
		{"a bin", "latency_p99", 0.010027008, 0.010027008, false, ""},
		{"of two hosts", "bandwidth", 40960123.5, 40960123.5, true, ""},
	} {
		a, b := measure.Sample{Outcome: measure.OK, Round: 1, Repetition: 1}, measure.Sample{Outcome: measure.OK, Round: 1, Repetition: 2}
		set(&a, c.measure, c.a)
		set(&b, c.measure, c.b)
		if c.keyed {
			b.Values[0].Keys = addr.Coordinates{"host": "h2"}
		}
		validity.Copied([]*measure.Sample{&a, &b}, list)
		if got := said(b); got != c.want || said(a) != "" {
			t.Errorf("%s: %q and %q, want %q", c.name, said(a), got, c.want)
		}
		if c.want != "" && !strings.Contains(b.Warnings[0].Text, "bandwidth is 40960123.5, to the last digit as in repetition 1 of round 1") {
			t.Error(b.Warnings[0].Text)
		}
	}
	again := measure.Sample{Outcome: measure.OK, LoadedIn: "20260101"}
	set(&again, "bandwidth", 40960123.5)
	other := again
	validity.Copied([]*measure.Sample{&again, &other}, list)
	if said(other) != "" {
		t.Errorf("the same load twice: %s", said(other))
	}
}

// TestHealthy: nothing is said of what real runs of fio gave, held against their own options.
func TestHealthy(t *testing.T) {
	list, typ := measures(t)
	root := filepath.Join("..", "..", "providers", "fio", "testdata", "samples")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	p := fio.New(nil)
	healthy := 0
	for _, entry := range entries {
		for _, file := range []string{"stdout", "r.json", "out.json"} {
			data, err := os.ReadFile(filepath.Join(root, entry.Name(), file))
			if err != nil || len(data) == 0 {
				continue
			}
			config := map[string]cty.Value{}
			for name, ty := range typ.Body.Cty().AttributeTypes() {
				config[name] = cty.NullVal(ty)
			}
			for name, n := range options(data) {
				config[name] = cty.NumberFloatVal(n)
			}
			answer, err := p.Parse(context.Background(), providers.ParseRequest{
				Target: providers.Target{Kind: "test", Type: "fio", Config: cty.ObjectVal(config)}, Imported: true, Format: "json",
				Artifacts: []measure.Artifact{{Name: file, Data: data}},
			})
			if err != nil {
				t.Fatal(err)
			}
			s := answer.Sample
			if s.Outcome != measure.OK || len(s.Warnings) > 0 {
				continue
			}
			healthy++
			validity.Check(&s, validity.Evidence{Measures: list, Config: cty.ObjectVal(config)})
			if got := said(s); got != "" {
				t.Errorf("%s: %s: %s %v", entry.Name(), got, s.Reason, s.Warnings)
			}
		}
	}
	if healthy < 20 {
		t.Errorf("only %d healthy samples were found", healthy)
	}
}

// options are those of a single job that fio's output states in plain numbers.
func options(data []byte) map[string]float64 {
	_, body, _ := strings.Cut(string(data), "{")
	var doc struct {
		Jobs []struct {
			Options map[string]string `json:"job options"`
		} `json:"jobs"`
	}
	out := map[string]float64{}
	if json.Unmarshal([]byte("{"+body), &doc) != nil || len(doc.Jobs) != 1 {
		return out
	}
	for _, name := range []string{"iodepth", "numjobs", "bs"} {
		n, unit := 0.0, ""
		if k, _ := fmt.Sscanf(doc.Jobs[0].Options[name], "%g%s", &n, &unit); k > 0 && (unit == "" || unit == "k") {
			if unit == "k" {
				n *= 1024
			}
			out[name] = n
		}
	}
	return out
}
