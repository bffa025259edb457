package guard

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// Look says whether the disks of a thing on one host are taken, and by whom; it changes nothing. Dormant: they are its own and whole, but the
// paths do not lead to them, since the machine was started anew. Of what the thing made of them it knows nothing.
func Look(ctx context.Context, h host.Host, req providers.ThingRequest, refs []Ref) (providers.Standing, string, error) {
	refs = here(h.Address(), req.Expect, refs)
	var marks []*mark
	ours, whole := 0, 0
	for _, r := range refs {
		m, err := readMark(ctx, h, r)
		switch {
		case err != nil:
			return "", "", err
		case m != nil && m.Thing != req.ID:
			return providers.Foreign, fmt.Sprintf("%s bears the mark of the thing %s", r.what(), m.Thing), nil
		case m != nil:
			ours++
			if m.Whole {
				whole++
			}
		}
		marks = append(marks, m)
	}
	switch {
	case ours == 0:
		return providers.Absent, "", nil
	case whole < len(refs):
		return providers.Partial, fmt.Sprintf("of %d disks %d are taken and %d were finished", len(refs), ours, whole), nil
	}
	p, err := Gather(ctx, h)
	if err != nil {
		return "", "", err
	}
	var asleep []string
	for i, r := range refs {
		d, _, err := p.ask(h.Address(), req, r, marks[i])
		switch {
		case err != nil && r.Sandbox != "":
			if _, err := h.Stat(ctx, r.file(req.ID)); err != nil {
				return providers.Partial, "the file of " + r.what() + " is gone", nil
			}
			asleep = append(asleep, r.Path())
		case err != nil:
			return providers.Partial, err.Error(), nil
		case p.nodes[r.Path()] != d.Number:
			asleep = append(asleep, r.Path())
		}
	}
	if len(asleep) > 0 {
		return providers.Dormant, strings.Join(asleep, ", ") + " lead nowhere", nil
	}
	return providers.Stands, "", nil
}

// Drop gives the disks of a thing on one host back: sandbox disks go with all that is on them, then links and marks. What is on other
// disks stays as it is. What does not bear the thing's mark is not touched. It accepts what was taken in part.
func Drop(ctx context.Context, h host.Host, req providers.ThingRequest, refs []Ref, run Run) error {
	var mine []Ref
	for _, r := range here(h.Address(), req.Expect, refs) {
		m, err := readMark(ctx, h, r)
		if err != nil {
			return err
		}
		if m != nil && m.Thing == req.ID {
			mine = append(mine, r)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	dirs := []string{linkDir, markDir}
	var files, rest []string
	for _, r := range mine {
		rest = append(rest, r.Path(), r.mark())
		if r.Sandbox == "" {
			continue
		}
		files = append(files, r.file(req.ID))
		if dir := r.dir(req.ID); dirs[0] != dir {
			dirs = append([]string{dir}, dirs...)
		}
	}
	if err := detach(ctx, h, files, run); err != nil {
		return err
	}
	if err := run(ctx, "rm", append([]string{"rm", "-f", "--"}, append(files, rest...)...)); err != nil {
		return err
	}
	for i, dir := range dirs {
		if _, err := h.Stat(ctx, dir); err != nil {
			continue // it was never made
		}
		if err := run(ctx, fmt.Sprintf("rmdir-%d", i+1), []string{"rmdir", "--ignore-fail-on-non-empty", "--", dir}); err != nil {
			if _, gone := h.Stat(ctx, dir); gone == nil {
				return err
			}
		}
	}
	return nil
}

// stillOpen is how long a detached loop device may be there: whoever looks at all devices of a machine has each open for a moment.
const stillOpen = 5 * time.Second

// detach takes the loop devices over files away. losetup says nothing where one is still in use, so it is looked at again.
func detach(ctx context.Context, h host.Host, files []string, run Run) error {
	if len(files) == 0 {
		return nil
	}
	for try, began := 0, time.Now(); ; try++ {
		p, err := Gather(ctx, h)
		if err != nil {
			return err
		}
		left := ""
		for _, n := range p.names() {
			d := p.Devices[n]
			for _, f := range files {
				if !d.loop() || strings.TrimSuffix(d.Backing, " (deleted)") != f {
					continue
				}
				left = d.Name
				if try == 0 {
					if err := run(ctx, "losetup-"+path.Base(d.Name), []string{"losetup", "--detach", d.Path()}); err != nil {
						return err
					}
				}
			}
		}
		if left == "" {
			return nil
		}
		if try > 0 && time.Since(began) > stillOpen {
			return fmt.Errorf("the loop device %s was detached and is still there: something has it open; end that first", left)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
