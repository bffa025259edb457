package fio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// A precondition is known by marks: beside each of its files, and of devices, on which there is no room for one, in /var/tmp. There it says which
// devices they were and since when the host has run, so that another disk, or a boot, makes it void.

// markSuffix is what the mark of a file is called after it.
const markSuffix = ".preconditioned"

// marks are the files that say that the thing with that id stands.
func (p place) marks(id string) []string {
	if len(p.devices) > 0 {
		return []string{"/var/tmp/" + filePrefix + id + markSuffix}
	}
	out := make([]string, len(p.files))
	for i, f := range p.files {
		out[i] = f + markSuffix
	}
	return out
}

// removeArgv takes away the files and all marks.
func removeArgv(p place, id string) []string {
	return append([]string{"rm", "-f", "--"}, append(p.marks(id), p.files...)...)
}

// sign is what a mark says.
func (p place) sign(ctx context.Context, h host.Host, id string) ([]byte, error) {
	lines := []string{"assay precondition " + id}
	if len(p.devices) > 0 {
		boot, err := h.ReadFile(ctx, "/proc/sys/kernel/random/boot_id")
		if err != nil {
			return nil, fmt.Errorf("fio: reading when %s was started: %w", hostName(h.Address()), err)
		}
		lines = append(lines, "boot "+strings.TrimSpace(string(boot)))
	}
	for _, dev := range p.devices {
		var out bytes.Buffer
		res, err := h.Run(ctx, host.Cmd{Argv: []string{"realpath", "-e", "--", dev}, Stdout: &out})
		if err != nil {
			return nil, fmt.Errorf("fio: looking at %s on %s: %w", dev, hostName(h.Address()), err)
		}
		name := path.Base(strings.TrimSpace(out.String()))
		if res.Code != 0 || name == "." {
			return nil, nil // it is gone, and what was on it
		}
		seq, err := h.ReadFile(ctx, path.Join("/sys/class/block", name, "diskseq")) // Linux 5.15; a number that no other disk of this boot has
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("fio: looking at %s on %s: %w", dev, hostName(h.Address()), err)
		}
		lines = append(lines, fmt.Sprintf("device %s is %s, disk %s", dev, name, strings.TrimSpace(string(seq))))
	}
	return []byte(strings.Join(lines, "\n") + "\n"), nil
}

// mark says that a thing stands.
func (p place) mark(ctx context.Context, h host.Host, id string) error {
	text, err := p.sign(ctx, h, id)
	if err != nil {
		return err
	}
	for _, m := range p.marks(id) {
		if err := h.WriteFile(ctx, m, text, 0o644); err != nil {
			return fmt.Errorf("fio: writing the mark %s on %s: %w", m, hostName(h.Address()), err)
		}
	}
	return nil
}

// Inspect implements providers.Provider: a precondition stands where all of its marks are, and say what they would say now. Files of assay's
// without that are a part of one; what is on a device without it cannot be told.
func (p *provider) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	if req.Type != preconditionType {
		return nil, errNoThings
	}
	where := placeOf(req.Target)
	states := make([]providers.Standing, len(hostsOf(req.Target)))
	err := onEach(ctx, req.Target, func(ctx context.Context, i int) error {
		h, err := p.open(ctx, hostsOf(req.Target)[i])
		if err != nil {
			return err
		}
		states[i], err = where.standing(ctx, h, req.ID)
		return errors.Join(err, h.Close())
	})
	if err != nil {
		return nil, err
	}
	resp := &providers.InspectResponse{Standing: states[0]}
	for _, s := range states[1:] {
		if s != resp.Standing {
			resp.Standing, resp.Detail = providers.Partial, "it does not stand alike on all hosts"
		}
	}
	return resp, nil
}

func (p place) standing(ctx context.Context, h host.Host, id string) (providers.Standing, error) {
	want, err := p.sign(ctx, h, id)
	if err != nil {
		return "", err
	}
	whole, any := want != nil, false
	for i, m := range p.marks(id) {
		text, err := h.ReadFile(ctx, m)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("fio: reading the mark %s on %s: %w", m, hostName(h.Address()), err)
		}
		whole, any = whole && bytes.Equal(text, want), any || err == nil
		if len(p.files) == 0 {
			continue
		}
		_, err = h.Stat(ctx, p.files[i])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("fio: looking at %s on %s: %w", p.files[i], hostName(h.Address()), err)
		}
		whole, any = whole && err == nil, any || err == nil
	}
	switch {
	case whole:
		return providers.Stands, nil
	case any:
		return providers.Partial, nil
	}
	return providers.Absent, nil
}
