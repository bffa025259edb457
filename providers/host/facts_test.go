package host

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected facts anew")

func TestParseFacts(t *testing.T) {
	files, err := filepath.Glob("testdata/facts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no captured probes", err)
	}
	for _, file := range files {
		out, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(file, ".txt") + ".json"
		got, err := json.MarshalIndent(parseFacts(string(out)), "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// The figures here were worked out by hand; an empty value means that there is no such fact.
func TestFactsWorkedOutByHand(t *testing.T) {
	for file, want := range map[string]map[string]string{
		"vm": {
			"os.name": "Debian GNU/Linux 12 (bookworm)", "os.version": "12", "kernel.release": "6.1.0-28-amd64", "machine.arch": "x86_64",
			"cpu.model": "Intel(R) Xeon(R) Processor @ 2.00GHz", "cpu.count": "2", "cpu.cores": "2", "cpu.sockets": "1", "cpu.numa_nodes": "1",
			"memory.bytes": "25276063744", "memory.transparent_hugepages": "madvise", "disk.vda.size": "274877906944",
			"disk.vda.scheduler": "mq-deadline", "disk.zram0.model": "", "disk.zram0.size": "", "mount./": "/dev/vda ext4 rw,relatime,discard",
			"mount./mnt/nas share": "//nas/data cifs rw,username=u,vers=3.0", "mount./proc": "", "mount./run/user/0": "", "mount./sys/fs/cgroup": "",
			"mount./mnt/nfs": "nas:/export nfs4 rw,rsize=1048576,proto=tcp", "net.eth0.speed": "", "net.eth1.speed": "25000", "volatile.load1": "0.06",
		},
		"server": {
			"cpu.model": "Example CPU 9000", "cpu.count": "4", "cpu.cores": "2", "cpu.sockets": "2", "machine.product": "Server -[7X06CTO1WW]-",
			"disk.nvme0n1.size": "1920383410176", "disk.nvme0n1.firmware": "GDC5302Q", "disk.nvme0n1.serial": "N0001", "disk.nvme0n1.transport": "nvme",
			"disk.nvme0n1.scheduler": "none", "disk.sda.model": "EXAMPLE [SATA]", "disk.sda.serial": `T0001 "A"`, "disk.sda.wwn": "0x5000000000000001",
			"disk.md127.raid_level": "raid5", "disk.md127.size": "",
		},
		"arm": {"cpu.model": "Cortex-A76", "cpu.count": "4", "cpu.cores": "", "cpu.sockets": "", "kernel.release": "6.6.31+rpt-rpi-v8"},
	} {
		out, err := os.ReadFile("testdata/facts/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		got := parseFacts(string(out))
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s: %s is %q, want %q", file, name, got[name], value)
			}
		}
	}
}

func TestFactsOfThisMachine(t *testing.T) { everywhere(t, Grace, factsOfThisMachine) }

func factsOfThisMachine(t *testing.T, h Host) {
	got, err := h.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		t.Fatal(err)
	}
	// A file without a size, as those of /proc are, is read whole.
	if data, err := h.ReadFile(t.Context(), "/proc/sys/kernel/osrelease"); err != nil || !bytes.Equal(data, release) {
		t.Errorf("osrelease is %q, %v; want %q", data, err, release)
	}
	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"kernel.release": strings.TrimSpace(string(release)),
		"cpu.count":      strconv.Itoa(bytes.Count(cpuinfo, []byte("processor\t:"))),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	for _, name := range []string{"hostname", "machine.arch", "memory.bytes", "mount./", "volatile.load1"} {
		if got[name] == "" {
			t.Errorf("%s is absent", name)
		}
	}
	again, err := h.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []map[string]string{got, again} {
		for name := range f {
			// Other tests of this machine may mount something meanwhile.
			if strings.HasPrefix(name, volatile) || strings.HasPrefix(name, "mount.") || strings.HasPrefix(name, "disk.loop") {
				delete(f, name)
			}
		}
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("read twice, facts differ: %s", diff)
	}
}

func FuzzParseFacts(f *testing.F) {
	f.Add("@@ lsblk\nNAME=\"a\" MODEL=\"\\x")
	f.Add("@@ disks\n/sys/block/a/size\t5\n@@ lsblk\nNAME=\"a\" SERIAL=\"s\"\n@@ mounts\n/dev/a / x y\n@@ meminfo\nMemTotal: 1 kB")
	f.Fuzz(func(t *testing.T, out string) {
		for name, value := range parseFacts(out) {
			if value == "" || strings.TrimSpace(value) != value {
				t.Errorf("%q is %q: an absent fact must be absent", name, value)
			}
		}
	})
}

func TestToolVersion(t *testing.T) {
	bin, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for tool, want := range map[string]struct {
		version string
		found   bool
	}{
		"on-stdout":         {"tool-1.2.3", true},
		"on-stderr":         {"tool - v4.2 - 2021-12-30", true},
		"on-third-line":     {"version 7, really", true},
		"refuses":           {UnknownVersion, true},
		"without-digits":    {UnknownVersion, true},
		"says-its-argument": {UnknownVersion, true},
		"no-such-tool":      {"", false},
		"not-executable":    {"", false},
	} {
		version, found, err := ToolVersion(t.Context(), Local(), tool)
		if version != want.version || found != want.found || err != nil {
			t.Errorf("%s: %q, %v, %v; want %q, %v", tool, version, found, err, want.version, want.found)
		}
	}
	if version, found, err := toolVersion(t.Context(), Local(), "hangs", 100*time.Millisecond); version != UnknownVersion || !found || err != nil {
		t.Errorf("one that hangs: %q, %v, %v", version, found, err)
	}
	if _, _, err := ToolVersion(t.Context(), Local(), "no-shebang"); err == nil {
		t.Error("one that cannot be started is not an error")
	}
}
