package stats

// SmallestP is the smallest p-value that n against nBase repetitions can give, however far apart they lie: 2 / C(2k, k),
// of a two-sided Mann-Whitney U test with k values a side, k being the smaller of the two: many repetitions on one side do not make
// up for few on the other. It is 1 where a side has none.
func SmallestP(n, nBase int) float64 {
	k := min(n, nBase)
	p := 2.0
	for i := 1; i <= k; i++ { // C(2k, k) is the product of (k+i)/i
		p *= float64(i) / float64(k+i)
	}
	return min(1, p)
}

// CanReach reports whether so many repetitions could ever decide at this confidence, when there are cells such decisions
// to be corrected for (Holm; 0 counts as 1). At 0.95 and one cell it takes four a side, five with two to six cells, six with seven to 23.
func CanReach(n, nBase int, confidence float64, cells int) bool {
	return confidence < 1 && AtMost(SmallestP(n, nBase), (1-orDefault(confidence))/float64(max(1, cells)))
}

// MinimumRepeat is the smallest number of repetitions a side for which CanReach is true; 0 where no number is enough.
func MinimumRepeat(confidence float64, cells int) int {
	for n := 1; n <= 1000; n++ {
		if CanReach(n, n, confidence, cells) {
			return n
		}
	}
	return 0
}
