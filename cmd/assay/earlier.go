package main

import (
	"encoding/json"
	"path/filepath"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/report"
	"github.com/assay-bench/assay/providers/measure"
)

// earlier reads what the last run of the same spec teaches about a plan; nil where there is none that came to its end. It only
// informs, so a record that cannot be read teaches nothing.
func earlier(runs string, p *plan.Plan) *plan.Earlier {
	ids, err := record.List(runs)
	if err != nil {
		return nil
	}
	for i := len(ids) - 1; i >= 0; i-- {
		rec, err := record.Open(filepath.Join(runs, ids[i]))
		if err != nil {
			continue
		}
		old, err := recordedPlan(rec)
		if err != nil || old.Spec.Path != p.Spec.Path {
			continue
		}
		if e := lessons(rec); e != nil {
			return e
		}
	}
	return nil
}

func lessons(rec *record.Record) *plan.Earlier {
	events, err := rec.Events()
	if err != nil || len(events) == 0 || events[len(events)-1].Event != record.End {
		return nil
	}
	e := &plan.Earlier{Run: rec.ID, Took: map[plan.Deed][]float64{}, Values: map[plan.Cell][]float64{}}
	for _, ev := range events {
		if ev.Event == record.Done || ev.Event == record.SampleDone && ev.Outcome == measure.OK {
			deed := plan.Deed{Address: ev.Address, Action: plan.Action(ev.Action)}
			e.Took[deed] = append(e.Took[deed], ev.DurationS)
		}
	}
	var results struct {
		Figures []struct {
			Address string    `json:"address"`
			Values  []float64 `json:"values"`
			Measure struct {
				Name string `json:"name"`
			} `json:"measure"`
		} `json:"figures"`
	}
	raw, err := rec.Read(filepath.Join(record.ReportDir, report.ResultsFile))
	if err == nil && json.Unmarshal(raw, &results) == nil {
		for _, f := range results.Figures {
			e.Values[plan.Cell{Address: f.Address, Measure: f.Measure.Name}] = f.Values
		}
	}
	return e
}
