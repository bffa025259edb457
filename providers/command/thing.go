package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// thing is a setup or a dataset on one host.
type thing struct {
	host.Host
	makes, takes []command // create and destroy, or load and remove
	inspection
	sink   providers.Sink
	suffix string // of the artifacts' names, where there are several hosts
	asked  int    // how often it was inspected
	dataset
}

// dataset tells that what stands is made anew.
type dataset bool

// Inspect implements providers.Provider: a thing stands where it stands on all hosts.
func (p *provider) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	resp := &providers.InspectResponse{}
	err := p.each(ctx, req.Target, nowhere{}, func(t *thing) error {
		standing, err := t.inspect(ctx)
		if err != nil {
			return err
		}
		switch resp.Standing {
		case "", standing:
			resp.Standing = standing
		default:
			resp.Standing, resp.Detail = providers.Partial, "it does not stand alike on all hosts"
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if resp.Standing == providers.Stands {
		resp.State = body{req.Config}.text("state")
	}
	return resp, nil
}

// Prepare implements providers.Provider. Artifacts: create-1.stdout and so on.
func (p *provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Type == manualType {
		return p.byHand(ctx, req, sink, providers.Stands, "instructions")
	}
	return p.each(ctx, req.Target, sink, func(t *thing) error {
		makes, verb := t.makes, "create"
		if t.dataset {
			verb = "load"
		}
		if req.From != "" {
			if s := switching(body{req.Config}.commands("switch"), req.From); len(s) > 0 {
				makes, verb = s, "switch"
			}
		}
		return t.make(ctx, makes, verb)
	})
}

// switching are the commands that come from a state: those that name it, else those for any.
func switching(all []command, from string) []command {
	var named, others []command
	for _, c := range all {
		switch c.leaves {
		case from:
			named = append(named, c)
		case "":
			others = append(others, c)
		}
	}
	if len(named) > 0 {
		return named
	}
	return others
}

// make makes the thing stand. What is there of it in part, or of data at all, goes first.
func (t *thing) make(ctx context.Context, makes []command, verb string) error {
	before, err := t.inspect(ctx)
	switch {
	case err != nil:
		return err
	case before == providers.Stands && !bool(t.dataset):
		return nil
	case before != providers.Absent:
		if err := t.take(ctx); err != nil {
			return err
		}
	}
	for i, c := range makes {
		if err := c.must(ctx, t, t.sink, t.name(verb, i+1)); err != nil {
			return err
		}
	}
	after, err := t.becomes(ctx, providers.Stands)
	if err == nil && after != providers.Stands {
		err = fmt.Errorf("the %s commands succeeded, but inspect says that it is %s", verb, after)
	}
	return err
}

// Release implements providers.Provider. Whatever a command says, what inspect says at the end decides.
func (p *provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Kind == "test" {
		return nil // files are removed with each command
	}
	if req.Type == manualType {
		return p.byHand(ctx, req, sink, providers.Absent, "undo")
	}
	return p.each(ctx, req.Target, sink, func(t *thing) error {
		before, err := t.inspect(ctx)
		if err == nil && before == providers.Absent {
			return nil
		}
		return t.take(ctx)
	})
}

func (t *thing) take(ctx context.Context) error {
	verb := "destroy"
	if t.dataset {
		verb = "remove"
	}
	var errs []error
	for i, c := range t.takes {
		errs = append(errs, c.must(ctx, t, t.sink, t.name(verb, i+1)))
		if ctx.Err() != nil {
			return errors.Join(errs...)
		}
	}
	after, err := t.becomes(ctx, providers.Absent)
	switch {
	case err != nil:
		return errors.Join(append(errs, err)...)
	case after != providers.Absent:
		return errors.Join(append([]error{fmt.Errorf("after the %s commands inspect says that it is still %s", verb, after)}, errs...)...)
	}
	return nil
}

func (t *thing) name(verb string, n int) string { return fmt.Sprintf("%s-%d%s", verb, n, t.suffix) }

// becomes asks until the thing is as it is wanted, or the time for that is over: a server that a command has started may listen
// only a moment later.
func (t *thing) becomes(ctx context.Context, want providers.Standing) (providers.Standing, error) {
	end := time.Now().Add(t.settle)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		now, err := t.inspect(ctx)
		left := time.Until(end)
		if err == nil && now == want || left <= 0 || ctx.Err() != nil {
			return now, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(pause, left)):
		}
	}
}

// inspect asks how the thing stands. An answer that says neither is an error.
func (t *thing) inspect(ctx context.Context) (providers.Standing, error) {
	t.asked++
	exit, out, err := t.inspection.run(ctx, t, t.sink, t.name("inspect", t.asked))
	if err != nil {
		return "", fmt.Errorf("inspect: %w", err)
	}
	standing, err := t.answer(exit, out.stdout.Bytes(), out.stderr.Bytes())
	if err != nil {
		if said := lastLine(out.stderr.Bytes()); said != "" {
			err = fmt.Errorf("%w; it said: %s", err, said)
		}
		return "", fmt.Errorf("inspect: %s %w", t.argv[0], err)
	}
	return standing, nil
}

// answer reads what the command of an inspection said.
func (i inspection) answer(exit measure.Exit, stdout, stderr []byte) (providers.Standing, error) {
	matches := func(pattern string) bool {
		_, ok := find(pattern, stdout, stderr)
		return pattern != "" && ok
	}
	absent := matches(i.absent)
	switch good := exit.Code == 0 || exit.Code == i.absentStatus; {
	case exit.Signal != "":
		return "", fmt.Errorf("was ended by %s", exit.Signal)
	case matches(i.standing):
		if exit.Code != 0 || absent {
			return "", fmt.Errorf("says that it stands and that it does not: with status %d its output has what means standing", exit.Code)
		}
		return providers.Stands, nil
	case matches(i.partial) && good:
		return providers.Partial, nil
	case absent, i.absent == "" && good:
		return providers.Absent, nil
	}
	return "", fmt.Errorf("says neither that it stands nor that it is absent: it ended with status %d, and its output has none of what inspect looks for", exit.Code)
}

// each does something with the thing on each of its hosts, in their order.
func (p *provider) each(ctx context.Context, target providers.Target, sink providers.Sink, do func(*thing) error) error {
	b := body{target.Config}
	i, ok := b.inspection()
	t := thing{inspection: i, sink: sink}
	switch {
	case !ok:
		return fmt.Errorf("%s has no inspect block", target.Address)
	case target.Kind == "setup" && target.Type == manualType:
	case target.Kind == "setup" && target.Type == "command":
		t.makes, t.takes = b.commands("create"), b.commands("destroy")
	case target.Kind == "dataset" && target.Type == "command":
		t.makes, t.takes, t.dataset = b.commands("load"), b.commands("remove"), true
	default:
		return unknown(target)
	}
	for n, address := range hosts(target) {
		h, err := p.dial(ctx, address)
		if err != nil {
			return fmt.Errorf("command: %w", err)
		}
		one := t
		one.Host = h
		if n > 0 {
			one.suffix = fmt.Sprintf("-host%d", n+1)
		}
		if err := errors.Join(do(&one), h.Close()); err != nil {
			return fmt.Errorf("%s%w", at(address), err)
		}
	}
	return nil
}

// at begins a message about a host; this machine needs no name.
func at(address string) string {
	if address == "" {
		return ""
	}
	return address + ": "
}

// nowhere is a sink of what is not kept.
type nowhere struct{}

func (nowhere) Artifact(string) (io.WriteCloser, error) { return discard{}, nil }
func (nowhere) Exit(measure.Exit)                       {}
func (nowhere) Progress(float64, string)                {}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
