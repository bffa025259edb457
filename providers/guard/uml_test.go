package guard_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage"
	"github.com/assay-bench/assay/providers/storage/umltest"
	"golang.org/x/sys/unix"
)

// machine is a virtual one with SCSI disks that have serial numbers and WWNs, and no udev.
type machine struct {
	t testing.TB
	h host.Host
	p providers.Provider
}

func (m *machine) picture() *guard.Picture {
	m.t.Helper()
	p, err := guard.Gather(m.t.Context(), m.h)
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

func (m *machine) sh(argv ...string) {
	m.t.Helper()
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		m.t.Fatalf("%q: %v: %s", argv, err, out)
	}
}

func (m *machine) put(file, text string) {
	m.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) sum(device string) [32]byte {
	m.t.Helper()
	raw, err := os.ReadFile(device)
	if err != nil {
		m.t.Fatal(err)
	}
	return sha256.Sum256(raw)
}

// request is about a storage_disk by its serial number.
func (m *machine) request(serial string, erase bool) (providers.PlanRequest, providers.ThingRequest) {
	m.t.Helper()
	s, err := m.p.Schema(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	at := slices.IndexFunc(s.Setups, func(t schema.Type) bool { return t.Name == "storage_disk" })
	config := providertest.Config(m.t, s.Setups[at].Body, map[string]any{
		"disk": []map[string]any{{"id": serial, "group": "scsi", "serial": serial, "model": "scsi_debug", "capacity": 16 << 20}},
	})
	target := providers.Target{Kind: "setup", Type: "storage_disk", Config: config, Hosts: []string{""}}
	return providers.PlanRequest{Target: target, Erase: erase}, providers.ThingRequest{Target: target, ID: "storage_disk-uml", Erase: erase}
}

// plan gives the answer and what it refuses.
func (m *machine) plan(serial string, erase bool) (*providers.PlanResponse, string) {
	m.t.Helper()
	req, _ := m.request(serial, erase)
	resp, err := m.p.Plan(m.t.Context(), req)
	if err != nil {
		m.t.Fatal(err)
	}
	var texts []string
	for _, p := range resp.Problems {
		texts = append(texts, p.Detail)
	}
	return resp, strings.Join(texts, "\n")
}

// TestDisksWithIdentity takes, erases and gives back real SCSI disks by their serial numbers, in a virtual machine, and brings them into the ways of
// being wrong that need disks with an identity, md, or swap. What is refused is not touched.
func TestDisksWithIdentity(t *testing.T) {
	t.Parallel()
	umltest.Run(t, umltest.Machine{SCSI: 4, Timeout: 10 * time.Minute}, func(t *testing.T) {
		if err := unix.Mount("tmpfs", "/var/lib", "tmpfs", 0, ""); err != nil { // for marks; the root cannot be written
			t.Fatal(err)
		}
		h, err := host.Dial(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		m := &machine{t: t, h: h, p: storage.New(host.Dial)}
		serials := map[string]string{} // name → serial number
		wwns := map[string]bool{}
		before := m.picture()
		for _, n := range []string{"sda", "sdb", "sdc", "sdd"} {
			d := before.Devices[n]
			if d == nil || len(d.Serials) == 0 || len(d.WWNs) == 0 || !d.Blank || d.DiskSeq == "" {
				t.Fatalf("%s is %+v; want a blank disk with serial number, WWN and diskseq", n, d)
			}
			serials[n] = d.Serials[0]
			wwns[d.WWNs[0]] = true
		}
		if len(wwns) != 4 {
			t.Fatalf("WWNs %v", wwns)
		}
		// A file system is on it: the plan shows it.
		m.sh("mkfs.ext4", "-q", "-L", "precious", "/dev/sda")
		resp, no := m.plan(serials["sda"], true)
		if no != "" || len(resp.Erases) != 1 {
			t.Fatalf("with consent: %s, erases %v", no, resp.Erases)
		}
		if e := resp.Erases[0]; e.Device != "/dev/sda" || e.Serial != serials["sda"] || e.Model != "scsi_debug" || e.Size != 16<<20 || !e.Found || !strings.Contains(e.Holds, "precious") {
			t.Errorf("the plan shows %+v", e)
		}
		_, req := m.request(serials["sda"], true)
		req.Expect, req.Outputs = resp.Expect, resp.Outputs
		refused := func(what, device, want string) {
			t.Helper()
			sum := m.sum(device)
			err := m.p.Prepare(t.Context(), req, providertest.NewSink(t.TempDir()))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: Prepare: %v; want %q", what, err, want)
			}
			if m.sum(device) != sum {
				t.Errorf("%s: %s was written to", what, device)
			}
		}

		// Something else came on it since the plan, and it was mounted.
		mnt := umltest.WorkDir(t, "mnt")
		m.sh("mount", "-o", "ro,noload", "/dev/sda", mnt)
		refused("mounted", "/dev/sda", "is mounted at")
		m.sh("umount", mnt)
		m.sh("mkfs.ext4", "-q", "-F", "-L", "newer", "/dev/sda")
		refused("another file system", "/dev/sda", `ext4 "newer"`)
		m.sh("wipefs", "--all", "/dev/sda")
		m.sh("mkswap", "/dev/sda")
		m.sh("swapon", "/dev/sda")
		refused("swap", "/dev/sda", "swaps to /dev/sda")
		m.sh("swapoff", "/dev/sda")
		m.sh("wipefs", "--all", "/dev/sda")

		// It is taken, whatever else the other disks are, and given back without what was written on it.
		sink := providertest.NewSink(t.TempDir())
		if err := m.p.Prepare(t.Context(), req, sink); err != nil {
			t.Fatal(err)
		}
		link := req.Outputs.GetAttr("device").AsString()
		if to, err := os.Readlink(link); err != nil || to != "/dev/sda" {
			t.Errorf("%s leads to %q, %v", link, to, err)
		}
		other := req
		other.ID = "storage_disk-other"
		if err := m.p.Prepare(t.Context(), other, sink); err == nil || !strings.Contains(err.Error(), "bears the mark of the thing storage_disk-uml") {
			t.Errorf("another run: %v", err)
		}
		m.sh("mkfs.ext4", "-q", link)
		if err := m.p.Release(t.Context(), req, sink); err != nil {
			t.Fatal(err)
		}
		if d := m.picture().Devices["sda"]; len(d.Signatures) > 0 {
			t.Errorf("given back it carries %v", d.Signatures)
		}
		if left, _ := filepath.Glob("/dev/assay/*"); len(left) > 0 {
			t.Errorf("left: %q", left)
		}

		// md, whose marks no udev has seen: a running array, a member that was thrown out of it, and one that was stopped.
		m.sh("env", "MDADM_NO_UDEV=1", "mdadm", "--create", "/dev/md0", "--run", "--level=1", "--raid-devices=2", "--metadata=1.2", "--bitmap=none", "/dev/sdb", "/dev/sdc")
		if _, no := m.plan(serials["sdb"], true); !strings.Contains(no, "held by md0, an md array (raid1)") {
			t.Errorf("member of a running array: %s", no)
		}
		m.sh("mdadm", "/dev/md0", "--fail", "/dev/sdb")
		m.sh("mdadm", "/dev/md0", "--remove", "/dev/sdb")
		if _, no := m.plan(serials["sdb"], true); !strings.Contains(no, "linux_raid_member") || !strings.Contains(no, "of which sdc is in use") {
			t.Errorf("member that was thrown out: %s", no)
		}
		m.sh("mdadm", "--stop", "/dev/md0")
		if _, no := m.plan(serials["sdb"], false); !strings.Contains(no, "carries linux_raid_member") {
			t.Errorf("member of an array that was stopped: %s", no)
		}

		// Pulled and plugged in again it may be another disk; the name that it had then is that of another one.
		resp, no = m.plan(serials["sdd"], true)
		if no != "" {
			t.Fatal(no)
		}
		_, req = m.request(serials["sdd"], true)
		req.Expect = resp.Expect
		hostNo := scsiHost(t, "sdd")
		m.put("/sys/block/sdd/device/delete", "1")
		err = m.p.Prepare(t.Context(), req, sink)
		if err == nil || !strings.Contains(err.Error(), "no disk has the serial number "+serials["sdd"]) {
			t.Errorf("pulled: %v", err)
		}
		m.put("/sys/class/scsi_host/"+hostNo+"/scan", "- - -")
		var now string
		for _, d := range m.picture().Devices {
			if len(d.Serials) > 0 && d.Serials[0] == serials["sdd"] {
				now = d.Path()
			}
		}
		if now == "" {
			t.Fatal("the disk did not come back")
		}
		refused("attached anew", now, "it was attached anew since")
	})
}

// scsiHost is the adapter of a disk: host3.
func scsiHost(t testing.TB, name string) string {
	t.Helper()
	at, err := filepath.EvalSymlinks("/sys/block/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(at, "/") {
		if rest, ok := strings.CutPrefix(part, "host"); ok && bytes.ContainsAny([]byte(rest[:1]), "0123456789") {
			return part
		}
	}
	t.Fatalf("%s is on no SCSI host: %s", name, at)
	return ""
}
