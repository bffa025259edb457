package plan

import (
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
)

// test is a test instance with what the walk needs to know of it.
type test struct {
	Test
	inst    *spec.Instance
	answer  *providers.PlanResponse
	closure *closure
	// load: in truth a dataset that no test stands on. Where the walk comes to it, it must stand, and nothing is run.
	load bool
}

func (b *builder) test(inst *spec.Instance) *test {
	answer := b.answers[inst]
	t := &test{inst: inst, answer: answer, closure: b.closureOf[inst]}
	t.Test = Test{
		Address: inst.Addr.String(), Instance: inst.Addr, Coordinates: inst.Addr.Coordinates,
		Type: inst.Type.Name, Hosts: hosts(inst), Config: configJSON(inst), Things: t.closure.ids,
		Repeat: inst.Repeat, Skip: inst.Skip, Attempts: inst.Attempts, Expect: answer.Expect,
		SensitiveConfig: secretNames(inst), Commands: commands(answer.Commands),
	}
	if inst.Timeout != nil {
		t.TimeoutS = inst.Timeout.Float()
	}
	if inst.Backoff != nil {
		t.BackoffS = inst.Backoff.Float()
	}
	if inst.Import != nil {
		t.Attempts = 1 // what a file says does not change
		t.Import = &Import{Format: inst.Import.Format, Table: inst.Import.Table, Files: inst.Import.Files}
	}
	return t
}

// commands never is nil, so that a plan's JSON has a list.
func commands(list []providers.Command) []providers.Command {
	if list == nil {
		return []providers.Command{}
	}
	return list
}
