package storage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
)

// TestPurgeCommands: to each kind of disk in its own language, and never to a disk that has no such.
func TestPurgeCommands(t *testing.T) {
	nvme := &guard.Device{Name: "nvme0n1", Discards: true}
	shared := &guard.Device{Name: "nvme1n1", Siblings: []string{"nvme1n2"}}
	ata := &guard.Device{Name: "sda", Vendor: "ATA", Discards: true}
	sas := &guard.Device{Name: "sdb", Vendor: "SEAGATE"}
	sandbox := guard.Ref{ID: "sas-1", Sandbox: "/sand"}
	for _, c := range []struct {
		name, wanted string
		ref          guard.Ref
		d            *guard.Device
		want         []string // the plan's commands; those that are none in parentheses
		problem      string
	}{
		{name: "none", wanted: "none", d: nvme},
		{name: "discard", wanted: "discard", d: sas, problem: "sdb takes no discards"},
		{name: "discard ATA", wanted: "discard", d: ata, want: []string{"blkdiscard -- DEV"}},
		{name: "format NVMe", wanted: "format", d: nvme, want: []string{"nvme format DEV --ses=1 --force"}},
		{name: "sanitize NVMe", wanted: "sanitize", d: nvme, want: []string{"nvme sanitize DEV --sanact=start-block-erase", "(wait until it is over: nvme sanitize-log DEV --output-format=json)"}},
		{name: "format ATA", wanted: "format", d: ata, want: []string{"hdparm --user-master u --security-set-pass assay DEV", "hdparm --user-master u --security-erase assay DEV"}},
		{name: "sanitize ATA", wanted: "sanitize", d: ata, want: []string{"hdparm --yes-i-know-what-i-am-doing --sanitize-block-erase DEV", "(wait until it is over: hdparm --sanitize-status DEV)"}},
		{name: "format SAS", wanted: "format", d: sas, problem: "format is for NVMe and ATA disks, and sdb is neither"},
		{name: "sanitize SAS", wanted: "sanitize", d: sas, problem: "sdb is neither"},
		{name: "other namespaces", wanted: "format", d: shared, problem: "nvme1 also has nvme1n2, and format may erase them too"},
		{name: "sandbox", wanted: "sanitize", ref: sandbox, want: []string{"blkdiscard -- DEV"}, problem: "takes no sanitize; it is discarded instead"},
		{name: "sandbox discard", wanted: "discard", ref: sandbox, want: []string{"blkdiscard -- DEV"}},
		{name: "offline", wanted: "sanitize", want: []string{"(sanitize in the disk's own language, NVMe or ATA, which is known once it was looked at)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, problem := purgeOf(c.wanted, c.ref, c.d)
			switch {
			case c.problem == "" && problem != nil:
				t.Errorf("refused: %s", problem.Detail)
			case c.problem != "" && (problem == nil || !strings.Contains(problem.Detail, c.problem)):
				t.Errorf("got %v, want %q", problem, c.problem)
			}
			if problem != nil && !problem.Warning {
				return
			}
			var got []string
			for _, cmd := range p.commands("", "DEV") {
				if cmd.Manual != "" {
					got = append(got, "("+cmd.Manual+")")
				} else {
					got = append(got, strings.Join(cmd.Argv, " "))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The outputs are in the forms of nvme-cli 1.x and 2.x and of hdparm 9.65.
func TestSanitizeStatus(t *testing.T) {
	nvme := func(field, status string, sprog int) string {
		return fmt.Sprintf(`{"nvme0":{"sprog":%d,"sstat":{"global_erased":1,"no_cmplted_passes":0,%q:%q},"cdw10_info":2,"time_block_erase":30}}`, sprog, field, status)
	}
	for _, c := range []struct {
		out   string
		read  func(string) (bool, float64, error)
		done  bool
		share float64
		err   string
	}{
		{nvme("status", "(1) Most Recent Sanitize Command Completed Successfully.", 65535), nvmeSanitize, true, 1, ""},
		{nvme("status", "(4) Most Recent Sanitize Command Completed Successfully with No-Deallocate.", 65535), nvmeSanitize, true, 1, ""},
		{nvme("status", "(2) Sanitize in Progress.", 32768), nvmeSanitize, false, 0.5, ""},
		{nvme("Sanitize in Progress.", "(2) Sanitize in Progress.", 16384), nvmeSanitize, false, 0.25, ""},
		{nvme("status", "(3) Most Recent Sanitize Command Failed.", 0), nvmeSanitize, false, 0, "it says (3)"},
		{nvme("status", "(0) NVM Subsystem has never been sanitized.", 0), nvmeSanitize, false, 0, "it says (0)"},
		{"{}", nvmeSanitize, false, 0, "no status"},
		{"", nvmeSanitize, false, 0, "something else than its JSON"},
		{"/dev/sda:\nIssuing SANITIZE_STATUS command\nSanitize status:\n    State:    SD2 Sanitize operation In Process\n    Progress: 0x4000 (25%)\n", ataSanitize, false, 0.25, ""},
		{"Sanitize status:\n    State:    SD0 Sanitize Idle\n    Last Sanitize Operation Completed Without Error\n", ataSanitize, true, 1, ""},
		{"Sanitize status:\n    State:    SD0 Sanitize Idle\n", ataSanitize, false, 0, "SD0 Sanitize Idle"},
		{"Sanitize status:\n    State:    SD3 Sanitize operation Failed\n", ataSanitize, false, 0, "Failed"},
		{"Sanitize status:\n    State:    SD1 Sanitize Frozen\n", ataSanitize, false, 0, "Frozen"},
		{"", ataSanitize, false, 0, "not sanitized"},
	} {
		done, share, err := c.read(c.out)
		if done != c.done || share != c.share || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, %v, %v", c.out, done, share, err)
		}
	}
}

// TestSanitizeIsAwaited with a double of nvme that needs three looks, and with one that fails.
func TestSanitizeIsAwaited(t *testing.T) {
	for _, c := range []struct{ last, want string }{{"(1) Most Recent Sanitize Command Completed Successfully.", ""}, {"(3) Most Recent Sanitize Command Failed.", "it says (3)"}} {
		dir := t.TempDir()
		script := `#!/bin/sh
echo "$*" >>` + dir + `/log
status='(2) Sanitize in Progress.'
[ "$(wc -l <` + dir + `/log)" -lt 3 ] || status='` + c.last + `'
echo '{"nvme0":{"sprog":100,"sstat":{"status":"'"$status"'"}}}'
`
		if err := os.WriteFile(filepath.Join(dir, "nvme"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
		h, err := host.Dial(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		w := worker{Host: h, sink: providertest.NewSink(t.TempDir())}
		p := purge{what: purgeSanitize, kind: "nvme"}
		err = w.sanitized(t.Context(), p.watch("/dev/nvme0n1"), p.kind, time.Millisecond)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.last, err)
		}
		log, err := os.ReadFile(filepath.Join(dir, "log"))
		if want := strings.Repeat("sanitize-log /dev/nvme0n1 --output-format=json\n", 3); err != nil || string(log) != want {
			t.Errorf("it was asked\n%s, %v", log, err)
		}
	}
}
