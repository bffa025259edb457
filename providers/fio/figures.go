package fio

import (
	"math"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// bytes is what a direction moved. Up to 2.20 fio counted KiB under the same name, and had no io_kbytes.
func (d *direction) bytes() float64 {
	if d.Kilobytes == nil {
		return d.Bytes * 1024
	}
	return d.Bytes
}

// computed is bytes over time.
func (d *direction) computed() float64 { return d.bytes() / (d.Runtime / 1000) }

// bandwidth is in bytes per second: fio's own where it gives bytes, else bytes over time.
func (d *direction) bandwidth() float64 {
	if d.BWBytes != nil {
		return *d.BWBytes
	}
	return d.computed()
}

// tolerance is how far two ways to one figure may differ before it is said.
const tolerance = 0.02

func apart(a, b float64) bool { return math.Abs(a-b) > tolerance*math.Max(math.Abs(a), math.Abs(b)) }

// figures fills in the measures and histograms of jobs that count, with keys, and says where fio contradicts itself.
func figures(f *finding, jobs []job, s *measure.Sample, keys addr.Coordinates) {
	all := &tally{}
	read, write := &tally{}, &tally{}
	for i := range jobs {
		j := &jobs[i]
		both := false
		for _, part := range []struct {
			name string
			d    *direction
			into *tally
		}{{"read", j.Read, read}, {"write", j.Write, write}, {"mixed", j.Mixed, nil}} {
			if !ran(part.d) || part.into == nil && both { // unified_rw_reporting=both gives mixed beside the others
				continue
			}
			both = true
			checkBandwidth(f, j, part.name, part.d)
			for _, t := range []*tally{all, part.into} {
				if t == nil {
					continue
				}
				if err := t.add(part.d); err != nil {
					f.fault("job %s: %s", shorten(j.Name), err)
					return
				}
			}
		}
		if ran(j.Trim) {
			f.warn("trims", "job %s trimmed too; trims are not measured", shorten(j.Name))
		}
	}
	all.checkHistogram(f)
	all.put(s, "", keys)
	read.put(s, "read_", keys)
	write.put(s, "write_", keys)
	putCPU(s, jobs, keys)
}

// tally sums one direction, or all, over the jobs.
type tally struct {
	bandwidth, iops float64
	latency         distribution
	ran             bool
}

func (t *tally) add(d *direction) error {
	t.ran = true
	t.bandwidth += d.bandwidth()
	t.iops += d.IOPS
	return t.latency.add(d)
}

func (t *tally) put(s *measure.Sample, prefix string, keys addr.Coordinates) {
	if !t.ran {
		return
	}
	put := func(name string, v float64) {
		s.Values = append(s.Values, measure.Value{Measure: prefix + name, Keys: keys, Value: v})
	}
	put("bandwidth", t.bandwidth)
	put("iops", t.iops)
	latencies := t.latency.figures()
	for _, name := range []string{"mean", "p50", "p95", "p99", "p99_9", "max"} {
		if v, ok := latencies[name]; ok {
			put("latency_"+name, v)
		}
	}
	if bins := t.latency.histogram(); bins != nil {
		s.Histograms = append(s.Histograms, measure.Histogram{Measure: prefix + "latency", Keys: keys, Bins: bins})
	}
}

func (t *tally) checkHistogram(f *finding) {
	if bins := t.latency.histogram(); bins != nil && apart(float64(total(bins)), t.latency.n) {
		f.warn("histogram_mismatch", "the latency bins hold %d I/Os, but fio timed %.0f", total(bins), t.latency.n)
	}
}

// putCPU gives the shares of CPU time, weighted by how long each job ran.
func putCPU(s *measure.Sample, jobs []job, keys addr.Coordinates) {
	var user, system, weight float64
	for i := range jobs {
		j := &jobs[i]
		w := j.Runtime
		if w == 0 {
			w = j.elapsed() * 1000
		}
		if j.UserCPU == nil || j.SystemCPU == nil || w == 0 {
			continue
		}
		user += *j.UserCPU * w
		system += *j.SystemCPU * w
		weight += w
	}
	if weight > 0 {
		s.Values = append(s.Values, measure.Value{Measure: "cpu_user", Keys: keys, Value: user / weight / 100},
			measure.Value{Measure: "cpu_system", Keys: keys, Value: system / weight / 100})
	}
}

// checkBandwidth compares fio's bandwidth with its bytes over its time. Before 3.8 fio gave whole KiB/s only.
func checkBandwidth(f *finding, j *job, name string, d *direction) {
	given := d.BW * 1024
	if d.BWBytes != nil {
		given = *d.BWBytes
	}
	if computed := d.computed(); apart(given, computed) && math.Abs(given-computed) > 1024 {
		f.warn("bandwidth_mismatch", "job %s, %s: fio gives %s, but %s in %s are %s", shorten(j.Name), name, unit.Format(given, unit.BytesPerSec, ""),
			unit.Format(d.bytes(), unit.Bytes, ""), unit.FormatSeconds(d.Runtime/1000), unit.Format(computed, unit.BytesPerSec, ""))
	}
}

// minForIOPS is how many I/Os there must be for IOPS times block size to be held against the bandwidth: with fewer, those
// in flight at the end make a difference.
const minForIOPS = 1000

// checkBlockSize compares IOPS times block size with the bandwidth, where bs gives a single block size.
func checkBlockSize(f *finding, jobs []job, bs func(*job) float64) {
	for i := range jobs {
		j := &jobs[i]
		size := bs(j)
		for _, part := range []struct {
			name string
			d    *direction
		}{{"read", j.Read}, {"write", j.Write}, {"mixed", j.Mixed}} {
			if d := part.d; size > 0 && ran(d) && d.IOs >= minForIOPS && apart(d.IOPS*size, d.bandwidth()) {
				f.warn("iops_mismatch", "job %s, %s: %s of %s are %s, but the bandwidth is %s", shorten(j.Name), part.name, unit.Format(d.IOPS, unit.PerSecond, "IOPS"),
					unit.Format(size, unit.Bytes, ""), unit.Format(d.IOPS*size, unit.BytesPerSec, ""), unit.Format(d.bandwidth(), unit.BytesPerSec, ""))
			}
		}
	}
}
