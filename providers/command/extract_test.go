package command

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers/measure"
)

func sample(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// text prints values for comparison: 0.00315, or q1=2 q2=3.
func text(values []measure.Value) string {
	var parts []string
	for _, v := range values {
		s := fmt.Sprint(v.Value)
		if v.Keys != nil {
			s = v.Keys.String() + "=" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

const table = `starting up, 3 queries
query, seconds ,rows
q1,1.5,"1000"
q2, 250ms ,7
q1,2.5,3
done
`

const jsonLines = `{"op":"read","lat":1.5,"host":{"h1":{"n":1},"h2":{"n":2}}}
{"op":"write","lat":"2ms","a.b":[7],"no":null}
`

func TestExtract(t *testing.T) {
	cpu, dd, iperf := string(sample(t, "sysbench-cpu.txt")), string(sample(t, "dd.txt")), string(sample(t, "iperf3.json"))
	for name, c := range map[string]struct {
		f      figure
		output string
		want   string // values, or after ! a part of the error
	}{
		"sysbench rate":      {figure{pattern: `events per second:\s+(\S+)`, unit: "events/s"}, cpu, "284.82"},
		"sysbench latency":   {figure{pattern: `95th percentile:\s+(\S+)`, unit: "ms"}, cpu, "0.00973"},
		"sysbench own unit":  {figure{pattern: `total time:\s+(\S+)`, unit: "ms"}, cpu, "1.0044"},
		"line ends":          {figure{pattern: `^ +min: +(\S+)$`, unit: "us"}, cpu, "1.26e-06"},
		"dd":                 {figure{pattern: `, ([\d.]+ \S+)$`, unit: "MB/s"}, dd, "3.59e+08"},
		"dd seconds":         {figure{pattern: `([\d.]+) s,`, unit: "s"}, dd, "0.187084"},
		"dd wrong dimension": {figure{pattern: `, ([\d.]+ \S+)$`, unit: "s"}, dd, `!"359 MB/s", is not a duration`},
		"iperf3":             {figure{json: "end.sum_received.bits_per_second", unit: "bit/s"}, iperf, "1.3576642557624743e+09"},
		"iperf3 count":       {figure{json: "end.sum_sent.retransmits"}, iperf, "6"},
		"iperf3 share":       {figure{json: "end.cpu_utilization_percent.host_total", unit: "%"}, iperf, "0.20659199821687285"},
		"iperf3 streams":     {figure{json: "end.streams[*].sender.bytes", unit: "B", keys: []string{"stream"}}, iperf, "stream=0=1.3631488e+09"},
		"iperf3 bool":        {figure{json: "end.sum_sent.sender"}, iperf, "!is not a number but true or false"},
		"iperf3 object":      {figure{json: "end.sum_sent"}, iperf, "!is not a number but an object"},
		"iperf3 refused":     {figure{json: "end.sum_received.bits_per_second"}, string(sample(t, "iperf3-refused.json")), "!is not found"},
		"json torn":          {figure{json: "end.sum_sent.bytes"}, iperf[:len(iperf)/2], "!its JSON breaks off"},
		"json behind text":   {figure{json: "a"}, "[info] begins\nwarming up\n {\"a\": 3}\nbye\n", "3"},
		"json none":          {figure{json: "a"}, "a: 3\n", "!there is no JSON"},
		"json broken":        {figure{json: "a"}, "{\"a\": 3}\n{nonsense}\n", "!its JSON is broken"},
		"json lines":         {figure{json: "lat", unit: "ms", statistic: "sum"}, jsonLines, "0.0035"},
		"json many":          {figure{json: "lat", unit: "ms"}, jsonLines, "!is found 2 times; say by statistic"},
		"json members":       {figure{json: "host.*.n", keys: []string{"host"}}, jsonLines, "host=h1=1 host=h2=2"},
		"json quoted":        {figure{json: `["a.b"][0]`}, jsonLines, "7"},
		"json past the end":  {figure{json: `["a.b"][1]`}, jsonLines, "!is not found"},
		"json null":          {figure{json: "no"}, jsonLines, "!is not a number but null"},
		"json index":         {figure{json: "op[0]"}, jsonLines, "!is not found"},
		"json huge":          {figure{json: "a"}, `{"a": 1e999}`, "!too large"},
		"table keys":         {figure{column: "seconds", separator: ",", unit: "s", keys: []string{"query"}, statistic: "mean"}, table, "query=q1=2 query=q2=0.25"},
		"table only":         {figure{column: "seconds", separator: ",", unit: "s", keys: []string{"query"}}, table, "!at query=q1: a table with the column seconds is found 2 times"},
		"table quoted":       {figure{column: "rows", separator: ",", statistic: "max"}, table, "1000"},
		"table lacks":        {figure{column: "bytes", separator: ","}, table, "!no table with the column bytes"},
		"table key lacks":    {figure{column: "rows", separator: ",", keys: []string{"host"}}, table, "!no table with the column host, rows"},
		"table header alone": {figure{column: "b", separator: ","}, "a,b\n", "!and a line below it"},
		"table twice":        {figure{column: "b", separator: "\t", statistic: "first"}, "a\tb\n1\t2\nx\na\tb\n3\t4\n", "2"},
		"table blanks":       {figure{column: "b", separator: " ", statistic: "last"}, "  a   b\n 1    2\n 3 4 \n", "4"},
		"table empty key":    {figure{column: "b", separator: ",", keys: []string{"a"}}, "a,b\n,2\n", "!cannot be the value of the key a"},
		"pattern keys":       {figure{pattern: `(?P<q>\w+)=(?P<value>\d+)`, keys: []string{"q"}, unit: "ms"}, "x=1 y=2", "q=x=0.001 q=y=0.002"},
		"pattern absent":     {figure{pattern: `rate (\d+)`}, "nothing", "!the pattern rate (\\d+) is not found"},
		"not a number":       {figure{pattern: `rate (\w+)`}, "rate fast", `!"fast", is not a number`},
		"nan":                {figure{pattern: `rate (\w+)`}, "rate nan", `!"nan", is not a number`},
		"infinite":           {figure{pattern: `rate (\S+)`}, "rate +Inf", `!"+Inf", is not a number`},
		"hexadecimal":        {figure{pattern: `rate (\S+)`}, "rate 0x10", `!"0x10", is not a number`},
		"too large":          {figure{pattern: `rate (\S+)`}, "rate 1e400", `!too large`},
		"sum too large":      {figure{pattern: `rate (\S+)`, statistic: "sum"}, "rate 1e308 rate 1e308", "!the sum of"},
		"share":              {figure{pattern: `rate (\S+)`, unit: "%"}, "rate 12.5", "0.125"},
		"share with sign":    {figure{pattern: `rate (\S+)`}, "rate 12.5%", "0.125"},
		"symbol":             {figure{pattern: `rate (.+)`, unit: "events/s"}, "rate 1.5k events/s", "1500"},
		"leading point":      {figure{pattern: `rate (\S+)`, unit: "s"}, "rate .5", "0.5"},
		"exact":              {figure{pattern: `rate (\S+)`, unit: "ms"}, "rate 1.1", "0.0011"},
		"median of four":     {figure{pattern: `(\d)`, statistic: "median"}, "4 1 3 2", "2.5"},
		"median of three":    {figure{pattern: `(\d)`, statistic: "median"}, "4 1 3", "3"},
		"min":                {figure{pattern: `(\d)`, statistic: "min"}, "4 1 3", "1"},
		"runaway":            {figure{pattern: `(\d)`, statistic: "sum"}, strings.Repeat("1", maxFigures+1), "!more than 10000 times"},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := c.f.extract([]byte(c.output))
			got := text(values)
			if err != nil {
				got = "!" + err.Error()
			}
			if want, wrong := strings.CutPrefix(c.want, "!"); wrong != (err != nil) || wrong && !strings.Contains(got, want) || !wrong && got != want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestJSONPath(t *testing.T) {
	for path, want := range map[string]string{
		"a": "a", "a.b[0].c": "a b 0 c", "[*].x": "* x", "*.x": "* x", `a["b.c"][2]`: "a b.c 2", `["日本"]`: "日本",
		"": "!", "a..b": "!", ".a": "!", "a.": "!", "a[": "!", "a[x]": "!", "a[-1]": "!", "a[0]b": "!", `a["b]`: "!", `a["b"`: "!",
	} {
		steps, err := jsonPath(path)
		var parts []string
		for _, s := range steps {
			switch {
			case s.all:
				parts = append(parts, "*")
			case s.index >= 0:
				parts = append(parts, fmt.Sprint(s.index))
			default:
				parts = append(parts, s.name)
			}
		}
		if got := strings.Join(parts, " "); want == "!" && err == nil || want != "!" && (err != nil || got != want) {
			t.Errorf("%q: %q, %v; want %q", path, got, err, want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, name := range []string{"sysbench-cpu.txt", "dd.txt", "iperf3.json"} {
		f.Add(string(sample(f, name)), `(\S+)`, "end.streams[*].sender.bytes", "b", ",")
	}
	f.Add(table, `(?P<value>\d+)`, "a", "seconds", " ")
	f.Add(jsonLines, `(`, `["a.b"][0]`, "x", "\t")
	f.Fuzz(func(t *testing.T, output, pattern, path, column, separator string) {
		for _, x := range []figure{
			{name: "m", pattern: pattern, statistic: "sum"}, {name: "m", pattern: pattern, unit: "ms", statistic: "mean"},
			{name: "m", json: path, unit: "%"}, {name: "m", json: path, keys: []string{"k"}, statistic: "median"},
			{name: "m", column: column, separator: separator, unit: "bit/s", statistic: "max"},
		} {
			if len(x.keys) > 0 {
				if steps, err := jsonPath(path); err != nil || strings.Count(path, "*") != 1 || len(steps) == 0 {
					continue // Plan refuses it
				}
			}
			if (x.json == "" && x.column == "") && x.pattern == "" {
				continue
			}
			values, err := x.extract([]byte(output))
			if (err == nil) != (len(values) > 0) {
				t.Errorf("%+v: %v, %v", x, values, err)
			}
			seen := map[string]bool{}
			for _, v := range values {
				if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || seen[v.Keys.String()] {
					t.Errorf("%+v: %v", x, v)
				}
				seen[v.Keys.String()] = true
			}
		}
	})
}
