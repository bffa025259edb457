package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// defaultRuns is where runs are kept, in the working directory.
var defaultRuns = filepath.Join(".assay", "runs")

type applyFlags struct {
	specFlags
	runs    string
	json    bool
	approve bool
	manual  bool
	resume  bool
	reuse   string
	// baseline is the run with which comparisons with another run compare; empty: the one that the spec names.
	baseline string
}

func (a *app) applyCommand() *cobra.Command {
	var f applyFlags
	c := &cobra.Command{
		Use:   "apply [DIR | PLANFILE | --resume [RUN]]",
		Short: "Carry out a plan and judge what was measured",
		Long: `Plan a spec and carry it out, or carry out exactly what a saved plan says; then judge what was measured.

A saved plan is refused when the spec has changed since. Sensitive variables are not in it: give them again.
With --reuse the samples of another run are taken over where the step is the same to the byte: configuration, commands, versions, hosts,
and all that it stands on. With --resume a run that was cut off or interrupted is gone on with, by the plan in its record: the latest, or RUN (a path, an id or
"latest"). Finished samples are kept; an interrupted repetition runs again.

What a run claims, it locks on the hosts: a file for each claim in /var/tmp there, or in the directory that ASSAY_LOCKS names. A run that
was killed still has its claims, until it is gone on with or destroyed.

Exit status: 0 every required KPI passed; 1 spec, usage or machine is wrong; 10 a required KPI failed; 11 none failed, but
something is incomplete or inconclusive; 130 interrupted.`,
		Example: `  assay apply specs/quickstart
  assay apply -auto-approve plan.json
  assay apply --target 'test.fio.*[rw=read]' specs/quickstart
  assay apply --resume
  assay apply --reuse latest specs/quickstart
  assay apply --json --runs /var/lib/assay specs/quickstart`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			if f.resume {
				return a.resume(c.Context(), set, &f, args)
			}
			return a.apply(c.Context(), set, &f, specDir(args))
		}),
	}
	f.add(c)
	f.addTarget(c)
	f.addErase(c)
	c.Flags().StringVar(&f.runs, "runs", defaultRuns, "keep runs below this `directory`")
	c.Flags().BoolVar(&f.json, "json", false, "print the journal's events, one JSON object a line")
	c.Flags().BoolVar(&f.approve, "auto-approve", false, "do not ask")
	c.Flags().BoolVar(&f.manual, "manual-done", false, "what a person has to do (command_manual) is done already; only see whether it is so")
	c.Flags().BoolVar(&f.resume, "resume", false, "go on with a run that was cut off or interrupted")
	c.Flags().StringVar(&f.reuse, "reuse", "", "take over the samples of a `run` whose steps are the same to the byte: configuration, tools, hosts")
	c.Flags().StringVar(&f.baseline, "baseline", "", "compare with this `run`, in place of the one that the spec names")
	c.MarkFlagsMutuallyExclusive("resume", "baseline")
	c.MarkFlagsMutuallyExclusive("resume", "target")
	c.MarkFlagsMutuallyExclusive("resume", "reuse")
	return c
}

func (a *app) apply(ctx context.Context, set *providers.Set, f *applyFlags, from string) error {
	built, req, err := a.toApply(ctx, set, f, from)
	if err != nil {
		return err
	}
	fi, err := os.Stat(from)
	saved := err == nil && fi.Mode().IsRegular()
	if err := a.consent(built.Plan, f.approve, saved, f.erase); err != nil {
		return err
	}
	reuse, err := earlierRun(f)
	if err != nil {
		return err
	}
	raw, err := plan.Encode(built.Plan)
	if err != nil {
		return err
	}
	if f.baseline != "" {
		if f.baseline, err = usableBaseline(f.runs, "", built.Plan.Judgement, f.baseline); err != nil {
			return err
		}
	}
	rec, err := record.Create(f.runs, time.Now(), raw, req.Sources)
	if err != nil {
		return err
	}
	if f.baseline != "" {
		if err := keepBaseline(rec, f.baseline); err != nil {
			return err
		}
	}
	return a.carryOut(ctx, set, f, run.Options{
		Plan: built.Plan, Configs: built.Configs, Outputs: built.Outputs, Record: rec, ImportFile: req.ReadFile, Reuse: reuse,
	})
}

// earlierRun opens the run of --reuse; nil where there is none.
func earlierRun(f *applyFlags) (*run.Earlier, error) {
	if f.reuse == "" {
		return nil, nil
	}
	rec, err := record.Find(f.runs, f.reuse)
	if err != nil {
		return nil, err
	}
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	st, err := rec.State()
	if err != nil {
		return nil, err
	}
	return &run.Earlier{Record: rec, Plan: p, State: st}, nil
}

// carryOut carries out a plan, or the rest of it, and judges the record.
func (a *app) carryOut(ctx context.Context, set *providers.Set, f *applyFlags, o run.Options) error {
	if err := a.claim(ctx, set, &o); err != nil {
		return err
	}
	rec := o.Record
	progress := a.progress(f.json, &o)
	o.Ask = a.asker(progress, f.manual)
	if !f.json {
		about := o.Plan.Lasts()
		if o.Resume != nil {
			about = progress.total()
		}
		a.printf("Run %s: %s, about %s.\n", rec.ID, filepath.ToSlash(rec.Dir), about)
	}
	runErr := run.Run(ctx, o)
	printErr := progress.end()
	if errors.Is(runErr, run.ErrNobody) {
		return fmt.Errorf("%w. Run it in a terminal, or do it first and say --manual-done", runErr)
	}
	if runErr != nil && !errors.Is(runErr, run.ErrInterrupted) {
		return fmt.Errorf("%w\nWhat was measured is kept in %s; `assay apply --resume` goes on with it", runErr, rec.Dir)
	}
	in, err := judgeRecord(context.WithoutCancel(ctx), set, rec, nil)
	if err != nil {
		return err
	}
	if !f.json {
		a.printf("\n")
		if err := a.printReport(rec, in); err != nil {
			return err
		}
	}
	switch {
	case runErr != nil:
		return fmt.Errorf("%w.\n`assay apply --resume` goes on with run %s", runErr, rec.ID)
	case printErr != nil:
		return printErr
	case in.Results.Exit != 0:
		return exitStatus(in.Results.Exit)
	}
	return nil
}

// claim fills in what is the same for everything that is carried out, and locks what the plan claims. Where another run has that, nothing
// is left of this one.
func (a *app) claim(ctx context.Context, set *providers.Set, o *run.Options) error {
	cwd, err := os.Getwd()
	if err == nil {
		o.Set, o.Dial, o.Version, o.Dir, o.Cleanup, o.Kept = set, a.hosts.Dial, Version, cwd, a.cleanup, standingHere()
		o.Locks, err = run.Lock(ctx, run.LockOptions{
			Plan: o.Plan, Set: set, Record: o.Record, Dial: a.hosts.Dial, HostDir: os.Getenv("ASSAY_LOCKS"), WorkDir: cwd,
		})
	}
	switch {
	case err == nil:
		return nil
	case o.Resume == nil:
		return errors.Join(err, o.Record.Discard())
	}
	return errors.Join(err, o.Record.CloseJournal())
}

func (a *app) printReport(rec *record.Record, in *report.Input) error {
	return report.Text(a.stdout, *in, report.TextOptions{
		Color: color(a.stdout), Width: width(a.stdout),
		Report: filepath.ToSlash(filepath.Join(rec.Dir, record.ReportDir, report.HTMLFile)),
	})
}

// toApply plans a folder, or reads a saved plan and plans its spec again, to see that nothing has changed since.
func (a *app) toApply(ctx context.Context, set *providers.Set, f *applyFlags, from string) (*plan.Built, plan.Request, error) {
	fi, err := os.Stat(from)
	if err != nil || fi.IsDir() {
		return a.build(ctx, set, &f.specFlags, from, false)
	}
	raw, err := os.ReadFile(from)
	if err != nil {
		return nil, plan.Request{}, err
	}
	saved, err := plan.Decode(raw)
	if err != nil {
		return nil, plan.Request{}, fmt.Errorf("%s: %w", from, err)
	}
	if saved.Offline {
		return nil, plan.Request{}, fmt.Errorf("%s was planned offline, without a look at the machine; plan again without --offline", from)
	}
	flags := f.specFlags
	if len(flags.targets) > 0 {
		return nil, plan.Request{}, fmt.Errorf("--target goes with a spec's folder; %s is carried out as it is", from)
	}
	flags.targets, flags.erase = saved.Targets, append(flags.erase, saved.AllowErase...)
	req, src, diags, err := flags.request(saved.Spec.Path, false)
	if err != nil {
		return nil, req, fmt.Errorf("the spec of %s: %w", from, err)
	}
	req.Variables = append(savedVariables(saved), req.Variables...)
	built, more, err := plan.Build(ctx, set, req)
	diags = append(diags, more...)
	if bad := a.diagnose(src, diags); bad != nil || err != nil {
		return nil, req, errors.Join(bad, err)
	}
	now, err := plan.Encode(built.Plan)
	if err != nil {
		return nil, req, err
	}
	if !bytes.Equal(now, raw) {
		return nil, req, fmt.Errorf("%s is out of date: %s\nPlan again, look at it, and apply the new plan", from, plan.Difference(saved, built.Plan))
	}
	return built, req, nil
}

// savedVariables gives the variables of a plan as inputs.
func savedVariables(p *plan.Plan) []eval.Input {
	var in []eval.Input
	for name, raw := range p.Variables {
		if v, err := plan.Variable(raw); err == nil {
			in = append(in, eval.Input{Name: name, Value: v, Source: "the saved plan", Lenient: true, Silent: true})
		}
	}
	return in
}

// ask has a person agree to what will happen.
func (a *app) ask(why []string) error {
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return fmt.Errorf("this needs your consent, and there is no terminal to ask: %s. Look at the plan, then use --auto-approve", strings.Join(why, "; "))
	}
	fmt.Fprintf(a.stderr, "%s\nGo on? Only \"yes\" is yes: ", strings.Join(why, "\n"))
	answer, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(answer) != "yes" {
		return errors.New("not approved; nothing was touched")
	}
	return nil
}
