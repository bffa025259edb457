package imported_test

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

var shape = imported.Shape{
	Axes:   []imported.Axis{{Name: "bs", Cases: []string{"4KiB", "1MiB"}}, {Name: "drive", Cases: []string{"sas", "sata"}}},
	Others: []string{"state"},
	Measures: []schema.Measure{
		{Name: "latency", Dim: unit.Seconds},
		{Name: "iops", Dim: unit.PerSecond, Symbol: "IOPS"},
		{Name: "tpmc", Dim: unit.One, Symbol: "tpmC"},
		{Name: "time", Dim: unit.Seconds, Keys: []string{"query", "host"}},
	},
}

var at = addr.Coordinates{"bs": "4KiB", "drive": "sas"}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name, format, data string
		line               int
		want               string
	}{
		{"empty", "csv", "", 0, "The table is empty"},
		{"not UTF-8", "csv", "bs,drive,tpmc\n\xff,sas,1\n", 0, "not UTF-8"},
		{"quote", "csv", "bs,drive,tpmc\n4k,\"sas,1\n", 2, "This is not CSV"},
		{"too few cells", "csv", "bs,drive,tpmc\n4k,sas\n", 2, "This line has 2 cells, and the first line names 3 columns."},
		{"too many cells", "csv", "bs,drive,tpmc\n\n4k,sas,1,2\n", 3, "This line has 4 cells"},
		{"column twice", "csv", "bs,drive,tpmc,tpmc\n", 1, `There are two columns "tpmc".`},
		{"unknown column", "csv", "bs,drive,latncy\n", 1, `Column "latncy" is no axis, key or measure of the test. Did you mean "latency"?`},
		{"another axis", "csv", "bs,drive,state,tpmc\n", 1, `do not depend on axis "state"`},
		{"axis missing", "csv", "bs,tpmc\n", 1, `There is no column for axis "drive"`},
		{"no measure", "csv", "bs,drive,repetition\n", 1, `There is no column with figures`},
		{"wrong dimension", "csv", "bs,drive,latency\n4k,sas,1ms\n4k,sas,1MiB\n", 3, "latency: "},
		{"bare number", "csv", "bs,drive,latency\n4k,sas,5\n", 2, "latency: "},
		{"relative", "csv", "bs,drive,tpmc\n4k,sas,+5%\n", 2, "measured from a baseline"},
		{"repetition", "csv", "bs,drive,tpmc,repetition\n4k,sas,5,0\n", 2, `repetition "0" is not a number from 1 on.`},
		{"outcome", "csv", "bs,drive,tpmc,outcome\n4k,sas,,did_not_finsh\n", 2, `Did you mean "did_not_finish"?`},
		{"no figure", "csv", "bs,drive,tpmc\n4k,sas,\n", 2, "This row has no figure"},
		{"not JSON", "json", "{", 0, "This is not a table"},
		{"not a list", "json", `{"bs": 1}`, 0, "Write a list of objects"},
		{"not objects", "json", "[\n{\"bs\": \"4k\"},\n5]", 3, "Row 2 is not an object"},
		{"null", "json", "[null]", 1, "Row 1 is not an object"},
		{"nested", "json", "[{\"bs\": \"4k\", \"drive\": \"sas\", \"tpmc\": 1},\n\n {\"bs\": \"4k\", \"drive\": [], \"tpmc\": 1}]", 3, `"drive" of row 2 is a list or an object`},
		{"huge", "json", `[{"bs": "4k", "drive": "sas", "tpmc": 1e400}]`, 1, "tpmc: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := imported.Read(c.format, []byte(c.data), shape)
			if len(problems) != 1 || problems[0].Line != c.line || !strings.Contains(problems[0].Text, c.want) {
				t.Errorf("%+v, want %q on line %d", problems, c.want, c.line)
			}
			for _, p := range problems {
				if !strings.HasSuffix(p.Text, ".") && !strings.HasSuffix(p.Text, "?") && !strings.HasSuffix(p.Text, "]") {
					t.Errorf("%q is no sentence", p.Text)
				}
			}
		})
	}
}

// TestSamples: the same rows in both formats, and once more from what a record keeps of them.
func TestSamples(t *testing.T) {
	const csv = "\xef\xbb\xbfdrive, bs ,latency,iops,tpmc,time,query,host,outcome,reason\r\n" +
		"sas,4096B,4ms,35k IOPS,8100.5 tpmC,,,,,\r\n" +
		"sata,4KiB,1ms,,,,,,,\r\n" +
		"sas,1m,1ms,,,,,,,\r\n" +
		"sas,4k,,,,2s,q1,h1,,\r\n" + // the second without keys would be: this is the first of its keys
		"sas,4KiB,,,7,,,,failed,\"crashed, twice\"\r\n"
	const json = `[
{"drive": "sas", "bs": "4096B", "latency": "4ms", "iops": "35k IOPS", "tpmc": 8100.5},
{"drive": "sata", "bs": "4KiB", "latency": "1ms"},
{"drive": "sas", "bs": "1m", "latency": "1ms"},
{"drive": "sas", "bs": "4k", "time": "2s", "query": "q1", "host": "h1"},
{"drive": "sas", "bs": "4KiB", "tpmc": 7, "outcome": "failed", "reason": "crashed, twice"}
]`
	want := []measure.Sample{
		{Outcome: measure.OK, Values: []measure.Value{
			{Measure: "latency", Value: 0.004}, {Measure: "iops", Value: 35000}, {Measure: "tpmc", Value: 8100.5},
			{Measure: "time", Keys: addr.Coordinates{"query": "q1", "host": "h1"}, Value: 2},
		}},
		{Outcome: measure.Failed, Reason: "crashed, twice", Values: []measure.Value{{Measure: "tpmc", Value: 7}}},
	}
	for format, data := range map[string]string{"csv": csv, "json": json} {
		table, problems := imported.Read(format, []byte(data), shape)
		if len(problems) > 0 {
			t.Fatal(format, problems)
		}
		reps, problems := table.Repetitions(at)
		if len(problems) > 0 || len(reps) != len(want) {
			t.Fatal(format, len(reps), problems)
		}
		for i, r := range reps {
			if d := cmp.Diff(want[i], r.Sample()); d != "" {
				t.Error(format, i, d)
			}
			kept, problems := imported.Read(format, table.Extract(r), shape)
			if d := cmp.Diff(want[i], kept.All().Sample()); d != "" || len(problems) > 0 {
				t.Error("kept:", format, i, d, problems)
			}
		}
		other, _ := table.Repetitions(addr.Coordinates{"bs": "1MiB", "drive": "sata"})
		if len(other) != 0 {
			t.Error(format, "rows where there are none")
		}
	}
}

func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		rows string // repetition, query, figure
		want string // repetitions, with the number of their rows
		line int
		text string
	}{
		{"2,,1s|1,,1s", "1 1", 0, ""},
		{",q1,1s|,q2,1s|,q1,1s|,q2,1s", "2 2", 0, ""},
		{"1,q1,1s|1,q2,1s|2,q1,1s", "2 1", 0, ""},
		{"1,,1s|1,,1s", "", 3, "Repetition 1 is given twice, here and on line 2."},
		{"1,,1s|3,,1s", "", 3, "There is a repetition 3 and no repetition 2"},
		{"1,q1,1s|1,,1s|1,q2,1s", "3", 0, ""},
		{"1000000,,1s", "", 2, "no repetition 999999"},
	} {
		data := "bs,drive,repetition,query,time"
		for _, r := range strings.Split(c.rows, "|") {
			data += "\n4k,sas," + r
		}
		table, problems := imported.Read("csv", []byte(data), shape)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		reps, problems := table.Repetitions(at)
		if c.text != "" {
			if len(problems) != 1 || problems[0].Line != c.line || !strings.Contains(problems[0].Text, c.text) {
				t.Errorf("%s: %+v", c.rows, problems)
			}
			continue
		}
		var got []string
		for _, r := range reps {
			got = append(got, string(rune('0'+len(r))))
		}
		if s := strings.Join(got, " "); s != c.want || len(problems) > 0 {
			t.Errorf("%s: %s, want %s (%+v)", c.rows, s, c.want, problems)
		}
	}
}

// TestFigureTwice: a figure without keys may stand in one row of a repetition only.
func TestFigureTwice(t *testing.T) {
	table, _ := imported.Read("csv", []byte("bs,drive,latency,query,time\n4k,sas,1ms,q1,1s\n4k,sas,1ms,q2,1s\n"), shape)
	_, problems := table.Repetitions(at)
	want := []imported.Problem{{Line: 3, Text: "Repetition 1 has latency twice, here and on line 2."}}
	if d := cmp.Diff(want, problems); d != "" {
		t.Error(d)
	}
}

func TestQuotes(t *testing.T) {
	number := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		data string
		want []imported.Quote
		line int
		text string
	}{
		{"bs,drive,change,ratio,difference\n4k,sas,+19.6%,,\n1MiB,sas,,1.05,\n4k,sata,−6%,,-2ms\n", []imported.Quote{
			{Line: 2, At: addr.Coordinates{"bs": "4KiB", "drive": "sas"}, Change: number(0.196)},
			{Line: 3, At: addr.Coordinates{"bs": "1MiB", "drive": "sas"}, Ratio: number(1.05)},
			{Line: 4, At: addr.Coordinates{"bs": "4KiB", "drive": "sata"}, Change: number(-0.06), Difference: number(-0.002)},
		}, 0, ""},
		{"bs,drive,change\n4k,sas,19.6%\n", nil, 2, "write it with a sign"},
		{"bs,drive,change\n4k,sas,\n", nil, 2, "give a change, a ratio or a difference"},
		{"bs,drive,change\n4k,sas,much\n", nil, 2, "change: "},
		{"bs,drive,change,ratio\n4k,sas,+20%,1.4\n", nil, 2, "do not agree"},
		{"bs,drive,ratio\n4k,sas,2\n4096B,sas,3\n", nil, 3, "is given twice, here and on line 2."},
		{"bs,drive,ratio\n4k,sos,2\n", nil, 2, `Did you mean "sas"?`},
		{"bs,drive,ratio,outcome\n4k,sas,2,ok\n", nil, 1, `Column "outcome" is no axis, and neither change, ratio nor difference`},
		{"bs,drive,difference\n4k,sas,5MB/s\n", nil, 2, "difference: "},
	} {
		got, problems := imported.Quotes("csv", []byte(c.data), shape.Axes, shape.Others, shape.Measures[0])
		if c.text != "" {
			if len(problems) != 1 || problems[0].Line != c.line || !strings.Contains(problems[0].Text, c.text) {
				t.Errorf("%q: %+v, want %q", c.data, problems, c.text)
			}
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" || len(problems) > 0 {
			t.Error(d, problems)
		}
	}
}

func TestRowsWithoutTests(t *testing.T) {
	table, _ := imported.Read("csv", []byte("bs,drive,tpmc\n4k,sas,1\n8k,sas,1\n1MiB,ssta,1\n1MiB,sata,1\n"), shape)
	strangers := []imported.Problem{
		{Line: 3, Text: `Axis "bs" has no case "8k". Did you mean "4KiB"?`},
		{Line: 4, Text: `Axis "drive" has no case "ssta". Did you mean "sata"?`},
	}
	got := table.Strangers(shape.Axes)
	got[0].Text = strings.Replace(got[0].Text, ` There is "4KiB" and "1MiB".`, ` Did you mean "4KiB"?`, 1)
	if d := cmp.Diff(strangers, got); d != "" {
		t.Error(d)
	}
	unused := []imported.Problem{{Line: 5, Text: "There is no instance at bs=1MiB,drive=sata, so this row is not used."}}
	if d := cmp.Diff(unused, table.Unused(shape.Axes, map[string]bool{at.String(): true})); d != "" {
		t.Error(d)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("csv", []byte("bs,drive,tpmc,repetition\n4k,sas,1,2\n"))
	f.Add("json", []byte(`[{"bs": "4k", "drive": "sas", "tpmc": 1}]`))
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		table, problems := imported.Read(format, data, shape)
		reps, more := table.Repetitions(at)
		if len(problems)+len(more) > 0 {
			return
		}
		for _, r := range reps {
			kept, problems := imported.Read(format, table.Extract(r), shape)
			if d := cmp.Diff(r.Sample(), kept.All().Sample()); d != "" || len(problems) > 0 {
				t.Error(d, problems)
			}
		}
	})
}
