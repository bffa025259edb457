package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"syscall"
	"time"
)

// tagName is the variable by which commands are known for which they were run, also after assay was killed.
const tagName = "ASSAY_STEP"

type tagKey struct{}

// WithTag marks every command that is run under the context, in its environment, so that EndTagged finds what goes on when assay does
// not any more.
func WithTag(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, tagKey{}, tag)
}

// tagged is a command's own environment with the context's tag.
func tagged(ctx context.Context, env []string) []string {
	tag, ok := ctx.Value(tagKey{}).(string)
	if !ok {
		return env
	}
	return append(env[:len(env):len(env)], tagName+"="+tag)
}

// EndTagged kills the processes on a host that bear one of the tags, and reports how many there were. It looks again until none is left: one may
// fork while another is read. What drops its environment, or belongs to another user, is not found.
func EndTagged(ctx context.Context, h Host, tags ...string) (ended int, err error) {
	const passes = 20
	for pass := range passes {
		pids, err := findTagged(ctx, h, tags)
		if err != nil || len(pids) == 0 {
			return ended, err
		}
		if pass == 0 {
			ended = len(pids)
		}
		if err := killPids(ctx, h, pids); err != nil {
			return ended, err
		}
		select {
		case <-ctx.Done():
			return ended, context.Cause(ctx)
		case <-time.After(time.Duration(pass) * 50 * time.Millisecond):
		}
	}
	return ended, errors.New("they are still there after SIGKILL: they wait for a device")
}

func findTagged(ctx context.Context, h Host, tags []string) ([]int, error) {
	entries, err := h.ReadDir(ctx, "/proc")
	if err != nil {
		return nil, fmt.Errorf("looking for processes: %w", err)
	}
	var found []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name)
		if err != nil {
			continue
		}
		env, err := h.ReadFile(ctx, path.Join("/proc", e.Name, "environ"))
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil { // gone, or another's
			continue
		}
		for _, tag := range tags {
			mark := []byte(tagName + "=" + tag + "\x00")
			if bytes.HasPrefix(env, mark) || bytes.Contains(env, append([]byte{0}, mark...)) {
				found = append(found, pid)
				break
			}
		}
	}
	return found, nil
}

func killPids(ctx context.Context, h Host, pids []int) error {
	if _, here := h.(local); here {
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("ending process %d: %w", pid, err)
			}
		}
		return nil
	}
	argv := []string{"kill", "-KILL"}
	for _, pid := range pids {
		argv = append(argv, strconv.Itoa(pid))
	}
	if _, err := h.Run(ctx, Cmd{Argv: argv}); err != nil { // its status says nothing: one may be gone already
		return fmt.Errorf("ending processes: %w", err)
	}
	return nil
}
