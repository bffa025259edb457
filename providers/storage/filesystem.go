package storage

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// filesystem is setup "storage_filesystem": a file system on a device that a setup has made, mounted. Its mark is its label, which mkfs writes by the same
// act as all else.
type filesystem struct{}

const filesystemType = "storage_filesystem"

// The types of file system.
const (
	xfs   = "xfs"
	ext4  = "ext4"
	btrfs = "btrfs"
)

// mountsDir is where file systems are mounted that are given no path.
const mountsDir = "/run/assay"

func (filesystem) schema() schema.Type {
	return schema.Type{
		Name: filesystemType,
		Doc: "A file system on a device of storage_raid, storage_fault or storage_disk, mounted while it stands. Its label says that assay has made it; only such a one is ever unmounted. " +
			"With for_each there is one for each of several devices.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "device", Kind: schema.String, Target: true, Doc: "The device: setup.storage_raid.NAME.device."},
			{Name: "devices", Kind: schema.StringList, Target: true, Doc: "In place of device, for btrfs: several of them."},
			{Name: "type", Kind: schema.String, Default: xfs, Enum: []string{xfs, ext4, btrfs}, Doc: "What is made."},
			{Name: "path", Kind: schema.String, Doc: "Where it is mounted: an absolute path, which is absent or an empty directory. Absent, it is a directory below /run/assay."},
			{Name: "su", Kind: schema.Quantity, Dim: unit.Bytes, Min: "4KiB", Max: "1GiB", Doc: "Of xfs and ext4: the chunk of the array, such as setup.storage_raid.NAME.chunk. Absent, mkfs asks the kernel, which knows it of arrays by md. What the file system has at last is checked against what the kernel or this says."},
			{Name: "sw", Kind: schema.Integer, Min: "1", Max: "1024", Doc: "With su: how many data disks a stripe has: setup.storage_raid.NAME.data_disks."},
			{Name: "data", Kind: schema.String, Enum: btrfsProfiles, Doc: "Of btrfs: how data lie on the devices. Absent, single."},
			{Name: "metadata", Kind: schema.String, Enum: append(slices.Clone(btrfsProfiles), "dup"), Doc: "Of btrfs: how metadata do. Absent, dup on one device and raid1 on several."},
			{Name: "mount_options", Kind: schema.StringList, Doc: "Options of mount, such as noatime. What leads elsewhere, such as bind or logdev, is refused."},
		}},
		Outputs: []schema.Output{
			{Name: "path", Type: schema.String, Doc: "Where it is mounted."},
			{Name: "device", Type: schema.String, Doc: "The device, or the first of them."},
		},
		Tools: []string{"blkid", "mount", "umount", "wipefs", "realpath"},
	}
}

// btrfsProfiles are those of data.
var btrfsProfiles = []string{"single", "raid0", "raid1", "raid10", "raid5", "raid6"}

// btrfsLeast is how many devices a profile needs.
func btrfsLeast(profile string) int {
	switch profile {
	case "raid0", "raid1", "raid5":
		return 2
	case "raid6":
		return 3
	case "raid10":
		return 4
	}
	return 1
}

// fsConfig is a file system as the spec wants it.
type fsConfig struct {
	kind           string
	devices        []string
	path           string
	own            bool   // the path is one that assay has chosen
	label          string // the mark
	su, sw         int64  // 0: as the kernel says
	data, metadata string
	options        []string
}

// mountWords are the options of mount that are let through: those that say how, and never where.
var mountWords = []string{
	"noatime", "relatime", "strictatime", "nodiratime", "lazytime", "nolazytime", "discard", "nodiscard", "sync", "async", "dirsync", "nobarrier", "barrier", "inode64", "inode32",
	"largeio", "nolargeio", "swalloc", "wsync", "noalign", "noquota", "filestreams", "attr2", "noattr2", "data=ordered", "data=writeback", "data=journal", "journal_checksum", "journal_async_commit", "delalloc", "nodelalloc",
	"noauto_da_alloc", "auto_da_alloc", "dioread_lock", "dioread_nolock", "ssd", "nossd", "ssd_spread", "datacow", "nodatacow", "datasum", "nodatasum", "autodefrag", "noautodefrag", "flushoncommit",
	"compress=zlib", "compress=lzo", "compress=zstd", "compress=no", "space_cache=v2",
}

func filesystemOf(t providers.Target) (fsConfig, []providers.Problem) {
	f := fsConfig{
		kind: stringIn(t.Config, "type"), path: stringIn(t.Config, "path"), su: intIn(t.Config, "su"), sw: intIn(t.Config, "sw"),
		data: stringIn(t.Config, "data"), metadata: stringIn(t.Config, "metadata"), devices: stringsIn(t.Config, "devices"), options: stringsIn(t.Config, "mount_options"),
	}
	id := digest(t)
	f.label = "assay" + id[:7] // xfs takes 12 bytes
	if f.own = f.path == ""; f.own {
		f.path = path.Join(mountsDir, id)
	}
	problem := func(attribute, summary, detail string, args ...any) []providers.Problem {
		return []providers.Problem{{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(detail, args...)}}
	}
	one := stringIn(t.Config, "device")
	switch {
	case one == "" && len(f.devices) == 0:
		return f, problem("", "No device", "Say on what it is made: device = setup.storage_raid.NAME.device.")
	case one != "" && len(f.devices) > 0:
		return f, problem("devices", "Device given twice", "device is one, and devices are several; leave one of them out.")
	case one != "":
		f.devices = []string{one}
	}
	for _, d := range f.devices {
		if path.Clean(d) != d || !strings.HasPrefix(d, "/dev/assay/") && !strings.HasPrefix(d, "/dev/md/assay-") {
			return f, problem(map[bool]string{true: "device", false: "devices"}[one != ""], "Device of somebody else", "%q is no device that storage_raid, storage_fault or storage_disk has made, so no file system is made on it.", d)
		}
	}
	if len(f.devices) > 1 && f.kind != btrfs {
		return f, problem("devices", "Several devices", "Only btrfs lies on several devices; make an array of them for %s.", f.kind)
	}
	if summary, detail := wrongPath(f.path); !f.own && summary != "" {
		return f, problem("path", summary, "%s", detail)
	}
	if (f.su > 0) != (f.sw > 0) {
		return f, problem("su", "Half a geometry", "su is the chunk of the array and sw the number of its data disks: give both, or neither.")
	}
	if f.su > 0 && f.kind == btrfs {
		return f, problem("su", "Geometry without use", "btrfs takes no geometry of an array; leave su and sw out.")
	}
	if f.su%4096 != 0 {
		return f, problem("su", "Odd chunk", "su is a multiple of the block of the file system, 4 KiB, and %d B are none.", f.su)
	}
	for name, profile := range map[string]string{"data": f.data, "metadata": f.metadata} {
		switch least := btrfsLeast(profile); {
		case profile != "" && f.kind != btrfs:
			return f, problem(name, "No profiles", "Only btrfs has profiles of data and metadata; leave %s out.", name)
		case least > len(f.devices):
			return f, problem(name, "Too few devices", "%s needs %d devices, and there are %d.", profile, least, len(f.devices))
		}
	}
	for _, o := range f.options {
		if !slices.Contains(mountWords, o) {
			return f, problem("mount_options", "Option not let through", "%q is none of the options of mount that are let through, each by itself: %v.", o, mountWords)
		}
	}
	return f, nil
}

// stringsIn reads a list of strings; nil where it is absent.
func stringsIn(config cty.Value, name string) []string {
	v := config.GetAttr(name)
	if v.IsNull() {
		return nil
	}
	var out []string
	for _, x := range v.AsValueSlice() {
		out = append(out, x.AsString())
	}
	return out
}

// mkfsArgv makes it. -f, -F and --force answer the question that nobody can: that nothing is on the devices but what assay has put there was looked at before.
func (f fsConfig) mkfsArgv() []string {
	switch f.kind {
	case ext4:
		argv := []string{"mkfs.ext4", "-q", "-F", "-L", f.label}
		if f.su > 0 { // in blocks
			argv = append(argv, "-b", "4096", "-E", fmt.Sprintf("stride=%d,stripe_width=%d", f.su/4096, f.su/4096*f.sw))
		}
		return append(argv, f.devices...)
	case btrfs:
		argv := []string{"mkfs.btrfs", "-q", "-f", "-L", f.label}
		if f.data != "" {
			argv = append(argv, "-d", f.data)
		}
		if f.metadata != "" {
			argv = append(argv, "-m", f.metadata)
		}
		return append(argv, f.devices...)
	}
	argv := []string{"mkfs.xfs", "-q", "-f", "-L", f.label}
	if f.su > 0 {
		argv = append(argv, "-d", "su="+strconv.FormatInt(f.su, 10)+",sw="+strconv.FormatInt(f.sw, 10))
	}
	return append(argv, f.devices...)
}

func (f fsConfig) mountArgv() []string {
	argv := []string{"mount", "-t", f.kind}
	if len(f.options) > 0 {
		options := f.options[0]
		for _, o := range f.options[1:] {
			options += "," + o
		}
		argv = append(argv, "-o", options)
	}
	return append(argv, "--", f.devices[0], f.path)
}

func (f fsConfig) umountArgv() []string { return []string{"umount", "--", f.path} }

// wipeArgvs take what tells of the file system off its devices.
func (f fsConfig) wipeArgv() []string { return append([]string{"wipefs", "--all", "--"}, f.devices...) }

func (filesystem) plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	f, problems := filesystemOf(req.Target)
	first := ""
	if len(f.devices) > 0 {
		first = f.devices[0]
	}
	resp := &providers.PlanResponse{Problems: problems, Outputs: cty.ObjectVal(map[string]cty.Value{"path": cty.StringVal(f.path), "device": cty.StringVal(first)})}
	if len(problems) > 0 {
		return resp, nil
	}
	resp.Expect = map[string]string{}
	for _, address := range hosts(req.Target) {
		stays := false
		if !req.Offline && !f.own {
			var err error
			if stays, err = f.planPath(ctx, dial, address, resp); err != nil {
				return nil, err
			}
		}
		do := func(list *[]providers.Command, argv []string) {
			*list = append(*list, providers.Command{On: address, Argv: argv})
		}
		resp.Claims = append(resp.Claims, providers.Claim{Name: "directory:" + address + ":" + f.path, Standing: true})
		for _, d := range f.devices {
			resp.Claims = append(resp.Claims, providers.Claim{Name: "device:" + address + ":" + d, Standing: true})
		}
		do(&resp.Commands, f.mkfsArgv())
		if !stays {
			do(&resp.Commands, []string{"mkdir", "-p", "--", f.path})
		}
		do(&resp.Commands, f.mountArgv())
		do(&resp.ReleaseCommands, f.umountArgv())
		do(&resp.ReleaseCommands, f.wipeArgv())
		if !stays {
			do(&resp.ReleaseCommands, []string{"rmdir", "--ignore-fail-on-non-empty", "--", f.path})
		}
	}
	resp.Estimate, resp.ReleaseEstimate = 5*time.Second, 2*time.Second
	return resp, nil
}

// planPath looks at a mount point that the spec gives, and reports whether it is there and stays. Where a run of assay has its file system there, it
// is as that run found it, which is not known any more: then it stays too.
func (f fsConfig) planPath(ctx context.Context, dial host.Dialer, address string, resp *providers.PlanResponse) (bool, error) {
	h, err := dial(ctx, address)
	if err != nil {
		return false, err
	}
	defer h.Close()
	problem := func(summary, detail string) {
		resp.Problems = append(resp.Problems, providers.Problem{Attribute: "path", Summary: summary, Detail: at(address) + detail})
	}
	_, err = resolve(ctx, h, f.path)
	var bad *badPlace
	if errors.As(err, &bad) {
		problem(bad.summary, bad.detail)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	info, err := h.Stat(ctx, f.path)
	switch {
	case isAbsent(err):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode.IsDir():
		problem("Not a directory", f.path+" is there and is no directory, so nothing can be mounted there.")
		return false, nil
	}
	resp.Expect[f.stays(address)] = willStay
	return true, nil
}

// stays is the key under Expect by which a mount point is known that was there before.
func (f fsConfig) stays(address string) string { return "mountpoint:" + address }
