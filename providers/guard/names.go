package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/assay-bench/assay/providers"
)

// Where links and marks are. Links go when the machine starts, as the names of devices change then; marks stay.
const (
	linkDir = "/dev/assay"
	markDir = "/var/lib/assay"
)

// Path is the file by which a disk is used, once it is taken: a link to its device.
func (r Ref) Path() string { return path.Join(linkDir, r.name()) }

// Paths are those of several disks.
func Paths(refs []Ref) []string {
	var out []string
	for _, r := range refs {
		out = append(out, r.Path())
	}
	return out
}

func (r Ref) mark() string { return path.Join(markDir, r.name()+".json") }

// name is made of what the spec says alone.
func (r Ref) name() string {
	id := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-' {
			return c
		}
		return '-'
	}, r.ID)
	switch {
	case r.Sandbox != "":
		return "sandbox-" + id + "-" + hash(r.Sandbox+" "+r.ID)
	case id != r.ID:
		return "disk-" + id + "-" + hash(r.ID)
	}
	return "disk-" + id
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:3])
}

// dir is where a thing's sandbox disk lies; its name is the mark that assay made it.
func (r Ref) dir(thing string) string { return path.Join(r.Sandbox, "assay-sandbox-"+thing) }

func (r Ref) file(thing string) string { return path.Join(r.dir(thing), r.name()+".img") }

// hosts are those of a target; without any it is this machine.
func hosts(t providers.Target) []string {
	if len(t.Hosts) == 0 {
		return []string{""}
	}
	return t.Hosts
}

func expectKey(address string, r Ref) string { return "disk:" + address + ":" + r.ID }

// here are the disks that a thing has on one host: sandbox disks on each, others where the plan found them.
func here(address string, expect map[string]string, refs []Ref) []Ref {
	var out []Ref
	for _, r := range refs {
		if _, found := expect[expectKey(address, r)]; found || r.Sandbox != "" {
			out = append(out, r)
		}
	}
	return out
}
