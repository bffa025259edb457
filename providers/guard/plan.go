package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// Planned is what taking disks and giving them back will do.
type Planned struct {
	Take []providers.Command // before the thing's own commands
	Drop []providers.Command // after them
	// Found are the devices, by host and disk (its ID), of disks that are not in a sandbox; empty offline.
	Found map[string]map[string]*Device
}

// Plan finds the disks of a thing on its hosts, each on just one of them and sandbox disks on each, and asks whether they may be erased.
// To the answer it adds problems, about the attribute that names the disks, claims, what is erased, and under Expect the identity of each disk, which
// Take and Recheck compare. Offline nothing is looked at.
func Plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest, attribute string, refs []Ref, resp *providers.PlanResponse) (*Planned, error) {
	if resp.Expect == nil {
		resp.Expect = map[string]string{}
	}
	pl := &planner{req: req, attribute: attribute, resp: resp, out: &Planned{Found: map[string]map[string]*Device{}}, found: map[string][]string{}, device: map[string]Ref{}}
	pl.slices(refs)
	for _, address := range hosts(req.Target) {
		if !req.Offline {
			if err := pl.look(ctx, dial, address, refs); err != nil {
				return nil, err
			}
		}
		pl.commands(address, refs)
	}
	pl.everyOne(refs)
	return pl.out, nil
}

type planner struct {
	req       providers.PlanRequest
	attribute string
	resp      *providers.PlanResponse
	out       *Planned
	found     map[string][]string // disk → hosts
	device    map[string]Ref      // host and device → who has it
	missing   map[string]*Refusal // disk → why it was not found
}

func (pl *planner) problem(address string, r *Refusal) {
	if address != "" {
		r = &Refusal{r.Summary, address + ": " + r.Detail}
	}
	pl.resp.Problems = append(pl.resp.Problems, providers.Problem{Attribute: pl.attribute, Summary: r.Summary, Detail: sentence(r.Detail)})
}

func sentence(s string) string { return s + "." }

// slices refuses sandbox disks that cannot be made.
func (pl *planner) slices(refs []Ref) {
	for _, r := range refs {
		if r.Sandbox != "" && (r.Capacity < 1<<20 || r.Capacity%4096 != 0) {
			pl.problem("", refuse("Odd capacity", "sandbox disks are of at least 1 MiB, in whole blocks of 4 KiB, and disks %q are of %d B", r.Group, r.Capacity))
			return
		}
	}
}

// look looks at one host.
func (pl *planner) look(ctx context.Context, dial host.Dialer, address string, refs []Ref) error {
	h, err := dial(ctx, address)
	if err != nil {
		return err
	}
	var p *Picture
	for _, r := range refs {
		owner, markErr := readMark(ctx, h, r)
		if err = markErr; err != nil {
			break
		}
		if r.Sandbox != "" {
			if err = pl.sandbox(ctx, h, r); err != nil {
				break
			}
			continue
		}
		if p == nil {
			if p, err = Gather(ctx, h); err != nil {
				break
			}
		}
		pl.disk(address, p, r, owner)
	}
	return errors.Join(err, h.Close())
}

// disk finds one disk on one host.
func (pl *planner) disk(address string, p *Picture, r Ref, m *mark) {
	d, err := p.Claim(r)
	var absent *notFound
	var no *Refusal
	switch {
	case errors.As(err, &absent):
		if pl.missing == nil {
			pl.missing = map[string]*Refusal{}
		}
		pl.missing[r.name()] = absent.Refusal
		return
	case errors.As(err, &no):
		pl.found[r.name()] = append(pl.found[r.name()], address)
		pl.problem(address, no)
		return
	}
	pl.found[r.name()] = append(pl.found[r.name()], address)
	if other, twice := pl.device[address+" "+d.Name]; twice {
		pl.problem(address, refuse("Disk given twice", "%s and %s are one disk, %s", other.ID, r.ID, d.Name))
		return
	}
	pl.device[address+" "+d.Name] = r
	q := Question{Ref: r, Erase: pl.req.Erase}
	whole := m != nil && m.Whole
	if m != nil && !whole {
		pl.resp.Problems = append(pl.resp.Problems, providers.Problem{
			Warning: true, Attribute: pl.attribute, Summary: "Disk is in use",
			Detail: fmt.Sprintf("%s bears the mark of %s: a run that still goes on, or one that did not tidy up. If this is the same thing it is taken over, else apply refuses.", r.what(), m.Thing),
		})
	}
	if m != nil { // whose it is, is known once the thing has an id: then Inspect and Take see to it
		q.Thing, q.Owner, q.Whole = m.Thing, m.Thing, whole
	}
	if whole {
		// What stands on it is assay's, and holds it: that it may be erased is asked when it has been taken away.
		if no := otherNode(p, d, q); no != nil {
			pl.problem(address, no)
		}
	} else if no := p.Refuse(d, q); no != nil {
		pl.problem(address, no)
		return
	}
	if pl.out.Found[address] == nil {
		pl.out.Found[address] = map[string]*Device{}
	}
	pl.out.Found[address][r.ID] = d
	id := p.identity(d, r)
	pl.resp.Expect[expectKey(address, r)] = id.text()
	pl.resp.Claims = append(pl.resp.Claims, providers.Claim{Name: claim(id), Standing: true})
	e := providers.Erase{Host: address, Device: d.Path(), Serial: id.Serial, WWN: id.WWN, Model: d.Model, Size: d.Size, Holds: p.holds(d)}
	if whole {
		e.Holds = "what assay has put there (" + m.Thing + ")"
	} else {
		e.Found = len(p.on(d)) > 0
	}
	pl.resp.Erases = append(pl.resp.Erases, e)
}

// claim names a disk by what it says of itself, whatever a spec names it by.
func claim(id Identity) string {
	if id.Serial != "" {
		return "disk:" + strings.ToLower(id.Serial)
	}
	return "disk:" + plain(id.WWN)
}

// sandbox asks whether sandbox disks can be made on a host.
func (pl *planner) sandbox(ctx context.Context, h host.Host, r Ref) error {
	info, err := h.Stat(ctx, r.Sandbox)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		pl.once(h.Address(), refuse("No sandbox directory", "%s does not exist; make it, or name another directory", r.Sandbox))
		return nil
	case err != nil:
		return err
	case !info.Mode.IsDir():
		pl.once(h.Address(), refuse("No sandbox directory", "%s is not a directory; name one", r.Sandbox))
		return nil
	}
	var out bytes.Buffer
	if _, err := h.Run(ctx, host.Cmd{Argv: []string{"id", "-u"}, Stdout: &out}); err != nil {
		return err
	}
	if strings.TrimSpace(out.String()) != "0" {
		pl.once(h.Address(), refuse("Only root makes loop devices", `sandbox disks are loop devices, which only root can make: run as root, or set become = "sudo" in hardware`))
	}
	return nil
}

// once reports what is the same for all disks of a group.
func (pl *planner) once(address string, r *Refusal) {
	before := len(pl.resp.Problems)
	pl.problem(address, r)
	if last := pl.resp.Problems[before]; slices.Contains(pl.resp.Problems[:before], last) {
		pl.resp.Problems = pl.resp.Problems[:before]
	}
}

// everyOne demands that each disk was found on one host, and offline claims what the spec names.
func (pl *planner) everyOne(refs []Ref) {
	for _, r := range refs {
		on := pl.found[r.name()]
		switch {
		case r.Sandbox != "":
			pl.resp.Claims = append(pl.resp.Claims, providers.Claim{Name: "disk:" + r.Sandbox + "/" + r.ID, Standing: true})
		case pl.req.Offline:
			pl.resp.Claims = append(pl.resp.Claims, providers.Claim{Name: claim(Identity{Serial: r.Serial, WWN: r.WWN}), Standing: true})
			pl.resp.Erases = append(pl.resp.Erases, providers.Erase{Host: hosts(pl.req.Target)[0], Device: r.Path(), Serial: r.Serial, WWN: r.WWN, Model: r.Model, Size: r.Capacity})
		case len(on) == 0:
			pl.problem("", pl.missing[r.name()])
		case len(on) > 1:
			pl.problem("", refuse("Disk is not unique", "%s have a disk with the %s: one of them is a copy, and none is touched", strings.Join(on, " and "), r.identity()))
		}
	}
}

// commands adds what Take and Drop will do on one host.
func (pl *planner) commands(address string, refs []Ref) {
	add := func(list *[]providers.Command, argv ...string) {
		*list = append(*list, providers.Command{On: address, Argv: argv})
	}
	manual := func(list *[]providers.Command, text string, args ...any) {
		*list = append(*list, providers.Command{On: address, Manual: fmt.Sprintf(text, args...)})
	}
	mine := refs
	if !pl.req.Offline {
		mine = here(address, pl.resp.Expect, refs)
	}
	for _, r := range mine {
		const id = "ID" // of the thing, which is not known yet
		manual(&pl.out.Take, "see that %s may be erased, and write the mark %s", r.what(), r.mark())
		if r.Sandbox != "" {
			add(&pl.out.Take, "mkdir", "-p", "--", r.dir(id))
			add(&pl.out.Take, truncateArgv(r, id)...)
			add(&pl.out.Take, attachArgv(r, id)...)
			manual(&pl.out.Drop, "detach the loop device over %s (losetup --detach), and remove it", r.file(id))
		}
		manual(&pl.out.Take, "make %s a link to the device that it is then", r.Path())
		manual(&pl.out.Drop, "remove the link %s and the mark %s", r.Path(), r.mark())
	}
}

func (r Ref) what() string {
	if r.Sandbox != "" {
		return "the sandbox disk " + r.ID
	}
	return "the disk with the " + r.identity()
}
