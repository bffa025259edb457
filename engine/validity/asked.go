package validity

import "github.com/assay-bench/assay/lang/unit"

// The figures of a sample against what the test was told to do. The attributes bear fio's names, and whatever type has them
// means the same by them.

// blockSize: IOPS times one block size is the bandwidth.
func blockSize(d *doubts) {
	bs, ok := d.number("bs")
	iops, a := d.sample.Get("iops")
	bandwidth, b := d.sample.Get("bandwidth")
	if !ok || !a || !b || d.option("bssplit") || d.option("bsrange") || d.option("bs_unaligned") {
		return
	}
	if total := d.operations(); total > 0 && total < 1000 {
		return // those in flight at the end make a difference
	}
	if apart(iops*bs, bandwidth, 0.05) {
		d.warn("iops_mismatch", "%s of %s are %s, but the bandwidth is %s", unit.Format(iops, unit.PerSecond, "IOPS"),
			unit.Format(bs, unit.Bytes, ""), unit.Format(iops*bs, unit.BytesPerSec, ""), unit.Format(bandwidth, unit.BytesPerSec, ""))
	}
}

// queue: by Little's law as many I/Os were in flight as there are IOPS times the mean latency. There cannot be more than the jobs may have,
// and where there are far fewer the test did not do what it says.
func queue(d *doubts) {
	iops, a := d.sample.Get("iops")
	latency, b := d.sample.Get("latency_mean")
	depth, asked := d.number("iodepth")
	jobs, given := d.number("numjobs")
	if !given {
		jobs = 1
	}
	if !a || !b || !asked || !given && len(d.Exits) == 0 {
		return // a file that exists already may come from any number of jobs
	}
	may := depth * jobs * float64(max(1, d.Hosts))
	switch flight := iops * latency; {
	case flight > may*1.1:
		d.warn("littles_law", "%s with a mean latency of %s are %.1f I/Os in flight, but no more than %g may be (iodepth %g, %g jobs)",
			unit.Format(iops, unit.PerSecond, "IOPS"), unit.FormatSeconds(latency), flight, may, depth, jobs)
	case flight < may/2 && depth > 1 && !d.held():
		d.warn("queue_not_filled", "%s with a mean latency of %s are %.1f I/Os in flight of the %g that were asked for (iodepth %g, %g jobs); an engine that is synchronous, or I/O that is not direct, has one for each job",
			unit.Format(iops, unit.PerSecond, "IOPS"), unit.FormatSeconds(latency), flight, may, depth, jobs)
	}
}

// held tells whether the test holds I/O back by itself, so that its queue need not be full.
func (d *doubts) held() bool {
	for _, name := range []string{"rate", "rate_iops", "fsync", "fdatasync"} {
		if n, ok := d.number(name); ok && n > 0 {
			return true
		}
	}
	return d.option("thinktime") || d.option("iodepth_batch") || d.option("iodepth_batch_complete_min") || d.option("latency_target")
}

// rates: a limit that the test sets for each direction of each job is not exceeded.
func rates(d *doubts) {
	jobs, ok := d.number("numjobs")
	if !ok {
		jobs = 1
	}
	for _, limit := range []struct{ option, of string }{{"rate", "bandwidth"}, {"rate_iops", "iops"}} {
		per, ok := d.number(limit.option)
		if !ok || !(per > 0) {
			continue
		}
		may := per * jobs * float64(max(1, d.Hosts))
		for _, direction := range []string{"read_", "write_"} {
			m := measureOf(d.Measures, direction+limit.of)
			if v, ok := d.sample.Get(direction + limit.of); ok && m != nil && v > may*1.05 {
				d.warn("rate_exceeded", "%s is %s, but %s = %s for each of %g jobs lets through %s", m.Name, show(v, m), limit.option, show(per, m), jobs, show(may, m))
			}
		}
	}
}
