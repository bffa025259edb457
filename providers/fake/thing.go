package fake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// The values of fail.
const (
	failCreate  = "create"
	failSwitch  = "switch"
	failDestroy = "destroy"
)

// thingID is the id of the thing at an address: setup.fake_thing.array[drive=sas] is array-5c0f2f1e. The name is for people, the
// hash tells coordinates apart.
func thingID(address string) string {
	head, _, _ := strings.Cut(address, "[")
	name := strings.Map(func(r rune) rune {
		if idRE.MatchString(string(r)) {
			return r
		}
		return -1 // a name in another script: the hash stands alone
	}, head[strings.LastIndexByte(head, '.')+1:])
	sum := sha256.Sum256([]byte(address))
	return strings.TrimPrefix(name+"-"+hex.EncodeToString(sum[:4]), "-")
}

func (w *world) planThing(req providers.PlanRequest) *providers.PlanResponse {
	id := thingID(req.Address.String())
	res := &providers.PlanResponse{
		Outputs:         cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}),
		Commands:        []providers.Command{{Manual: "write " + w.shown(id)}},
		ReleaseCommands: []providers.Command{{Manual: "remove " + w.shown(id)}},
		Estimate:        duration(req.Config, "create_time"),
		ReleaseEstimate: duration(req.Config, "destroy_time"),
	}
	res.Problems = append(res.Problems, w.planSlot(req, res)...)
	claims, problems := planClaims(req, true)
	res.Claims, res.Problems = claims, append(res.Problems, problems...)
	return res
}

// planSlot checks slot and state, and prices the switch. The provider knows no other state than the thing's own.
func (w *world) planSlot(req providers.PlanRequest, res *providers.PlanResponse) []providers.Problem {
	slot, state := text(req.Config, "slot"), text(req.Config, "state")
	switch {
	case slot == "" && state == "":
		return nil
	case slot == "":
		return []providers.Problem{{Attribute: "state", Summary: "State without slot",
			Detail: "A state is one of a slot. Name the slot too, the same for all its states: slot = \"cache\"."}}
	case state == "" || state == providers.AnyState:
		return []providers.Problem{{Attribute: "slot", Summary: "Slot without state",
			Detail: "Say which state of the slot this is, other than \"*\": state = \"on\"."}}
	}
	res.Slot, res.State = slot, state
	res.Switch = map[string]time.Duration{providers.AnyState: duration(req.Config, "switch_time")}
	id := thingID(req.Address.String())
	res.SwitchCommands = map[string][]providers.Command{
		providers.AnyState: {{Manual: "write " + w.shown(id) + " in place of the file of the state before"}},
	}
	return nil
}

// planClaims reads the claims of a thing or test.
func planClaims(req providers.PlanRequest, standing bool) (out []providers.Claim, problems []providers.Problem) {
	claims := list(req.Config, "claims")
	for i, c := range claims {
		switch {
		case strings.TrimSpace(c) == "":
			problems = append(problems, providers.Problem{
				Attribute: "claims", Summary: "Empty claim",
				Detail: `A claim is a name, such as "disk:S0001". Write one, or leave it out.`,
			})
		case slices.Contains(claims[:i], c):
			problems = append(problems, providers.Problem{
				Attribute: "claims", Summary: "Claim given twice",
				Detail: fmt.Sprintf("%q is in the list twice; each name is claimed once. Leave one out.", c),
			})
		default:
			out = append(out, providers.Claim{Name: c, Standing: standing})
		}
	}
	return out, problems
}

// promised is the id that Plan promised.
func promised(req providers.ThingRequest) string {
	if id := text(req.Outputs, "id"); id != "" {
		return id
	}
	return thingID(req.Address.String())
}

// thingWorld gives the world for a request about a thing.
func (p *Provider) thingWorld(req providers.ThingRequest) (*world, error) {
	if !isThing(req.Kind, req.Type) {
		return nil, unknownType(req.Target)
	}
	return p.ready()
}

// Inspect reads the thing's file.
func (p *Provider) Inspect(_ context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	w, err := p.thingWorld(req)
	if err != nil {
		return nil, err
	}
	t, err := w.load(promised(req))
	switch {
	case errors.Is(err, errForeign):
		return &providers.InspectResponse{Standing: providers.Foreign, Detail: err.Error()}, nil
	case err != nil:
		return nil, fmt.Errorf("fake: inspect %s: %w", req.Address, err)
	case t == nil:
		return &providers.InspectResponse{Standing: providers.Absent}, nil
	case t.Of != req.ID:
		return &providers.InspectResponse{Standing: providers.Absent, Detail: "another configuration of it stands there"}, nil
	case t.State == stateStanding:
		return &providers.InspectResponse{Standing: providers.Stands, State: t.SlotState}, nil
	}
	return &providers.InspectResponse{Standing: providers.Partial, Detail: "it was interrupted while it was created or destroyed"}, nil
}

// Prepare writes the thing's file: partial first, whole once create_time has passed, or switch_time where it takes the place of the state
// that the slot is in. It fails where another thing holds one of its claims or its slot, where fail is create or switch, and where
// the file is foreign.
func (p *Provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	w, err := p.thingWorld(req)
	if err != nil {
		return err
	}
	do := deed{"create", "created", failCreate, "create_time"}
	if req.Kind == "dataset" {
		do = deed{"load", "loaded", failLoad, "load_time"}
	}
	if req.From != "" {
		do = deed{"switch", "switched", failSwitch, "switch_time"}
	}
	if err := w.prepare(ctx, req, do, sink); err != nil {
		return fmt.Errorf("fake: %s %s: %w", do.verb, req.Address, err)
	}
	return nil
}

// deed is one of the two ways in which a thing comes to stand.
type deed struct{ verb, done, fail, time string }

func (w *world) prepare(ctx context.Context, req providers.ThingRequest, do deed, sink providers.Sink) error {
	t := wanted(req)
	if req.Kind == "dataset" {
		return w.loadData(ctx, req, t, sink)
	}
	begun, err := w.begin(ctx, t, do.verb, req.From)
	if err != nil || !begun {
		return err
	}
	if err := wait(ctx, duration(req.Config, do.time), sink, do.verb+" "+t.ID); err != nil {
		return err
	}
	if text(req.Config, "fail") == do.fail {
		return errors.Join(fmt.Errorf("it fails as the spec asks (fail = %q)", do.fail), w.log("%s failed %s", do.verb, t.ID))
	}
	return errors.Join(w.save(t), w.log("%s %s", do.done, t.ID))
}

// wanted is the file of the thing as it will stand.
func wanted(req providers.ThingRequest) *thing {
	t := &thing{
		Mark: mark, ID: promised(req), Of: req.ID, State: stateStanding, Addresses: slices.Clone(req.Addresses),
		Label: text(req.Config, "label"), Claims: list(req.Config, "claims"),
		Slot: text(req.Config, "slot"), SlotState: text(req.Config, "state"),
	}
	if own := req.Address.String(); !slices.Contains(t.Addresses, own) {
		t.Addresses = append(t.Addresses, own)
	}
	slices.Sort(t.Addresses)
	for _, a := range t.Addresses {
		if id := thingID(a); id != t.ID {
			t.Aliases = append(t.Aliases, id)
		}
	}
	return t
}

// begin writes the partial file, unless the thing stands as it is wanted. In a switch it takes the place of the file of the state
// before. Between looking and writing nothing else in this process changes the world.
func (w *world) begin(ctx context.Context, t *thing, verb, from string) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	there, err := w.load(t.ID)
	if err != nil {
		return false, err
	}
	if there != nil && there.State == stateStanding && there.Of == t.Of && there.Label == t.Label && slices.Equal(there.Claims, t.Claims) &&
		slices.Equal(there.Addresses, t.Addresses) && there.Slot == t.Slot && there.SlotState == t.SlotState {
		return false, nil
	}
	line := fmt.Sprintf("%s %s %s", verb, t.ID, t.Addresses[0])
	before := ""
	if from != "" {
		old, err := w.inState(t.Slot, from)
		if err != nil && there == nil { // a switch that was interrupted may have taken the place already
			return false, err
		}
		if err == nil {
			before = old.ID
		}
		line = fmt.Sprintf("switch %s %s %s", t.ID, from, t.SlotState)
	}
	other, claim, err := w.holder(t, before)
	if err != nil {
		return false, err
	}
	if other != nil {
		return false, fmt.Errorf("%q is claimed by %s (%s), which is still %s; destroy that one first",
			claim, other.ID, strings.Join(other.Addresses, ", "), other.State)
	}
	partial := *t
	partial.State = statePartial
	if err := errors.Join(w.log("%s", line), w.save(&partial)); err != nil || before == "" {
		return true, err
	}
	return true, w.remove(before)
}

// Release removes the thing's file once destroy_time has passed; until then it is partial. It leaves a thing that is to
// fail = "destroy" standing, and does nothing about one that is absent. Of a test it removes what it left.
func (p *Provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Kind == "test" && (req.Type == "fake" || req.Type == updateName) {
		w, err := p.ready()
		if err != nil {
			return err
		}
		return w.forget(thingID(req.Address.String()))
	}
	w, err := p.thingWorld(req)
	if err != nil {
		return err
	}
	id := promised(req)
	t, err := w.load(id)
	if err != nil {
		return fmt.Errorf("fake: destroy %s: %w", req.Address, err)
	}
	if t == nil {
		return nil
	}
	if text(req.Config, "fail") == failDestroy {
		return errors.Join(fmt.Errorf("fake: destroy %s: it fails as the spec asks (fail = %q)", req.Address, failDestroy),
			w.log("destroy failed %s", id))
	}
	t.State = statePartial
	err = errors.Join(w.log("destroy %s", id), w.save(t))
	if err == nil {
		err = wait(ctx, duration(req.Config, "destroy_time"), sink, "destroying "+id)
	}
	if err == nil {
		err = errors.Join(w.remove(id), w.log("destroyed %s", id))
	}
	if err != nil {
		return fmt.Errorf("fake: destroy %s: %w", req.Address, err)
	}
	return nil
}
