// Package guard stands before everything that erases a disk. It finds out which device is meant by what a spec says of a disk, and refuses
// whatever may not be erased; its decisions are pure functions over a picture of the host, which one command gathers, locally or
// over ssh.
//
// A setup that takes disks calls Plan from its plan, which answers with the paths of the disks; Take from its prepare, before the first
// command, which makes these paths lead to the disks; Recheck right before each command that erases; Done once it is whole, from when on
// what is on the disks is its own; Look from its inspect; and Drop from its release. What is on the disks the setup itself takes away.
//
// The paths are links below /dev/assay. They are named after what the spec says, so that they can be promised before anything is
// looked at, and a disk that is found under another name in the kernel has the same path. A disk that is taken bears a mark, a file
// below /var/lib/assay with the id of the thing that has it; it outlives a restart of the machine, as what is on the disk does.
//
// Answers about a sandbox disk come from the file that assay made for it; no other loop device is ever a disk.
//
// It makes no file system and no array, and knows no tool that does.
package guard

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Ref is what a spec says of one disk; what it does not say is empty.
type Ref struct {
	ID       string // by which the spec names it
	Group    string // its disks block
	Serial   string
	WWN      string
	Slot     string // of a controller; the kernel does not know it
	Model    string // as the disk calls itself, or a part of it
	Capacity int64  // in bytes, within 2 %; of a sandbox disk exactly; 0: not said
	Sandbox  string // an absolute path: the disk is a sparse file below it
}

// Refs reads an attribute of the kind schema.Disks; null is none.
func Refs(v cty.Value) []Ref {
	if v.IsNull() {
		return nil
	}
	var refs []Ref
	for _, d := range v.AsValueSlice() {
		text := func(name string) string {
			if a := d.GetAttr(name); !a.IsNull() {
				return a.AsString()
			}
			return ""
		}
		ref := Ref{
			ID: text("id"), Group: text("group"), Serial: text("serial"), WWN: text("wwn"), Slot: text("slot"),
			Model: text("model"), Sandbox: text("sandbox"),
		}
		if c := d.GetAttr("capacity"); !c.IsNull() {
			f, _ := c.AsBigFloat().Float64()
			ref.Capacity = int64(f)
		}
		refs = append(refs, ref)
	}
	return refs
}

// Refusal is why a disk is not taken or erased. Its text says what to do.
type Refusal struct {
	Summary string // Disk is mounted
	Detail  string // sdb is mounted at /data; unmount it first
}

func (r *Refusal) Error() string { return r.Detail }

// plain is an identity as it is compared: kernel, udev and labels write WWNs with and without what says of which kind they are, and pad
// serial numbers.
func plain(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	for _, kind := range []string{"naa.", "eui.", "nvme.", "uuid.", "0x"} {
		id = strings.TrimPrefix(id, kind)
	}
	return id
}
