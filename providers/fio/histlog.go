package fio

import (
	"fmt"
	"io"
	"math"

	"github.com/assay-bench/assay/providers/measure"
)

// latencies are the distributions of completion latency over time, merged over the jobs of one log.
type latencies struct {
	width  float64 // of a window, in seconds
	values []float64
	counts [2][][]uint64 // by direction and window; nil: nothing ended there
}

// Of fio from 2.99 on, which counts nanoseconds: buckets of plat_idx_to_val, 29 groups of 64 (FIO_IO_U_PLAT_NR in stat.h). Before, it
// counted microseconds in platNumber of them.
const platNumberNS = 29 << platBits

// readLatencies reads a histogram log (write_hist_log): "ms, direction, block size, counts …", where a row counts the I/Os that ended since the
// one before of its job and direction.
func readLatencies(r io.Reader, width float64) (*latencies, error) {
	out := &latencies{width: width}
	err := rows(r, func(row []uint64) error {
		if len(row) < 4 {
			return fmt.Errorf("a row of a histogram has only %d columns", len(row))
		}
		bins := row[3:]
		if out.values == nil {
			if out.values = coarseValues(len(bins)); out.values == nil {
				return fmt.Errorf("there are %d bins, which no fio writes", len(bins))
			}
		}
		if len(bins) != len(out.values) {
			return fmt.Errorf("there are %d bins here and %d above", len(bins), len(out.values))
		}
		if row[1] < uint64(len(logDirections)) {
			out.add(int(row[1]), float64(row[0])/1000, bins)
		}
		return nil
	})
	return out, err
}

// add counts bins in the window in whose middle they were, as far as the time of the row tells.
func (l *latencies) add(d int, at float64, bins []uint64) {
	for at > l.width*maxHistograms {
		l.widen()
	}
	k := max(0, int(math.Round(at/l.width))-1)
	for len(l.counts[d]) <= k {
		l.counts[d] = append(l.counts[d], nil)
	}
	if l.counts[d][k] == nil {
		l.counts[d][k] = make([]uint64, len(bins))
	}
	for i, n := range bins {
		l.counts[d][k][i] += n
	}
}

func (l *latencies) widen() {
	l.width *= 2
	for d, list := range l.counts {
		out := list[:0]
		for i := 0; i < len(list); i += 2 {
			v := list[i]
			if i+1 < len(list) {
				v = added(v, list[i+1])
			}
			out = append(out, v)
		}
		clear(list[len(out):])
		l.counts[d] = out
	}
}

// added is a with b; it may use a's memory.
func added(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	for i := range b {
		a[i] += b[i]
	}
	return a
}

// merge adds those of another host, which are gone then. An error says that they cannot be: another fio has other bins.
func (l *latencies) merge(o *latencies) error {
	if o.values == nil {
		return nil
	}
	if l.values == nil {
		l.values = o.values
	}
	if len(l.values) != len(o.values) {
		return fmt.Errorf("the hosts' histogram logs have %d and %d bins", len(l.values), len(o.values))
	}
	for l.width < o.width {
		l.widen()
	}
	for o.width < l.width {
		o.widen()
	}
	for d := range l.counts {
		for len(l.counts[d]) < len(o.counts[d]) {
			l.counts[d] = append(l.counts[d], nil)
		}
		for k, c := range o.counts[d] {
			l.counts[d][k] = added(l.counts[d][k], c)
		}
	}
	return nil
}

// points gives a percentile of a direction in each window, and of both where d is -1: the nearest rank, as of the whole run. A 99.9th
// percentile wants ten I/Os beyond it.
func (l *latencies) points(d int, p percentile) []measure.SeriesPoint {
	var out []measure.SeriesPoint
	for k := range max(len(l.counts[0]), len(l.counts[1])) {
		var bins []measure.Bin
		for i, v := range l.values {
			n := uint64(0)
			for dir, list := range l.counts {
				if (d < 0 || d == dir) && k < len(list) && list[k] != nil {
					n += list[k][i]
				}
			}
			if n > 0 {
				bins = append(bins, measure.Bin{Value: v, Count: n})
			}
		}
		if n := total(bins); n > 0 && (p.measure != "p99_9" || n >= minForP999) {
			out = append(out, measure.SeriesPoint{T: float64(k+1) * l.width, Value: nearestRank(bins, p.num)})
		}
	}
	return out
}

// coarseValues are the middles of the bins of a log with so many, in seconds: log_hist_coarseness halves their number, so many times. Nil
// where no fio writes as many.
func coarseValues(bins int) []float64 {
	for _, of := range []struct {
		number int
		unit   float64
	}{{platNumberNS, 1e9}, {platNumber, 1e6}} {
		for coarse := range 7 {
			if of.number>>coarse != bins || of.number%(1<<coarse) != 0 {
				continue
			}
			values := make([]float64, bins)
			for i := range values {
				values[i] = (lowerEdge(uint64(i)<<coarse) + lowerEdge(uint64(i+1)<<coarse)) / 2 / of.unit
			}
			return values
		}
	}
	return nil
}

// lowerEdge is the least value of a bucket: binValue gives its middle.
func lowerEdge(index uint64) float64 {
	if index < 1<<(platBits+1) {
		return float64(index)
	}
	shift := index>>platBits - 1
	return float64(uint64(1)<<(shift+platBits) + index%(1<<platBits)<<shift)
}
