package plan

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// apart says which runs of tests that stand on the same share a visit.
type apart int

const (
	together       apart = iota
	eachTest             // the repetitions of one test, or chain
	eachRepetition       // none
)

// wear is what a test does to what it stands on, and how it wants to find it: things by their index.
type wear struct {
	spoils, fresh []int
	apart         apart
}

// wearOf says what is made anew for a test. What is fresh is so for each repetition. Of a test that changes its data, these are loaded anew as
// its reset says; where there is none of that, tests of one kind follow each other in one visit, and only the order of the walk tells
// which of them find the data unchanged.
func (b *builder) wearOf(t *test) wear {
	w := wear{spoils: t.closure.fresh, fresh: t.closure.fresh}
	if len(w.fresh) > 0 {
		w.apart = eachRepetition
	}
	if t.Reset == "" {
		return w
	}
	w.spoils = union(t.closure.fresh, t.closure.data)
	switch t.Reset {
	case spec.ResetRepetition:
		w.fresh, w.apart = w.spoils, eachRepetition
	case spec.ResetTest:
		w.fresh, w.apart = w.spoils, max(w.apart, eachTest)
	}
	return w
}

// wearOfAll is what a chain does to what it stands on: what any of its tests does. Within a repetition of a chain each test finds what the
// one before left: that is what they are joined for.
func wearOfAll(chain []*test) wear {
	w := chain[0].wear
	for _, t := range chain[1:] {
		w = wear{union(w.spoils, t.wear.spoils), union(w.fresh, t.wear.fresh), max(w.apart, t.wear.apart)}
	}
	return w
}

// union has what is in a or in b, in the order of a and then b.
func union(a, b []int) []int {
	out := a[:len(a):len(a)]
	for _, x := range b {
		if !slices.Contains(a, x) {
			out = append(out, x)
		}
	}
	return out
}

// visits is how many visits the tests of the group take, where their repetitions follow each other.
func (g *group) visits() int {
	n := 0
	for _, u := range g.chains {
		if g.wear.apart == eachRepetition {
			n += repeats(u)
		} else {
			n++
		}
	}
	if g.wear.apart == together {
		return 1
	}
	return n
}

// split lays repetitions of chains into visits: those that may share one follow each other in it.
func split(group int, parts [][]sample, how apart) []visit {
	var out []visit
	for i, runs := range parts {
		if i > 0 && (how == together || how == eachTest && parts[i-1][0].test.chain[0] == runs[0].test.chain[0]) {
			last := &out[len(out)-1]
			last.runs = append(last.runs, runs...)
			continue
		}
		out = append(out, visit{group, slices.Clone(runs)})
	}
	return out
}

// growing warns of tests that change data which are not loaded anew for them, each block once.
func (b *builder) growing() hcl.Diagnostics {
	var diags hcl.Diagnostics
	warned := map[string]bool{}
	for _, t := range b.spec.Tests {
		c := b.closureOf[t]
		if t.Reset != spec.ResetNone || t.Skip != "" || warned[t.Addr.Block.String()] {
			continue
		}
		var left []string
		for _, x := range c.data {
			if !b.renewed(x) {
				left = append(left, b.things[x].Instance.Block.String())
			}
		}
		if len(left) == 0 {
			continue
		}
		warned[t.Addr.Block.String()] = true
		diags = append(diags, diag.Warning(t.Range, "Data that change",
			"%s changes the data of %s, and each repetition finds what the one before has left. Write reset = \"repetition\", or reset = \"test\", to load them anew; else they grow.",
			t.Addr.Block, strings.Join(left, ", ")))
	}
	return diags
}

// renewed reports whether a thing, or something that it stands on, is made anew for each repetition.
func (b *builder) renewed(x int) bool {
	if b.things[x].Fresh {
		return true
	}
	for _, y := range b.nodes[x].Needs {
		if b.renewed(y) {
			return true
		}
	}
	return false
}
