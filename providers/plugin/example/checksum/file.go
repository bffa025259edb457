package checksum

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

func fileName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/\x00") && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "-")
}

// path is the file of a setup.
func (p *provider) path(config cty.Value) string { return path.Join(text(config, "directory"), p.file) }

func (p *provider) planFile(req providers.PlanRequest) *providers.PlanResponse {
	if dir := text(req.Config, "directory"); !path.IsAbs(dir) || path.Clean(dir) != dir {
		return &providers.PlanResponse{Problems: []providers.Problem{{
			Attribute: "directory", Summary: "Not an absolute path",
			Detail: fmt.Sprintf("%q must begin with a slash, and be written without . and .. in it.", dir),
		}}}
	}
	file, size := p.path(req.Config), number(req.Config, "size")
	return &providers.PlanResponse{
		Outputs: cty.ObjectVal(map[string]cty.Value{"path": cty.StringVal(file), "bytes": cty.NumberIntVal(size)}),
		// Nothing else may use the file while it stands.
		Claims:          []providers.Claim{{Name: "file:" + on(req.Target) + ":" + file, Standing: true}},
		Commands:        []providers.Command{{On: on(req.Target), Argv: truncate(size, file)}},
		ReleaseCommands: []providers.Command{{On: on(req.Target), Argv: remove(file)}},
		Writes:          size,
	}
}

func truncate(size int64, file string) []string {
	return []string{"truncate", "--no-create", "--size=" + strconv.FormatInt(size, 10), "--", file}
}

func remove(file string) []string { return []string{"rm", "--force", "--", file} }

// mark stands beside each file that the provider made, so that it never removes one of somebody else's. It is made before
// the file and removed after it.
func mark(file string) string { return path.Join(path.Dir(file), "."+path.Base(file)+".assay") }

// Inspect says what is there. It changes nothing.
func (p *provider) Inspect(ctx context.Context, req providers.ThingRequest) (*providers.InspectResponse, error) {
	h, err := p.dial(ctx, on(req.Target))
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return p.inspect(ctx, h, req)
}

func (p *provider) inspect(ctx context.Context, h host.Host, req providers.ThingRequest) (*providers.InspectResponse, error) {
	file := p.path(req.Config)
	info, err := h.Stat(ctx, file)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	_, err = h.Stat(ctx, mark(file))
	ours := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	switch {
	case there && !ours:
		return &providers.InspectResponse{Standing: providers.Foreign, Detail: file + " was not made by assay"}, nil
	case there && info.Size == number(req.Config, "size"):
		return &providers.InspectResponse{Standing: providers.Stands}, nil
	case ours:
		return &providers.InspectResponse{Standing: providers.Partial, Detail: "its making was interrupted"}, nil
	}
	return &providers.InspectResponse{Standing: providers.Absent}, nil
}

// Prepare makes the file. Where it stands already there is nothing to do.
func (p *provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	h, err := p.dial(ctx, on(req.Target))
	if err != nil {
		return err
	}
	defer h.Close()
	is, err := p.inspect(ctx, h, req)
	if err != nil {
		return err
	}
	switch is.Standing {
	case providers.Stands:
		return nil
	case providers.Foreign:
		return errors.New(is.Detail + "; move it away, or name another directory")
	}
	file := p.path(req.Config)
	if err := h.WriteFile(ctx, mark(file), []byte(req.Address.String()+"\n"), 0o644); err != nil {
		return err
	}
	if err := h.WriteFile(ctx, file, nil, 0o644); err != nil {
		return err
	}
	exit, err := providers.Run(ctx, h, sink, "truncate", host.Cmd{Argv: truncate(number(req.Config, "size"), file)})
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("truncate ended with %d", exit.Code)
	}
	return err
}

// Release removes the file, whole or partial, and only one that the provider made. It is called for tests too, which leave nothing.
func (p *provider) Release(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Kind != "setup" {
		return nil
	}
	h, err := p.dial(ctx, on(req.Target))
	if err != nil {
		return err
	}
	defer h.Close()
	is, err := p.inspect(ctx, h, req)
	if err != nil || is.Standing == providers.Absent {
		return err
	}
	if is.Standing == providers.Foreign {
		return errors.New(is.Detail + "; it is left as it is")
	}
	for _, file := range []string{p.path(req.Config), mark(p.path(req.Config))} {
		exit, err := providers.Run(ctx, h, sink, "rm-"+strconv.Itoa(len(path.Base(file))), host.Cmd{Argv: remove(file)})
		if err == nil && exit.Code != 0 {
			err = fmt.Errorf("rm ended with %d", exit.Code)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
