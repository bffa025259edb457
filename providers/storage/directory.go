package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// directory is setup "storage_directory": a directory in which tests write files. Absent, it is made and removed; present,
// it stays. Ours in it are the mark, and files and symbolic links whose names begin with assay-; nothing else is ever
// removed, and never a directory that is not empty.
type directory struct{}

func (directory) schema() schema.Type {
	return schema.Type{
		Name: "storage_directory",
		Doc: "A directory for the files of tests. Absent, it is made, and removed at the end. Present, it stays, and only files " +
			"whose names begin with assay- go: such names are assay's in it.",
		Body: schema.Block{Attributes: []schema.Attribute{{
			Name: "path", Kind: schema.String, Required: true,
			Doc: "Absolute path. Its parent must exist; directories of the system and symbolic links are refused.",
		}}},
		Outputs: []schema.Output{{Name: "path", Type: schema.String, Doc: "The path, as given."}},
	}
}

// What Plan found, so that Prepare notices when it has changed: under "directory:HOST" in Expect.
const (
	willMake = "made"  // it is not there, or is left from a run that made it
	willStay = "found" // it is there
)

func (directory) plan(ctx context.Context, dial host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	p := pathOf(req.Config)
	resp := &providers.PlanResponse{
		Outputs: cty.ObjectVal(map[string]cty.Value{"path": cty.StringVal(p)}),
		Expect:  map[string]string{},
	}
	if summary, detail := wrongPath(p); summary != "" {
		resp.Problems = append(resp.Problems, providers.Problem{Attribute: "path", Summary: summary, Detail: detail})
		return resp, nil
	}
	for _, address := range hosts(req.Target) {
		if req.Offline {
			planDirectory(resp, address, p, p, true)
			resp.Commands = append(resp.Commands, providers.Command{
				On: address, Manual: "offline: " + p + " was not looked at, and is taken to be absent",
			})
			continue
		}
		if err := planOnline(ctx, dial, address, p, resp); err != nil {
			return nil, err
		}
	}
	return resp, nil
}

// planOnline looks at the directory on one host, and adds problems and commands.
func planOnline(ctx context.Context, dial host.Dialer, address, p string, resp *providers.PlanResponse) error {
	h, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer h.Close()
	problem := func(warning bool, summary, detail string, args ...any) {
		resp.Problems = append(resp.Problems, providers.Problem{
			Warning: warning, Attribute: "path", Summary: summary, Detail: at(address) + fmt.Sprintf(detail, args...),
		})
	}
	real, err := resolve(ctx, h, p)
	var bad *badPlace
	if errors.As(err, &bad) {
		problem(false, bad.summary, "%s", bad.detail)
		return nil
	}
	if err != nil {
		return err
	}
	s, err := look(ctx, h, p)
	if err != nil {
		return err
	}
	if why := s.refuse(p, ""); why != nil {
		problem(false, "Directory cannot be used", "%s", why)
		return nil
	}
	if s.mode&0o002 != 0 {
		problem(true, "Directory is open to all", "%s may be written by every user: one could swap a file under the tool. "+
			"Use a directory of one's own, or chmod o-w it.", p)
	}
	if s.mark != nil {
		problem(true, "Directory is in use", "%s carries the mark of a thing %q: a run that still goes on, or one that did not tidy up. "+
			"If this is the same thing it is taken over, else apply refuses.", p, s.mark.ID)
	}
	made := !s.there || s.mark != nil && s.mark.Made
	planDirectory(resp, address, p, real, made)
	resp.Expect["directory:"+address] = willStay
	if made {
		resp.Expect["directory:"+address] = willMake
	}
	return nil
}

// planDirectory adds what Prepare and Release will do on one host. The claim bears the real path: a directory that is reached by
// two ways is one.
func planDirectory(resp *providers.PlanResponse, address, p, real string, made bool) {
	resp.Claims = append(resp.Claims, providers.Claim{Name: "directory:" + address + ":" + real, Standing: true})
	state := "which was there"
	if made {
		state = "which assay makes"
		resp.Commands = append(resp.Commands, providers.Command{On: address, Argv: mkdirArgv(p)})
	}
	resp.Commands = append(resp.Commands, providers.Command{On: address, Manual: "write the mark " + markPath(p) + " into the directory, " + state})
	resp.ReleaseCommands = append(resp.ReleaseCommands,
		providers.Command{On: address, Manual: "remove files and symbolic links " + path.Join(p, prefix) + "* (rm -f -- …)"},
		providers.Command{On: address, Argv: rmArgv(p, markName)})
	if made {
		resp.ReleaseCommands = append(resp.ReleaseCommands, providers.Command{On: address, Argv: rmdirArgv(p)})
	}
}

func mkdirArgv(p string) []string { return []string{"mkdir", "--", p} }

func rmdirArgv(p string) []string { return []string{"rmdir", "--", p} }

func rmArgv(p string, names ...string) []string {
	argv := []string{"rm", "-f", "--"}
	for _, n := range names {
		argv = append(argv, path.Join(p, n))
	}
	return argv
}

// inspect answers for all hosts: the thing stands where it stands on all of them.
func (directory) inspect(ctx context.Context, dial host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	p := pathOf(req.Config)
	resp := &providers.InspectResponse{}
	for _, address := range hosts(req.Target) {
		h, err := dial(ctx, address)
		if err != nil {
			return nil, err
		}
		s, err := look(ctx, h, p)
		if err := errors.Join(err, h.Close()); err != nil {
			return nil, err
		}
		standing, detail := s.standing(p, req.ID)
		switch {
		case resp.Standing == "" || standing == providers.Foreign:
			resp.Standing = standing
		case resp.Standing != standing && resp.Standing != providers.Foreign:
			resp.Standing = providers.Partial
		}
		if detail != "" {
			if resp.Detail != "" {
				resp.Detail += "; "
			}
			resp.Detail += at(address) + detail
		}
	}
	return resp, nil
}

// pathOf reads the attribute; empty where the spec gives none.
func pathOf(config cty.Value) string {
	v, _ := config.GetAttr("path").Unmark()
	if v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}

// hosts are those of a target; without any it is this machine.
func hosts(t providers.Target) []string {
	if len(t.Hosts) == 0 {
		return []string{""}
	}
	return t.Hosts
}

// at begins a message about a host; this machine needs no name.
func at(address string) string {
	if address == "" {
		return ""
	}
	return address + ": "
}

// isAbsent reports whether an error says that a file is not there.
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
