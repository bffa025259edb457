package guard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/unit"
)

// sizes is by how much the capacity of a disk may differ from what is written on it.
const sizes = 0.02

// Claim finds the device that is meant by what a spec says of a disk, which is no sandbox disk. There is just one that fits in every
// way, or a *Refusal. What may be done with it is not asked here.
func (p *Picture) Claim(ref Ref) (*Device, error) {
	switch {
	case ref.Serial == "" && ref.WWN == "" && ref.Slot != "":
		return nil, refuse("Disk without identity", "the slot %s is known to its controller only, not to the kernel; give the serials or wwns of disks %q too", ref.Slot, ref.Group)
	case plain(ref.Serial) == "" && plain(ref.WWN) == "":
		return nil, refuse("Disk without identity", "nothing says which device %s of disks %q is; give their serials or wwns, or a sandbox", ref.ID, ref.Group)
	}
	var found, half []*Device
	for _, n := range p.names() {
		d := p.Devices[n]
		if !d.disk() {
			continue
		}
		serial, wwn := fits(ref.Serial, d.Serials), fits(ref.WWN, d.WWNs)
		switch {
		case serial && wwn:
			found = append(found, d)
		case serial && ref.Serial != "" || wwn && ref.WWN != "":
			half = append(half, d)
		}
	}
	switch {
	case len(found) == 0 && len(half) > 0:
		return nil, refuse("Disk with another identity", "%s has the serial number %s and the WWN %s, and the spec says %s and %s of one disk: mend the spec, or use the right disks",
			half[0].Name, list(half[0].Serials), list(half[0].WWNs), ref.Serial, ref.WWN)
	case len(found) == 0:
		return nil, &notFound{refuse("No such disk", "no disk has the %s; %s", ref.identity(), p.there())}
	case len(found)+len(half) > 1:
		var names []string
		for _, d := range append(found, half...) {
			names = append(names, d.Name)
		}
		return nil, refuse("Disk is not unique", "%s have the %s: these may be several paths to one disk, or a copy. Which of them is meant cannot be told, and none is touched", list(names), ref.identity())
	}
	d := found[0]
	if want := float64(ref.Capacity); want > 0 && math.Abs(float64(d.Size)-want) > sizes*want {
		return nil, refuse("Disk of another size", "%s (%s) has %s, and disks %q are of %s: mend the spec, or use the right disks", d.Name, ref.ID, capacity(d.Size), ref.Group, capacity(ref.Capacity))
	}
	if !strings.Contains(strings.ToLower(d.Model), strings.ToLower(strings.TrimSpace(ref.Model))) {
		return nil, refuse("Disk of another model", "%s (%s) is of the model %q, and disks %q are of %q: mend the spec, or use the right disks", d.Name, ref.ID, d.Model, ref.Group, ref.Model)
	}
	return d, nil
}

// notFound is the refusal of a disk that is not on this host; it may be on another.
type notFound struct{ *Refusal }

// Unwrap gives the refusal.
func (n *notFound) Unwrap() error { return n.Refusal }

func refuse(summary, detail string, args ...any) *Refusal {
	return &Refusal{Summary: summary, Detail: fmt.Sprintf(detail, args...)}
}

// fits reports whether an identity of the spec is one of a device; what the spec does not say fits.
func fits(want string, have []string) bool {
	return plain(want) == "" || slices.ContainsFunc(have, func(id string) bool { return plain(id) == plain(want) })
}

func (r Ref) identity() string {
	switch {
	case r.WWN == "":
		return "serial number " + r.Serial
	case r.Serial == "":
		return "WWN " + r.WWN
	}
	return "serial number " + r.Serial + " and the WWN " + r.WWN
}

// there says which disks there are.
func (p *Picture) there() string {
	const most = 12
	var found []string
	for _, n := range p.names() {
		if d := p.Devices[n]; d.disk() && d.Size > 0 && len(d.Serials)+len(d.WWNs) > 0 {
			found = append(found, fmt.Sprintf("%s %s (%s)", n, first(append(d.Serials, d.WWNs...)), capacity(d.Size)))
		}
	}
	if len(found) == 0 {
		return "there is no disk with a serial number or a WWN"
	}
	if len(found) > most {
		found = append(found[:most], fmt.Sprintf("and %d more", len(found)-most))
	}
	return "there are " + strings.Join(found, ", ")
}

func list(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	return strings.Join(names, " and ")
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// capacity prints the size of a disk as it is sold: in powers of 1000, with three digits; small ones of a sandbox as they are.
func capacity(bytes int64) string {
	switch f := float64(bytes); {
	case bytes >= 1e12:
		return unit.Digits(f/1e12, 3) + " TB"
	case bytes >= 4e9:
		return unit.Digits(f/1e9, 3) + " GB"
	default:
		return unit.Format(f, unit.Bytes, "")
	}
}
