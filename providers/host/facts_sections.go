package host

import (
	"path"
	"strconv"
	"strings"
)

// osRelease reads /etc/os-release, of which os-release(5) says that it is shell assignments.
func (f facts) osRelease(lines []string) {
	names := map[string]string{"PRETTY_NAME": "os.name", "ID": "os.id", "VERSION_ID": "os.version"}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, "=")
		if name, ok := names[key]; ok {
			f.set(name, strings.Trim(value, `"'`))
		}
	}
}

// cpuinfo counts logical CPUs, cores and sockets. Where the kernel names neither sockets nor cores (ARM), those are absent.
func (f facts) cpuinfo(lines []string) {
	count, socket := 0, ""
	sockets, cores := map[string]bool{}, map[string]bool{}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "processor":
			count++
		case "model name":
			f.set("cpu.model", strings.Join(strings.Fields(value), " "))
		case "microcode":
			f.set("cpu.microcode", value)
		case "physical id":
			socket = value
			sockets[socket] = true
		case "core id":
			cores[socket+"/"+value] = true
		}
	}
	for name, n := range map[string]int{"cpu.count": count, "cpu.sockets": len(sockets), "cpu.cores": len(cores)} {
		if n > 0 {
			f.set(name, strconv.Itoa(n))
		}
	}
}

// lscpu knows the model's name where /proc/cpuinfo does not, and the memory nodes.
func (f facts) lscpu(lines []string) {
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "Model name":
			if f["cpu.model"] != "" {
				continue
			}
			f.set("cpu.model", strings.Join(strings.Fields(value), " "))
		case "NUMA node(s)":
			f.set("cpu.numa_nodes", value)
		}
	}
}

// meminfo is in kB that are KiB.
func (f facts) meminfo(lines []string) {
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ":")
		number := strings.TrimSuffix(strings.TrimSpace(value), " kB")
		switch key {
		case "MemTotal":
			f.set("memory.bytes", times(number, 1024))
		case "SwapTotal":
			f.set("swap.bytes", times(number, 1024))
		case "Hugepagesize":
			f.set("memory.hugepage_bytes", times(number, 1024))
		case "HugePages_Total":
			f.set("memory.hugepages", number)
		case "MemAvailable":
			f.set(volatile+"memory.available_bytes", times(number, 1024))
		}
	}
}

// disks reads what the kernel says of block devices; /sys/block/NAME/size is in 512 bytes whatever the sector.
func (f facts) disks(lines []string) {
	names := map[string]string{
		"rev": "firmware", "firmware_rev": "firmware", "wwid": "wwn", "name": "mapping", "level": "raid_level",
	}
	for _, line := range lines {
		file, value, _ := strings.Cut(line, "\t")
		disk, _, ok := strings.Cut(strings.TrimPrefix(file, "/sys/block/"), "/")
		if !ok {
			continue
		}
		name := path.Base(file)
		if n, ok := names[name]; ok {
			name = n
		}
		switch name {
		case "size":
			value = times(value, 512)
		case "scheduler":
			value = chosen(value)
		}
		f.set("disk."+disk+"."+name, value)
	}
}

// lsblk adds what udev has asked the disks themselves; what the kernel said stays.
func (f facts) lsblk(lines []string) {
	names := map[string]string{"MODEL": "model", "SERIAL": "serial", "REV": "firmware", "WWN": "wwn", "TRAN": "transport"}
	for _, line := range lines {
		fields := pairs(line)
		disk := "disk." + fields["NAME"] + "."
		if f[disk+"size"] == "" {
			continue // an empty loop or RAM disk
		}
		for key, name := range names {
			if f[disk+name] == "" {
				f.set(disk+name, fields[key])
			}
		}
	}
}

// pairs reads NAME="value" NAME="value", as lsblk -P prints it: odd bytes as \xHH.
func pairs(line string) map[string]string {
	found := map[string]string{}
	for line != "" {
		key, rest, ok := strings.Cut(line, `="`)
		value, tail, closed := strings.Cut(rest, `"`)
		if !ok || !closed {
			break
		}
		if plain, err := strconv.Unquote(`"` + value + `"`); err == nil {
			value = plain
		}
		found[strings.TrimSpace(key)] = value
		line = tail
	}
	return found
}

// kept are the file systems without a device of this machine that may carry data of a test.
var kept = map[string]bool{
	"nfs": true, "nfs4": true, "cifs": true, "smb3": true, "ceph": true, "9p": true, "virtiofs": true, "zfs": true,
	"overlay": true, "tmpfs": true, "lustre": true, "gpfs": true, "beegfs": true, "glusterfs": true, "fuse.glusterfs": true,
}

// mounts keeps file systems that carry data. The tmpfs below /run come and go with logins. Of options, none that may hold a secret.
func (f facts) mounts(lines []string) {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 4 {
			continue
		}
		source, target, kind := unescape.Replace(fields[0]), unescape.Replace(fields[1]), fields[2]
		if !strings.HasPrefix(source, "/") && !kept[kind] {
			continue
		}
		if kind == "tmpfs" && (strings.HasPrefix(target+"/", "/run/") || strings.HasPrefix(target, "/sys/")) {
			continue
		}
		var options []string
		for _, o := range strings.Split(fields[3], ",") {
			if name, _, _ := strings.Cut(o, "="); !strings.Contains(name, "pass") && !strings.Contains(name, "secret") && name != "credentials" {
				options = append(options, o)
			}
		}
		f.set("mount."+target, source+" "+kind+" "+strings.Join(options, ","))
	}
}

// links reads network links that have hardware. A speed of -1 is that of a link which is down or has none.
func (f facts) links(lines []string) {
	for _, line := range lines {
		file, value, _ := strings.Cut(line, "\t")
		link, name, ok := strings.Cut(strings.TrimPrefix(file, "/sys/class/net/"), "/")
		if ok && !strings.HasPrefix(value, "-") {
			f.set("net."+link+"."+name, value)
		}
	}
}
