package fio

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
)

// rw is the direction, with fio's default.
func (c config) rw() string {
	if rw, ok := c.text("rw"); ok {
		return rw
	}
	return "read"
}

func mixed(rw string) bool { return rw == "rw" || rw == "readwrite" || rw == "randrw" }

// directions are those in which the job does I/O.
func (c config) directions() []string {
	rw := c.rw()
	if !mixed(rw) {
		return []string{strings.TrimPrefix(rw, "rand")}
	}
	switch share, ok := c.number("rwmixread"); {
	case ok && share == 0:
		return []string{"write"}
	case ok && share == 100:
		return []string{"read"}
	}
	return []string{"read", "write"}
}

// expected is what Parse must know of what was to happen.
type expected struct {
	job        string
	numjobs    int
	directions []string
	runtime    float64 // seconds; 0: the run ends with its size, or when fio finds it steady
	bs         float64 // bytes; 0: several, or unknown
	readsBack  bool    // reads only to verify what was written
	written    float64 // bytes that a precondition writes on each host; 0: not known
}

func expectation(t providers.Target) expected {
	c := config{t.Config}
	e := expected{job: jobName(t.Address.Name), numjobs: 1, directions: c.directions(), bs: 4096}
	if n, ok := c.number("numjobs"); ok {
		e.numjobs = int(n)
	}
	if n, ok := c.number("bs"); ok {
		e.bs = n
	}
	e.readsBack = c.readsBack()
	e.written = c.extent(placeOf(t)).job * c.passes()
	options := c.options()
	for _, name := range []string{"bssplit", "bsrange"} {
		if _, ok := options[name]; ok {
			e.bs = 0
		}
	}
	e.runtime, _ = c.number("runtime")
	for _, name := range []string{"steadystate", "latency_target"} {
		if _, ok := options[name]; ok {
			e.runtime = 0 // with these fio ends the run by itself once it has found what it looks for
		}
	}
	return e
}

func (e expected) asMap() map[string]string {
	m := map[string]string{
		"job": e.job, "numjobs": strconv.Itoa(e.numjobs), "directions": strings.Join(e.directions, ","),
	}
	if e.written > 0 {
		m["written"] = strconv.FormatFloat(e.written, 'f', -1, 64)
	}
	if e.readsBack {
		m["reads_back"] = "true"
	}
	if e.runtime > 0 {
		m["runtime"] = strconv.FormatFloat(e.runtime, 'g', -1, 64)
	}
	if e.bs > 0 {
		m["bs"] = strconv.FormatFloat(e.bs, 'f', -1, 64)
	}
	return m
}

// readExpected is the reverse of asMap. What does not read is an error, since a record may have been edited.
func readExpected(m map[string]string) (expected, error) {
	e := expected{job: m["job"], readsBack: m["reads_back"] == "true"}
	var err error
	if e.numjobs, err = strconv.Atoi(m["numjobs"]); err != nil || e.numjobs < 1 {
		return e, fmt.Errorf("the plan's numjobs is %q, not a number from 1", m["numjobs"])
	}
	for _, d := range strings.Split(m["directions"], ",") {
		if d != "read" && d != "write" {
			return e, fmt.Errorf("the plan's directions are %q, not read, write or both", m["directions"])
		}
		e.directions = append(e.directions, d)
	}
	for name, into := range map[string]*float64{"runtime": &e.runtime, "bs": &e.bs, "written": &e.written} {
		if text, ok := m[name]; ok {
			if *into, err = strconv.ParseFloat(text, 64); err != nil || !(*into > 0) || math.IsInf(*into, 0) {
				return e, fmt.Errorf("the plan's %s is %q, not a number above 0", name, text)
			}
		}
	}
	if e.job == "" {
		return e, fmt.Errorf("the plan does not name fio's job")
	}
	return e, nil
}
