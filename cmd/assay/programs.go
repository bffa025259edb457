package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/plugin"
	"github.com/hashicorp/go-hclog"
)

// programs opens the providers of the spec in dir that are programs of their own. A program must be the one that the lock file says.
func programs(dir string) func(name, source string) (*plan.Program, error) {
	return func(name, source string) (*plan.Program, error) {
		path := programPath(dir, source)
		sum, err := sumOf(path)
		if err != nil {
			return nil, err
		}
		locked, err := plugin.ReadLock(dir)
		if err != nil {
			return nil, err
		}
		file := filepath.ToSlash(filepath.Join(dir, plugin.LockFile))
		l := locked[name]
		switch want := l.SHA256[plugin.Platform]; {
		case want == "" || l.Source != source:
			return nil, fmt.Errorf("%s is not locked: %s has no checksum of it for %s. Its SHA-256 is %s. See where it comes from, and then run: assay providers lock %s",
				path, file, plugin.Platform, sum, dir)
		case want != sum:
			return nil, fmt.Errorf("%s has changed since it was locked: its SHA-256 is %s, and %s says %s. If that is meant, run: assay providers lock %s",
				path, sum, file, want, dir)
		}
		return &plan.Program{Provider: program(name, path, sum), Source: source, SHA256: sum}, nil
	}
}

// program is a provider that is started with its first call.
func program(name, path, sum string) *plugin.Client {
	return plugin.New(plugin.Options{Name: name, Path: path, Sum: sum, Log: providerLog()})
}

// programPath is a source as seen from the working directory.
func programPath(dir, source string) string {
	if filepath.IsAbs(source) {
		return filepath.Clean(source)
	}
	return filepath.Join(dir, filepath.FromSlash(source))
}

func sumOf(path string) (string, error) {
	sum, err := plugin.Sum(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no program %s; build it, or mend source", path)
	}
	return sum, err
}

// addPrograms adds the programs that a plan of a record used, for what is done with the record. A program must be the one that was
// used, or the one that is locked now.
func addPrograms(ctx context.Context, set *providers.Set, p *plan.Plan) error {
	for _, info := range p.Providers {
		if info.Source == "" || set.Schema(info.Name) != nil {
			continue
		}
		dir := filepath.FromSlash(p.Spec.Path)
		path := programPath(dir, info.Source)
		sum, err := sumOf(path)
		if err != nil {
			return fmt.Errorf("provider %s, which measured this: %w", info.Name, err)
		}
		if sum != info.SHA256 {
			locked, err := plugin.ReadLock(dir)
			if err != nil {
				return err
			}
			if sum != locked[info.Name].SHA256[plugin.Platform] {
				return fmt.Errorf("provider %s, which measured this: the SHA-256 of %s is %s; it was %s when it measured, and no other one is locked. Put that program there, or run: assay providers lock %s",
					info.Name, path, sum, info.SHA256, dir)
			}
		}
		c := program(info.Name, path, sum)
		if err := set.Add(ctx, c); err != nil {
			return errors.Join(err, c.Close())
		}
	}
	return nil
}

// providerLog is where programs write their log, where ASSAY_LOG asks for one.
func providerLog() hclog.Logger {
	level := os.Getenv("ASSAY_LOG")
	if level == "" {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Name: "provider", Output: os.Stderr, Level: hclog.LevelFromString(level)})
}
