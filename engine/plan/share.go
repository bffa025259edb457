package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
)

// Sharing is what a test with share = true may use at the same time as tests on other benches.
type Sharing struct {
	Claims []string `json:"claims"` // sorted
	With   []string `json:"with"`   // blocks of the other tests, sorted
}

// Text says what is shared with which tests.
func (s Sharing) Text() string { return diag.List(s.Claims) + " with " + strings.Join(s.With, " and ") }

// shared gives the answer for a test that says share = true: what it would have for itself while it runs, it shares. What stands on after
// it stays exclusive. names are those that it gave up.
func shared(answer *providers.PlanResponse) (_ *providers.PlanResponse, names []string) {
	out := *answer
	out.Claims = slices.Clone(answer.Claims)
	for i, c := range out.Claims {
		if !c.Standing && !c.Shared {
			out.Claims[i].Shared = true
			names = append(names, c.Name)
		}
	}
	return &out, names
}

// sharing notes in each test that says share = true with which tests of other benches it shares its claims, and warns where that is
// without effect in all instances of a block.
func (b *builder) sharing(benches [][]*test) hcl.Diagnostics {
	type user struct {
		bench int
		block string
	}
	users := map[string]map[user]bool{} // by claim
	for i, tests := range benches {
		for _, t := range tests {
			for _, c := range t.answer.Claims {
				if users[c.Name] == nil {
					users[c.Name] = map[user]bool{}
				}
				users[c.Name][user{i, t.Instance.Block.String()}] = true
			}
		}
	}
	effect := map[addr.Block]bool{}
	first := map[addr.Block]*spec.Instance{}
	var blocks []addr.Block
	for i, tests := range benches {
		for _, t := range tests {
			if !t.inst.Share {
				continue
			}
			block := t.Instance.Block
			if first[block] == nil {
				first[block] = t.inst
				blocks = append(blocks, block)
			}
			claims := map[string][]string{} // by who shares them
			for _, name := range b.given[t.inst] {
				var with []string
				for u := range users[name] {
					if u.bench != i && !slices.Contains(with, u.block) {
						with = append(with, u.block)
					}
				}
				if len(with) > 0 {
					slices.Sort(with)
					key := strings.Join(with, "\n")
					claims[key] = append(claims[key], name)
				}
			}
			for _, key := range sorted(claims) {
				slices.Sort(claims[key])
				t.Sharing = append(t.Sharing, Sharing{claims[key], strings.Split(key, "\n")})
			}
			effect[block] = effect[block] || len(t.Sharing) > 0
		}
	}
	var diags hcl.Diagnostics
	for _, block := range blocks {
		if effect[block] || len(b.req.Targets) > 0 { // what is left out may be what it shares with
			continue
		}
		inst := first[block]
		why := "it claims nothing for itself"
		if given := b.given[inst]; len(given) > 0 {
			why = fmt.Sprintf("no test that could run at the same time shares %s", diag.List(given))
		}
		diags = append(diags, diag.Warning(inst.Range, "Share without effect",
			"%s says share = true, but %s. Leave it out, or say it in the other test too. Tests that stand on the same thing always take turns.", block, why))
	}
	return diags
}
