package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/spf13/cobra"
)

// runLine is one run as `runs` lists it.
type runLine struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Verdict string `json:"verdict"` // "" where the run was not judged yet
	Ended   bool   `json:"ended"`   // false: it was cut off
}

func (a *app) runsCommand() *cobra.Command {
	var runs string
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs",
		Short: "List the runs that are kept here",
		Example: `  assay runs
  assay runs --runs /var/lib/assay --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			ids, err := record.List(runs)
			if err != nil {
				return err
			}
			list := []runLine{}
			for _, id := range ids {
				line, err := readRun(filepath.Join(runs, id))
				if err != nil {
					return err
				}
				list = append(list, *line)
			}
			if asJSON {
				enc := json.NewEncoder(a.stdout)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(map[string]any{"format_version": record.FormatVersion, "runs": list})
			}
			if len(list) == 0 {
				a.printf("No runs in %s.\n", runs)
			}
			for _, l := range list {
				verdict := l.Verdict
				switch {
				case !l.Ended:
					verdict = "cut off"
				case verdict == "":
					verdict = "not judged"
				}
				a.printf("%s  %-12s  %s\n", l.ID, verdict, l.Title)
			}
			return nil
		},
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "answer as JSON")
	return c
}

func readRun(dir string) (*runLine, error) {
	rec, err := record.Open(dir)
	if err != nil {
		return nil, err
	}
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	line := &runLine{ID: rec.ID, Title: p.Spec.Title}
	events, err := rec.Events()
	if err != nil {
		return nil, err
	}
	line.Ended = len(events) > 0 && events[len(events)-1].Event == record.End
	raw, err := rec.Read(filepath.Join(record.ReportDir, report.ResultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return line, nil
	}
	if err != nil {
		return nil, err
	}
	var results struct {
		Verdict string `json:"verdict"`
	}
	if err := json.Unmarshal(raw, &results); err != nil {
		return nil, err
	}
	line.Verdict = results.Verdict
	return line, nil
}
