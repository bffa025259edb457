package plan

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// shortestSecret is the length from which a text is looked for: a shorter one occurs anywhere by chance, and protects nothing.
const shortestSecret = 4

// exposed finds sensitive values in the commands that a provider plans: they would stand in the plan, in the record and in the
// machine's process list. Secrets reach tools through the environment, standard input or a file of their own, so this is an error.
func exposed(inst *spec.Instance, provider *spec.Provider, answer *providers.PlanResponse) hcl.Diagnostics {
	if name, rng := leaked(inst.Secret, inst.Config, inst.AttrRange, inst.Range, answer); name != "" {
		return hcl.Diagnostics{diag.Error(rng, "Secret in a command",
			"%s is sensitive, and the commands of %s would show it: in the plan, in the record and in the process list of the machine. Take it out of %s, or let the variable not be sensitive.", name, inst.Addr, name)}
	}
	if provider == nil {
		return nil
	}
	if name, rng := leaked(provider.Secret, provider.Config, provider.AttrRange, provider.Range, answer); name != "" {
		return hcl.Diagnostics{diag.Error(rng, "Secret in a command",
			"%s of provider %q is sensitive, and the commands of %s would show it: in the plan, in the record and in the process list of the machine. Take it out of %s, or let the variable not be sensitive.", name, provider.Name, inst.Addr, name)}
	}
	return nil
}

// leaked finds an attribute with a sensitive text that the commands of an answer show, and its place; empty where there is none.
func leaked(paths []cty.Path, config cty.Value, attributes map[string]hcl.Range, header hcl.Range, answer *providers.PlanResponse) (string, hcl.Range) {
	for _, path := range paths {
		v, err := path.Apply(config)
		if err != nil {
			continue
		}
		found := false
		_ = cty.Walk(v, func(_ cty.Path, x cty.Value) (bool, error) {
			if x.Type() == cty.String && x.IsKnown() && !x.IsNull() && len(x.AsString()) >= shortestSecret && shows(answer, x.AsString()) {
				found = true
			}
			return !found, nil
		})
		if step, ok := path[0].(cty.GetAttrStep); found && ok {
			if r, ok := attributes[step.Name]; ok {
				return step.Name, r
			}
			return step.Name, header
		}
	}
	return "", header
}

// shows reports whether a text stands in any command of an answer.
func shows(answer *providers.PlanResponse, text string) bool {
	lists := [][]providers.Command{answer.Commands, answer.ReleaseCommands}
	for _, c := range answer.SwitchCommands {
		lists = append(lists, c)
	}
	for _, list := range lists {
		for _, c := range list {
			if strings.Contains(strings.Join(append([]string{c.Dir, c.SQL, c.HTTP, c.Manual}, c.Argv...), "\x00"), text) {
				return true
			}
		}
	}
	return false
}

// hidden stands in a plan for what reaches a tool unseen: a value of its environment, or its standard input.
const hidden = "(sensitive)"

// hide takes sensitive values out of the commands of an answer where only the tool sees them. What holds one is hidden whole.
func hide(inst *spec.Instance, provider *spec.Provider, answer *providers.PlanResponse) {
	secrets := texts(inst.Secret, inst.Config)
	if provider != nil {
		secrets = append(secrets, texts(provider.Secret, provider.Config)...)
	}
	if len(secrets) == 0 {
		return
	}
	holds := func(text string) bool {
		return slices.ContainsFunc(secrets, func(s string) bool {
			return text == s || len(s) >= shortestSecret && strings.Contains(text, s)
		})
	}
	clean := func(list []providers.Command) []providers.Command {
		list = slices.Clone(list)
		for i, c := range list {
			if holds(c.Stdin) {
				list[i].Stdin = hidden
			}
			list[i].Env = slices.Clone(c.Env)
			for k, e := range c.Env {
				if name, value, _ := strings.Cut(e, "="); holds(value) {
					list[i].Env[k] = name + "=" + hidden
				}
			}
		}
		return list
	}
	answer.Commands, answer.ReleaseCommands = clean(answer.Commands), clean(answer.ReleaseCommands)
	for state, list := range answer.SwitchCommands {
		answer.SwitchCommands[state] = clean(list)
	}
}

// texts are those that stand at the paths of a configuration.
func texts(paths []cty.Path, config cty.Value) []string {
	var out []string
	for _, path := range paths {
		v, err := path.Apply(config)
		if err != nil {
			continue
		}
		_ = cty.Walk(v, func(_ cty.Path, x cty.Value) (bool, error) {
			if x.Type() == cty.String && x.IsKnown() && !x.IsNull() && x.AsString() != "" {
				out = append(out, x.AsString())
			}
			return true, nil
		})
	}
	return out
}
