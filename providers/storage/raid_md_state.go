package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

// mdFound is what there is of one array.
type mdFound struct {
	kernel  string    // as what it is assembled; empty: it is not
	array   *md.Array // then
	named   bool      // it is where it was promised
	marked  []string  // devices that have its name in their superblocks, where it is not assembled
	foreign string    // what else is in its place
}

// device is where an array is that is assembled.
func (f *mdFound) device(s mdArray) string {
	if f.named {
		return s.Device
	}
	return md.Device(f.kernel)
}

// find looks for an array of ours: where it was promised, and on its members.
func (mdDriver) find(ctx context.Context, h host.Host, s mdArray) (*mdFound, error) {
	f := &mdFound{}
	mark := md.HomeHost + ":" + s.Name
	assembled := func(kernel string) error {
		name, err := md.ArrayName(ctx, h, md.Device(kernel))
		if err != nil {
			return err
		}
		if name != mark {
			f.foreign = fmt.Sprintf("%s is an array that is called %q, and not %s", md.Device(kernel), name, mark)
			return nil
		}
		f.kernel = kernel
		f.array, err = md.Read(ctx, h, kernel)
		return err
	}
	members := slices.Concat(s.Members, s.Spares)
	kernels, err := md.Kernels(ctx, h, append([]string{s.Device}, members...)...)
	if err != nil {
		return nil, err
	}
	if kernel := kernels[s.Device]; kernel != "" {
		f.named = true
		return f, assembled(kernel)
	}
	members = slices.DeleteFunc(members, func(m string) bool { return kernels[m] == "" }) // a leg that is not there itself
	if len(members) == 0 {
		return f, nil
	}
	for _, m := range members {
		holder, err := md.Holder(ctx, h, kernels[m])
		if err != nil {
			return nil, err
		}
		if holder != "" {
			return f, assembled(holder)
		}
	}
	names, err := md.Names(ctx, h, members...)
	for _, m := range members {
		if names[m] == mark {
			f.marked = append(f.marked, m)
		}
	}
	return f, err
}

func (d mdDriver) inspect(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest) (*providers.InspectResponse, error) {
	h, err := dial(ctx, a.host)
	if err != nil {
		return nil, err
	}
	resp, err := d.look(ctx, h, a, req)
	return resp, errors.Join(err, h.Close())
}

// look says in which state an array is with all its legs and disks.
func (d mdDriver) look(ctx context.Context, h host.Host, a arrayConfig, req providers.ThingRequest) (*providers.InspectResponse, error) {
	answer := func(s providers.Standing, detail ...string) (*providers.InspectResponse, error) {
		r := &providers.InspectResponse{Standing: s}
		if len(detail) > 0 {
			r.Detail = at(a.host) + strings.Join(detail, "; ")
		}
		return r, nil
	}
	taken, why, err := guard.Look(ctx, h, req, a.disks())
	switch {
	case err != nil:
		return nil, err
	case taken == providers.Foreign, taken == providers.Dormant: // until the disks have their paths, what is on them is not seen
		return answer(taken, why)
	}
	arrays := d.arrays(a)
	whole, asleep, absent := 0, 0, 0
	var detail []string
	for _, s := range arrays {
		f, err := d.find(ctx, h, s)
		switch {
		case err != nil:
			return nil, err
		case f.foreign != "":
			return answer(providers.Foreign, f.foreign)
		case f.kernel == "" && len(f.marked) == 0:
			absent++
		case f.kernel == "" && len(f.marked) == len(s.Members)+len(s.Spares), f.kernel != "" && !f.named, f.kernel != "" && f.array.State == "inactive":
			asleep++
			detail = append(detail, s.Device+" is not assembled")
		case f.kernel == "":
			detail = append(detail, fmt.Sprintf("%s: only %s bear its name", s.Device, strings.Join(f.marked, ", ")))
		case !f.array.Synced() && len(f.array.Faulty()) == 0: // a fault leaves the disk in that has failed
			detail = append(detail, s.Device+" is not in sync yet")
		default:
			whole++
		}
	}
	if taken == providers.Partial {
		detail = append(detail, why)
	}
	switch {
	case taken == providers.Absent && absent == len(arrays):
		return answer(providers.Absent)
	case taken != providers.Stands:
	case whole == len(arrays):
		return answer(providers.Stands)
	// The members of an array over legs cannot be seen while these sleep.
	case whole+asleep == len(arrays), a.nested() && asleep == len(a.legs) && absent == 1:
		return answer(providers.Dormant, detail...)
	}
	return answer(providers.Partial, detail...)
}
