package md

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers/host"
)

// HomeHost is the mark: it stands before the name in the superblock of every array that assay makes.
const HomeHost = "assay"

// Spec is an array to be made.
type Spec struct {
	Device  string // /dev/md/NAME
	Name    string // in the superblock, after HomeHost and a colon; both together have 32 bytes at most
	Level   int
	Members []string // devices
	Spares  []string // devices
	Chunk   int64    // bytes; 0: the level has none
	Layout  string   // empty: mdadm's own
	Bitmap  string   // none or internal
}

// Create makes an array. --run is there since nobody answers questions: mdadm then overwrites whatever is on the members, so the
// caller must have looked.
func (s Spec) Create() []string {
	argv := []string{
		"mdadm", "--create", s.Device, "--run", "--metadata=1.2", "--homehost=" + HomeHost, "--name=" + s.Name,
		"--level=" + strconv.Itoa(s.Level), "--raid-devices=" + strconv.Itoa(len(s.Members)),
	}
	if len(s.Spares) > 0 {
		argv = append(argv, "--spare-devices="+strconv.Itoa(len(s.Spares)))
	}
	if s.Chunk > 0 {
		argv = append(argv, "--chunk="+strconv.FormatInt(s.Chunk>>10, 10)) // KiB
	}
	if s.Layout != "" {
		argv = append(argv, "--layout="+s.Layout)
	}
	if s.Level != 0 {
		argv = append(argv, "--bitmap="+s.Bitmap)
	}
	return append(append(argv, s.Members...), s.Spares...)
}

// Assemble puts an array together again from its members; it writes nothing but what md itself does.
func (s Spec) Assemble() []string {
	argv := []string{"mdadm", "--assemble", s.Device, "--homehost=" + HomeHost, "--name=" + HomeHost + ":" + s.Name}
	return append(append(argv, s.Members...), s.Spares...)
}

// Stop takes an array apart.
func Stop(device string) []string { return []string{"mdadm", "--stop", device} }

// Zero erases what tells that devices are members.
func Zero(members ...string) []string {
	return append([]string{"mdadm", "--zero-superblock"}, members...)
}

// Act sets what an array does by itself.
func Act(device string, action Action) []string {
	return []string{"mdadm", "--misc", "--action=" + string(action), device}
}

// Fail, Remove and Add change one member.
func Fail(device, member string) []string {
	return []string{"mdadm", "--manage", device, "--fail", member}
}

// Remove takes a failed member, or a spare, out.
func Remove(device, member string) []string {
	return []string{"mdadm", "--manage", device, "--remove", member}
}

// Add puts a device in: into the place that is free, or as a spare.
func Add(device, member string) []string {
	return []string{"mdadm", "--manage", device, "--add", member}
}

// Names reads of which arrays devices are members, by their superblocks: HOMEHOST:NAME. Those without a superblock are left out. Devices
// that are not there are an error.
func Names(ctx context.Context, h host.Host, devices ...string) (map[string]string, error) {
	var out, errs bytes.Buffer
	argv := append([]string{"blkid", "-p", "-u", "raid", "-s", "LABEL", "-o", "export"}, devices...)
	res, err := h.Run(ctx, host.Cmd{Argv: argv, Stdout: &out, Stderr: &errs})
	if err != nil {
		return nil, fmt.Errorf("blkid: %w", err)
	}
	if said := strings.TrimSpace(errs.String()); said != "" || res.Signal != "" { // its status is 2 also where there is just nothing
		return nil, fmt.Errorf("blkid: %s", said)
	}
	return Labels(out.String()), nil
}

// Labels reads labels by device from what blkid prints in its form "export".
func Labels(export string) map[string]string {
	labels, device := map[string]string{}, ""
	for _, line := range strings.Split(export, "\n") {
		if d, ok := strings.CutPrefix(line, "DEVNAME="); ok {
			device = unescape(d)
		} else if label, ok := strings.CutPrefix(line, "LABEL="); ok && device != "" {
			labels[device] = unescape(label)
		}
	}
	return labels
}

// unescape takes off the backslashes that blkid puts before what a shell would take for its own.
func unescape(s string) string { return strings.ReplaceAll(s, "\\", "") }

// ArrayName reads the name of an array that is assembled; empty where it has none.
func ArrayName(ctx context.Context, h host.Host, device string) (string, error) {
	var out, errs bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: []string{"mdadm", "--detail", "--export", device}, Stdout: &out, Stderr: &errs})
	if err != nil {
		return "", fmt.Errorf("mdadm --detail %s: %w", device, err)
	}
	if !res.OK() {
		return "", fmt.Errorf("mdadm --detail %s: %s", device, strings.TrimSpace(errs.String()))
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if name, ok := strings.CutPrefix(line, "MD_NAME="); ok {
			return strings.Trim(name, "'"), nil
		}
	}
	return "", nil
}
