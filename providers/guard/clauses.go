package guard

import (
	"fmt"
	"slices"
	"strings"
)

// Question is what one wants to do with a disk.
type Question struct {
	Ref     Ref
	Thing   string    // id of the thing that takes it; empty: not known yet
	Owner   string    // id of the thing whose mark it bears; empty: none
	Erase   bool      // the spec consents that what is on it is lost
	Planned *Identity // what the plan showed; nil: it is the plan that asks
	Whole   bool      // the thing is whole, so what is on the disk is its own
	File    string    // of a sandbox disk, its file; its device is the loop over it
}

// clause is one reason for which a disk is not erased. A disk is erased only when no clause refuses it.
type clause struct {
	name   string
	refuse func(p *Picture, d *Device, q Question) *Refusal
}

// clauses are asked from the top; the first that refuses gives the reason. Those that no flag and no consent overrides come first.
func clauses() []clause {
	return []clause{
		{"whole", notWhole}, {"medium", noMedium}, {"node", otherNode}, {"mounted", isMounted}, {"namespace", unseenMounts}, {"swap", isSwap},
		{"filesystem", memberOfMounted}, {"held", isHeld}, {"loop", underLoop},
		{"open", isOpen}, {"exported", isExported}, {"set", setInUse}, {"module", heldUnseen}, {"owner", ofAnother}, {"changed", hasChanged},
		{"fstab", inFstab}, {"unread", cannotTell}, {"signed", isSigned}, {"since", signedSince},
	}
}

// Refuse says why a disk may not be erased; nil where it may.
func (p *Picture) Refuse(d *Device, q Question) *Refusal { return p.refuse(clauses(), d, q) }

func (p *Picture) refuse(clauses []clause, d *Device, q Question) *Refusal {
	for _, c := range clauses {
		if r := c.refuse(p, d, q); r != nil {
			return r
		}
	}
	return nil
}

// notWhole: only a disk is erased, never a part of one or what is made of others. A sandbox disk is the loop over just its file.
func notWhole(_ *Picture, d *Device, q Question) *Refusal {
	switch {
	case q.File != "" && (!d.loop() || d.Backing != q.File):
		return refuse("Not the sandbox disk", "%s is not the loop over %s but over %q; nothing is touched", d.Name, q.File, d.Backing)
	case q.File == "" && d.Partition:
		return refuse("Not a whole disk", "%s is a partition of %s; name the disk, or use another one", d.Name, d.Parent)
	case q.File == "" && !d.disk():
		return refuse("Not a disk", "%s is no disk but made of something else (%s)", d.Name, strings.Join(append(d.Slaves, d.DMName, d.MDLevel, d.Backing), " "))
	}
	return nil
}

// otherNode: a device file that leads elsewhere, or a file that lies in its place, would be written instead of the disk.
func otherNode(p *Picture, d *Device, _ Question) *Refusal {
	if got := p.nodes[d.Path()]; got != d.Number {
		return refuse("Device file is another", "%s is not the block device %s (it is %s); look who put it there, and let udev make it anew", d.Path(), d.Number, orNone(got))
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "not there"
	}
	return s
}

func noMedium(p *Picture, d *Device, _ Question) *Refusal {
	switch {
	case d.Size <= 0:
		return refuse("Disk without medium", "%s has a size of 0", d.Name)
	case d.ReadOnly:
		return refuse("Disk is read-only", "%s is read-only; it is that for a reason", d.Name)
	case d.State != "" && d.State != "running" && d.State != "live":
		return refuse("Disk does not work", "%s is in the state %q; look at the disk and its cable", d.Name, d.State)
	}
	for _, x := range p.parts(d) {
		if x.ReadOnly {
			return refuse("Disk is read-only", "%s is read-only; it is that for a reason", x.Name)
		}
	}
	return nil
}

// system are the places without which the machine does not start or go on.
var system = []string{"/", "/boot", "/boot/efi", "/efi", "/usr", "/var", "/etc", "/home", "/root"}

// isMounted has graver words for the disk of which the machine lives; both are refused whatever is allowed.
func isMounted(p *Picture, d *Device, _ Question) *Refusal {
	found := p.mountsOf(d)
	for _, place := range system {
		for _, m := range found {
			if m.mount.At == place {
				return refuse("Disk of the system", "%s carries %s, of which this machine lives (through %s); it is never erased, whatever is allowed", d.Name, place, m.through)
			}
		}
	}
	for _, m := range found {
		return refuse("Disk is mounted", "%s is mounted at %s (%s, through %s), in this or another mount namespace; unmount it first", d.Name, m.mount.At, m.mount.Type, m.through)
	}
	return nil
}

type mounted struct {
	mount   Mount
	through string // the device that is mounted
}

// mountsOf lists the mounts of a disk, its partitions and what stands on them: by the number of the device, and by device files that stand
// as source or among the options (an external journal or log).
func (p *Picture) mountsOf(d *Device) []mounted {
	var out []mounted
	for _, x := range p.tree(d) {
		for _, m := range p.Mounts {
			if m.Number == x.Number {
				out = append(out, mounted{m, x.Name})
				continue
			}
			for _, text := range append([]string{m.Source}, m.Options...) {
				for _, file := range strings.FieldsFunc(text, func(r rune) bool { return r == ':' || r == '=' || r == ',' }) {
					if strings.HasPrefix(file, "/dev/") && p.at(file) == x {
						out = append(out, mounted{m, x.Name})
					}
				}
			}
		}
	}
	return out
}

// unseenMounts: what is mounted where nobody can look could be this disk.
func unseenMounts(p *Picture, d *Device, _ Question) *Refusal {
	if len(p.Closed) > 0 && !d.loop() {
		return refuse("Mounts that cannot be seen", "the mount namespace %s could not be looked into, and %s may be mounted there", p.Closed[0], d.Name)
	}
	return nil
}

func isSwap(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.tree(d) {
		for _, s := range p.Swaps {
			if p.at(s) == x {
				return refuse("Disk is swap", "%s holds memory of this machine: it swaps to %s; it is never erased, whatever is allowed", d.Name, s)
			}
		}
	}
	return nil
}

// memberOfMounted: of a btrfs over several disks only one stands among the mounts.
func memberOfMounted(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.tree(d) {
		if slices.Contains(p.Btrfs, x.Name) {
			return refuse("Disk is mounted", "%s is a member of a btrfs that is mounted (through %s); unmount it first", d.Name, x.Name)
		}
	}
	return nil
}

func isHeld(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.tree(d) {
		if x == d || x.Partition && x.Parent == d.Name {
			continue
		}
		what := x.Name
		switch kind, _, _ := strings.Cut(x.DMUUID, "-"); {
		case x.MDLevel != "":
			what += ", an md array (" + x.MDLevel + ")"
		case kind == "mpath":
			what += ", a multipath disk of which it is one path"
		case kind == "LVM":
			what += ", the logical volume " + x.DMName
		case kind == "CRYPT":
			what += ", the encrypted disk " + x.DMName
		case x.DMName != "":
			what += ", the mapping " + x.DMName
		}
		return refuse("Disk is in use", "%s is held by %s; stop or close that first", d.Name, what)
	}
	for _, x := range p.parts(d) {
		if len(x.Holders) > 0 {
			return refuse("Disk is in use", "%s is held by %s; stop or close that first", x.Name, list(x.Holders))
		}
	}
	return nil
}

// underLoop: no link in sysfs leads from a disk to a loop over it, nor from a file to two loops over it.
func underLoop(p *Picture, d *Device, q Question) *Refusal {
	for _, n := range p.names() {
		l := p.Devices[n]
		if l.Backing == "" || l == d {
			continue
		}
		for _, x := range p.parts(d) {
			if p.at(l.Backing) == x {
				return refuse("Disk is in use", "the loop device %s lies over %s; detach it first (losetup -d)", l.Name, x.Name)
			}
		}
		if q.File != "" && (l.Backing == q.File || l.BackingID != "" && l.BackingID == d.BackingID) {
			return refuse("Disk is in use", "%s and %s are loops over one file, %s; detach the other first (losetup -d)", d.Name, l.Name, q.File)
		}
	}
	return nil
}

func isOpen(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.parts(d) {
		for _, o := range p.Open {
			if o.Number == x.Number {
				return refuse("Disk is in use", "process %s (%s) has %s open; end it first", o.PID, o.Command, x.Name)
			}
		}
	}
	return nil
}

func isExported(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.tree(d) {
		for _, file := range p.Exports {
			if p.at(file) == x || strings.HasPrefix(file, "/dev/disk/") && p.at(file) == nil && anyIdentity(file, d) {
				return refuse("Disk is in use", "%s is given to other machines as a target (%s); take it back first", d.Name, file)
			}
		}
	}
	return nil
}

// anyIdentity reports whether the name of a link in /dev/disk has an identity of a disk in it.
func anyIdentity(file string, d *Device) bool {
	for _, id := range append(slices.Clone(d.Serials), d.WWNs...) {
		if plain(id) != "" && strings.Contains(strings.ToLower(file), plain(id)) {
			return true
		}
	}
	return false
}

// setInUse: a disk that is no working part of an array or volume group, but carries its name, would be missed all the same.
func setInUse(p *Picture, d *Device, q Question) *Refusal {
	if q.Whole {
		return nil
	}
	mine := p.tree(d)
	for _, x := range p.parts(d) {
		for _, n := range p.names() {
			y := p.Devices[n]
			if slices.Contains(mine, y) || !p.used(y) {
				continue
			}
			if x.Volume != "" && x.Volume == y.Volume {
				return refuse("Disk of a volume group in use", "%s belongs to the volume group %s, of which %s is in use; take it out first (vgreduce, pvremove)", x.Name, x.VolumeName, y.Name)
			}
			for _, s := range x.Signatures {
				if s.UUID != "" && member(s.Type) && slices.ContainsFunc(y.Signatures, func(o Signature) bool { return o.Type == s.Type && o.UUID == s.UUID }) {
					return refuse("Disk of a set in use", "%s is a member of the %s %s, of which %s is in use; take it out first", x.Name, s.Type, s.UUID, y.Name)
				}
			}
		}
	}
	return nil
}

// member reports whether a signature is that of one of several disks.
func member(kind string) bool {
	return strings.HasSuffix(kind, "_member") || kind == "btrfs" || kind == "bcache"
}

// used reports whether something uses a device itself.
func (p *Picture) used(d *Device) bool {
	return len(d.Holders) > 0 || slices.Contains(p.Btrfs, d.Name) || slices.ContainsFunc(p.Mounts, func(m Mount) bool { return m.Number == d.Number }) ||
		slices.ContainsFunc(p.Open, func(o Open) bool { return o.Number == d.Number })
}

// heldUnseen: ZFS and DRBD hold disks without a link in sysfs.
func heldUnseen(p *Picture, d *Device, q Question) *Refusal {
	for _, s := range p.on(d) {
		for kind, module := range map[string]string{"zfs_member": "zfs", "drbd": "drbd"} {
			if s.Type == kind && !q.Whole && slices.Contains(p.Modules, module) {
				return refuse("Disk may be in use", "%s carries %s, and the kernel has %s, which does not show what it holds; export or stop it, and clear it with its own tool first", d.Name, s.Type, module)
			}
		}
	}
	return nil
}

// ofAnother: what bears a mark of assay belongs to the thing that the mark names.
func ofAnother(_ *Picture, d *Device, q Question) *Refusal {
	if q.Owner != "" && q.Owner != q.Thing {
		return refuse("Disk belongs to another run", "%s (%s) bears the mark of the thing %s; wait until that run has ended, go on with it (apply --resume), or end it (destroy). If nobody knows it any more, look at %s", d.Name, q.Ref.ID, q.Owner, q.Ref.mark())
	}
	return nil
}

func hasChanged(p *Picture, d *Device, q Question) *Refusal {
	if q.Planned == nil {
		return nil
	}
	if what := q.Planned.differs(p.identity(d, q.Ref)); what != "" {
		return refuse("Disk has changed", "%s (%s) is not the disk that the plan showed: %s. Plan again, and look at the plan", d.Name, q.Ref.ID, what)
	}
	return nil
}

// inFstab: what the machine mounts when it starts is not free, though it may not be mounted now.
func inFstab(p *Picture, d *Device, q Question) *Refusal {
	if q.Whole || q.File != "" {
		return nil
	}
	for _, line := range p.Fstab {
		for _, word := range strings.Fields(line) {
			name, value, tagged := strings.Cut(word, "=")
			for _, s := range p.on(d) {
				if tagged && (name == "UUID" && s.UUID != "" && strings.EqualFold(strings.Trim(value, `"`), s.UUID) || name == "LABEL" && s.Label != "" && strings.Trim(value, `"`) == s.Label) {
					return refuse("Disk is in fstab", "%s carries %s, and this machine mounts it when it starts (%s); take it out of /etc/fstab or /etc/crypttab first", d.Name, s, word)
				}
			}
			for _, x := range p.tree(d) {
				if strings.HasPrefix(word, "/dev/") && p.at(word) == x || strings.HasPrefix(word, "/dev/disk/") && x == d && anyIdentity(word, d) {
					return refuse("Disk is in fstab", "this machine mounts %s when it starts (%s); take it out of /etc/fstab or /etc/crypttab first", x.Name, word)
				}
			}
		}
	}
	return nil
}

// cannotTell: what cannot be read cannot be shown to the one who consents.
func cannotTell(p *Picture, d *Device, _ Question) *Refusal {
	for _, x := range p.parts(d) {
		if x.Unread {
			return refuse("Disk cannot be read", "what is on %s cannot be read; look at the disk and its cable", x.Name)
		}
	}
	return nil
}

func isSigned(p *Picture, d *Device, q Question) *Refusal {
	if q.Erase || q.Whole || q.File != "" {
		return nil
	}
	if holds := p.holds(d); holds != nothing {
		return refuse("Disk is not empty", "%s (%s) carries %s. Where that may be lost, write erase = true in this block", d.Name, q.Ref.ID, holds)
	}
	return nil
}

// signedSince: consent is to what the plan showed. What is gone since is no loss.
func signedSince(p *Picture, d *Device, q Question) *Refusal {
	if q.Planned == nil || q.Whole {
		return nil
	}
	for _, s := range p.on(d) {
		if !slices.Contains(q.Planned.Signatures, s) {
			return refuse("Disk has changed", "%s (%s) carries %s, which was not on it when the plan was made. Plan again, and look at the plan", d.Name, q.Ref.ID, s)
		}
	}
	return nil
}

// What is on a disk that has no signature.
const (
	nothing = "nothing"
	unnamed = "data without a known signature"
)

// holds says what is on a disk. Without a signature its first MiB tells whether it was ever written.
func (p *Picture) holds(d *Device) string {
	found := p.on(d)
	switch {
	case len(found) > 0:
		return describe(found)
	case d.Blank:
		return nothing
	}
	return unnamed
}

// describe lists signatures for a person, each once: a file system has its name at several places.
func describe(found []Signature) string {
	var out []string
	for _, s := range found {
		if text := s.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

func (s Signature) String() string {
	text := s.Type
	if s.Label != "" {
		text += fmt.Sprintf(" %q", s.Label)
	}
	if s.UUID != "" {
		text += " (" + s.UUID + ")"
	}
	if s.On != "" {
		text += " on " + s.On
	}
	return text
}
