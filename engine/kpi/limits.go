package kpi

import (
	"math"

	"github.com/assay-bench/assay/engine/plan"
)

// limits is what a figure is held against; both ends are inclusive.
type limits struct {
	lo, hi float64 // infinite where not given
	given  bool
}

func limitsOf(k plan.KPI) limits {
	l := limits{lo: math.Inf(-1), hi: math.Inf(1)}
	if k.Min != nil {
		l.lo, l.given = k.Min.Value, true
	}
	if k.Max != nil {
		l.hi, l.given = k.Max.Value, true
	}
	return l
}

// below and above leave out what rounding does: a sum or a quotient that is the limit on paper must not miss it by the
// last bit.
func (l limits) below(v float64) bool { return v < l.lo-slack(l.lo) }
func (l limits) above(v float64) bool { return v > l.hi+slack(l.hi) }
func (l limits) met(v float64) bool   { return !l.below(v) && !l.above(v) }

func slack(limit float64) float64 {
	if math.IsInf(limit, 0) {
		return 0
	}
	return 1e-12 * math.Abs(limit)
}

// margin is how far v lies inside the limits; negative outside.
func (l limits) margin(v float64) float64 { return math.Min(v-l.lo, l.hi-v) }

// extremes gives the values that lie worst and best by the limits: the smallest is the worst against a min, the largest
// against a max. Values must not be empty.
func (l limits) extremes(values []float64) (worst, best float64) {
	worst, best = values[0], values[0]
	for _, v := range values[1:] {
		if m := l.margin(v); m < l.margin(worst) {
			worst = v
		} else if m > l.margin(best) {
			best = v
		}
	}
	return worst, best
}

// interval gives the verdict on a figure that lies between lo and hi: pass only where all of the interval is inside the
// limits, fail only where all of it is outside.
func (l limits) interval(lo, hi float64) Verdict {
	switch {
	case l.met(lo) && l.met(hi):
		return Pass
	case l.below(hi) || l.above(lo):
		return Fail
	}
	return Inconclusive
}
