package fio

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// hostKey is the key of figures of a test on several hosts.
const hostKey = "host"

// hostsOf are the addresses on which a test runs.
func hostsOf(t providers.Target) []string {
	if len(t.Hosts) == 0 {
		return []string{""}
	}
	return t.Hosts
}

// runNames name the command of each host, and so its artifacts: fio, or of several hosts fio-1, fio-2, ….
func runNames(t providers.Target) []string {
	hosts := hostsOf(t)
	if len(hosts) == 1 {
		return []string{"fio"}
	}
	names := make([]string, len(hosts))
	for i := range hosts {
		names[i] = "fio-" + strconv.Itoa(i+1)
	}
	return names
}

// onEach does something on every host at once. When one fails, what the others do is called off, and its error is the one
// that is told: those of the others only say that.
func onEach(ctx context.Context, t providers.Target, do func(context.Context, int) error) error {
	hosts := hostsOf(t)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	for i := range hosts {
		wg.Go(func() {
			err := do(ctx, i)
			if err == nil {
				return
			}
			if len(hosts) > 1 && !strings.Contains(err.Error(), hosts[i]) {
				err = fmt.Errorf("%s: %w", hostName(hosts[i]), err)
			}
			mu.Lock()
			if first == nil {
				first = err
			}
			mu.Unlock()
			cancel(fmt.Errorf("called off, since another host failed: %w", err))
		})
	}
	wg.Wait()
	return first
}

// measureOn runs one repetition on one host.
func (p *provider) measureOn(ctx context.Context, req providers.MeasureRequest, i int, gate providers.Gate, sink providers.Sink) (err error) {
	h, err := p.open(ctx, hostsOf(req.Target)[i])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	if err := placeOf(req.Target).check(ctx, h, writesTo(req.Target)); err != nil {
		return err
	}
	cwd, remove, err := h.TempDir(ctx)
	if err != nil {
		return fmt.Errorf("fio: making a working directory: %w", err)
	}
	defer func() {
		if failed := remove(); failed != nil && errors.As(err, new(*host.LinkError)) {
			err = fmt.Errorf("%w; its working directory %s stays there", err, cwd)
		} else {
			err = errors.Join(err, failed)
		}
	}()
	name := runNames(req.Target)[i]
	cmd := host.Cmd{Argv: measureArgv(req.Target), Dir: cwd, Gate: gate}
	if req.Type == jobsType {
		cmd.Argv, cmd.Stdin = jobsArgv(), strings.NewReader(jobsText(req.Target))
	}
	if _, err = providers.Run(ctx, h, sink, name, cmd); err != nil {
		return err
	}
	return fetchLogs(ctx, h, config{req.Config}, name, cwd, sink)
}

// parseRun judges what Measure left on each host, and fills in the figures of all together, and of several hosts those of each.
func parseRun(req providers.ParseRequest, f *finding, sample *measure.Sample) (messages []string) {
	names, keys := runNames(req.Target), providers.HostKeys(hostsOf(req.Target))
	several := len(names) > 1
	e, err := readExpected(req.Expect)
	if err != nil {
		f.fault("%s", err)
	}
	var all []job
	var each [][]job
	for i, name := range names {
		var own finding
		out, said := runOutput(req, name, &own)
		jobs := out.jobs(&own)
		if out.doc != nil && out.err == nil && err == nil {
			judgeRun(&own, e, jobs)
			judgeBlocks(&own, said)
		}
		messages = append(messages, said...)
		f.take(own, several, keys[i])
		all, each = append(all, jobs...), append(each, jobs)
	}
	if len(f.faults) > 0 {
		return messages
	}
	put := figures
	if req.Type == preconditionType {
		put = func(_ *finding, jobs []job, s *measure.Sample, keys addr.Coordinates) { putLoad(jobs, s, keys) }
	}
	put(f, all, sample, nil)
	for i := range each {
		if several {
			var told finding // of all together already
			put(&told, each[i], sample, addr.Coordinates{hostKey: keys[i]})
		}
	}
	if several {
		f.warnings = append(f.warnings, providers.Overlap(ofNames(req.Exits, names))...)
	}
	return messages
}

// take adds what was found on one host, which it names where there are several.
func (f *finding) take(own finding, several bool, host string) {
	for _, fault := range own.faults {
		if several {
			fault = host + ": " + fault
		}
		f.faults = append(f.faults, fault)
	}
	for _, w := range own.warnings {
		if several {
			w.Text = host + ": " + w.Text
		}
		f.warnings = append(f.warnings, w)
	}
}
