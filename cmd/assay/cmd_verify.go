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
	var runs, allowed, identity string
	c := &cobra.Command{
		Use:   "verify RUN",
		Short: "Check that a record is as its run left it",
		Long: `Compare every file of a record with its manifest, and derive every sample and series from the raw output again. Exit status 1 when
anything differs. Where the run is signed (assay sign), the signature must hold; with --allowed-signers it must be by one of
those in that file (ssh-keygen(1), ALLOWED SIGNERS), who is named, and with --identity by that one. RUN is a path, an id or
"latest". Nothing is written.`,
		Example: `  assay verify latest
  assay verify --allowed-signers allowed_signers .assay/runs/20260101T000000.000Z-abcdef`,
		Args: cobra.ExactArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			if identity != "" && allowed == "" {
				return errors.New("--identity goes with --allowed-signers, which says whose key is whose")
			}
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
			if err := addPrograms(c.Context(), set, p); err != nil {
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
			signed, against, err := a.signature(c.Context(), rec, allowed, identity)
			if err != nil {
				return err
			}
			if against != "" {
				differences = append(differences, against)
			}
			for _, d := range differences {
				a.printf("%s\n", d)
			}
			if len(differences) > 0 {
				return exitStatus(exitError)
			}
			a.printf("Run %s is as it was left: %d samples, manifest SHA-256 %s.\n", rec.ID, len(derived.Samples), hash)
			if signed != "" {
				a.printf("%s\n", signed)
			}
			return nil
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().StringVar(&allowed, "allowed-signers", "", "the `file` that says who may have signed the run")
	c.Flags().StringVar(&identity, "identity", "", "the `name` in that file by whom it must be signed")
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
