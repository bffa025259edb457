package schema

import "github.com/zclconf/go-cty/cty"

// Disks are disks of a hardware block: a group (hardware.server.disks.sas), ids of it, or a list of both. They are decoded to a list
// of objects of DiskType, one for each disk, in the order of the spec. Whoever takes them finds out which device that is.
const Disks Kind = "disks"

// DiskType is what a spec says of one disk, as its group declares it; what is not said is null.
//
//	id        by which the spec names it: the serial number, else the WWN, else the slot, else GROUP-1, GROUP-2, …
//	group     the name of the disks block
//	serial, wwn, slot
//	model     as the disk calls itself, or a part of it
//	capacity  in bytes
//	sandbox   an absolute path: the disk is a sparse file below it
var DiskType = cty.Object(map[string]cty.Type{
	"id": cty.String, "group": cty.String, "serial": cty.String, "wwn": cty.String, "slot": cty.String,
	"model": cty.String, "capacity": cty.Number, "sandbox": cty.String,
})
