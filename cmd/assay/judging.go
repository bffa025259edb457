package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/engine/series"
	"github.com/assay-bench/assay/providers"
)

// judgeRecord derives the samples of a record, judges them and writes samples, series and report into the record. It reads nothing
// but the record. Where changed is given, it is judged by that instead of by the record's own spec.
func judgeRecord(ctx context.Context, set *providers.Set, rec *record.Record, changed *plan.Judgement) (*report.Input, error) {
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	if err := addPrograms(ctx, set, p); err != nil {
		return nil, err
	}
	in := &report.Input{Plan: p}
	var differences []string
	if in.Manifest, differences, err = rec.Verify(); err != nil {
		return nil, err
	}
	derived, err := derive.All(ctx, rec, p, set)
	if err != nil {
		return nil, err
	}
	lines, err := derive.Lines(derived.Samples)
	if err != nil {
		return nil, err
	}
	if err := rec.Write(record.SamplesFile, lines); err != nil {
		return nil, err
	}
	files, err := series.Encode(derived.Series)
	if err != nil {
		return nil, err
	}
	if err := rec.WriteSeries(files); err != nil {
		return nil, err
	}
	in.Series, in.Samples = derived.Series, derived.Samples
	if changed != nil {
		in.Notes = plan.ChangedLimits(p.Judgement, *changed)
		p.Judgement = *changed
	}
	others, late, err := baselines(ctx, set, rec, p.Judgement)
	if err != nil {
		return nil, err
	}
	if late != "" {
		in.Notes = append(in.Notes, "the baseline run "+late+" was named by --baseline, and not by the spec")
	}
	in.Results = judge.Against(others, p.Spec.Title, p.Judgement, p.Measured(), derived.Samples)
	in.Results.Warnings = append(in.Results.Warnings, differences...)
	if in.Facts, err = rec.Facts(); err != nil {
		return nil, err
	}
	judge.Confound(in.Results, p.Judgement, p.Measured(), in.Facts)
	judge.ConfoundRuns(in.Results, p, in.Facts, others)
	if in.Ran, err = ran(rec, p); err != nil {
		return nil, err
	}
	if err := report.Write(filepath.Join(rec.Dir, record.ReportDir), *in); err != nil {
		return nil, err
	}
	return in, nil
}

// recordedPlan reads the plan that a record's run carried out.
func recordedPlan(rec *record.Record) (*plan.Plan, error) {
	raw, err := rec.Read(record.PlanFile)
	if err != nil {
		return nil, err
	}
	p, err := plan.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rec.Dir, err)
	}
	return p, nil
}

// ran lists the commands that a run ran, in the order of the plan.
func ran(rec *record.Record, p *plan.Plan) ([]report.Ran, error) {
	var out []report.Ran
	for _, s := range p.Steps {
		of := []report.Ran{{Address: s.Address, Action: s.Action, Repetition: s.Repetition}}
		ids := []string{s.ID}
		for _, w := range s.Watches {
			of = append(of, report.Ran{Address: w.Monitor, Action: plan.Observe, Repetition: s.Repetition})
			ids = append(ids, w.ID)
		}
		for _, a := range s.Attends {
			if t := p.Thing(a.Thing); t != nil {
				of = append(of, report.Ran{Address: t.Addresses[0], Action: plan.Observe, Repetition: s.Repetition})
				ids = append(ids, a.ID)
			}
		}
		for i, id := range ids {
			attempts, err := rec.AttemptsOf(id)
			if err != nil {
				return nil, err
			}
			for _, n := range attempts {
				_, exits, err := rec.Artifacts(id, n)
				if err != nil {
					return nil, err
				}
				if one := of[i]; len(exits) > 0 {
					one.Attempt, one.Exits = n, exits
					out = append(out, one)
				}
			}
		}
	}
	return out, nil
}
