package validity

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/zclconf/go-cty/cty"
)

// The figures of a sample against the machines.

// busy is the share of one CPU above which a job had no more of it to use.
const busy = 0.97

// processors: a job that had its processor for itself all the time measures that processor.
func processors(d *doubts) {
	user, a := d.sample.Get("cpu_user")
	system, b := d.sample.Get("cpu_system")
	if a && b && user+system > busy {
		d.warn("job_cpu_saturated", "a job spent %s of one CPU in user mode and %s in the kernel, %s in all: more than %s, so the processor may be what was measured",
			unit.FormatShare(user), unit.FormatShare(system), unit.FormatShare(user+system), unit.FormatShare(busy))
	}
}

// mount finds in a host's facts on what a directory lies.
func mount(facts map[string]string, dir string) (source, kind string) {
	longest := -1
	for name, value := range facts {
		target, ok := strings.CutPrefix(name, "mount.")
		if !ok || len(target) <= longest || !strings.HasPrefix(strings.TrimSuffix(dir, "/")+"/", strings.TrimSuffix(target, "/")+"/") {
			continue
		}
		if fields := strings.Fields(value); len(fields) >= 2 {
			longest = len(target)
			// The source may have spaces; type and options have none.
			source, kind = strings.Join(fields[:max(1, len(fields)-2)], " "), fields[max(1, len(fields)-2)]
		}
	}
	return source, kind
}

// remote are the file systems whose data come over the network.
var remote = map[string]bool{"nfs": true, "nfs4": true, "cifs": true, "smb3": true, "ceph": true, "glusterfs": true, "fuse.glusterfs": true, "lustre": true, "beegfs": true}

// network: over links no more bytes pass in one direction than they are fast. Links have the speeds of the facts, in Mbit/s.
func network(d *doubts) {
	dirs := d.directories()
	if len(dirs) == 0 {
		return
	}
	links, hosts := 0.0, 0
	for _, facts := range d.facts() {
		for _, dir := range dirs {
			if _, kind := mount(facts, dir); !remote[kind] {
				return
			}
		}
		own := 0.0
		for name, value := range facts {
			if strings.HasPrefix(name, "net.") && strings.HasSuffix(name, ".speed") {
				if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
					own += n * 1e6 / 8
				}
			}
		}
		if own == 0 {
			return
		}
		links, hosts = links+own, hosts+1
	}
	if hosts == 0 {
		return
	}
	for _, of := range []string{"read_bandwidth", "write_bandwidth"} {
		if v, ok := d.sample.Get(of); ok && v > links {
			d.warn("bandwidth_above_link", "%s is %s over links of %s in all: part of it never crossed the network, and came from a cache", of, unit.Format(v, unit.BytesPerSec, ""), unit.Format(links, unit.BytesPerSec, ""))
		}
	}
}

// sataLink is the most that a SATA link of 6 Gbit/s carries in one direction: 8 of 10 bits are data (Serial ATA revision 3.0).
const sataLink = 600e6

// device: disks behind SATA links give and take no more than those carry.
func device(d *doubts) {
	dirs, hosts := d.directories(), d.facts()
	if len(dirs) == 0 || len(hosts) != 1 {
		return
	}
	var disks []string
	for _, dir := range dirs {
		source, _ := mount(hosts[0], dir)
		disk, ok := strings.CutPrefix(source, "/dev/")
		if !ok {
			return
		}
		if hosts[0]["disk."+disk+".transport"] == "" {
			disk = strings.TrimRight(disk, "0123456789") // a partition
		}
		if hosts[0]["disk."+disk+".transport"] != "sata" {
			return
		}
		if !slices.Contains(disks, disk) {
			disks = append(disks, disk)
		}
	}
	most, link := float64(len(disks))*sataLink, "link of "+disks[0]+" carries"
	if len(disks) > 1 {
		link = "links of " + strings.Join(disks, ", ") + " carry"
	}
	for _, of := range []string{"read_bandwidth", "write_bandwidth"} {
		if v, ok := d.sample.Get(of); ok && v > most {
			d.warn("bandwidth_above_device", "%s is %s, but the SATA %s %s: part of it never reached the disk", of, unit.Format(v, unit.BytesPerSec, ""), link, unit.Format(most, unit.BytesPerSec, ""))
		}
	}
}

// directories are those in which a test works on files.
func (d *doubts) directories() []string {
	if one := d.text("directory"); one != "" {
		return []string{one}
	}
	v := d.attribute("directories")
	if v.IsNull() || v.Type() != cty.List(cty.String) {
		return nil
	}
	var out []string
	for _, dir := range v.AsValueSlice() {
		out = append(out, dir.AsString())
	}
	return out
}

// memory: data that are to outgrow the memory do.
func memory(d *doubts) {
	if !strings.HasPrefix(d.text("expect_fit"), "over_") {
		return
	}
	bytes, ok := d.sample.Get("bytes")
	total := 0.0
	for _, facts := range d.facts() {
		n, err := strconv.ParseFloat(facts["memory.bytes"], 64)
		if err != nil {
			return
		}
		total += n
	}
	if ok && total > 0 && bytes <= total {
		d.warn("fits_in_memory", "the data are %s and the memory is %s, but expect_fit is %q", unit.Format(bytes, unit.Bytes, ""), unit.Format(total, unit.Bytes, ""), d.text("expect_fit"))
	}
}
