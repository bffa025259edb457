package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
)

const manualType = "command_manual"

func manualSetup() schema.Type {
	return schema.Type{
		Name: manualType,
		Doc: "Something that a person does and undoes: moves a cable, sets a switch in a firmware's menu. apply asks, unless inspect says that it is so already; when the person " +
			"says that it is done, inspect must say so too.",
		Manual: true,
		Body: schema.Block{
			Attributes: append([]schema.Attribute{
				{Name: "instructions", Kind: schema.String, Required: true, Doc: "What the person has to do. It stands in the plan."},
				{Name: "undo", Kind: schema.String, Required: true, Doc: "What the person has to do to take it away at the end; with keep = true it is asked only after a failure."},
			}, setupAttributes()...),
			Blocks: []schema.Nested{inspectBlock()},
		},
		Outputs: []schema.Output{{Name: "outputs", Type: schema.Map, Doc: "As given: setup.command_manual.NAME.outputs.KEY."}},
	}
}

// planManual adds what a person does, and how that is seen.
func planManual(t providers.Target, b body, resp *providers.PlanResponse) {
	i, _ := b.inspection()
	for _, x := range []struct {
		list *[]providers.Command
		text string
	}{{&resp.Commands, b.text("instructions")}, {&resp.ReleaseCommands, b.text("undo")}} {
		*x.list = append([]providers.Command{{On: hosts(t)[0], Manual: "by hand: " + strings.Join(strings.Fields(x.text), " ")}}, planned(hosts(t), []command{i.command})...)
	}
	planSlot(t, b, resp)
}

// byHand lets a person bring a thing to stand or to be absent, once for all its hosts, and sees whether it is so on each.
func (p *provider) byHand(ctx context.Context, req providers.ThingRequest, sink providers.Sink, want providers.Standing, what string) error {
	done := true
	err := p.each(ctx, req.Target, sink, func(t *thing) error {
		t.suffix = "-before" + t.suffix
		now, err := t.inspect(ctx)
		if err != nil && want == providers.Absent {
			now, err = providers.Partial, nil // it cannot be told, so the person looks
		}
		done = done && now == want
		return err
	})
	if err != nil || done {
		return err
	}
	if err := providers.Ask(ctx, sink, body{req.Config}.text(what)); err != nil {
		return err
	}
	return p.each(ctx, req.Target, sink, func(t *thing) error {
		now, err := t.becomes(ctx, want)
		if err == nil && now != want {
			err = fmt.Errorf("a person said that it is done, but inspect says that it is %s", now)
		}
		return err
	})
}
