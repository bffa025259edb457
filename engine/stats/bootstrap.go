package stats

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Resamples is how often a bootstrap draws.
const Resamples = 4000

// Bootstrap holds a statistic of every resample, ascending. It is empty where there is nothing to draw from.
type Bootstrap []float64

// Resample draws from both arms with replacement, independently, and gives the changes and the differences of the
// medians (Efron & Tibshirani, An Introduction to the Bootstrap, 13.3). Both are empty with fewer than two values a
// side; the changes also where a value of the baseline is not above zero, since a resample's median could then have
// no multiple. The same values, in any order, and the same seed give the same result on every machine.
func Resample(arm, base []float64, seed string) (changes, differences Bootstrap) {
	arm, base = sorted(arm), sorted(base)
	if len(arm) < 2 || len(base) < 2 {
		return nil, nil
	}
	sum := sha256.Sum256([]byte(seed))
	gen := rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
	counts := make([]int, max(len(arm), len(base)))
	differences = make(Bootstrap, Resamples)
	changes = make(Bootstrap, Resamples)
	defined, bounded := base[0] > 0, true
	for i := range differences {
		a, b := draw(gen, arm, counts), draw(gen, base, counts)
		differences[i] = a - b
		changes[i] = relative(a, b)
		defined, bounded = defined && finite(changes[i]), bounded && finite(differences[i])
	}
	slices.Sort(changes)
	slices.Sort(differences)
	if !defined {
		changes = nil
	}
	if !bounded { // values near the largest float
		differences = nil
	}
	return changes, differences
}

// relative is a / b - 1, in the form that rounds less: 115 against 100 is 0.15.
func relative(a, b float64) float64 { return (a - b) / b }

// draw gives the median of one resample of ascending values. It takes the generator's bits itself, so that no
// release of Go changes a published interval; the bias of the multiplication is below 2^-50.
func draw(gen *rand.PCG, s []float64, counts []int) float64 {
	n := len(s)
	counts = counts[:n]
	clear(counts)
	for range n {
		i, _ := bits.Mul64(gen.Uint64(), uint64(n))
		counts[i]++
	}
	lower, upper, seen := -1, -1, 0
	for i, c := range counts {
		seen += c
		if lower < 0 && seen > (n-1)/2 {
			lower = i
		}
		if seen > n/2 {
			upper = i
			break
		}
	}
	return s[lower]/2 + s[upper]/2
}

// Interval is the percentile interval that leaves a share alpha outside, half on either side. ok is false where there are
// no resamples.
func (b Bootstrap) Interval(alpha float64) (lo, hi float64, ok bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	k := int(math.Floor(alpha/2*float64(len(b)) + 1e-9)) // 1 - 0.95 is a little more or less than 0.05
	k = max(0, min(k, (len(b)-1)/2))
	return b[k], b[len(b)-1-k], true
}

// Share is the part of the resamples for which is holds. Twice the share beyond a limit is the smallest alpha at which Interval
// excludes this limit.
func (b Bootstrap) Share(is func(float64) bool) float64 {
	n := 0
	for _, v := range b {
		if is(v) {
			n++
		}
	}
	if len(b) == 0 {
		return 1
	}
	return float64(n) / float64(len(b))
}
