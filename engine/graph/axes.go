package graph

import "sort"

// byAxes orders the closures by their cases on the axes, the first named varying slowest. In a serpentine, every other run over an
// axis goes backwards, so that neighbours differ little. Closures that do not differ keep their order.
func (m *model) byAxes(axes []int, serpentine bool) []int {
	order := identity(len(m.closures))
	sort.SliceStable(order, func(i, j int) bool {
		a, b := m.closures[order[i]].at, m.closures[order[j]].at
		back := false
		for _, x := range axes {
			if a[x] != b[x] {
				return (a[x] < b[x]) != back
			}
			if serpentine && a[x]%2 == 1 {
				back = !back
			}
		}
		return false
	})
	return order
}

func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// varying are the axes on which closures differ.
func (m *model) varying() []int {
	var axes []int
	for a := range m.axes {
		for _, c := range m.closures {
			if c.at[a] != m.closures[0].at[a] {
				axes = append(axes, a)
				break
			}
		}
	}
	return axes
}

// byCost puts first the axes on whose change most is made again.
func (m *model) byCost(axes []int) []int {
	weight := map[int]int64{}
	for _, a := range axes {
		// A thing follows an axis when all closures that have it have one case there: it is made once for that case.
		cases, at := map[int]bool{}, make([]int, len(m.things))
		for i := range at {
			at[i] = unseen
		}
		for _, c := range m.closures {
			cases[c.at[a]] = true
			for _, x := range c.things {
				if at[x] == unseen {
					at[x] = c.at[a]
				} else if at[x] != c.at[a] {
					at[x] = mixed
				}
			}
		}
		for x, v := range at {
			if v >= 0 && m.things[x].rival {
				weight[a] += m.things[x].Make + m.things[x].Remove
			}
		}
		weight[a] /= int64(len(cases))
	}
	out := append([]int(nil), axes...)
	sort.SliceStable(out, func(i, j int) bool { return weight[out[i]] > weight[out[j]] })
	return out
}

const (
	unseen = -2 // beside the cases of an axis and -1
	mixed  = -3
)

// maxPermuted is the number of axes up to which all their permutations are tried.
const maxPermuted = 6

// axisOrders calls yield for the orders of axes that are worth playing: all permutations, the given order first, or by cost only where
// there are too many. budget is how many visits may be played for it.
func (m *model) axisOrders(budget int, yield func(axes []int)) {
	axes := m.varying()
	count := 1
	for i := range axes {
		count *= i + 1
		if i >= maxPermuted || 2*count*len(m.closures) > budget {
			yield(axes)
			yield(m.byCost(axes))
			return
		}
	}
	var permute func(done, left []int)
	permute = func(done, left []int) {
		if len(left) == 0 {
			yield(done)
		}
		for i, a := range left {
			rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
			permute(append(done[:len(done):len(done)], a), rest)
		}
	}
	permute(nil, axes)
}
