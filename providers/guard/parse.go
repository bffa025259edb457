package guard

import (
	"bytes"
	"context"
	_ "embed" // probe.sh
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers/host"
)

//go:embed probe.sh
var probe string

// probeTimeout bounds the look at a host: a disk that does not answer makes its readers wait for ever.
const probeTimeout = 5 * time.Minute

// Gather looks at the disks of a host. It changes nothing.
func Gather(ctx context.Context, h host.Host) (*Picture, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, probeTimeout,
		fmt.Errorf("the disks were not read within %s; one of them may not answer", probeTimeout))
	defer cancel()
	var stdout, stderr bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: []string{"sh", "-s"}, Stdin: strings.NewReader(probe), Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		return nil, fmt.Errorf("look at the disks%s: %w", of(h.Address()), err)
	}
	if !res.OK() {
		return nil, fmt.Errorf("look at the disks%s: sh ended with status %d %s: %s", of(h.Address()), res.Code, res.Signal, strings.TrimSpace(stderr.String()))
	}
	p := parse(stdout.String())
	switch {
	case !p.complete || len(p.Devices) == 0:
		return nil, fmt.Errorf("look at the disks%s: the probe printed only a part of what it should: %s", of(h.Address()), strings.TrimSpace(stderr.String()))
	case !p.root:
		return nil, errors.New("only root can look at the disks" + of(h.Address()) + `: run as root there, or set become = "sudo" in hardware`)
	case p.unable:
		return nil, errors.New("the disks" + of(h.Address()) + " cannot be looked at: there is no wipefs there, and without it nobody can tell what is on a disk: install util-linux 2.33 or later")
	}
	return p, nil
}

func of(address string) string {
	if address == "" {
		return ""
	}
	return " of " + address
}

// parse turns the probe's output into a picture. It is a pure function; what it does not understand it leaves out.
func parse(out string) *Picture {
	p := &Picture{Devices: map[string]*Device{}, nodes: map[string]string{}}
	section, member, closed := "", "", false
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "@@ "); ok {
			section = name
			p.complete = name == "end"
			continue
		}
		if line == "" {
			continue
		}
		fields := strings.Split(line, "\t")
		switch section {
		case "user":
			p.root = line == "0"
		case "boot":
			p.Boot = fields[len(fields)-1]
		case "blocks":
			if len(fields) >= 3 {
				p.block(fields[0], fields[1], strings.Join(fields[2:], "\t"))
			}
		case "tree":
			p.place(line)
		case "udev":
			p.udev(pairs(line))
		case "swaps":
			if strings.HasPrefix(line, "/") {
				p.Swaps = append(p.Swaps, unescape(line))
			}
		case "loops":
			if f := strings.SplitN(line, " ", 4); len(f) == 4 {
				if d := p.Devices[path.Base(f[0])]; d != nil {
					d.BackingID = f[1] + " " + f[2]
				}
			}
		case "nodes":
			if len(fields) == 3 {
				p.nodes[fields[2]] = "none"
				if fields[0] == "block special file" {
					p.nodes[fields[2]] = number(fields[1])
				}
			}
		case "mounts":
			p.mount(line, &closed)
		case "btrfs":
			p.Btrfs = append(p.Btrfs, fields[len(fields)-1])
		case "exports":
			p.Exports = append(p.Exports, fields[len(fields)-1])
		case "modules":
			p.Modules = append(p.Modules, fields[len(fields)-1])
		case "open":
			if len(fields) == 4 {
				pid, _, _ := strings.Cut(strings.TrimPrefix(fields[2], "/proc/"), "/")
				p.Open = append(p.Open, Open{Number: number(fields[1]), PID: pid, Command: fields[3]})
			}
		case "fstab":
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				p.Fstab = append(p.Fstab, line)
			}
		case "signatures":
			p.signature(line, fields)
		case "volumes":
			if fields[0] == "member" {
				member = path.Base(fields[len(fields)-1])
			} else if d := p.Devices[member]; d != nil {
				if name, ok := strings.CutSuffix(line, " {"); ok {
					d.VolumeName = name
				} else if id, ok := strings.CutPrefix(line, `id = "`); ok {
					d.Volume = strings.TrimSuffix(id, `"`)
				}
			}
		case "blank":
			if d := p.at(line); d != nil {
				d.Blank = true
			}
		}
	}
	p.siblings()
	return p
}

// siblings finds the namespaces of one NVMe controller: commands to the controller concern them all.
func (p *Picture) siblings() {
	controller := func(name string) string {
		rest, ok := strings.CutPrefix(name, "nvme")
		n, _, part := strings.Cut(rest, "n")
		if !ok || !part {
			return ""
		}
		return n
	}
	for _, a := range p.names() {
		for _, b := range p.names() {
			x, y := p.Devices[a], p.Devices[b]
			if a != b && !x.Partition && !y.Partition && controller(a) != "" && controller(a) == controller(b) {
				x.Siblings = append(x.Siblings, b)
			}
		}
	}
}

// block takes one file of /sys/class/block/NAME.
func (p *Picture) block(name, key, value string) {
	d := p.Devices[name]
	if d == nil {
		d = &Device{Name: name}
		p.Devices[name] = d
	}
	switch text := strings.TrimSpace(value); key {
	case "dev":
		d.Number = text
	case "size":
		n, _ := strconv.ParseInt(text, 10, 64)
		d.Size = n * 512 // whatever the sector is
	case "ro":
		d.ReadOnly = text != "0"
	case "hidden":
		d.Hidden = text != "0"
	case "partition":
		d.Partition = true
	case "diskseq":
		d.DiskSeq = text
	case "model":
		d.Model = text
	case "vendor":
		d.Vendor = text
	case "discard":
		d.Discards = text != "0"
	case "serial":
		d.Serials = add(d.Serials, text)
	case "pg80", "pg80more":
		d.Serials = add(d.Serials, strings.TrimSpace(serial(value, key == "pg80more")))
	case "wwn":
		d.WWNs = add(d.WWNs, text)
	case "state":
		d.State = text
	case "dm_name":
		d.DMName = text
	case "dm_uuid":
		d.DMUUID = text
	case "md_level":
		d.MDLevel = text
	case "backing":
		d.Backing = value
	case "holder":
		d.Holders = append(d.Holders, value)
	case "slave":
		d.Slaves = append(d.Slaves, value)
	}
}

func add(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

// serial is the serial number in page 0x80 of a SCSI disk without its NULs: 0x80, the length, then the text. Where the length is that of
// a line's end, the text is the second line.
func serial(page string, second bool) string {
	text, ok := strings.CutPrefix(page, "\x80")
	if second || !ok {
		return page
	}
	if len(text) > 0 {
		text = text[1:]
	}
	return text
}

// place reads a line of ls -l: …  sda1 -> ../../devices/…/block/sda/sda1
func (p *Picture) place(line string) {
	_, link, ok := strings.Cut(line, " -> ")
	if d := p.Devices[path.Base(link)]; ok && d != nil && d.Partition {
		d.Parent = path.Base(path.Dir(link))
	}
}

// udev adds the identities that udev knows to those of the kernel; a disk is found by either.
func (p *Picture) udev(f map[string]string) {
	d := p.Devices[strings.ReplaceAll(f["NAME"], "/", "!")]
	if d == nil {
		return
	}
	d.Serials, d.WWNs = add(d.Serials, strings.TrimSpace(f["SERIAL"])), add(d.WWNs, strings.TrimSpace(f["WWN"]))
	if d.Model == "" {
		d.Model = strings.TrimSpace(f["MODEL"])
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
		if text, err := strconv.Unquote(`"` + value + `"`); err == nil {
			value = text
		}
		found[strings.TrimSpace(key)] = value
		line = tail
	}
	return found
}

// number is major:minor from stat's hexadecimal form.
func number(hex string) string {
	major, minor, _ := strings.Cut(hex, ":")
	a, errA := strconv.ParseUint(major, 16, 32)
	b, errB := strconv.ParseUint(minor, 16, 32)
	if errA != nil || errB != nil {
		return "none"
	}
	return fmt.Sprintf("%d:%d", a, b)
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// mount reads a line of mountinfo: id parent major:minor root mountpoint options … - type source options. A namespace is closed until a
// mount of it is seen.
func (p *Picture) mount(line string, closed *bool) {
	if name, ok := strings.CutPrefix(line, "namespace\t"); ok {
		p.Closed = append(p.Closed, name)
		*closed = true
		return
	}
	head, tail, ok := strings.Cut(line, " - ")
	before, after := strings.Fields(head), strings.Fields(tail)
	if !ok || len(before) < 5 || len(after) < 2 {
		return
	}
	if *closed {
		p.Closed, *closed = p.Closed[:len(p.Closed)-1], false
	}
	m := Mount{Number: before[2], At: unescape(before[4]), Type: after[0], Source: unescape(after[1])}
	if len(after) > 2 {
		m.Options = strings.Split(unescape(after[2]), ",")
	}
	p.Mounts = append(p.Mounts, m)
}

// signature reads a line of wipefs: DEVICE,OFFSET,TYPE,UUID,LABEL
func (p *Picture) signature(line string, fields []string) {
	switch {
	case line == "unable":
		p.unable = true
	case fields[0] == "unread" && len(fields) == 2:
		if d := p.at(fields[1]); d != nil {
			d.Unread = true
		}
	default:
		f := strings.SplitN(line, ",", 5)
		if len(f) < 5 {
			return
		}
		if d := p.Devices[f[0]]; d != nil {
			d.Signatures = append(d.Signatures, Signature{Offset: f[1], Type: f[2], UUID: f[3], Label: f[4]})
		}
	}
}
