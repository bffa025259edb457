# Reads what the kernel counts of processors, memory, pressure and disks every $1 seconds, until it is ended by a signal; then
# once more. One process for each reading. A reading ends with "=== end", so that a torn one shows.
every=$1
stop=
trap 'stop=1' TERM INT HUP
command -v grep >/dev/null || exit 127
reading() {
	echo "=== blocks" /sys/block/*
	echo "=== slaves" /sys/block/*/slaves/*
	echo "=== partitions" /sys/block/*/*/partition
	grep -H -E '^(cpu|MemTotal:|MemAvailable:|some |[ 0-9])' /proc/uptime /proc/stat /proc/meminfo \
		/proc/pressure/cpu /proc/pressure/io /proc/pressure/memory /proc/diskstats 2>/dev/null
	[ $? -lt 128 ] && echo "=== end"
}
while [ -z "$stop" ]; do
	reading
	[ -z "$stop" ] && sleep "$every"
done
reading
exit 0
