package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/plugin"
	"github.com/spf13/cobra"
)

func (a *app) providersLockCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lock [DIR]",
		Short: "Write down the checksums of the programs that a spec's provider blocks name",
		Long: `Write the checksum of every provider of a spec that is a program of its own into ` + plugin.LockFile + ` beside the spec. Only a
program that is written down there is ever started. Each one is started once, to see that it is the provider that the spec means.

Keep the file with the spec. For machines of another kind, run it there too: it keeps what it finds of other kinds.`,
		Example: `  assay providers lock specs/own`,
		Args:    cobra.MaximumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			return a.lock(c.Context(), set, specDir(args))
		}),
	}
}

func (a *app) lock(ctx context.Context, set *providers.Set, dir string) error {
	src, err := readSpec(dir)
	if err != nil {
		return err
	}
	m, diags := config.Parse(src)
	if bad := a.diagnose(src, diags); bad != nil {
		return bad
	}
	before, err := plugin.ReadLock(dir)
	if err != nil {
		return err
	}
	locked := map[string]plugin.Locked{}
	for _, p := range m.Providers {
		if p.Source == "" {
			continue
		}
		path := programPath(dir, p.Source)
		sum, err := sumOf(path)
		if err != nil {
			return err
		}
		c := program(p.Name, path, sum)
		if err := set.Add(ctx, c); err != nil {
			return errors.Join(err, c.Close())
		}
		l := plugin.Locked{Name: p.Name, Source: p.Source, SHA256: map[string]string{}}
		if old := before[p.Name]; old.Source == p.Source {
			for platform, s := range old.SHA256 {
				l.SHA256[platform] = s
			}
		}
		what := "locked"
		switch l.SHA256[plugin.Platform] {
		case sum:
			what = "as before"
		case "":
		default:
			what = "locked anew, it was " + l.SHA256[plugin.Platform]
		}
		l.SHA256[plugin.Platform] = sum
		locked[p.Name] = l
		a.printf("%s %s: %s, SHA-256 %s, %s\n", p.Name, set.Schema(p.Name).Version, path, sum, what)
	}
	if err := plugin.WriteLock(dir, locked); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Join(dir, plugin.LockFile), err)
	}
	if len(locked) == 0 {
		a.printf("No provider block names a program, so there is nothing to lock.\n")
	}
	return nil
}
