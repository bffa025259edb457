package judge

import (
	"fmt"
	"math"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// rollUp makes one figure of a measure of one sample. A value without keys is the provider's own roll-up and wins.
// Otherwise the keyed ones are taken together as the measure says; where it does not say, only a single one is a figure.
// note is not empty where a value cannot be a figure: it says why.
func rollUp(s *measure.Sample, m schema.Measure) (v float64, ok bool, note string) {
	var keyed []float64
	for _, x := range s.Values {
		if x.Measure != m.Name {
			continue
		}
		if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) {
			return 0, false, fmt.Sprintf("%s is %v, which is not a figure", m.Name, x.Value)
		}
		if len(x.Keys) == 0 {
			if !ok {
				v, ok = x.Value, true
			}
			continue
		}
		keyed = append(keyed, x.Value)
	}
	if ok || len(keyed) == 0 {
		return v, ok, ""
	}
	v = keyed[0]
	for _, x := range keyed[1:] {
		switch {
		case m.RollUp == schema.Sum || m.RollUp == schema.Mean:
			v += x
		case m.RollUp == schema.Worst && m.Better == schema.Higher:
			v = math.Min(v, x)
		case m.RollUp == schema.Worst && m.Better == schema.Lower:
			v = math.Max(v, x)
		default:
			return 0, false, "" // as declared: who refers to it names the keys
		}
	}
	if m.RollUp == schema.Mean {
		v /= float64(len(keyed))
	}
	if math.IsInf(v, 0) {
		return 0, false, m.Name + " is too large to be summed over its keys"
	}
	return v, true, ""
}
