package fio

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// jobsType is a test of a job file. Its sections may run at once or one after another, so there is no figure over all of them.
const jobsType = "fio_jobs"

// jobKey is the key of its figures: the section's name.
const jobKey = "job"

func jobsSchema() schema.Type {
	t := testType()
	t.Name, t.Imports, t.Warmup = jobsType, nil, false
	t.Doc = "A job file of fio, for those who have one: each section is a job with figures of its own, over all copies and all hosts. It is passed to fio as it stands, after a section that says on what it works. " +
		"Options go through the same list as those of test \"fio\"; what names files or hosts, runs commands or writes logs is refused. New tests are better written as test \"fio\", which can be varied and compared."
	t.Body.Attributes = slices.DeleteFunc(t.Body.Attributes, func(a schema.Attribute) bool {
		return !slices.Contains(append(slices.Clone(placeNames), "file"), a.Name)
	})
	t.Body.Attributes = append(t.Body.Attributes, schema.Attribute{Name: "jobs_file", Kind: schema.String, Required: true,
		Doc: "The text of the job file: file(\"NAME.fio\"). Its jobs work on the test's target; where one names filename, it must be of that."})
	for i := range t.Measures {
		m := &t.Measures[i]
		m.Keys, m.RollUp, m.Histogram, m.Quantile = []string{jobKey}, schema.NoRollUp, "", 0
	}
	return t
}

// jobsText is what fio reads: the target first, since a [global] section holds for all that come after it.
func jobsText(t providers.Target) string {
	text, _ := config{t.Config}.text("jobs_file")
	return "[global]\nfilename=" + placeOf(t).filename() + "\n\n" + strings.TrimRight(text, "\n") + "\n"
}

// jobsArgv reads it from the standard input.
func jobsArgv() []string { return []string{"fio", "--output-format=json+", "--eta=never", "-"} }

// checkJobs says what is wrong in a test of a job file.
func checkJobs(t providers.Target) []providers.Problem {
	where := placeOf(t)
	if ps := where.problems(t); ps != nil {
		return ps
	}
	text, _ := config{t.Config}.text("jobs_file")
	jobs, problems := readJobs(text, where)
	var ps []providers.Problem
	for _, p := range problems {
		ps = append(ps, providers.Problem{Attribute: "jobs_file", Summary: p.summary, Detail: fmt.Sprintf("Line %d of the job file: %s", p.line, p.detail)})
	}
	for _, s := range jobs {
		for _, p := range verifyProblems(s.config()) {
			ps = append(ps, providers.Problem{Attribute: "jobs_file", Summary: p.Summary, Detail: fmt.Sprintf("Line %d of the job file: %s", s.line, p.Detail)})
		}
		if s.options["size"] == "" && s.options["filesize"] == "" && len(where.files) > 0 {
			ps = append(ps, providers.Problem{Attribute: "jobs_file", Summary: "No size",
				Detail: fmt.Sprintf("Line %d of the job file: job %s has neither size nor filesize, and fio must know how large its file is.", s.line, s.name)})
		}
	}
	return ps
}

// planJobs is Plan of a job file.
func planJobs(t providers.Target) *providers.PlanResponse {
	resp := &providers.PlanResponse{Problems: checkJobs(t), Outputs: cty.EmptyObjectVal}
	if firstError(resp.Problems) != nil {
		return resp
	}
	where := placeOf(t)
	for _, on := range hostsOf(t) {
		resp.Claims = append(resp.Claims, providers.Claim{Name: "host:" + on + ":cpu"}, providers.Claim{Name: "host:" + on + ":io"})
		resp.Commands = append(resp.Commands, providers.Command{On: on, Argv: jobsArgv(), Stdin: jobsText(t)})
		if len(where.files) > 0 {
			resp.ReleaseCommands = append(resp.ReleaseCommands, providers.Command{On: on, Argv: releaseArgv(where)})
		}
	}
	resp.Estimate = estimateJobs(t)
	raw, err := json.Marshal(expectedJobs(t))
	if err != nil {
		panic("fio: " + err.Error()) // of plain data
	}
	resp.Expect = map[string]string{"jobs": string(raw)}
	return resp
}

// estimateJobs is the time of the groups that run one after another, each as long as its longest job.
func estimateJobs(t providers.Target) time.Duration {
	text, _ := config{t.Config}.text("jobs_file")
	jobs, _ := readJobs(text, placeOf(t))
	seconds, group := 0.0, 0.0
	for _, s := range jobs {
		one, ok := fioSeconds(s.options["runtime"])
		if !ok {
			size, _ := fioSize(strings.ToLower(s.options["size"]))
			one = size / 200e6
		}
		ramp, _ := fioSeconds(s.options["ramp_time"])
		_, after := s.options["stonewall"]
		if _, waits := s.options["wait_for"]; after || waits {
			seconds, group = seconds+group, 0
		}
		group = math.Max(group, one+ramp)
	}
	return time.Duration(min(seconds+group, 1e9)*float64(time.Second)) + time.Second
}

// expectedJob is what Parse must know of a section.
type expectedJob struct {
	Name       string   `json:"name"`
	Copies     int      `json:"copies"`
	Directions []string `json:"directions"`
	Runtime    float64  `json:"runtime,omitempty"`    // seconds; 0: it ends with its size
	ReadsBack  bool     `json:"reads_back,omitempty"` // it reads only to verify what it wrote
}

func expectedJobs(t providers.Target) []expectedJob {
	text, _ := config{t.Config}.text("jobs_file")
	jobs, _ := readJobs(text, placeOf(t))
	var out []expectedJob
	for _, s := range jobs {
		e := expectedJob{Name: s.name, Copies: 1, Directions: s.directions(), ReadsBack: s.config().readsBack()}
		if n, err := strconv.Atoi(s.options["numjobs"]); err == nil {
			e.Copies = n
		}
		_, steady := s.options["steadystate"]
		_, target := s.options["latency_target"]
		if timed, ok := s.options["time_based"]; ok && timed != "0" && timed != "false" && !steady && !target {
			e.Runtime, _ = fioSeconds(s.options["runtime"])
		}
		out = append(out, e)
	}
	return out
}

// config is what a section says of directions and verification, as a test with the same options has it.
func (s section) config() config {
	values := map[string]cty.Value{}
	for _, name := range []string{"rw", "verify"} {
		if text := s.options[name]; text != "" {
			values[name] = cty.StringVal(text)
		}
	}
	if n, err := strconv.ParseFloat(s.options["rwmixread"], 64); err == nil {
		values["rwmixread"] = cty.NumberFloatVal(n)
	}
	if n, ok := fioSeconds(s.options["runtime"]); ok {
		values["runtime"] = cty.NumberFloatVal(n)
	}
	return config{cty.ObjectVal(values)}
}

func (s section) directions() []string { return s.config().directions() }

// parseJobs judges what each host left, and fills in the figures of each section over all hosts.
func parseJobs(req providers.ParseRequest, f *finding, sample *measure.Sample) (messages []string) {
	var expected []expectedJob
	if err := json.Unmarshal([]byte(req.Expect["jobs"]), &expected); err != nil || len(expected) == 0 {
		f.fault("the plan does not say which jobs there are")
	}
	names, keys := runNames(req.Target), providers.HostKeys(hostsOf(req.Target))
	byName := map[string][]job{}
	for i, name := range names {
		var own finding
		out, said := runOutput(req, name, &own)
		jobs := out.jobs(&own)
		if out.doc != nil && out.err == nil {
			judgeErrors(&own, jobs)
			judgeBlocks(&own, said)
			for _, e := range expected {
				ours := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool { return j.Name != e.Name })
				if len(ours) != e.Copies {
					own.fault("%d of %d jobs %s are in the output", len(ours), e.Copies, e.Name)
					continue
				}
				if e.ReadsBack {
					takeReadBack(&own, ours)
				}
				judgeDirections(&own, e.Directions, ours)
				if e.Runtime > 0 {
					judgeRuntime(&own, e.Runtime, ours)
				}
				byName[e.Name] = append(byName[e.Name], ours...)
			}
		}
		messages = append(messages, said...)
		f.take(own, len(names) > 1, keys[i])
	}
	if len(f.faults) > 0 {
		return messages
	}
	for _, e := range expected {
		figures(f, byName[e.Name], sample, addr.Coordinates{jobKey: e.Name})
	}
	if len(names) > 1 {
		f.warnings = append(f.warnings, providers.Overlap(ofNames(req.Exits, names))...)
	}
	return messages
}

func ofNames(exits []measure.Exit, names []string) []measure.Exit {
	return slices.DeleteFunc(slices.Clone(exits), func(x measure.Exit) bool { return !slices.Contains(names, x.Name) })
}
