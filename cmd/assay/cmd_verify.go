package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/series"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) verifyCommand() *cobra.Command {
	var runs string
	c := &cobra.Command{
		Use:   "verify RUN",
		Short: "Check that a record is as its run left it",
		Long: `Compare every file of a record with its manifest, and derive every sample and series from the raw output again. Exit status 1 when
anything differs. RUN is a path, an id or "latest". Nothing is written.`,
		Example: `  assay verify latest
  assay verify .assay/runs/20260101T000000.000Z-abcdef`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			rec, err := record.Find(runs, args[0])
			if err != nil {
				return err
			}
			hash, differences, err := rec.Verify()
			if err != nil {
				return err
			}
			p, err := recordedPlan(rec)
			if err != nil {
				return err
			}
			derived, err := derive.All(c.Context(), rec, p, set)
			if err != nil {
				return err
			}
			now, err := derive.Lines(derived.Samples)
			if err != nil {
				return err
			}
			kept, err := rec.Read(record.SamplesFile)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err == nil {
				if !bytes.Equal(kept, now) {
					differences = append(differences, record.SamplesFile+" is not what the raw output gives: assay judge derives it again")
				}
				more, err := otherSeries(rec, derived.Series)
				if err != nil {
					return err
				}
				differences = append(differences, more...)
			}
			for _, d := range differences {
				a.printf("%s\n", d)
			}
			if len(differences) > 0 {
				return exitStatus(exitError)
			}
			a.printf("Run %s is as it was left: %d samples, manifest SHA-256 %s.\n", rec.ID, len(derived.Samples), hash)
			return nil
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	return c
}

// otherSeries says which files of series are not what the raw output gives.
func otherSeries(rec *record.Record, list []derive.Series) ([]string, error) {
	now, err := series.Encode(list)
	if err != nil {
		return nil, err
	}
	kept, err := rec.ReadSeries()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range now {
		names[name] = true
	}
	for name := range kept {
		names[name] = true
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(now[name], kept[name]) {
			out = append(out, record.SeriesDir+"/"+name+" is not what the raw output gives: assay judge derives it again")
		}
	}
	return out, nil
}
