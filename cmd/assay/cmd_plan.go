package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/all"
	"github.com/spf13/cobra"
)

// using makes a command of one that needs the built-in providers.
func (a *app) using(do func(*cobra.Command, *providers.Set, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		set, err := a.builtin(c.Context())
		if err != nil {
			return err
		}
		return errors.Join(do(c, set, args), set.Close(), a.hosts.Close())
	}
}

// builtin makes a set of the built-in providers for the working directory. Each spec needs one of its own, since it configures them.
func (a *app) builtin(ctx context.Context) (*providers.Set, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return providers.NewSet(ctx, cwd, all.Builtin(a.hosts.Dial)...)
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

// planFlags are the flags of plan.
type planFlags struct {
	specFlags
	json, markdown, offline, exitCode bool
	out, against, runs                string
}

func (a *app) planCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "plan [DIR]",
		Short: "Show every step, command and erased disk before anything is touched",
		Long: `Show every step, command line and erased disk, and how long it takes. A plan reads the bench and changes nothing.

With --against it is compared with another plan: of a run, of a saved plan, or of a folder as it was before a change. Steps
that come and go, hours, and every KPI that was loosened, removed or judges nothing any more are shown.`,
		Example: `  assay plan specs/quickstart
  assay plan --out plan.json specs/quickstart && assay apply plan.json
  assay plan --offline --json specs/quickstart
  assay plan --target 'test.fio.*[rw=read]' specs/quickstart
  assay plan --against latest --markdown specs/quickstart`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			return a.plan(c.Context(), set, &f, specDir(args))
		}),
	}
	f.add(c)
	f.addTarget(c)
	f.addErase(c)
	c.Flags().BoolVar(&f.json, "json", false, "print the plan as JSON")
	c.Flags().BoolVar(&f.markdown, "markdown", false, "print it as Markdown, for a pull request")
	c.Flags().BoolVar(&f.offline, "offline", false, "look at no machine")
	c.Flags().StringVar(&f.out, "out", "", "save the plan in a `file`, for apply")
	c.Flags().StringVar(&f.against, "against", "", "compare with the plan of a `run, file or folder`")
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "with --against: exit with 1 when the plans differ")
	c.Flags().StringVar(&f.runs, "runs", defaultRuns, "the `directory` in which runs are kept: for --against, and for how long the last one took")
	c.MarkFlagsMutuallyExclusive("json", "markdown")
	return c
}

func (a *app) plan(ctx context.Context, set *providers.Set, f *planFlags, dir string) error {
	if f.exitCode && f.against == "" {
		return errors.New("--exit-code goes with --against")
	}
	built, _, err := a.build(ctx, set, &f.specFlags, dir, f.offline)
	if err != nil {
		return err
	}
	if f.out != "" {
		raw, err := plan.Encode(built.Plan)
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.out, raw, 0o644); err != nil {
			return err
		}
	}
	if f.against != "" {
		return a.planAgainst(ctx, f, built.Plan)
	}
	switch {
	case f.json:
		return plan.EncodeTo(a.stdout, built.Plan)
	case f.markdown:
		return plan.Markdown(a.stdout, built.Plan)
	}
	if err := plan.Text(a.stdout, built.Plan, earlier(f.runs, built.Plan), color(a.stdout)); err != nil {
		return err
	}
	if f.out != "" {
		a.printf("\nSaved. Carry out exactly this with: assay apply %s\n", f.out)
	}
	return nil
}

// planAgainst prints what is different from another plan.
func (a *app) planAgainst(ctx context.Context, f *planFlags, now *plan.Plan) error {
	old, err := a.otherPlan(ctx, f)
	if err != nil {
		return err
	}
	diff := plan.Against(old, now)
	switch {
	case f.json:
		enc := json.NewEncoder(a.stdout)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		err = enc.Encode(diff)
	case f.markdown:
		err = plan.AgainstMarkdown(a.stdout, diff)
	default:
		err = plan.AgainstText(a.stdout, diff, color(a.stdout))
	}
	if err == nil && f.exitCode && !diff.Empty() {
		err = exitStatus(exitError)
	}
	return err
}

// otherPlan gets the plan to compare with: of a folder, planned with the same variables; of a file; or of a run.
func (a *app) otherPlan(ctx context.Context, f *planFlags) (*plan.Plan, error) {
	fi, err := os.Stat(f.against)
	switch {
	case err == nil && fi.Mode().IsRegular():
		raw, err := os.ReadFile(f.against)
		if err != nil {
			return nil, err
		}
		return plan.Decode(raw)
	case err == nil && !exists(filepath.Join(f.against, record.PlanFile)):
		set, err := a.builtin(ctx)
		if err != nil {
			return nil, err
		}
		built, _, err := a.build(ctx, set, &f.specFlags, f.against, f.offline)
		if err := errors.Join(err, set.Close()); err != nil {
			return nil, err
		}
		return built.Plan, nil
	}
	rec, err := record.Find(f.runs, f.against)
	if err != nil {
		return nil, err
	}
	return recordedPlan(rec)
}
