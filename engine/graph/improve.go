package graph

// longestRun is the longest run of closures that is moved as one.
const longestRun = 8

// improve moves runs of closures to where they cost less, forwards or backwards (or-opt), until no move helps or trials are used up.
func (m *model) improve(p *player, order []int, trials int) ([]int, int64) {
	n := len(order)
	best := p.price(order, noLimit)
	order = append([]int(nil), order...)
	next := make([]int, 0, n)
	for again := true; again; {
		again = false
		for run := 1; run <= min(longestRun, n/2+1); run++ {
			for i := 0; i+run <= n; i++ {
				for j := 0; j <= n-run; j++ {
					for _, back := range []bool{false, true} {
						if j == i && !back || run == 1 && back {
							continue
						}
						if trials--; trials < 0 {
							return order, best
						}
						next = moved(next[:0], order, i, run, j, back)
						if cost := p.price(next, best); cost < best {
							order, next = next, order
							best, again = cost, true
						}
					}
				}
			}
		}
	}
	return order, best
}

// moved appends to out the order in which the run of closures at i stands at j.
func moved(out, order []int, i, run, j int, back bool) []int {
	at := func(k int) int { // without the run
		if k < i {
			return order[k]
		}
		return order[k+run]
	}
	for k := range j {
		out = append(out, at(k))
	}
	for k := range run {
		if back {
			k = run - 1 - k
		}
		out = append(out, order[i+k])
	}
	for k := j; k < len(order)-run; k++ {
		out = append(out, at(k))
	}
	return out
}
