package main

import (
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) showCommand() *cobra.Command {
	var runs string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show RUN | PLANFILE",
		Short: "Show the verdict of a run, or a saved plan",
		Long:  `Show the verdict and the figures of a run, or the steps of a saved plan. RUN is a path, an id or "latest".`,
		Example: `  assay show latest
  assay show --json latest
  assay show plan.json`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			if fi, err := os.Stat(args[0]); err == nil && fi.Mode().IsRegular() {
				return a.showPlan(args[0], asJSON)
			}
			rec, err := record.Find(runs, args[0])
			if err != nil {
				return err
			}
			in, err := judgeRecord(c.Context(), set, rec, nil)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printResults(rec)
			}
			return a.printReport(rec, in)
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "print results.json, or the plan as it is")
	return c
}

func (a *app) showPlan(path string, asJSON bool) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	p, err := plan.Decode(raw)
	if err != nil {
		return err
	}
	if asJSON {
		_, err = a.stdout.Write(raw)
		return err
	}
	return plan.Text(a.stdout, p, nil, color(a.stdout))
}

func (a *app) printResults(rec *record.Record) error {
	raw, err := rec.Read(filepath.Join(record.ReportDir, report.ResultsFile))
	if err == nil {
		_, err = a.stdout.Write(raw)
	}
	return err
}

// otherJudgement plans another spec offline and takes what it says about judging. It gets the run's own variables.
func (a *app) otherJudgement(c *cobra.Command, set *providers.Set, flags *specFlags, rec *record.Record, dir string) (*plan.Judgement, error) {
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	req, src, diags, err := flags.request(dir, true)
	if err != nil {
		return nil, err
	}
	req.Variables = append(savedVariables(p), req.Variables...)
	built, more, err := plan.Build(c.Context(), set, req)
	if bad := a.diagnose(src, append(diags, more...)); bad != nil || err != nil {
		if bad != nil {
			return nil, bad
		}
		return nil, err
	}
	return &built.Plan.Judgement, nil
}
