package fio

import (
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/unit"
)

// judgeRun holds the jobs against what was planned.
func judgeRun(f *finding, e expected, jobs []job) {
	if e.readsBack {
		takeReadBack(f, jobs)
	}
	var ours []job
	for _, j := range jobs {
		if j.Name == e.job {
			ours = append(ours, j)
		}
	}
	if len(ours) != e.numjobs || len(jobs) != len(ours) {
		f.fault("%d of %d jobs %s are in the output%s", len(ours), e.numjobs, e.job, others(jobs, len(ours)))
	}
	judgeErrors(f, jobs)
	judgeDirections(f, e.directions, ours)
	if e.runtime > 0 {
		judgeRuntime(f, e.runtime, ours)
	}
	if e.written > 0 {
		judgeWritten(f, e.written, ours)
	}
	checkBlockSize(f, jobs, func(*job) float64 { return e.bs })
}

func others(jobs []job, ours int) string {
	if len(jobs) == ours {
		return ""
	}
	return fmt.Sprintf(", and %d of another name", len(jobs)-ours)
}

// judgeErrors finds jobs that failed: by their error, or by errors that they were told to go on after.
func judgeErrors(f *finding, jobs []job) {
	var first *job
	count := 0
	for i := range jobs {
		if jobs[i].Error != 0 || jobs[i].TotalErrors > 0 {
			if count++; first == nil {
				first = &jobs[i]
			}
		}
	}
	switch {
	case first == nil:
	case first.TotalErrors > 0:
		f.fault("job %s went on after %g errors, the job ending with %s", shorten(first.Name), first.TotalErrors, errnoText(first.Error))
	case count == 1:
		f.fault("job %s ended with %s", shorten(first.Name), errnoText(first.Error))
	default:
		f.fault("%d of %d jobs failed, the first (%s) with %s", count, len(jobs), shorten(first.Name), errnoText(first.Error))
	}
}

// errnos are the errors of Linux that storage gives, by number; the judging machine may be another system.
var errnos = map[int]string{
	1: "operation not permitted", 2: "no such file or directory", 5: "input/output error", 6: "no such device or address",
	9: "bad file descriptor", 11: "resource temporarily unavailable", 12: "out of memory", 13: "permission denied",
	16: "device or resource busy", 19: "no such device", 22: "invalid argument", 24: "too many open files",
	25: "inappropriate ioctl for device", 27: "file too large", 28: "no space left on device", 30: "read-only file system",
	61: "no data available", 62: "timer expired", 84: "data that were not as written (verify)", 95: "operation not supported",
	110: "timed out", 116: "stale file handle", 121: "remote I/O error", 122: "disk quota exceeded",
}

func errnoText(n int) string {
	if n == 0 {
		return "none"
	}
	if text, ok := errnos[n]; ok {
		return fmt.Sprintf("error %d (%s)", n, text)
	}
	return fmt.Sprintf("error %d", n)
}

// judgeDirections wants I/O in each of the directions, and in no other, of every job.
func judgeDirections(f *finding, want []string, jobs []job) {
	for _, name := range []string{"read", "write"} {
		idle, busy := 0, 0
		for i := range jobs {
			if ran(jobs[i].direction(name)) {
				busy++
			} else if !ran(jobs[i].Mixed) {
				idle++
			}
		}
		wanted := name == want[0] || name == want[len(want)-1]
		switch {
		case wanted && idle > 0:
			f.fault("%d of %d jobs finished no %s", idle, len(jobs), name)
		case !wanted && busy > 0:
			f.fault("%d of %d jobs did %ss, which were not wanted", busy, len(jobs), name)
		}
	}
}

func (j *job) direction(name string) *direction {
	if name == "read" {
		return j.Read
	}
	return j.Write
}

// ran reports whether a direction moved data. An I/O that failed is counted by fio too, but it moved none.
func ran(d *direction) bool { return d != nil && d.IOs > 0 && d.Bytes > 0 && d.Runtime > 0 }

// elapsed is how long a job did I/O, in seconds.
func (j *job) elapsed() float64 {
	ms := 0.0
	for _, d := range []*direction{j.Read, j.Write, j.Mixed} {
		if ran(d) {
			ms = math.Max(ms, d.Runtime)
		}
	}
	return ms / 1000
}

// short reports whether a runtime falls short of the wanted one by more than fio's rounding: 1 % and two milliseconds.
func short(seconds, want float64) bool { return seconds < want*0.99-0.002 }

// judgeRuntime wants every job to have run for the wanted time.
func judgeRuntime(f *finding, want float64, jobs []job) {
	for i := range jobs {
		if got := jobs[i].elapsed(); short(got, want) {
			f.fault("job %s ran for %s of %s", shorten(jobs[i].Name), unit.FormatSeconds(got), unit.FormatSeconds(want))
			return
		}
	}
}

// judgeImport holds jobs against what the configuration gives, and where it gives nothing, against fio's own options as
// its output states them.
func judgeImport(f *finding, c config, doc *document, jobs []job) {
	if len(jobs) == 0 {
		f.fault("the output holds no jobs, so nothing was measured")
		return
	}
	judgeErrors(f, jobs)
	if names, groups := groupsOf(jobs); groups > 1 {
		f.fault("the file holds %d groups of jobs that ran one after another (%s); import one group in a file of its own", groups, names)
		return
	}
	global := readOptions(doc.Global)
	option := func(j *job, name string) string {
		if v, ok := readOptions(j.Options)[name]; ok {
			return v
		}
		return global[name]
	}
	for i := range jobs {
		if j := &jobs[i]; !ran(j.Read) && !ran(j.Write) && !ran(j.Mixed) {
			f.fault("job %s finished no read and no write", shorten(j.Name))
			return
		}
	}
	if _, ok := c.text("rw"); ok {
		judgeDirections(f, c.directions(), jobs)
	}
	judgeCopies(f, c, jobs, option)
	if want, ok := c.number("runtime"); ok {
		judgeRuntime(f, want, jobs)
	} else {
		judgeOwnRuntime(f, jobs, option)
	}
	checkBlockSize(f, jobs, func(j *job) float64 {
		if bs, ok := c.number("bs"); ok {
			return bs
		}
		for _, name := range []string{"bssplit", "bsrange", "kb_base", "bs_unaligned"} {
			if option(j, name) != "" {
				return 0
			}
		}
		bs, _ := fioSize(option(j, "bs"))
		return bs
	})
}

// groupsOf counts the groups of jobs; those of one group ran at the same time.
func groupsOf(jobs []job) (names string, groups int) {
	seen := map[string]bool{}
	ids := map[int]bool{}
	for i := range jobs {
		seen[shorten(jobs[i].Name)] = true
		ids[jobs[i].Group] = true
	}
	list := make([]string, 0, len(seen))
	for n := range seen {
		list = append(list, n)
	}
	sort.Strings(list)
	return strings.Join(list, ", "), len(ids)
}

// judgeCopies wants an entry for each copy of a job (numjobs), or one for all of them: with group_reporting fio sums
// job_runtime over the copies, by which such an entry is known.
func judgeCopies(f *finding, c config, jobs []job, option func(*job, string) string) {
	entries := map[string]int{}
	for i := range jobs {
		entries[jobs[i].Host+" "+jobs[i].Port.String()+" "+jobs[i].Name]++
	}
	for i := range jobs {
		j := &jobs[i]
		want, given := c.number("numjobs")
		if !given {
			want, _ = strconv.ParseFloat(option(j, "numjobs"), 64)
		}
		got := entries[j.Host+" "+j.Port.String()+" "+j.Name]
		if float64(got) >= want {
			continue
		}
		switch grouped := j.Runtime / 1000 / math.Max(j.elapsed(), 0.001); {
		case got == 1 && j.Runtime == 0:
			f.warn("copies_unknown", "job %s has one entry for %g copies, and this version of fio does not show whether all ran", shorten(j.Name), want)
		case got == 1 && grouped > want*0.75:
		default:
			f.fault("%d of %g jobs %s are in the output", got, want, shorten(j.Name))
		}
		return
	}
}

// judgeOwnRuntime compares with fio's own runtime option. A job that fell short of it may have come to the end of its size,
// unless it was time_based, which only 3.39 and later state.
func judgeOwnRuntime(f *finding, jobs []job, option func(*job, string) string) {
	for i := range jobs {
		j := &jobs[i]
		want, ok := fioSeconds(option(j, "runtime"))
		if !ok || !short(j.elapsed(), want) || j.Steady != nil && j.Steady.Attained != 0 || option(j, "latency_target") != "" {
			continue
		}
		got := fmt.Sprintf("job %s ran for %s of %s", shorten(j.Name), unit.FormatSeconds(j.elapsed()), unit.FormatSeconds(want))
		size, sized := fioSize(option(j, "size"))
		for _, name := range []string{"io_size", "io_limit", "number_ios", "rwmixread", "filesize", "nrfiles"} {
			sized = sized && option(j, name) == "" // then the end may lie elsewhere than at the size
		}
		moved := 0.0
		for _, d := range []*direction{j.Read, j.Write, j.Mixed} {
			if ran(d) {
				moved += d.bytes()
			}
		}
		if sized && moved < size*0.99 {
			f.fault("%s and moved %s of %s", got, unit.Format(moved, unit.Bytes, ""), unit.Format(size, unit.Bytes, ""))
			return
		}
		f.warn("short_runtime", "%s; it may have come to the end of its size, or have been ended", got)
		return
	}
}

var (
	fioSizeRE = regexp.MustCompile(`^([0-9]{1,15})([kKmMgGtT]?)$`)
	fioTimeRE = regexp.MustCompile(`^([0-9]{1,12})(us|ms|s|m|h|d)?$`)
)

// fioSize reads a single size in the forms that mean the same in every fio; bytes or a bare suffix.
func fioSize(text string) (bytes float64, ok bool) {
	m := fioSizeRE.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	shift := map[string]int{"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[strings.ToLower(m[2])]
	return math.Ldexp(n, shift), err == nil && n > 0
}

// fioSeconds reads a duration of fio's whose default unit is the second.
func fioSeconds(text string) (seconds float64, ok bool) {
	m := fioTimeRE.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	factor := map[string]float64{"us": 1e-6, "ms": 1e-3, "": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[m[2]]
	return n * factor, err == nil && n > 0
}
