package main

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) runsRemoveCommand(runs *string) *cobra.Command {
	return &cobra.Command{
		Use:   "remove RUN…",
		Short: "Remove the records of runs",
		Long: `Remove the records of runs, with all that they measured. A run that still goes on, or of which something may stand, is not
removed: its record is the only thing that knows what that is. RUN is a path, an id or "latest".`,
		Example: `  assay runs remove 20260101T000000.000Z-abcdef`,
		Args:    cobra.MinimumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			for _, name := range args {
				if err := a.removeRun(c.Context(), set, *runs, name); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

func (a *app) removeRun(ctx context.Context, set *providers.Set, runs, name string) error {
	rec, err := record.Find(runs, name)
	if err != nil {
		return err
	}
	running, err := rec.Running()
	if err != nil {
		return err
	}
	if running {
		return fmt.Errorf("run %s still goes on", rec.ID)
	}
	st, err := rec.State()
	if err != nil {
		return fmt.Errorf("what run %s left standing cannot be told, so its record is not removed: %w", rec.ID, err)
	}
	if n := len(st.Things); n > 0 {
		return fmt.Errorf("%d things of run %s may stand, and only its record knows them: `assay destroy --kept %s` takes them away", n, rec.ID, rec.ID)
	}
	p, err := recordedPlan(rec)
	if err != nil {
		return err
	}
	if !st.Finished {
		if err := a.unlock(ctx, set, &run.Options{Plan: p, Record: rec}); err != nil {
			return err
		}
	}
	size, err := rec.Size()
	if err != nil {
		return err
	}
	if err := rec.Remove(); err != nil {
		return err
	}
	a.printf("Removed run %s: %s.\n", rec.ID, unit.Format(float64(size), unit.Bytes, ""))
	return nil
}
