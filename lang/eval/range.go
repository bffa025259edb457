package eval

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxRange bounds what range makes; cty's own stops at 1024, which a sweep can need more than.
const maxRange = 100_000

// rangeFunc is Terraform's range: range(limit), range(start, limit), range(start, limit, step).
var rangeFunc = function.New(&function.Spec{
	Description: "A list of numbers from a start up to a limit, which is not in it.",
	VarParam:    &function.Parameter{Name: "numbers", Type: cty.Number},
	Type:        function.StaticReturnType(cty.List(cty.Number)),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		start, step := cty.Zero, cty.NumberIntVal(1)
		var limit cty.Value
		switch len(args) {
		case 1:
			limit = args[0]
		case 2, 3:
			start, limit = args[0], args[1]
		default:
			return cty.NilVal, function.NewArgErrorf(0, "range takes one to three numbers: range(limit), range(start, limit) or range(start, limit, step)")
		}
		down := limit.LessThan(start).True()
		if down {
			step = cty.NumberIntVal(-1)
		}
		if len(args) == 3 {
			step = args[2]
			if step.Equals(cty.Zero).True() || down != step.LessThan(cty.Zero).True() && !limit.Equals(start).True() {
				return cty.NilVal, function.NewArgErrorf(2, "a step of this size never comes from the start to the limit")
			}
		}
		var out []cty.Value
		for n := start; n.LessThan(limit).True() && !down || n.GreaterThan(limit).True() && down; n = n.Add(step) {
			if len(out) == maxRange {
				return cty.NilVal, function.NewArgErrorf(0, "this gives more than %d numbers; use a larger step", maxRange)
			}
			out = append(out, n)
		}
		if len(out) == 0 {
			return cty.ListValEmpty(cty.Number), nil
		}
		return cty.ListVal(out), nil
	},
})
