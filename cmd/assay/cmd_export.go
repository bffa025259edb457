package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/export"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) exportCommand() *cobra.Command {
	var runs, format, out string
	c := &cobra.Command{
		Use:   "export RUN",
		Short: "Write the samples of a run for other tools",
		Long: `Write what a run measured, derived from its raw output, as a table with a row for each figure of each sample (csv, parquet), or in
Go's benchmark format (gobench), which benchstat reads. Values are in base units. RUN is a path, an id or "latest"; nothing is
written into it.`,
		Example: `  assay export latest --format csv --out samples.csv
  assay export latest --format gobench > run.txt && benchstat -row .name -col /drive run.txt`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			rec, err := record.Find(runs, args[0])
			if err != nil {
				return err
			}
			p, err := recordedPlan(rec)
			if err != nil {
				return err
			}
			if format == "parquet" && out == "" && terminal(a.stdout) {
				return errors.New("a Parquet file is not for a terminal; say where it goes with --out FILE")
			}
			derived, err := derive.All(c.Context(), rec, p, set)
			if err != nil {
				return err
			}
			table := export.Samples(p, judge.Judge(p.Spec.Title, p.Judgement, p.Measured(), derived.Samples))
			var b bytes.Buffer
			switch format {
			case "csv":
				err = table.CSV(&b)
			case "parquet":
				err = table.Parquet(&b)
			case "gobench":
				facts, ferr := rec.Facts()
				if ferr != nil {
					return ferr
				}
				err = table.GoBench(&b, p, facts)
			default:
				return fmt.Errorf("--format is %q; it is csv, parquet or gobench", format)
			}
			if err != nil {
				return err
			}
			if out == "" {
				_, err = a.stdout.Write(b.Bytes())
				return err
			}
			if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
				return fmt.Errorf("writing the export: %w", err)
			}
			return nil
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().StringVar(&format, "format", "csv", "csv, parquet or gobench")
	c.Flags().StringVar(&out, "out", "", "write into a `file` instead of standard output")
	return c
}
