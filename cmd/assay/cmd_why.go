package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

func (a *app) whyCommand() *cobra.Command {
	var runs string
	c := &cobra.Command{
		Use:   "why ADDRESS [RUN]",
		Short: "Say what a verdict or a figure rests on",
		Long: `Print what a KPI's verdict rests on: the limit, the figures of both arms, every sample with its raw output, the commands as they
ended, the hosts and their versions. ADDRESS may also be that of a comparison, a derived measure or a test; without its
coordinates it means all that it has. RUN is a path, an id or "latest", which is also what is taken without it. Only the record
is read.`,
		Example: `  assay why 'kpi.latency[drive=sas,rw=read]'
  assay why compare.drives latest`,
		Args: cobra.RangeArgs(1, 2),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			run := "latest"
			if len(args) == 2 {
				run = args[1]
			}
			rec, err := record.Find(runs, run)
			if err != nil {
				return err
			}
			in, err := judgeRecord(c.Context(), set, rec, nil)
			if err != nil {
				return err
			}
			found, err := addressed(report.Addresses(*in), args[0])
			if err != nil {
				return fmt.Errorf("run %s: %w", rec.ID, err)
			}
			for i, address := range found {
				if i > 0 {
					a.printf("\n")
				}
				if err := report.Why(a.stdout, *in, address, report.TextOptions{Color: color(a.stdout), Width: width(a.stdout)}); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	return c
}

// addressed picks an address, or all of a block.
func addressed(all []string, wanted string) ([]string, error) {
	var out, near []string
	block, _, _ := strings.Cut(wanted, "[")
	for _, a := range all {
		if a == wanted {
			return []string{a}, nil
		}
		of, _, _ := strings.Cut(a, "[")
		if of == wanted {
			out = append(out, a)
		}
		if of == block {
			near = append(near, a)
		} else if !slices.Contains(near, of) && len(out) == 0 {
			near = append(near, of)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	return nil, fmt.Errorf("nothing has the address %s.%s", wanted, diag.DidYouMean(wanted, near))
}
