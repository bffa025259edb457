package storage

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

// fsFound is what there is of a file system on one host.
type fsFound struct {
	kernels map[string]string // by device; those that are not there are left out
	ours    int               // devices that bear its label
	other   string            // a device that bears the label of another thing of assay
	mounted bool
	foreign string // what else is at its path
}

// find looks for the labels on the devices, and at what is mounted.
func (f fsConfig) find(ctx context.Context, h host.Host) (*fsFound, error) {
	found := &fsFound{}
	var err error
	if found.kernels, err = md.Kernels(ctx, h, f.devices...); err != nil {
		return nil, err
	}
	var there []string
	for _, d := range f.devices {
		if found.kernels[d] != "" {
			there = append(there, d)
		}
	}
	if len(there) > 0 {
		labels, err := labels(ctx, h, there)
		if err != nil {
			return nil, err
		}
		for _, d := range there {
			switch label := labels[d]; {
			case label == f.label:
				found.ours++
			case strings.HasPrefix(label, "assay"):
				found.other = fmt.Sprintf("%s bears the label %s of another thing of assay", d, label)
			}
		}
	}
	raw, err := h.ReadFile(ctx, "/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	source, ok := mountedAt(raw, f.path)
	if !ok {
		return found, nil
	}
	at, err := md.Kernels(ctx, h, source)
	if err != nil {
		return nil, err
	}
	for _, k := range found.kernels {
		found.mounted = found.mounted || k == at[source]
	}
	if !found.mounted {
		found.foreign = fmt.Sprintf("%s is mounted at %s", source, f.path)
	}
	return found, nil
}

// labels reads the labels of file systems on devices.
func labels(ctx context.Context, h host.Host, devices []string) (map[string]string, error) {
	var out, errs bytes.Buffer
	argv := append([]string{"blkid", "-p", "-u", "filesystem", "-s", "LABEL", "-o", "export"}, devices...)
	res, err := h.Run(ctx, host.Cmd{Argv: argv, Stdout: &out, Stderr: &errs})
	if err != nil {
		return nil, fmt.Errorf("blkid: %w", err)
	}
	if said := strings.TrimSpace(errs.String()); said != "" || res.Signal != "" {
		return nil, fmt.Errorf("blkid: %s", said)
	}
	return md.Labels(out.String()), nil
}

var octal = regexp.MustCompile(`\\[0-7]{3}`)

// mountedAt gives what is mounted at a path, of what lies there over each other the last.
func mountedAt(mountinfo []byte, at string) (source string, ok bool) {
	plain := func(s string) string {
		return octal.ReplaceAllStringFunc(s, func(o string) string {
			n, _ := strconv.ParseUint(o[1:], 8, 8)
			return string([]byte{byte(n)})
		})
	}
	for _, line := range strings.Split(string(mountinfo), "\n") {
		fields, rest, found := strings.Cut(line, " - ")
		one, two := strings.Fields(fields), strings.Fields(rest)
		if found && len(one) > 4 && len(two) > 1 && plain(one[4]) == at {
			source, ok = plain(two[1]), true
		}
	}
	return source, ok
}

func (filesystem) inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	f, problems := filesystemOf(req.Target)
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %s", problems[0].Summary, problems[0].Detail)
	}
	resp := &providers.InspectResponse{}
	for _, address := range hosts(req.Target) {
		h, err := dial(ctx, address)
		if err != nil {
			return nil, err
		}
		found, err := f.find(ctx, h)
		if closing := h.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return nil, err
		}
		standing, detail := f.standing(found)
		switch {
		case resp.Standing == "" || standing == providers.Foreign:
			resp.Standing = standing
		case resp.Standing != standing && resp.Standing != providers.Foreign:
			resp.Standing = providers.Partial
		}
		if detail != "" {
			resp.Detail += at(address) + detail
		}
	}
	return resp, nil
}

func (f fsConfig) standing(found *fsFound) (providers.Standing, string) {
	switch {
	case found.foreign != "":
		return providers.Foreign, found.foreign
	case found.other != "":
		return providers.Foreign, found.other
	case found.ours == 0 && found.mounted:
		return providers.Foreign, "what is mounted at " + f.path + " does not bear the label " + f.label
	case found.ours == 0:
		return providers.Absent, ""
	case found.ours < len(f.devices):
		return providers.Partial, fmt.Sprintf("%d of %d devices bear the label %s", found.ours, len(f.devices), f.label)
	case !found.mounted:
		return providers.Dormant, f.path + " is not mounted"
	}
	return providers.Stands, ""
}
