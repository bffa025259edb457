package fio

import (
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// engines are the engines that a test may name: those that do I/O on files of the host, in the order of fio's manual. Left
// out are engines that do none (null, cpuio, exec), that measure something other than reads and writes (filecreate,
// falloc), that have a target of another kind (net, rbd, nbd, mtd, sg, …), and external ones, which load a file.
var engines = []string{"sync", "psync", "vsync", "pvsync", "pvsync2", "io_uring", "libaio", "posixaio", "mmap"}

// synchronous are the engines that have one I/O in flight whatever iodepth says.
var synchronous = map[string]bool{"": true, "sync": true, "psync": true, "vsync": true, "pvsync": true, "pvsync2": true, "mmap": true}

func providerSchema() *schema.Provider {
	return &schema.Provider{
		Name:     "fio",
		Version:  "1",
		Doc:      "fio, the flexible I/O tester: one job on each host for each repetition, on what may be preconditioned before.",
		Datasets: []schema.Type{preconditionSchema()},
		Tests:    []schema.Type{testType(), jobsSchema()},
	}
}

func testType() schema.Type {
	return schema.Type{
		Name:     "fio",
		Doc:      "A fio job, on each host one that begins at the same time. Attributes bear the names of fio's options; what is not given is as fio has it by default.",
		Body:     schema.Block{Attributes: attributes()},
		Measures: measures(),
		Imports:  []string{"json"},
		Tools:    []string{"fio"},
		Warmup:   true,
	}
}

// ours are the attributes that fio has no option for, or none that is passed on as it stands.
var ours = map[string]bool{"device": true, "devices": true, "directory": true, "directories": true, "file": true,
	"log_avg_msec": true, "log_hist_msec": true, "options": true}

// attributes are those of the test, in the order in which they are passed to fio. All but ours are passed
// as they are named; none has a default here, since fio's own defaults hold.
func attributes() []schema.Attribute {
	text := func(name, doc string, enum ...string) schema.Attribute {
		return schema.Attribute{Name: name, Doc: doc, Kind: schema.String, Enum: enum}
	}
	quantity := func(name string, dim unit.Dim, min, doc string) schema.Attribute {
		return schema.Attribute{Name: name, Doc: doc, Kind: schema.Quantity, Dim: dim, Min: min}
	}
	integer := func(name, min, max, doc string) schema.Attribute {
		return schema.Attribute{Name: name, Doc: doc, Kind: schema.Integer, Min: min, Max: max}
	}
	flag := func(name, doc string) schema.Attribute {
		return schema.Attribute{Name: name, Doc: doc, Kind: schema.Bool}
	}
	return []schema.Attribute{
		{
			Name: "device", Kind: schema.String, Target: true,
			Doc: "Block device on which fio works, as a whole unless size says less: the output of a setup. This, devices, directory or directories is needed unless the test is imported.",
		},
		{
			Name: "devices", Kind: schema.StringList, Target: true,
			Doc: "Several of them; each job works on all.",
		},
		{
			Name: "directory", Kind: schema.String, Target: true,
			Doc: "Directory in which fio lays out its file, assay-fio-FILE, shared by all jobs of the test: the path of a setup.",
		},
		{
			Name: "directories", Kind: schema.StringList, Target: true,
			Doc: "Several of them, with a file in each; each job works on all.",
		},
		text("file", "What the name of the file is after assay-fio-; the block's name unless given. Tests that give the same name work on the same file, which is laid out once."),
		text("rw", "Direction and order of the I/O; fio's default is read.",
			"read", "write", "randread", "randwrite", "rw", "readwrite", "randrw"),
		quantity("bs", unit.Bytes, "1B", "Block size; fio's default is 4 KiB."),
		integer("rwmixread", "0", "100", "Percentage of a mixed workload that is reads; fio's default is 50."),
		text("ioengine", "How I/O is issued; fio's default is psync.", engines...),
		integer("iodepth", "1", "65536", "I/Os in flight for each job; only asynchronous engines (io_uring, libaio, posixaio) have more than one."),
		integer("numjobs", "1", "1024", "Jobs that do the same at the same time, on the same file."),
		flag("direct", "O_DIRECT: past the page cache."),
		quantity("size", unit.Bytes, "1B", "Bytes that each job goes over in all. Unless filesize is given, also the size of the file, and divided among several: of size = \"16GiB\" each of four files has 4 GiB."),
		quantity("filesize", unit.Bytes, "1B", "Size of each file, whatever their number; without size each job goes over all of them."),
		quantity("io_size", unit.Bytes, "1B", "Bytes of I/O that each job does in all; without effect where runtime is given."),
		quantity("offset", unit.Bytes, "0B", "Where in the file the I/O starts."),
		quantity("ramp_time", unit.Seconds, "0s", "Time that runs before anything is measured; the same as warmup, in fio's word."),
		quantity("runtime", unit.Seconds, "1us", "Time that is measured; the job goes on over its size again until then (time_based)."),
		quantity("rate", unit.BytesPerSec, "1B/s", "Limit on the bandwidth of each direction of each job."),
		quantity("rate_iops", unit.PerSecond, "1 IOPS", "Limit on the IOPS of each direction of each job."),
		integer("fsync", "0", "", "fsync after so many writes; 0: never."),
		integer("fdatasync", "0", "", "fdatasync after so many writes; 0: never."),
		flag("end_fsync", "fsync at the end of the job."),
		text("sync", "Open the file for synchronous writes.", "none", "sync", "dsync"),
		flag("invalidate", "Drop the file's pages from the page cache first; fio's default is true."),
		flag("thread", "Jobs are threads instead of processes."),
		flag("norandommap", "Random blocks may repeat before all were used."),
		flag("randrepeat", "The same random sequence in every run; fio's default is true."),
		integer("randseed", "0", "", "Seed of the random sequence."),
		flag("refill_buffers", "New buffer contents for every write."),
		text("verify", "Checksum by which data are verified. A test that writes reads all back when it has written it, and its figures are those of the writes alone; one that reads checks what another has "+
			"written with the same file, bs and verify. Data that are not as written fail the sample, with their offset.", checksums...),
		quantity("log_avg_msec", unit.Seconds, "50ms", "How bandwidth and IOPS went over time, as series: a point for each such time. Without it there are none."),
		quantity("log_hist_msec", unit.Seconds, "50ms", "How the percentiles of latency went over time, likewise: fio keeps a histogram for each such time."),
		{
			Name: "options", Kind: schema.Map,
			Doc: "Any other option of fio that neither names a file nor runs a command, by its exact name.",
		},
	}
}

// measures are those of design section 8; Parse gives each of several hosts its own, and one over all hosts, of percentiles that of the
// merged bins. All are absent where the direction did not run, and those of latency where fio
// was told not to take it.
func measures() []schema.Measure {
	host := []string{"host"} // where a test runs on several
	var ms []schema.Measure
	for _, d := range []struct{ prefix, of string }{{"", "all I/O"}, {"read_", "reads"}, {"write_", "writes"}} {
		ms = append(ms,
			schema.Measure{Name: d.prefix + "bandwidth", Doc: "Bytes per second of " + d.of + ", summed over the jobs.",
				Dim: unit.BytesPerSec, Better: schema.Higher, Keys: host, RollUp: schema.Sum},
			schema.Measure{Name: d.prefix + "iops", Doc: "I/Os per second of " + d.of + ", summed over the jobs.",
				Dim: unit.PerSecond, Symbol: "IOPS", Better: schema.Higher, Keys: host, RollUp: schema.Sum})
		for _, l := range []struct {
			suffix, what string
			quantile     float64
		}{
			{"mean", "Mean", 0}, {"p50", "Median", 0.5}, {"p95", "95th percentile", 0.95}, {"p99", "99th percentile", 0.99},
			{"p99_9", "99.9th percentile (from 10,000 I/Os on)", 0.999}, {"max", "Longest", 1},
		} {
			m := schema.Measure{Name: d.prefix + "latency_" + l.suffix,
				Doc: l.what + " of the completion latency of " + d.of + ", over all jobs.", Dim: unit.Seconds, Better: schema.Lower, Keys: host, RollUp: schema.Mean}
			if l.quantile > 0 {
				m.RollUp, m.Histogram, m.Quantile = schema.Merged, d.prefix+"latency", l.quantile
			}
			ms = append(ms, m)
		}
	}
	return append(ms,
		schema.Measure{Name: "cpu_user", Doc: "Share of one CPU that a job spent in user mode, mean over the jobs.", Dim: unit.One, Better: schema.Lower, Keys: host, RollUp: schema.Mean},
		schema.Measure{Name: "cpu_system", Doc: "Share of one CPU that a job spent in the kernel, mean over the jobs.", Dim: unit.One, Better: schema.Lower, Keys: host, RollUp: schema.Mean})
}
