package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/format"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
)

// varsExtension is that of files of variables.
const varsExtension = ".assayvars"

// standardInput is how diagnostics call it.
const standardInput = "<standard input>"

// formatter is one run of fmt.
type formatter struct {
	app              *app
	check, diff      bool
	write, recursive bool
	changed          bool
	failed           bool
}

func (a *app) fmtCommand() *cobra.Command {
	f := &formatter{app: a}
	var stdin bool
	c := &cobra.Command{
		Use:   "fmt [DIR|FILE|-]...",
		Short: "Lay out specs in the canonical form",
		Long: `Lay out *` + config.Extension + ` and *` + varsExtension + ` files in the canonical form, which is Terraform's, and list those that changed.
Only blanks and line ends change. Signs are aligned by the columns of a terminal, in which a Chinese character is two wide.

A file that does not parse stays as it is; what is wrong with it is shown, and the exit status is 1. With --check nothing is
written, and the exit status is 1 where something would be. With - standard input is read, and the result written to
standard output.`,
		Example: `  assay fmt specs/quickstart
  assay fmt --check --diff --recursive .
  assay fmt - < main.assay.hcl`,
		RunE: func(_ *cobra.Command, args []string) error {
			if stdin {
				args = append(args, "-")
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			for _, arg := range args {
				if err := f.argument(arg, len(args)); err != nil {
					return err
				}
			}
			if f.failed || f.check && f.changed {
				return exitStatus(exitError)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&f.check, "check", false, "write nothing; exit status 1 where something would change")
	c.Flags().BoolVar(&f.diff, "diff", false, "show what changes, as a unified diff; it is written all the same, unless with --check")
	c.Flags().BoolVar(&f.write, "write", true, "write the files; --write=false only lists them")
	c.Flags().BoolVar(&f.recursive, "recursive", false, "take folders below too, but for those whose name begins with a dot")
	c.Flags().BoolVar(&stdin, "stdin", false, "the same as -")
	return c
}

// argument lays out one file or folder, or standard input; n is how many there are.
func (f *formatter) argument(arg string, n int) error {
	if arg == "-" {
		if n > 1 {
			return errors.New("- stands alone: standard input is laid out to standard output, and files in place")
		}
		return f.standardInput()
	}
	fi, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file or folder %q; name a spec's folder, or files that end in %s or %s", arg, config.Extension, varsExtension)
	case err != nil:
		return err
	case fi.IsDir():
		return f.folder(filepath.Clean(arg))
	case !formats(arg):
		return fmt.Errorf("%s is not laid out: that is for files that end in %s or %s", arg, config.Extension, varsExtension)
	}
	return f.file(filepath.Clean(arg))
}

func formats(name string) bool {
	return strings.HasSuffix(name, config.Extension) || strings.HasSuffix(name, varsExtension)
}

func (f *formatter) folder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if f.recursive && !strings.HasPrefix(e.Name(), ".") {
				err = f.folder(path)
			}
		} else if formats(e.Name()) {
			if fi, bad := os.Stat(path); bad != nil || fi.Mode().IsRegular() { // a link to a folder, or a pipe, is no spec
				err = f.file(path)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *formatter) standardInput() error {
	src, err := io.ReadAll(f.app.stdin)
	if err != nil {
		return err
	}
	out := f.source(standardInput, src)
	if out == nil {
		return nil
	}
	if f.check || f.diff {
		return f.show(standardInput, src, out)
	}
	_, err = f.app.stdout.Write(out)
	return err
}

// source lays out a text; nil where it does not parse, which is said.
func (f *formatter) source(name string, src []byte) []byte {
	out, diags := format.Source(name, src)
	if diags.HasErrors() {
		f.failed = true
		_ = f.app.diagnose(diag.Sources{name: src}, diags) // its error is what failed is for
		return nil
	}
	f.changed = f.changed || !bytes.Equal(src, out)
	if out == nil {
		out = []byte{}
	}
	return out
}

func (f *formatter) show(name string, src, out []byte) error {
	if !f.diff {
		return nil
	}
	name = filepath.ToSlash(name)
	_, err := f.app.stdout.Write(diff.Diff("a/"+name, src, "b/"+name, out))
	return err
}

func (f *formatter) file(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	out := f.source(path, src)
	if out == nil || bytes.Equal(src, out) {
		return nil
	}
	if f.write && !f.check {
		if err := replace(path, out); err != nil {
			return err
		}
	}
	f.app.printf("%s\n", path)
	return f.show(path, src, out)
}

// replace gives a file other content at one stroke: who reads it meanwhile sees the old or the new one. Its mode and owner stay,
// a link to it stays a link, and what may not be written is not.
func replace(path string, content []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	old, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	fi, err := old.Stat()
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".assay-fmt-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // without effect once it has the file's name
	_, err = tmp.Write(content)
	if err == nil {
		err = keepOwner(tmp, fi)
	}
	if err == nil {
		err = tmp.Chmod(fi.Mode().Perm())
	}
	if err == nil {
		err = tmp.Sync()
	}
	if bad := tmp.Close(); err == nil {
		err = bad
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return os.Rename(tmp.Name(), path)
}

// keepOwner gives a file the owner of another, where these differ: who runs as root lays out the files of others.
func keepOwner(f *os.File, like fs.FileInfo) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := like.Sys().(*syscall.Stat_t)
	is, same := fi.Sys().(*syscall.Stat_t)
	if !ok || !same || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	return f.Chown(int(was.Uid), int(was.Gid))
}
