package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		arm, base []float64
		want      Change // without intervals
	}{
		{"more", []float64{115}, []float64{100}, Change{Change: 0.15, Ratio: 1.15, Defined: true, Difference: 15, N: 1, NBaseline: 1, P: 1}},
		{"less", []float64{94, 94}, []float64{100, 100}, Change{Change: -0.06, Ratio: 0.94, Defined: true, Difference: -6, N: 2, NBaseline: 2, P: 1.0 / 3, Interval: true, DifferenceInterval: true}},
		{"equal", []float64{5, 5}, []float64{5, 5}, Change{Ratio: 1, Defined: true, N: 2, NBaseline: 2, P: 1, Interval: true, DifferenceInterval: true}},
		{"a baseline of zero", []float64{5, 5}, []float64{0, 0}, Change{Difference: 5, N: 2, NBaseline: 2, P: 1.0 / 3, DifferenceInterval: true}},
		{"a negative baseline", []float64{5, 5}, []float64{-2, -2}, Change{Difference: 7, N: 2, NBaseline: 2, P: 1.0 / 3, DifferenceInterval: true}},
		{"a zero among the baseline", []float64{5, 5}, []float64{0, 2}, Change{Change: 4, Ratio: 5, Defined: true, Difference: 4, N: 2, NBaseline: 2, P: 1.0 / 3, DifferenceInterval: true}},
		{"a ratio beyond all floats", []float64{1e300}, []float64{1e-300}, Change{Difference: 1e300, N: 1, NBaseline: 1, P: 1}},
		{"a difference beyond all floats", []float64{-1.7e308}, []float64{1.7e308}, Change{N: 1, NBaseline: 1, P: 1}},
		{"no arm", nil, []float64{1}, Change{NBaseline: 1, P: 1}},
		{"no observations", []float64{math.NaN(), inf}, []float64{1, -inf}, Change{NBaseline: 1, P: 1}},
	} {
		got := Compare(c.arm, c.base, 0.95, c.name)
		got.ChangeLo, got.ChangeHi, got.DifferenceLo, got.DifferenceHi = 0, 0, 0, 0
		got.P = math.Round(got.P*1e12) / 1e12
		c.want.P = math.Round(c.want.P*1e12) / 1e12
		got.Change, c.want.Change = math.Round(got.Change*1e12)/1e12, math.Round(c.want.Change*1e12)/1e12
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// Properties that hold for all values: the order of repetitions does not matter, nor does the unit in which both arms
// are measured; the interval holds the point, and no more than what the values can give.
func TestCompareProperties(t *testing.T) {
	arm := []float64{612, 598, 630, 605, 618, 611}
	base := []float64{511, 520, 498, 505, 517, 509}
	want := Compare(arm, base, 0.95, "compare.drives[drive=sas]")
	if !want.Interval || !(want.ChangeLo <= want.Change && want.Change <= want.ChangeHi && want.ChangeLo < want.ChangeHi) {
		t.Errorf("the interval %v to %v does not hold the change %v", want.ChangeLo, want.ChangeHi, want.Change)
	}
	if want.ChangeLo < 598.0/520-1 || want.ChangeHi > 630.0/498-1 {
		t.Errorf("the interval %v to %v is wider than the values allow", want.ChangeLo, want.ChangeHi)
	}
	turned := Compare([]float64{611, 618, 605, 630, 598, 612}, []float64{509, 517, 505, 498, 520, 511}, 0.95, "compare.drives[drive=sas]")
	if d := cmp.Diff(want, turned); d != "" {
		t.Errorf("repetitions in another order (-want +got):\n%s", d)
	}
	scaled := Compare(times(arm, 1<<20), times(base, 1<<20), 0.95, "compare.drives[drive=sas]")
	if scaled.Change != want.Change || scaled.ChangeLo != want.ChangeLo || scaled.ChangeHi != want.ChangeHi || scaled.P != want.P ||
		scaled.Difference != want.Difference*(1<<20) || scaled.DifferenceLo != want.DifferenceLo*(1<<20) {
		t.Errorf("in another unit: %+v, want %+v", scaled, want)
	}
	other := Compare(arm, base, 0.95, "compare.drives[drive=nvme]")
	if other.Change != want.Change || other.P != want.P {
		t.Errorf("the seed changes the change or p: %+v", other)
	}
	a, _ := Resample(arm, base, "a")
	b, _ := Resample(arm, base, "b")
	if cmp.Equal(a, b) {
		t.Error("two seeds give the same resamples")
	}
	narrow := Compare(arm, base, 0.5, "compare.drives[drive=sas]")
	if narrow.ChangeLo <= want.ChangeLo || narrow.ChangeHi >= want.ChangeHi {
		t.Errorf("at 50 %% the interval %v to %v is not within that at 95 %%", narrow.ChangeLo, narrow.ChangeHi)
	}
}

func times(values []float64, f float64) []float64 {
	s := make([]float64, len(values))
	for i, v := range values {
		s[i] = v * f
	}
	return s
}

// The bootstrap of two or three values can be counted out: the median of a resample of {0,1,2} is 1 in 13 of 27 cases, and 0 or
// 2 in 7 each. Four standard deviations of 4,000 draws are allowed; the seed is fixed.
func TestResampleDistribution(t *testing.T) {
	_, d := Resample([]float64{0, 1, 2}, []float64{0, 0}, "three values")
	for value, want := range map[float64]float64{0: 7.0 / 27, 1: 13.0 / 27, 2: 7.0 / 27} {
		got := d.Share(func(v float64) bool { return v == value })
		if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/Resamples) {
			t.Errorf("a median of %v in %v of the resamples, want %v", value, got, want)
		}
	}
	_, d = Resample([]float64{0, 0}, []float64{0, -1}, "two values")
	for value, want := range map[float64]float64{0: 0.25, 0.5: 0.5, 1: 0.25} {
		got := d.Share(func(v float64) bool { return v == value })
		if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/Resamples) {
			t.Errorf("a difference of %v in %v of the resamples, want %v", value, got, want)
		}
	}
}

// These figures stand in reports: they must not change with a release of Go or of assay.
func TestResampleIsStable(t *testing.T) {
	c := Compare([]float64{612, 598, 630, 605, 618, 611}, []float64{511, 520, 498, 505, 517, 509}, 0.95, "compare.drives[drive=sas]")
	got := [4]float64{c.ChangeLo, c.ChangeHi, c.DifferenceLo, c.DifferenceHi}
	want := [4]float64{0.17254901960784313, 0.22791164658634538, 88.5, 115}
	if got != want {
		t.Errorf("intervals %v, want %v", got, want)
	}
}

// Twice the share beyond a limit is the level at which the interval starts to exclude it.
func TestIntervalAndShareAgree(t *testing.T) {
	changes, _ := Resample([]float64{612, 598, 630, 605, 618, 611}, []float64{511, 620, 498, 505, 517, 609}, "agree")
	confidence := 0.95
	for limit := 0.0; limit < 0.3; limit += 0.003 {
		p := 2 * changes.Share(func(v float64) bool { return v < limit })
		for _, level := range []float64{0.2, 0.1, 0.05, 1 - confidence, 0.025, 0.01, 0.05 / 3} {
			lo, _, _ := changes.Interval(level)
			if got, want := lo >= limit, AtMost(p, level); got != want {
				t.Errorf("limit %v at %v: the interval excludes it: %v; p = %v", limit, level, got, p)
			}
		}
	}
	ranks := make(Bootstrap, 4000)
	for i := range ranks {
		ranks[i] = float64(i)
	}
	confidence = 0.9
	if lo, hi, _ := ranks.Interval(1 - confidence); lo != 200 || hi != 3799 { // 1 - 0.9 is a little less than 0.1
		t.Errorf("the 90 %% interval of 0 to 3999 is %v to %v, want 200 to 3799", lo, hi)
	}
	if _, _, ok := Bootstrap(nil).Interval(0.05); ok || Bootstrap(nil).Share(math.Signbit) != 1 {
		t.Error("no resamples have an interval, or show something")
	}
}
