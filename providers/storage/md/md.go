// Package md reads the state of Linux software RAID from sysfs, and spells the commands that change it. It decides nothing: what is ours, and
// whether something may be touched, is its caller's business.
//
// Text that mdadm prints is not read, but for the name in a superblock, which sysfs has not.
package md

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers/host"
)

// Array is what the kernel says of an array that is assembled.
type Array struct {
	Kernel   string // md127
	Level    string // raid5; raid0, raid1, raid6, raid10
	State    string // array_state: clean, active, active-idle, readonly, inactive, …
	Disks    int    // how many members it has when it is whole, without spares
	Chunk    int64  // bytes; 0 where the level has none
	Degraded int    // how many of them are missing or not yet in sync
	Action   Action // what it does by itself; empty where the level never does anything
	// Resynced: all of it is known to be consistent. A new array is not until its first resync is over; recovery of a member is told by Degraded.
	Resynced bool
	Progress Progress
	Members  []Member // by name
}

// Action is what an array does by itself.
type Action string

// The actions.
const (
	Idle    Action = "idle"
	Frozen  Action = "frozen" // and it begins nothing
	Recover Action = "recover"
	Resync  Action = "resync"
)

// Progress is how far an action is. All are 0 while there is none.
type Progress struct {
	Done, Total int64   // bytes of one member
	Speed       float64 // B/s of one member
}

// Share is the part that is done, between 0 and 1; negative where that is not known.
func (p Progress) Share() float64 {
	if p.Total <= 0 {
		return -1
	}
	return min(1, float64(p.Done)/float64(p.Total))
}

// Member is one device of an array.
type Member struct {
	Name   string // of the kernel: sdb
	States []string
	Slot   int // place in the array; -1: none
	Errors int // read errors that were corrected
}

// Is reports whether a member is in a state: in_sync, spare, faulty, write_mostly, …
func (m Member) Is(state string) bool {
	for _, s := range m.States {
		if s == state {
			return true
		}
	}
	return false
}

// Synced reports whether nothing is missing and nothing is going on. The action alone does not tell: it is idle for an instant before a
// recovery begins.
func (a *Array) Synced() bool {
	return a.Degraded == 0 && a.Resynced && (a.Action == Idle || a.Action == Frozen || a.Action == "")
}

// Faulty lists the members that have failed.
func (a *Array) Faulty() []Member { return a.in(func(m Member) bool { return m.Is("faulty") }) }

// Spares lists the members that stand by: none of the array's places is theirs yet.
func (a *Array) Spares() []Member {
	return a.in(func(m Member) bool { return m.Is("spare") && m.Slot < 0 && !m.Is("faulty") })
}

// At is the member in a place of the array; false where it is empty, or what is there has failed.
func (a *Array) At(slot int) (Member, bool) {
	for _, m := range a.Members {
		if m.Slot == slot && !m.Is("faulty") {
			return m, true
		}
	}
	return Member{}, false
}

func (a *Array) in(is func(Member) bool) []Member {
	var out []Member
	for _, m := range a.Members {
		if is(m) {
			out = append(out, m)
		}
	}
	return out
}

// Device is the path of a kernel's name of a block device.
func Device(kernel string) string { return "/dev/" + strings.ReplaceAll(kernel, "!", "/") }

// KernelName is a plain device name, as a file name in sysfs.
var KernelName = regexp.MustCompile(`^[A-Za-z0-9!._-]+$`)

// Kernels gives for each path the kernel's name of the block device that it leads to; empty where it leads nowhere, or to a node behind which
// there is nothing any more.
func Kernels(ctx context.Context, h host.Host, devices ...string) (map[string]string, error) {
	var out, errs bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: append([]string{"realpath", "-m", "--"}, devices...), Stdout: &out, Stderr: &errs})
	if err != nil {
		return nil, fmt.Errorf("realpath: %w", err)
	}
	paths := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if !res.OK() || len(paths) != len(devices) {
		return nil, fmt.Errorf("realpath: %s", strings.TrimSpace(errs.String()))
	}
	kernels := map[string]string{}
	for i, p := range paths {
		name := strings.ReplaceAll(strings.TrimPrefix(p, "/dev/"), "/", "!")
		if !KernelName.MatchString(name) {
			continue
		}
		switch _, err := h.Stat(ctx, "/sys/class/block/"+name); {
		case err == nil:
			kernels[devices[i]] = name
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return kernels, nil
}

// Read reads an array by the kernel's name; fs.ErrNotExist where that is no array, or not assembled.
func Read(ctx context.Context, h host.Host, kernel string) (*Array, error) {
	r := &reader{ctx: ctx, h: h, dir: "/sys/class/block/" + kernel + "/md"}
	a := &Array{
		Kernel: kernel, Level: r.text("level"), State: r.text("array_state"), Disks: int(r.number("raid_disks")), Chunk: r.number("chunk_size"),
	}
	if r.err != nil {
		return nil, fmt.Errorf("array %s: %w", kernel, r.err)
	}
	a.Degraded, a.Action = int(r.optional("degraded")), Action(r.maybe("sync_action"))
	start := r.maybe("resync_start")
	a.Resynced = start == "none" || start == "" // a level that is never resynced has none
	a.Progress = r.progress()
	a.Members = r.members()
	if r.err != nil {
		return nil, fmt.Errorf("array %s: %w", kernel, r.err)
	}
	return a, nil
}

// reader reads files of one array; after an error it reads nothing more.
type reader struct {
	ctx context.Context
	h   host.Host
	dir string
	err error
}

func (r *reader) text(name string) string {
	if r.err != nil {
		return ""
	}
	data, err := r.h.ReadFile(r.ctx, path.Join(r.dir, name))
	r.err = err
	return strings.TrimSpace(string(data))
}

// maybe is empty where there is no such file.
func (r *reader) maybe(name string) string {
	text := r.text(name)
	if errors.Is(r.err, fs.ErrNotExist) {
		r.err = nil
	}
	return text
}

func (r *reader) number(name string) int64 { return r.numberIn(name, r.text(name)) }

// optional is 0 where there is no such file.
func (r *reader) optional(name string) int64 {
	if text := r.maybe(name); text != "" {
		return r.numberIn(name, text)
	}
	return 0
}

func (r *reader) numberIn(name, text string) int64 {
	if r.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.err = fmt.Errorf("%s holds %q, which is no number", path.Join(r.dir, name), text)
	}
	return n
}

// progress: sync_completed counts sectors of 512 bytes of one member, sync_speed KiB/s of it.
func (r *reader) progress() Progress {
	var p Progress
	if done, total, ok := strings.Cut(r.maybe("sync_completed"), " / "); ok {
		p.Done, p.Total = 512*r.numberIn("sync_completed", done), 512*r.numberIn("sync_completed", total)
	}
	if speed := r.maybe("sync_speed"); speed != "" && speed != "none" {
		p.Speed = 1024 * float64(r.numberIn("sync_speed", speed))
	}
	return p
}

func (r *reader) members() []Member {
	if r.err != nil {
		return nil
	}
	entries, err := r.h.ReadDir(r.ctx, r.dir)
	if err != nil {
		r.err = err
		return nil
	}
	var out []Member
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name, "dev-")
		if !ok {
			continue
		}
		m := Member{Name: name, Slot: -1}
		for _, s := range strings.Split(r.maybe(e.Name+"/state"), ",") {
			if s != "" {
				m.States = append(m.States, s)
			}
		}
		if slot := r.maybe(e.Name + "/slot"); slot != "" && slot != "none" {
			m.Slot = int(r.numberIn(e.Name+"/slot", slot))
		}
		m.Errors = int(r.optional(e.Name + "/errors"))
		if len(m.States) > 0 { // else it went while it was read
			out = append(out, m)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Holder gives the array of which a device is a member now; empty where it is of none.
func Holder(ctx context.Context, h host.Host, kernel string) (string, error) {
	entries, err := h.ReadDir(ctx, "/sys/class/block/"+kernel+"/holders")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if _, err := h.Stat(ctx, "/sys/class/block/"+e.Name+"/md"); err == nil {
			return e.Name, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}
