package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

func (filesystem) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	f, problems := filesystemOf(req.Target)
	if len(problems) > 0 {
		return fmt.Errorf("%s: %s", problems[0].Summary, problems[0].Detail)
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		found, err := f.find(ctx, w)
		if err != nil {
			return err
		}
		for _, d := range f.devices {
			if found.kernels[d] == "" {
				return fmt.Errorf("%s is not there", d)
			}
		}
		switch standing, why := f.standing(found); standing {
		case providers.Foreign:
			return errors.New(why)
		case providers.Stands:
			return nil
		case providers.Absent:
			if err := f.place(ctx, w); err != nil {
				return err
			}
			if err := w.run(ctx, "mkfs", f.mkfsArgv()); err != nil {
				return err
			}
		case providers.Partial:
			return fmt.Errorf("%s; take it away first", why)
		}
		if req.Expect[f.stays(w.Address())] != willStay {
			if err := w.run(ctx, "mkdir", []string{"mkdir", "-p", "--", f.path}); err != nil {
				return err
			}
		}
		if err := w.run(ctx, "mount", f.mountArgv()); err != nil {
			return err
		}
		if found, err = f.find(ctx, w); err != nil {
			return err
		}
		if standing, why := f.standing(found); standing != providers.Stands {
			return fmt.Errorf("%s is %s after it was mounted: %s", f.path, standing, why)
		}
		return f.geometry(ctx, w, found.kernels[f.devices[0]])
	})
}

// place refuses a mount point below which something would be hidden.
func (f fsConfig) place(ctx context.Context, w worker) error {
	if !f.own {
		if _, err := resolve(ctx, w, f.path); err != nil {
			return err
		}
	}
	info, err := w.Stat(ctx, f.path)
	if isAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode.IsDir() {
		return fmt.Errorf("%s is no directory, so nothing is mounted there", f.path)
	}
	entries, err := w.ReadDir(ctx, f.path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: %s would be hidden; give another path", f.path, entries[0].Name)
	}
	return err
}

var (
	xfsGeometry  = regexp.MustCompile(`(?s)data\s+=\s+bsize=(\d+).*?sunit=(\d+)\s+swidth=(\d+) blks`)
	ext4Geometry = regexp.MustCompile(`(?s)Block size:\s+(\d+).*?RAID stride:\s+(\d+).*?RAID stripe width:\s+(\d+)`)
)

// xfsSmall is the size below which mkfs.xfs does not ask the kernel for a stripe.
const xfsSmall = 1 << 30

// geometry compares the stripe that the file system knows, in bytes, with that of the array.
func (f fsConfig) geometry(ctx context.Context, w worker, kernel string) error {
	chunk, stripe := f.su, f.su*f.sw
	if chunk == 0 {
		if _, err := w.Stat(ctx, "/sys/class/block/"+kernel+"/md"); isAbsent(err) {
			return nil // nobody knows better
		} else if err != nil {
			return err
		}
		var err error
		if chunk, err = w.sysNumber(ctx, kernel, "queue/minimum_io_size"); err != nil {
			return err
		}
		if stripe, err = w.sysNumber(ctx, kernel, "queue/optimal_io_size"); err != nil || stripe == 0 {
			return err
		}
	}
	argv, form := []string{"xfs_info", f.path}, xfsGeometry
	switch f.kind {
	case btrfs:
		return nil // it takes none
	case ext4:
		argv, form = []string{"dumpe2fs", "-h", f.devices[0]}, ext4Geometry
	}
	var said bytes.Buffer
	if err := (worker{Host: w.Host, sink: tee{w.sink, &said}, suffix: w.suffix}).run(ctx, "geometry", argv); err != nil {
		return err
	}
	m := form.FindStringSubmatch(said.String())
	if m == nil {
		return fmt.Errorf("%s does not say which stripe %s has; it was to be %d B of %d B", strings.Join(argv, " "), f.path, stripe, chunk)
	}
	block, _ := strconv.ParseInt(m[1], 10, 64)
	su, _ := strconv.ParseInt(m[2], 10, 64)
	sw, _ := strconv.ParseInt(m[3], 10, 64)
	if su == 0 && sw == 0 && f.su == 0 {
		if sectors, err := w.sysNumber(ctx, kernel, "size"); err != nil || sectors < xfsSmall/512 {
			w.sink.Progress(-1, "mkfs gives a file system as small as this no stripe of its own accord")
			return err
		}
	}
	if su*block != chunk || sw*block != stripe {
		return fmt.Errorf("the file system at %s has stripes of %d B in chunks of %d B, and the array has %d B in %d B", f.path, sw*block, su*block, stripe, chunk)
	}
	return nil
}

// sysNumber reads a number that the kernel says of a block device.
func (w worker) sysNumber(ctx context.Context, kernel, name string) (int64, error) {
	file := path.Join("/sys/class/block", kernel, name)
	raw, err := w.ReadFile(ctx, file)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return n, nil
}

// tee is a sink that keeps what a command says on standard output.
type tee struct {
	providers.Sink
	to *bytes.Buffer
}

// Artifact implements providers.Sink.
func (t tee) Artifact(name string) (io.WriteCloser, error) {
	w, err := t.Sink.Artifact(name)
	if err != nil || !strings.HasSuffix(name, ".stdout") {
		return w, err
	}
	return struct {
		io.Writer
		io.Closer
	}{io.MultiWriter(w, t.to), w}, nil
}

func (filesystem) release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	f, problems := filesystemOf(req.Target)
	if len(problems) > 0 {
		return fmt.Errorf("%s: %s", problems[0].Summary, problems[0].Detail)
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		found, err := f.find(ctx, w)
		if err != nil {
			return err
		}
		standing, why := f.standing(found)
		if standing == providers.Foreign {
			return fmt.Errorf("%s, so it stays", why)
		}
		if found.mounted {
			if err := w.run(ctx, "umount", f.umountArgv()); err != nil {
				return err
			}
			if found, err = f.find(ctx, w); err != nil {
				return err
			}
			if found.mounted {
				return fmt.Errorf("%s is still mounted after umount", f.path)
			}
		}
		if found.ours > 0 {
			if err := w.run(ctx, "wipefs", f.wipeArgv()); err != nil {
				return err
			}
			if found, err = f.find(ctx, w); err != nil {
				return err
			}
			if found.ours > 0 {
				return fmt.Errorf("%s still bears the label %s after wipefs", f.devices[0], f.label)
			}
		}
		if standing == providers.Absent && !f.own || req.Expect[f.stays(w.Address())] == willStay {
			return nil
		}
		return f.unplace(ctx, w)
	})
}

// unplace takes the mount point away, where it is empty.
func (f fsConfig) unplace(ctx context.Context, w worker) error {
	dirs := []string{f.path}
	if f.own {
		dirs = append(dirs, mountsDir)
	}
	for i, dir := range dirs {
		if _, err := w.Stat(ctx, dir); isAbsent(err) {
			continue
		} else if err != nil {
			return err
		}
		if err := w.run(ctx, "rmdir-"+strconv.Itoa(i+1), []string{"rmdir", "--ignore-fail-on-non-empty", "--", dir}); err != nil {
			return err
		}
	}
	return nil
}
