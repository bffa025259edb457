package fio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// placeNames are the attributes that say where fio works; one of them is given.
var placeNames = []string{"device", "devices", "directory", "directories"}

// place is where fio works on each host: whole devices, or a file of assay's in each of some directories.
type place struct {
	attribute   string // of placeNames; "": none is given
	devices     []string
	directories []string
	files       []string // one for each directory
}

// placeOf reads where a target works.
func placeOf(t providers.Target) place {
	c := config{t.Config}
	var p place
	for _, name := range placeNames {
		paths, given := c.texts(name)
		if !given {
			continue
		}
		p.attribute = name
		if strings.HasPrefix(name, "device") {
			p.devices = paths
		} else {
			p.directories = paths
		}
		break
	}
	for _, dir := range p.directories {
		p.files = append(p.files, path.Join(dir, filePrefix+fileName(t)))
	}
	return p
}

// filePrefix is assay's mark on the files that fio lays out. A setup that tidies up a directory removes what begins with assay-.
const filePrefix = "assay-fio-"

// fileName is what comes after it: as the spec says, or the block's name, so that no two tests share a file by accident.
func fileName(t providers.Target) string {
	if name, ok := (config{t.Config}).text("file"); ok {
		return name
	}
	return jobName(t.Address.Name)
}

// paths are those that fio opens.
func (p place) paths() []string {
	if len(p.devices) > 0 {
		return p.devices
	}
	return p.files
}

// filename is the paths as fio's option takes them.
func (p place) filename() string {
	escaped := make([]string, len(p.paths()))
	for i, one := range p.paths() {
		escaped[i] = escapePath(one)
	}
	return strings.Join(escaped, ":")
}

var fileRE = regexp.MustCompile(`\A[A-Za-z0-9_.-]{1,200}\z`)

// problems says what is wrong with where a target works.
func (p place) problems(t providers.Target) []providers.Problem {
	c := config{t.Config}
	fault := func(attribute, summary, detail string) []providers.Problem {
		return []providers.Problem{{Attribute: attribute, Summary: summary, Detail: detail}}
	}
	if p.attribute == "" {
		return fault("directory", "No target", `fio needs to know where it works, from a setup: directory = setup.storage_directory.NAME.path, a list of such as directories, or device or devices.`)
	}
	for _, name := range placeNames {
		if _, given := c.texts(name); given && name != p.attribute {
			return fault(name, "Two targets", fmt.Sprintf("Both %s and %s say where fio works. Leave one of them out.", p.attribute, name))
		}
	}
	if len(p.paths()) == 0 {
		return fault(p.attribute, "No target", "The list is empty, so fio has nothing to work on.")
	}
	seen := map[string]bool{}
	for _, one := range append(p.devices, p.directories...) {
		if why := pathProblem(one); why != "" {
			return fault(p.attribute, "Unusable path", why)
		}
		if seen[path.Clean(one)] {
			return fault(p.attribute, "Target named twice", fmt.Sprintf("%s is in the list twice; fio would work on it as on two.", one))
		}
		seen[path.Clean(one)] = true
	}
	if name, given := c.text("file"); given {
		switch {
		case len(p.devices) > 0:
			return fault("file", "Without effect", "A device has no files. Leave file out.")
		case !fileRE.MatchString(name) || strings.Trim(name, ".") == "":
			return fault("file", "Unusable file name", fmt.Sprintf("%q is not a name of letters, digits, _, . and - without a path.", name))
		}
	}
	return nil
}

// pathProblem says why fio could not be given a path; "" where it can. A '#' or ';' begins a comment in a file name: fio drops the
// rest and works on another file (tried on 3.33), and there is no way to escape it.
func pathProblem(p string) string {
	switch {
	case !path.IsAbs(p):
		return fmt.Sprintf("%q is not an absolute path, and fio runs in a directory of its own. Give the path from / on.", p)
	case strings.ContainsAny(p, "#;"):
		return fmt.Sprintf("%q contains # or ;, after which fio drops the rest of a file name and would write to another file. Use a path without them.", p)
	case strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Sprintf("%q contains control characters, which fio cannot be given. Use a path without them.", p)
	}
	return ""
}

// check fails unless all of it is there on a host. fio would make no directory, and a missing device it would make as a file in /dev.
// Devices that are written to must not be in use.
func (p place) check(ctx context.Context, h host.Host, write bool) error {
	for _, dir := range p.directories {
		if err := wantDirectory(ctx, h, dir); err != nil {
			return err
		}
	}
	for _, dev := range p.devices {
		res, err := h.Run(ctx, host.Cmd{Argv: []string{"test", "-b", dev}}) // it follows symbolic links, such as those below /dev/md
		if err != nil {
			return fmt.Errorf("fio: looking at %s on %s: %w", dev, hostName(h.Address()), err)
		}
		if res.Code != 0 || res.Signal != "" {
			return fmt.Errorf("fio: %s on %s is not a block device, or is not there; fio would make a file of that name", dev, hostName(h.Address()))
		}
		if !write {
			continue
		}
		if err := unused(ctx, h, dev); err != nil {
			return err
		}
	}
	return nil
}

// wantDirectory fails unless dir is there and a directory: fio would make neither it nor a usable message.
func wantDirectory(ctx context.Context, h host.Host, dir string) error {
	info, err := h.Stat(ctx, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("fio: the directory %s does not exist on %s; a setup must make it before the test", dir, hostName(h.Address()))
	case err != nil:
		return fmt.Errorf("fio: looking at the directory %s on %s: %w", dir, hostName(h.Address()), err)
	case !info.Mode.IsDir() && info.Mode&fs.ModeSymlink == 0:
		return fmt.Errorf("fio: %s on %s is not a directory; fio would lay out its file beside it or fail", dir, hostName(h.Address()))
	}
	return nil
}

// texts are the elements of a list, or the one text that an attribute is.
func (c config) texts(name string) (list []string, given bool) {
	v, ok := c.get(name)
	if !ok {
		return nil, false
	}
	if v.Type() == cty.String {
		return []string{v.AsString()}, true
	}
	if !v.CanIterateElements() {
		return nil, false
	}
	for it := v.ElementIterator(); it.Next(); {
		_, el := it.Element()
		if el, _ = el.Unmark(); el.Type() == cty.String && el.IsKnown() && !el.IsNull() {
			list = append(list, el.AsString())
		}
	}
	return list, true
}
