# What assay wants to know of a machine. It is run by sh -s, reads only, and prints sections that facts.go takes
# apart: a line "@@ NAME", then the text of a file or tool as it is. What is not there prints an empty section.
# Nothing here may be a secret: no kernel command line, no environment, no network addresses.
LC_ALL=C
export LC_ALL

section() {
	name=$1
	shift
	printf '\n@@ %s\n' "$name"
	"$@" 2>/dev/null
}

# values FILE...: one line FILE<tab>CONTENT for each file that can be read.
values() {
	for file in "$@"; do
		if [ -f "$file" ] && value=$(cat "$file" 2>/dev/null); then
			printf '%s\t%s\n' "$file" "$value"
		fi
	done
}

disks() {
	for disk in /sys/block/*; do
		[ "$(cat "$disk/size" 2>/dev/null || echo 0)" != 0 ] || continue
		values "$disk/size" "$disk/serial" "$disk/dm/name" "$disk/md/level" "$disk/loop/backing_file" \
			"$disk/device/model" "$disk/device/vendor" "$disk/device/serial" "$disk/device/rev" \
			"$disk/device/firmware_rev" "$disk/device/wwid" "$disk/wwid" \
			"$disk/queue/scheduler" "$disk/queue/rotational" "$disk/queue/nr_requests" \
			"$disk/queue/read_ahead_kb" "$disk/queue/write_cache" "$disk/queue/max_sectors_kb" \
			"$disk/queue/logical_block_size" "$disk/queue/physical_block_size" "$disk/queue/nomerges"
		if [ -r "$disk/device/vpd_pg80" ]; then # of a SCSI disk, four bytes and then the serial number
			printf '%s\t%s\n' "$disk/serial" "$(tail -c +5 "$disk/device/vpd_pg80" 2>/dev/null | tr -cd '[:print:]')"
		fi
	done
}

# A disk that sleeps is not woken.
smart() {
	command -v smartctl >/dev/null || return
	for disk in /sys/block/*; do
		[ -e "$disk/device" ] || continue
		printf 'disk\t%s\n' "${disk##*/}"
		smartctl -n standby --json -H -A "/dev/${disk##*/}"
	done
}

links() {
	for link in /sys/class/net/*; do
		[ -e "$link/device" ] || continue
		values "$link/mtu" "$link/speed"
	done
}

section hostname cat /proc/sys/kernel/hostname
section kernel values /proc/sys/kernel/osrelease /proc/sys/kernel/version
section machine uname -m
section os cat /etc/os-release
section cpuinfo grep -E '^(processor|model name|physical id|core id|microcode)[[:space:]]*:' /proc/cpuinfo
section lscpu lscpu
section cpu values /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor \
	/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver /sys/devices/system/cpu/smt/active
section meminfo grep -E '^(MemTotal|SwapTotal|HugePages_Total|Hugepagesize|MemAvailable):' /proc/meminfo
section vm values /proc/sys/vm/swappiness /proc/sys/vm/dirty_ratio /proc/sys/vm/dirty_background_ratio \
	/sys/kernel/mm/transparent_hugepage/enabled
section virtualization systemd-detect-virt
section dmi values /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name /sys/class/dmi/id/bios_version
section disks disks
section lsblk lsblk -d -b -P -o NAME,MODEL,SERIAL,REV,WWN,TRAN
section smart smart
section mounts cat /proc/mounts
section links links
section loadavg cat /proc/loadavg
exit 0
