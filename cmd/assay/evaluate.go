package main

import (
	"context"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// evaluate gives a spec that was planned without errors as it was written and as it was evaluated, for what needs more than a plan
// says: warnings and pictures. Providers promise as for an offline plan.
func evaluate(ctx context.Context, set *providers.Set, req plan.Request) (*config.Model, *spec.Spec, error) {
	model, _ := config.Parse(req.Sources)
	var failed error
	promise := func(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
		if inst.Import != nil || inst.Skip != "" {
			return cty.NullVal(inst.Type.OutputsType()), nil
		}
		answer, err := set.For(inst.Addr.Kind, inst.Type.Name).Plan(ctx, providers.PlanRequest{Offline: true, Target: providers.Target{
			Kind: inst.Addr.Kind, Type: inst.Type.Name, Address: inst.Addr, Config: inst.Config, Hosts: inst.Hosts,
		}})
		if err != nil {
			failed = err
			return cty.UnknownVal(inst.Type.OutputsType()), nil
		}
		if answer.Outputs == cty.NilVal {
			return cty.EmptyObjectVal, nil
		}
		return answer.Outputs, nil
	}
	s, _ := eval.Evaluate(model, eval.Options{Variables: req.Variables, Types: set.Types, Promise: promise, Glob: req.Glob})
	return model, s, failed
}
