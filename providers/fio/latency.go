package fio

import (
	"fmt"
	"math"
	"math/bits"
	"sort"
	"strconv"

	"github.com/assay-bench/assay/providers/measure"
)

// distribution is a completion latency in seconds, merged over jobs and directions.
type distribution struct {
	n       float64 // I/Os that were timed
	sum     float64 // of latencies: mean times n
	max     float64
	bins    map[float64]uint64
	sources int                // jobs and directions that were merged
	binned  int                // those of them that brought bins
	own     map[string]float64 // fio's own percentiles, in seconds, of the last source
}

// add merges what fio says of one direction of one job. Nothing is added where nothing was timed.
func (d *distribution) add(dir *direction) error {
	clat, unit, index := dir.ClatNS, 1e9, false
	if clat == nil {
		clat, unit = dir.ClatUS, 1e6
	}
	if clat == nil {
		return nil
	}
	n := dir.IOs // up to 3.17 there is no N
	if clat.N != nil {
		n = *clat.N
	}
	if n <= 0 || clat.Max == 0 && clat.Mean == 0 { // not timed: disable_clat, gtod_reduce
		return nil
	}
	d.sources++
	d.n += n
	d.sum += clat.Mean / unit * n
	d.max = math.Max(d.max, clat.Max/unit)
	d.own = make(map[string]float64, len(clat.Percentile))
	for name, v := range clat.Percentile {
		if p, err := strconv.ParseFloat(name, 64); err == nil && p > 0 { // up to 3.1 also "0.00": 0, several times
			d.own[strconv.FormatFloat(p, 'f', -1, 64)] = v / unit
		}
	}
	_, index = clat.Bins["FIO_IO_U_PLAT_BITS"]
	any := false
	for name, count := range clat.Bins {
		if count == 0 || len(name) > 0 && name[0] == 'F' { // FIO_IO_U_PLAT_BITS, _VAL, _NR
			continue
		}
		v, err := strconv.ParseUint(name, 10, 62)
		if err != nil {
			return fmt.Errorf("the latency bin %q is not a number", name)
		}
		if index {
			if clat.Bins["FIO_IO_U_PLAT_BITS"] != platBits || v >= platNumber {
				return fmt.Errorf("the latency bin %d is beyond those of this fio", v)
			}
			v = binValue(v)
		}
		any = true
		if d.bins == nil {
			d.bins = map[float64]uint64{}
		}
		at := float64(v) / unit
		if count > 1<<53 || d.bins[at] > 1<<53 {
			return fmt.Errorf("the latency bin %q counts %d I/Os, more than there can be", name, count)
		}
		d.bins[at] += count
	}
	if any {
		d.binned++
	}
	return nil
}

// Of fio up to 2.21: buckets by index, with platBits of precision.
const (
	platBits   = 6
	platNumber = 1216
)

// binValue gives the value of a bucket as fio computes it: the value itself below 128, beyond that the middle of the
// bucket. Source: plat_idx_to_val in fio's stat.c.
func binValue(index uint64) uint64 {
	if index < 1<<(platBits+1) {
		return index
	}
	shift := index>>platBits - 1
	base := uint64(1) << (shift + platBits)
	return base + index%(1<<platBits)<<shift + 1<<shift/2
}

// histogram gives the bins, ascending; nil where not every source had some.
func (d *distribution) histogram() []measure.Bin {
	if d.sources == 0 || d.binned != d.sources {
		return nil
	}
	bins := make([]measure.Bin, 0, len(d.bins))
	for v, n := range d.bins {
		bins = append(bins, measure.Bin{Value: v, Count: n})
	}
	sort.Slice(bins, func(i, j int) bool { return bins[i].Value < bins[j].Value })
	return bins
}

// minForP999 is how many I/Os there must be for a 99.9th percentile: below, it rests on fewer than ten of them.
const minForP999 = 10000

// percentile is a share as a fraction, with fio's name for it.
type percentile struct {
	measure string
	fio     string
	num     uint64 // in thousandths
}

var percentiles = []percentile{{"p50", "50", 500}, {"p95", "95", 950}, {"p99", "99", 990}, {"p99_9", "99.9", 999}}

// figures gives mean, percentiles and max by name. A percentile is the nearest rank in the merged bins: the value of the
// first bin up to which at least that share of all I/Os lies, as fio computes its own (calc_clat_percentiles in stat.c), so
// that of one job both agree. Without bins fio's own is taken where there is one source only: percentiles are never
// averaged. The value of a bin is its middle and may lie beyond the longest I/O; max bounds it.
func (d *distribution) figures() map[string]float64 {
	if d.sources == 0 {
		return nil
	}
	f := map[string]float64{"mean": d.sum / d.n, "max": d.max}
	bins := d.histogram()
	for _, p := range percentiles {
		if p.measure == "p99_9" && d.n < minForP999 {
			continue
		}
		if bins != nil {
			f[p.measure] = math.Min(nearestRank(bins, p.num), d.max)
		} else if v, ok := d.own[p.fio]; ok && d.sources == 1 {
			f[p.measure] = math.Min(v, d.max)
		}
	}
	return f
}

// nearestRank is the value of the first bin at which num thousandths of all are reached. There is at least one bin.
func nearestRank(bins []measure.Bin, num uint64) float64 {
	rank, sum := wantedRank(total(bins), num), uint64(0)
	for _, b := range bins {
		if sum += b.Count; sum >= rank {
			return b.Value
		}
	}
	return bins[len(bins)-1].Value
}

// wantedRank is n times num thousandths, rounded up, without overflow.
func wantedRank(n, num uint64) uint64 {
	hi, lo := bits.Mul64(n, num)
	quo, rem := bits.Div64(hi, lo, 1000)
	if rem > 0 {
		quo++
	}
	return quo
}

func total(bins []measure.Bin) uint64 {
	var n uint64
	for _, b := range bins {
		n += b.Count
	}
	return n
}
