package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/spf13/cobra"
)

// runLine is one run as `runs` lists it.
type runLine struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Verdict string `json:"verdict"`       // "" where the run was not judged yet
	Ended   bool   `json:"ended"`         // false: it was cut off
	State   string `json:"state"`         // running, finished, interrupted, failed, cut off, destroyed, unreadable
	Stands  int    `json:"stands"`        // things of it that may stand, those too that are kept
	Bytes   int64  `json:"bytes"`         // on the disk
	Why     string `json:"why,omitempty"` // of unreadable
}

func (a *app) runsCommand() *cobra.Command {
	var runs string
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs",
		Short: "List the runs that are kept here",
		Long: `List the runs that are kept here: how each came out, how much room it takes, and how many things of it may stand. A run that
is cut off, interrupted or failed can be gone on with by ` + "`assay apply --resume`" + `.`,
		Example: `  assay runs
  assay runs remove 20260101T000000.000Z-abcdef
  assay runs --runs /var/lib/assay --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			ids, err := record.List(runs)
			if err != nil {
				return err
			}
			list := []runLine{}
			for _, id := range ids {
				list = append(list, runOf(filepath.Join(runs, id)))
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
				a.printf("%s\n", l.text())
			}
			return nil
		},
	}
	c.PersistentFlags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "answer as JSON")
	c.AddCommand(a.runsRemoveCommand(&runs))
	return c
}

// text is the line of the list: the verdict, or why there is none, and what else there is to know.
func (l runLine) text() string {
	verdict := l.Verdict
	var notes []string
	if l.State != "finished" {
		if verdict == "" {
			verdict = l.State
		} else {
			notes = append(notes, l.State)
		}
	}
	if verdict == "" {
		verdict = "not judged"
	}
	if l.Stands > 0 {
		notes = append(notes, fmt.Sprintf("%d standing", l.Stands))
	}
	notes = append(notes, unit.Format(float64(l.Bytes), unit.Bytes, ""))
	if l.Why != "" {
		notes = []string{l.Why}
	}
	return fmt.Sprintf("%s  %-12s  %s (%s)", l.ID, verdict, l.Title, strings.Join(notes, ", "))
}

// runOf is a run's line, also of a record that cannot be read.
func runOf(dir string) runLine {
	line, err := readRun(dir)
	if err != nil {
		return runLine{ID: filepath.Base(dir), State: "unreadable", Why: err.Error()}
	}
	return *line
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
	st, err := rec.State()
	if err != nil {
		return nil, err
	}
	running, err := rec.Running()
	if err != nil {
		return nil, err
	}
	line.Ended, line.State, line.Stands = st.Ended, state(st, running), len(st.Things)
	if line.Bytes, err = rec.Size(); err != nil {
		return nil, err
	}
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

// state says in a word or two how a run goes, or how it ended.
func state(st *record.State, running bool) string {
	switch {
	case running:
		return "running"
	case st.Finished:
		return "finished"
	case st.Destroyed:
		return "destroyed"
	case !st.Ended:
		return "cut off"
	case st.Interrupted:
		return "interrupted"
	}
	return "failed"
}
