package storage

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/storage/md"
)

// seen is one look at an array, so many seconds after the first.
func seen(at float64, when string, degraded int, action md.Action, done, total int64) faultLine {
	return faultLine{Time: time.Unix(1_800_000_000, 0).Add(time.Duration(at * float64(time.Second))), When: when, Level: "raid5", State: "clean", Degraded: degraded, Action: action, Done: done, Total: total}
}

func parseLines(t testing.TB, state string, raw []byte) *providers.ParseResponse {
	t.Helper()
	req := providers.ParseRequest{Target: faultTarget(t, state, "/dev/md/assay-x", nil), Artifacts: []measure.Artifact{{Name: faultArtifact, Data: raw}}, Started: time.Unix(1_800_000_000, 0)}
	res, err := newProvider().Parse(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func encode(t testing.TB, lines []faultLine) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&b).Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestFaultSamples(t *testing.T) {
	const gib = 1 << 30
	for name, tc := range map[string]struct {
		state   string
		lines   []faultLine
		outcome measure.Outcome
		reason  string
	}{
		"healthy":           {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(1, whenDuring, 0, md.Idle, 0, 0), seen(2, whenAfter, 0, md.Idle, 0, 0)}, measure.OK, ""},
		"healthy RAID 0":    {healthy, []faultLine{seen(0, whenBefore, 0, "", 0, 0), seen(1, whenDuring, 0, "", 0, 0), seen(2, whenAfter, 0, "", 0, 0)}, measure.OK, ""},
		"checked meanwhile": {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(1, whenDuring, 0, "check", 0, gib), seen(2, whenAfter, 0, md.Idle, 0, 0)}, measure.Invalid, "in check during the test, and was to be healthy"},
		"failed meanwhile":  {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(1, whenDuring, 0, md.Idle, 0, 0), seen(2, whenAfter, 1, md.Idle, 0, 0)}, measure.Invalid, "degraded by 1 after the test"},
		"degraded":          {degraded, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Frozen, 0, 0), seen(2, whenAfter, 1, md.Frozen, 0, 0)}, measure.OK, ""},
		"spare took over":   {degraded, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Recover, 0, gib), seen(2, whenAfter, 0, md.Idle, 0, 0)}, measure.Invalid, "in recover during the test, and was to be degraded"},
		"whole again":       {degraded, []faultLine{seen(0, whenBefore, 0, md.Frozen, 0, 0), seen(1, whenDuring, 0, md.Frozen, 0, 0), seen(2, whenAfter, 0, md.Frozen, 0, 0)}, measure.Invalid, "was to be degraded"},
		"rebuilding":        {rebuilding, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Recover, gib/4, gib), seen(2, whenDuring, 1, md.Recover, gib/2, gib), seen(3, whenAfter, 1, md.Recover, 3*gib/4, gib)}, measure.OK, ""},
		"rebuilt too soon":  {rebuilding, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Recover, gib/4, gib), seen(2, whenDuring, 0, md.Idle, 0, 0), seen(3, whenAfter, 0, md.Idle, 0, 0)}, measure.Invalid, "the rebuild was over before the test was"},
		"rebuild gave up":   {rebuilding, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Recover, gib/4, gib), seen(2, whenDuring, 1, md.Idle, 0, 0), seen(3, whenAfter, 1, md.Idle, 0, 0)}, measure.Invalid, "degraded by 1 during the test, and was to be rebuilt"},
		"nothing to build":  {rebuilding, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(1, whenDuring, 0, md.Idle, 0, 0), seen(3, whenAfter, 0, md.Idle, 0, 0)}, measure.Invalid, "nothing to rebuild"},
		"no look after":     {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(1, whenDuring, 0, md.Idle, 0, 0), seen(2, whenDuring, 0, md.Idle, 0, 0)}, measure.Failed, "not looked at before the test, during it and after it"},
		"no look during":    {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(2, whenAfter, 0, md.Idle, 0, 0)}, measure.Failed, "not looked at"},
		"time went back":    {healthy, []faultLine{seen(0, whenBefore, 0, md.Idle, 0, 0), seen(3, whenDuring, 0, md.Idle, 0, 0), seen(2, whenAfter, 0, md.Idle, 0, 0)}, measure.Failed, "line 3 is older"},
	} {
		res := parseLines(t, tc.state, encode(t, tc.lines))
		if res.Sample.Outcome != tc.outcome || !strings.Contains(res.Sample.Reason, tc.reason) || (tc.reason == "") != (res.Sample.Reason == "") {
			t.Errorf("%s: %s: %q; want %s: %q", name, res.Sample.Outcome, res.Sample.Reason, tc.outcome, tc.reason)
		}
		if name != "rebuilding" {
			if len(res.Sample.Values)+len(res.Series) > 0 {
				t.Errorf("%s: it has figures: %+v", name, res)
			}
			continue
		}
		// A quarter of 1 GiB a second, from the first second of the test on.
		for measure, want := range map[string]float64{"rebuild_done": 0.75, "rebuild_rate": gib / 4, "rebuild_time": 4} {
			if v, ok := res.Sample.Get(measure); !ok || v != want {
				t.Errorf("%s is %v, %v; want %v", measure, v, ok, want)
			}
		}
		if s := res.Series[0]; len(s.Points) != 3 || s.Points[1].T != 2 || s.Points[1].Value != 0.5 || s.Marks[0].T != 1 || s.Marks[0].Until != 3 {
			t.Errorf("the series is %+v", s)
		}
	}
	if res := parseLines(t, healthy, []byte("{}\n")); res.Sample.Outcome != measure.Failed {
		t.Errorf("rubbish is %s", res.Sample.Outcome)
	}
}

// FuzzFault: whatever was observed, there is an answer, and no figure that is no number.
func FuzzFault(f *testing.F) {
	f.Add(encode(f, []faultLine{seen(0, whenBefore, 1, md.Frozen, 0, 0), seen(1, whenDuring, 1, md.Recover, 1, 4), seen(2, whenAfter, 1, md.Recover, 2, 4)}))
	f.Add([]byte("{}\n{}\n{}\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, state := range []string{healthy, degraded, rebuilding} {
			for _, v := range parseLines(t, state, raw).Sample.Values {
				if v.Value != v.Value || v.Value < 0 || v.Value > 1e300 {
					t.Errorf("%s is %v", v.Measure, v.Value)
				}
			}
		}
	})
}
