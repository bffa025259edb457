package run

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/unit"
)

// declared compares hardware with what the spec says of it. Of hardware that the plan does not use there are no facts, and nothing is checked.
func declared(p *plan.Plan, facts map[string]map[string]string) error {
	for _, hw := range p.Hardware {
		if slices.ContainsFunc(hw.Hosts, func(h string) bool { return facts[h] == nil }) {
			continue
		}
		for _, h := range hw.Hosts {
			if err := declaredMemory(hw, h, facts[h]); err != nil {
				return err
			}
		}
		if err := declaredDisks(hw, facts); err != nil {
			return err
		}
	}
	return nil
}

// declaredMemory: a machine shows a little less memory than is built in, since firmware and kernel keep some.
func declaredMemory(hw plan.Hardware, h string, facts map[string]string) error {
	have, err := strconv.ParseFloat(facts["memory.bytes"], 64)
	if hw.MemoryBytes == 0 || err != nil {
		return nil
	}
	if have < 0.85*hw.MemoryBytes || have > 1.02*hw.MemoryBytes {
		return fmt.Errorf("hardware %q declares %s of memory, and %s has %s: mend the spec, or use the right machine",
			hw.Name, unit.Format(hw.MemoryBytes, unit.Bytes, ""), name(h), unit.Format(have, unit.Bytes, ""))
	}
	return nil
}

// disk is one that was found.
type disk struct {
	host, name         string
	serial, wwn, model string
	size               float64 // bytes
}

func (d disk) String() string {
	id := d.serial
	if id == "" {
		id = d.wwn
	}
	return fmt.Sprintf("%s %s (%s, %s)", d.name, id, d.model, capacity(d.size))
}

// capacity prints the size of a disk as it is sold: in powers of 1000, with three digits.
func capacity(bytes float64) string {
	if bytes >= 1e12 {
		return unit.Digits(bytes/1e12, 3) + " TB"
	}
	return unit.Digits(bytes/1e9, 3) + " GB"
}

// sizes is by how much the capacity of a disk may differ from what is written on it.
const sizes = 0.02

// declaredDisks finds each disk that is declared by its serial number or WWN on just one of the hosts, with the capacity and model that are
// declared. Slots of a controller no kernel knows; they are the storage provider's to check.
func declaredDisks(hw plan.Hardware, facts map[string]map[string]string) error {
	var found []disk
	for _, h := range hw.Hosts {
		found = append(found, disksOf(h, facts[h])...)
	}
	for _, group := range hw.Disks {
		for _, by := range []struct {
			what string
			ids  []string
			of   func(disk) string
		}{
			{"serial number", group.Serials, func(d disk) string { return d.serial }},
			{"WWN", group.WWNs, func(d disk) string { return d.wwn }},
		} {
			for _, id := range by.ids {
				var is []disk
				for _, d := range found {
					if plainID(by.of(d)) == plainID(id) {
						is = append(is, d)
					}
				}
				if len(is) != 1 {
					return fmt.Errorf("hardware %q declares the disk with %s %s, of disks %q: %d have it. There %s: mend the spec, or use the right machine",
						hw.Name, by.what, id, group.Name, len(is), there(found))
				}
				if err := declaredDisk(hw, group, is[0]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func declaredDisk(hw plan.Hardware, group plan.Disks, d disk) error {
	if want := group.CapacityBytes; want > 0 && math.Abs(d.size-want) > sizes*want {
		return fmt.Errorf("hardware %q declares disks %q of %s, and %s on %s has another capacity: mend the spec, or use the right disks",
			hw.Name, group.Name, capacity(want), d, name(d.host))
	}
	if !strings.Contains(strings.ToLower(d.model), strings.ToLower(strings.TrimSpace(group.Model))) {
		return fmt.Errorf("hardware %q declares disks %q of the model %q, and %s on %s is another: mend the spec, or use the right disks",
			hw.Name, group.Name, group.Model, d, name(d.host))
	}
	return nil
}

// disksOf lists the disks of a host that have an identity, by name.
func disksOf(h string, facts map[string]string) []disk {
	byName := map[string]*disk{}
	for fact, value := range facts {
		rest, ok := strings.CutPrefix(fact, "disk.")
		i := strings.LastIndexByte(rest, '.')
		if !ok || i < 1 {
			continue
		}
		d := byName[rest[:i]]
		if d == nil {
			d = &disk{host: h, name: rest[:i]}
			byName[rest[:i]] = d
		}
		switch rest[i+1:] {
		case "serial":
			d.serial = value
		case "wwn":
			d.wwn = value
		case "model":
			d.model = value
		case "size":
			d.size, _ = strconv.ParseFloat(value, 64)
		}
	}
	var out []disk
	for _, d := range byName {
		if d.serial != "" || d.wwn != "" {
			out = append(out, *d)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

// plainID is an identity as it is compared: kernel, udev and labels write WWNs with and without what says of which kind they are.
func plainID(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	for _, kind := range []string{"naa.", "eui.", "nvme.", "0x"} {
		id = strings.TrimPrefix(id, kind)
	}
	return id
}

// there says which disks were found.
func there(found []disk) string {
	const most = 12
	if len(found) == 0 {
		return "is no disk with a serial number or a WWN"
	}
	var list []string
	for i, d := range found {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(found)-most))
			break
		}
		list = append(list, d.String())
	}
	verb := "are "
	if len(found) == 1 {
		verb = "is "
	}
	return verb + strings.Join(list, ", ")
}
