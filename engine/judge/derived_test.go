package judge

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

func num(v float64) plan.Formula { return plan.Formula{Number: &v} }

func of(test, m string) plan.Formula { return plan.Formula{Of: test, Measure: m} }

func op(name string, args ...plan.Formula) plan.Formula { return plan.Formula{Op: name, Args: args} }

// judgeDerived judges two tests, a with x and y over the repetitions, and b with x, and one derived measure.
func judgeDerived(f plan.Formula, samples []measure.Sample) Figure {
	ms := []schema.Measure{{Name: "x"}, {Name: "y"}}
	test := func(name string, repeat int) plan.Test {
		i := addr.Instance{Block: addr.Block{Kind: "test", Type: "fake", Name: name}}
		return plan.Test{Address: i.String(), Instance: i, Repeat: repeat}
	}
	j := plan.Judgement{
		Confidence: 0.95, Alpha: 0.05,
		Tests:   []plan.TestType{{Block: "test.fake.a", Measures: ms}, {Block: "test.fake.b", Measures: ms}},
		Derived: []plan.Derived{{Address: "measure.d", Block: "measure.d", Measure: schema.Measure{Name: "d"}, Formula: f}},
		KPIs:    []plan.KPI{{Address: "kpi.k", Block: "kpi.k", Of: "measure.d", Measure: schema.Measure{Name: "d"}, Min: &plan.Limit{Value: -1e9}, Severity: "required"}},
	}
	r := Judge("", j, []plan.Test{test("a", 3), test("b", 1)}, samples)
	for _, f := range r.Figures {
		if f.Address == "measure.d" {
			return f
		}
	}
	if r.KPIs[0].Verdict == Pass {
		panic("a KPI passed on a figure that does not exist")
	}
	return Figure{}
}

func ok(test string, rep int, x, y float64) measure.Sample {
	return measure.Sample{Address: test, Repetition: rep, Round: 1, Attempt: 1, Outcome: measure.OK, Values: []measure.Value{{Measure: "x", Value: x}, {Measure: "y", Value: y}}}
}

func TestDerived(t *testing.T) {
	a, b := "test.fake.a", "test.fake.b"
	three := []measure.Sample{ok(a, 1, 2, 4), ok(a, 2, 6, 3), ok(a, 3, 10, 1), ok(b, 1, 5, 0)}
	for _, c := range []struct {
		name    string
		formula plan.Formula
		samples []measure.Sample
		n       int
		median  float64
		medians bool
	}{
		// 2·4, 6·3, 10·1: the median of products is 10, and the product of medians would be 18
		{"each repetition of one test", op("*", of(a, "x"), of(a, "y")), three, 3, 10, false},
		{"medians of two tests", op("/", of(a, "x"), of(b, "x")), three, 1, 6.0 / 5, true},
		{"number first", op("/", num(30), of(a, "x")), three, 3, 5, false},
		{"minus", op("-", of(a, "x"), num(1)), three, 3, 5, false},
		{"plus", op("+", of(a, "x"), num(1)), three, 3, 7, false},
		{"neg", op("neg", of(a, "x")), three, 3, -6, false},
		{"abs", op("abs", op("neg", of(a, "x"))), three, 3, 6, false},
		{"min", op("min", of(a, "x"), of(a, "y")), three, 3, 2, false},
		{"max", op("max", of(a, "x"), of(a, "y"), num(5)), three, 3, 6, false},
		{"division by zero in one repetition", op("/", num(1), op("-", of(a, "x"), num(2))), three, 2, (1.0/4 + 1.0/8) / 2, false},
		{"division by zero of medians", op("/", of(a, "x"), of(b, "y")), three, 0, 0, false},
		{"a failed repetition is missing", of(a, "x"), []measure.Sample{ok(a, 1, 2, 4), ok(a, 2, 6, 3), {Address: a, Repetition: 3, Outcome: measure.Failed}}, 2, 4, false},
		{"a failed repetition voids medians", op("/", of(a, "x"), of(b, "x")), []measure.Sample{ok(a, 1, 2, 4), ok(a, 2, 6, 3), {Address: a, Repetition: 3, Outcome: measure.Failed}, ok(b, 1, 5, 0)}, 0, 0, false},
		{"unknown operation", op("pow", of(a, "x"), num(2)), three, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := judgeDerived(c.formula, c.samples)
			if f.N != c.n || math.Abs(f.Median-c.median) > 1e-12 || f.FromMedians != c.medians {
				t.Errorf("n=%d median=%g from medians %v, want n=%d %g %v", f.N, f.Median, f.FromMedians, c.n, c.median, c.medians)
			}
		})
	}
}
