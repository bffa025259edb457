package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NotFoundError says that a program is not there.
type NotFoundError struct {
	Program string // as in argv
	Host    string // address; empty: this machine
	Path    string // where it was looked up; empty for an absolute name
	Why     string // found but cannot be run, and why; empty: no such file
}

func (e *NotFoundError) Error() string {
	where := "this machine"
	if e.Host != "" {
		where = e.Host
	}
	switch {
	case e.Why != "":
		return fmt.Sprintf("%s cannot be run on %s: %s", e.Program, where, e.Why)
	case e.Path == "":
		return fmt.Sprintf("%s: no such program on %s; install it, or correct the path", e.Program, where)
	}
	return fmt.Sprintf("%s: not found on PATH of %s (%s); install it, or put its folder on PATH", e.Program, where, e.Path)
}

// systemPath are the folders that are searched after those of assay's own PATH: tools of an administrator live in sbin,
// which is not on the PATH of everybody.
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// cookieName is the variable by which the processes of one command are known, even those that left its group.
const cookieName = "ASSAY_COMMAND"

// environment is all that a command sees: a tool's figures must not hang on who started it.
func environment(cookie string, extra []string) ([]string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/" // no HOME: a service
	}
	return commandEnv(os.Getenv("PATH"), home, cookie, append(owned(), extra...))
}

// commandEnv is environment for a machine on which whoever runs commands has this PATH and HOME.
func commandEnv(path, home, cookie string, extra []string) ([]string, error) {
	env := []string{"PATH=" + searchPath(path), "HOME=" + home, "LC_ALL=C", cookieName + "=" + cookie}
	for _, e := range extra {
		name, _, ok := strings.Cut(e, "=")
		if !ok || name == "" || name == cookieName || strings.ContainsRune(e, 0) {
			return nil, fmt.Errorf("%q cannot stand in a command's environment; expected NAME=value", e)
		}
		// The last one wins, here as in exec.
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		env = append(env, e)
	}
	return env, nil
}

// searchPath adds the system's folders to those of own. Relative ones are left out: commands run elsewhere.
func searchPath(own string) string {
	var dirs []string
	for _, d := range filepath.SplitList(own + ":" + systemPath) {
		if filepath.IsAbs(d) && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return strings.Join(dirs, ":")
}

// lookup finds a program on the PATH in env.
func lookup(program string, env []string) (string, error) {
	if filepath.IsAbs(program) {
		if why, ok := executable(program); !ok {
			return "", &NotFoundError{Program: program, Why: why}
		}
		return program, nil
	}
	if !isProgram(program) {
		return "", notAProgram(program)
	}
	path, obstacle := pathOf(env), ""
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, program)
		why, ok := executable(file)
		if ok {
			return file, nil
		}
		if why != "" && obstacle == "" {
			obstacle = file + ": " + why
		}
	}
	return "", &NotFoundError{Program: program, Path: path, Why: obstacle}
}

// isProgram reports whether a name is one that can be looked up: what a relative path means hangs on where one is.
func isProgram(name string) bool {
	return filepath.IsAbs(name) || name != "" && !strings.Contains(name, "/")
}

func notAProgram(name string) error {
	return fmt.Errorf("%q is not a program; expected a name without slashes or an absolute path", name)
}

// pathOf is the PATH in env.
func pathOf(env []string) (path string) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			path = v
		}
	}
	return path
}

// executable reports whether a file can be run; why is empty where there is no such file.
func executable(file string) (why string, ok bool) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", false
	case err != nil:
		return err.Error(), false
	case info.IsDir():
		return "it is a directory", false
	case info.Mode()&0o111 == 0:
		return "it is not executable", false
	}
	return "", true
}
