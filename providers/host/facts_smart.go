package host

import (
	"encoding/json"
	"strconv"
	"strings"
)

// smartReport is what is of use of smartctl --json, as of smartmontools 7.0: what a kind of disk does not have is absent.
type smartReport struct {
	Status *struct {
		Passed bool `json:"passed"`
	} `json:"smart_status"`
	PowerOn *struct {
		Hours uint64 `json:"hours"`
	} `json:"power_on_time"`
	Temperature *struct {
		Current int `json:"current"`
	} `json:"temperature"`
	NVMe *struct {
		PercentageUsed uint64 `json:"percentage_used"`
		MediaErrors    uint64 `json:"media_errors"`
		Spare          uint64 `json:"available_spare"`
		Warning        uint64 `json:"critical_warning"`
	} `json:"nvme_smart_health_information_log"`
	ATA *struct {
		Table []struct {
			ID  int `json:"id"`
			Raw struct {
				Value uint64 `json:"value"`
			} `json:"raw"`
		} `json:"table"`
	} `json:"ata_smart_attributes"`
	Defects *uint64 `json:"scsi_grown_defect_list"`
}

// ataNames are the attributes that mean the same with every maker, by number.
var ataNames = map[int]string{5: "reallocated_sectors", 197: "pending_sectors", 198: "offline_uncorrectable", 199: "crc_errors"}

// smart reads what smartctl says of each disk: after a line disk<tab>NAME its JSON. Whether the disk holds itself for healthy is a fact as
// any other; counters and temperatures change by themselves.
func (f facts) smart(lines []string) {
	disk, text := "", strings.Builder{}
	done := func() {
		var r smartReport
		if disk != "" && json.Unmarshal([]byte(text.String()), &r) == nil {
			f.smartOf(disk, r)
		}
		text.Reset()
	}
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "disk\t"); ok {
			done()
			disk = name
			continue
		}
		text.WriteString(line + "\n")
	}
	done()
}

func (f facts) smartOf(disk string, r smartReport) {
	if f["disk."+disk+".size"] == "" {
		return
	}
	if r.Status != nil {
		f.set("disk."+disk+".smart.passed", strconv.FormatBool(r.Status.Passed))
	}
	count := func(name string, n uint64) {
		f.set(volatile+"disk."+disk+".smart."+name, strconv.FormatUint(n, 10))
	}
	if r.PowerOn != nil {
		count("power_on_hours", r.PowerOn.Hours)
	}
	if r.Temperature != nil {
		f.set(volatile+"disk."+disk+".smart.temperature_c", strconv.Itoa(r.Temperature.Current))
	}
	if n := r.NVMe; n != nil {
		count("percentage_used", n.PercentageUsed)
		count("media_errors", n.MediaErrors)
		count("available_spare", n.Spare)
		count("critical_warning", n.Warning)
	}
	if r.ATA != nil {
		for _, a := range r.ATA.Table {
			if name, ok := ataNames[a.ID]; ok {
				count(name, a.Raw.Value)
			}
		}
	}
	if r.Defects != nil {
		count("grown_defects", *r.Defects)
	}
}
