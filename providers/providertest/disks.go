package providertest

import (
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/zclconf/go-cty/cty"
)

// decodeDisks reads a list of disks: maps with the attributes of schema.DiskType, of which capacity is a number of bytes.
func decodeDisks(given any) (cty.Value, error) {
	maps, ok := given.([]map[string]any)
	if !ok {
		return cty.NilVal, fmt.Errorf("%T is not a list of disks", given)
	}
	var disks []cty.Value
	for _, m := range maps {
		disk := map[string]cty.Value{}
		for name, t := range schema.DiskType.AttributeTypes() {
			switch v := m[name].(type) {
			case nil:
				disk[name] = cty.NullVal(t)
			case string:
				disk[name] = cty.StringVal(v)
			case int:
				disk[name] = cty.NumberIntVal(int64(v))
			default:
				return cty.NilVal, fmt.Errorf("%s of a disk cannot be a %T", name, v)
			}
			if !disk[name].Type().Equals(t) {
				return cty.NilVal, fmt.Errorf("%s of a disk is a %s", name, t.FriendlyName())
			}
		}
		for name := range m {
			if _, ok := disk[name]; !ok {
				return cty.NilVal, fmt.Errorf("a disk has no attribute %q", name)
			}
		}
		disks = append(disks, cty.ObjectVal(disk))
	}
	if len(disks) == 0 {
		return cty.ListValEmpty(schema.DiskType), nil
	}
	return cty.ListVal(disks), nil
}
