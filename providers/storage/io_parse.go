package storage

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reading is what a host counted at one time. The kernel's counters count from its start.
type reading struct {
	uptime float64 // seconds
	cpu    []uint64
	cpus   int // processors that are online

	memTotal, memAvailable uint64 // bytes
	memory                 bool

	pressure map[string]uint64 // cpu, io, memory → microseconds in which some task waited; none where the kernel does not tell
	disks    map[string]counters
	slaves   map[string][]string // the disks on which an array or a volume stands
}

// counters are what /proc/diskstats counts of a disk (Documentation/admin-guide/iostats.rst): requests, sectors of 512 bytes, and
// milliseconds.
type counters struct {
	reads, readSectors, readMs    uint64
	writes, writeSectors, writeMs uint64
	busyMs                        uint64
}

const (
	endOfReading = "=== end"
	sector       = 512
)

// parseReadings reads what io.sh printed. A last reading without its end is torn, and left out; so is one that is not of later time
// than the one before. What is no reading at all is an error.
func parseReadings(out []byte) ([]reading, error) {
	var list []reading
	blocks := strings.Split(string(out), endOfReading+"\n")
	for i, text := range blocks[:len(blocks)-1] {
		r, err := parseReading(text)
		if err != nil {
			return nil, fmt.Errorf("reading %d: %w", i+1, err)
		}
		if n := len(list); n > 0 && r.uptime <= list[n-1].uptime {
			continue
		}
		list = append(list, r)
	}
	return list, nil
}

func parseReading(text string) (reading, error) {
	r := reading{uptime: -1, pressure: map[string]uint64{}, disks: map[string]counters{}, slaves: map[string][]string{}}
	blocks, partOf := map[string]bool{}, map[string]string{}
	var stats []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(line, "=== "); ok {
			r.names(strings.Fields(rest), blocks, partOf)
			continue
		}
		file, rest, ok := strings.Cut(line, ":")
		if !ok {
			return r, fmt.Errorf("%.60q is no line of a file", line)
		}
		var err error
		switch file {
		case "/proc/uptime":
			r.uptime, err = strconv.ParseFloat(first(strings.Fields(rest)), 64)
		case "/proc/stat":
			err = r.stat(strings.Fields(rest))
		case "/proc/meminfo":
			err = r.meminfo(strings.Fields(rest))
		case "/proc/diskstats":
			stats = append(stats, rest)
		default:
			if what, ok := strings.CutPrefix(file, "/proc/pressure/"); ok {
				err = r.stalled(what, strings.Fields(rest))
			}
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", file, err)
		}
	}
	if !(r.uptime >= 0) || math.IsInf(r.uptime, 0) || len(r.cpu) == 0 {
		return r, fmt.Errorf("/proc/uptime or /proc/stat is missing")
	}
	for _, s := range stats {
		fields := strings.Fields(s)
		if len(fields) < 3 || !blocks[fields[2]] { // partitions are a part of their disk
			continue
		}
		c, err := diskCounters(fields)
		if err != nil {
			return r, fmt.Errorf("/proc/diskstats: %w", err)
		}
		r.disks[fields[2]] = c
	}
	for device, list := range r.slaves { // an array may stand on partitions
		for i, name := range list {
			if disk := partOf[name]; disk != "" {
				r.slaves[device][i] = disk
			}
		}
	}
	return r, nil
}

// names reads the lists of names in /sys/block: block devices, what they stand on, and their partitions. A pattern that matched nothing
// stands as it is.
func (r *reading) names(fields []string, blocks map[string]bool, partOf map[string]string) {
	for _, p := range fields[min(1, len(fields)):] {
		parts := strings.Split(p, "/") // "" sys block md0 slaves sda
		switch {
		case strings.Contains(p, "*"):
		case fields[0] == "blocks" && len(parts) == 4:
			blocks[parts[3]] = true
		case fields[0] == "slaves" && len(parts) == 6:
			r.slaves[parts[3]] = append(r.slaves[parts[3]], parts[5])
		case fields[0] == "partitions" && len(parts) == 6:
			partOf[parts[4]] = parts[3]
		}
	}
}

// stat reads the line of all processors, and counts those of one.
func (r *reading) stat(fields []string) error {
	if len(fields) == 0 || !strings.HasPrefix(fields[0], "cpu") {
		return nil
	}
	if fields[0] != "cpu" {
		r.cpus++
		return nil
	}
	// user nice system idle iowait irq softirq steal; guest times are a part of user and nice
	n, err := whole(fields[1:min(len(fields), 9)])
	if err == nil && len(n) < 5 {
		err = fmt.Errorf("%q has too few fields", fields)
	}
	r.cpu = n
	return err
}

func (r *reading) meminfo(fields []string) error {
	if len(fields) < 2 {
		return nil
	}
	kib, err := strconv.ParseUint(fields[1], 10, 54)
	if err != nil {
		return err
	}
	switch fields[0] {
	case "MemTotal:":
		r.memTotal = kib << 10
	case "MemAvailable:":
		r.memAvailable, r.memory = kib<<10, true
	}
	return nil
}

// stalled reads "some avg10=0.00 … total=12".
func (r *reading) stalled(what string, fields []string) error {
	for _, f := range fields {
		if total, ok := strings.CutPrefix(f, "total="); ok {
			n, err := strconv.ParseUint(total, 10, 64)
			if err != nil {
				return err
			}
			r.pressure[what] = n
		}
	}
	return nil
}

func diskCounters(fields []string) (counters, error) {
	if len(fields) < 14 {
		return counters{}, fmt.Errorf("%q has too few fields", fields)
	}
	n, err := whole(fields[3:14])
	if err != nil {
		return counters{}, err
	}
	return counters{n[0], n[2], n[3], n[4], n[6], n[7], n[9]}, nil
}

func whole(fields []string) ([]uint64, error) {
	out := make([]uint64, len(fields))
	for i, f := range fields {
		var err error
		if out[i], err = strconv.ParseUint(f, 10, 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func first(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// difference of a counter between two readings. Some are of 32 bits and start again at 0; a larger step back means that what is counted
// is not the same any more.
func difference(before, after uint64) (d float64, ok bool) {
	const wrap = 1 << 32
	switch {
	case after >= before:
		return float64(after - before), true
	case before < wrap && after+wrap-before < wrap/2:
		return float64(after + wrap - before), true
	}
	return 0, false
}

// diskList names the disks of some readings, sorted.
func diskList(readings []reading) []string {
	seen := map[string]bool{}
	var names []string
	for _, r := range readings {
		for d := range r.disks {
			if !seen[d] {
				seen[d] = true
				names = append(names, d)
			}
		}
	}
	slices.Sort(names)
	return names
}
