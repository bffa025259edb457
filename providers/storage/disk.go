package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// disk is setup "storage_disk": a bare disk, on which a test works without a file system. Whether it may be erased the guard says, in the
// plan and again before each command that erases.
type disk struct{}

func (disk) schema() schema.Type {
	return schema.Type{
		Name: "storage_disk",
		Doc: "A bare disk for tests that work on a device. What is on it is lost, so it needs erase = true unless it is blank or in a sandbox: signatures of file systems, arrays and partitions are removed first, " +
			"then it is purged, and at the end what tests left is removed again.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "disk", Kind: schema.Disks, Required: true, Doc: "The disk: hardware.NAME.disks.NAME where that is one, or an id of it."},
			{Name: "purge", Kind: schema.String, Enum: []string{purgeNone, purgeDiscard, purgeFormat, purgeSanitize}, Default: purgeNone,
				Doc: "How its cells are made free before tests: none; discard of all blocks; format, which is NVMe's with user data erase, or ATA's security erase; sanitize, which is NVMe's or ATA's block erase. A sandbox disk is discarded."},
		}},
		Outputs: []schema.Output{{Name: "device", Type: schema.String, Doc: "The device: a link below /dev/assay, the same whatever name the kernel gives to the disk."}},
		Tools:   []string{"wipefs"},
	}
}

func (disk) plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	refs := guard.Refs(req.Config.GetAttr("disk"))
	resp := &providers.PlanResponse{Outputs: cty.ObjectVal(map[string]cty.Value{"device": cty.StringVal("")})}
	if len(refs) != 1 {
		resp.Problems = append(resp.Problems, providers.Problem{
			Attribute: "disk", Summary: "Not one disk",
			Detail: fmt.Sprintf("Expected one disk, and these are %d. Name one: hardware.NAME.disks.NAME.ids[0]; for several setups, for_each = hardware.NAME.disks.NAME.ids and disk = each.value.", len(refs)),
		})
		return resp, nil
	}
	resp.Outputs = cty.ObjectVal(map[string]cty.Value{"device": cty.StringVal(refs[0].Path())})
	planned, err := guard.Plan(ctx, dial, req, "disk", refs, resp)
	if err != nil {
		return nil, err
	}
	resp.Commands = planned.Take
	for _, address := range hosts(req.Target) {
		found := planned.Found[address][refs[0].ID]
		if found == nil && !req.Offline && refs[0].Sandbox == "" {
			continue // it is on another host
		}
		device := refs[0].Path()
		if found != nil {
			device = found.Path()
		}
		wipe := providers.Command{On: address, Argv: wipeArgv(device)}
		resp.Commands = append(resp.Commands, wipe)
		how, problem := purgeOf(purgeWanted(req.Config), refs[0], found)
		if problem != nil {
			resp.Problems = append(resp.Problems, *problem)
		}
		resp.Commands = append(resp.Commands, how.commands(address, device)...)
		resp.Estimate = max(resp.Estimate, how.estimate())
		if refs[0].Sandbox == "" {
			resp.ReleaseCommands = append(resp.ReleaseCommands, wipe)
		}
	}
	resp.ReleaseCommands = append(resp.ReleaseCommands, planned.Drop...)
	resp.Estimate += 2 * time.Second
	resp.ReleaseEstimate = 2 * time.Second
	return resp, nil
}

func wipeArgv(devices ...string) []string {
	return append([]string{"wipefs", "--all", "--"}, devices...)
}

func (disk) inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	refs := guard.Refs(req.Config.GetAttr("disk"))
	resp := &providers.InspectResponse{}
	for _, address := range hosts(req.Target) {
		h, err := dial(ctx, address)
		if err != nil {
			return nil, err
		}
		standing, detail, err := guard.Look(ctx, h, req, refs)
		if err := errors.Join(err, h.Close()); err != nil {
			return nil, err
		}
		switch {
		case standing == "": // the disk is on another host
		case resp.Standing == "" || standing == providers.Foreign:
			resp.Standing, resp.Detail = standing, at(address)+detail
		case resp.Standing != standing && resp.Standing != providers.Foreign:
			resp.Standing, resp.Detail = providers.Partial, at(address)+detail
		}
	}
	return resp, nil
}

func (disk) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	refs := guard.Refs(req.Config.GetAttr("disk"))
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		standing, _, err := guard.Look(ctx, w, req, refs)
		if err != nil {
			return err
		}
		if err := guard.Take(ctx, w, req, refs, w.run); err != nil {
			return err
		}
		if standing == providers.Stands || standing == providers.Dormant {
			return nil // what is on it stays
		}
		disks, err := guard.Recheck(ctx, w, req, refs...)
		if err != nil {
			return err
		}
		for _, d := range disks {
			if err := w.purge(ctx, req, d); err != nil {
				return err
			}
		}
		return guard.Done(ctx, w, req, refs)
	})
}

// release removes what tests left on a disk that was finished, and gives it back. A disk that was pulled is given back as it is.
func (disk) release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	refs := guard.Refs(req.Config.GetAttr("disk"))
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		standing, _, err := guard.Look(ctx, w, req, refs)
		if err != nil {
			return err
		}
		if (standing == providers.Stands || standing == providers.Dormant) && refs[0].Sandbox == "" {
			if standing == providers.Dormant { // its path leads nowhere
				if err := guard.Take(ctx, w, req, refs, w.run); err != nil {
					return err
				}
			}
			disks, err := guard.Recheck(ctx, w, req, refs...)
			if err != nil {
				return err
			}
			for i, d := range disks {
				if err := w.run(ctx, fmt.Sprintf("wipefs-release-%d", i+1), wipeArgv(append(d.Partitions, d.Device)...)); err != nil {
					return err
				}
			}
		}
		return guard.Drop(ctx, w, req, refs, w.run)
	})
}
