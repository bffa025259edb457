package storage

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

// mdDriver makes arrays with mdadm. The mark is the name in the superblock, which mdadm writes by the same act as all else: assay:NAME. An array is at
// /dev/md/assay-NAME; the legs of a nested one are NAME-1, NAME-2, …
type mdDriver struct{}

var (
	parityLayout = regexp.MustCompile(`^(left|right)-(a?symmetric)$`)
	copyLayout   = regexp.MustCompile(`^[nfo][2-9]$`)
)

func (mdDriver) check(a arrayConfig) []providers.Problem {
	fits := a.layout == ""
	switch a.legLevel() {
	case 5, 6:
		fits = fits || parityLayout.MatchString(a.layout)
	case 10:
		fits = fits || copyLayout.MatchString(a.layout) && int(a.copies()) <= len(a.legs[0].members)
	}
	if !fits {
		return []providers.Problem{{Attribute: "layout", Summary: "No such layout",
			Detail: fmt.Sprintf("RAID %d has no layout %q. Levels 5 and 6 have left-symmetric, left-asymmetric, right-symmetric and right-asymmetric; level 10 has n2, f2 and o2, with the number of copies for 2.", a.level, a.layout)}}
	}
	if a.level == 0 && a.bitmap != "none" {
		return []providers.Problem{{Attribute: "bitmap", Summary: "Bitmap without use", Detail: "RAID 0 is never resynced, so it has no bitmap; leave it out."}}
	}
	return nil
}

func (mdDriver) device(a arrayConfig) string { return "/dev/md/assay-" + a.name }

func (d mdDriver) leg(a arrayConfig, i int) string {
	if !a.nested() {
		return d.device(a)
	}
	return d.device(a) + "-" + strconv.Itoa(i+1)
}

// mdArray is one array to be made, with the disks that it takes; an array over legs takes none.
type mdArray struct {
	md.Spec
	disks []guard.Ref
}

// arrays are those to be made, in order: the legs of a nested one, and it over them.
func (d mdDriver) arrays(a arrayConfig) []mdArray {
	var out []mdArray
	over := mdArray{Spec: md.Spec{Device: d.device(a), Name: a.name}}
	for i, l := range a.legs {
		s := mdArray{disks: slices.Concat(l.members, l.spares), Spec: md.Spec{
			Device: d.leg(a, i), Name: a.name, Level: int(a.legLevel()), Members: guard.Paths(l.members), Spares: guard.Paths(l.spares),
			Chunk: a.chunk, Layout: a.layout, Bitmap: a.bitmap,
		}}
		if a.nested() {
			s.Name += "-" + strconv.Itoa(i+1)
			over.Members = append(over.Members, s.Device)
		}
		out = append(out, s)
	}
	if a.nested() { // a whole stripe of a leg, and then the next leg
		over.Chunk = a.chunk * a.dataDisks() / int64(len(a.legs))
		out = append(out, over)
	}
	return out
}

// syncRate is how fast the kernel brings an idle array in sync unless told otherwise: dev.raid.speed_limit_max, in B/s of one member.
const syncRate = 200_000 << 10

func (d mdDriver) plan(ctx context.Context, dial host.Dialer, a arrayConfig, req providers.PlanRequest, resp *providers.PlanResponse) error {
	planned, err := guard.Plan(ctx, dial, req, "devices", a.disks(), resp)
	if err != nil {
		return err
	}
	resp.Commands = planned.Take
	largest := a.largest()
	arrays := d.arrays(a)
	for _, s := range arrays {
		resp.Commands = append(resp.Commands, providers.Command{On: a.host, Argv: s.Create()})
	}
	if a.level != 0 {
		resp.Commands = append(resp.Commands, providers.Command{On: a.host, Manual: "wait until " + d.device(a) + " is in sync"})
		resp.Estimate = time.Duration(float64(largest) / syncRate * float64(time.Second))
		resp.Writes = largest * a.syncedDisks()
	}
	resp.Estimate += time.Duration(len(arrays)) * time.Second
	resp.ReleaseEstimate = time.Duration(len(arrays)) * time.Second
	for _, s := range slices.Backward(arrays) {
		resp.ReleaseCommands = append(resp.ReleaseCommands,
			providers.Command{On: a.host, Argv: md.Stop(s.Device)},
			providers.Command{On: a.host, Argv: md.Zero(slices.Concat(s.Members, s.Spares)...)},
			providers.Command{On: a.host, Argv: unlinkArgv(s.Device)})
	}
	resp.ReleaseCommands = append(resp.ReleaseCommands, planned.Drop...)
	return nil
}

// syncedDisks is how many disks' worth the first sync writes.
func (a arrayConfig) syncedDisks() int64 {
	n := int64(len(a.legs[0].members))
	switch a.legLevel() {
	case 1:
		n--
	case 5:
		n = 1
	case 6:
		n = 2
	case 10:
		n -= n / a.copies()
	}
	return n * int64(len(a.legs))
}
