package storage

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// parseIO makes a sample and series of what was read on all hosts. The figures are those of the time from the last reading before the
// test began, or from the first, to the last one.
func parseIO(req providers.ParseRequest) *providers.ParseResponse {
	res := &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.OK}}
	fail := func(format string, args ...any) *providers.ParseResponse {
		return &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.Failed, Reason: fmt.Sprintf(format, args...)}}
	}
	y := &yield{res: res, sums: map[string]float64{}}
	missing := (args{req.Config}).list("disks")
	for i, address := range ioHosts(req.Hosts) {
		name := ioName(i)
		at := slices.IndexFunc(req.Exits, func(e measure.Exit) bool { return e.Name == name })
		if at < 0 {
			return fail("%s: it is not known how the reading of counters ended", hostName(address))
		}
		exit := req.Exits[at]
		if exit.Code != 0 && exit.Signal == "" { // it is told to end by a signal
			return fail("%s: sh ended with status %d%s", hostName(address), exit.Code, complaint(req.Artifacts, name))
		}
		out, found := dataOf(req.Artifacts, name+".stdout")
		if !found {
			return fail("%s: there is no output: %s.stdout is missing", hostName(address), name)
		}
		list, err := parseReadings(out)
		switch {
		case err != nil:
			return fail("%s: the output cannot be read: %v", hostName(address), err)
		case len(list) < 2:
			return fail("%s: %s, and two are needed to tell what lies between: the test was shorter than the interval", hostName(address), plural(len(list), "reading"))
		}
		h := newHost(hostName(address), list, exit.Started, req.Started, (args{req.Config}).list("disks"))
		missing = slices.DeleteFunc(missing, func(d string) bool { return slices.Contains(h.disks, d) })
		h.walk()
		y.host(h)
	}
	if len(missing) > 0 {
		return fail("there is no disk %s on any of the hosts", strings.Join(missing, ", "))
	}
	y.totals()
	return res
}

// hostReadings are the readings of one host, from the one with which its figures begin.
type hostReadings struct {
	name     string
	list     []reading
	at       []float64 // seconds since the test began, by reading
	disks    []string
	sums     map[string]*sum // of what is a mean: by measure, for a disk by measure and disk
	most     float64         // memory used
	least    float64         // memory available
	memory   bool
	series   map[string]*measure.Series
	order    []string // of series
	marks    []measure.Mark
	warnings []measure.Warning
	active   map[string]bool // disks that did anything
	counted  map[string]bool // disks that count where all are added up
}

// sum is what a mean is made of.
type sum struct{ value, over float64 }

func newHost(name string, list []reading, began, started time.Time, wanted []string) *hostReadings {
	h := &hostReadings{name: name, sums: map[string]*sum{}, series: map[string]*measure.Series{}, active: map[string]bool{}, counted: map[string]bool{}, least: math.Inf(1)}
	zero := 0.0
	if !started.IsZero() {
		zero = began.Sub(started).Seconds()
	}
	base := 0
	for i, r := range list {
		h.at = append(h.at, zero+r.uptime-list[0].uptime)
		if h.at[i] <= 0 && i < len(list)-1 {
			base = i
		}
	}
	h.list, h.at = list[base:], h.at[base:]
	for _, d := range diskList(h.list) {
		if len(wanted) == 0 && !strings.HasPrefix(d, "ram") && !strings.HasPrefix(d, "zram") || slices.Contains(wanted, d) {
			h.disks = append(h.disks, d)
		}
	}
	if len(wanted) == 0 {
		h.disks = slices.DeleteFunc(h.disks, h.spare)
	}
	for _, d := range h.disks {
		h.counted[d] = h.counts(d)
	}
	return h
}

// spare reports a device of a kind of which machines have many in reserve, and that did nothing.
func (h *hostReadings) spare(disk string) bool {
	for _, kind := range []string{"loop", "sr", "fd", "nbd"} {
		if strings.HasPrefix(disk, kind) {
			first, last := h.list[0].disks[disk], h.list[len(h.list)-1].disks[disk]
			return first == last
		}
	}
	return false
}

// walk goes from each reading to the next.
func (h *hostReadings) walk() {
	for i := 1; i < len(h.list); i++ {
		a, b, t := &h.list[i-1], &h.list[i], h.at[i]
		dt := b.uptime - a.uptime
		h.processors(a, b, t)
		if b.memory && b.memAvailable <= b.memTotal {
			used, available := float64(b.memTotal-b.memAvailable), float64(b.memAvailable)
			h.memory, h.most, h.least = true, max(h.most, used), min(h.least, available)
			h.point("memory_used", "", t, used)
			h.point("memory_available", "", t, available)
		}
		for _, what := range []string{"cpu", "io", "memory"} {
			before, has := a.pressure[what]
			after, still := b.pressure[what]
			if d, ok := difference(before, after); has && still && ok {
				h.mean("pressure_"+what, "", t, min(d/1e6, dt), dt)
			}
		}
		for _, d := range h.disks {
			h.disk(d, a, b, t, dt)
		}
		h.added(t)
	}
}

// added gives the points of what is added up over disks.
func (h *hostReadings) added(t float64) {
	for _, name := range addedUp {
		total, any := 0.0, false
		for _, d := range h.disks {
			s := h.series[name+" "+d]
			if s != nil && h.counted[d] && s.Points[len(s.Points)-1].T == t {
				total, any = total+s.Points[len(s.Points)-1].Value, true
			}
		}
		if any {
			h.point(name, "", t, total)
		}
	}
}

// addedUp are the measures that make sense as a sum over disks and hosts.
var addedUp = []string{"read_bandwidth", "write_bandwidth", "read_iops", "write_iops"}

// processors takes the times of all processors. A time that went back, as that of waiting for I/O may, counts as none.
func (h *hostReadings) processors(a, b *reading, t float64) {
	total, idle, wait := 0.0, 0.0, 0.0
	for i := range min(len(a.cpu), len(b.cpu)) {
		d := 0.0
		if b.cpu[i] > a.cpu[i] {
			d = float64(b.cpu[i] - a.cpu[i])
		}
		total += d
		switch i {
		case 3:
			idle = d
		case 4:
			wait = d
		}
	}
	if total > 0 {
		h.mean("cpu_busy", "", t, total-idle-wait, total)
		h.mean("cpu_iowait", "", t, wait, total)
	}
	if a.cpus != b.cpus {
		text := fmt.Sprintf("%s: the number of processors went from %d to %d", h.name, a.cpus, b.cpus)
		h.mark(t, text)
		h.warn("cpu_hotplug", text+" after %s", t)
	}
}

// disk takes the counters of a disk.
func (h *hostReadings) disk(name string, a, b *reading, t, dt float64) {
	before, had := a.disks[name]
	after, has := b.disks[name]
	switch {
	case had && !has:
		h.mark(t, fmt.Sprintf("%s: %s vanished", h.name, name))
		h.warn("disk_vanished", fmt.Sprintf("%s: the disk %s vanished", h.name, name)+" after %s", t)
		return
	case has && !had:
		h.mark(t, fmt.Sprintf("%s: %s appeared", h.name, name))
		return
	case !has:
		return
	}
	var d [7]float64
	for i, c := range [7][2]uint64{
		{before.reads, after.reads}, {before.readSectors, after.readSectors}, {before.readMs, after.readMs},
		{before.writes, after.writes}, {before.writeSectors, after.writeSectors}, {before.writeMs, after.writeMs},
		{before.busyMs, after.busyMs},
	} {
		var ok bool
		if d[i], ok = difference(c[0], c[1]); !ok { // another disk of the same name
			return
		}
		h.active[name] = h.active[name] || d[i] > 0
	}
	h.mean("read_bandwidth", name, t, d[1]*sector, dt)
	h.mean("write_bandwidth", name, t, d[4]*sector, dt)
	h.mean("read_iops", name, t, d[0], dt)
	h.mean("write_iops", name, t, d[3], dt)
	if d[0] > 0 {
		h.mean("read_await", name, t, d[2]/1e3, d[0])
	}
	if d[3] > 0 {
		h.mean("write_await", name, t, d[5]/1e3, d[3])
	}
	h.mean("util", name, t, min(d[6]/1e3, dt), dt)
}

// mean adds value over what it is spread, and the point that they give.
func (h *hostReadings) mean(name, disk string, t, value, over float64) {
	id := name + " " + disk
	if h.sums[id] == nil {
		h.sums[id] = &sum{}
	}
	h.sums[id].value += value
	h.sums[id].over += over
	h.point(name, disk, t, value/over)
}

func (h *hostReadings) point(name, disk string, t, v float64) {
	id := name + " " + disk
	s := h.series[id]
	if s == nil {
		s = &measure.Series{Measure: name, Keys: h.keys(disk)}
		h.series[id] = s
		h.order = append(h.order, id)
	}
	if n := len(s.Points); n == 0 || t > s.Points[n-1].T {
		s.Points = append(s.Points, measure.SeriesPoint{T: t, Value: v})
	}
}

func (h *hostReadings) keys(disk string) addr.Coordinates {
	if disk == "" {
		return addr.Coordinates{hostKey: h.name}
	}
	return addr.Coordinates{hostKey: h.name, diskKey: disk}
}

func (h *hostReadings) mark(t float64, text string) {
	h.marks = append(h.marks, measure.Mark{T: t, Text: text})
}

func (h *hostReadings) warn(code, format string, t float64) {
	h.warnings = append(h.warnings, measure.Warning{Code: code, Text: fmt.Sprintf(format, unit.FormatSeconds(max(0, t)))})
}

// counts reports whether a disk counts where all are added up: it does not when something that it stands on is watched too.
func (h *hostReadings) counts(disk string) bool {
	seen := map[string]bool{disk: true}
	todo := slices.Clone(h.list[0].slaves[disk])
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[d] {
			continue
		}
		seen[d] = true
		if slices.Contains(h.disks, d) {
			return false
		}
		todo = append(todo, h.list[0].slaves[d]...)
	}
	return true
}

// yield collects what all hosts give.
type yield struct {
	res   *providers.ParseResponse
	sums  map[string]float64 // of rates, over all hosts
	marks []measure.Mark
}

func (y *yield) value(name string, keys addr.Coordinates, v float64) {
	y.res.Sample.Values = append(y.res.Sample.Values, measure.Value{Measure: name, Keys: keys, Value: v})
}

// host gives the figures of a host: what is added up over disks has one for the host too, since some disks stand on others.
func (y *yield) host(h *hostReadings) {
	for _, name := range []string{"cpu_busy", "cpu_iowait", "pressure_cpu", "pressure_io", "pressure_memory"} {
		if s := h.sums[name+" "]; s != nil {
			y.value(name, h.keys(""), s.value/s.over)
		}
	}
	if h.memory {
		y.value("memory_used", h.keys(""), h.most)
		y.value("memory_available", h.keys(""), h.least)
	}
	for _, name := range []string{"read_bandwidth", "write_bandwidth", "read_iops", "write_iops", "read_await", "write_await", "util"} {
		total, any := 0.0, false
		for _, d := range h.disks {
			s := h.sums[name+" "+d]
			if s == nil {
				continue
			}
			y.value(name, h.keys(d), s.value/s.over)
			if h.counted[d] {
				total, any = total+s.value/s.over, true
			}
		}
		if any && slices.Contains(addedUp, name) {
			y.value(name, h.keys(""), total)
			y.sums[name] += total
		}
	}
	for _, id := range h.order {
		if s := h.series[id]; s.Keys[diskKey] == "" || h.active[s.Keys[diskKey]] {
			y.res.Series = append(y.res.Series, *s)
		}
	}
	y.marks = append(y.marks, h.marks...)
	y.res.Sample.Warnings = append(y.res.Sample.Warnings, h.warnings...)
	if s := h.sums["cpu_busy "]; s != nil && s.value/s.over > busyLimit {
		y.res.Sample.Warnings = append(y.res.Sample.Warnings, measure.Warning{Code: "cpu_saturated", Text: fmt.Sprintf(
			"the processors of %s were busy %s of the time, more than %s: what was measured may be them", h.name,
			unit.FormatShare(s.value/s.over), unit.FormatShare(busyLimit))})
	}
}

// totals gives what is added up over all hosts, and the marks of all.
func (y *yield) totals() {
	if len(y.marks) > 0 {
		slices.SortStableFunc(y.marks, func(a, b measure.Mark) int { return cmp.Compare(a.T, b.T) })
		y.res.Series = append(y.res.Series, measure.Series{Marks: y.marks})
	}
	for _, name := range addedUp {
		if total, ok := y.sums[name]; ok {
			y.value(name, nil, total)
		}
	}
}

func dataOf(list []measure.Artifact, name string) ([]byte, bool) {
	for _, a := range list {
		if a.Name == name {
			return a.Data, true
		}
	}
	return nil, false
}

// complaint is the first line of standard error, as the end of a sentence.
func complaint(list []measure.Artifact, name string) string {
	raw, _ := dataOf(list, name+".stderr")
	line, _, _ := bytes.Cut(bytes.TrimSpace(raw), []byte("\n"))
	if len(line) == 0 {
		return ""
	}
	return ": " + strings.ToValidUTF8(string(line[:min(len(line), 200)]), "·")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
