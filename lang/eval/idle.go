package eval

import (
	"cmp"
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/spec"
)

// without reports whether data that an instance needs do not stand, directly or under what it needs. What needs a skipped dataset is
// skipped too. What needs one whose load is imported cannot be made, which is an error, unless it would be made for nothing: only
// imported tests, or none, need it. Such an instance needs nothing else any more.
func (e *evaluator) without(inst *spec.Instance) bool {
	for _, n := range inst.Needs {
		data := e.lacks[n]
		if data == nil && n.Idle() {
			data = n
		}
		if data == nil {
			continue
		}
		e.lacks[inst] = data
		switch pair := [2]addr.Block{inst.Addr.Block, data.Addr.Block}; {
		case data.Skip != "":
			inst.Skip = fmt.Sprintf("It needs %s, which is skipped: %s", data.Addr, data.Skip)
		case !e.unneeded && !e.onImport[pair]:
			e.onImport[pair] = true
			also := map[string]string{"test": "Import the results of %[1]s too, or let", "dataset": "Import the load of %[1]s too, or let"}[inst.Addr.Kind]
			also = fmt.Sprintf(cmp.Or(also, "Let"), inst.Addr.Block)
			e.report(diag.Error(inst.Range, "Needs imported data", "%s needs %s, whose load is imported, so the data do not stand. %s %s be loaded.",
				inst.Addr, data.Addr, also, data.Addr.Block))
		}
		inst.Needs, inst.Beside = nil, nil
		return true
	}
	return false
}
