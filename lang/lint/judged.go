package lint

import (
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/outline"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// unjudged finds tests none of whose measures is compared, judged, plotted or computed with.
func unjudged(o *outline.Outline) hcl.Diagnostics {
	seen := map[string]bool{}
	for _, n := range o.Nodes {
		switch n.Kind {
		case "compare", "kpi", "plot", "measure":
			for _, name := range n.Names {
				seen[name] = true
			}
		case "test": // one whose output it uses is there for that
			for _, name := range n.Names {
				seen[name] = seen[name] || name != n.Name
			}
		}
	}
	var diags hcl.Diagnostics
	for _, n := range o.Nodes {
		if n.Kind == "test" && !seen[n.Name] {
			diags = append(diags, diag.Warning(n.Range, "Test that nothing judges", "No compare, kpi or plot names a measure of %s: its figures only stand in the tables. Write what you want to know of it, such as a kpi with measure = %s.MEASURE.", n.Name, n.Name))
		}
	}
	return diags
}

// withoutReason finds KPIs that do not say where their limit comes from.
func withoutReason(m *config.Model) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, k := range m.KPIs {
		if k.Attrs["because"] == nil && k.Attrs["profile"] == nil { // a profile says it
			diags = append(diags, diag.Warning(k.Range, "Limit without a reason", "Who sees kpi.%s fail will ask where its limit comes from. Say it: because = \"…\".", k.Name))
		}
	}
	return diags
}

// oneRepetition finds comparisons that a KPI judges by one figure on a side. Those that are required, or have a confidence, never get so
// far: the plan refuses them. How many files a test is imported from is not for the spec to say.
func oneRepetition(s *spec.Spec) hcl.Diagnostics {
	tests := map[string]*spec.Instance{}
	for _, t := range s.Tests {
		tests[t.Addr.String()] = t
	}
	single := func(at addr.Instance) bool {
		t := tests[at.String()]
		return t != nil && t.Addr.Kind == "test" && t.Import == nil && t.Repeat*max(1, s.Rounds) == 1
	}
	arms := map[string]*spec.Comparison{}
	for i, c := range s.Comparisons {
		arms[c.Addr.String()] = &s.Comparisons[i]
	}
	var diags hcl.Diagnostics
	for _, k := range s.KPIs {
		if c := arms[k.Ref.Of.String()]; c != nil && c.Quoted == nil && (single(c.Test) || single(c.BaselineTest)) {
			diags = append(diags, diag.Warning(k.Range, "Comparison of single figures", "%s judges one repetition against another, which cannot tell a difference from noise. Set repeat in %s: four a side can show one, six give an interval.", k.Addr.Block, c.Test.Block))
		}
	}
	return diags
}
