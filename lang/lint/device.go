package lint

import (
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// cachedDevice finds tests of devices that go through the page cache: their type has a target called device or devices, and an option
// called direct, as fio names it.
func cachedDevice(s *spec.Spec) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, t := range s.Tests {
		direct := t.Type.Body.Attribute("direct")
		if direct == nil || direct.Kind != schema.Bool || t.Import != nil || !onDevice(t) {
			continue
		}
		if v := t.Config.GetAttr("direct"); !v.IsNull() && v.True() {
			continue
		}
		rng, given := t.AttrRange["direct"]
		if !given {
			rng = t.Range
		}
		diags = append(diags, diag.Warning(rng, "Device through the page cache", "%s reads and writes its device through the page cache, so it measures memory as well. Set direct = true.", t.Addr.Block))
	}
	return diags
}

func onDevice(t *spec.Instance) bool {
	for _, name := range []string{"device", "devices"} {
		if a := t.Type.Body.Attribute(name); a != nil && a.Target && !t.Config.GetAttr(name).IsNull() {
			return true
		}
	}
	return false
}
