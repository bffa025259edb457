package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/assay-bench/assay/engine/graph"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// thing is one standing thing with what the walk needs to know of it.
type thing struct {
	Thing
	index  int // among all things
	answer *providers.PlanResponse
	config cty.Value
	needs  []*thing // what it stands on
	beside []*thing // states that must stand when it is made
	claims []providers.Claim
	wish   wish
	left   bool            // an earlier run has kept it and this spec does not need it: it is there to be in the way
	stands bool            // when the walk begins, since an earlier run has kept it
	axes   map[string]bool // of all its addresses
	rng    hcl.Range
}

// identity names the standing thing that a setup or dataset is. Those with equal kind, type, hosts, configuration and needs are one.
func (b *builder) identity(inst *spec.Instance) string {
	var needs []string
	for _, n := range inst.Needs {
		needs = append(needs, b.ids[n])
	}
	sort.Strings(needs)
	own := ""
	if inst.Addr.Kind == "dataset" { // a setup may be of a type of the same name
		own = "dataset "
	}
	if len(inst.Secret) > 0 {
		own += inst.Addr.String() // no hash of a secret stands in a plan: such a setup is its own thing
	}
	if inst.Erase { // the other one may not erase what it finds
		own += "erase "
	}
	own += b.otherwise(inst)
	return thingID(inst, fmt.Sprintf("%s\n%q\n%s\n%q\n%s", inst.Type.Name, hosts(inst), b.configJSON(inst), needs, own))
}

func thingID(inst *spec.Instance, of string) string {
	sum := sha256.Sum256([]byte(of))
	return inst.Type.Name + "-" + hex.EncodeToString(sum[:5])
}

// fingerprint is the id of a thing of an identity, as its provider promises it: by it the thing is found again in a later run, so it tells
// apart what is called otherwise, and what another version of the provider's generator makes.
func (b *builder) fingerprint(inst *spec.Instance, identity string, answer *providers.PlanResponse) string {
	outputs, p := "", b.providerOf(inst)
	secret := len(inst.Secret) > 0 || p != nil && len(p.Secret) > 0
	if !secret && answer.Outputs != cty.NilVal && answer.Outputs.IsWhollyKnown() { // no hash of a secret stands in a plan
		outputs = string(valueJSON(answer.Outputs))
	}
	return thingID(inst, identity+"\n"+outputs+"\n"+answer.Fingerprint)
}

// merge makes one standing thing of setups, or of datasets, with equal configuration and equal needs.
func (b *builder) merge() {
	byID := map[string]*thing{}
	for _, inst := range b.spec.Setups {
		id := b.ids[inst]
		t := byID[id]
		if t == nil {
			t = b.newThing(inst, id)
			byID[id] = t
		} else {
			t.Addresses = append(t.Addresses, inst.Addr.String())
			t.wish = t.wish.with(inst.Keep)
			t.Fresh = t.Fresh || inst.Fresh
			if t.Kind == "dataset" {
				t.Others = append(t.Others, inst.Addr)
			}
		}
		for a := range inst.Addr.Coordinates {
			t.axes[a] = true
		}
		b.thingOf[inst] = t
	}
	for _, t := range b.things {
		t.Keep = t.kept()
		b.nodes = append(b.nodes, t.node(b.family(t)))
		for _, c := range t.claims {
			b.claimed[c.Name] = true
		}
	}
}

func (b *builder) newThing(inst *spec.Instance, id string) *thing {
	t := &thing{answer: b.answers[inst], config: inst.Config, index: len(b.things), axes: map[string]bool{}, rng: inst.Range}
	beside := map[*spec.Instance]bool{}
	for _, n := range inst.Beside {
		beside[n] = true
	}
	seen := map[*thing]bool{}
	needs, besides := []string{}, []string(nil)
	for _, n := range inst.Needs {
		under := b.thingOf[n]
		if seen[under] {
			continue
		}
		seen[under] = true
		needs = append(needs, under.ID)
		if beside[n] && under.Slot != "" { // only a state can change and leave the thing standing
			t.beside = append(t.beside, under)
			besides = append(besides, under.ID)
		} else {
			t.needs = append(t.needs, under)
		}
	}
	sort.Strings(needs)
	sort.Strings(besides)
	sort.Slice(t.needs, func(i, j int) bool { return t.needs[i].index < t.needs[j].index })
	t.claims, t.wish = standing(t.answer.Claims), wish{}.with(inst.Keep)
	t.Thing = Thing{
		ID: id, Kind: inst.Addr.Kind, Addresses: []string{inst.Addr.String()}, Type: inst.Type.Name, Instance: inst.Addr,
		Hosts: hosts(inst), Config: b.configJSON(inst), Outputs: b.outputs.value(without(inst.Outputs, inst.SecretOutputs)),
		Needs: needs, Beside: besides, Claims: claimNames(t.claims, false), Shares: claimNames(t.claims, true), Slot: t.answer.Slot, State: t.answer.State,
		Erase: inst.Erase, Fresh: inst.Fresh || t.answer.Fresh, Expect: t.answer.Expect,
		Attempts: inst.Attempts, SensitiveConfig: secretNames(inst),
	}
	if inst.Timeout != nil {
		t.TimeoutS = inst.Timeout.Float()
	}
	if inst.Backoff != nil {
		t.BackoffS = inst.Backoff.Float()
	}
	b.things = append(b.things, t)
	return t
}

// family numbers the block of a thing.
func (b *builder) family(t *thing) int {
	f, ok := b.families[t.Instance.Block]
	if !ok {
		f = len(b.families)
		b.families[t.Instance.Block] = f
	}
	return f
}

// node is the thing as it is ordered, by its index among all things.
func (t *thing) node(family int) graph.Thing {
	n := graph.Thing{
		Make: price(t.answer.Estimate), Remove: price(t.answer.ReleaseEstimate), Family: family, Keep: t.Keep,
		Slot: t.Slot, State: t.State,
	}
	for _, x := range t.needs {
		n.Needs = append(n.Needs, x.index)
	}
	for _, x := range t.beside {
		n.Beside = append(n.Beside, x.index)
	}
	for _, c := range t.claims {
		n.Claims = append(n.Claims, graph.Claim{Name: c.Name, Shared: c.Shared})
	}
	if len(t.answer.Switch) > 0 {
		n.Switch = map[string]int64{}
		for state, d := range t.answer.Switch {
			n.Switch[state] = price(d)
		}
	}
	return n
}

func standing(claims []providers.Claim) []providers.Claim {
	var out []providers.Claim
	for _, c := range claims {
		if c.Standing {
			out = append(out, c)
		}
	}
	return out
}

// claimNames are the names of claims that are shared, or that are not; never nil.
func claimNames(claims []providers.Claim, shared bool) []string {
	out := []string{}
	for _, c := range claims {
		if c.Shared == shared {
			out = append(out, c.Name)
		}
	}
	return out
}

// configJSON writes a configuration without what is sensitive.
func (b *builder) configJSON(inst *spec.Instance) json.RawMessage {
	return b.configs.value(without(inst.Config, inst.Secret))
}

// without takes out what stands at the paths.
func without(v cty.Value, paths []cty.Path) cty.Value {
	if len(paths) > 0 {
		v, _ = cty.Transform(v, func(p cty.Path, x cty.Value) (cty.Value, error) {
			for _, secret := range paths {
				if p.Equals(secret) {
					return cty.NullVal(x.Type()), nil
				}
			}
			return x, nil
		})
	}
	return v
}

func secretNames(inst *spec.Instance) []string { return namesOf(inst.Secret) }

// namesOf gives the attributes in which paths begin, each once, sorted.
func namesOf(paths []cty.Path) []string {
	seen := map[string]bool{}
	var names []string
	for _, p := range paths {
		if step, ok := p[0].(cty.GetAttrStep); ok && !seen[step.Name] {
			seen[step.Name] = true
			names = append(names, step.Name)
		}
	}
	sort.Strings(names)
	return names
}
