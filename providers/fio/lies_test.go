package fio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// request is a run that ended with status 0 and printed the given texts.
func request(e expected, stdout, stderr string) providers.ParseRequest {
	return providers.ParseRequest{Expect: e.asMap(), Exits: []measure.Exit{{Name: "fio"}},
		Artifacts: []measure.Artifact{{Name: "fio.stdout", Data: []byte(stdout)}, {Name: "fio.stderr", Data: []byte(stderr)}}}
}

// TestExitZeroThatLies: everything that was seen to exit with 0 without being a measurement of what was asked for.
func TestExitZeroThatLies(t *testing.T) {
	reads := []string{"read"}
	good := readFolder(t, "version-fio-3.42-jsonplus")
	rr := expected{job: "rr", numjobs: 1, directions: reads, runtime: 1, bs: 4096}
	stdout := func(folder string) string { return readFolder(t, folder).stdout }
	stderr := func(folder string) string { return readFolder(t, folder).stderr }
	firstJob := func(doc map[string]any) map[string]any { return doc["jobs"].([]any)[0].(map[string]any) }

	if s := parse(request(rr, good.stdout, "")); s.Outcome != measure.OK {
		t.Fatalf("what the cases are made from is no sample itself: %s", s.Reason)
	}
	cases := []struct {
		name    string
		req     providers.ParseRequest
		reasons []string // all of them
	}{
		{"the target is mounted, and nothing was written",
			request(expected{job: "x", numjobs: 1, directions: []string{"write"}}, stdout("75-mounted-write-refused"), stderr("75-mounted-write-refused")),
			[]string{"1 of 1 jobs finished no write", "fio said: /dev/loop3 appears mounted"}},
		{"256 jobs failed, and the status is their number modulo 256",
			request(expected{job: "x", numjobs: 256, directions: reads}, stdout("76-256-failing-jobs"), stderr("76-256-failing-jobs")),
			[]string{"1 of 256 jobs x are in the output", "error 2 (no such file or directory)", "refusing extend"}},
		{"a job was killed",
			request(rr, edit(t, good.stdout, func(doc map[string]any) {
				read := firstJob(doc)["read"].(map[string]any)
				read["io_bytes"], read["total_ios"], read["runtime"] = 0, 0, 0
			}), "fio: pid=4711, got signal=9\n"),
			[]string{"1 of 1 jobs finished no read", "fio said: pid=4711, got signal=9"}},
		{"a client's job was rejected",
			request(rr, stdout("92-client-disconnect"), stderr("92-client-disconnect")),
			[]string{"0 of 1 jobs rr are in the output", "disconnected"}},
		{"errors were skipped over",
			request(expected{job: "ver", numjobs: 1, directions: reads}, stdout("31-verify-fail-continue"), stderr("31-verify-fail-continue")),
			[]string{"job ver went on after 2 errors", "error 84", "bad magic header"}},
		{"the run ended with its size instead of its time",
			request(expected{job: "x", numjobs: 1, directions: reads, runtime: 10}, stdout("27-zero-runtime"), stderr("27-zero-runtime")),
			[]string{"job x ran for 187 ms of 10 s", "time_based requires a runtime"}},
		{"one job of four is missing",
			request(expected{job: "rr", numjobs: 4, directions: reads, runtime: 3}, edit(t, stdout("03-json-numjobs4-nogroup"), func(doc map[string]any) {
				doc["jobs"] = doc["jobs"].([]any)[1:]
			}), ""),
			[]string{"3 of 4 jobs rr are in the output"}},
		{"one job of four is idle",
			request(expected{job: "rr", numjobs: 4, directions: reads, runtime: 3}, edit(t, stdout("03-json-numjobs4-nogroup"), func(doc map[string]any) {
				doc["jobs"].([]any)[2].(map[string]any)["read"].(map[string]any)["io_bytes"] = 0
			}), ""),
			[]string{"1 of 4 jobs finished no read"}},
		{"one job of four ended early",
			request(expected{job: "rr", numjobs: 4, directions: reads, runtime: 3}, edit(t, stdout("03-json-numjobs4-nogroup"), func(doc map[string]any) {
				doc["jobs"].([]any)[2].(map[string]any)["read"].(map[string]any)["runtime"] = 1500
			}), ""),
			[]string{"job rr ran for 1.5 s of 3 s"}},
		{"an error without an exit status",
			request(rr, edit(t, good.stdout, func(doc map[string]any) { firstJob(doc)["error"] = 5 }), ""),
			[]string{"job rr ended with error 5 (input/output error)"}},
		{"errors were skipped over without a trace in the job's error",
			request(rr, edit(t, good.stdout, func(doc map[string]any) { firstJob(doc)["total_err"] = 2 }), ""),
			[]string{"job rr went on after 2 errors, the job ending with none"}},
		{"the output of another job",
			request(expected{job: "seq", numjobs: 1, directions: reads}, good.stdout, ""),
			[]string{"0 of 1 jobs seq are in the output, and 1 of another name"}},
		{"only one direction of a mixed job ran",
			request(expected{job: "rr", numjobs: 1, directions: []string{"read", "write"}}, good.stdout, ""),
			[]string{"1 of 1 jobs finished no write"}},
		{"it wrote where it should read",
			request(expected{job: "rw", numjobs: 1, directions: reads}, stdout("05-jsonplus"), ""),
			[]string{"1 of 1 jobs did writes, which were not wanted"}},
		{"nothing was printed", request(rr, "", ""), []string{"holds no JSON result"}},
		{"text was printed", request(rr, stdout("01-text-randrw"), ""), []string{"holds no JSON result"}},
		{"rubbish was printed", request(rr, "{\n \x00\xff", ""), []string{"not whole", "does not read"}},
		{"JSON of something else was printed", request(rr, "{\n\"jobs\": []\n}\n", ""), []string{`it lacks "fio version"`}},
		{"the output is cut off", request(rr, good.stdout[:len(good.stdout)/2], ""), []string{"not whole: the JSON ends in the middle"}},
		{"the last document of several is cut off",
			request(expected{job: "si", numjobs: 1, directions: reads}, strings.TrimRight(stdout("16-status-interval-json"), "}\n"), ""),
			[]string{"not whole: the JSON ends in the middle"}},
		{"a document has no jobs", request(rr, "{\n\"fio version\": \"fio-3.33\"\n}\n", ""), []string{"0 of 1 jobs rr"}},
		{"there is no stdout", providers.ParseRequest{Expect: rr.asMap(), Exits: []measure.Exit{{Name: "fio"}}}, []string{"holds no JSON result"}},
		{"no exit is known", func() providers.ParseRequest { r := request(rr, good.stdout, ""); r.Exits = nil; return r }(), []string{"fio was not run"}},
		{"the plan's expectation is gone", func() providers.ParseRequest { r := request(rr, good.stdout, ""); r.Expect = nil; return r }(), []string{"the plan's numjobs"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := parse(c.req)
			if s.Outcome != measure.Failed || len(s.Values) > 0 || len(s.Histograms) > 0 {
				t.Fatalf("%s with %d values, want failed without any", s.Outcome, len(s.Values))
			}
			for _, want := range c.reasons {
				if !strings.Contains(s.Reason, want) {
					t.Errorf("the reason is %q, want %q in it", s.Reason, want)
				}
			}
		})
	}
}

// TestBadExits: whole output of a good run does not help one that ended badly.
func TestBadExits(t *testing.T) {
	f := readFolder(t, "version-fio-3.42-jsonplus")
	for want, exit := range map[string]measure.Exit{
		"fio exited with status 1":              {Name: "fio", Code: 1},
		"fio exited with status 128":            {Name: "fio", Code: 128},
		"fio was ended by SIGKILL":              {Name: "fio", Code: -1, Signal: "SIGKILL"},
		"did not run to its end: cancelled":     {Name: "fio", Code: -1, Signal: "SIGTERM", Error: "cancelled"},
		"fio was not run: how it ended is not":  {Name: "other"},
		"did not run to its end: no such a fio": {Name: "fio", Code: -1, Error: "no such a fio"},
	} {
		req := f.run()
		req.Exits = []measure.Exit{exit}
		if s := parse(req); s.Outcome != measure.Failed || !strings.Contains(s.Reason, want) {
			t.Errorf("%+v: %s: %s, want failed with %q", exit, s.Outcome, s.Reason, want)
		}
	}
}

// TestImports: what a file says of itself, and what the configuration says of it.
func TestImports(t *testing.T) {
	type values = map[string]any
	cases := []struct {
		name   string
		folder string
		config values
		reason string // "": a sample
		warns  string
	}{
		{"nothing said", "05-jsonplus", nil, "", ""},
		{"direction as said", "05-jsonplus", values{"rw": "randrw"}, "", ""},
		{"other direction", "05-jsonplus", values{"rw": "randwrite"}, "did reads, which were not wanted", ""},
		{"missing direction", "02-json-randread", values{"rw": "randrw"}, "finished no write", ""},
		{"copies as said", "03-json-numjobs4-nogroup", values{"numjobs": 4}, "", ""},
		{"more copies", "03-json-numjobs4-nogroup", values{"numjobs": 8}, "4 of 8 jobs rr are in the output", ""},
		{"copies as a group", "04-json-numjobs4-group", values{"numjobs": 4}, "", ""},
		{"more copies than the group has", "04-json-numjobs4-group", values{"numjobs": 16}, "1 of 16 jobs rr", ""},
		{"time as said", "02-json-randread", values{"runtime": "3s"}, "", ""},
		{"more time", "02-json-randread", values{"runtime": "1min"}, "ran for 3.006 s of 60 s", ""},
		{"interrupted", "70-sigint", nil, "ran for 775 ms of 20 s and moved", ""},
		{"ended with its size", "68-runtime-exceeds-size-not-time-based", nil, "", "short_runtime"},
		{"steady before its time", "43-steadystate", nil, "", ""},
		{"block size as said", "02-json-randread", values{"bs": "256KiB"}, "", ""},
		{"other block size", "02-json-randread", values{"bs": "4KiB"}, "", "iops_mismatch"},
		{"several groups", "09-jobfile-stonewall", nil, "4 groups of jobs that ran one after another (randread, randwrite, seqread, seqwrite)", ""},
		{"fio failed", "18-enospc", nil, "error 28 (no space left on device)", ""},
		{"no result", "07-terse-v3", nil, "holds no JSON result", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := readFolder(t, c.folder).imported()
			req.Config = testConfig(t, c.config)
			s := parse(req)
			switch {
			case c.reason == "" && s.Outcome != measure.OK:
				t.Errorf("%s: %s", s.Outcome, s.Reason)
			case c.reason != "" && (s.Outcome != measure.Invalid || !strings.Contains(s.Reason, c.reason)):
				t.Errorf("%s: %q, want invalid with %q", s.Outcome, s.Reason, c.reason)
			}
			if got := fmt.Sprint(s.Warnings); (c.warns == "") != (len(s.Warnings) == 0) || !strings.Contains(got, c.warns) {
				t.Errorf("warnings %s, want %q", got, c.warns)
			}
		})
	}
	two := readFolder(t, "02-json-randread").imported()
	two.Artifacts = append(two.Artifacts, measure.Artifact{Name: "second.json", Data: two.Artifacts[1].Data})
	if s := parse(two); s.Outcome != measure.Invalid || !strings.Contains(s.Reason, "both stdout and second.json") {
		t.Errorf("two files: %s: %s", s.Outcome, s.Reason)
	}
}

// TestClientIntervals: entries that a status interval repeats are one job each; copies of a job are not.
func TestClientIntervals(t *testing.T) {
	text := readFolder(t, "81-client-json").stdout
	once := parse(readFolder(t, "81-client-json").imported())
	twice := edit(t, text, func(doc map[string]any) {
		stats := doc["client_stats"].([]any)
		var early []any
		for _, e := range stats[:3] {
			old := map[string]any{}
			for k, v := range e.(map[string]any) {
				old[k] = v
			}
			for _, dir := range []string{"read", "write"} {
				part := map[string]any{}
				for k, v := range old[dir].(map[string]any) {
					part[k] = v
				}
				part["runtime"], part["total_ios"] = part["runtime"].(float64)/2, part["total_ios"].(float64)/2
				old[dir] = part
			}
			early = append(early, old)
		}
		doc["client_stats"] = append(early, stats...)
	})
	s := parse(providers.ParseRequest{Imported: true, Artifacts: []measure.Artifact{{Name: "a", Data: []byte(twice)}}})
	want, _ := once.Get("bandwidth")
	if got, ok := s.Get("bandwidth"); !ok || got != want {
		t.Errorf("bandwidth with an earlier interval is %g, without it %g", got, want)
	}
}

// FuzzParse: no input makes Parse panic, or gives a sample with infinity, NaN or nothing in it.
func FuzzParse(f *testing.F) {
	for _, dir := range folders(f) {
		if len(dir.stdout) < 20000 {
			f.Add([]byte(dir.stdout), []byte(dir.stderr), true)
			f.Add([]byte(dir.stdout), []byte(dir.stderr), false)
		}
	}
	f.Add([]byte("{\n\"fio version\":\"fio-3\",\"jobs\":[{\"jobname\":\"a\tb\"}]}{\n"), []byte(nil), true)
	f.Fuzz(func(t *testing.T, stdout, stderr []byte, imported bool) {
		req := request(expected{job: "rr", numjobs: 1, directions: []string{"read"}}, string(stdout), string(stderr))
		req.Imported = imported
		s := parse(req)
		checkSample(t, s)
	})
}

// checkSample holds a sample against what must be true of every one.
func checkSample(t *testing.T, s measure.Sample) {
	t.Helper()
	if (s.Outcome == measure.OK) != (s.Reason == "") || (s.Outcome == measure.OK) != (len(s.Values) > 0) {
		t.Errorf("outcome %s, reason %q, %d values", s.Outcome, s.Reason, len(s.Values))
	}
	schema := testType()
	for _, v := range s.Values {
		if m := schema.Measure(v.Measure); m == nil || !(v.Value >= 0 && v.Value <= 1.7976931348623157e308) {
			t.Errorf("%s = %g", v.Measure, v.Value)
		}
	}
	for _, h := range s.Histograms {
		for i, b := range h.Bins {
			if b.Count == 0 || !(b.Value >= 0) || i > 0 && b.Value <= h.Bins[i-1].Value {
				t.Errorf("%s: bin %d is %v", h.Measure, i, b)
			}
		}
	}
}
