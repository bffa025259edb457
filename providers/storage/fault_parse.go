package storage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/storage/md"
)

// parseFault says whether the array was in the state asked for from before a test until after it, and of a rebuild how fast it was.
func parseFault(req providers.ParseRequest) *providers.ParseResponse {
	invalid := func(outcome measure.Outcome, reason string, args ...any) *providers.ParseResponse {
		return &providers.ParseResponse{Sample: measure.Sample{Outcome: outcome, Reason: fmt.Sprintf(reason, args...)}}
	}
	f, problems := faultOf(req.Target)
	if len(problems) > 0 {
		return invalid(measure.Failed, "%s", problems[0].Detail)
	}
	lines, why := faultLines(req.Artifacts)
	if why != "" {
		return invalid(measure.Failed, "%s", why)
	}
	for _, l := range lines {
		if why := f.wrong(l); why != "" {
			return invalid(measure.Invalid, "%s", why)
		}
	}
	resp := &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.OK}}
	if f.state == rebuilding {
		f.rebuilt(lines[1:], req.Started, resp)
	}
	return resp
}

// faultLines reads what was observed: one look before the test, some while it ran, one after it.
func faultLines(artifacts []measure.Artifact) ([]faultLine, string) {
	var lines []faultLine
	for _, a := range artifacts {
		if a.Name != faultArtifact {
			continue
		}
		for i, raw := range bytes.Split(bytes.TrimSuffix(a.Data, []byte("\n")), []byte("\n")) {
			var l faultLine
			if err := json.Unmarshal(raw, &l); err != nil || l.Time.IsZero() || l.Degraded < 0 || l.Done < 0 || l.Total < 0 {
				return nil, fmt.Sprintf("%s is torn: line %d is no look at an array", faultArtifact, i+1)
			}
			if i > 0 && l.Time.Before(lines[i-1].Time) {
				return nil, fmt.Sprintf("%s: line %d is older than the one before", faultArtifact, i+1)
			}
			lines = append(lines, l)
		}
	}
	if n := len(lines); n < 3 || lines[0].When != whenBefore || lines[n-1].When != whenAfter {
		return nil, "the array was not looked at before the test, during it and after it"
	}
	for _, l := range lines[1 : len(lines)-1] {
		if l.When != whenDuring {
			return nil, faultArtifact + " has looks at another time than before, during and after the test"
		}
	}
	return lines, ""
}

// wrong says what is not as it should be; empty where all is.
func (f faultConfig) wrong(l faultLine) string {
	is := words(&md.Array{Degraded: l.Degraded, Action: l.Action})
	switch {
	case f.state == healthy && (l.Degraded > 0 || l.Action != md.Idle && l.Action != ""):
		return fmt.Sprintf("the array was %s %s the test, and was to be healthy", is, l.When)
	case f.state == degraded && (l.Degraded == 0 || l.Action != md.Frozen):
		return fmt.Sprintf("the array was %s %s the test, and was to be degraded with its recovery frozen", is, l.When)
	case f.state == rebuilding && l.When == whenBefore && l.Degraded == 0:
		return fmt.Sprintf("the array was %s before the test, so there was nothing to rebuild", is)
	case f.state == rebuilding && l.When != whenBefore && l.Action != md.Recover && l.Degraded == 0:
		return "the rebuild was over before the test was: make it slower (sync_speed_max), the disks larger or the test shorter"
	case f.state == rebuilding && l.When != whenBefore && l.Action != md.Recover:
		return fmt.Sprintf("the array was %s %s the test, and was to be rebuilt", is, l.When)
	}
	return ""
}

// rebuilt adds how the rebuild went from when the test began until it was over; began is the time 0 of series.
func (f faultConfig) rebuilt(lines []faultLine, began time.Time, resp *providers.ParseResponse) {
	first, last := lines[0], lines[len(lines)-1]
	if began.IsZero() {
		began = first.Time
	}
	done := measure.Series{Measure: "rebuild_done"}
	for _, l := range lines {
		t := l.Time.Sub(began).Seconds()
		if n := len(done.Points); l.Total > 0 && (n == 0 || t > done.Points[n-1].T) {
			done.Points = append(done.Points, measure.SeriesPoint{T: t, Value: float64(l.Done) / float64(l.Total)})
		}
	}
	done.Marks = []measure.Mark{{T: first.Time.Sub(began).Seconds(), Until: last.Time.Sub(began).Seconds(), Text: "rebuild"}}
	resp.Series = append(resp.Series, done)
	if last.Total <= 0 {
		return
	}
	value := func(name string, v float64) {
		resp.Sample.Values = append(resp.Sample.Values, measure.Value{Measure: name, Value: v})
	}
	value("rebuild_done", float64(last.Done)/float64(last.Total))
	took, moved := last.Time.Sub(first.Time).Seconds(), float64(last.Done-first.Done)
	if took <= 0 || moved <= 0 {
		resp.Sample.Warnings = append(resp.Sample.Warnings, measure.Warning{Code: "rebuild_stands", Text: fmt.Sprintf("the rebuild did not go on in the %s of the test: %s of %s were done",
			unit.FormatSeconds(took), unit.Format(float64(last.Done), unit.Bytes, ""), unit.Format(float64(last.Total), unit.Bytes, ""))})
		return
	}
	value("rebuild_rate", moved/took)
	value("rebuild_time", float64(last.Total)*took/moved)
}
