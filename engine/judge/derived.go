package judge

import (
	"maps"
	"math"
	"slices"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// derived computes the figure of a measure block: for each repetition where all its inputs come from one test, else one
// value from medians.
func derived(d plan.Derived, planned map[string]*cell, lookup compare.Lookup, confidence float64) Figure {
	f := Figure{
		Address: d.Address, Block: d.Block, Coordinates: d.Coordinates, Measure: d.Measure,
		Missing: map[string]int{},
	}
	inputs := leaves(d.Formula)
	one := len(inputs) > 0
	for _, in := range inputs {
		one = one && in.Of == inputs[0].Of
	}
	var values []float64
	if c := planned[first(inputs).Of]; one && c != nil {
		f.Planned = len(c.slots)
		for _, at := range c.slots {
			if o := c.outcome(at); o != string(measure.OK) {
				f.Missing[o]++
				continue
			}
			v, ok := compute(d.Formula, func(in plan.Formula) (float64, bool) {
				v, ok, _ := rollUp(c.samples[at], measureOf(c, in.Measure))
				return v, ok
			})
			if !ok {
				f.Missing[compare.NoValue]++
				continue
			}
			values = append(values, v)
			f.Imported = f.Imported || c.samples[at].Imported
		}
		f.LoadedIn = c.loadedIn()
	} else {
		f.Planned, f.FromMedians = 1, true
		v, ok := compute(d.Formula, func(in plan.Formula) (float64, bool) {
			figure := lookup(in.Of, in.Measure)
			f.Imported = f.Imported || figure.Imported
			f.LoadedIn = slices.Compact(slices.Sorted(slices.Values(append(f.LoadedIn, figure.LoadedIn...))))
			for _, o := range slices.Sorted(maps.Keys(figure.Missing)) {
				f.Missing[o] = 1 // what one of its inputs lacks, it lacks
			}
			return figure.Median, figure.N > 0
		})
		switch {
		case ok && len(f.Missing) == 0:
			values = []float64{v}
		case len(f.Missing) == 0:
			f.Missing[compare.NoValue] = 1
		default:
			f.Planned = len(f.Missing)
		}
	}
	f.Summary = stats.Summarize(values, confidence)
	return f
}

func measureOf(c *cell, name string) schema.Measure {
	for _, m := range c.measures {
		if m.Name == name {
			return m
		}
	}
	return schema.Measure{Name: name}
}

func first(list []plan.Formula) plan.Formula {
	if len(list) == 0 {
		return plan.Formula{}
	}
	return list[0]
}

// leaves are the figures that a formula names.
func leaves(f plan.Formula) []plan.Formula {
	if f.Of != "" {
		return []plan.Formula{f}
	}
	var out []plan.Formula
	for _, a := range f.Args {
		out = append(out, leaves(a)...)
	}
	return out
}

// compute evaluates a formula; false where an input is missing or the result is not finite, as after a division by zero.
func compute(f plan.Formula, input func(plan.Formula) (float64, bool)) (float64, bool) {
	switch {
	case f.Number != nil:
		return *f.Number, true
	case f.Of != "":
		return input(f)
	}
	args := make([]float64, len(f.Args))
	for i, a := range f.Args {
		v, ok := compute(a, input)
		if !ok {
			return 0, false
		}
		args[i] = v
	}
	v, ok := apply(f.Op, args)
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

func apply(op string, args []float64) (float64, bool) {
	switch {
	case len(args) == 0:
		return 0, false
	case op == "neg":
		return -args[0], true
	case op == "abs":
		return math.Abs(args[0]), true
	}
	v := args[0]
	for _, x := range args[1:] {
		switch op {
		case "+":
			v += x
		case "-":
			v -= x
		case "*":
			v *= x
		case "/":
			v /= x
		case "min":
			v = math.Min(v, x)
		case "max":
			v = math.Max(v, x)
		default:
			return 0, false
		}
	}
	return v, true
}
