package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

// faultDir is where marks are: that an array was brought into a state cannot be told from the array itself, where the state is healthy.
const faultDir = "/var/lib/assay"

// faultMark says which thing has brought an array into which state. It is written before the first effect and goes after the last.
type faultMark struct {
	FormatVersion int    `json:"format_version"` // 1
	Thing         string `json:"thing"`
	State         string `json:"state"`
}

func (f faultConfig) mark() string {
	return path.Join(faultDir, "fault-"+path.Base(f.device)+".json")
}

func (f faultConfig) unmarkArgv() []string { return []string{"rm", "-f", "--", f.mark()} }

// readMark reads the mark; nil where there is none.
func (f faultConfig) readMark(ctx context.Context, h host.Host) (*faultMark, error) {
	raw, err := h.ReadFile(ctx, f.mark())
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &faultMark{}
	if err := json.Unmarshal(raw, m); err != nil || m.FormatVersion != 1 || m.Thing == "" {
		return nil, fmt.Errorf("%s is not a mark that this assay understands, so the array is left as it is; look at it, and remove it if nobody needs it", f.mark())
	}
	return m, nil
}

// array reads the array in which a disk fails; nil where it is not there. One that assay has not made is an error.
func (f faultConfig) array(ctx context.Context, h host.Host) (*md.Array, error) {
	kernels, err := md.Kernels(ctx, h, f.leg)
	if err != nil || kernels[f.leg] == "" {
		return nil, err
	}
	name, err := md.ArrayName(ctx, h, f.leg)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(name, md.HomeHost+":") {
		return nil, fmt.Errorf("%s is called %q, so it is no array that assay has made, and no disk of it is failed", f.leg, name)
	}
	return md.Read(ctx, h, kernels[f.leg])
}

// isBroken reports an array of which a member has failed while it may not begin a recovery.
func isBroken(a *md.Array) bool {
	return a.Degraded > 0 && a.Action == md.Frozen && len(a.Faulty()) > 0
}

// isWhole reports an array that has all its members, in sync, and may do what it likes.
func isWhole(a *md.Array) bool {
	return a.Synced() && a.Action != md.Frozen && len(a.Faulty()) == 0
}

func (fault) inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	f, problems := faultOf(req.Target)
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Detail)
	}
	h, err := dial(ctx, f.host)
	if err != nil {
		return nil, err
	}
	resp, err := f.look(ctx, h, req.ID)
	return resp, errors.Join(err, h.Close())
}

func (f faultConfig) look(ctx context.Context, h host.Host, id string) (*providers.InspectResponse, error) {
	m, err := f.readMark(ctx, h)
	switch {
	case err != nil:
		return nil, err
	case m == nil:
		return &providers.InspectResponse{Standing: providers.Absent}, nil
	case m.Thing != id:
		return &providers.InspectResponse{Standing: providers.Absent, Detail: "the thing " + m.Thing + " has brought the array into the state " + m.State}, nil
	}
	a, err := f.array(ctx, h)
	if err != nil {
		return nil, err
	}
	switch {
	case a == nil:
		return &providers.InspectResponse{Standing: providers.Partial, Detail: f.leg + " is not there"}, nil
	case f.state == healthy && isWhole(a), f.state != healthy && isBroken(a):
		return &providers.InspectResponse{Standing: providers.Stands, State: f.state}, nil
	}
	return &providers.InspectResponse{Standing: providers.Partial, Detail: f.leg + " is " + words(a)}, nil
}

// words says in which state an array is.
func words(a *md.Array) string {
	var out []string
	if a.Degraded > 0 {
		out = append(out, fmt.Sprintf("degraded by %d", a.Degraded))
	}
	switch a.Action {
	case md.Idle, "":
	case md.Frozen:
		out = append(out, "frozen")
	default:
		out = append(out, "in "+string(a.Action))
	}
	if n := len(a.Faulty()); n > 0 {
		out = append(out, fmt.Sprintf("with %d failed", n))
	}
	if len(out) == 0 {
		return "whole"
	}
	return strings.Join(out, ", ")
}

func (fault) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	f, problems := faultOf(req.Target)
	if len(problems) > 0 {
		return errors.New(problems[0].Detail)
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		m, err := f.readMark(ctx, w)
		if err != nil {
			return err
		}
		if m != nil && m.Thing != req.ID && req.From == "" {
			return fmt.Errorf("the thing %s of another run has brought %s into the state %s; wait until that run has ended, or end it (destroy)", m.Thing, f.device, m.State)
		}
		a, err := f.array(ctx, w)
		if err != nil {
			return err
		}
		if a == nil {
			return fmt.Errorf("%s is not there", f.leg)
		}
		if err := w.run(ctx, "mkdir", []string{"mkdir", "-p", "--", faultDir}); err != nil {
			return err
		}
		raw, err := json.Marshal(faultMark{FormatVersion: 1, Thing: req.ID, State: f.state})
		if err != nil {
			return err
		}
		if err := w.WriteFile(ctx, f.mark(), append(raw, '\n'), 0o644); err != nil {
			return err
		}
		switch {
		case f.state == healthy && isWhole(a):
			return nil
		case f.state != healthy && isBroken(a): // degraded, and rebuilding before a test, are the same
			return f.slow(ctx, w, a)
		case !isWhole(a):
			if a, err = f.mend(ctx, w); err != nil {
				return err
			}
		}
		if f.state == healthy {
			return nil
		}
		return f.fail(ctx, w, a)
	})
}

// fail forbids recovery, lets a member fail, and looks that it has.
func (f faultConfig) fail(ctx context.Context, w worker, a *md.Array) error {
	if f.state == rebuilding && len(a.Spares()) == 0 {
		return fmt.Errorf("%s has no hot spare on to which it could be rebuilt", f.leg)
	}
	m, ok := a.At(0)
	if !ok {
		return fmt.Errorf("%s has no member in its first place", f.leg)
	}
	if err := w.run(ctx, "freeze", md.Act(f.leg, md.Frozen)); err != nil {
		return err
	}
	if err := w.run(ctx, "fail", md.Fail(f.leg, md.Device(m.Name))); err != nil {
		return err
	}
	a, err := f.await(ctx, w, a.Kernel, "the failure of "+m.Name, isBroken)
	if err != nil {
		return err
	}
	return f.slow(ctx, w, a)
}

// slow sets how fast the array will be rebuilt.
func (f faultConfig) slow(ctx context.Context, w worker, a *md.Array) error {
	for _, s := range f.speeds() {
		if err := f.limit(ctx, w, a, s.file, fmt.Sprint(s.rate>>10)); err != nil {
			return err
		}
	}
	return nil
}

// limit writes one limit of the speed, in KiB/s.
func (f faultConfig) limit(ctx context.Context, w worker, a *md.Array, file, value string) error {
	argv := []string{"tee", "/sys/class/block/" + a.Kernel + "/md/" + file}
	exit, err := providers.Run(ctx, w.Host, w.sink, "limit-"+file+"-"+value+w.suffix, host.Cmd{Argv: argv, Stdin: strings.NewReader(value + "\n")})
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("%s of %s could not be set to %s KiB/s", file, f.leg, value)
	}
	return err
}

// stateTime bounds how long an array may take to do what was asked of it at once.
const stateTime = 30 * time.Second

// await waits until an array is as it was told to be.
func (f faultConfig) await(ctx context.Context, h host.Host, kernel, what string, done func(*md.Array) bool) (*md.Array, error) {
	patience, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	for {
		a, err := md.Read(patience, h, kernel)
		if err != nil || done(a) {
			return a, err
		}
		select {
		case <-patience.Done():
			if ctx.Err() != nil {
				return a, context.Cause(ctx)
			}
			return a, fmt.Errorf("%s was told %s, and is %s %s later", f.leg, what, words(a), stateTime)
		case <-time.After(pollTime / 5):
		}
	}
}

// mend makes the array whole: what goes on may end, the disk that had failed is put in again, and all is waited for.
func (f faultConfig) mend(ctx context.Context, w worker) (*md.Array, error) {
	a, err := f.array(ctx, w)
	if err != nil || a == nil || isWhole(a) {
		return a, err
	}
	for _, s := range f.speeds() {
		if err := f.limit(ctx, w, a, s.file, "system"); err != nil {
			return nil, err
		}
	}
	if a.Action == md.Frozen {
		if err := w.run(ctx, "thaw", md.Act(f.leg, md.Idle)); err != nil {
			return nil, err
		}
	}
	// A disk that has failed leaves its place once recovery may begin.
	a, err = f.await(ctx, w, a.Kernel, "to give up what has failed", func(a *md.Array) bool {
		for _, m := range a.Faulty() {
			if m.Slot >= 0 {
				return false
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, m := range a.Faulty() {
		for _, do := range []struct {
			name string
			argv []string
		}{{"remove-", md.Remove(f.leg, md.Device(m.Name))}, {"zero-", md.Zero(md.Device(m.Name))}, {"add-", md.Add(f.leg, md.Device(m.Name))}} {
			if err := w.run(ctx, do.name+m.Name, do.argv); err != nil {
				return nil, err
			}
		}
	}
	if err := waitSynced(ctx, w, f.leg, a.Kernel, isWhole); err != nil {
		return nil, err
	}
	return md.Read(ctx, w, a.Kernel)
}

// release mends the array, where this thing has brought it into its state.
func (fault) release(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	f, problems := faultOf(req.Target)
	if len(problems) > 0 {
		return errors.New(problems[0].Detail)
	}
	return each(ctx, dial, req.Target, sink, func(w worker) error {
		m, err := f.readMark(ctx, w)
		if err != nil || m == nil || m.Thing != req.ID {
			return err
		}
		if _, err := f.mend(ctx, w); err != nil {
			return err
		}
		if err := w.run(ctx, "rm", f.unmarkArgv()); err != nil {
			return err
		}
		return w.run(ctx, "rmdir", []string{"rmdir", "--ignore-fail-on-non-empty", "--", faultDir})
	})
}
