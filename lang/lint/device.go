package lint

import (
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// cachedDevice finds tests of a device that go through the page cache: their type has a target called device and an option called
// direct, as fio names it.
func cachedDevice(s *spec.Spec) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, t := range s.Tests {
		device, direct := t.Type.Body.Attribute("device"), t.Type.Body.Attribute("direct")
		if device == nil || !device.Target || direct == nil || direct.Kind != schema.Bool {
			continue
		}
		if t.Import != nil || t.Config.GetAttr("device").IsNull() {
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
