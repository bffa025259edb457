package host

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The JSON is in the form that smartctl(8) documents, cut to what is read and a few lines beside.
const smartSection = `@@ disks
/sys/block/sda/size	100
/sys/block/nvme0n1/size	100
/sys/block/sdb/size	100
/sys/block/vda/size	100

@@ smart
disk	nvme0n1
{
  "json_format_version": [1, 0],
  "smartctl": {"version": [7, 3], "exit_status": 0},
  "smart_status": {"passed": true, "nvme": {"value": 0}},
  "nvme_smart_health_information_log": {"critical_warning": 0, "temperature": 35, "available_spare": 100, "percentage_used": 3, "media_errors": 0},
  "temperature": {"current": 35},
  "power_on_time": {"hours": 8123}
}
disk	sda
{
  "smart_status": {"passed": false},
  "ata_smart_attributes": {"revision": 1, "table": [
    {"id": 5, "name": "Reallocated_Sector_Ct", "value": 99, "raw": {"value": 16, "string": "16"}},
    {"id": 9, "name": "Power_On_Hours", "value": 99, "raw": {"value": 281474976710, "string": "1h"}},
    {"id": 197, "name": "Current_Pending_Sector", "value": 100, "raw": {"value": 2, "string": "2"}}
  ]}
}
disk	sdb
{ "smart_status": {"passed": tr
disk	vda
{
  "smartctl": {"messages": [{"string": "/dev/vda: Unable to detect device type", "severity": "error"}], "exit_status": 1}
}
disk	gone
{ "smart_status": {"passed": true} }
`

func TestSMART(t *testing.T) {
	want := map[string]string{
		"disk.nvme0n1.smart.passed": "true", "volatile.disk.nvme0n1.smart.power_on_hours": "8123", "volatile.disk.nvme0n1.smart.temperature_c": "35",
		"volatile.disk.nvme0n1.smart.percentage_used": "3", "volatile.disk.nvme0n1.smart.media_errors": "0",
		"volatile.disk.nvme0n1.smart.available_spare": "100", "volatile.disk.nvme0n1.smart.critical_warning": "0",
		"disk.sda.smart.passed": "false", "volatile.disk.sda.smart.reallocated_sectors": "16", "volatile.disk.sda.smart.pending_sectors": "2",
	}
	got := parseFacts(smartSection)
	for name := range got {
		if !strings.Contains(name, ".smart.") {
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
