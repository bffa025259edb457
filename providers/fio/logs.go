package fio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/assay-bench/assay/providers/measure"
)

// The logs that fio keeps of a test with log_avg_msec or log_hist_msec. They may be larger than memory: they are read as streams, and what is
// kept of them is bounded.

// maxWindows bounds the points of a series; where there are more, two become one, and so on.
const maxWindows = 1 << 14

// maxHistograms bounds the distributions over time that are kept.
const maxHistograms = 1 << 9

// The directions of a log's rows, by fio's number of them; trims are the third.
var logDirections = []string{"read", "write"}

// rates are a rate of each direction over time, summed over the jobs of one log.
type rates struct {
	width float64 // of a window, in seconds
	sum   [2][]float64
	cover [2][]float64 // seconds of all jobs that lie in the window and that a row is about
}

// readRates reads a log of bandwidth or IOPS that was averaged (log_avg_msec): "ms, value, direction, …", the rows of each job together and in
// order (per_job_logs=0 in fio's manual, tried on 3.33). A row is about the time since the one before of its job and direction; so
// windows that fio ended late are not counted twice, and none is missed. factor makes base units of the values.
func readRates(r io.Reader, width, factor float64) (*rates, error) {
	out := &rates{width: width}
	var before [2]float64
	err := rows(r, func(row []uint64) error {
		if len(row) < 3 {
			return errors.New("a row has fewer than three columns")
		}
		if row[2] >= uint64(len(logDirections)) {
			return nil
		}
		d, at := row[2], float64(row[0])/1000
		if at < before[d] { // the next job
			before[d] = 0
		}
		out.add(int(d), before[d], at, float64(row[1])*factor)
		before[d] = at
		return nil
	})
	return out, err
}

func (r *rates) add(d int, from, to, value float64) {
	for to > r.width*maxWindows {
		r.widen()
	}
	for from < to {
		k := int(from / r.width)
		end := min(to, float64(k+1)*r.width)
		if end <= from { // the rounding of a float
			k, end = k+1, min(to, float64(k+2)*r.width)
		}
		for len(r.sum[d]) <= k {
			r.sum[d], r.cover[d] = append(r.sum[d], 0), append(r.cover[d], 0)
		}
		r.sum[d][k] += value * (end - from)
		r.cover[d][k] += end - from
		from = end
	}
}

// widen makes one window of two.
func (r *rates) widen() {
	r.width *= 2
	for d := range r.sum {
		r.sum[d], r.cover[d] = pairs(r.sum[d]), pairs(r.cover[d])
	}
}

func pairs(list []float64) []float64 {
	out := list[:0]
	for i := 0; i < len(list); i += 2 {
		v := list[i]
		if i+1 < len(list) {
			v += list[i+1]
		}
		out = append(out, v)
	}
	return out
}

// merge adds those of another host.
func (r *rates) merge(o *rates) {
	for r.width < o.width {
		r.widen()
	}
	for o.width < r.width {
		o.widen()
	}
	for d := range r.sum {
		for len(r.sum[d]) < len(o.sum[d]) {
			r.sum[d], r.cover[d] = append(r.sum[d], 0), append(r.cover[d], 0)
		}
		for k := range o.sum[d] {
			r.sum[d][k] += o.sum[d][k]
			r.cover[d][k] += o.cover[d][k]
		}
	}
}

// points gives a direction's rate at the end of each window, and of both where d is -1. A window that not all jobs were about for nine tenths
// of it, as the last one, is left out; what is missing of another is as the rest of it.
func (r *rates) points(d int) []measure.SeriesPoint {
	if d < 0 {
		read, write := r.points(0), r.points(1)
		if len(read) == 0 || len(write) == 0 {
			return append(read, write...)
		}
		var out []measure.SeriesPoint
		for i, j := 0, 0; i < len(read) && j < len(write); {
			switch {
			case read[i].T < write[j].T:
				i++
			case write[j].T < read[i].T:
				j++
			default:
				out = append(out, measure.SeriesPoint{T: read[i].T, Value: read[i].Value + write[j].Value})
				i, j = i+1, j+1
			}
		}
		return out
	}
	if len(r.cover[d]) == 0 {
		return nil
	}
	jobs := math.Round(slices.Max(r.cover[d]) / r.width)
	var out []measure.SeriesPoint
	for k, c := range r.cover[d] {
		if c > 0 && c >= 0.9*jobs*r.width {
			out = append(out, measure.SeriesPoint{T: float64(k+1) * r.width, Value: r.sum[d][k] / c * math.Max(jobs, 1)})
		}
	}
	return out
}

// maxRow is how long a row may be: 1856 counts of up to 20 digits, and the columns before.
const maxRow = 64 << 10

// rows reads the rows of a log: whole numbers between commas. The slice is used again for the next row. A row that is cut off at the end of the
// log is an error, since what is missing may be more than it.
func rows(r io.Reader, do func([]uint64) error) error {
	in := bufio.NewReaderSize(r, maxRow)
	var row []uint64
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("line %d is cut off", number)
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("line %d is longer than any row of fio's", number)
		case err != nil:
			return err
		}
		if row, err = readRow(row[:0], line); err == nil && len(row) > 0 {
			err = do(row)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// readRow appends the numbers of a line to row.
func readRow(row []uint64, line []byte) ([]uint64, error) {
	n, digits := uint64(0), false
	for _, b := range line {
		if b >= '0' && b <= '9' {
			if n > (math.MaxUint64-9)/10 {
				return nil, errors.New("a number is too large")
			}
			n, digits = n*10+uint64(b-'0'), true
			continue
		}
		if digits {
			row = append(row, n)
		}
		n, digits = 0, false
		if b != ',' && b != ' ' && b != '\n' && b != '\r' {
			return nil, fmt.Errorf("there is %q where a number should be", string(rune(b)))
		}
	}
	return row, nil
}
