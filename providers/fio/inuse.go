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

// writesTo says whether a target's device is written to.
func writesTo(t providers.Target) bool {
	if t.Type != jobsType {
		return config{t.Config}.directions()[0] == "write" || len(config{t.Config}.directions()) > 1
	}
	for _, j := range expectedJobs(t) {
		if j.Directions[0] == "write" || len(j.Directions) > 1 {
			return true
		}
	}
	return false
}

// unused fails where a device is in use, right before it is written to. Whether it may be erased the setup that promised it has found out; since
// then something may have been put on it, such as a file system of the same spec. fio's own look compares names, so that through a symbolic link
// it overwrites a mounted file system and exits with 0 (tried on 3.33).
func unused(ctx context.Context, h host.Host, dev string) error {
	failed := func(what string, err error) error {
		return fmt.Errorf("fio: %s of %s on %s: %w", what, dev, hostName(h.Address()), err)
	}
	var out bytes.Buffer
	if _, err := h.Run(ctx, host.Cmd{Argv: []string{"realpath", "-e", "--", dev}, Stdout: &out}); err != nil {
		return failed("looking for the node", err)
	}
	node := strings.TrimSpace(out.String())
	sys := path.Join("/sys/class/block", path.Base(node))
	number, err := h.ReadFile(ctx, path.Join(sys, "dev"))
	if err != nil {
		return failed("reading the number", err)
	}
	numbers := map[string]string{strings.TrimSpace(string(number)): node} // of it, and of its partitions
	entries, err := h.ReadDir(ctx, sys+"/")
	if err != nil {
		return failed("looking for partitions", err)
	}
	for _, e := range entries {
		n, err := h.ReadFile(ctx, path.Join(sys, e.Name, "partition"))
		if err != nil || len(n) == 0 {
			continue
		}
		if n, err = h.ReadFile(ctx, path.Join(sys, e.Name, "dev")); err == nil {
			numbers[strings.TrimSpace(string(n))] = "its partition " + e.Name
		}
	}
	holders, err := h.ReadDir(ctx, path.Join(sys, "holders"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("looking for holders", err)
	}
	if len(holders) > 0 {
		return fmt.Errorf("fio: %s on %s is part of %s, so it is not written to", dev, hostName(h.Address()), holders[0].Name)
	}
	mounts, err := h.ReadFile(ctx, "/proc/self/mountinfo")
	if err != nil {
		return failed("reading the mounts", err)
	}
	for _, line := range strings.Split(string(mounts), "\n") {
		// 36 35 98:0 /mnt1 /mnt2 rw …: proc_pid_mountinfo(5). btrfs has numbers of its own, and names the device after the dash.
		fields := strings.Fields(line)
		if len(fields) < 7 {
			continue
		}
		what, mounted := numbers[fields[2]]
		if _, after, ok := strings.Cut(line, " - "); !mounted && ok {
			if rest := strings.Fields(after); len(rest) > 1 && rest[1] == node {
				what, mounted = node, true
			}
		}
		if mounted {
			return fmt.Errorf("fio: %s on %s is not written to, since %s is mounted at %s", dev, hostName(h.Address()), what, fields[4])
		}
	}
	filesystems, err := h.ReadDir(ctx, "/sys/fs/btrfs") // of several devices, the mount names one
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("looking for btrfs", err)
	}
	for _, f := range filesystems {
		if _, err := h.Stat(ctx, path.Join("/sys/fs/btrfs", f.Name, "devices", path.Base(node))); err == nil {
			return fmt.Errorf("fio: %s on %s is part of the mounted btrfs %s, so it is not written to", dev, hostName(h.Address()), f.Name)
		}
	}
	swaps, err := h.ReadFile(ctx, "/proc/swaps")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("reading the swaps", err)
	}
	for _, line := range strings.Split(string(swaps), "\n") {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == node {
			return fmt.Errorf("fio: %s on %s is swap, so it is not written to", dev, hostName(h.Address()))
		}
	}
	return nil
}
