package validity

import (
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// The figures of a sample against the clock.

// exitsBackwards: nothing ends before it starts, unless a clock was put back.
func exitsBackwards(d *doubts) {
	for _, x := range d.Exits {
		if !x.Started.IsZero() && !x.Ended.IsZero() && x.Ended.Before(x.Started) {
			d.fault("time_went_back", "%s ended %s before it started: a clock was put back", x.Name, unit.FormatSeconds(x.Started.Sub(x.Ended).Seconds()))
		}
	}
}

// longest is how long the longest command took, and how long all of them took together, in seconds.
func (d *doubts) longest() (one, all float64) {
	for _, x := range d.Exits {
		s := x.Ended.Sub(x.Started).Seconds()
		one, all = max(one, s), all+max(0, s)
	}
	return one, all
}

// asked is how long the test was to measure, in seconds.
func (d *doubts) asked() (seconds float64, attribute string) {
	for _, a := range []string{"runtime", "duration"} {
		if s, ok := d.number(a); ok && s > 0 && !d.option("steadystate") && !d.option("latency_target") {
			return s, a
		}
	}
	return 0, ""
}

// ranTooShort: a command that is to measure for some time takes at least that long.
func ranTooShort(d *doubts) {
	want, attribute := d.asked()
	if got, _ := d.longest(); want > 0 && len(d.Exits) > 0 && got < want*0.99-0.01 {
		d.warn("ran_too_short", "the command ran for %s, and %s is %s", unit.FormatSeconds(got), attribute, unit.FormatSeconds(want))
	}
}

// latencyBeyondRun: no single operation takes longer than the command that did it.
func latencyBeyondRun(d *doubts) {
	_, ran := d.longest()
	if len(d.Exits) == 0 {
		return
	}
	for _, v := range d.sample.Values {
		if m := measureOf(d.Measures, v.Measure); m != nil && m.Quantile == 1 && m.Dim == unit.Seconds && v.Value > ran*1.01+0.01 {
			d.fault("latency_beyond_run", "%s is %s, and the command ran for %s", name(v), show(v.Value, m), unit.FormatSeconds(ran))
		}
	}
}

// operations is how many I/Os were timed; 0 where that is not known.
func (d *doubts) operations() float64 {
	n := 0.0
	for _, h := range d.sample.Histograms {
		if h.Measure == "latency" && len(h.Keys) == 0 {
			for _, b := range h.Bins {
				n += float64(b.Count)
			}
		}
	}
	return n
}

// timed: what was moved is what the rate moves in the time that was asked for.
func timed(d *doubts) {
	iops, ok := d.sample.Get("iops")
	n := d.operations()
	want, attribute := d.asked()
	if !ok || !(iops > 0) || n < 1000 || want == 0 || len(d.Exits) == 0 {
		return
	}
	want *= float64(max(1, d.Windows))
	if took := n / iops; apart(took, want, 0.1) {
		d.warn("moved_mismatch", "%.0f I/Os at %s take %s, but %s is %s", n, unit.Format(iops, unit.PerSecond, "IOPS"), unit.FormatSeconds(took), attribute, unit.FormatSeconds(want))
	}
}

// Clock looks at a sample that is ok and at how long its repetition took: by a clock that only goes forward, with all that comes before and after the
// measured part; and from the time of day at which that part began to the time at which it ended. Both in seconds.
func Clock(s *measure.Sample, steady, ofDay float64) {
	if s.Outcome != measure.OK {
		return
	}
	d := &doubts{sample: s}
	switch {
	case ofDay < 0:
		s.Outcome, s.Reason = measure.Invalid, "time_went_back: by the time of day the repetition ended "+unit.FormatSeconds(-ofDay)+" before it began: a clock was put back"
		return
	case steady > 0 && ofDay > steady*1.01+1:
		d.warn("clock_jumped", "by the time of day the repetition took %s, but no more than %s passed: the clock was put forward during the run", unit.FormatSeconds(ofDay), unit.FormatSeconds(steady))
	}
	s.Warnings = append(s.Warnings[:len(s.Warnings):len(s.Warnings)], d.warnings...)
}
