package storage

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// place is a directory of the system in which no test may write.
type place struct {
	path  string
	alone bool // only the directory itself; folders below it may be used
	why   string
}

// system is read from the top; the first that fits gives the reason.
var system = []place{
	{"/", true, "it holds the whole system"},
	{"/etc", false, "it holds the machine's configuration"},
	{"/usr", false, "it holds the machine's programs"},
	{"/bin", false, "it holds the machine's programs"},
	{"/sbin", false, "it holds the machine's programs"},
	{"/lib", false, "it holds the machine's libraries"},
	{"/lib32", false, "it holds the machine's libraries"},
	{"/lib64", false, "it holds the machine's libraries"},
	{"/libx32", false, "it holds the machine's libraries"},
	{"/boot", false, "the machine starts from it"},
	{"/dev", false, "its files are devices, and writing to them erases disks"},
	{"/proc", false, "its files are settings of the kernel"},
	{"/sys", false, "its files are settings of the kernel"},
	{"/run", true, "the machine's services keep their state in it"},
	{"/var", true, "the machine's services keep their state in it"},
	{"/var/lib", true, "the machine's services keep their data in it"},
	{"/home", true, "it holds the homes of all users"},
	{"/root", true, "it is the home of root"},
}

// memory is the one folder below a forbidden one that is made for data: a file system in memory.
const memory = "/dev/shm"

// wrongPath says what is wrong with a path that a spec gives; both are empty where it may be used.
func wrongPath(p string) (summary, detail string) {
	switch {
	case p == "":
		return "Empty path", "Expected the absolute path of a directory, such as /data/bench."
	case strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }):
		return "Odd path", fmt.Sprintf("%q contains control characters or is not UTF-8; give the directory a plain name.", p)
	case !path.IsAbs(p):
		return "Relative path", fmt.Sprintf("%q depends on where assay is started; expected an absolute path, such as /data/bench.", p)
	case path.Clean(p) != p:
		return "Path is not in its plain form", fmt.Sprintf("%q is the same as %q; write that.", p, path.Clean(p))
	}
	if why := forbidden(p); why != "" {
		return "Directory of the system", fmt.Sprintf("%s cannot be used: %s. Choose a directory for the test alone, such as /data/bench.", p, why)
	}
	return "", ""
}

// forbidden says why no test may write at a clean path; empty where it may.
func forbidden(p string) string {
	if strings.HasPrefix(p, memory+"/") {
		return ""
	}
	for _, s := range system {
		if p == s.path {
			return s.why
		}
		if !s.alone && strings.HasPrefix(p, s.path+"/") {
			return fmt.Sprintf("it is below %s (%s)", s.path, s.why)
		}
	}
	return ""
}
