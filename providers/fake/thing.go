package fake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// The values of fail.
const (
	failCreate  = "create"
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

func planThing(req providers.PlanRequest) *providers.PlanResponse {
	id := thingID(req.Address.String())
	res := &providers.PlanResponse{
		Outputs:         cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}),
		Commands:        []providers.Command{{Manual: "write .assay/fake/" + id + ".json"}},
		ReleaseCommands: []providers.Command{{Manual: "remove .assay/fake/" + id + ".json"}},
		Estimate:        duration(req.Config, "create_time"),
		ReleaseEstimate: duration(req.Config, "destroy_time"),
	}
	claims := list(req.Config, "claims")
	for i, c := range claims {
		switch {
		case strings.TrimSpace(c) == "":
			res.Problems = append(res.Problems, providers.Problem{
				Attribute: "claims", Summary: "Empty claim",
				Detail: `A claim is a name, such as "disk:S0001". Write one, or leave it out.`,
			})
		case slices.Contains(claims[:i], c):
			res.Problems = append(res.Problems, providers.Problem{
				Attribute: "claims", Summary: "Claim given twice",
				Detail: fmt.Sprintf("%q is in the list twice; each name is claimed once. Leave one out.", c),
			})
		default:
			res.Claims = append(res.Claims, providers.Claim{Name: c, Standing: true})
		}
	}
	return res
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
	if req.Kind != "setup" || req.Type != "fake_thing" {
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
	case t.State == stateStanding:
		return &providers.InspectResponse{Standing: providers.Stands}, nil
	}
	return &providers.InspectResponse{Standing: providers.Partial, Detail: "it was interrupted while it was created or destroyed"}, nil
}

// Prepare writes the thing's file: partial first, whole once create_time has passed. It fails where another thing holds
// one of its claims, where fail is create, and where the file is foreign.
func (p *Provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	w, err := p.thingWorld(req)
	if err != nil {
		return err
	}
	t := wanted(req)
	begun, err := w.begin(ctx, t)
	if err != nil {
		return fmt.Errorf("fake: create %s: %w", req.Address, err)
	}
	if !begun {
		return nil
	}
	if err := wait(ctx, duration(req.Config, "create_time"), sink, "creating "+t.ID); err != nil {
		return fmt.Errorf("fake: create %s: %w", req.Address, err)
	}
	if text(req.Config, "fail") == failCreate {
		return errors.Join(fmt.Errorf("fake: create %s: it fails as the spec asks (fail = %q)", req.Address, failCreate),
			w.log("create failed %s", t.ID))
	}
	if err := errors.Join(w.save(t), w.log("created %s", t.ID)); err != nil {
		return fmt.Errorf("fake: create %s: %w", req.Address, err)
	}
	return nil
}

// wanted is the file of the thing as it will stand.
func wanted(req providers.ThingRequest) *thing {
	t := &thing{
		Mark: mark, ID: promised(req), State: stateStanding, Addresses: slices.Clone(req.Addresses),
		Label: text(req.Config, "label"), Claims: list(req.Config, "claims"),
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

// begin writes the partial file, unless the thing stands as it is wanted. Between looking and writing nothing else in this process changes the world.
func (w *world) begin(ctx context.Context, t *thing) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	there, err := w.load(t.ID)
	if err != nil {
		return false, err
	}
	if there != nil && there.State == stateStanding && there.Label == t.Label && slices.Equal(there.Claims, t.Claims) &&
		slices.Equal(there.Addresses, t.Addresses) {
		return false, nil
	}
	other, claim, err := w.holder(t)
	if err != nil {
		return false, err
	}
	if other != nil {
		return false, fmt.Errorf("%q is claimed by %s (%s), which is still %s; destroy that one first",
			claim, other.ID, strings.Join(other.Addresses, ", "), other.State)
	}
	partial := *t
	partial.State = statePartial
	return true, errors.Join(w.save(&partial), w.log("create %s %s", t.ID, t.Addresses[0]))
}

// Release removes the thing's file once destroy_time has passed; until then it is partial. It leaves a thing that is to
// fail = "destroy" standing, and does nothing about one that is absent. A test has no residue.
func (p *Provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Kind == "test" && req.Type == "fake" {
		return nil
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
