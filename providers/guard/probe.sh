# What assay wants to know of a machine's disks before it erases one. It is run by sh -s as root, reads only, and prints
# sections that parse.go takes apart: a line "@@ NAME", then lines. Files of the kernel are read by the shell itself, since
# a process for each would take minutes on a slow machine.
LC_ALL=C
export LC_ALL

# put NAME KEY FILE...: a line NAME<tab>KEY<tab>CONTENT of the first file that can be read; its first line only.
put() {
	name=$1 key=$2
	shift 2
	for file in "$@"; do
		if [ -r "$file" ]; then
			value=
			IFS= read -r value <"$file" || [ -n "$value" ] || continue
			printf '%s\t%s\t%s\n' "$name" "$key" "$value"
			return
		fi
	done
} 2>/dev/null

# names NAME KEY PATH...: a line for each path that is there, with its last part.
names() {
	name=$1 key=$2
	shift 2
	for path in "$@"; do
		[ -e "$path" ] || continue
		printf '%s\t%s\t%s\n' "$name" "$key" "${path##*/}"
	done
}

echo '@@ user'
id -u
echo '@@ boot'
put - boot /proc/sys/kernel/random/boot_id

echo '@@ blocks'
devices= swaps= devices_under=
for block in /sys/class/block/*; do
	[ -e "$block/dev" ] || continue
	name=${block##*/}
	put "$name" dev "$block/dev"
	put "$name" size "$block/size"
	put "$name" ro "$block/ro"
	put "$name" hidden "$block/hidden"
	put "$name" partition "$block/partition"
	put "$name" diskseq "$block/diskseq"
	put "$name" model "$block/device/model"
	put "$name" serial "$block/serial" "$block/device/serial"
	put "$name" vendor "$block/device/vendor"
	put "$name" discard "$block/queue/discard_max_bytes"
	put "$name" wwn "$block/wwid" "$block/device/wwid"
	put "$name" state "$block/device/state"
	put "$name" dm_name "$block/dm/name"
	put "$name" dm_uuid "$block/dm/uuid"
	put "$name" md_level "$block/md/level"
	put "$name" backing "$block/loop/backing_file"
	if [ -r "$block/device/vpd_pg80" ]; then # four bytes, the last of them the length, which may be a newline; then the serial number
		page= more=
		{ IFS= read -r page; IFS= read -r more; } <"$block/device/vpd_pg80" 2>/dev/null
		printf '%s\tpg80\t%s\n%s\tpg80more\t%s\n' "$name" "$page" "$name" "$more"
	fi
	names "$name" holder "$block"/holders/*
	names "$name" slave "$block"/slaves/*
	size=
	IFS= read -r size <"$block/size" 2>/dev/null
	if [ "${size:-0}" != 0 ]; then
		node=$name
		case $name in *!*) node=$(printf %s "$name" | tr '!' /) ;; esac
		devices="$devices /dev/$node"
	fi
done

echo '@@ tree' # where each is in the tree of devices: a partition is below its disk
ls -l /sys/class/block

echo '@@ udev' # identities that udev has asked the disks for, where the kernel has none
lsblk -d -n -P -o NAME,SERIAL,WWN,MODEL 2>/dev/null

echo '@@ swaps'
while read -r file rest; do
	printf '%s\n' "$file"
	case $file in /*) swaps="$swaps $file" ;; esac
done </proc/swaps

echo '@@ loops'
loops=$(losetup --list --noheadings --raw --output NAME,BACK-INO,BACK-MAJ:MIN,BACK-FILE 2>/dev/null)
printf '%s\n' "$loops"
for word in $loops; do
	case $word in /dev/loop*) ;; /dev/*) devices_under="$devices_under $word" ;; esac
done

echo '@@ nodes' # what the device files really are, and those that swap and loops are on, and assay's links
stat -L -c '%F	%t:%T	%n' $devices $swaps $devices_under /dev/assay/* 2>/dev/null

echo '@@ mounts' # of every mount namespace, each once
printf '%s\0' /proc/[0-9]*/ns/mnt | xargs -0 stat -c '%N' 2>/dev/null | {
	seen=
	while read -r link arrow space; do
		case "$seen " in *" $space "*) continue ;; esac
		[ -n "$space" ] || continue # a process that has just ended
		pid=${link#*/proc/}
		mounts=$(cat "/proc/${pid%%/*}/mountinfo" 2>/dev/null) && [ -n "$mounts" ] || continue
		seen="$seen $space"
		printf 'namespace\t%s\n%s\n' "$space" "$mounts"
	done
	# Those without a process are kept by a mount of their file.
	grep -h ' mnt:\[' /proc/[0-9]*/mountinfo 2>/dev/null | while read -r id parent number space file rest; do
		case "$seen " in *" '$space' "*) continue ;; esac
		seen="$seen '$space'"
		mounts=$(nsenter --mount="$file" cat /proc/self/mountinfo 2>/dev/null)
		printf 'namespace\t%s\n%s\n' "$space" "${mounts:-closed}"
	done
}

echo '@@ btrfs' # members of mounted file systems
names - member /sys/fs/btrfs/*/devices/*

echo '@@ exports' # to other machines
for file in /sys/kernel/config/target/core/*/*/udev_path /sys/kernel/config/nvmet/subsystems/*/namespaces/*/device_path; do
	put "$file" exported "$file"
done

echo '@@ modules' # that hold disks and do not show it
names - module /sys/module/zfs /sys/module/drbd

echo '@@ open' # by processes
printf '%s\0' /proc/[0-9]*/fd/* | xargs -0 stat -L -c '%F	%t:%T	%n' 2>/dev/null | grep '^block special' | while read -r line; do
	pid=${line##*/proc/}
	pid=${pid%%/*}
	command=
	IFS= read -r command <"/proc/$pid/comm" 2>/dev/null
	printf '%s\t%s\n' "$line" "$command"
done

echo '@@ fstab'
cat /etc/fstab /etc/crypttab 2>/dev/null

# Signatures are read from the disks: what udev has noted may be old, or not there. One disk that does not answer must not
# hide the others.
echo '@@ signatures'
columns='DEVICE,OFFSET,TYPE,UUID,LABEL'
if ! found=$(wipefs --noheadings --parsable --output "$columns" $devices 2>/dev/null); then
	found=
	for device in $devices; do
		if one=$(wipefs --noheadings --parsable --output "$columns" "$device" 2>/dev/null); then
			found="$found
$one"
		else
			printf 'unread\t%s\n' "$device"
		fi
	done
fi
printf '%s\n' "$found"
command -v wipefs >/dev/null || echo unable

echo '@@ volumes' # the volume groups of LVM's members, from their text
for line in $found; do
	case $line in
	*,LVM2_member,*)
		device=/dev/${line%%,*}
		printf 'member\t%s\n' "$device"
		head -c 1048576 "$device" | tr -cd '[:print:]\n' | grep -a -A 2 '^[A-Za-z0-9+_.-]* {$' | grep -a -B 1 -m 1 '^id = "'
		;;
	esac
done

echo '@@ blank' # of disks without any signature
for device in $devices; do
	case $device in /dev/loop* | /dev/ram* | /dev/zram* | /dev/sr* | /dev/dm-* | /dev/md*) continue ;; esac
	case "
$found" in *"
${device#/dev/},"*) continue ;; esac
	if cmp -s -n 1048576 "$device" /dev/zero; then
		printf '%s\n' "$device"
	fi
done
echo '@@ end'
exit 0
