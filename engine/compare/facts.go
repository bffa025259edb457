package compare

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Difference is something other than the axis in which the two arms of a comparison differ.
type Difference struct {
	What     string `json:"what"`     // kernel.release
	Arm      string `json:"arm"`      // empty: the arm has none
	Baseline string `json:"baseline"` // likewise
}

// material are the facts of a machine that may change what is measured there, by the beginning of their names. Left out is what tells
// one machine from another of its kind (names, serial numbers, mounts), and what changes by itself.
var material = []string{
	"machine.arch", "machine.vendor", "machine.product", "machine.bios", "virtualization", "os.id", "os.version", "kernel.", "cpu.", "memory.", "swap.",
	"sysctl.", "tool.",
}

// ofDisks are the facts of a disk that are compared, without its name: which disk is sda hangs on the order in which they were found.
var ofDisks = []string{"model", "firmware", "scheduler", "rotational", "nr_requests", "read_ahead_kb", "write_cache", "nomerges", "max_sectors_kb"}

// Facts compares the machines of two arms: the facts of each host, by name. The values of several hosts of an arm are taken together. The list
// is sorted by what differs. Memory counts as equal within 1 %, since what the kernel keeps of it varies.
func Facts(arm, base []map[string]string) []Difference {
	a, b := gather(arm), gather(base)
	var out []Difference
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, what := range slices.Sorted(maps.Keys(names)) {
		x, y := a[what], b[what]
		if slices.Equal(x, y) || what == memory && slices.EqualFunc(x, y, near) {
			continue
		}
		out = append(out, Difference{what, strings.Join(x, ", "), strings.Join(y, ", ")})
	}
	return out
}

const memory = "memory.bytes"

func near(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && math.Abs(x-y) <= 0.01*math.Max(x, y)
}

// gather gives the different values of each material fact over hosts, sorted.
func gather(hosts []map[string]string) map[string][]string {
	out := map[string][]string{}
	for _, facts := range hosts {
		disks := map[string]map[string]string{}
		for name, value := range facts {
			if slices.ContainsFunc(material, func(m string) bool { return name == m || strings.HasSuffix(m, ".") && strings.HasPrefix(name, m) }) {
				out[name] = append(out[name], value)
			}
			if rest, ok := strings.CutPrefix(name, "disk."); ok {
				if i := strings.LastIndexByte(rest, '.'); i > 0 && slices.Contains(ofDisks, rest[i+1:]) {
					if disks[rest[:i]] == nil {
						disks[rest[:i]] = map[string]string{}
					}
					disks[rest[:i]][rest[i+1:]] = value
				}
			}
		}
		for _, d := range disks {
			if d["model"] == "" {
				continue // a loop, or what is made of other disks
			}
			for name, value := range d {
				if name != "model" {
					out["disk "+d["model"]+" "+name] = append(out["disk "+d["model"]+" "+name], value)
				}
			}
			out["disk models"] = append(out["disk models"], d["model"])
		}
	}
	for name, values := range out {
		slices.Sort(values)
		out[name] = slices.Compact(values)
	}
	return out
}
