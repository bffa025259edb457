package storage

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// raid is setup "storage_raid": an array of disks that is made, brought in sync, and taken apart. How that is done is its driver's.
type raid struct{ drivers map[string]driver }

// driver makes arrays by one means: md, or the controller of a server. Its methods mean what those of providers.Provider mean; what it is
// given was checked.
type driver interface {
	// check tells what this driver cannot do, beside what no array can.
	check(a arrayConfig) []providers.Problem
	// device is the path that it will keep.
	device(a arrayConfig) string
	// leg is the device of one leg of a nested array; the array's own where there are none.
	leg(a arrayConfig, i int) string
	plan(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.PlanRequest, resp *providers.PlanResponse) error
	inspect(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest) (*providers.InspectResponse, error)
	prepare(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest, sink providers.Sink) error
	release(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest, sink providers.Sink) error
}

// raidLevels are those that some driver makes; 50 and 60 are RAID 0 over legs of RAID 5 and 6.
var raidLevels = []int64{0, 1, 5, 6, 10, 50, 60}

func newRaid() handler {
	return raid{drivers: map[string]driver{"md": mdDriver{}}}
}

func (raid) schema() schema.Type {
	return schema.Type{
		Name: "storage_raid",
		Doc: "An array of disks. It is made and brought in sync before anything measures it, and taken apart at the end. It erases its disks, so it needs " +
			"erase = true unless they are blank or in a sandbox. Only an array that assay has made is ever taken apart: its superblocks say so.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "driver", Kind: schema.String, Default: "md", Enum: []string{"md"}, Doc: "How it is made. md is the RAID of the Linux kernel (mdadm)."},
			{Name: "level", Kind: schema.Integer, Required: true, Doc: "0, 1, 5, 6, 10, 50 or 60. 50 and 60 are RAID 0 over legs of RAID 5 and RAID 6."},
			{Name: "devices", Kind: schema.Disks, Required: true, Doc: "The disks, in order: first the members, of a nested array leg after leg, then the spares."},
			{Name: "spares", Kind: schema.Integer, Default: "0", Min: "0", Max: "64", Doc: "How many of the disks, at the end of the list, are hot spares. Of a nested array as many go to each leg."},
			{Name: "spares_by_leg", Kind: schema.QuantityList, Dim: unit.One, Doc: "In place of spares, for a nested array: how many hot spares each leg has, in order. md does not share spares between legs, so " +
				"a single one has to be somewhere: [1, 0]."},
			{Name: "legs", Kind: schema.Integer, Default: "2", Min: "2", Max: "32", Doc: "Of a nested array: over how many legs it stripes."},
			{Name: "chunk", Kind: schema.Quantity, Dim: unit.Bytes, Default: "512KiB", Min: "4KiB", Max: "1GiB", Doc: "What goes to one disk before the next one has its turn; a power of two. Level 1 has none."},
			{Name: "layout", Kind: schema.String, Doc: "As mdadm names it: left-symmetric and the like for levels 5 and 6, n2, f2 or o2 for level 10. Absent, it is mdadm's default."},
			{Name: "bitmap", Kind: schema.String, Default: "none", Enum: []string{"none", "internal"},
				Doc: "internal keeps a write-intent bitmap, which makes a resync after a crash short and costs writes. mdadm by itself gives large arrays one; here it is said."},
		}},
		Outputs: []schema.Output{
			{Name: "device", Type: schema.String, Doc: "The block device, /dev/md/NAME."},
			{Name: "member", Type: schema.String, Doc: "The device of the first disk of that leg, or of the array: the disk that storage_fault fails."},
			{Name: "leg", Type: schema.String, Doc: "Of a nested array the device of the first leg that has a spare, or of the first leg: that in which storage_fault fails a disk. Else the device."},
			{Name: "level", Type: schema.Number, Doc: "The level."},
			{Name: "disk_bytes", Type: schema.Number, Doc: "The capacity of its largest disk, as hardware declares it; 0 where it does not."},
			{Name: "chunk", Type: schema.String, Doc: "The chunk, such as 64KiB; 0KiB for level 1, which has none."},
			{Name: "data_disks", Type: schema.Number, Doc: "How many disks' worth of data a stripe has: with chunk the geometry that a file system wants to know."},
			{Name: "spares", Type: schema.Number, Doc: "How many spares it has in all."},
		},
		Tools: []string{"mdadm", "realpath", "blkid"},
	}
}

func (r raid) plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	resp := &providers.PlanResponse{Expect: map[string]string{}}
	a, problems := arrayOf(req.Target)
	d := r.drivers[a.driver]
	if len(problems) == 0 {
		problems = d.check(a)
	}
	resp.Problems = problems
	if len(problems) > 0 {
		resp.Outputs = cty.ObjectVal(map[string]cty.Value{
			"device": cty.StringVal(""), "leg": cty.StringVal(""), "member": cty.StringVal(""), "level": cty.NumberIntVal(0), "disk_bytes": cty.NumberIntVal(0), "chunk": cty.StringVal(""), "data_disks": cty.NumberIntVal(0),
			"spares": cty.NumberIntVal(0),
		})
		return resp, nil
	}
	resp.Outputs = cty.ObjectVal(map[string]cty.Value{
		"device": cty.StringVal(d.device(a)), "leg": cty.StringVal(d.leg(a, a.spareLeg())),
		"member": cty.StringVal(a.legs[a.spareLeg()].members[0].Path()), "level": cty.NumberIntVal(a.level), "disk_bytes": cty.NumberIntVal(a.largest()),
		"chunk": cty.StringVal(strconv.FormatInt(a.chunk>>10, 10) + "KiB"), "data_disks": cty.NumberIntVal(a.dataDisks()), "spares": cty.NumberIntVal(int64(a.spares())),
	})
	return resp, d.plan(ctx, dial, a, req, resp)
}

// made gives an array as it was planned, and its driver.
func (r raid) made(t providers.Target) (arrayConfig, driver, error) {
	a, problems := arrayOf(t)
	if len(problems) == 0 {
		problems = r.drivers[a.driver].check(a)
	}
	if i := slices.IndexFunc(problems, func(p providers.Problem) bool { return !p.Warning }); i >= 0 {
		return a, nil, fmt.Errorf("%s: %s", problems[i].Summary, problems[i].Detail)
	}
	return a, r.drivers[a.driver], nil
}

func (r raid) inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	a, d, err := r.made(req.Target)
	if err != nil {
		return nil, err
	}
	return d.inspect(ctx, dial, a, req)
}

func (r raid) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	a, d, err := r.made(req.Target)
	if err != nil {
		return err
	}
	return d.prepare(ctx, dial, a, req, sink)
}

func (r raid) release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	a, d, err := r.made(req.Target)
	if err != nil {
		return err
	}
	return d.release(ctx, dial, a, req, sink)
}
