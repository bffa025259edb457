package host

import (
	"bytes"
	"context"
	_ "embed" // facts.sh
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed facts.sh
var factsScript string

// factsTimeout bounds the probe: lsblk waits for a disk that does not answer.
const factsTimeout = time.Minute

// volatile begins the names of facts that change by themselves on an idle machine.
const volatile = "volatile."

// Facts implements Host. The names are those that parseFacts gives.
func (l local) Facts(ctx context.Context) (map[string]string, error) { return readFacts(ctx, l) }

// readFacts runs the probe on any host: one command, whatever the number of facts.
func readFacts(ctx context.Context, h Host) (map[string]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, factsTimeout,
		fmt.Errorf("facts of the machine were not read within %s; a disk or a mounted server may not answer", factsTimeout))
	defer cancel()
	var stdout, stderr bytes.Buffer
	res, err := h.Run(ctx, Cmd{Argv: []string{"sh", "-s"}, Stdin: strings.NewReader(factsScript), Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	if !res.OK() {
		return nil, fmt.Errorf("read facts: sh ended with status %d %s: %s", res.Code, res.Signal, strings.TrimSpace(stderr.String()))
	}
	facts := parseFacts(stdout.String())
	if facts["kernel.release"] == "" {
		return nil, fmt.Errorf("read facts: the probe printed nothing of use; expected a Linux machine with /proc mounted")
	}
	return facts, nil
}

// parseFacts turns the probe's output into facts. It is a pure function; what it does not understand it leaves out.
//
//	hostname  machine.arch  machine.vendor  machine.product  machine.bios  virtualization
//	os.name  os.id  os.version  kernel.release  kernel.version
//	cpu.model  cpu.count (logical)  cpu.cores  cpu.sockets  cpu.microcode  cpu.governor  cpu.driver  cpu.smt  cpu.numa_nodes
//	memory.bytes  swap.bytes  memory.hugepages  memory.hugepage_bytes  memory.transparent_hugepages
//	sysctl.vm.swappiness  sysctl.vm.dirty_ratio  sysctl.vm.dirty_background_ratio
//	disk.NAME.{size,model,vendor,serial,firmware,wwn,transport,scheduler,rotational,nr_requests,…}; sizes in bytes
//	disk.NAME.smart.passed, volatile.disk.NAME.smart.{power_on_hours,temperature_c,media_errors,reallocated_sectors,…}: where smartctl is
//	mount.PATH (source, type, options)  net.NAME.mtu  net.NAME.speed (Mbit/s)
//	volatile.load1  volatile.memory.available_bytes
func parseFacts(out string) map[string]string {
	f := facts{}
	for _, s := range sections(out) {
		lines := s.lines
		switch s.name {
		case "hostname":
			f.set("hostname", first(lines))
		case "machine":
			f.set("machine.arch", first(lines))
		case "kernel":
			f.files(lines, map[string]string{"osrelease": "kernel.release", "version": "kernel.version"})
		case "os":
			f.osRelease(lines)
		case "cpuinfo":
			f.cpuinfo(lines)
		case "lscpu":
			f.lscpu(lines)
		case "cpu":
			f.files(lines, map[string]string{"scaling_governor": "cpu.governor", "scaling_driver": "cpu.driver", "active": "cpu.smt"})
		case "meminfo":
			f.meminfo(lines)
		case "vm":
			f.files(lines, map[string]string{
				"swappiness": "sysctl.vm.swappiness", "dirty_ratio": "sysctl.vm.dirty_ratio",
				"dirty_background_ratio": "sysctl.vm.dirty_background_ratio", "enabled": "memory.transparent_hugepages",
			})
			f.set("memory.transparent_hugepages", chosen(f["memory.transparent_hugepages"]))
		case "virtualization":
			f.set("virtualization", first(lines))
		case "dmi":
			f.files(lines, map[string]string{"sys_vendor": "machine.vendor", "product_name": "machine.product", "bios_version": "machine.bios"})
		case "disks":
			f.disks(lines)
		case "lsblk":
			f.lsblk(lines)
		case "smart":
			f.smart(lines)
		case "mounts":
			f.mounts(lines)
		case "links":
			f.links(lines)
		case "loadavg":
			load, _, _ := strings.Cut(first(lines), " ")
			f.set(volatile+"load1", load)
		}
	}
	return f
}

// section is one answer of the probe.
type section struct {
	name  string
	lines []string
}

// sections cuts the output at its lines "@@ NAME". The order is kept: lscpu and lsblk only add to what came before.
func sections(out string) []section {
	var found []section
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "@@ "); ok {
			found = append(found, section{name: name})
		} else if line != "" && len(found) > 0 {
			s := &found[len(found)-1]
			s.lines = append(s.lines, line)
		}
	}
	return found
}

func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// facts are set only where there is something to say.
type facts map[string]string

func (f facts) set(name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		f[name] = value
	}
}

// files takes lines FILE<tab>CONTENT whose file's name is in names.
func (f facts) files(lines []string, names map[string]string) {
	for _, line := range lines {
		file, value, _ := strings.Cut(line, "\t")
		if name, ok := names[path.Base(file)]; ok {
			f.set(name, value)
		}
	}
}

// chosen is the one in brackets of a choice, as the kernel prints one: always [madvise] never.
func chosen(value string) string {
	_, rest, ok := strings.Cut(value, "[")
	in, _, closed := strings.Cut(rest, "]")
	if ok && closed {
		return in
	}
	return value
}

// times multiplies a number of units; empty where it is none.
func times(number string, unit uint64) string {
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
	if err != nil || n > (1<<64-1)/unit {
		return ""
	}
	return strconv.FormatUint(n*unit, 10)
}
