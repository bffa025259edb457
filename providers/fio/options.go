package fio

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/assay-bench/assay/lang/unit"
)

// form is what the value of an option may look like. fio hides files and commands in values (mem=mmap:FILE,
// ioengine=external:FILE, buffer_pattern='FILE'), so that a value is let through only when its form is known.
type form struct {
	kind    string // bool, integer, size, time, enum, pattern
	min     int64
	max     int64
	values  []string
	re      *regexp.Regexp
	like    string   // an example, for messages and tests
	engines []string // the engines that know the option; empty: all
}

var (
	boolean    = form{kind: "bool", like: "true"}
	sizes      = form{kind: "size", like: "4KiB"}
	duration   = form{kind: "time", like: "10ms"}
	percentage = integer(0, 100)
)

func integer(min, max int64) form {
	return form{kind: "integer", min: min, max: max, like: strconv.FormatInt(max, 10)}
}

func enum(values ...string) form {
	return form{kind: "enum", values: values, like: values[len(values)-1]}
}

func pattern(re, like string) form {
	return form{kind: "pattern", re: regexp.MustCompile(`\A(?:` + re + `)\z`), like: like}
}

func (f form) only(engines ...string) form {
	f.engines = engines
	return f
}

const (
	blockRE = `[0-9]{1,12}[kmg]?`
	splitRE = blockRE + `/[0-9]{0,3}(?::` + blockRE + `/[0-9]{0,3})*`
	rangeRE = blockRE + `-` + blockRE
	listRE  = `[0-9]{1,4}(?:-[0-9]{1,4})?(?:,[0-9]{1,4}(?:-[0-9]{1,4})?)*`
	realRE  = `[0-9]{1,6}(?:\.[0-9]{1,6})?`
)

// allowed are the options that options = {} may hold, by exact name. None of them names a file, runs a command, adds a job,
// ends the run early without saying so, takes away what a sample is made of, or changes another file than the test's.
var allowed = map[string]form{
	// Blocks and order.
	"ba":                  sizes,
	"bsrange":             pattern(rangeRE+`(?:,`+rangeRE+`)?`, "4k-64k"),
	"bssplit":             pattern(splitRE+`(?:,`+splitRE+`)?`, "4k/60:64k/40"),
	"bs_unaligned":        boolean,
	"rw_sequencer":        enum("sequential", "identical"),
	"offset_increment":    sizes,
	"offset_align":        sizes,
	"number_ios":          integer(1, 1<<40),
	"loops":               integer(1, 1e6),
	"random_generator":    enum("tausworthe", "lfsr", "tausworthe64"),
	"random_distribution": pattern(`random|(?:zipf|pareto|normal):`+realRE+`(?::`+realRE+`)?|zoned:[0-9]{1,3}/[0-9]{1,3}(?::[0-9]{1,3}/[0-9]{1,3})*`, "zipf:1.2"),
	"percentage_random":   percentage,
	"allrandrepeat":       boolean,
	"zonemode":            enum("none", "strided"),
	"zonesize":            sizes,
	"zonerange":           sizes,
	"zoneskip":            sizes,
	// Depth.
	"iodepth_batch":              integer(1, 65536),
	"iodepth_batch_complete_min": integer(0, 65536),
	"iodepth_batch_complete_max": integer(1, 65536),
	"iodepth_low":                integer(1, 65536),
	"serialize_overlap":          boolean,
	"io_submit_mode":             enum("inline", "offload"),
	// The file.
	"fallocate":        enum("none", "native", "posix", "keep", "truncate"),
	"fadvise_hint":     enum("0", "1", "random", "sequential"),
	"overwrite":        boolean,
	"create_serialize": boolean,
	"create_fsync":     boolean,
	"pre_read":         boolean,
	"unlink":           boolean,
	"fsync_on_close":   boolean,
	"write_barrier":    integer(0, 1<<30),
	"sync_file_range":  pattern(`(?:wait_before|write|wait_after)(?:,(?:wait_before|write|wait_after))*:[0-9]{1,9}`, "wait_before,write:8"),
	"write_hint":       enum("none", "short", "medium", "long", "extreme"),
	// Pace.
	"startdelay":            duration,
	"thinktime":             duration,
	"thinktime_spin":        duration,
	"thinktime_blocks":      integer(1, 1<<30),
	"thinktime_blocks_type": enum("complete", "issue"),
	"thinktime_iotime":      duration,
	"rate_process":          enum("linear", "poisson"),
	"rate_ignore_thinktime": boolean,
	"max_latency":           duration,
	"latency_target":        duration,
	"latency_window":        duration,
	"latency_percentile":    pattern(realRE, "99.9"),
	"latency_run":           boolean,
	"steadystate":           pattern(`(?:iops|bw)(?:_slope)?:`+realRE+`%?`, "iops_slope:0.3%"),
	"steadystate_duration":  duration,
	"steadystate_ramp_time": duration,
	// Buffers.
	"mem":                           enum("malloc", "shm", "mmap", "mmapshared"),
	"iomem_align":                   sizes,
	"lockmem":                       sizes,
	"zero_buffers":                  boolean,
	"scramble_buffers":              boolean,
	"buffer_pattern":                pattern(`0x[0-9a-fA-F]{1,64}`, "0xdeadbeef"),
	"buffer_compress_percentage":    percentage,
	"buffer_compress_chunk":         sizes,
	"dedupe_percentage":             percentage,
	"dedupe_mode":                   enum("repeat", "working_set"),
	"dedupe_working_set_percentage": percentage,
	"dedupe_global":                 boolean,
	// The job on the machine.
	"cpus_allowed":        pattern(listRE, "0-3,8"),
	"cpus_allowed_policy": enum("shared", "split"),
	"numa_cpu_nodes":      pattern(listRE, "0"),
	"numa_mem_policy":     pattern(`default|local|(?:prefer|bind|interleave):`+listRE, "bind:0"),
	"nice":                integer(-20, 19),
	"prio":                integer(0, 7),
	"prioclass":           integer(0, 3),
	"clocksource":         enum("gettimeofday", "clock_gettime", "cpu"),
	// What is timed.
	"gtod_reduce":            boolean,
	"gtod_cpu":               integer(0, 4095),
	"disable_lat":            boolean,
	"disable_clat":           boolean,
	"disable_slat":           boolean,
	"disable_bw_measurement": boolean,
	// Of single engines.
	"userspace_reap":     boolean.only("libaio"),
	"cmdprio_percentage": percentage.only("libaio", "io_uring"),
	"cmdprio_class":      integer(0, 3).only("libaio", "io_uring"),
	"cmdprio":            integer(0, 7).only("libaio", "io_uring"),
	"nowait":             boolean.only("libaio", "io_uring", "pvsync2"),
	"hipri":              boolean.only("io_uring", "pvsync2"),
	"hipri_percentage":   percentage.only("pvsync2"),
	"uncached":           boolean.only("io_uring", "pvsync2"),
	"fixedbufs":          boolean.only("io_uring"),
	"registerfiles":      boolean.only("io_uring"),
	"sqthread_poll":      boolean.only("io_uring"),
	"sqthread_poll_cpu":  integer(0, 4095).only("io_uring"),
	"nonvectored":        boolean.only("io_uring"),
	"force_async":        integer(0, 65536).only("io_uring"),
	"thp":                boolean.only("mmap"),
}

// read checks a value and gives it as fio takes it. The error says what was expected.
func (f form) read(value string) (string, error) {
	if len(value) > 200 {
		return "", fmt.Errorf("the value has %d characters; no option here takes more than 200", len(value))
	}
	switch f.kind {
	case "bool":
		switch value {
		case "true", "1":
			return "1", nil
		case "false", "0":
			return "0", nil
		}
		return "", fmt.Errorf("%q is neither true nor false", value)
	case "integer":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < f.min || n > f.max {
			return "", fmt.Errorf("%q is not a whole number from %d to %d", value, f.min, f.max)
		}
		return strconv.FormatInt(n, 10), nil
	case "size":
		q, err := unit.Parse(value, unit.Bytes)
		if err != nil {
			return "", err
		}
		if r := q.Rat(); !r.IsInt() || r.Sign() < 0 || !r.Num().IsInt64() {
			return "", fmt.Errorf("%q is not a size in whole bytes", value)
		}
		return sizeText(q.Rat().Num().Int64()), nil
	case "time":
		q, err := unit.Parse(value, unit.Seconds)
		if err != nil {
			return "", err
		}
		text, ok := timeText(q.Float(), false)
		if !ok || q.Float() < 0 {
			return "", fmt.Errorf("%q is not a duration in whole microseconds", value)
		}
		return text, nil
	case "enum":
		if slices.Contains(f.values, value) {
			return value, nil
		}
		return "", fmt.Errorf("%q is not one of %s%s", value, strings.Join(f.values, ", "), didYouMean(value, f.values))
	}
	if !f.re.MatchString(value) {
		return "", fmt.Errorf("%q does not have the form of %q, which is the only one that is let through", value, f.like)
	}
	return value, nil
}

// optionProblem says why an option of options = {} is refused; "" where it is let through.
func optionProblem(name, value, engine string) (summary, detail string) {
	f, ok := allowed[name]
	if !ok {
		return fmt.Sprintf("Option %q is refused", name), refusal(name)
	}
	if len(f.engines) > 0 && !slices.Contains(f.engines, engine) {
		return fmt.Sprintf("Option %q is of another engine", name),
			fmt.Sprintf("Only %s knows %s; set ioengine to it, or leave the option out.", strings.Join(f.engines, " or "), name)
	}
	if _, err := f.read(value); err != nil {
		return fmt.Sprintf("Invalid value of option %q", name), capital(err.Error()) + fmt.Sprintf(". Write it like %s = %q.", name, f.like)
	}
	return "", ""
}

// didYouMean proposes the nearest of names, where one is near.
func didYouMean(name string, names []string) string {
	best, at := "", 3
	for _, n := range names {
		if d := levenshtein.Distance(name, n, nil); d < at && d < len(name) {
			best, at = n, d
		}
	}
	if best == "" {
		return "."
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
