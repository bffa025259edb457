package main

import (
	"errors"
	"path/filepath"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) judgeCommand() *cobra.Command {
	var flags specFlags
	var runs, spec, baseline string
	var asJSON bool
	c := &cobra.Command{
		Use:   "judge RUN",
		Short: "Judge a run again, from its record alone",
		Long: `Derive the samples of a run from its raw output again, judge them, and write its report again. Nothing but the record
is read, and those of the runs with which it compares. RUN is a path, an id or "latest". With --spec it is judged by another spec's comparisons, KPIs and plots; limits
that changed after the data were seen are marked. With --baseline, comparisons with another run compare with that one; it stays so
when the run is judged again.`,
		Example: `  assay judge latest
  assay judge --spec specs/quickstart .assay/runs/20260101T000000Z-abcdef
  assay judge --baseline /var/lib/assay/release-1 latest`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			rec, err := record.Find(runs, args[0])
			if err != nil {
				return err
			}
			var changed *plan.Judgement
			if spec != "" {
				if changed, err = a.otherJudgement(c, set, &flags, rec, spec); err != nil {
					return err
				}
			} else if len(flags.vars)+len(flags.varFiles) > 0 {
				return errors.New("--var and --var-file go with --spec: the record's own plan is judged as it is")
			}
			if baseline != "" {
				j := changed
				if j == nil {
					p, err := recordedPlan(rec)
					if err != nil {
						return err
					}
					j = &p.Judgement
				}
				run, err := usableBaseline(filepath.Dir(rec.Dir), rec.ID, *j, baseline)
				if err != nil {
					return err
				}
				if err := keepBaseline(rec, run); err != nil {
					return err
				}
			}
			in, err := judgeRecord(c.Context(), set, rec, changed)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.printResults(rec)
			} else {
				err = a.printReport(rec, in)
			}
			if err == nil && in.Results.Exit != 0 {
				err = exitStatus(in.Results.Exit)
			}
			return err
		}),
	}
	flags.add(c)
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().StringVar(&baseline, "baseline", "", "compare with this `run`, in place of the one that the spec names")
	c.Flags().StringVar(&spec, "spec", "", "judge by the spec in this `directory`")
	c.Flags().BoolVar(&asJSON, "json", false, "print results.json")
	return c
}
