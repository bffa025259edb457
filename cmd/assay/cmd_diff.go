package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assay-bench/assay/engine/diff"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) diffCommand() *cobra.Command {
	var runs string
	var asJSON, exitCode bool
	var opt diff.Options
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two runs: two firmwares, two releases",
		Long: `Compare the figures of two runs at equal addresses, the older one being the baseline; say which verdicts changed, and in what the
plans and the hosts differ. A difference counts as shown as in a compare block, corrected for how many are compared. Each run is
judged from its own record. OLD and NEW are paths, ids or "latest". With --exit-code the status is 1 when a figure is shown to
be worse, or a KPI that passed no longer does.`,
		Example: `  assay diff 20260101T000000.000Z-abcdef latest
  assay diff --exit-code --all /var/lib/assay/release-1 /var/lib/assay/release-2`,
		Args: cobra.ExactArgs(2),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			old, err := side(c.Context(), set, runs, args[0])
			if err != nil {
				return err
			}
			now, err := side(c.Context(), set, runs, args[1])
			if err != nil {
				return err
			}
			d := diff.Runs(old, now, opt)
			if asJSON {
				enc := json.NewEncoder(a.stdout)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				err = enc.Encode(d)
			} else {
				err = report.DiffText(a.stdout, d, report.TextOptions{Color: color(a.stdout), Width: width(a.stdout)})
			}
			if err == nil && exitCode && d.Worse() {
				err = exitStatus(exitError)
			}
			return err
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "print the differences as JSON")
	c.Flags().BoolVar(&opt.All, "all", false, "compare every measure, not only those that the new run's spec names")
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 1 when something is shown to be worse")
	return c
}

// side judges a run from its record.
func side(ctx context.Context, set *providers.Set, runs, run string) (diff.Side, error) {
	rec, err := record.Find(runs, run)
	if err != nil {
		return diff.Side{}, err
	}
	in, err := judgeRecord(ctx, set, rec, nil)
	if err != nil {
		return diff.Side{}, fmt.Errorf("run %s: %w", rec.ID, err)
	}
	return diff.Side{Run: rec.ID, Plan: in.Plan, Results: in.Results, Facts: in.Facts}, nil
}
