package guard

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// server is a machine as the probe saw it: sda carries the system, the other disks are free.
func server(t testing.TB, with ...string) *Picture {
	t.Helper()
	raw, err := os.ReadFile("testdata/server.txt")
	if err != nil {
		t.Fatal(err)
	}
	return parse(amend(t, string(raw), with))
}

// amend puts lines at the end of sections: "SECTION|LINE". "-LINE" takes a line out, wherever it stands.
func amend(t testing.TB, probe string, with []string) string {
	t.Helper()
	for _, w := range with {
		if line, ok := strings.CutPrefix(w, "-"); ok {
			if !strings.Contains(probe, "\n"+line+"\n") {
				t.Fatalf("the picture has no line %q", line)
			}
			probe = strings.Replace(probe, "\n"+line+"\n", "\n", 1)
			continue
		}
		section, line, ok := strings.Cut(w, "|")
		head := "@@ " + section + "\n"
		at := strings.Index(probe, head)
		if !ok || at < 0 {
			t.Fatalf("%q names no section of the picture", w)
		}
		end := at + len(head) + strings.Index(probe[at+len(head):], "@@ ")
		probe = probe[:end] + line + "\n" + probe[end:]
	}
	return probe
}

// row is one way to erase the wrong thing, in a picture.
type row struct {
	name   string
	with   []string // how the machine differs from the server
	ref    Ref
	q      Question // Ref and Planned are filled in
	then   []string // lines of the server at the time of the plan, where there was one
	clause string   // that refuses; empty: the disk is not even claimed
	want   string
}

var good = Ref{ID: "S0002", Group: "sas", Serial: "S0002", Model: "um511a", Capacity: 1920e9}

// planned is a question at the time of apply: there was a plan, and the spec consents.
var consented = Question{Thing: "storage_disk-1", Owner: "storage_disk-1", Erase: true}

func rows() []row {
	sdb1 := []string{"blocks|sdb1\tdev\t8:17", "blocks|sdb1\tsize\t1000000", "blocks|sdb1\tpartition\t1", "tree|x -> ../../devices/x/block/sdb/sdb1", "nodes|block special file\t8:11\t/dev/sdb1"}
	part := func(more ...string) []string { return append(slices.Clone(sdb1), more...) }
	held := func(name, number string, more ...string) []string {
		return append([]string{"blocks|sdb\tholder\t" + name, "blocks|" + name + "\tdev\t" + number, "blocks|" + name + "\tsize\t100", "blocks|" + name + "\tslave\tsdb"}, more...)
	}
	return []row{
		// Which disk is meant.
		{name: "no identity", ref: Ref{ID: "sas-1", Group: "sas"}, want: "nothing says which device"},
		{name: "slot only", ref: Ref{ID: "252:0", Group: "sas", Slot: "252:0"}, want: "known to its controller only"},
		{name: "serial of no disk", ref: Ref{ID: "S9", Serial: "S9", Group: "sas"}, want: "no disk has the serial number S9; there are"},
		{name: "part of a serial", ref: Ref{ID: "S000", Serial: "S000", Group: "sas"}, want: "no disk has the serial number S000"},
		{name: "same serial twice", with: []string{"udev|NAME=\"sdc\" SERIAL=\"S0002\" WWN=\"\" MODEL=\"\""}, ref: good, want: "sdb and sdc have the serial number S0002"},
		{name: "two paths to one disk", with: []string{"udev|NAME=\"sdc\" SERIAL=\"S0002\" WWN=\"0x5000000000000002\" MODEL=\"\""}, ref: Ref{ID: "w", WWN: "0x5000000000000002"}, want: "several paths to one disk"},
		{name: "serial of one, WWN of another", ref: Ref{ID: "S0002", Serial: "S0002", WWN: "5000000000000003", Group: "sas"}, want: "the spec says S0002 and 5000000000000003 of one disk"},
		{name: "another capacity", ref: Ref{ID: "S0002", Serial: "S0002", Capacity: 960e9, Group: "sata"}, want: `sdb (S0002) has 1.92 TB, and disks "sata" are of 960 GB`},
		{name: "another model", ref: Ref{ID: "S0002", Serial: "S0002", Model: "PM883", Group: "sata"}, want: `is of the model "UM511a"`},
		{name: "serial of the root disk", ref: Ref{ID: "SYS", Serial: "SYS000000000001"}, clause: "mounted", want: "sda carries /, of which this machine lives (through dm-0)"},
		{name: "root disk by its WWN", ref: Ref{ID: "SYS", WWN: "5000000000000001"}, clause: "mounted", want: "of which this machine lives"},

		// What is in use.
		{name: "boot disk", with: []string{"mounts|90 1 8:16 / /boot rw - ext4 /dev/sdb rw"}, ref: good, q: consented, clause: "mounted", want: "sdb carries /boot"},
		{name: "mounted", with: []string{"mounts|90 1 8:16 / /data rw - ext4 /dev/sdb rw"}, ref: good, q: consented, clause: "mounted", want: "sdb is mounted at /data"},
		{name: "mounted through another name", with: []string{"mounts|90 1 8:16 / /data rw - ext4 /tmp/some-node rw"}, ref: good, q: consented, clause: "mounted", want: "sdb is mounted at /data"},
		{name: "partition mounted", with: part("mounts|90 1 8:17 / /data rw - ext4 /dev/sdb1 rw"), ref: good, q: consented, clause: "mounted", want: "mounted at /data (ext4, through sdb1)"},
		{name: "mounted in another namespace", with: []string{"mounts|namespace\t'mnt:[7]'", "mounts|90 1 8:16 / /container rw - xfs /dev/sdb rw"}, ref: good, q: consented, clause: "mounted", want: "mounted at /container"},
		{name: "a directory of it mounted", with: []string{"mounts|90 1 8:16 /deep/inside /mnt/x rw - xfs /dev/sdb rw"}, ref: good, q: consented, clause: "mounted", want: "mounted at /mnt/x"},
		{name: "external log of a file system", with: []string{"mounts|90 1 8:32 / /data rw - xfs /dev/sdc rw,logdev=/dev/sdb"}, ref: good, q: consented, clause: "mounted", want: "mounted at /data (xfs, through sdb)"},
		{name: "one of several devices of bcachefs", with: []string{"mounts|90 1 0:77 / /data rw - bcachefs /dev/sdc:/dev/sdb rw"}, ref: good, q: consented, clause: "mounted", want: "bcachefs, through sdb"},
		{name: "second device of a mounted btrfs", with: []string{"mounts|90 1 0:55 / /data rw - btrfs /dev/sdc rw", "btrfs|-\tmember\tsdb", "btrfs|-\tmember\tsdc"}, ref: good, q: consented, clause: "filesystem", want: "a member of a btrfs that is mounted"},
		{name: "a namespace that cannot be seen", with: []string{"mounts|namespace\t'mnt:[8]'", "mounts|closed"}, ref: good, q: consented, clause: "namespace", want: "'mnt:[8]' could not be looked into"},
		{name: "swap", with: []string{"swaps|/dev/sdb"}, ref: good, q: consented, clause: "swap", want: "it swaps to /dev/sdb"},
		{name: "partition is swap", with: part("swaps|/dev/sdb1"), ref: good, q: consented, clause: "swap", want: "it swaps to /dev/sdb1"},
		{name: "swap through another name", with: []string{"swaps|/tmp/node", "nodes|block special file\t8:10\t/tmp/node"}, ref: good, q: consented, clause: "swap", want: "it swaps to /tmp/node"},
		{name: "member of a running array", with: held("md0", "9:0", "blocks|md0\tmd_level\traid5"), ref: good, q: consented, clause: "held", want: "held by md0, an md array (raid5)"},
		{name: "member of an array that was started by itself", with: held("md127", "9:127", "blocks|md127\tmd_level\traid5", "signatures|sdb,0x1000,linux_raid_member,aa-bb,old:0"), ref: good, q: consented, clause: "held", want: "held by md127"},
		{name: "physical volume", with: held("dm-2", "253:2", "blocks|dm-2\tdm_name\tvg1-data", "blocks|dm-2\tdm_uuid\tLVM-x"), ref: good, q: consented, clause: "held", want: "the logical volume vg1-data"},
		{name: "multipath", with: held("dm-3", "253:3", "blocks|dm-3\tdm_name\tmpatha", "blocks|dm-3\tdm_uuid\tmpath-35"), ref: good, q: consented, clause: "held", want: "a multipath disk of which it is one path"},
		{name: "opened encrypted disk", with: held("dm-4", "253:4", "blocks|dm-4\tdm_name\tsafe", "blocks|dm-4\tdm_uuid\tCRYPT-LUKS2-1"), ref: good, q: consented, clause: "held", want: "the encrypted disk safe"},
		{name: "partition held", with: part("blocks|sdb1\tholder\tbcache0"), ref: good, q: consented, clause: "held", want: "sdb1 is held by bcache0"},
		{name: "held, and only the slave says so", with: []string{"blocks|dm-5\tdev\t253:5", "blocks|dm-5\tsize\t9", "blocks|dm-5\tdm_name\todd", "blocks|dm-5\tslave\tsdb"}, ref: good, q: consented, clause: "held", want: "the mapping odd"},
		{name: "loop over the disk", with: []string{"blocks|loop1\tdev\t7:1", "blocks|loop1\tsize\t9", "blocks|loop1\tbacking\t/dev/sdb"}, ref: good, q: consented, clause: "loop", want: "the loop device loop1 lies over sdb"},
		{name: "loop over a partition", with: part("blocks|loop1\tdev\t7:1", "blocks|loop1\tsize\t9", "blocks|loop1\tbacking\t/dev/sdb1"), ref: good, q: consented, clause: "loop", want: "loop1 lies over sdb1"},
		{name: "opened by a database", with: []string{"open|block special file\t8:10\t/proc/77/fd/5\toracle"}, ref: good, q: consented, clause: "open", want: "process 77 (oracle) has sdb open"},
		{name: "partition opened by a machine", with: part("open|block special file\t8:11\t/proc/78/fd/5\tqemu"), ref: good, q: consented, clause: "open", want: "process 78 (qemu) has sdb1 open"},
		{name: "target of iSCSI", with: []string{"exports|x\texported\t/dev/sdb"}, ref: good, q: consented, clause: "exported", want: "given to other machines"},
		{name: "target of NVMe over fabrics, by its id", with: []string{"exports|x\texported\t/dev/disk/by-id/wwn-0x5000000000000002"}, ref: good, q: consented, clause: "exported", want: "given to other machines"},
		{name: "ZFS", with: []string{"modules|-\tmodule\tzfs", "signatures|sdb,0x3f000,zfs_member,1234,tank"}, ref: good, q: consented, clause: "module", want: "the kernel has zfs"},
		{name: "DRBD", with: []string{"modules|-\tmodule\tdrbd", "signatures|sdb,0xfff,drbd,1234,"}, ref: good, q: consented, clause: "module", want: "the kernel has drbd"},
		{name: "empty member of a volume group in use", with: []string{"signatures|sdb,0x218,LVM2_member,pv-2,", "volumes|member\t/dev/sdb", "volumes|vg0 {", `volumes|id = "VGVGVG-0000-0000"`}, ref: good, q: consented, clause: "set", want: "sdb belongs to the volume group vg0, of which sda2 is in use"},
		{name: "failed member of a running array", with: []string{
			"signatures|sdb,0x1000,linux_raid_member,dead-beef,h:0", "signatures|sdc,0x1000,linux_raid_member,dead-beef,h:0",
			"blocks|sdc\tholder\tmd0", "blocks|md0\tdev\t9:0", "blocks|md0\tsize\t9", "blocks|md0\tmd_level\traid1",
		}, ref: good, q: consented, clause: "set", want: "linux_raid_member dead-beef, of which sdc is in use"},
		{name: "in fstab by UUID, not mounted", with: []string{"signatures|sdb,0x438,ext4,0f0f0f0f-1,", "fstab|UUID=0F0F0F0F-1 /backup ext4 noauto 0 0"}, ref: good, q: consented, clause: "fstab", want: "this machine mounts it when it starts"},
		{name: "in fstab by label", with: []string{"signatures|sdb,0x438,ext4,0f0f0f0f-1,backup", `fstab|LABEL="backup" /backup ext4 noauto 0 0`}, ref: good, q: consented, clause: "fstab", want: "this machine mounts it"},
		{name: "in fstab by path", with: part("fstab|/dev/sdb1 /backup ext4 noauto 0 0"), ref: good, q: consented, clause: "fstab", want: "this machine mounts sdb1"},
		{name: "in fstab by id", with: []string{"fstab|/dev/disk/by-id/scsi-SUNION_UM511a_S0002 /backup xfs noauto 0 0"}, ref: good, q: consented, clause: "fstab", want: "this machine mounts sdb"},
		{name: "in crypttab", with: []string{"signatures|sdb,0x0,crypto_LUKS,11-22,", "fstab|safe UUID=11-22 none luks,noauto"}, ref: good, q: consented, clause: "fstab", want: "this machine mounts it"},

		// What is on it.
		{name: "a file system, without consent", with: []string{"signatures|sdb,0x438,ext4,0f0f0f0f-1,data"}, ref: good, clause: "signed", want: `carries ext4 "data" (0f0f0f0f-1). Where that may be lost, write erase = true`},
		{name: "a file system on a partition", with: part("signatures|sdb,0x200,gpt,,", "signatures|sdb1,0x0,xfs,aa,"), ref: good, clause: "signed", want: "gpt, xfs (aa) on sdb1"},
		{name: "LVM's mark, which udev has not seen", with: []string{"signatures|sdb,0x218,LVM2_member,pv-9,"}, ref: good, clause: "signed", want: "carries LVM2_member"},
		{name: "md's mark, which udev has not seen", with: []string{"signatures|sdb,0x1000,linux_raid_member,u,h:0"}, ref: good, clause: "signed", want: "carries linux_raid_member"},
		{name: "md's mark at the end of the disk", with: []string{"signatures|sdb,0x1bf1ff0000,linux_raid_member,u,"}, ref: good, clause: "signed", want: "carries linux_raid_member"},
		{name: "Ceph's mark", with: []string{"signatures|sdb,0x0,ceph_bluestore,,"}, ref: good, clause: "signed", want: "carries ceph_bluestore"},
		{name: "data without a signature", with: []string{"-/dev/sdb"}, ref: good, clause: "signed", want: "carries data without a known signature"},
		{name: "unreadable", with: []string{"signatures|unread\t/dev/sdb"}, ref: good, q: consented, clause: "unread", want: "cannot be read"},
		{name: "partition unreadable", with: part("signatures|unread\t/dev/sdb1"), ref: good, q: consented, clause: "unread", want: "what is on sdb1 cannot be read"},

		// What the device is.
		{name: "device file is a regular file", with: []string{"-block special file\t8:10\t/dev/sdb", "nodes|regular file\t0:0\t/dev/sdb"}, ref: good, q: consented, clause: "node", want: "/dev/sdb is not the block device 8:16"},
		{name: "device file leads to another disk", with: []string{"-block special file\t8:10\t/dev/sdb", "nodes|block special file\t8:0\t/dev/sdb"}, ref: good, q: consented, clause: "node", want: "it is 8:0"},
		{name: "no device file", with: []string{"-block special file\t8:10\t/dev/sdb"}, ref: good, q: consented, clause: "node", want: "it is not there"},
		{name: "read-only", with: []string{"-sdb\tro\t0", "blocks|sdb\tro\t1"}, ref: good, q: consented, clause: "medium", want: "read-only"},
		{name: "offline", with: []string{"-sdb\tstate\trunning", "blocks|sdb\tstate\toffline"}, ref: good, q: consented, clause: "medium", want: `in the state "offline"`},
		{name: "no medium", with: []string{"-sdb\tsize\t3750000000", "blocks|sdb\tsize\t0"}, ref: Ref{ID: "S0002", Serial: "S0002"}, q: consented, clause: "medium", want: "size of 0"},

		// What was planned.
		{name: "swapped since the plan", then: []string{}, with: []string{"-sdb\tpg80more\tS0002     ", "blocks|sdb\tpg80more\tX0002", "-sdc\tpg80more\tS0003     ", "blocks|sdc\tpg80more\tS0002"}, ref: Ref{ID: "S0002", Serial: "S0002"}, q: consented, clause: "changed", want: `its WWN was "5000000000000002" and is "5000000000000003"`},
		{name: "attached anew since", then: []string{}, with: []string{"-sdb\tdiskseq\t2", "blocks|sdb\tdiskseq\t77"}, ref: good, q: consented, clause: "changed", want: "diskseq 2, then 77"},
		{name: "another size since", then: []string{}, with: []string{"-sdb\tsize\t3750000000", "blocks|sdb\tsize\t3750000008"}, ref: good, q: consented, clause: "changed", want: "its size was"},
		{name: "another model since", then: []string{}, with: []string{"-sdb\tmodel\tUM511a", "blocks|sdb\tmodel\tUM511aX"}, ref: good, q: consented, clause: "changed", want: "its model was"},
		{name: "a file system since", then: []string{}, with: []string{"signatures|sdb,0x438,ext4,new-1,"}, ref: good, q: consented, clause: "since", want: "carries ext4 (new-1), which was not on it"},
		{name: "another file system since", then: []string{"signatures|sdb,0x438,ext4,old-1,"}, with: []string{"signatures|sdb,0x438,ext4,new-1,"}, ref: good, q: consented, clause: "since", want: "carries ext4 (new-1), which was not on it"},
		{name: "a partition since", then: []string{}, with: part("signatures|sdb1,0x0,xfs,aa,"), ref: good, q: consented, clause: "since", want: "xfs (aa) on sdb1, which was not"},
		{name: "taken by another run", ref: good, q: Question{Thing: "storage_disk-1", Owner: "storage_raid-2", Erase: true}, clause: "owner", want: "bears the mark of the thing storage_raid-2"},

		// Sandbox disks.
		{name: "loop over another file", ref: Ref{ID: "sas-1", Sandbox: "/sand"}, q: Question{File: "/sand/x.img", Erase: true}, clause: "whole", want: "not the loop over /sand/x.img"},
		{name: "two loops over one file", with: []string{"blocks|loop1\tdev\t7:1", "blocks|loop1\tsize\t9", "blocks|loop1\tbacking\t/sand/hard-link.img", "loops|/dev/loop1 131 254:0 /sand/hard-link.img", "nodes|block special file\t7:1\t/dev/loop1"}, ref: Ref{ID: "sas-1", Sandbox: "/var/lib/images"}, q: Question{File: "/var/lib/images/a.img", Erase: true}, clause: "loop", want: "loops over one file"},
		{name: "loop that is mounted", with: []string{"mounts|90 1 7:0 / /mnt rw - ext4 /dev/loop0 rw"}, ref: Ref{ID: "sas-1", Sandbox: "/var/lib/images"}, q: Question{File: "/var/lib/images/a.img", Erase: true}, clause: "mounted", want: "mounted at /mnt"},
		{name: "a partition", ref: Ref{ID: "sda1"}, clause: "whole", want: "sda1 is a partition of sda"},
		{name: "a logical volume", ref: Ref{ID: "dm-0"}, clause: "whole", want: "dm-0 is no disk but made of something else"},
		{name: "a loop device", ref: Ref{ID: "loop0"}, clause: "whole", want: "loop0 is no disk"},
	}
}

// decide claims a row's disk and asks about it; a device that is named directly stands for a claim that went wrong.
func (r row) decide(t testing.TB, clauses []clause) (*Device, *Refusal) {
	t.Helper()
	p := server(t, r.with...)
	d := p.Devices[r.ref.ID]
	if r.q.File != "" {
		d = p.Devices["loop0"]
	}
	if d == nil {
		claimed, err := p.Claim(r.ref)
		if err != nil {
			no, ok := err.(*Refusal)
			if absent, is := err.(*notFound); is {
				no, ok = absent.Refusal, true
			}
			if !ok {
				t.Fatalf("Claim: %v", err)
			}
			return nil, no
		}
		d = claimed
	}
	q := r.q
	q.Ref = r.ref
	if r.then != nil {
		before := server(t, r.then...)
		was, err := before.Claim(r.ref)
		if err != nil {
			t.Fatal(err)
		}
		id := before.identity(was, r.ref)
		q.Planned = &id
	}
	return d, p.refuse(clauses, d, q)
}

// TestWrongDisks: every way to erase the wrong thing is refused, by the clause that is there for it and with its reason.
func TestWrongDisks(t *testing.T) {
	if n := len(rows()); n < 40 {
		t.Errorf("only %d ways to erase the wrong thing are tried", n)
	}
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			d, no := r.decide(t, clauses())
			if no == nil {
				t.Fatalf("%s may be erased", d.Name)
			}
			if !strings.Contains(no.Detail, r.want) {
				t.Errorf("refused, but not for that reason:\n  %s\nwant\n  %s", no.Detail, r.want)
			}
			if r.clause == "" && d != nil {
				t.Errorf("%s was claimed", d.Name)
			}
		})
	}
}

// TestEveryClauseIsNeeded takes out clause after clause: then just its rows are let through, or are refused for another reason.
func TestEveryClauseIsNeeded(t *testing.T) {
	for i, c := range clauses() {
		without := slices.Delete(slices.Clone(clauses()), i, i+1)
		tried, let := 0, 0
		for _, r := range rows() {
			d, no := r.decide(t, without)
			missed := no == nil || !strings.Contains(no.Detail, r.want)
			if r.clause == c.name {
				tried++
				if !missed {
					t.Errorf("without the clause %q, %q is refused all the same: %s", c.name, r.name, no)
				}
				if no == nil && d != nil {
					let++
				}
			} else if missed {
				t.Errorf("without the clause %q, %q is not refused as it should be: it is that clause's", c.name, r.name)
			}
		}
		if tried == 0 || let == 0 {
			t.Errorf("clause %q: %d rows, of which %d are let through without it; it must be all that holds at least one back", c.name, tried, let)
		}
	}
}

// TestRightDisks: the guard lets through what it is for.
func TestRightDisks(t *testing.T) {
	for _, r := range []row{
		{name: "blank", ref: good},
		{name: "by WWN", ref: Ref{ID: "w", WWN: "0x5000000000000003"}},
		{name: "serial and WWN", ref: Ref{ID: "S0002", Serial: " s0002 ", WWN: "naa.5000000000000002"}},
		{name: "NVMe", ref: Ref{ID: "NV0000", Serial: "NV0000", Model: "pm9a3"}},
		{name: "with consent", with: []string{"signatures|sdb,0x438,ext4,old-1,"}, ref: good, q: Question{Erase: true}},
		{name: "as planned", then: []string{"signatures|sdb,0x438,ext4,old-1,"}, with: []string{"signatures|sdb,0x438,ext4,old-1,"}, ref: good, q: consented},
		{name: "less on it than planned", then: []string{"signatures|sdb,0x438,ext4,old-1,"}, ref: good, q: consented},
		{name: "after a restart, under another name", then: []string{}, with: []string{
			"-" + "-\tboot\t11111111-2222-3333-4444-555555555555", "boot|-\tboot\tother",
			"-sdb\tpg80more\tS0002     ", "blocks|sdb\tpg80more\tS0003", "-sdc\tpg80more\tS0003     ", "blocks|sdc\tpg80more\tS0002",
			"-sdb\twwn\tnaa.5000000000000002", "blocks|sdb\twwn\tnaa.5000000000000003", "-sdc\twwn\tnaa.5000000000000003", "blocks|sdc\twwn\tnaa.5000000000000002",
		}, ref: good, q: consented},
		{name: "what is its own", with: []string{"signatures|sdb,0x438,ext4,made-1,"}, then: []string{}, ref: good, q: Question{Thing: "x", Owner: "x", Whole: true}},
		{name: "sandbox", ref: Ref{ID: "sas-1", Sandbox: "/var/lib/images"}, q: Question{File: "/var/lib/images/a.img"}},
		{name: "ZFS's mark where there is no ZFS", with: []string{"signatures|sdb,0x3f000,zfs_member,1234,tank"}, ref: good, q: consented},
	} {
		t.Run(r.name, func(t *testing.T) {
			d, no := r.decide(t, clauses())
			if no != nil {
				t.Fatalf("refused: %s", no.Detail)
			}
			if r.name == "after a restart, under another name" && d.Name != "sdc" {
				t.Errorf("the disk S0002 is sdc now, and %s was taken", d.Name)
			}
		})
	}
}
