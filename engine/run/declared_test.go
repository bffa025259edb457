package run

import (
	"maps"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
)

// two hosts with three disks that have an identity, and a loop device.
func found() map[string]map[string]string {
	return map[string]map[string]string{
		"ssh://a": {
			"memory.bytes":   "8200000000",
			"disk.sda.model": "UM511a", "disk.sda.size": "1920383410176", "disk.sda.serial": "S0001", "disk.sda.wwn": "naa.5000000000000001",
			"disk.sdb.model": "UM511a", "disk.sdb.size": "1920383410176", "disk.sdb.serial": "S0002", "disk.sdb.smart.passed": "true",
			"disk.loop0.size": "1000",
		},
		"ssh://b": {
			"memory.bytes":       "8200000000",
			"disk.nvme0n1.model": "EXAMPLE P5800X", "disk.nvme0n1.size": "400088457216", "disk.nvme0n1.serial": "N0001",
		},
	}
}

func TestDeclared(t *testing.T) {
	sas := plan.Disks{Name: "sas", Model: "um511A", CapacityBytes: 1.92e12, Serials: []string{"S0001", "S0002"}}
	with := func(change func(*plan.Disks)) []plan.Disks {
		d := sas
		change(&d)
		return []plan.Disks{d}
	}
	for name, c := range map[string]struct {
		disks  []plan.Disks
		memory float64
		facts  func(map[string]map[string]string)
		want   []string // in the error; none: there is none
	}{
		"as declared":         {disks: []plan.Disks{sas, {Name: "nvme", Serials: []string{"N0001"}}}, memory: 8.4e9},
		"nothing declared":    {},
		"by WWN, as udev has": {disks: []plan.Disks{{Name: "w", WWNs: []string{"0x5000000000000001"}}}},
		"slots are not known": {disks: []plan.Disks{{Name: "slots", CapacityBytes: 1}}},
		"more memory":         {memory: 16e9, want: []string{`hardware "lab" declares 16 GB of memory, and ssh://a has 8.2 GB`}},
		"a disk that is not there": {
			disks: with(func(d *plan.Disks) { d.Serials = []string{"S0001", "S0003"} }),
			want:  []string{`declares the disk with serial number S0003, of disks "sas": 0 have it`, "sda S0001 (UM511a, 1.92 TB), sdb S0002 (UM511a, 1.92 TB), nvme0n1 N0001"},
		},
		"two with one identity": {
			disks: []plan.Disks{sas},
			facts: func(f map[string]map[string]string) { f["ssh://b"]["disk.nvme0n1.serial"] = "S0001" },
			want:  []string{"serial number S0001", "2 have it"},
		},
		"another capacity": {disks: with(func(d *plan.Disks) { d.CapacityBytes = 960e9 }), want: []string{`declares disks "sas" of 960 GB`, "sda S0001 (UM511a, 1.92 TB) on ssh://a has another capacity"}},
		"another model":    {disks: with(func(d *plan.Disks) { d.Model = "UM600" }), want: []string{`of the model "UM600"`, "sda S0001"}},
		"no disk at all": {
			disks: []plan.Disks{sas},
			facts: func(f map[string]map[string]string) {
				for _, h := range f {
					maps.DeleteFunc(h, func(name, _ string) bool { return strings.HasPrefix(name, "disk.") })
				}
			},
			want: []string{"is no disk with a serial number or a WWN"},
		},
		"hardware that is not used": {memory: 1, facts: func(f map[string]map[string]string) { delete(f, "ssh://b") }},
	} {
		facts := found()
		if c.facts != nil {
			c.facts(facts)
		}
		err := declared(&plan.Plan{Hardware: []plan.Hardware{{Name: "lab", Hosts: []string{"ssh://a", "ssh://b"}, MemoryBytes: c.memory, Disks: c.disks}}}, facts)
		if (err != nil) != (len(c.want) > 0) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v; want %q", name, err, w)
			}
		}
	}
}
