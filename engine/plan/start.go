package plan

import (
	"fmt"
	"time"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/hashicorp/hcl/v2"
)

// Kept is a thing that a run has left standing, as it is found again.
type Kept struct {
	Thing  Thing           `json:"thing"` // as the plan of that run has it
	Run    string          `json:"run"`
	Made   time.Time       `json:"made"`
	Sample *measure.Sample `json:"sample,omitempty"` // of a dataset: that of its load
	// Changed: a test has changed the data since, so that they are not used again.
	Changed bool `json:"changed,omitempty"`
}

// Name says what it is and where it comes from, for messages.
func (k *Kept) Name() string {
	done := "made"
	if k.Thing.Kind == "dataset" {
		done = "loaded"
	}
	return fmt.Sprintf("%s, which was %s in run %s", k.Thing.Addresses[0], done, k.Run)
}

// start finds out what stands when the walk begins: of what earlier runs have kept, what this spec needs, and what may be in its way. The
// providers look at each such thing. It comes after the things are known, and adds those that are only in the way.
func (b *builder) start() hcl.Diagnostics {
	kept := map[string]*Kept{}
	for i := range b.req.Kept {
		kept[b.req.Kept[i].Thing.ID] = &b.req.Kept[i]
	}
	var diags hcl.Diagnostics
	for _, t := range b.things {
		k := kept[t.ID]
		if k == nil {
			continue
		}
		delete(kept, t.ID)
		if d := b.reusable(t, k); d != nil {
			diags = append(diags, d)
		}
		if b.err != nil {
			return diags
		}
	}
	return append(diags, b.others(kept)...)
}

// reusable lets a thing stand when the walk begins, where its provider finds it as an earlier run has left it. Else it says why not.
func (b *builder) reusable(t *thing, k *Kept) *hcl.Diagnostic {
	if !t.reusable() {
		return nil
	}
	again := "made"
	if t.Kind == "dataset" {
		again = "loaded"
	}
	if k.Changed {
		return diag.Warning(t.rng, "Not used again", "%s, was changed by a test since: it is loaded anew.", k.Name())
	}
	for _, n := range t.needs {
		if n.Fresh {
			return nil
		}
		if !n.stands {
			return diag.Warning(t.rng, "Not used again", "%s, and %s under it does not stand any more: it is %s anew.", k.Name(), n.Addresses[0], again)
		}
	}
	is, err := b.set.For(t.Kind, t.Type).Inspect(b.ctx, providers.ThingRequest{
		Target: providers.Target{Kind: t.Kind, Type: t.Type, Address: t.Instance, Config: t.config, Hosts: t.Hosts},
		ID:     t.ID, Outputs: t.answer.Outputs, Expect: t.Expect, Addresses: t.Addresses,
	})
	switch {
	case err != nil:
		b.err = fmt.Errorf("looking at %s, which run %s has kept: %w", t.Addresses[0], k.Run, err)
		return nil
	case is.Standing == providers.Foreign:
		return diag.Error(t.rng, "Not ours any more", "In the place of %s, there is something that is not assay's%s. Look at it, and move it away or give %s another place.",
			k.Name(), detailed(is.Detail), t.Addresses[0])
	case is.Standing != providers.Stands:
		return diag.Warning(t.rng, "Not used again", "%s, is %s now%s: it is %s anew.", k.Name(), is.Standing, detailed(is.Detail), again)
	case t.Slot != "" && is.State != "" && is.State != t.State:
		return diag.Warning(t.rng, "Not used again", "%s, is in state %q now: it is %s anew.", k.Name(), is.State, again)
	}
	t.stands, t.Standing = true, &Standing{Run: k.Run}
	return nil
}

func detailed(detail string) string {
	if detail == "" {
		return ""
	}
	return " (" + detail + ")"
}
