package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

type destroyFlags struct {
	specFlags
	runs                string
	json, approve, kept bool
}

func (a *app) destroyCommand() *cobra.Command {
	var f destroyFlags
	c := &cobra.Command{
		Use:   "destroy RUN",
		Short: "Take away what a run left standing",
		Long: `Take away what a run that was cut off left standing, by its journal: what is above first. Only what carries the run's mark is
touched, and what is gone already is passed over, so it can be done again. What the spec keeps stays, unless --kept is given. Samples and
raw output stay in the record. RUN is a path, an id or "latest".

Exit status: 0 nothing is left that should go; 1 something is.`,
		Example: `  assay destroy latest
  assay destroy -auto-approve --kept .assay/runs/20260101T000000.000Z-abcdef`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			return a.destroy(c.Context(), set, &f, args[0])
		}),
	}
	f.add(c)
	c.Flags().StringVar(&f.runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().BoolVar(&f.json, "json", false, "print the journal's events, one JSON object a line")
	c.Flags().BoolVar(&f.approve, "auto-approve", false, "do not ask")
	c.Flags().BoolVar(&f.kept, "kept", false, "take away what the spec keeps, too")
	return c
}

func (a *app) destroy(ctx context.Context, set *providers.Set, f *destroyFlags, name string) error {
	rec, err := record.Find(f.runs, name)
	if err != nil {
		return err
	}
	o, err := a.reopen(ctx, set, &f.specFlags, rec)
	if err != nil {
		return err
	}
	goes := a.toDestroy(o, f.kept)
	if len(goes) == 0 {
		a.printf("Nothing of run %s is left that should go.\n", rec.ID)
		return errors.Join(a.unlock(ctx, set, o), rec.CloseJournal())
	}
	if !f.approve {
		if err := a.ask(goes); err != nil {
			return errors.Join(err, rec.CloseJournal())
		}
	}
	if err := a.claim(ctx, set, o); err != nil {
		return err
	}
	progress := a.progress(f.json, o)
	progress.uncounted = true
	o.Ask = a.asker(progress, false)
	return errors.Join(run.Destroy(ctx, *o, f.kept), progress.end())
}

// toDestroy lists what goes, for a person.
func (a *app) toDestroy(o *run.Options, kept bool) []string {
	var out []string
	for i := len(o.Plan.Things) - 1; i >= 0; i-- {
		t := o.Plan.Things[i]
		was := o.Resume.Things[t.ID]
		if was == nil || t.Keep && !kept && was.Stand == record.Made {
			continue
		}
		out = append(out, fmt.Sprintf("%s is taken away", t.Addresses[0]))
	}
	return out
}

// unlock gives back the claims of a run of which nothing is left.
func (a *app) unlock(ctx context.Context, set *providers.Set, o *run.Options) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	return run.Unlock(ctx, run.LockOptions{
		Plan: o.Plan, Set: set, Record: o.Record, Dial: a.hosts.Dial, HostDir: os.Getenv("ASSAY_LOCKS"), WorkDir: cwd,
	})
}
