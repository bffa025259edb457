package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/providers"
)

// otherRuns gives the runs with which the comparisons of a judgement compare, as they call them.
func otherRuns(j plan.Judgement) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range j.Comparisons {
		if c.OtherRun && !seen[c.Run] {
			seen[c.Run] = true
			names = append(names, c.Run)
		}
	}
	return names
}

// named is the baseline that --baseline has named, which stays with the record: whatever judges it again judges it by that.
type named struct {
	FormatVersion int    `json:"format_version"`
	Run           string `json:"run"` // a path or an id
}

// usableBaseline finds the run that --baseline names, for a judgement that has a comparison with one, and gives the name by which it
// is kept. id is that of the run which is judged; empty: it is yet to come.
func usableBaseline(runs, id string, j plan.Judgement, run string) (string, error) {
	if len(otherRuns(j)) == 0 {
		return "", errors.New("--baseline: no comparison is with another run; a compare block with run = null is compared with the one that it names")
	}
	other, err := record.Find(runs, run)
	if err != nil {
		return "", fmt.Errorf("--baseline: %w", err)
	}
	if other.ID == id {
		return "", fmt.Errorf("--baseline: %s is the run that is judged", run)
	}
	if here, err := record.Find(runs, other.ID); err == nil && here.ID == other.ID {
		return other.ID, nil // which "latest" may not mean any more when it is judged again
	}
	return run, nil
}

// keepBaseline keeps with a record what --baseline says, in place of the runs that the spec names.
func keepBaseline(rec *record.Record, run string) error {
	raw, err := json.Marshal(named{1, run})
	if err != nil {
		return err
	}
	return rec.Write(record.BaselineFile, append(raw, '\n'))
}

// baselines reads the runs with which a record's comparisons compare. Nothing of them is written. One that is not there is nil, and
// decides nothing. late tells that the one of --baseline is not that of the plan.
func baselines(ctx context.Context, set *providers.Set, rec *record.Record, j plan.Judgement) (runs judge.Baselines, late string, err error) {
	names := otherRuns(j)
	if len(names) == 0 {
		return nil, "", nil
	}
	var instead named
	switch raw, err := rec.Read(record.BaselineFile); {
	case err == nil:
		if err := json.Unmarshal(raw, &instead); err != nil {
			return nil, "", fmt.Errorf("%s: %w", record.BaselineFile, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	}
	runs = judge.Baselines{}
	for _, name := range names {
		run := name
		if instead.Run != "" {
			run, late = instead.Run, instead.Run
		}
		if run == "" {
			continue
		}
		other, err := record.Find(filepath.Dir(rec.Dir), run)
		if err != nil {
			continue // judged as absent
		}
		if runs[name], err = baseline(ctx, set, other); err != nil {
			return nil, "", fmt.Errorf("the baseline, run %s: %w", other.ID, err)
		}
		if late != "" {
			late = other.ID
		}
	}
	return runs, late, nil
}

// baseline derives the samples of another run.
func baseline(ctx context.Context, set *providers.Set, rec *record.Record) (*judge.Baseline, error) {
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	derived, err := derive.All(ctx, rec, p, set)
	if err != nil {
		return nil, err
	}
	facts, err := rec.Facts()
	if err != nil {
		return nil, err
	}
	return &judge.Baseline{Run: rec.ID, Plan: p, Samples: derived.Samples, Facts: facts}, nil
}
