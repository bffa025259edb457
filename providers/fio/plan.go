package fio

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// Plan implements providers.Provider. It reads nothing; a test is exclusive on the I/O and the CPU of its hosts.
func (p *provider) Plan(_ context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	switch req.Type {
	case preconditionType:
		return planPrecondition(req.Target), nil
	case jobsType:
		return planJobs(req.Target), nil
	}
	resp := &providers.PlanResponse{Problems: check(req.Target), Outputs: cty.EmptyObjectVal}
	if firstError(resp.Problems) != nil {
		return resp, nil
	}
	where := placeOf(req.Target)
	for _, on := range hostsOf(req.Target) {
		resp.Claims = append(resp.Claims, providers.Claim{Name: "host:" + on + ":cpu"}, providers.Claim{Name: "host:" + on + ":io"})
		resp.Commands = append(resp.Commands, providers.Command{On: on, Argv: measureArgv(req.Target)})
		if len(where.files) > 0 {
			resp.ReleaseCommands = append(resp.ReleaseCommands, providers.Command{On: on, Argv: releaseArgv(where)})
		}
		resp.Writes = clampInt(float64(resp.Writes) + float64(writes(config{req.Config}, where)))
	}
	resp.Estimate = estimate(req.Target)
	resp.Expect = expectation(req.Target).asMap()
	return resp, nil
}

// estimate is how long a repetition takes: ramp and runtime and a second to start and end. Without a runtime it supposes
// 200 MB/s, as there is nothing to go by.
func estimate(t providers.Target) time.Duration {
	c := config{t.Config}
	seconds, ok := c.number("runtime")
	if !ok {
		seconds = c.total(c.extent(placeOf(t))) / 200e6
		if c.readsBack() {
			seconds *= 2
		}
	}
	ramp, _ := c.number("ramp_time")
	ramp += t.Warmup.Seconds()
	// Bounded, since a duration of more than 292 years overflows.
	return time.Duration(min(seconds+ramp, 1e9)*float64(time.Second)) + time.Second
}

// total is the I/O of all jobs on one host in bytes, where no runtime is given.
func (c config) total(e extent) float64 {
	each, ok := c.number("io_size")
	if !ok {
		each = e.job
	}
	jobs, ok := c.number("numjobs")
	if !ok {
		jobs = 1
	}
	return each * jobs
}

// writes is what one repetition writes on one host, as far as it can be told: all of a job without runtime that writes, and the files that
// fio lays out first for one that reads. What a job with runtime writes depends on the disk, so only the files count.
func writes(c config, p place) int64 {
	e := c.extent(p)
	files := e.each * float64(len(p.files)) // devices need no layout
	if _, timed := c.number("runtime"); timed {
		return clampInt(files)
	}
	total := c.total(e)
	switch d := c.directions(); {
	case len(d) == 2:
		share, ok := c.number("rwmixread")
		if !ok {
			share = 50
		}
		return clampInt(files + total*(1-share/100))
	case d[0] == "write":
		return clampInt(total)
	}
	return clampInt(files)
}

func clampInt(f float64) int64 {
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(f)
}

// describe says in a few words what runs.
func describe(t providers.Target) string {
	c := config{t.Config}
	words := []string{"fio", c.rw()}
	if bs, ok := c.number("bs"); ok {
		words = append(words, unit.Format(bs, unit.Bytes, ""))
	}
	if s, ok := c.number("runtime"); ok {
		words = append(words, "for", unit.FormatSeconds(s))
	}
	return strings.Join(words, " ")
}
