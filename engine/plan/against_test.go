package plan_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/google/go-cmp/cmp"
)

const judged = `
matrix {
  axis "drive" {
    baseline = "sata"
    values   = ["sas", "sata"]
  }
  axis "rw" {
    values = ["read", "write"]
  }
}
setup "fake_thing" "array" {
  label       = matrix.drive
  claims      = ["controller"]
  create_time = "10min"
}
test "fake" "seq" {
  thing      = setup.fake_thing.array.id
  duration   = "1min"
  throughput = matrix.rw == "read" ? "2GB/s" : "1GB/s"
  latency    = "1ms"
  repeat     = 6
}
compare "drives" {
  measure = test.fake.seq.throughput
  across  = "drive"
}
kpi "gain" {
  measure = compare.drives.change
  where   = { rw = "read" }
  min     = "+15%"
  because = "The price"
}
kpi "latency" {
  measure   = test.fake.seq.latency
  where     = { drive = "sas", rw = "read" }
  max       = "5ms"
  statistic = "worst"
  because   = "The timeout"
}
`

// TestAgainst changes one thing of a spec at a time. What lets through more than before is loud.
func TestAgainst(t *testing.T) {
	const gain, latency = "kpi.gain[drive=sas,rw=read]", "kpi.latency[drive=sas,rw=read]"
	old := build(t, judged)
	for name, c := range map[string]struct {
		edits []string // old, new, old, new …
		loud  []string
		quiet []string
		tests string // added and dropped
	}{
		"nothing":               {nil, nil, nil, ""},
		"a lower floor":         {[]string{`"+15%"`, `"+5%"`}, []string{"loosened " + gain + ": min is +5 % and was +15 %"}, nil, ""},
		"a higher floor":        {[]string{`"+15%"`, `"+25%"`}, nil, []string{"tightened " + gain + ": min is +25 % and was +15 %"}, ""},
		"a higher ceiling":      {[]string{`"5ms"`, `"8ms"`}, []string{"loosened " + latency + ": max is 8 ms and was 5 ms"}, nil, ""},
		"the same written anew": {[]string{`"5ms"`, `"5000us"`}, nil, nil, ""},
		"no ceiling":            {[]string{`max       = "5ms"`, `min       = "1us"`}, []string{"loosened " + latency + ": max 5 ms is gone; min 1 µs is new"}, nil, ""},
		"advisory": {[]string{`statistic = "worst"`, `severity = "advisory"` + "\nstatistic = \"worst\""},
			[]string{"loosened " + latency + ": advisory, and was required"}, nil, ""},
		"another statistic": {[]string{`"worst"`, `"median"`}, []string{"loosened " + latency + ": the median is judged, and was the worst"}, nil, ""},
		"the bare figure": {[]string{`min     = "+15%"`, "min = \"+15%\"\nconfidence = 0"},
			[]string{"loosened " + gain + ": confidence is 0 and was 0.95"}, nil, ""},
		"another measure": {[]string{"seq.latency", "seq.throughput", `"5ms"`, `"5GB/s"`},
			[]string{"judges something else " + latency + ": throughput of test.fake.seq[drive=sas,rw=read], and was latency of test.fake.seq[drive=sas,rw=read]"}, nil, ""},
		"less repetitions": {[]string{"repeat     = 6", "repeat     = 4"},
			[]string{"loosened " + gain + ": n is 4 and was 6", "loosened " + latency + ": n is 4 and was 6"}, nil, ""},
		"removed": {[]string{`kpi "latency"`, `kpi "other"`},
			[]string{"removed " + latency + ": it was latency ≤ 5 ms, required"},
			[]string{"added kpi.other[drive=sas,rw=read]: latency ≤ 5 ms, required"}, ""},
		"judges another case": {[]string{`{ drive = "sas", rw = "read" }`, `{ drive = "sas", rw = "write" }`},
			[]string{"judges nothing " + latency}, []string{"added kpi.latency[drive=sas,rw=write]"}, ""},
		"judges nothing any more": {[]string{`axis "rw" {`, "exclude {\nwhen = drive == \"sas\" && rw == \"read\"\nreason = \"broken\"\n}\naxis \"rw\" {"},
			[]string{"judges nothing kpi.gain: nothing that it judges exists", "judges nothing kpi.latency: nothing that it judges exists"}, nil,
			"- test.fake.seq[drive=sas,rw=read]"},
		"skipped": {[]string{`repeat     = 6`, "repeat     = 6\nskip {\nwhen = matrix.drive == \"sas\"\nreason = \"broken\"\n}"},
			[]string{"judges nothing " + gain + ": its test is skipped", "judges nothing " + latency + ": its test is skipped"}, nil,
			"- test.fake.seq[drive=sas,rw=read] - test.fake.seq[drive=sas,rw=write]"},
		"quoted": {[]string{`across  = "drive"`, "across  = \"drive\"\nimport {\npath = \"5.csv\"\n}"},
			[]string{"judges something else " + gain + ": a published figure of 5.csv line 2 is judged, and no measured one"}, nil, ""},
		"by key": {[]string{`max       = "5ms"`, "max = \"5ms\"\nby = [\"host\"]"},
			[]string{"judges something else " + latency + ": it judges at each host, and did over all keys"}, nil, ""},
		"at one key": {[]string{`rw = "read" }
  max`, "rw = \"read\", host = \"h1\" }\nmax"},
			[]string{"judges something else " + latency + ": it judges at host h1, and did over all keys"}, nil, ""},
		"compared by key": {[]string{`across  = "drive"`, "across = \"drive\"\nby = [\"host\"]"},
			[]string{"judges something else " + gain + ": it judges at each host, and did over all keys"}, nil, ""},
		"strict": {[]string{"matrix {", "spec {\nstrict = true\n}\nmatrix {"}, nil, []string{"tightened spec: strict is on"}, ""},
		"more tests": {[]string{`"write"]`, `"write", "randread"]`}, nil, nil,
			"+ test.fake.seq[drive=sas,rw=randread] + test.fake.seq[drive=sata,rw=randread]"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := judged
			for i := 0; i < len(c.edits); i += 2 {
				if !strings.Contains(spec, c.edits[i]) {
					t.Fatalf("there is no %q", c.edits[i])
				}
				spec = strings.Replace(spec, c.edits[i], c.edits[i+1], 1)
			}
			d := plan.Against(old, build(t, spec))
			var loud, quiet []string
			for _, k := range d.KPIs {
				line := fmt.Sprintf("%s %s: %s", k.What, k.Address, k.Detail)
				if k.Loud {
					loud = append(loud, line)
				} else {
					quiet = append(quiet, line)
				}
			}
			begins(t, "loud", loud, c.loud)
			begins(t, "quiet", quiet, c.quiet)
			tests := ""
			for _, x := range d.TestsAdded {
				tests += " + " + x
			}
			for _, x := range d.TestsDropped {
				tests += " - " + x
			}
			if diff := cmp.Diff(c.tests, strings.TrimSpace(tests)); diff != "" {
				t.Error(diff)
			}
			if d.Empty() != (len(c.loud)+len(c.quiet) == 0 && c.tests == "") || d.Loud() != (len(c.loud) > 0) {
				t.Errorf("empty %v, loud %v", d.Empty(), d.Loud())
			}
			var text, md bytes.Buffer
			if err := plan.AgainstText(&text, d, false); err != nil {
				t.Fatal(err)
			}
			if err := plan.AgainstMarkdown(&md, d); err != nil {
				t.Fatal(err)
			}
			for _, l := range loud {
				if !strings.Contains(text.String(), "!! "+l) {
					t.Errorf("the text does not shout %q:\n%s", l, text.String())
				}
			}
			if strings.Contains(md.String(), "[!CAUTION]") != d.Loud() {
				t.Errorf("Markdown:\n%s", md.String())
			}
		})
	}
}

// TestAgainstStrict: what was strict and is no longer lets through what it did not.
func TestAgainstStrict(t *testing.T) {
	d := plan.Against(build(t, "spec {\nstrict = true\n}\n"+judged), build(t, judged))
	if len(d.KPIs) != 1 || !d.Loud() || !strings.HasPrefix(d.KPIs[0].Detail, "strict is off") {
		t.Errorf("%+v", d.KPIs)
	}
}

// begins compares lines by how they begin.
func begins(t *testing.T, what string, got, want []string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("%s: %q\nwant %q", what, got, want)
	}
}

// TestAgainstSteps counts steps, whatever their order.
func TestAgainstSteps(t *testing.T) {
	old := build(t, judged)
	d := plan.Against(old, build(t, strings.Replace(strings.Replace(judged, "repeat     = 6", "repeat     = 8", 1), `["read", "write"]`, `["write", "read"]`, 1)))
	want := []string{
		"run test.fake.seq[drive=sas,rw=write] x 2", "run test.fake.seq[drive=sas,rw=read] x 2",
		"run test.fake.seq[drive=sata,rw=write] x 2", "run test.fake.seq[drive=sata,rw=read] x 2",
	}
	if diff := cmp.Diff(want, d.StepsAdded); diff != "" || len(d.StepsDropped) > 0 || len(d.StepsChanged) > 0 || d.NewS-d.OldS != 8*60 {
		t.Errorf("%s\n%+v", diff, d)
	}
	d = plan.Against(old, build(t, strings.Replace(judged, `"2GB/s"`, `"3GB/s"`, 1)))
	if diff := cmp.Diff([]string{"run test.fake.seq[drive=sas,rw=read]", "run test.fake.seq[drive=sata,rw=read]"}, d.StepsChanged); diff != "" {
		t.Error(diff)
	}
}

// TestAgainstQuotes: another figure in the table that a KPI judges is loud, and its line alone is nothing.
func TestAgainstQuotes(t *testing.T) {
	quoting := func(file, kpi string) *plan.Plan {
		spec := strings.Replace(judged, `across  = "drive"`, "across  = \"drive\"\nimport {\npath = \""+file+"\"\n}", 1)
		return build(t, strings.Replace(spec, `where   = { rw = "read" }`, `where   = { rw = "`+kpi+`" }`, 1))
	}
	for _, c := range []struct{ kpi, want string }{
		{"write", "the published figure of 25.csv line 3 is another"},
		{"read", ""},
	} {
		got := ""
		for _, k := range plan.Against(quoting("20.csv", c.kpi), quoting("25.csv", c.kpi)).KPIs {
			got += k.Detail
			if !k.Loud {
				t.Errorf("%s is not loud", k.Detail)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.kpi, got, c.want)
		}
	}
}
