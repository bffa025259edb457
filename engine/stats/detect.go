package stats

import "math"

// Power is the chance with which an effect of the size that DetectableEffect gives is shown.
const Power = 0.8

// Noise is how much repetitions scatter, as a share of their median: 1.4826 times the median absolute deviation, which is the
// standard deviation where they are normal, and which one wild value cannot spoil. ok is false for fewer than three values or a
// median that is not above zero.
func Noise(values []float64) (share float64, ok bool) {
	v := sorted(values)
	if len(v) < 3 {
		return 0, false
	}
	m := medianOf(v)
	if !(m > 0) {
		return 0, false
	}
	dev := make([]float64, len(v))
	for i, x := range v {
		dev[i] = math.Abs(x - m)
	}
	return 1.4826 * medianOf(sorted(dev)) / m, true
}

// DetectableEffect is the smallest change, as a share of the baseline, that n repetitions against nBase show in four of five
// cases (Power) at this confidence, where both scatter by noise and noiseBase:
//
//	(z(1-α/2) + z(0.8)) · √(noise²/n + noiseBase²/nBase) / √0.955
//
// the normal approximation, corrected by the asymptotic relative efficiency 3/π of the Mann-Whitney U test (Lehmann,
// Nonparametrics, 1975). It is a guide for planning, not a verdict. It is 0 where a side has no repetitions.
func DetectableEffect(noise, noiseBase float64, n, nBase int, confidence float64) float64 {
	if n < 1 || nBase < 1 {
		return 0
	}
	z := normalQuantile(1-(1-orDefault(confidence))/2) + normalQuantile(Power)
	return z * math.Sqrt(noise*noise/float64(n)+noiseBase*noiseBase/float64(nBase)) / math.Sqrt(3/math.Pi)
}

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
