package fio

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// Parse implements providers.Provider. The sample of a run is ok only when the exit status, every job that was planned, its
// error, I/O in the planned directions and the runtime all say so; else it is failed. Files that are imported bring no exit
// status and are held against what the configuration says and fio says of its own options; those that cannot be a sample
// are invalid. The error is always nil.
func (p *provider) Parse(_ context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	resp := &providers.ParseResponse{Sample: parse(req)}
	if resp.Sample.Outcome == measure.OK && !req.Imported {
		resp.Series = parseSeries(req, &resp.Sample)
	}
	return resp, nil
}

// finding gathers what speaks against a sample, and what is doubtful about it.
type finding struct {
	faults   []string
	warnings []measure.Warning
}

func (f *finding) fault(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

func (f *finding) warn(code, format string, args ...any) {
	f.warnings = append(f.warnings, measure.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

func parse(req providers.ParseRequest) measure.Sample {
	bad := measure.Failed
	if req.Imported {
		bad = measure.Invalid
	}
	var f finding
	var sample measure.Sample
	var messages []string
	if req.Imported {
		var out output
		out, messages = importedOutput(req.Artifacts, &f)
		jobs := out.jobs(&f)
		if out.doc != nil && out.err == nil {
			judgeImport(&f, config{req.Config}, out.doc, jobs)
			judgeBlocks(&f, messages)
		}
		if len(f.faults) == 0 {
			figures(&f, jobs, &sample, nil)
		}
	} else if req.Type == jobsType {
		messages = parseJobs(req, &f, &sample)
	} else {
		messages = parseRun(req, &f, &sample)
	}
	sample.Outcome, sample.Warnings = measure.OK, f.warnings
	if len(f.faults) > 0 {
		sample = measure.Sample{Outcome: bad, Reason: reason(f.faults, messages), Warnings: f.warnings}
	} else if text := firstTelling(messages); text != "" {
		sample.Warnings = append(sample.Warnings, measure.Warning{Code: "fio_message", Text: "fio said: " + text})
	}
	for _, v := range sample.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value < 0 {
			return measure.Sample{Outcome: measure.Invalid, Warnings: f.warnings,
				Reason: fmt.Sprintf("%s is %g, which no run can give", v.Measure, v.Value)}
		}
	}
	return sample
}

// jobs gives the jobs of an output, and says where it has none that could be read.
func (o output) jobs(f *finding) []job {
	if o.fixed {
		f.warn("json_repaired", "fio's JSON had control characters in strings; they were escaped before it was read")
	}
	switch {
	case o.err != nil:
		f.fault("fio's output is not whole: %s", o.err)
	case o.doc == nil && len(f.faults) == 0:
		f.fault("the output holds no JSON result of fio")
	case o.doc != nil:
		return jobsOf(o.doc)
	}
	return nil
}

// runOutput reads what the command of that name left, and judges how fio ended.
func runOutput(req providers.ParseRequest, name string, f *finding) (output, []string) {
	var out output
	var messages []string
	for _, a := range req.Artifacts {
		switch a.Name {
		case name + ".stdout":
			out = readOutput(a.Data)
		case name + ".stderr":
			messages = lines(a.Data)
		}
	}
	var exit *measure.Exit
	for i := range req.Exits {
		if req.Exits[i].Name == name {
			exit = &req.Exits[i]
		}
	}
	switch {
	case exit == nil:
		f.fault("fio was not run: how it ended is not in the record")
	case exit.Error != "":
		f.fault("fio did not run to its end: %s", exit.Error)
	case exit.Signal != "":
		f.fault("fio was ended by %s", exit.Signal)
	case exit.Code != 0:
		f.fault("fio exited with status %d", exit.Code)
	}
	return out, append(messages, out.notes...)
}

// importedOutput reads the files of an import: just one of them holds results, beside it what fio said.
func importedOutput(artifacts []measure.Artifact, f *finding) (output, []string) {
	var out output
	var from string
	var messages []string
	for _, a := range artifacts {
		o := readOutput(a.Data)
		if o.doc == nil && o.err == nil {
			messages = append(messages, o.notes...)
			continue
		}
		if from != "" {
			f.fault("both %s and %s hold results of fio; import one file for each sample", from, a.Name)
			continue
		}
		from, out = a.Name, o
		messages = append(messages, o.notes...)
	}
	return out, messages
}

func lines(data []byte) []string {
	var o output
	for _, line := range strings.Split(string(data), "\n") {
		o.note(strings.TrimSpace(line))
	}
	return o.notes
}

// maxFaults bounds how many faults a reason names; the first ones say most.
const maxFaults = 4

// reason is one sentence: what is wrong, and what fio said of it.
func reason(faults, messages []string) string {
	if len(faults) > maxFaults {
		faults = append(faults[:maxFaults:maxFaults], "and more")
	}
	s := strings.Join(faults, "; ")
	if text := firstTelling(messages); text != "" {
		s += "; fio said: " + text
	}
	return s
}

// telling are words by which a message about the run is known among fio's ordinary text.
var telling = []string{"fio: ", "error", "fail", "refus", "unable", "cannot", "signal", "mounted", "verify:", "you need", "bad option", "unrecognized", "disconnected"}

// firstTelling is the first message that says something about the run, shortened; "" where there is none.
func firstTelling(messages []string) string {
	for _, m := range messages {
		low := strings.ToLower(m)
		for _, word := range telling {
			if strings.Contains(low, word) && !strings.Contains(low, "err= 0") {
				return shorten(strings.TrimPrefix(m, "fio: "))
			}
		}
	}
	return ""
}

// shorten makes a text fit to quote: one line of at most 200 characters without control characters.
func shorten(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// jobsOf gives the jobs of a document. Of a client, "All clients" is fio's own sum, under the last client's name, and each
// status interval added an entry for every job, so that the last of each counts. Entries of one client and name are copies
// (numjobs) or intervals, and nothing tells which: up to numjobs they are copies, more than that are intervals, of which
// those count that ran as long as the longest but for half a second, the least interval there is, and those that failed.
func jobsOf(doc *document) []job {
	if len(doc.ClientStats) == 0 {
		return doc.Jobs
	}
	type client struct {
		count  int
		copies float64
		latest float64 // elapsed of the longest
	}
	clients := map[string]*client{}
	global := readOptions(doc.Global)
	for i := range doc.ClientStats {
		j := &doc.ClientStats[i]
		c := clients[j.client()]
		if c == nil {
			c = &client{copies: 1}
			clients[j.client()] = c
		}
		c.count++
		c.latest = math.Max(c.latest, j.elapsed())
		text, ok := readOptions(j.Options)["numjobs"] // copies after the first may lack it
		if !ok {
			text = global["numjobs"]
		}
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			c.copies = math.Max(c.copies, n)
		}
	}
	var jobs []job
	for i := range doc.ClientStats {
		j := &doc.ClientStats[i]
		c := clients[j.client()]
		last := float64(c.count) <= c.copies || j.elapsed() > c.latest-0.5 || j.Error != 0
		if j.Name != "All clients" && last {
			jobs = append(jobs, *j)
		}
	}
	return jobs
}

// client names the client and the job of an entry.
func (j *job) client() string { return fmt.Sprintf("%q %q %q %d", j.Host, j.Port, j.Name, j.Group) }
