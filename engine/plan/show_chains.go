package plan

// chained tells which tests of a plan are run in one repetition.
type chained struct {
	of    map[string]int      // address → number of its chain, from 1; 0: it is alone
	after map[string][]string // address → tests whose outputs it uses
	with  map[string]string   // address → the test with which it starts
}

func chainsOf(p *Plan) chained {
	c := chained{map[string]int{}, map[string][]string{}, map[string]string{}}
	number := map[string]int{}
	for i, t := range p.Tests {
		number[t.Address] = i
	}
	s := newSets(len(p.Tests))
	for i, t := range p.Tests {
		for _, before := range t.After {
			s.join(i, number[before])
			c.of[t.Address], c.of[before] = 1, 1
		}
		for _, m := range t.Alongside {
			s.join(i, number[m])
			c.of[t.Address], c.of[m], c.with[m] = 1, 1, t.Address
		}
		if len(t.After) > 0 {
			c.after[t.Address] = t.After
		}
	}
	for address := range c.of {
		c.of[address] = 1 + s.find(number[address])
	}
	return c
}

// before finds among the last steps of a bench that of which a step is but another repetition: the last, or one of the same chain, whose
// tests take turns.
func (c chained) before(list []shownStep, st Step) *shownStep {
	for i := len(list) - 1; i >= 0 && st.Repetition > 0 && list[i].Repetition > 0 && list[i].Round == st.Round; i-- {
		if list[i].Address == st.Address {
			return &list[i]
		}
		if own := c.of[st.Address]; own == 0 || own != c.of[list[i].Address] {
			break
		}
	}
	return nil
}
