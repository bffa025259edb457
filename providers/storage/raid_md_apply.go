package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

func (d mdDriver) prepare(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest, sink providers.Sink) error {
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		before, _, err := guard.Look(ctx, w, req, a.disks())
		if err != nil {
			return err
		}
		if err := guard.Take(ctx, w, req, a.disks(), w.run); err != nil {
			return err
		}
		anew := before == providers.Absent || before == providers.Partial
		arrays := d.arrays(a)
		for i, s := range arrays {
			if err := d.make(ctx, w, s, req, anew, "mdadm-"+strconv.Itoa(i+1)); err != nil {
				return err
			}
		}
		return d.synced(ctx, w, arrays)
	})
}

// make sees to it that one array is assembled: it is made, or put together again. Where any of its members bears its name already, nothing is
// made over it; and where it is not to be made anew, nothing is made at all.
func (d mdDriver) make(ctx context.Context, w worker, s mdArray, req providers.ThingRequest, anew bool, name string) error {
	f, err := d.find(ctx, w, s)
	switch {
	case err != nil:
		return err
	case f.foreign != "":
		return errors.New(f.foreign)
	case f.kernel != "" && f.named && f.array.State != "inactive":
		return d.verify(ctx, w, s)
	case f.kernel != "":
		if err := w.run(ctx, name+"-stop", md.Stop(f.device(s))); err != nil {
			return err
		}
		fallthrough
	case len(f.marked) > 0:
		if err := w.run(ctx, name+"-assemble", s.Assemble()); err != nil {
			return err
		}
	case !anew:
		return fmt.Errorf("%s was there, and is lost: its disks do not bear its name any more. Take away what is left (assay destroy), and make it again", s.Device)
	default:
		if len(s.disks) > 0 {
			if _, err := guard.Recheck(ctx, w, req, s.disks...); err != nil {
				return err
			}
			// From the next instant on what is on them is ours, whole or not: the name in the superblocks tells.
			if err := guard.Done(ctx, w, req, s.disks); err != nil {
				return err
			}
		}
		if err := w.run(ctx, name, s.Create()); err != nil {
			return err
		}
	}
	return d.verify(ctx, w, s)
}

// verify looks whether an array is what it was to be, since an exit status proves nothing.
func (d mdDriver) verify(ctx context.Context, w worker, s mdArray) error {
	f, err := d.find(ctx, w, s)
	if err != nil {
		return err
	}
	if f.kernel == "" || !f.named {
		return fmt.Errorf("%s is not there after mdadm made it", s.Device)
	}
	array := f.array
	if want := "raid" + strconv.Itoa(s.Level); array.Level != want || array.Disks != len(s.Members) || array.Chunk != s.Chunk {
		return fmt.Errorf("%s is %s of %d members with a chunk of %d B, and was to be %s of %d with %d B", s.Device, array.Level, array.Disks, array.Chunk, want, len(s.Members), s.Chunk)
	}
	if n := len(array.Members); n != len(s.Members)+len(s.Spares) {
		return fmt.Errorf("%s has %d members and spares, and was to have %d", s.Device, n, len(s.Members)+len(s.Spares))
	}
	return nil
}

// pollTime is how often sysfs is looked at while something goes on that takes minutes or hours.
const pollTime = 500 * time.Millisecond

// synced waits until no array has anything left to do. One with a disk that has failed is as far as it comes.
func (d mdDriver) synced(ctx context.Context, w worker, arrays []mdArray) error {
	for _, s := range arrays {
		kernels, err := md.Kernels(ctx, w, s.Device)
		if err != nil {
			return err
		}
		if err := waitSynced(ctx, w, s.Device, kernels[s.Device], func(a *md.Array) bool { return a.Synced() || len(a.Faulty()) > 0 }); err != nil {
			return err
		}
	}
	return nil
}

// waitSynced waits until an array is as it should be, and says how far it is.
func waitSynced(ctx context.Context, w worker, device, kernel string, done func(*md.Array) bool) error {
	for {
		array, err := md.Read(ctx, w, kernel)
		if err != nil {
			return err
		}
		if done(array) {
			return nil
		}
		share := array.Progress.Share()
		text := device + " is being brought in sync"
		if array.Progress.Speed > 0 {
			text += fmt.Sprintf(", %.0f MB/s", array.Progress.Speed/1e6)
		}
		w.sink.Progress(share, text)
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not in sync yet (%.0f %%): %w", device, 100*max(0, share), context.Cause(ctx))
		case <-time.After(pollTime):
		}
	}
}

func (d mdDriver) release(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.ThingRequest, sink providers.Sink) error {
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		taken, why, err := guard.Look(ctx, w, req, a.disks())
		switch {
		case err != nil:
			return err
		case taken == providers.Foreign:
			return fmt.Errorf("%s, so it stays as it is", why)
		case taken == providers.Dormant: // the disks have no paths since the machine was started anew
			if err := guard.Take(ctx, w, req, a.disks(), w.run); err != nil {
				return err
			}
		}
		for i, s := range slices.Backward(d.arrays(a)) {
			if err := d.unmake(ctx, w, s, req, "mdadm-"+strconv.Itoa(i+1)); err != nil {
				return err
			}
		}
		return guard.Drop(ctx, w, req, a.disks(), w.run)
	})
}

// unmake takes one array apart, and the mark off its members. A disk that was pulled keeps it.
func (d mdDriver) unmake(ctx context.Context, w worker, s mdArray, req providers.ThingRequest, name string) error {
	f, err := d.find(ctx, w, s)
	if err != nil {
		return err
	}
	if f.foreign != "" {
		return fmt.Errorf("%s, so it stays", f.foreign)
	}
	if f.kernel != "" {
		if err := w.run(ctx, name+"-stop", md.Stop(f.device(s))); err != nil {
			return err
		}
		if f, err = d.find(ctx, w, s); err != nil {
			return err
		}
		if f.kernel != "" {
			return fmt.Errorf("%s is still there after mdadm --stop; what uses it?", s.Device)
		}
	}
	if len(f.marked) > 0 {
		disks := slices.DeleteFunc(slices.Clone(s.disks), func(d guard.Ref) bool { return !slices.Contains(f.marked, d.Path()) })
		if len(disks) > 0 { // the members of an array over legs are none
			if _, err := guard.Recheck(ctx, w, req, disks...); err != nil {
				return err
			}
		}
		if err := w.run(ctx, name+"-zero", md.Zero(f.marked...)); err != nil {
			return err
		}
	}
	if _, err := w.Stat(ctx, s.Device); err == nil { // without udev the link stays, and leads nowhere
		if err := w.run(ctx, name+"-rm", unlinkArgv(s.Device)); err != nil {
			return err
		}
	} else if !isAbsent(err) {
		return err
	}
	if len(f.marked) == 0 {
		return nil
	}
	if f, err = d.find(ctx, w, s); err != nil {
		return err
	}
	if len(f.marked) > 0 {
		return fmt.Errorf("%s still bear the name of %s after mdadm --zero-superblock", strings.Join(f.marked, ", "), s.Device)
	}
	return nil
}

func unlinkArgv(device string) []string { return []string{"rm", "-f", "--", device} }
