package fio

import (
	"fmt"
	"math"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// extent is how much of its targets fio works on, in bytes; 0 where only the device says.
//
// As fio does it (setup_files in filesetup.c, tried on 3.33): filesize is that of each file, size what each job goes over in all. Without
// filesize, size is divided among the files; without size, a job goes over all files whole.
type extent struct {
	targets int
	each    float64 // of one file, or of the part of one device
	job     float64
	divided bool // each is a part of size
}

func (c config) extent(p place) extent {
	size, hasSize := c.number("size")
	filesize, hasFilesize := c.number("filesize")
	e := extent{targets: max(1, len(p.paths()))}
	n := float64(e.targets)
	switch {
	case hasFilesize:
		e.each, e.job = filesize, n*filesize
		if hasSize {
			e.job = math.Min(size, e.job)
		}
	case hasSize:
		e.each, e.job, e.divided = math.Floor(size/n), size, e.targets > 1
	}
	return e
}

// problems says what is wrong or doubtful in the sizes.
func (e extent) problems(c config, p place) []providers.Problem {
	var ps []providers.Problem
	add := func(warning bool, attribute, summary, format string, args ...any) {
		ps = append(ps, providers.Problem{Warning: warning, Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(format, args...)})
	}
	size, _ := c.number("size")
	_, hasFilesize := c.number("filesize")
	whole := float64(e.targets) * e.each
	what := map[bool]string{true: "files", false: "devices"}[len(p.devices) == 0]
	switch {
	case e.each == 0 && len(p.files) > 0:
		add(false, "size", "No size", `fio must know how large its file is: write size = "1GiB", or filesize where a job reads or writes only a part of it.`)
	case e.each == 0:
		if c.passes() > 0 {
			add(true, "size", "Amount unknown", "Without size the whole of each device is written, and the plan cannot tell how much that is and how long it takes. Give the capacity as size.")
		} else if _, timed := c.number("runtime"); !timed && len(p.devices) > 0 {
			add(true, "runtime", "No end is given", "Without runtime and size, each job goes once over all of its devices, and the plan cannot tell how long that takes. Give runtime, or size.")
		}
	case e.divided:
		add(true, "size", "Size is divided", "fio divides size among the %d %s: each has %s, and all have %s. Where each is to have as much, write filesize = %q.",
			e.targets, what, bytesText(e.each), bytesText(size), bytesText(size))
	case hasFilesize && size > whole:
		add(true, "size", "Size beyond the files", "All %s have %s; of %s fio uses no more than that.", what, bytesText(whole), bytesText(size))
	}
	return ps
}

// bytesText is an amount of bytes as it is printed.
func bytesText(b float64) string { return unit.Format(b, unit.Bytes, "") }
