package plan

import (
	"fmt"
	"sort"

	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
)

// Earlier is what an earlier run of a spec teaches about a plan: how long its steps took, and how much its repetitions
// scatter. It never changes the order of steps, which rests on the providers' estimates alone, so that a spec's schedule
// does not change by itself.
type Earlier struct {
	Run    string
	Took   map[Deed][]float64 // seconds of each time it was done
	Values map[Cell][]float64 // figures of the repetitions
}

// Deed is a step without its repetition.
type Deed struct {
	Address string
	Action  Action
}

// Cell is a measure of a test.
type Cell struct{ Address, Measure string }

// took gives how long a step took: the median; false where it was not done.
func (e *Earlier) took(s Step) (float64, bool) {
	if e == nil {
		return 0, false
	}
	times := append([]float64(nil), e.Took[Deed{s.Address, s.Action}]...)
	if len(times) == 0 {
		return 0, false
	}
	sort.Float64s(times)
	return times[len(times)/2], true
}

// total is the expected duration of steps: what they took, and the estimate for those that were not done before. known is the
// share of steps that were.
func (e *Earlier) total(steps []Step) (seconds float64, known bool) {
	if e == nil || len(steps) == 0 {
		return 0, false
	}
	n := 0
	seconds = lasting(steps, func(s *Step) float64 {
		t, ok := e.took(*s)
		if !ok {
			return s.EstimateS
		}
		n++
		return t
	})
	return seconds, 2*n >= len(steps) // with less it would only repeat the estimate
}

// detects says which change a KPI on a comparison could show with the repetitions of the plan, by the noise of the earlier run;
// empty where that is not known.
func (e *Earlier) detects(k KPI, w *power) string {
	c, ok := w.arms[k.Of]
	if e == nil || !ok || c.Quoted != nil {
		return ""
	}
	noise, ok1 := stats.Noise(e.Values[Cell{c.Test, c.Measure.Name}])
	base, ok2 := stats.Noise(e.Values[Cell{c.BaselineTest, c.Measure.Name}])
	if !ok1 || !ok2 {
		return ""
	}
	confidence := w.j.Confidence
	if k.Confidence != nil && *k.Confidence > 0 {
		confidence = *k.Confidence
	}
	effect := stats.DetectableEffect(noise, base, w.repeat[c.Test], w.repeat[c.BaselineTest], confidence)
	if effect == 0 {
		return ""
	}
	return fmt.Sprintf("shows changes of %s and more, by the noise of run %s", unit.FormatShare(effect), e.Run)
}
