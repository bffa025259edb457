package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
)

const (
	prefix   = "assay-" // of the names that are ours in a directory
	markName = ".assay-directory"
	markMax  = 64 << 10 // bytes; a longer file is not a mark
)

// tornRE are names under which host.WriteFile keeps a mark before it is whole.
var tornRE = regexp.MustCompile(`^\.assay-directory\.[0-9]+\.tmp$`)

func markPath(p string) string { return path.Join(p, markName) }

// mark says whose a directory is. It lies in it, so that it goes where the directory goes.
type mark struct {
	FormatVersion int    `json:"format_version"` // 1
	ID            string `json:"id"`             // of the standing thing
	Made          bool   `json:"made"`           // assay made the directory, so it removes it
}

// state is what is found at a path.
type state struct {
	there   bool
	mode    fs.FileMode // of the path itself, not of what a link points at
	mark    *mark
	badMark string   // why what bears the mark's name is not a mark
	ours    []string // regular files and symbolic links whose names begin with prefix
	torn    []string // marks that were never put in place
	rest    []string // all else
}

// look reads a directory. A path that is something else is answered with its mode, and not looked into.
func look(ctx context.Context, h host.Host, p string) (*state, error) {
	info, err := h.Stat(ctx, p)
	if isAbsent(err) {
		return &state{}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &state{there: true, mode: info.Mode}
	if !info.Mode.IsDir() {
		return s, nil
	}
	entries, err := h.ReadDir(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		file := e.Mode.IsRegular() || e.Mode&fs.ModeSymlink != 0
		switch {
		case e.Name == markName:
			if err := s.readMark(ctx, h, p); err != nil {
				return nil, err
			}
		case file && strings.HasPrefix(e.Name, prefix):
			s.ours = append(s.ours, e.Name)
		case file && tornRE.MatchString(e.Name):
			s.torn = append(s.torn, e.Name)
		default:
			s.rest = append(s.rest, e.Name)
		}
	}
	return s, nil
}

// readMark reads a mark; an error means that it could not be read, not that it is none.
func (s *state) readMark(ctx context.Context, h host.Host, p string) error {
	info, err := h.Stat(ctx, markPath(p))
	if err != nil {
		return err
	}
	if !info.Mode.IsRegular() || info.Size > markMax {
		s.badMark = "it is not a small regular file"
		return nil
	}
	data, err := h.ReadFile(ctx, markPath(p))
	if err != nil {
		return err
	}
	var m mark
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&m); {
	case err != nil || m.ID == "":
		s.badMark = "it is not what assay writes"
	case m.FormatVersion != 1:
		s.badMark = fmt.Sprintf("it has format version %d, and this assay knows 1", m.FormatVersion)
	default:
		s.mark = &m
	}
	return nil
}

// refuse says why a directory cannot be made or used by the thing id; with an empty id the mark of anyone is let pass.
func (s *state) refuse(p, id string) error {
	switch {
	case !s.there:
		return nil
	case s.mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, and a link can be turned to another directory while tests write; give the path of the directory itself", p)
	case !s.mode.IsDir():
		return fmt.Errorf("%s is there and is not a directory; choose another path", p)
	case s.badMark != "":
		return fmt.Errorf("%s bears the name of assay's mark, but %s; look at it, and move it away if it is yours", markPath(p), s.badMark)
	case s.mark != nil && id != "" && s.mark.ID != id:
		return fmt.Errorf("%s belongs to the thing %q of another run, whose mark is %s; wait until that run has ended, or choose another path. "+
			"If it is dead, remove %s* and then the mark", p, s.mark.ID, markPath(p), path.Join(p, prefix))
	case s.mark == nil && len(s.ours) > 0:
		return fmt.Errorf("%s already holds %s, without assay's mark: names that begin with %s would be removed at the end. "+
			"Move them away, or choose another path", p, list(s.ours), prefix)
	}
	return nil
}

// standing is the answer to Inspect for one host.
func (s *state) standing(p, id string) (providers.Standing, string) {
	switch {
	case !s.there:
		return providers.Absent, ""
	case s.refuse(p, id) != nil:
		return providers.Foreign, s.refuse(p, id).Error()
	case s.mark != nil:
		return providers.Stands, ""
	case len(s.torn) > 0:
		return providers.Partial, p + " holds a mark that was not finished: " + list(s.torn)
	}
	return providers.Absent, p + " is there, without assay's mark"
}

// list names the first few of some files.
func list(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// badPlace is a parent in which a directory cannot stand.
type badPlace struct{ summary, detail string }

func (b *badPlace) Error() string { return b.detail }

// resolve gives the path with the symbolic links of its parent followed, and refuses a parent that is not there or leads into
// the system. A bad place is a *badPlace.
func resolve(ctx context.Context, h host.Host, p string) (string, error) {
	parent := path.Dir(p)
	var out, errs bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: []string{"realpath", "-e", "--", parent}, Stdout: &out, Stderr: &errs})
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", parent, err)
	}
	real := strings.TrimSuffix(out.String(), "\n")
	if !res.OK() || !path.IsAbs(real) {
		return "", &badPlace{"No parent directory", fmt.Sprintf("%s does not exist or cannot be reached (%s). Only the last directory of a path is made: "+
			"make its parent first, or mount what belongs there.", parent, strings.TrimSpace(errs.String()))}
	}
	info, err := h.Stat(ctx, real)
	if err != nil {
		return "", err
	}
	if !info.Mode.IsDir() {
		return "", &badPlace{"No parent directory", parent + " is not a directory; choose a path below one."}
	}
	real = path.Join(real, path.Base(p))
	if why := forbidden(real); why != "" {
		return "", &badPlace{"Directory of the system", fmt.Sprintf("%s leads through a symbolic link to %s, which cannot be used: %s.", p, real, why)}
	}
	return real, nil
}
