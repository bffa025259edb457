package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts p-values for being many (Holm 1979): the smallest is multiplied by their number, the next by one less,
// and none becomes smaller than the one before. The result is in the order of p, at most 1.
func Holm(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	last := 0.0
	for rank, i := range ascending(p) {
		last = math.Max(last, math.Min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = last
	}
	return adjusted
}

// HolmLevels turns Holm's procedure round: it gives for each p the level at which it is to be tested, so that an interval
// of confidence 1 - level decides as the adjusted p-value would. alpha holds the level that each would have alone; the
// chance of one wrong decision among all stays below the largest.
func HolmLevels(p, alpha []float64) []float64 {
	share := make([]float64, len(p))
	for i := range p {
		share[i] = math.Inf(1)
		if alpha[i] > 0 {
			share[i] = p[i] / alpha[i]
		}
	}
	levels := make([]float64, len(p))
	remaining := len(p)
	for _, i := range ascending(share) {
		levels[i] = alpha[i] / float64(remaining)
		if !AtMost(p[i], levels[i]) {
			continue // the procedure stops here: all that follow are tested at this divisor, and fail it
		}
		remaining--
	}
	return levels
}

// AtMost is p <= level, but for the rounding of 1 - 0.95.
func AtMost(p, level float64) bool { return p <= level*(1+1e-9) }

// ascending gives the indices of p from the smallest value to the largest; equal ones keep their order.
func ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}
