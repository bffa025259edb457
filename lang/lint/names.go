package lint

import (
	"strings"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/outline"
	"github.com/hashicorp/hcl/v2"
)

// unusedNames finds what is declared and that nothing else names. Of a chain of unused things it finds the first only: what
// that one names is in use until it is removed.
func unusedNames(o *outline.Outline) hcl.Diagnostics {
	used := o.Named()
	hardware := 0
	for _, n := range o.Nodes {
		if n.Kind == "hardware" {
			hardware++
		}
	}
	var diags hcl.Diagnostics
	for _, n := range o.Nodes {
		if used[n.Name] {
			continue
		}
		warn := func(summary, detail string, args ...any) {
			diags = append(diags, diag.Warning(n.Range, summary, detail, args...))
		}
		_, name, _ := strings.Cut(n.Name, ".")
		switch n.Kind {
		case "variable":
			warn("Unused variable", "Nothing names var.%s, so its value has no effect. Use it, or remove it.", name)
		case "local":
			warn("Unused local", "Nothing names local.%s. Use it, or remove it.", name)
		case "setup", "dataset":
			warn("Unused "+n.Kind, "Nothing names %s, so it is not made. Name one of its outputs in a test, or list it in depends_on, or remove it.", n.Name)
		case "provider":
			if !usesProvider(o, name) {
				warn("Unused provider block", "No block is of a type of provider %q, so its configuration has no effect. Remove it.", name)
			}
		case "measure":
			warn("Unused measure", "Nothing names measure.%s. Judge it with a kpi, or compare or plot it, or remove it.", name)
		case "hardware":
			if hardware > 1 { // one alone is where everything runs
				warn("Unused hardware", "Nothing runs on %s. Name it: on = %s in a block, or remove it.", n.Name, n.Name)
			}
		}
	}
	return diags
}

// usesProvider tells by the types of the blocks: a provider's types begin with its name.
func usesProvider(o *outline.Outline, provider string) bool {
	for _, n := range o.Nodes {
		if parts := strings.SplitN(n.Name, ".", 3); len(parts) == 3 && (parts[1] == provider || strings.HasPrefix(parts[1], provider+"_")) {
			return true
		}
	}
	return false
}

// idleAxes finds axes on which nothing depends that is measured.
func idleAxes(o *outline.Outline) hcl.Diagnostics {
	varied := map[string]bool{}
	for _, n := range o.Nodes {
		if n.Kind == "test" || n.Kind == "dataset" || n.Kind == "measure" { // a measure may choose between tests
			for _, axis := range n.Axes {
				varied[axis] = true
			}
		}
	}
	var diags hcl.Diagnostics
	for _, n := range o.Nodes {
		if axis := strings.TrimPrefix(n.Name, "matrix."); n.Kind == "axis" && !varied[axis] {
			diags = append(diags, diag.Warning(n.Range, "Axis without effect", "No test or measure depends on axis %q, so nothing is varied by it. Name matrix.%s in a test or in what the test stands on, or remove the axis.", axis, axis))
		}
	}
	return diags
}
