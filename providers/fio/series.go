package fio

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// logPrefix begins the names of the logs in fio's working directory.
const logPrefix = "fio"

// histCoarseness halves the number of bins of a histogram log, so many times: 16 are left for each doubling of latency, so that a
// percentile is within 3 %.
const histCoarseness = "2"

// keptLog is a log that fio keeps of a repetition.
type keptLog struct {
	kind   string  // in the artifact's name: NAME.bw.log
	file   string  // in fio's working directory
	option string  // the attribute that asks for it
	rate   string  // the measure of which it is a rate, and
	factor float64 // what makes base units of its values; 0: it holds histograms
}

var keptLogs = []keptLog{
	{"bw", logPrefix + "_bw.log", "log_avg_msec", "bandwidth", 1024}, // fio logs KiB/s
	{"iops", logPrefix + "_iops.log", "log_avg_msec", "iops", 1},
	{"hist", logPrefix + "_clat_hist.log", "log_hist_msec", "", 0},
}

// logs are those that a test keeps.
func (c config) logs() []keptLog {
	var out []keptLog
	for _, l := range keptLogs {
		if _, ok := c.number(l.option); ok {
			out = append(out, l)
		}
	}
	return out
}

// logArgv are the options by which fio keeps them: one file for all jobs of a kind.
func (c config) logArgv() []string {
	var argv []string
	ms := func(name string) (string, bool) {
		seconds, ok := c.number(name)
		return "--" + name + "=" + strconv.FormatFloat(seconds*1000, 'f', 0, 64), ok
	}
	if every, ok := ms("log_avg_msec"); ok {
		argv = append(argv, "--write_bw_log="+logPrefix, "--write_iops_log="+logPrefix, every)
	}
	if every, ok := ms("log_hist_msec"); ok {
		argv = append(argv, "--write_hist_log="+logPrefix, every, "--log_hist_coarseness="+histCoarseness)
	}
	if len(argv) > 0 {
		argv = append(argv, "--per_job_logs=0")
	}
	return argv
}

// fetchLogs streams the logs out of fio's working directory into artifacts. One that is not there leaves an empty artifact, which is for Parse to
// tell; an error is of the host, or of the record.
func fetchLogs(ctx context.Context, h host.Host, c config, name, cwd string, sink providers.Sink) error {
	for _, l := range c.logs() {
		w, err := sink.Artifact(name + "." + l.kind + measure.LogSuffix)
		if err != nil {
			return err
		}
		_, err = h.Run(ctx, host.Cmd{Argv: []string{"cat", "--", path.Join(cwd, l.file)}, Stdout: w})
		if closed := w.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("fio: fetching %s from %s: %w", l.file, hostName(h.Address()), err)
		}
	}
	return nil
}

// parseSeries makes series of the logs of a run whose sample is ok: of all hosts together, and of several those of each. What cannot be read is
// a warning, and there is no series then.
func parseSeries(req providers.ParseRequest, s *measure.Sample) []measure.Series {
	names, keys := runNames(req.Target), providers.HostKeys(hostsOf(req.Target))
	var out []measure.Series
	for _, l := range (config{req.Config}).logs() {
		width, _ := (config{req.Config}).number(l.option)
		var parts []*timeline
		for i, name := range names {
			t, err := readTimeline(req, l, name, width)
			if err != nil {
				where := ""
				if len(names) > 1 {
					where = keys[i] + ": "
				}
				s.Warnings = append(s.Warnings, measure.Warning{Code: "log_unread", Text: where + "fio's log " + l.file + ": " + err.Error()})
				parts = nil
				break
			}
			if len(names) > 1 {
				out = append(out, t.series(l, addr.Coordinates{hostKey: keys[i]})...)
			}
			parts = append(parts, t)
			if len(parts) == 2 { // the first holds all before
				if err := parts[0].merge(parts[1]); err != nil {
					s.Warnings = append(s.Warnings, measure.Warning{Code: "log_unread", Text: err.Error()})
					parts = nil
					break
				}
				parts = parts[:1]
			}
		}
		if len(parts) == 1 {
			out = append(out, parts[0].series(l, nil)...)
		}
	}
	if req.Type == preconditionType { // it has no other measure
		out = slices.DeleteFunc(out, func(s measure.Series) bool { return s.Measure != "bandwidth" })
	}
	return out
}

// timeline is what one log says over time; one of rates and latencies is set.
type timeline struct {
	rates     *rates
	latencies *latencies
	offset    float64 // seconds from the time 0 of series to the beginning of fio's jobs, which is after their ramp
}

func readTimeline(req providers.ParseRequest, l keptLog, name string, width float64) (*timeline, error) {
	var in io.ReadCloser
	for _, a := range req.Artifacts {
		if a.Name == name+"."+l.kind+measure.LogSuffix {
			var err error
			if in, err = a.Open(); err != nil {
				return nil, err
			}
		}
	}
	if in == nil {
		return nil, fmt.Errorf("it was not fetched")
	}
	defer in.Close()
	t := &timeline{}
	var err error
	last := 0.0
	if l.factor > 0 {
		if t.rates, err = readRates(in, width, l.factor); err == nil {
			last = t.rates.width * float64(max(len(t.rates.sum[0]), len(t.rates.sum[1])))
		}
	} else if t.latencies, err = readLatencies(in, width); err == nil {
		last = t.latencies.width * float64(max(len(t.latencies.counts[0]), len(t.latencies.counts[1])))
	}
	switch {
	case err != nil:
		return nil, err
	case last == 0:
		return nil, fmt.Errorf("it is empty")
	}
	if e, err := readExpected(req.Expect); err == nil && e.runtime > 0 {
		last = e.runtime
	}
	for _, x := range req.Exits {
		if x.Name == name && !x.Started.IsZero() {
			t.offset = beginning(x, req.Started, last)
		}
	}
	return t, nil
}

// beginning is when fio's jobs began to measure, after start: fio lays out files and runs the ramp first, and is over soon after them. The clock of
// its logs is the host's, so that what the host says of its time of day is no help.
func beginning(x measure.Exit, start time.Time, measured float64) float64 {
	at := max(0, x.Ended.Sub(x.Started).Seconds()-measured)
	if !start.IsZero() {
		at += x.Started.Sub(start).Seconds()
	}
	return at
}

func (t *timeline) merge(o *timeline) error {
	t.offset = min(t.offset, o.offset)
	if t.rates != nil {
		t.rates.merge(o.rates)
		return nil
	}
	return t.latencies.merge(o.latencies)
}

// series names what a log says: of all I/O, and of each direction that there was.
func (t *timeline) series(l keptLog, keys addr.Coordinates) []measure.Series {
	var out []measure.Series
	put := func(name string, points []measure.SeriesPoint) {
		for i := range points {
			points[i].T += t.offset
		}
		if len(points) > 0 {
			out = append(out, measure.Series{Measure: name, Keys: keys, Points: points})
		}
	}
	for i, prefix := range []string{"", "read_", "write_"} {
		d := i - 1
		if t.rates != nil {
			put(prefix+l.rate, t.rates.points(d))
			continue
		}
		for _, p := range percentiles {
			put(prefix+"latency_"+p.measure, t.latencies.points(d, p))
		}
	}
	return out
}
