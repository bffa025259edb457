package validity

import (
	"cmp"
	"slices"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// The figures of a sample against each other.

// negative: there are no bytes, times or rates below nothing.
func negative(d *doubts) {
	for _, v := range d.sample.Values {
		m := measureOf(d.Measures, v.Measure)
		if m != nil && v.Value < 0 && (m.Dim == unit.Bytes || m.Dim == unit.Seconds || m.Dim == unit.BytesPerSec || m.Dim == unit.PerSecond) {
			d.fault("negative_figure", "%s is %s, which is less than nothing", name(v), show(v.Value, m))
		}
	}
}

// zeroRate: a rate of which more is better, and of which there was none.
func zeroRate(d *doubts) {
	for _, v := range d.sample.Values {
		m := measureOf(d.Measures, v.Measure)
		if m != nil && v.Value == 0 && m.Better == schema.Higher && (m.Dim == unit.BytesPerSec || m.Dim == unit.PerSecond) {
			d.warn("zero_rate", "%s is %s: nothing was done, and the tool calls it a success", name(v), show(v.Value, m))
		}
	}
}

// rounding is what two figures of one distribution may differ by without meaning anything.
const rounding = 1e-9

// percentiles: those of one distribution ascend.
func percentiles(d *doubts) {
	type quantile struct {
		measure.Value
		m *schema.Measure
	}
	lists := map[string][]quantile{}
	var order []string
	for _, v := range d.sample.Values {
		if m := measureOf(d.Measures, v.Measure); m != nil && m.Quantile > 0 {
			key := m.Histogram + " " + v.Keys.String()
			if lists[key] == nil {
				order = append(order, key)
			}
			lists[key] = append(lists[key], quantile{v, m})
		}
	}
	for _, key := range order {
		list := lists[key]
		slices.SortFunc(list, func(a, b quantile) int { return cmp.Compare(a.m.Quantile, b.m.Quantile) })
		for i := 1; i < len(list); i++ {
			if lo, hi := list[i-1], list[i]; lo.Value.Value > hi.Value.Value*(1+rounding) {
				d.fault("percentiles_out_of_order", "%s is %s and %s is %s, which is less", name(lo.Value), show(lo.Value.Value, lo.m), name(hi.Value), show(hi.Value.Value, hi.m))
				break
			}
		}
	}
}

// meanBeyondMax: no mean is above the largest value.
func meanBeyondMax(d *doubts) {
	for _, top := range d.sample.Values {
		m := measureOf(d.Measures, top.Measure)
		if m == nil || m.Quantile != 1 {
			continue
		}
		for _, v := range d.sample.Values {
			if v.Measure == m.Histogram+"_mean" && v.Keys.String() == top.Keys.String() && v.Value > top.Value*(1+rounding) {
				d.fault("mean_beyond_max", "%s is %s, and the largest value of all, %s, is %s", name(v), show(v.Value, m), name(top), show(top.Value, m))
			}
		}
	}
}

// directions: all I/O is reads and writes.
func directions(d *doubts) {
	for _, of := range []string{"bandwidth", "iops"} {
		all, ok := d.sample.Get(of)
		read, reads := d.sample.Get("read_" + of)
		write, writes := d.sample.Get("write_" + of)
		m := measureOf(d.Measures, of)
		if ok && m != nil && (reads || writes) && apart(all, read+write, 0.02) {
			d.warn("directions_do_not_add_up", "%s is %s, but reads of %s and writes of %s are %s", of, show(all, m), show(read, m), show(write, m), show(read+write, m))
		}
	}
}

// rows: what was loaded and what was rejected is what was to be loaded.
func rows(d *doubts) {
	loaded, ok := d.sample.Get("rows")
	if !ok {
		return
	}
	rejected, known := d.sample.Get("rows_rejected")
	if expected, ok := d.sample.Get("rows_expected"); ok && loaded+rejected != expected {
		d.fault("rows_do_not_add_up", "%.0f rows were loaded and %.0f rejected, %.0f in all, of %.0f that were expected", loaded, rejected, loaded+rejected, expected)
	}
	if known && rejected > 0 {
		d.warn("rows_rejected", "%.0f rows were rejected and %.0f loaded", rejected, loaded)
	}
}

func measureOf(list []schema.Measure, name string) *schema.Measure {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// name is that of a figure, with its keys.
func name(v measure.Value) string {
	if len(v.Keys) == 0 {
		return v.Measure
	}
	return v.Measure + "[" + v.Keys.String() + "]"
}

func show(v float64, m *schema.Measure) string { return unit.Format(v, m.Dim, m.Symbol) }
