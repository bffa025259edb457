package command

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// Plan implements providers.Provider. Online it asks inspect whether a setup stands already, and says so; an answer that
// says neither is none, since what the thing needs may not stand yet.
func (p *provider) Plan(ctx context.Context, req providers.PlanRequest) (*providers.PlanResponse, error) {
	resp := &providers.PlanResponse{Problems: check(req.Target), Outputs: cty.EmptyObjectVal}
	b := body{req.Config}
	if req.Kind == "setup" || req.Kind == "dataset" {
		resp.Outputs = outputs(b)
	}
	for _, problem := range resp.Problems {
		if !problem.Warning {
			return resp, nil
		}
	}
	resp.Estimate = time.Duration(b.number("estimate") * float64(time.Second))
	resp.Claims = claims(req.Target, b)
	switch req.Kind + " " + req.Type {
	case "test command":
		resp.Commands = planned(hosts(req.Target)[:1], append(b.commands("before"), b.command()))
		return resp, nil
	case "monitor command":
		planMonitor(req.Target, b, resp)
	case "setup command":
		planThing(req.Target, b, "create", "destroy", resp)
		planSlot(req.Target, b, resp)
	case "setup " + manualType:
		planManual(req.Target, b, resp)
	case "dataset command":
		planThing(req.Target, b, "load", "remove", resp)
	default:
		return nil, unknown(req.Target)
	}
	if !req.Offline && req.Kind == "setup" {
		p.look(ctx, req.Target, resp)
	}
	return resp, nil
}

// planSlot adds the state of a slot that a setup is, and how it is reached from others.
func planSlot(t providers.Target, b body, resp *providers.PlanResponse) {
	if resp.Slot = b.text("slot"); resp.Slot == "" {
		return
	}
	resp.State = b.text("state")
	resp.Switch = map[string]time.Duration{providers.AnyState: resp.Estimate}
	resp.SwitchCommands = map[string][]providers.Command{}
	i, _ := b.inspection()
	states := map[string]bool{providers.AnyState: true}
	all := b.commands("switch")
	for _, c := range all {
		if c.leaves != "" {
			states[c.leaves] = true
		}
	}
	for _, from := range sortedKeys(states) {
		if list := switching(all, from); len(list) > 0 {
			resp.Switch[from] = resp.Estimate
			resp.SwitchCommands[from] = planned(hosts(t), append(list, i.command))
		}
	}
}

// planThing adds the commands by which a thing comes and goes. Each ends with the one that sees whether that is so.
func planThing(t providers.Target, b body, makes, takes string, resp *providers.PlanResponse) {
	i, _ := b.inspection()
	resp.Commands = planned(hosts(t), append(b.commands(makes), i.command))
	resp.ReleaseCommands = planned(hosts(t), append(b.commands(takes), i.command))
}

// planned are commands as the plan prints them.
func planned(hosts []string, commands []command) []providers.Command {
	var out []providers.Command
	for _, h := range hosts {
		for _, c := range commands {
			for _, name := range sortedKeys(c.files) {
				out = append(out, providers.Command{On: h, Manual: "write " + name + ", mode 0600, into an empty directory in which the next command runs"})
			}
			out = append(out, providers.Command{On: h, Argv: c.argv, Stdin: c.stdin, Env: c.environment(), Dir: c.dir})
		}
	}
	return out
}

// outputs are promised as the spec gives them.
func outputs(b body) cty.Value {
	values := map[string]cty.Value{}
	for k, v := range b.table("outputs") {
		values[k] = cty.StringVal(v)
	}
	m := cty.MapValEmpty(cty.String)
	if len(values) > 0 {
		m = cty.MapVal(values)
	}
	return cty.ObjectVal(map[string]cty.Value{"outputs": m})
}

// claims are those of the spec. A test has its host's CPU and I/O for itself too: two measurements at once are of neither.
func claims(t providers.Target, b body) []providers.Claim {
	standing := t.Kind != "test"
	var out []providers.Claim
	for _, name := range b.list("claims") {
		out = append(out, providers.Claim{Name: name, Standing: standing})
	}
	for _, name := range b.list("shares") {
		out = append(out, providers.Claim{Name: name, Standing: standing, Shared: true})
	}
	if t.Kind != "test" {
		return out
	}
	on := hosts(t)[0]
	for _, name := range []string{"host:" + on + ":cpu", "host:" + on + ":io"} {
		if !slices.ContainsFunc(out, func(c providers.Claim) bool { return c.Name == name }) {
			out = append(out, providers.Claim{Name: name})
		}
	}
	return out
}

// look asks how a setup stands now.
func (p *provider) look(ctx context.Context, t providers.Target, resp *providers.PlanResponse) {
	now, err := p.Inspect(ctx, providers.ThingRequest{Target: t})
	if err == nil && now.Standing != providers.Absent {
		resp.Problems = append(resp.Problems, providers.Problem{
			Warning: true, Summary: "Stands already",
			Detail: "Inspect says that it is " + string(now.Standing) + " now, before assay has made it. It is taken over, and taken away at the end unless keep = true; if it belongs to somebody else, give it another name.",
		})
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
