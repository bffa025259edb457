package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/standing"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/require"
	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
)

// specFlags are the flags of every command that reads a spec.
type specFlags struct {
	vars     []string
	varFiles []string
	targets  []string
	erase    []string // ids of what may be lost
}

func (f *specFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.vars, "var", nil, "set a variable: `name=value`; may be given several times")
	c.Flags().StringArrayVar(&f.varFiles, "var-file", nil, "read variables from a `file`; may be given several times")
}

// addTarget adds --target, for the commands that carry a part of a spec out.
func (f *specFlags) addTarget(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.targets, "target", nil, "only the tests (and what they need) that a `pattern` picks: 'test.fio.*[rw=read]'")
}

// addErase adds --allow-erase, for the commands that plan on the bench.
func (f *specFlags) addErase(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.erase, "allow-erase", nil, "let what is on disks be lost, by their serial numbers, and the data of earlier runs that are in the way, by their `ids`")
}

// specDir is the folder that a command means.
func specDir(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return filepath.Clean(args[0])
}

// readSpec reads the files of a spec's folder, named as the user would name them.
func readSpec(dir string) (diag.Sources, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %q; name the folder of a spec, which holds its *%s files", dir, config.Extension)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the spec: %w", err)
	}
	src := diag.Sources{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, config.Extension) && !strings.HasSuffix(name, config.JSONExtension) {
			continue
		}
		path := filepath.Join(dir, name)
		if src[path], err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("reading the spec: %w", err)
		}
	}
	if len(src) == 0 {
		return nil, fmt.Errorf("%s holds no spec: there is no file whose name ends in %s", dir, config.Extension)
	}
	return src, nil
}

// inputs collects the values of variables, the weakest first: environment, assay.auto.assayvars, then files and --var in turn.
func (f *specFlags) inputs(dir string, src diag.Sources) ([]eval.Input, hcl.Diagnostics, error) {
	var in []eval.Input
	for _, kv := range os.Environ() {
		if name, value, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(name, "ASSAY_VAR_") {
			in = append(in, eval.Input{Name: strings.TrimPrefix(name, "ASSAY_VAR_"), Text: value, Source: name, Lenient: true, Silent: true})
		}
	}
	files := f.varFiles
	if auto := filepath.Join(dir, "assay.auto.assayvars"); exists(auto) {
		files = append([]string{auto}, files...)
	}
	var diags hcl.Diagnostics
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, fmt.Errorf("--var-file: %w", err)
		}
		src[file] = raw
		more, d := eval.ParseVarFile(file, raw)
		diags = append(diags, d...)
		in = append(in, more...)
	}
	for _, v := range f.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, nil, fmt.Errorf("--var %q: write it as name=value", v)
		}
		in = append(in, eval.Input{Name: name, Text: value, Source: "--var " + name})
	}
	return in, diags, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// request gathers what planning the spec in dir needs. Diagnostics of variable files come with it; src holds every file
// that diagnostics may point into.
func (f *specFlags) request(dir string, offline bool) (req plan.Request, src diag.Sources, diags hcl.Diagnostics, err error) {
	spec, err := readSpec(dir)
	if err != nil {
		return req, nil, nil, err
	}
	src = diag.Sources{}
	for name, raw := range spec {
		src[name] = raw
	}
	if diags = require.Check(spec, Version); diags.HasErrors() { // before anything else, which may be of a later version
		return req, src, diags, nil
	}
	in, diags, err := f.inputs(dir, src)
	if err != nil {
		return req, nil, nil, err
	}
	rel, err := relative(dir)
	if err != nil {
		return req, nil, nil, err
	}
	targets, err := plan.ParseTargets(f.targets)
	if err != nil {
		return req, nil, nil, err
	}
	req = plan.Request{
		Sources: spec, Path: rel, Variables: in, Targets: targets, Offline: offline, Glob: glob(dir), ReadFile: readFile(dir), AllowErase: f.erase,
		Program: programs(dir),
	}
	if !offline {
		req.Kept, err = standingHere().List()
	}
	return req, src, diags, err
}

// standingHere is the registry of what runs have left standing, in the working directory.
func standingHere() *standing.Registry {
	return &standing.Registry{Dir: filepath.Join(".assay", "standing")}
}

// relative is a folder as seen from the working directory, so that a plan names no path of a machine.
func relative(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(cwd, abs)
	return filepath.ToSlash(rel), err
}

// readFile reads files in a spec's folder, by their path from there. What leads out of it, by .. or by a symbolic link, is refused.
func readFile(dir string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return root.ReadFile(filepath.FromSlash(name))
	}
}

// glob lists files in a spec's folder. Symbolic links are followed only to files that stay inside of it.
func glob(dir string) func(string) ([]string, error) {
	return func(pattern string) ([]string, error) {
		matches, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		var out []string
		for _, m := range matches {
			if fi, err := os.Stat(m); err != nil || !fi.Mode().IsRegular() {
				continue
			}
			rel, err := filepath.Rel(dir, m)
			if err != nil {
				return nil, err
			}
			out = append(out, filepath.ToSlash(rel))
		}
		sort.Strings(out)
		return out, nil
	}
}
