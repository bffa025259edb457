package guard

import (
	"maps"
	"slices"
	"strings"
)

// Picture is what was found on a host, as far as it matters to its disks.
type Picture struct {
	Boot     string // changes with each start of the machine; empty: not known
	Devices  map[string]*Device
	Mounts   []Mount  // of all mount namespaces
	Closed   []string // mount namespaces that could not be looked into
	Swaps    []string // files and devices, as they were opened
	Btrfs    []string // devices of mounted file systems, by name
	Exports  []string // device files that other machines use
	Modules  []string // that hold disks and do not show it: zfs, drbd
	Open     []Open
	Fstab    []string // lines of /etc/fstab and /etc/crypttab
	nodes    map[string]string
	complete bool // the probe came to its end
	root     bool // the probe ran as root
	unable   bool // signatures cannot be read here: there is no wipefs
}

// Device is one block device.
type Device struct {
	Name       string // sdb, as the kernel calls it
	Number     string // major:minor
	Size       int64  // bytes; 0: no medium
	ReadOnly   bool
	Hidden     bool   // a path of an NVMe device that several lead to
	Partition  bool   // a part of Parent
	Parent     string // name of the disk
	State      string // running; empty where the kernel has none
	Serials    []string
	WWNs       []string
	Model      string
	Vendor     string // ATA for disks that speak ATA
	Discards   bool   // it takes discards
	DiskSeq    string // changes whenever a disk or file is attached; empty on kernels before 5.15
	DMName     string // of a device mapper device
	DMUUID     string
	MDLevel    string   // of an md array
	Backing    string   // of a loop device: its file
	BackingID  string   // inode and device of that file
	Siblings   []string // of an NVMe namespace: the others of its controller
	Holders    []string
	Slaves     []string
	Signatures []Signature
	Unread     bool   // its signatures could not be read
	Blank      bool   // its first MiB is zero
	Volume     string // of a member of LVM: id of the volume group
	VolumeName string
}

// Signature is a mark on a disk by which tools know what is on it.
type Signature struct {
	Offset string `json:"offset"` // in bytes, in hexadecimal
	Type   string `json:"type"`   // ext4, LVM2_member, gpt, as libblkid calls it
	UUID   string `json:"uuid,omitempty"`
	Label  string `json:"label,omitempty"`
	On     string `json:"on,omitempty"` // the partition; empty: the disk itself
}

// Mount is one mounted file system.
type Mount struct {
	Number  string // major:minor of the device; of btrfs and others one that is no device's
	At      string
	Type    string
	Source  string
	Options []string
}

// Open is a block device that a process has open.
type Open struct {
	Number  string // major:minor
	PID     string
	Command string
}

// Path is the device's file.
func (d *Device) Path() string { return "/dev/" + strings.ReplaceAll(d.Name, "!", "/") }

// loop reports a loop device.
func (d *Device) loop() bool { return strings.HasPrefix(d.Number, "7:") }

// disk reports what may be a disk of its own: a whole device that is not made of other devices.
func (d *Device) disk() bool {
	if d.Partition || d.Hidden || d.DMName != "" || d.MDLevel != "" || d.loop() || len(d.Slaves) > 0 {
		return false
	}
	for _, kind := range []string{"ram", "zram", "sr", "fd", "md", "dm-", "nbd", "mtdblock"} {
		if rest, ok := strings.CutPrefix(d.Name, kind); ok && strings.Trim(rest, "0123456789") == "" {
			return false
		}
	}
	return true
}

// names lists the devices, sorted.
func (p *Picture) names() []string { return slices.Sorted(maps.Keys(p.Devices)) }

// parts are a device and its partitions.
func (p *Picture) parts(d *Device) []*Device {
	out := []*Device{d}
	for _, n := range p.names() {
		if x := p.Devices[n]; x.Partition && x.Parent == d.Name {
			out = append(out, x)
		}
	}
	return out
}

// tree are a device, its partitions, and all that stands on them, each once.
func (p *Picture) tree(d *Device) []*Device {
	var out []*Device
	seen := map[string]bool{}
	var visit func(d *Device)
	visit = func(d *Device) {
		if d == nil || seen[d.Name] {
			return
		}
		seen[d.Name] = true
		out = append(out, d)
		for _, x := range p.parts(d)[1:] {
			visit(x)
		}
		for _, h := range d.Holders {
			visit(p.Devices[h])
		}
		for _, n := range p.names() { // the other direction of the same link
			if slices.Contains(p.Devices[n].Slaves, d.Name) {
				visit(p.Devices[n])
			}
		}
	}
	visit(d)
	return out
}

// at finds the device of a device file: by what stat said of it, else by its name; nil where it is none.
func (p *Picture) at(file string) *Device {
	number := p.nodes[file]
	for _, n := range p.names() {
		d := p.Devices[n]
		if number != "" && d.Number == number || number == "" && (d.Path() == file || d.DMName != "" && "/dev/mapper/"+d.DMName == file) {
			return d
		}
	}
	return nil
}

// on lists the signatures of a disk and its partitions.
func (p *Picture) on(d *Device) []Signature {
	var out []Signature
	for i, x := range p.parts(d) {
		for _, s := range x.Signatures {
			if i > 0 {
				s.On = x.Name
			}
			out = append(out, s)
		}
	}
	return out
}
