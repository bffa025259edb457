package fake

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// watchHeader begins the text form of a monitor, which Observe writes and an import reads:
//
//	fake monitor 1
//	0 load 0.4
//	0 rate[disk=sda] 52428800 B/s
//	2 mark rebuild starts
//	2 until 4 rebuild
//	doubt the clock jumped
//	end
//
// Each line is a time in seconds since the test began, a measure and a quantity, or a mark of a moment or until a later second.
const watchHeader = "fake monitor 1"

// parseMonitor reads the report of a monitor: the mean of each series is its figure.
func parseMonitor(req providers.ParseRequest) (*providers.ParseResponse, error) {
	res := &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.OK}}
	if reason := watchedReport(req, res); reason != "" {
		res = &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.Failed, Reason: reason}}
		if req.Imported {
			res.Sample.Outcome = measure.Invalid
		}
	}
	return res, nil
}

func watchedReport(req providers.ParseRequest, res *providers.ParseResponse) (reason string) {
	data, found := artifact(req.Artifacts, runName+".stdout")
	if req.Imported {
		if len(req.Artifacts) != 1 {
			return fmt.Sprintf("an import is one file for each repetition, but these are %d", len(req.Artifacts))
		}
		data, found = req.Artifacts[0].Data, true
	} else if reason := exitReason(req); reason != "" {
		return reason
	}
	if !found {
		return "there is no output: " + runName + ".stdout is missing"
	}
	head, rest, _ := strings.Cut(string(data), "\n")
	if strings.TrimSpace(head) != watchHeader {
		return fmt.Sprintf("the output begins with %q, not with %q", printable(head), watchHeader)
	}
	body, after, ended := strings.Cut("\n"+rest, "\n"+footer+"\n")
	if !ended || after != "" {
		return fmt.Sprintf("the output is torn: the last line is not %q", footer)
	}
	series := map[string]*measure.Series{}
	marks := measure.Series{}
	for i, text := range strings.Split(strings.TrimPrefix(body, "\n"), "\n") {
		if reason := watchedLine(text, series, &marks, &res.Sample); reason != "" {
			return fmt.Sprintf("line %d: %s", i+2, reason)
		}
	}
	for _, m := range watchedFigures() {
		if _, wanted := number(req.Config, m.Name); wanted && !req.Imported && !slices.ContainsFunc(slices.Collect(maps.Values(series)), func(s *measure.Series) bool { return s.Measure == m.Name }) {
			return "the output lacks " + m.Name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(series)) {
		s := series[name]
		mean := 0.0
		for i, p := range s.Points {
			mean += (p.Value - mean) / float64(i+1) // which cannot overflow
		}
		res.Sample.Values = append(res.Sample.Values, measure.Value{Measure: s.Measure, Keys: s.Keys, Value: mean})
		res.Series = append(res.Series, *s)
	}
	if len(marks.Marks) > 0 {
		res.Series = append(res.Series, marks)
	}
	return ""
}

// watchedLine reads one line of a report.
func watchedLine(text string, series map[string]*measure.Series, marks *measure.Series, sample *measure.Sample) (reason string) {
	if text == "" || text[0] == '#' {
		return ""
	}
	if doubt, ok := strings.CutPrefix(text, "doubt "); ok {
		sample.Warnings = append(sample.Warnings, measure.Warning{Code: "doubt", Text: printable(doubt)})
		return ""
	}
	at, rest, _ := strings.Cut(text, " ")
	t, err := strconv.Atoi(at)
	if err != nil || t < 0 || t > 1e9 {
		return fmt.Sprintf("%q is not a time in whole seconds", printable(at))
	}
	if mark, ok := strings.CutPrefix(rest, "mark "); ok {
		marks.Marks = append(marks.Marks, measure.Mark{T: float64(t), Text: printable(mark)})
		return ""
	}
	if lasting, ok := strings.CutPrefix(rest, "until "); ok {
		end, mark, _ := strings.Cut(lasting, " ")
		until, err := strconv.Atoi(end)
		if err != nil || until <= t || until > 2e9 || mark == "" {
			return fmt.Sprintf("%q is no time after %d, with a text", printable(lasting), t)
		}
		marks.Marks = append(marks.Marks, measure.Mark{T: float64(t), Until: float64(until), Text: printable(mark)})
		return ""
	}
	name, quantity, _ := strings.Cut(rest, " ")
	base, disk, keyed := strings.Cut(name, "["+diskKey+"=")
	disk, closed := strings.CutSuffix(disk, "]")
	declared := monitorType()
	m := declared.Measure(base)
	switch {
	case m == nil:
		return fmt.Sprintf("%q is not a measure; they are %s", printable(base), names(declared.Measures))
	case keyed && (!closed || !hostName(disk) || len(m.Keys) == 0):
		return "a disk is written like rate[disk=sda], and only rate has one"
	}
	v, why := figure(quantity, m)
	if why != "" {
		return fmt.Sprintf("%s: %s", base, why)
	}
	s := series[name]
	if s == nil {
		s = &measure.Series{Measure: base}
		if keyed {
			s.Keys = addr.Coordinates{diskKey: disk}
		}
		series[name] = s
	}
	if n := len(s.Points); n > 0 && float64(t) <= s.Points[n-1].T {
		return "times do not ascend"
	}
	s.Points = append(s.Points, measure.SeriesPoint{T: float64(t), Value: v})
	return ""
}
