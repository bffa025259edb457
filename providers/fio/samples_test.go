package fio

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

var update = flag.Bool("update", false, "write testdata/samples.golden anew")

// folder is one captured run of fio: its command, exit status, output, and the file to which the output went, if any.
type folder struct {
	name, cmd, stdout, stderr, file string
	code                            int
	signal                          string
}

var shellCode = regexp.MustCompile(`(?m)^RC=(\d+)$`)

func readFolder(t testing.TB, name string) folder {
	t.Helper()
	read := func(file string) string {
		data, err := os.ReadFile(filepath.Join("testdata/samples", name, file))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(data)
	}
	f := folder{name: name, cmd: strings.TrimSpace(read("cmd")), stdout: read("stdout"), stderr: read("stderr"), file: read("r.json") + read("out.json")}
	var err error
	if f.code, err = strconv.Atoi(strings.TrimSpace(read("rc"))); err != nil {
		t.Fatalf("%s: rc: %v", name, err)
	}
	if m := shellCode.FindStringSubmatch(f.stderr); m != nil { // run in a shell, which says fio's status
		if f.code, _ = strconv.Atoi(m[1]); f.code > 128 {
			f.code, f.signal = -1, "SIGKILL"
		}
	}
	return f
}

func folders(t testing.TB) []folder {
	t.Helper()
	entries, err := os.ReadDir("testdata/samples")
	if err != nil {
		t.Fatal(err)
	}
	var list []folder
	for _, e := range entries {
		list = append(list, readFolder(t, e.Name()))
	}
	if len(list) < 80 {
		t.Fatalf("only %d samples", len(list))
	}
	return list
}

// imported is the folder as files that exist already.
func (f folder) imported() providers.ParseRequest {
	req := providers.ParseRequest{Imported: true, Format: "json", Artifacts: []measure.Artifact{
		{Name: "stderr", Data: []byte(f.stderr)}, {Name: "stdout", Data: []byte(f.stdout)}}}
	if f.file != "" {
		req.Artifacts = append(req.Artifacts, measure.Artifact{Name: "r.json", Data: []byte(f.file)})
	}
	return req
}

var optionRE = regexp.MustCompile(`--([a-z_]+)=(\S+)`)

// run is the folder as a repetition that assay ran, expecting what the command line asked for. Of a job file it expects one
// job "ok" that reads.
func (f folder) run() providers.ParseRequest {
	options := map[string]string{"name": "ok", "rw": "read"}
	for _, m := range optionRE.FindAllStringSubmatch(f.cmd, -1) {
		options[m[1]] = m[2]
	}
	e := expected{job: options["name"], numjobs: 1, directions: directionsOf(options["rw"])}
	if n, err := strconv.Atoi(options["numjobs"]); err == nil {
		e.numjobs = n
	}
	if strings.Contains(f.cmd, "--group_reporting") && e.numjobs < 256 {
		e.numjobs = 1
	}
	if _, ends := options["ss"]; strings.Contains(f.cmd, "--time_based") && !ends {
		e.runtime, _ = fioSeconds(options["runtime"])
	}
	if _, split := options["bssplit"]; !split {
		e.bs, _ = fioSize(options["bs"])
	}
	stdout := f.stdout + f.file
	return providers.ParseRequest{Expect: e.asMap(),
		Exits:     []measure.Exit{{Name: "fio", Code: f.code, Signal: f.signal}},
		Artifacts: []measure.Artifact{{Name: "fio.stderr", Data: []byte(f.stderr)}, {Name: "fio.stdout", Data: []byte(stdout)}}}
}

func directionsOf(rw string) []string {
	if rw == "trim" || rw == "sideways" { // what no test can ask for
		rw = "read"
	}
	return config{cty.ObjectVal(map[string]cty.Value{"rw": cty.StringVal(rw)})}.directions()
}

// describeSample prints a sample for the golden file: every figure to nine digits.
func describeSample(s measure.Sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", s.Outcome)
	if s.Reason != "" {
		fmt.Fprintf(&b, ": %s", s.Reason)
	}
	b.WriteByte('\n')
	for _, w := range s.Warnings {
		fmt.Fprintf(&b, "    warning %s: %s\n", w.Code, w.Text)
	}
	for _, v := range s.Values {
		fmt.Fprintf(&b, "    %s = %.9g\n", v.Measure, v.Value)
	}
	for _, h := range s.Histograms {
		fmt.Fprintf(&b, "    histogram %s: %d bins, %d I/Os, %.9g to %.9g\n", h.Measure, len(h.Bins), total(h.Bins), h.Bins[0].Value, h.Bins[len(h.Bins)-1].Value)
	}
	return b.String()
}

// TestSamples parses every captured output twice: as an import, and as a run that expected what its command line says.
func TestSamples(t *testing.T) {
	var b strings.Builder
	for _, f := range folders(t) {
		asImport, asRun := describeSample(parse(f.imported())), describeSample(parse(f.run()))
		fmt.Fprintf(&b, "== %s\n", f.name)
		if asImport == asRun {
			fmt.Fprintf(&b, "import, run: %s", asRun)
		} else {
			fmt.Fprintf(&b, "import: %srun: %s", asImport, asRun)
		}
	}
	const golden = "testdata/samples.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("samples differ from %s (go test -update writes it):\n%s", golden, diff)
	}
}

// TestFigures holds figures against ones that were worked out by hand from the files.
func TestFigures(t *testing.T) {
	cases := []struct {
		folder string
		want   map[string]float64
		absent []string
	}{
		{"02-json-randread", map[string]float64{
			"bandwidth": 398012380, "iops": 1518.296740, "read_bandwidth": 398012380,
		}, []string{"write_bandwidth", "latency_p99_9"}}, // 4,564 I/Os
		{"03-json-numjobs4-nogroup", map[string]float64{ // four jobs: sums; no bins, so no percentile of all of them
			"bandwidth": 45874927 + 45565099 + 47820322 + 47845811,
		}, []string{"latency_p50", "latency_p99"}},
		{"05-jsonplus", map[string]float64{
			"bandwidth": 44841714 + 44923606, "read_bandwidth": 44841714, "write_bandwidth": 44923606,
		}, nil},
		{"16-status-interval-json", map[string]float64{"bandwidth": 36367484}, nil}, // the last of five documents
		{"17-status-interval-json-output", map[string]float64{"bandwidth": 41750330}, nil},
		{"39-unified-mixed", map[string]float64{"bandwidth": 30404139}, []string{"read_bandwidth", "write_bandwidth"}},
		{"60-description-unicode", map[string]float64{"write_bandwidth": 524288000, "iops": 128000}, nil},
		{"81-client-json", map[string]float64{ // r, r and w; "All clients" is not a fourth
			"read_bandwidth": 1008730112/2.029 + 1001652224/2.028,
		}, nil},
		{"version-fio-2.16-json", map[string]float64{ // KiB and microseconds
			"read_bandwidth": 53132 * 1024 / 2.001, "write_bandwidth": 53276 * 1024 / 2.001, "read_iops": 6638.180910,
			"read_latency_mean": 238.829255e-6, "read_latency_p50": 71e-6, "read_latency_p99": 4080e-6,
			"read_latency_p99_9": 14144e-6, "read_latency_max": 22058e-6, "write_latency_p95": 1592e-6,
			"latency_mean": (238.829255e-6*13283 + 325.607403e-6*13319) / (13283 + 13319), "latency_max": 22058e-6,
		}, []string{"latency_p50", "latency_p99"}}, // two directions without bins
		{"version-fio-2.16-jsonplus", map[string]float64{
			"bandwidth": 53856 * 1024 / 1.001, "latency_p50": 69e-6, "latency_p95": 724e-6, "latency_p99": 4960e-6,
			"latency_p99_9": 12224e-6, "cpu_user": 0.023, "cpu_system": 0.248,
		}, nil},
		{"version-fio-3.1-json", map[string]float64{"read_bandwidth": 54644736 / 2.001, "read_latency_mean": 183915.689828e-9}, nil},
		{"version-fio-3.42-jsonplus", map[string]float64{
			"bandwidth": 71700480, "iops": 17505, "latency_mean": 217731.110540e-9, "latency_p50": 73216e-9,
			"latency_p95": 387072e-9, "latency_p99": 2932736e-9, "latency_p99_9": 22937600e-9, "latency_max": 54405025e-9,
		}, nil},
	}
	for _, c := range cases {
		s := parse(readFolder(t, c.folder).imported())
		if s.Outcome != measure.OK {
			t.Errorf("%s: %s: %s", c.folder, s.Outcome, s.Reason)
			continue
		}
		for name, want := range c.want {
			got, ok := s.Get(name)
			if !ok || math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s: %s is %g (%v), want %g", c.folder, name, got, ok, want)
			}
		}
		for _, name := range c.absent {
			if got, ok := s.Get(name); ok {
				t.Errorf("%s: %s is %g, want none", c.folder, name, got)
			}
		}
	}
}

// TestPercentilesAsFio: of a single job and direction, percentiles from bins are those that fio computed itself.
func TestPercentilesAsFio(t *testing.T) {
	compared := 0
	for _, f := range folders(t) {
		out := readOutput([]byte(f.stdout))
		if out.doc == nil {
			continue
		}
		for _, j := range jobsOf(out.doc) {
			for _, dir := range []*direction{j.Read, j.Write} {
				var d distribution
				if !ran(dir) {
					continue
				}
				if err := d.add(dir); err != nil {
					t.Fatalf("%s: %v", f.name, err)
				}
				bins := d.histogram()
				if bins == nil {
					continue
				}
				if n := total(bins); float64(n) != d.n {
					t.Errorf("%s: bins hold %d I/Os, fio timed %g", f.name, n, d.n)
				}
				for _, p := range percentiles {
					compared++
					if got, want := nearestRank(bins, p.num), d.own[p.fio]; got != want {
						t.Errorf("%s: %s is %g from the bins, %g by fio", f.name, p.measure, got, want)
					}
				}
			}
		}
	}
	if compared < 24 {
		t.Errorf("only %d percentiles compared", compared)
	}
}

// TestMerging: the histogram of all is the sum of its parts, and its percentiles are of neither part alone.
func TestMerging(t *testing.T) {
	s := parse(readFolder(t, "05-jsonplus").imported())
	counts := map[string]map[float64]uint64{}
	for _, h := range s.Histograms {
		counts[h.Measure] = map[float64]uint64{}
		if !sort.SliceIsSorted(h.Bins, func(i, j int) bool { return h.Bins[i].Value < h.Bins[j].Value }) {
			t.Errorf("%s: bins are not ascending", h.Measure)
		}
		for _, b := range h.Bins {
			counts[h.Measure][b.Value] += b.Count
		}
	}
	sum := map[float64]uint64{}
	for _, part := range []string{"read_latency", "write_latency"} {
		for v, n := range counts[part] {
			sum[v] += n
		}
	}
	if diff := cmp.Diff(sum, counts["latency"]); diff != "" {
		t.Errorf("latency is not read_latency plus write_latency:\n%s", diff)
	}
	for _, c := range []struct {
		n, num, want uint64
	}{{1, 500, 1}, {2, 500, 1}, {3, 500, 2}, {100, 990, 99}, {101, 990, 100}, {10000, 999, 9990}, {10001, 999, 9991}, {1 << 62, 500, 1 << 61}} {
		if got := wantedRank(c.n, c.num); got != c.want {
			t.Errorf("rank %d/1000 of %d is %d, want %d", c.num, c.n, got, c.want)
		}
	}
}

// TestBinValue against fio's own table of buckets, as its json+ of 3.x names them by value: the same rule in nanoseconds.
func TestBinValue(t *testing.T) {
	for index, want := range map[uint64]uint64{0: 0, 63: 63, 127: 127, 128: 129, 129: 131, 191: 255, 192: 258, 1215: 1<<23 + 63<<17 + 1<<16} {
		if got := binValue(index); got != want {
			t.Errorf("bucket %d is %d, want %d", index, got, want)
		}
	}
}

// edit changes one figure in a document, and gives it back as text.
func edit(t *testing.T, text string, change func(doc map[string]any)) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	change(doc)
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInconsistentFiguresWarn(t *testing.T) {
	cases := []struct {
		name   string
		change func(read map[string]any)
		code   string
		text   string
	}{
		{"bandwidth", func(read map[string]any) { read["bw_bytes"] = 80e6 }, "bandwidth_mismatch", "fio gives 80 MB/s, but 70020 KiB in 1 s are 71.7 MB/s"},
		{"IOPS", func(read map[string]any) { read["iops"] = 20000.0 }, "iops_mismatch", "20 kIOPS of 4 KiB are 81.92 MB/s, but the bandwidth is 71.7 MB/s"},
		{"bins", func(read map[string]any) { read["clat_ns"].(map[string]any)["N"] = 20000.0 }, "histogram_mismatch", "bins hold 17505 I/Os, but fio timed 20000"},
		{"nothing", func(map[string]any) {}, "", ""},
		{"rounding", func(read map[string]any) { read["bw_bytes"] = 71.0e6 }, "", ""},
	}
	f := readFolder(t, "version-fio-3.42-jsonplus")
	for _, c := range cases {
		req := f.run()
		req.Artifacts[1].Data = []byte(edit(t, f.stdout, func(doc map[string]any) {
			c.change(doc["jobs"].([]any)[0].(map[string]any)["read"].(map[string]any))
		}))
		s := parse(req)
		if s.Outcome != measure.OK {
			t.Errorf("%s: %s: %s", c.name, s.Outcome, s.Reason)
		}
		switch {
		case c.code == "" && len(s.Warnings) > 0:
			t.Errorf("%s: warnings %v", c.name, s.Warnings)
		case c.code != "" && !slices.ContainsFunc(s.Warnings, func(w measure.Warning) bool { return w.Code == c.code && strings.Contains(w.Text, c.text) }):
			t.Errorf("%s: warnings %v, want %s with %q", c.name, s.Warnings, c.code, c.text)
		}
	}
}
