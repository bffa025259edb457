package run

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// Facts reads what is worth knowing of every host of a plan, and looks for the tools that the plan's steps need. A tool that is not
// there, or a machine that is not the declared one, is an error before the first step.
func Facts(ctx context.Context, p *plan.Plan, set *providers.Set, dial host.Dialer) (map[string]map[string]string, error) {
	tools := map[string]map[string]string{} // host → tool → address of one that needs it
	need := func(hosts []string, kind, typ, address string) {
		t := set.Type(kind, typ)
		if t == nil {
			return
		}
		for _, h := range hosts {
			if tools[h] == nil {
				tools[h] = map[string]string{}
			}
			for _, tool := range t.Tools {
				tools[h][tool] = address
			}
		}
	}
	for _, t := range p.Things {
		need(t.Hosts, t.Kind, t.Type, t.Addresses[0])
	}
	for _, t := range p.Tests {
		if t.Import == nil && t.Skip == "" {
			need(t.Hosts, "test", t.Type, t.Address)
		}
	}
	for _, m := range p.Monitors {
		if m.Import == nil && m.Skip == "" {
			need(m.Hosts, "monitor", m.Type, m.Address)
		}
	}
	out := map[string]map[string]string{}
	for _, address := range p.Hosts {
		h, err := dial(ctx, address)
		if err != nil {
			return nil, fmt.Errorf("host %s: %w", name(address), err)
		}
		facts, err := h.Facts(ctx)
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", name(address), err)
		}
		for _, tool := range sortedIDs(tools[address]) {
			version, found, err := host.ToolVersion(ctx, h, tool)
			if err != nil {
				return nil, fmt.Errorf("looking for %s on %s: %w", tool, name(address), err)
			}
			if !found {
				return nil, fmt.Errorf("%s is not installed on %s, and %s needs it: install it and run again", tool, name(address), tools[address][tool])
			}
			facts["tool."+tool] = version
		}
		out[address] = facts
		if err := h.Close(); err != nil {
			return nil, err
		}
	}
	return out, declared(p, out)
}

func name(address string) string {
	if address == "" {
		return "this machine"
	}
	return address
}
