package plan

import (
	"time"

	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// test is a test instance with what the walk needs to know of it.
type test struct {
	Test
	inst    *spec.Instance
	answer  *providers.PlanResponse
	closure *closure
	chain   chain
	// load: in truth a dataset that no test stands on. Where the walk comes to it, it must stand, and nothing is run.
	load bool
	wear wear
}

func (b *builder) test(inst *spec.Instance) *test {
	answer := b.answers[inst]
	if answer == nil { // a dataset that is not loaded: its provider was not asked
		answer = &providers.PlanResponse{}
	}
	t := &test{inst: inst, answer: answer, closure: b.closureOf[inst], chain: b.chainOf[inst]}
	t.Test = Test{
		Address: inst.Addr.String(), Instance: inst.Addr, Coordinates: inst.Addr.Coordinates,
		Type: inst.Type.Name, Hosts: hosts(inst), Config: b.configJSON(inst), Things: t.closure.ids,
		Repeat: inst.Repeat, Skip: inst.Skip, Reset: inst.Reset, Attempts: inst.Attempts, Expect: answer.Expect,
		SensitiveConfig: secretNames(inst), Commands: commands(answer.Commands),
	}
	if len(t.chain) > 1 && inst.Leader == nil {
		for _, m := range t.chain.group(inst)[1:] {
			t.Alongside = append(t.Alongside, m.Addr.String())
		}
	}
	for _, before := range inst.After {
		t.After = append(t.After, before.Addr.String())
	}
	if len(inst.Type.Outputs) > 0 && inst.Import == nil && inst.Skip == "" {
		t.Outputs = b.outputs.value(without(inst.Outputs, inst.SecretOutputs))
	}
	if list := claimNames(answer.Claims, false); len(list) > 0 {
		t.Claims = list
	}
	if inst.Timeout != nil {
		t.TimeoutS = inst.Timeout.Float()
	}
	if inst.Backoff != nil {
		t.BackoffS = inst.Backoff.Float()
	}
	t.Steady = (*Steady)(inst.Steady)
	t.WarmupS, t.CooldownS = seconds(inst.Warmup), seconds(inst.Cooldown)
	t.wear = b.wearOf(t)
	if inst.Import != nil {
		t.Attempts = 1 // what a file says does not change
		t.WarmupS, t.CooldownS, t.Steady = 0, 0, nil
		t.Import = &Import{Format: inst.Import.Format, Table: inst.Import.Table, Files: inst.Import.Files}
	}
	return t
}

// lasts is how long a repetition takes by the provider's estimate, with the time to cool down; of rounds, of the fewest there can be.
func (t *test) lasts() time.Duration {
	if t.Import != nil {
		return 0
	}
	rounds := 1
	if t.Steady != nil {
		rounds = t.Steady.Window
	}
	return time.Duration(rounds)*t.answer.Estimate + Duration(t.CooldownS)
}

// longest is how long a repetition of rounds takes at most, in seconds; 0 of one without rounds.
func (t *test) longest() float64 {
	if t.Steady == nil {
		return 0
	}
	return float64(t.Steady.MaxRounds)*t.answer.Estimate.Seconds() + t.CooldownS
}

// seconds gives a duration of the spec; 0 where there is none.
func seconds(q *unit.Quantity) float64 {
	if q == nil {
		return 0
	}
	return q.Float()
}

// commands never is nil, so that a plan's JSON has a list.
func commands(list []providers.Command) []providers.Command {
	if list == nil {
		return []providers.Command{}
	}
	return list
}
