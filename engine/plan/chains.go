package plan

import (
	"slices"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
)

// chain is what each repetition runs as one: tests that are joined by their outputs, each after those whose outputs it uses, and
// tests that start together, the leader first. Most are one test. All that a chain needs stands together, since a repetition goes through
// all its tests.
type chain []*spec.Instance

// join finds the chains of the tests.
func (b *builder) join() {
	number := map[*spec.Instance]int{}
	for i, inst := range b.spec.Tests {
		number[inst] = i
	}
	s := newSets(len(b.spec.Tests))
	for i, inst := range b.spec.Tests {
		for _, before := range inst.After {
			s.join(i, number[before])
		}
		if inst.Leader != nil {
			s.join(i, number[inst.Leader])
		}
	}
	members := map[int]chain{}
	for i, inst := range b.spec.Tests {
		root := s.find(i)
		members[root] = append(members[root], inst)
	}
	for _, inst := range b.walked()[len(b.spec.Tests):] { // imported monitors
		b.chainOf[inst] = chain{inst}
	}
	for i, inst := range b.spec.Tests {
		if u := members[s.find(i)]; s.find(i) == i {
			if len(u) > 1 {
				u = u.inOrder()
			}
			for _, m := range u {
				b.chainOf[m] = u
			}
		} else if b.chainOf[inst] == nil {
			panic("plan: the first of a chain comes first") // by the way in which sets are joined
		}
	}
}

// lead is the test with which a test starts: itself, where it has no leader.
func lead(inst *spec.Instance) *spec.Instance {
	if inst.Leader != nil {
		return inst.Leader
	}
	return inst
}

// group are the tests of a chain that start together with one of them, the leader first.
func (u chain) group(inst *spec.Instance) chain {
	out := chain{lead(inst)}
	for _, m := range u {
		if m.Leader == out[0] {
			out = append(out, m)
		}
	}
	return out
}

// inOrder puts each test after those whose outputs it or one that starts with it uses, and else leaves the order of the spec.
func (u chain) inOrder() chain {
	var out chain
	done := map[*spec.Instance]bool{}
	var put func(inst *spec.Instance)
	put = func(inst *spec.Instance) {
		if done[lead(inst)] {
			return
		}
		done[lead(inst)] = true
		group := u.group(inst)
		for _, m := range group {
			for _, before := range m.After {
				put(before)
			}
		}
		out = append(out, group...)
	}
	for _, inst := range u {
		put(inst)
	}
	return out
}

// needs are the things that the tests of a chain name, each once, by index.
func (b *builder) needs(u chain) []int {
	var out []int
	for _, inst := range u {
		for _, n := range inst.Needs {
			if t := b.thingOf[n]; !slices.Contains(out, t.index) {
				out = append(out, t.index)
			}
		}
	}
	slices.Sort(out)
	return out
}

// own is all that must stand for tests alone.
func (b *builder) own(tests ...*spec.Instance) map[int]bool {
	out := map[int]bool{}
	for _, x := range graph.Close(b.nodes, b.needs(tests)) {
		out[x] = true
	}
	return out
}

// owners are the tests of a chain that need x and y; ok is false where one of them needs both, or nothing needs one of them.
func (b *builder) owners(u chain, x, y int) (of, other *spec.Instance, ok bool) {
	for _, inst := range u {
		own := b.own(inst)
		switch {
		case own[x] && own[y]:
			return inst, inst, false
		case own[x] && of == nil:
			of = inst
		case own[y] && other == nil:
			other = inst
		}
	}
	return of, other, of != nil && other != nil
}

// atOnce says why what two tests of a chain need stands together.
func atOnce(a, b *spec.Instance) string {
	if lead(a) == lead(b) {
		return "The tests start together, so what they need stands at once."
	}
	return "Both are run in the same repetition, since one uses what the other leaves, so what they need stands at once."
}

// inEachOthersWay looks for tests that want for themselves what another test of their chain stands on: they could be run one after
// the other only if it went between them, and it stands for the whole chain.
func (b *builder) inEachOthersWay() hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, inst := range b.spec.Tests {
		u := b.chainOf[inst]
		if len(u) == 1 || len(b.answers[inst].Claims) == 0 {
			continue
		}
		own := b.own(u.group(inst)...) // what starts together is meant to disturb each other
		for _, x := range b.closureOf[inst].things {
			name, bad := clash(b.answers[inst].Claims, b.things[x].claims)
			if own[x] || !bad {
				continue
			}
			_, other, _ := b.owners(u, -1, x)
			diags = append(diags, diag.Error(inst.Range, "Tests in each other's way",
				"%s wants %q for itself, and so does %s, which stands for %s. One uses what the other leaves, so that both are run in the same repetition and what they need stands together. Let %s need it too, or let neither claim it.",
				inst.Addr, name, b.things[x].Addresses[0], other.Addr, inst.Addr))
			break
		}
	}
	return diags
}

// clash finds a name that both claim and not both share.
func clash(a, b []providers.Claim) (name string, bad bool) {
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name && !(x.Shared && y.Shared) {
				return x.Name, true
			}
		}
	}
	return "", false
}
