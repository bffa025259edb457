package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// others adds what earlier runs have kept, this spec does not need, and may be in the way of what it does: what claims the same or
// has the same slot, and what stands on the things of this spec. The walk takes it away where it must, and leaves it alone else.
func (b *builder) others(kept map[string]*Kept) hcl.Diagnostics {
	var diags hcl.Diagnostics
	known := map[string]*thing{}
	for _, t := range b.things {
		known[t.ID] = t
	}
	claimed, slots := b.wanted()
	left := slices.SortedFunc(maps.Values(kept), func(a, b *Kept) int { return cmp.Compare(a.Thing.ID, b.Thing.ID) })
	for again := true; again; { // what stands on one that is added may be added too
		again = false
		for i, k := range left {
			if k == nil || !b.inItsWay(k, known, claimed, slots) {
				continue
			}
			left[i], again = nil, true
			t, d := b.leftover(k, known)
			if d != nil {
				diags = append(diags, d)
			}
			if b.err != nil {
				return diags
			}
			if t != nil {
				known[t.ID] = t
			}
		}
	}
	return diags
}

// wanted are the names that things and tests of this spec claim, with whether some of them do for themselves, and the slots.
func (b *builder) wanted() (claimed map[string]bool, slots map[string]bool) {
	claimed, slots = map[string]bool{}, map[string]bool{}
	note := func(a *providers.PlanResponse) {
		if a == nil {
			return
		}
		for _, c := range a.Claims {
			claimed[c.Name] = claimed[c.Name] || !c.Shared
		}
	}
	for _, t := range b.things {
		note(t.answer)
		slots[t.Slot] = t.Slot != ""
	}
	for _, inst := range b.spec.Tests {
		note(b.answers[inst])
	}
	return claimed, slots
}

// inItsWay says whether what an earlier run has kept may have to go for what this spec needs.
func (b *builder) inItsWay(k *Kept, known map[string]*thing, claimed, slots map[string]bool) bool {
	for _, id := range k.Thing.Needs {
		if t := known[id]; t != nil && t.stands && !slices.Contains(k.Thing.Beside, id) {
			return true
		}
	}
	for _, c := range k.Thing.Claims {
		if _, ok := claimed[c]; ok {
			return true
		}
	}
	for _, c := range k.Thing.Shares {
		if claimed[c] {
			return true
		}
	}
	return slots[k.Thing.Slot]
}

// leftover makes a thing of what an earlier run has kept; nil where it does not stand any more.
func (b *builder) leftover(k *Kept, known map[string]*thing) (*thing, *hcl.Diagnostic) {
	p, typ := b.set.For(k.Thing.Kind, k.Thing.Type), b.set.Type(k.Thing.Kind, k.Thing.Type)
	configured := false
	for _, s := range b.set.Schemas() {
		if b.configured[s.Name] != nil {
			configured = configured || slices.ContainsFunc(s.Types(k.Thing.Kind), func(t schema.Type) bool { return t.Name == k.Thing.Type })
		}
	}
	unknown := func(why string) *hcl.Diagnostic {
		return diag.Warning(b.first(), "Cannot be looked at", "%s, may be in the way of this spec, and cannot be looked at: %s. If it stands, take it away yourself.", k.Name(), why)
	}
	if typ == nil {
		return nil, unknown(fmt.Sprintf("there is no %s of type %q here", k.Thing.Kind, k.Thing.Type))
	}
	if !configured {
		return nil, unknown("its provider is not configured in this spec")
	}
	config, err := ctyjson.Unmarshal(k.Thing.Config, typ.Body.Cty())
	if err != nil {
		return nil, unknown(err.Error())
	}
	outputs, err := ctyjson.Unmarshal(k.Thing.Outputs, typ.OutputsType())
	if err != nil {
		return nil, unknown(err.Error())
	}
	t := &thing{Thing: k.Thing, index: len(b.things), config: config, left: true, stands: true}
	for _, id := range k.Thing.Needs {
		if n := known[id]; n != nil && !slices.Contains(k.Thing.Beside, id) {
			if !n.stands {
				return nil, nil
			}
			t.needs = append(t.needs, n)
		}
	}
	about := providers.Target{Kind: t.Kind, Type: t.Type, Address: t.Instance, Config: config, Hosts: t.Hosts}
	is, err := p.Inspect(b.ctx, providers.ThingRequest{Target: about, ID: t.ID, Outputs: outputs, Expect: t.Expect, Addresses: t.Addresses})
	if err == nil && (is.Standing == providers.Absent || is.Standing == providers.Foreign) {
		return nil, nil
	}
	if err == nil {
		t.answer, err = p.Plan(b.ctx, providers.PlanRequest{Target: about}) // for what taking it away does and costs; it made sense once
	}
	if err != nil {
		b.err = fmt.Errorf("looking at %s: %w", k.Name(), err)
		return nil, nil
	}
	if t.answer.Outputs == cty.NilVal {
		t.answer.Outputs = outputs
	}
	t.Keep, t.Standing = true, &Standing{Run: k.Run, Unneeded: true}
	for _, c := range t.Claims {
		t.claims = append(t.claims, providers.Claim{Name: c, Standing: true})
	}
	for _, c := range t.Shares {
		t.claims = append(t.claims, providers.Claim{Name: c, Standing: true, Shared: true})
	}
	t.answer.Claims = t.claims // as they were recorded: the bench may look otherwise now
	b.things = append(b.things, t)
	n := t.node(b.family(t))
	n.Stays = true
	b.nodes = append(b.nodes, n)
	for _, c := range t.claims {
		b.claimed[c.Name] = true
	}
	return t, nil
}

// leftOn are the things that only are in the way, of a bench with these things and groups: what stands on them, claims the same or has the same
// slot.
func (b *builder) leftOn(used map[int]bool, groups []group) []int {
	names := map[string]bool{}
	note := func(t *thing) {
		for _, c := range t.claims {
			names["claim "+c.Name] = true
		}
		if t.Slot != "" {
			names["slot "+t.Slot] = true
		}
	}
	for x := range used {
		note(b.things[x])
	}
	for _, g := range groups {
		for _, c := range g.claims {
			names["claim "+c.Name] = true
		}
	}
	var out []int
	on := maps.Clone(used)
	for x, t := range b.things {
		if !t.left {
			continue
		}
		here := t.Slot != "" && names["slot "+t.Slot] || slices.ContainsFunc(t.needs, func(n *thing) bool { return on[n.index] }) ||
			slices.ContainsFunc(t.claims, func(c providers.Claim) bool { return names["claim "+c.Name] })
		if here {
			on[x] = true
			out = append(out, x)
		}
	}
	return out
}

// untouched are the things of the start that only are in the way and were not taken away: they stand in the next round too.
func (s *site) untouched(actions []graph.Action) []int {
	gone := map[int]bool{}
	for _, a := range actions {
		switch a.Kind {
		case graph.Remove:
			gone[a.Thing] = true
		case graph.Switch:
			gone[a.From] = true
		}
	}
	var out []int
	for _, x := range s.graph.Standing {
		if s.things[x].left && !gone[x] {
			out = append(out, x)
		}
	}
	return out
}

// touched are the ids of the things about which there are steps.
func (w *walk) touched() map[string]bool {
	out := map[string]bool{}
	for _, s := range w.steps {
		out[s.Thing], out[s.Replaces] = true, true
	}
	return out
}

// allowed are the ids of the datasets of earlier runs that the plan takes away by consent.
func (b *builder) allowed(w *walk) []string {
	var out []string
	touched := w.touched()
	for _, t := range b.things {
		if t.left && t.Kind == "dataset" && touched[t.ID] {
			out = append(out, t.ID)
		}
	}
	slices.Sort(out)
	return out
}

// consents looks at what the walk takes away of earlier runs: a dataset only where that is allowed, and nothing that cannot be taken away since its
// configuration holds a secret, which is not kept.
func (b *builder) consents(w *walk) hcl.Diagnostics {
	var diags hcl.Diagnostics
	touched := w.touched()
	for _, t := range b.things {
		if !t.left || !touched[t.ID] {
			continue
		}
		k := Kept{Thing: t.Thing, Run: t.Standing.Run}
		rng, of := b.rival(t)
		if of == t.Addresses[0] {
			of = "the same as it is configured now"
		}
		switch {
		case len(t.SensitiveConfig) > 0:
			diags = append(diags, diag.Error(rng, "In the way", "%s, is in the way of %s, and cannot be taken away by this spec: %s is sensitive, and no secret is kept. Take it away with the spec that made it, by keep = false.",
				k.Name(), of, strings.Join(t.SensitiveConfig, ", ")))
		case t.Kind == "dataset" && !slices.Contains(b.req.AllowErase, t.ID):
			diags = append(diags, diag.Error(rng, "Data in the way", "%s, is in the way of %s, so its data would be lost. Allow that with --allow-erase %s, or let this spec use something else.",
				k.Name(), of, t.ID))
		}
	}
	return diags
}

// rival names something of this spec in whose way a thing is.
func (b *builder) rival(left *thing) (hcl.Range, string) {
	clash := func(claims []providers.Claim) bool {
		return slices.ContainsFunc(claims, func(c providers.Claim) bool {
			return slices.ContainsFunc(left.claims, func(l providers.Claim) bool { return l.Name == c.Name && !(l.Shared && c.Shared) })
		})
	}
	for _, t := range b.things {
		if !t.left && (clash(t.claims) || t.Slot != "" && t.Slot == left.Slot) {
			return t.rng, t.Addresses[0]
		}
	}
	for _, inst := range b.spec.Tests {
		if a := b.answers[inst]; a != nil && clash(a.Claims) {
			return inst.Range, inst.Addr.String()
		}
	}
	if len(left.needs) > 0 {
		n := left.needs[0]
		if n.left {
			return b.rival(n)
		}
		return n.rng, n.Addresses[0] + ", on which it stands and which has to go"
	}
	return b.first(), "this spec"
}

// first is where something is said that is about the spec as a whole.
func (b *builder) first() hcl.Range {
	for _, list := range [][]*spec.Instance{b.spec.Tests, b.spec.Setups} {
		if len(list) > 0 {
			return list[0].Range
		}
	}
	return hcl.Range{}
}
