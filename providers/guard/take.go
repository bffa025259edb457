package guard

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// Run runs one command on the host at hand; what it prints is kept under the name. A status other than 0 is an error.
type Run func(ctx context.Context, name string, argv []string) error

// Take makes the paths of a thing's disks on one host lead to the disks, and marks them with its id. Every disk is asked for before anything
// is done, and must be the one that the plan showed. Sandbox disks are made. What the thing has taken before is
// only found again: after a restart of the machine the links are new, and nothing on the disks is touched. An error that is a *Refusal says why
// a disk is not taken.
func Take(ctx context.Context, h host.Host, req providers.ThingRequest, refs []Ref, run Run) error {
	refs = here(h.Address(), req.Expect, refs)
	marks := make([]*mark, len(refs))
	for i, r := range refs {
		var err error
		if marks[i], err = readMark(ctx, h, r); err != nil {
			return err
		}
		if m := marks[i]; m != nil && m.Thing != req.ID {
			return ofAnother(nil, &Device{Name: r.what()}, Question{Ref: r, Thing: req.ID, Owner: m.Thing})
		}
	}
	p, err := Gather(ctx, h)
	if err != nil {
		return err
	}
	for i, r := range refs {
		if r.Sandbox != "" {
			continue
		}
		d, q, err := p.ask(h.Address(), req, r, marks[i])
		if err != nil {
			return err
		}
		if !q.Whole {
			if no := p.Refuse(d, q); no != nil {
				return no
			}
		}
	}
	made := false
	for i, r := range refs {
		m := marks[i]
		if m == nil {
			m = &mark{Thing: req.ID, Disk: r.ID}
			if r.Sandbox != "" {
				m.File = r.file(req.ID)
			} else {
				d, err := p.Claim(r)
				if err != nil {
					return err
				}
				id := p.identity(d, r)
				m.Identity = &id
			}
			if err := newMark(ctx, h, r, *m, run); err != nil {
				return err
			}
		}
		if r.Sandbox != "" {
			now, err := makeSandbox(ctx, p, r, req.ID, m.Whole, run)
			if err != nil {
				return err
			}
			made = made || now
		}
	}
	if made { // to see the loops
		if p, err = Gather(ctx, h); err != nil {
			return err
		}
	}
	for _, r := range refs {
		d, err := p.device(r, req.ID)
		if err != nil {
			return err
		}
		if p.nodes[r.Path()] == d.Number {
			continue
		}
		if err := run(ctx, "mkdir-links-"+r.name(), []string{"mkdir", "-p", "--", linkDir}); err != nil {
			return err
		}
		if err := run(ctx, "ln-"+r.name(), []string{"ln", "-s", "-f", "-n", "--", d.Path(), r.Path()}); err != nil {
			return err
		}
	}
	return nil
}

// newMark writes a mark. Another run may just be removing the directory that was empty.
func newMark(ctx context.Context, h host.Host, r Ref, m mark, run Run) error {
	var errs []error
	for try := 1; try <= 3; try++ {
		name := fmt.Sprintf("mkdir-marks-%s-%d", r.name(), try)
		err := run(ctx, name, []string{"mkdir", "-p", "--", markDir})
		if err == nil {
			if err = writeMark(ctx, h, r, m); err == nil {
				return nil
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// ask finds a disk again, and makes the question about it.
func (p *Picture) ask(address string, req providers.ThingRequest, r Ref, m *mark) (*Device, Question, error) {
	q := Question{Ref: r, Thing: req.ID, Erase: req.Erase}
	if m != nil {
		q.Owner, q.Whole = m.Thing, m.Whole
	}
	if r.Sandbox != "" {
		q.File = r.file(req.ID)
	} else if text := req.Expect[expectKey(address, r)]; text != "" {
		var err error
		if q.Planned, err = readIdentity(text); err != nil {
			return nil, q, err
		}
	} else {
		return nil, q, refuse("Disk was not planned", "the plan did not look at %s; plan again", r.what())
	}
	d, err := p.device(r, req.ID)
	if err != nil {
		return nil, q, err
	}
	if q.Planned != nil {
		if no := hasChanged(p, d, q); no != nil {
			return nil, q, no
		}
	}
	return d, q, nil
}

// device finds the device of a disk: by its identity, or the loop over its file.
func (p *Picture) device(r Ref, thing string) (*Device, error) {
	if r.Sandbox == "" {
		return p.Claim(r)
	}
	var found *Device
	for _, n := range p.names() {
		if d := p.Devices[n]; d.loop() && d.Backing == r.file(thing) {
			if found != nil {
				return nil, refuse("Disk is in use", "%s and %s are loops over one file, %s; detach one of them (losetup -d)", found.Name, d.Name, d.Backing)
			}
			found = d
		}
	}
	if found == nil {
		return nil, refuse("No such disk", "no loop device lies over %s", r.file(thing))
	}
	return found, nil
}

// Disk is one that was taken.
type Disk struct {
	Ref
	Device     string   // /dev/sdb
	Partitions []string // likewise
	Found      *Device
}

// Recheck looks at disks that were taken, right before a command that erases them: whether their paths lead to the disks that the plan
// showed, whether they bear the thing's mark, and whether they may still be erased. Where the thing is whole, what is on them is its own. A disk
// that is not there any more is an error for which Gone is true.
func Recheck(ctx context.Context, h host.Host, req providers.ThingRequest, refs ...Ref) ([]Disk, error) {
	p, err := Gather(ctx, h)
	if err != nil {
		return nil, err
	}
	var out []Disk
	for _, r := range here(h.Address(), req.Expect, refs) {
		m, err := readMark(ctx, h, r)
		if err != nil {
			return nil, err
		}
		if m == nil {
			return nil, refuse("Disk is not marked", "%s does not bear the mark of %s any more (%s); somebody else has removed it", r.what(), req.ID, r.mark())
		}
		d, q, err := p.ask(h.Address(), req, r, m)
		if err != nil {
			return nil, err
		}
		if got := p.nodes[r.Path()]; got != d.Number {
			return nil, refuse("Link leads elsewhere", "%s leads to %s and not to %s (%s); somebody else has changed it", r.Path(), orNone(got), d.Path(), d.Number)
		}
		if no := p.Refuse(d, q); no != nil {
			return nil, no
		}
		disk := Disk{Ref: r, Device: d.Path(), Found: d}
		for _, x := range p.parts(d)[1:] {
			disk.Partitions = append(disk.Partitions, x.Path())
		}
		out = append(out, disk)
	}
	return out, nil
}

// Gone reports that an error says of a disk that it is not there.
func Gone(err error) bool {
	var absent *notFound
	return errors.As(err, &absent)
}

// Done says that the thing is whole: from now on what is on its disks is its own.
func Done(ctx context.Context, h host.Host, req providers.ThingRequest, refs []Ref) error {
	for _, r := range here(h.Address(), req.Expect, refs) {
		m, err := readMark(ctx, h, r)
		if err != nil {
			return err
		}
		if m == nil || m.Thing != req.ID {
			return refuse("Disk is not marked", "%s does not bear the mark of %s any more (%s)", r.what(), req.ID, r.mark())
		}
		if m.Whole {
			continue
		}
		m.Whole = true
		if err := writeMark(ctx, h, r, *m); err != nil {
			return err
		}
	}
	return nil
}
