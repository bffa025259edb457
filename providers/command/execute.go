package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// prepared is a command with its files in place.
type prepared struct {
	cmd    host.Cmd
	remove func() error
}

// prepare writes the files of a command. remove takes them away again, also after a cancel.
func (c command) prepare(ctx context.Context, h host.Host) (prepared, error) {
	p := prepared{cmd: host.Cmd{Argv: c.argv, Env: c.environment(), Dir: c.dir}, remove: func() error { return nil }}
	if c.stdin != "" {
		p.cmd.Stdin = strings.NewReader(c.stdin)
	}
	if len(c.files) == 0 {
		return p, nil
	}
	dir, remove, err := h.TempDir(ctx)
	if err != nil {
		return p, fmt.Errorf("making a directory for the files of %s: %w", c.argv[0], err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if err := h.WriteFile(ctx, path.Join(dir, name), []byte(c.files[name]), 0o600); err != nil {
			return p, errors.Join(fmt.Errorf("writing the file %s of %s: %w", name, c.argv[0], err), remove())
		}
	}
	p.cmd.Dir, p.remove = dir, remove
	return p, nil
}

// run runs a command, keeps its output as artifacts, and gives how it ended and what it printed. The error is for what did not
// run to its end.
func (c command) run(ctx context.Context, h host.Host, sink providers.Sink, name string) (measure.Exit, *output, error) {
	out := &output{Sink: sink}
	p, err := c.prepare(ctx, h)
	if err != nil {
		return measure.Exit{}, out, err
	}
	exit, err := providers.Run(ctx, h, out, name, p.cmd)
	return exit, out, errors.Join(err, p.remove())
}

// must runs a command that must succeed.
func (c command) must(ctx context.Context, h host.Host, sink providers.Sink, name string) error {
	sink.Progress(-1, strings.Join(c.argv, " "))
	exit, out, err := c.run(ctx, h, sink, name)
	if err != nil {
		return err
	}
	if why := c.fault(exit, out.stdout.Bytes(), out.stderr.Bytes()); why != "" {
		return errors.New(why)
	}
	return nil
}

// maxOutput is how much of each stream of a setup's command is looked at. The artifacts have all of it.
const maxOutput = 16 << 20

// output is a sink that remembers what a command prints.
type output struct {
	providers.Sink
	stdout, stderr head
}

// Artifact implements providers.Sink.
func (o *output) Artifact(name string) (io.WriteCloser, error) {
	w, err := o.Sink.Artifact(name)
	if err != nil {
		return nil, err
	}
	to := &o.stdout
	if strings.HasSuffix(name, ".stderr") {
		to = &o.stderr
	}
	return struct {
		io.Writer
		io.Closer
	}{io.MultiWriter(w, to), w}, nil
}

// head keeps the beginning of what is written.
type head struct{ bytes.Buffer }

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(0, maxOutput-h.Len()))])
	return len(p), nil
}
