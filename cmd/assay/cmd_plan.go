package main

import (
	"context"
	"os"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/all"
	"github.com/assay-bench/assay/providers/host"
	"github.com/spf13/cobra"
)

// providers gives the built-in providers, configured for the working directory.
func (a *app) providers(ctx context.Context) (*providers.Set, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return providers.NewSet(ctx, cwd, all.Builtin(host.Dial)...)
}

// build plans the spec in dir and prints what is wrong with it.
func (a *app) build(ctx context.Context, set *providers.Set, flags *specFlags, dir string, offline bool) (*plan.Built, plan.Request, error) {
	req, src, diags, err := flags.request(dir, offline)
	if err != nil {
		return nil, req, err
	}
	if diags.HasErrors() {
		return nil, req, a.diagnose(src, diags)
	}
	built, more, err := plan.Build(ctx, set, req)
	diags = append(diags, more...)
	if bad := a.diagnose(src, diags); bad != nil {
		return nil, req, bad
	}
	return built, req, err
}

func (a *app) planCommand() *cobra.Command {
	var flags specFlags
	var asJSON, offline bool
	var out string
	c := &cobra.Command{
		Use:   "plan [DIR]",
		Short: "Show every step, command and erased disk before anything is touched",
		Long:  "Show every step, command line and erased disk, and how long it takes. A plan reads the bench and changes nothing.",
		Example: `  assay plan specs/quickstart
  assay plan --out plan.json specs/quickstart && assay apply plan.json
  assay plan --offline --json specs/quickstart`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			set, err := a.providers(c.Context())
			if err != nil {
				return err
			}
			defer set.Close()
			built, _, err := a.build(c.Context(), set, &flags, specDir(args), offline)
			if err != nil {
				return err
			}
			raw, err := plan.Encode(built.Plan)
			if err != nil {
				return err
			}
			if out != "" {
				if err := os.WriteFile(out, raw, 0o644); err != nil {
					return err
				}
			}
			if asJSON {
				_, err = a.stdout.Write(raw)
				return err
			}
			if err := plan.Text(a.stdout, built.Plan, color(a.stdout)); err != nil {
				return err
			}
			if out != "" {
				a.printf("\nSaved. Carry out exactly this with: assay apply %s\n", out)
			}
			return nil
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the plan as JSON")
	c.Flags().BoolVar(&offline, "offline", false, "look at no machine")
	c.Flags().StringVar(&out, "out", "", "save the plan in a `file`, for apply")
	return c
}
