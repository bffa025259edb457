package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

// LockDir is where locks lie on a host. It is there on every Linux, every user may write into it, and it outlives a restart of the machine,
// as what the locks stand for does.
const LockDir = "/var/tmp"

// LockOptions says what to lock, and for whom.
type LockOptions struct {
	Plan    *plan.Plan
	Set     *providers.Set
	Record  *record.Record
	Dial    host.Dialer
	HostDir string // where locks lie on the hosts; empty: LockDir
	WorkDir string // the working directory, in which rehearsals are locked
}

// Locks are what a run holds. One run at a time may have a claim: a disk, a directory, a database, a host's I/O while tests run. Each claim
// of a plan is a file on the host that it is on, whose content says who has it. It belongs to the run, not to its process: when that is
// killed, what it left is still claimed, until the run is gone on with or what it left is removed.
type Locks struct {
	o    LockOptions
	held []lock
}

// lock is one claim at one place.
type lock struct {
	host, dir, claim string
}

// owner is the content of a lock.
type owner struct {
	FormatVersion int       `json:"format_version"` // 1
	Claim         string    `json:"claim"`
	Run           string    `json:"run"`
	Record        string    `json:"record"` // its folder, on the machine of assay
	Host          string    `json:"host"`   // the name of that machine
	User          string    `json:"user"`
	PID           int       `json:"pid"`
	Since         time.Time `json:"since"`
	Until         time.Time `json:"until"` // when the run should be over, generously
}

// Lock takes every claim of a plan for a run, or none. Those that the run has already, from before a crash, stay its own.
func Lock(ctx context.Context, o LockOptions) (*Locks, error) {
	if o.HostDir == "" {
		o.HostDir = LockDir
	}
	l := &Locks{o: o}
	me, err := l.owner()
	if err != nil {
		return nil, err
	}
	hosts := map[string]host.Host{}
	defer func() {
		for _, h := range hosts {
			_ = h.Close()
		}
	}()
	for _, k := range l.wanted() {
		h := hosts[k.host]
		if h == nil {
			if h, err = o.Dial(ctx, k.host); err != nil {
				return nil, errors.Join(fmt.Errorf("locking %s: %w", name(k.host), err), l.Release(ctx, nil))
			}
			hosts[k.host] = h
		}
		fresh, err := take(ctx, h, k, me)
		if err != nil {
			return nil, errors.Join(err, l.Release(ctx, nil))
		}
		if fresh {
			l.held = append(l.held, k)
		}
	}
	l.held = l.wanted() // with those that it had before
	return l, nil
}

func (l *Locks) owner() (owner, error) {
	dir, err := filepath.Abs(l.o.Record.Dir)
	if err != nil {
		return owner{}, err
	}
	me := owner{FormatVersion: 1, Run: l.o.Record.ID, Record: dir, PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)}
	me.Until = me.Since.Add(2*plan.Duration(l.o.Plan.EstimateS) + time.Hour).Truncate(time.Second)
	if me.Host, err = os.Hostname(); err != nil {
		return owner{}, err
	}
	me.User = "user " + fmt.Sprint(os.Getuid())
	if u, err := user.Current(); err == nil {
		me.User = u.Username
	}
	return me, nil
}

// wanted lists the claims of all things and tests that have steps, each once, sorted. A thing is a claim itself.
func (l *Locks) wanted() []lock {
	seen := map[lock]bool{}
	add := func(kind, typ string, hosts []string, claims ...string) {
		dir := l.o.HostDir
		if l.rehearsal(kind, typ) {
			hosts, dir = []string{""}, filepath.Join(l.o.WorkDir, ".assay", "locks")
		}
		for _, h := range hosts {
			for _, c := range claims {
				seen[lock{h, dir, c}] = true
			}
		}
	}
	for _, t := range l.o.Plan.Things {
		add(t.Kind, t.Type, t.Hosts, claimsOf(&t)...)
	}
	for _, t := range l.o.Plan.Tests {
		if t.Import == nil && t.Skip == "" {
			add("test", t.Type, t.Hosts, t.Claims...)
		}
	}
	out := make([]lock, 0, len(seen))
	for k := range seen {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b lock) int {
		return strings.Compare(a.host+"\x00"+a.dir+"\x00"+a.claim, b.host+"\x00"+b.dir+"\x00"+b.claim)
	})
	return out
}

func claimsOf(t *plan.Thing) []string { return append(slices.Clone(t.Claims), "thing:"+t.ID) }

func (l *Locks) rehearsal(kind, typ string) bool {
	for _, s := range l.o.Set.Schemas() {
		if slices.ContainsFunc(s.Types(kind), func(t schema.Type) bool { return t.Name == typ }) {
			return s.Rehearsal
		}
	}
	return false
}

func (k lock) file() string {
	sum := sha256.Sum256([]byte(k.claim))
	return path.Join(k.dir, "assay-lock-"+hex.EncodeToString(sum[:8])+".json")
}

// take takes one claim. The file is made beside its place and then linked there, which fails where there is one. It reports whether it was
// taken now; it may have been the run's own before.
func take(ctx context.Context, h host.Host, k lock, me owner) (bool, error) {
	me.Claim = k.claim
	raw, err := json.Marshal(me)
	if err != nil {
		return false, err
	}
	failed := func(err error) (bool, error) {
		return false, fmt.Errorf("locking %s on %s: %w", k.claim, name(k.host), err)
	}
	if k.dir != LockDir {
		if err := do(ctx, h, "mkdir", "-p", "--", k.dir); err != nil {
			return failed(err)
		}
	}
	mine := k.file() + "." + me.Run
	if err := h.WriteFile(ctx, mine, append(raw, '\n'), 0o644); err != nil {
		return failed(err)
	}
	linked := do(ctx, h, "ln", "--", mine, k.file())
	if err := do(ctx, h, "rm", "-f", "--", mine); err != nil {
		return failed(err)
	}
	if linked == nil {
		return true, nil
	}
	raw, err = h.ReadFile(ctx, k.file())
	if errors.Is(err, fs.ErrNotExist) { // there is none, so it is not that which was in the way
		return failed(linked)
	}
	if err != nil {
		return failed(err)
	}
	var other owner
	if err := json.Unmarshal(raw, &other); err != nil || other.Run == "" {
		return failed(fmt.Errorf("%s is no lock that this assay understands; look at it, and remove it if nobody needs it", k.file()))
	}
	if other.Run == me.Run {
		return false, nil
	}
	return false, heldBy(k, other)
}

// heldBy says who has a claim, and what to do about it.
func heldBy(k lock, by owner) error {
	who := fmt.Sprintf("%s on %s belongs to run %s (%s on %s, process %d, since %s)",
		k.claim, name(k.host), by.Run, by.User, by.Host, by.PID, by.Since.Format(time.DateTime))
	me, _ := os.Hostname()
	rec, err := record.Open(by.Record)
	if err == nil && me == by.Host {
		if running, err := rec.Running(); err == nil && running {
			return fmt.Errorf("%s, which still goes on: wait until it has ended, at about %s UTC, or interrupt it", who, by.Until.Format(time.DateTime))
		}
		return fmt.Errorf("%s, which does not go on any more, but may have left something there: `assay apply --resume %s` goes on with it, "+
			"`assay destroy %s` takes away what it left, in the directory in which it was begun", who, by.Record, by.Record)
	}
	return fmt.Errorf("%s, whose record %s cannot be looked at from here: it should be over by %s UTC. Go on with it there, or destroy what it left. "+
		"If the record is lost, look at what it left, and then remove %s", who, by.Record, by.Until.Format(time.DateTime), k.file())
}

// Release gives back all claims but those of the things that are still there.
func (l *Locks) Release(ctx context.Context, still []*plan.Thing) error {
	keep := map[string]bool{}
	for _, t := range still {
		for _, c := range claimsOf(t) {
			keep[c] = true
		}
	}
	files := map[string][]string{} // by host
	for _, k := range l.held {
		if !keep[k.claim] {
			files[k.host] = append(files[k.host], k.file())
		}
	}
	var errs []error
	for _, address := range slices.Sorted(maps.Keys(files)) {
		err := l.remove(ctx, address, files[address])
		if err != nil {
			err = fmt.Errorf("the locks on %s could not be removed: %w; remove %s", name(address), err, strings.Join(files[address], ", "))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (l *Locks) remove(ctx context.Context, address string, files []string) error {
	h, err := l.o.Dial(ctx, address)
	if err != nil {
		return err
	}
	err = do(ctx, h, append([]string{"rm", "-f", "--"}, files...)...)
	swept := map[string]bool{}
	for _, f := range files {
		if dir := path.Dir(f); !swept[dir] {
			swept[dir] = true
			err = errors.Join(err, l.sweep(ctx, h, dir))
		}
	}
	return errors.Join(err, h.Close())
}

// sweep removes what a crash left of this run's locks that were just being taken: files beside their place.
func (l *Locks) sweep(ctx context.Context, h host.Host, dir string) error {
	return do(ctx, h, "find", dir, "-maxdepth", "1", "-type", "f", "-name", "assay-lock-*.json."+l.o.Record.ID+"*", "-delete")
}

// Unlock gives back what a run has claimed that goes on no more and left nothing: a crash may have come before its first effect.
func Unlock(ctx context.Context, o LockOptions) error {
	if o.HostDir == "" {
		o.HostDir = LockDir
	}
	l := &Locks{o: o}
	swept := map[string]bool{}
	for _, k := range l.wanted() {
		h, err := o.Dial(ctx, k.host)
		if err != nil {
			return err
		}
		raw, err := h.ReadFile(ctx, k.file())
		var left error
		if _, there := h.Stat(ctx, k.dir); there == nil && !swept[k.host+k.dir] {
			swept[k.host+k.dir] = true
			left = l.sweep(ctx, h, k.dir)
		}
		if err := errors.Join(left, h.Close()); err != nil {
			return err
		}
		var by owner
		if err == nil && json.Unmarshal(raw, &by) == nil && by.Run == o.Record.ID {
			l.held = append(l.held, k)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("looking at %s on %s: %w", k.file(), name(k.host), err)
		}
	}
	return l.Release(ctx, nil)
}

// do runs a short command that must exit with 0.
func do(ctx context.Context, h host.Host, argv ...string) error {
	var said bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: argv, Stderr: &said})
	if err != nil {
		return err
	}
	if !res.OK() {
		return fmt.Errorf("%s ended with status %d %s: %s", argv[0], res.Code, res.Signal, strings.TrimSpace(said.String()))
	}
	return nil
}
