package fio

import (
	"fmt"
	"math"
	"sort"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

func firstError(problems []providers.Problem) *providers.Problem {
	for i := range problems {
		if !problems[i].Warning {
			return &problems[i]
		}
	}
	return nil
}

// check says what is wrong or doubtful in a configuration. What a schema can say is checked before.
func check(t providers.Target) []providers.Problem {
	c := config{t.Config}
	var ps []providers.Problem
	add := func(warning bool, attribute, summary, detail string) {
		ps = append(ps, providers.Problem{Warning: warning, Attribute: attribute, Summary: summary, Detail: detail})
	}
	where := placeOf(t)
	ps = append(ps, where.problems(t)...)
	for _, a := range attributes() {
		if v, given := c.number(a.Name); given {
			if _, ok := c.argument(a); !ok {
				add(false, a.Name, "Too fine for fio", fmt.Sprintf("fio takes %s in whole %s; %s is none. Round it.", a.Name, grain(a.Dim), unit.Digits(v, 12)))
			}
		}
	}
	amount := c.extent(where)
	ps = append(ps, amount.problems(c, where)...)
	runtime, hasRuntime := c.number("runtime")
	ramp, ramped := c.number("ramp_time")
	name := "ramp_time"
	if t.Warmup > 0 {
		if ramped {
			add(false, "ramp_time", "Warm-up given twice", "warmup is passed to fio as ramp_time. Leave one of them out.")
		}
		if _, ok := timeText(t.Warmup.Seconds(), true); !ok {
			add(false, "warmup", "Too fine for fio", fmt.Sprintf("fio takes a warm-up in whole microseconds; %s is none. Round it.", t.Warmup))
		}
		ramp, name = t.Warmup.Seconds(), "warmup"
	}
	bs, hasBS := c.number("bs")
	if !hasBS {
		bs = 4096
	}
	ps = append(ps, verifyProblems(c)...)
	options := c.options()
	_, split := options["bssplit"]
	_, ranged := options["bsrange"]
	if hasBS && (split || ranged) {
		add(false, "bs", "Block size given twice", "bssplit and bsrange stand for bs. Leave one of them out.")
	}
	if amount.each > 0 && bs > math.Min(amount.each, amount.job) && !split && !ranged {
		add(false, "bs", "Block larger than the file", fmt.Sprintf("A block of %s does not fit into %s.", bytesText(bs), bytesText(math.Min(amount.each, amount.job))))
	}
	if c.flag("direct") && !split && !ranged && math.Mod(bs, 512) != 0 {
		add(false, "bs", "Block size not for O_DIRECT", fmt.Sprintf("direct needs blocks of a multiple of 512 B, on many disks of 4 KiB; this is %s.", bytesText(bs)))
	}
	if hasRuntime && runtime < ramp {
		add(true, "runtime", "Measured for less than the ramp", fmt.Sprintf("%s is %s and is not measured; runtime, which comes after it, is only %s.", name, unit.FormatSeconds(ramp), unit.FormatSeconds(runtime)))
	}
	if _, ok := c.number("io_size"); ok && hasRuntime {
		add(true, "io_size", "Without effect", "Where runtime is given, fio goes on until it has passed, whatever io_size says. Leave one of them out.")
	}
	engine, _ := c.text("ioengine")
	if depth, ok := c.number("iodepth"); ok && depth > 1 && synchronous[engine] && options["io_submit_mode"] != "offload" {
		name := engine
		if name == "" {
			name = "psync, fio's default,"
		}
		add(true, "iodepth", "Without effect", fmt.Sprintf(`%s has one I/O in flight whatever iodepth says. Write ioengine = "libaio" or "io_uring" (with direct = true), or leave iodepth out.`, name))
	}
	if _, ok := c.number("rwmixread"); ok && !mixed(c.rw()) {
		add(true, "rwmixread", "Without effect", fmt.Sprintf("rw = %q goes in one direction only. Write rw = \"rw\" or \"randrw\", or leave rwmixread out.", c.rw()))
	}
	for _, name := range []string{"log_avg_msec", "log_hist_msec"} {
		every, ok := c.number(name)
		switch {
		case ok && math.Abs(every*1000-math.Round(every*1000)) > 1e-6:
			add(false, name, "Too fine for fio", fmt.Sprintf("fio takes it in whole milliseconds; %s is none. Round it.", unit.FormatSeconds(every)))
		case ok && hasRuntime && runtime < 2*every:
			add(true, name, "Hardly a point", fmt.Sprintf("There is a point for each %s, and fio leaves out the last; the test measures for %s only.", unit.FormatSeconds(every), unit.FormatSeconds(runtime)))
		}
	}
	names := make([]string, 0, len(options))
	for name := range options {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if summary, detail := optionProblem(name, options[name], engine); summary != "" {
			add(false, "options", summary, detail)
		}
	}
	return ps
}

// grain is the smallest step in which fio takes a quantity.
func grain(d unit.Dim) string {
	switch d {
	case unit.Seconds:
		return "microseconds"
	case unit.Bytes:
		return "bytes"
	case unit.BytesPerSec:
		return "bytes per second"
	}
	return "numbers"
}
