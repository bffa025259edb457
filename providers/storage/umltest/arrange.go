package umltest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// modulesDir is where Debian puts the kernel's modules; modprobe finds them below root.
const (
	modulesDir = "/usr/lib/uml/modules"
	root       = "/run/uml"
)

// arrange makes a machine, from within, what Machine says.
func arrange(m Machine) error {
	// What a machine writes to lies in memory: it begins empty. Its own packages and this machine's are not looked for there.
	for _, at := range []struct{ kind, path string }{{"tmpfs", "/dev/shm"}, {"devpts", "/dev/pts"}, {"tmpfs", "/var/lib"}, {"tmpfs", "/var/tmp"}, {"tmpfs", "/mnt"}} {
		if err := os.MkdirAll(at.path, 0o755); err != nil {
			return err
		}
		if within(at.path, os.Getenv(inside)) {
			continue
		}
		if err := unix.Mount(at.kind, at.path, at.kind, 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", at.path, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "lib"), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(modulesDir, filepath.Join(root, "lib/modules")); err != nil {
		return err
	}
	// The kernel asks for modules by itself, through a program that knows where they are.
	modprobe := filepath.Join(root, "modprobe")
	if err := errors.Join(
		os.WriteFile(modprobe, []byte("#!/bin/sh\nexec /sbin/modprobe -d "+root+" \"$@\"\n"), 0o755),
		os.WriteFile("/proc/sys/kernel/modprobe", []byte(modprobe), 0o644),
		command("ip", "link", "set", "lo", "up"),
		command(modprobe, append([]string{"-a", "raid0", "raid1", "raid10", "raid456", "loop"}, m.Modules...)...),
	); err != nil {
		return err
	}
	if m.Udev {
		if err := udev(); err != nil {
			return err
		}
	}
	if m.SCSI > 0 {
		size := m.SCSIMiB
		if size == 0 {
			size = 16
		}
		if err := command(modprobe, "-a", "sd_mod", "sg"); err != nil {
			return err
		}
		// A store and an identity for each: without these they would share one.
		if err := command(modprobe, "scsi_debug", "per_host_store=1", "add_host="+strconv.Itoa(m.SCSI), "vpd_use_hostno=1",
			"num_tgts=1", "max_luns=1", "delay=0", "dev_size_mb="+strconv.Itoa(size)); err != nil {
			return err
		}
	}
	if m.Udev {
		return errors.Join(command("udevadm", "trigger"), command("udevadm", "settle"))
	}
	return nil
}

// within reports whether a path lies below a folder.
func within(folder, path string) bool { return strings.HasPrefix(path, folder+"/") }

func udev() error {
	for _, path := range []string{"/usr/lib/systemd/systemd-udevd", "/lib/systemd/systemd-udevd"} {
		if _, err := os.Stat(path); err == nil {
			return command(path, "--daemon")
		}
	}
	return errors.New("there is no systemd-udevd; install Debian's package udev")
}

func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
