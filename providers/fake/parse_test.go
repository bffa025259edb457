package fake_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/measure"
)

// parse parses output of a tool that exited with 0, or an import.
func parse(t testing.TB, values map[string]any, output string, imported bool) measure.Sample {
	t.Helper()
	req := providers.ParseRequest{
		Target:    target(t, "test", "t", values),
		Artifacts: []measure.Artifact{{Name: "fake.stdout", Data: []byte(output)}, {Name: "fake.stderr"}},
		Exits:     []measure.Exit{{Name: "fake"}},
	}
	if imported {
		req.Imported, req.Format, req.Exits, req.Artifacts = true, "fake", nil, req.Artifacts[:1]
	}
	res, err := fake.New().Parse(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res.Sample
}

func TestParse(t *testing.T) {
	count := map[string]any{"count": 1}
	for name, c := range map[string]struct {
		values map[string]any
		output string
		want   float64 // count
		reason string  // part of it; empty: the sample is ok
	}{
		"as written":            {count, "fake 1\ncount 3\nend\n", 3, ""},
		"edited by hand":        {count, "fake 1\r\n\r\n# edited\r\n  count   35k  \r\nend", 35000, ""},
		"what it was not":       {count, "fake 1\ncount 1\nlatency 2 ms\nend\n", 1, ""},
		"empty":                 {count, "", 0, `the output begins with ""`},
		"no header":             {count, "count 3\nend\n", 0, `begins with "count 3", not with "fake 1"`},
		"torn":                  {count, "fake 1\ncount 3\n", 0, `the last line, "end", is missing`},
		"more":                  {count, "fake 1\ncount 3\nend\ncount 4\n", 0, `line 4: there is more after "end"`},
		"twice":                 {count, "fake 1\ncount 3\ncount 3\nend\n", 0, "line 3: count is given twice"},
		"lacking":               {map[string]any{"count": 1, "latency": "1s"}, "fake 1\ncount 3\nend\n", 0, "the output lacks latency"},
		"unknown":               {count, "fake 1\niops 3\nend\n", 0, `line 2: "iops" is not a measure; they are throughput, latency, count, latency_p99, latency_p99_9 and share`},
		"a host twice":          {count, "fake 1\ncount 3\nlatency[host=a] 1 s\nlatency[host=a] 1 s\nend\n", 0, "line 4: latency is given twice"},
		"a distribution":        {count, "fake 1\ndistribution latency 400us:985 1ms:15\ncount 3\nend\n", 3, ""},
		"of something else":     {count, "fake 1\ncount 3\ndistribution count 1s:1\nend\n", 0, `line 3: there is no distribution of "count"`},
		"distribution torn":     {count, "fake 1\ndistribution latency 1s:1 2s\ncount 3\nend\n", 0, `line 2: "2s" is no part of a distribution`},
		"distribution descends": {count, "fake 1\ndistribution latency 2s:1 1s:1\ncount 3\nend\n", 0, `does not ascend at "1s:1"`},
		"distribution twice":    {count, "fake 1\ndistribution latency 2s:1\ndistribution latency 2s:1\ncount 3\nend\n", 0, "line 3: the distribution is given twice"},
		"distribution of 0":     {count, "fake 1\ndistribution latency 2s:0\ncount 3\nend\n", 0, "is no part of a distribution"},
		"distribution empty":    {count, "fake 1\ndistribution latency\ncount 3\nend\n", 0, "the distribution is empty"},
		"distribution after":    {count, "fake 1\ncount 3\nend\ndistribution latency 2s:1\n", 0, "there is more after"},
		"hosts not asked":       {count, "fake 1\ncount[host=a] 3\nend\n", 0, "the output lacks count"},
		"host not closed":       {count, "fake 1\ncount 3\nlatency[host=a 1 s\nend\n", 0, "line 3: a host is written like throughput[host=h1]"},
		"host of no name":       {count, "fake 1\ncount 3\nlatency[host=] 1 s\nend\n", 0, "line 3: a host is written like"},
		"host lacking":          {map[string]any{"count": 1, "hosts": []string{"a", "b"}}, "fake 1\ncount[host=a] 3\nend\n", 0, "the output lacks count of b"},
		"no figure":             {count, "fake 1\ncount\nend\n", 0, "line 2: count:"},
		"NaN":                   {count, "fake 1\ncount NaN\nend\n", 0, "line 2: count:"},
		"infinite":              {count, "fake 1\ncount 1e999\nend\n", 0, "beyond everything"},
		"wrong unit":            {count, "fake 1\ncount 3 s\nend\n", 0, "a number is wanted here"},
		"no unit":               {count, "fake 1\ncount 1\nlatency 3\nend\n", 0, "a duration needs a unit"},
		"negative":              {count, "fake 1\ncount 1\nlatency -3ms\nend\n", 0, "line 3: latency: -3ms is negative"},
		"negative count":        {count, "fake 1\ncount -3\nend\n", -3, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for imported, bad := range map[bool]measure.Outcome{false: measure.Failed, true: measure.Invalid} {
				s := parse(t, c.values, c.output, imported)
				if imported && (strings.Contains(name, "lacking") || name == "hosts not asked") { // an import may have fewer figures than the spec has attributes
					if s.Outcome != measure.OK {
						t.Errorf("imported: %s: %s", s.Outcome, s.Reason)
					}
					continue
				}
				if c.reason != "" {
					if s.Outcome != bad || !strings.Contains(s.Reason, c.reason) || len(s.Values) > 0 {
						t.Errorf("imported %v: %s: %q, %v; want %s: %q", imported, s.Outcome, s.Reason, s.Values, bad, c.reason)
					}
					continue
				}
				if v, ok := s.Get("count"); s.Outcome != measure.OK || !ok || v != c.want {
					t.Errorf("imported %v: %s: %q, %v; want %v", imported, s.Outcome, s.Reason, s.Values, c.want)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("fake 1\nthroughput 104857600 B/s\nlatency 0.0004 s\ncount 35k\nend\n")
	f.Add("fake 1\ncount 1e999\nend")
	f.Add("\x00\xff}{\n")
	f.Fuzz(func(t *testing.T, output string) {
		s := parse(t, nil, output, false)
		if (s.Outcome == measure.OK) != (s.Reason == "") {
			t.Errorf("%s with the reason %q", s.Outcome, s.Reason)
		}
		for _, v := range s.Values {
			if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				t.Errorf("%s is %v", v.Measure, v.Value)
			}
		}
	})
}
