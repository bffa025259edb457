package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"golang.org/x/perf/benchfmt"
)

var measures = []schema.Measure{
	{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher},
	{Name: "latency-p99", Dim: unit.Seconds, Better: schema.Lower, Keys: []string{"host"}, RollUp: schema.Worst},
	{Name: "ns", Dim: unit.One, Better: schema.Lower},
}

// bench is a plan with samples of it.
type bench struct {
	plan    plan.Plan
	samples []measure.Sample
}

// add adds the repetitions of a test at given coordinates.
func (b *bench) add(block addr.Block, at addr.Coordinates, samples ...measure.Sample) {
	in := addr.Instance{Block: block, Coordinates: at}
	b.plan.Tests = append(b.plan.Tests, plan.Test{Address: in.String(), Instance: in, Coordinates: at, Type: block.Type, Repeat: len(samples)})
	known := false
	for _, t := range b.plan.Judgement.Tests {
		known = known || t.Block == block.String()
	}
	if !known {
		b.plan.Judgement.Tests = append(b.plan.Judgement.Tests, plan.TestType{Block: block.String(), Axes: at.Axes(), Measures: measures})
	}
	for i, s := range samples {
		s.Address, s.Coordinates, s.Round, s.Repetition, s.Attempt, s.Generation = in.String(), at, 1, i+1, 1, 1
		b.samples = append(b.samples, s)
	}
}

func (b *bench) results() *judge.Results {
	return judge.Judge("t", b.plan.Judgement, b.plan.Measured(), b.samples)
}

func sample(outcome measure.Outcome, values ...measure.Value) measure.Sample {
	return measure.Sample{Outcome: outcome, Values: values}
}

func value(name string, v float64, keys addr.Coordinates) measure.Value {
	return measure.Value{Measure: name, Value: v, Keys: keys}
}

// odd is a bench with everything that is not plain.
func odd() *bench {
	b := &bench{}
	b.plan.Judgement.Axes = []plan.Axis{{Name: "value"}, {Name: "drive"}}
	seq := addr.Block{Kind: "test", Type: "fio", Name: "seq"}
	h1, h2 := addr.Coordinates{"host": "h1"}, addr.Coordinates{"host": "h/2 -7"}
	warned := sample(measure.OK, value("bandwidth", 0.1, nil), value("latency-p99", 0.004, h1), value("latency-p99", 1e-10, h2))
	warned.Warnings = []measure.Warning{{Code: "shared", Text: "x"}, {Code: "shared", Text: "y"}, {Code: "worn", Text: "z"}}
	b.add(seq, addr.Coordinates{"value": `a "b", c`, "drive": "盘 1-8"}, warned, sample(measure.Failed), sample(measure.Invalid, value("bandwidth", 7, nil)))
	b.add(addr.Block{Kind: "test", Type: "fake", Name: "seq"}, addr.Coordinates{"drive": "line\nend-9"}, sample(measure.OK, value("ns", 123456789, nil)))
	b.add(addr.Block{Kind: "test", Type: "fake", Name: "other"}, nil, sample(measure.OK, value("ns", 1e20, nil)))
	return b
}

func TestCSV(t *testing.T) {
	b := odd()
	var out bytes.Buffer
	if err := Samples(&b.plan, b.results()).CSV(&out); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(`address,axis.value,drive,round,repetition,generation,outcome,warnings,measure,host,value,unit
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,1,,ok,shared worn,bandwidth,,0.1,B/s
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,1,,ok,shared worn,latency-p99,,0.004,s
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,1,,ok,shared worn,latency-p99,h/2 -7,1e-10,s
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,1,,ok,shared worn,latency-p99,h1,0.004,s
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,2,,failed,,,,,
"test.fio.seq[drive=""盘 1-8"",value=""a \""b\"", c""]","a ""b"", c",盘 1-8,1,3,,invalid,,bandwidth,,7,B/s
"test.fake.seq[drive=""line\nend-9""]",,"line
end-9",1,1,,ok,,ns,,123456789,1
test.fake.other,,,1,1,,ok,,ns,,100000000000000000000,1
`, "\n", "\r\n")
	want = strings.Replace(want, "100000000000000000000", "1e+20", 1)
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// TestParquet: cell for cell what CSV has, in the same columns.
func TestParquet(t *testing.T) {
	b := odd()
	table := Samples(&b.plan, b.results())
	var text, binary, again bytes.Buffer
	if err := table.CSV(&text); err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.Writer{&binary, &again} {
		if err := table.Parquet(w); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(binary.Bytes(), again.Bytes()) {
		t.Error("two exports differ")
	}
	want, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(binary.Bytes()), int64(binary.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	kinds := map[string]string{}
	for _, field := range f.Schema().Fields() {
		names = append(names, field.Name())
		kinds[field.Name()] = field.Type().String()
	}
	got := [][]string{names}
	for _, g := range f.RowGroups() {
		rows := g.Rows()
		buf := make([]parquet.Row, 100)
		n, err := rows.ReadRows(buf)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for _, row := range buf[:n] {
			rec := make([]string, len(names))
			for _, v := range row {
				switch {
				case v.IsNull():
				case v.Kind() == parquet.Double:
					rec[v.Column()] = shortest(v.Double())
				default:
					rec[v.Column()] = v.String()
				}
			}
			got = append(got, rec)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if kinds["value"] != "DOUBLE" || kinds["address"] != "STRING" || kinds["round"] != "INT(64,true)" {
		t.Errorf("types: %v", kinds)
	}
}

func TestGoBench(t *testing.T) {
	b := odd()
	b.plan.Hosts = []string{"", "ssh://root@h1"}
	facts := map[string]map[string]string{
		"":              {"cpu.model": "a\nb", "volatile.load1": "3", "memory.bytes": "1024"},
		"ssh://root@h1": {"cpu.model": "other", "os.name": " "},
	}
	var out bytes.Buffer
	if err := Samples(&b.plan, b.results()).GoBench(&out, &b.plan, facts); err != nil {
		t.Fatal(err)
	}
	want := `host1.cpu.model: a b
host1.memory.bytes: 1024
host2.cpu.model: other
Unit bandwidth-B/s better=higher
Unit latency_p99-sec better=lower
Unit ns_ better=lower

BenchmarkFio_Seq/value=a%20"b",%20c/drive=盘%201%2D8 1 0.1 bandwidth-B/s 0.004 latency_p99-sec
BenchmarkFio_Seq/value=a%20"b",%20c/drive=盘%201-8/host=h%2F2%20%2D7 1 1e-10 latency_p99-sec
BenchmarkFio_Seq/value=a%20"b",%20c/drive=盘%201-8/host=h1 1 0.004 latency_p99-sec
BenchmarkFake_Seq/drive=line%0Aend%2D9 1 123456789 ns_
BenchmarkFake_Other 1 1e+20 ns_
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
	// Go's own reader finds just that: nothing of it is an error, taken apart, or rescaled.
	r := benchfmt.NewReader(bytes.NewReader(out.Bytes()), "export")
	results := 0
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(rec)
		case *benchfmt.Result:
			results++
			for _, v := range rec.Values {
				if v.OrigUnit != "" {
					t.Errorf("%s: %v %s was rescaled to %s", rec.Name, v.OrigValue, v.OrigUnit, v.Unit)
				}
			}
			_, parts := rec.Name.Parts()
			for _, p := range parts {
				if p[0] == '-' {
					t.Errorf("%s: %s is taken for GOMAXPROCS", rec.Name, p)
				}
			}
		}
	}
	if r.Err() != nil || results != 5 {
		t.Errorf("%d results, %v", results, r.Err())
	}
}

func TestBenchNames(t *testing.T) {
	for want, blocks := range map[string]string{
		"Seq Rand":             "test.fio.seq test.fio.rand",
		"Fio_Seq Fake_Seq":     "test.fio.seq test.fake.seq",
		"Test_X_S Dataset_X_S": "test.x.s dataset.x.s",
		"Été":                  "test.fio.été",
		"Fio_A Fio_B Fake_A":   "test.fio.a test.fio.b test.fake.a",
		"Fio_A Fake_A Fio_A":   "test.fio.a test.fake.a test.fio.a",
	} {
		var rows []Row
		for _, b := range strings.Fields(blocks) {
			p := strings.Split(b, ".")
			rows = append(rows, Row{Block: addr.Block{Kind: p[0], Type: p[1], Name: p[2]}})
		}
		names := benchNames(rows)
		var got []string
		for _, r := range rows {
			got = append(got, names[r.Block])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", blocks, got, want)
		}
	}
}

// TestBenchstat: the real benchstat reads the export, and its medians and p-values are those that judging gives.
func TestBenchstat(t *testing.T) {
	arms := map[string][2][]float64{
		"clear":   {{100, 101, 99, 102, 98, 100.5}, {200, 201, 199, 202, 198, 200.5}},
		"close":   {{100.25, 103, 99, 104, 98, 101}, {101.5, 99.5, 102, 105, 97, 100}},
		"uneven":  {{10, 20, 30, 40}, {15, 35, 45, 55, 65, 75, 85}},
		"ties":    {{5, 5, 5, 6, 6, 7, 7, 8}, {5, 6, 6, 7, 8, 8, 9, 9}},
		"few":     {{1, 2, 3}, {4, 5, 6}},
		"tiny":    {{1e-9, 3e-9, 2e-9, 7e-9, 5e-9}, {4e-9, 6e-9, 9e-9, 8e-9, 1e-8}},
		"more":    {{31, 7, 28, 3, 19, 11, 5, 23, 29, 2, 13, 17}, {37, 8, 27, 41, 18, 10, 43, 22, 30, 47, 12, 16}},
		"missing": {{1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}},
	}
	b := &bench{}
	b.plan.Judgement.Alpha, b.plan.Judgement.Confidence = 0.05, 0.95
	b.plan.Judgement.Axes = []plan.Axis{{Name: "drive", Baseline: "sata", Cases: []plan.Case{{Name: "sata"}, {Name: "sas"}}}}
	for name, c := range maps.All(arms) {
		block := addr.Block{Kind: "test", Type: "fio", Name: name}
		for i, drive := range []string{"sata", "sas"} {
			var list []measure.Sample
			for _, v := range c[i] {
				list = append(list, sample(measure.OK, value("bandwidth", v, nil)))
			}
			if name == "missing" {
				list[2].Outcome = measure.DidNotFinish
			}
			b.add(block, addr.Coordinates{"drive": drive}, list...)
		}
		b.plan.Judgement.Comparisons = append(b.plan.Judgement.Comparisons, plan.Comparison{
			Address: "compare." + name + "[drive=sas]", Block: "compare." + name, Coordinates: addr.Coordinates{"drive": "sas"}, Measure: measures[0],
			Test: "test.fio." + name + "[drive=sas]", BaselineTest: "test.fio." + name + "[drive=sata]", Across: "drive", Baseline: "sata",
		})
	}
	r := b.results()
	var text bytes.Buffer
	if err := Samples(&b.plan, r).GoBench(&text, &b.plan, nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "export.txt")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", "tool", "benchstat", "-format", "csv", "-row", ".name", "-col", "/drive@(sata sas)", file)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("benchstat: %v\n%s", err, stderr.String())
	}
	medians := map[string]float64{}
	for _, f := range r.Figures {
		medians[f.Address] = f.Median
	}
	seen := 0
	for line := range strings.Lines(stdout.String()) {
		// NAME,median,CI,median,CI,change,p=0.002 n=6
		cells := strings.Split(strings.TrimSpace(line), ",")
		name := strings.ToLower(cells[0])
		if _, ours := arms[name]; !ours {
			continue
		}
		seen++
		for i, drive := range map[int]string{1: "sata", 3: "sas"} {
			got, err := strconv.ParseFloat(cells[i], 64)
			if want := medians["test.fio."+name+"[drive="+drive+"]"]; err != nil || math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s at %s: benchstat's median is %s, ours is %v", name, drive, cells[i], want)
			}
		}
		for _, c := range r.Comparisons {
			if c.Coordinates["drive"] == "sas" && strings.HasPrefix(c.Address, "compare."+name+"[") {
				if want := fmt.Sprintf("p=%.3f", c.P); !strings.HasPrefix(cells[6], want+" ") {
					t.Errorf("%s: benchstat says %s, ours is %s", name, cells[6], want)
				}
				seen++
			}
		}
	}
	if seen != 2*len(arms) {
		t.Errorf("%d of %d medians and comparisons were seen:\n%s%s", seen, 2*len(arms), stdout.String(), text.String())
	}
}
