// Package derive makes samples from a record: it hands the artifacts of every repetition to the Parse of its provider, and
// takes from the journal what the runner decided itself. It writes nothing and looks at nothing but the record, so that
// samples can be made again at any time.
package derive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Derived is all that a record yields.
type Derived struct {
	Samples []measure.Sample
	Series  []Series
}

// Series is how a measure went over one repetition of a test, or of a monitor beside it.
type Series struct {
	measure.Series
	Address     string
	Coordinates addr.Coordinates
	During      string // of a monitor: address of the test that it watched
	Round       int
	Repetition  int
}

// All derives all samples of a record, in the order of the plan's steps, each followed by those of the monitors that watched it, and the
// series in the same order. A repetition that has no sample event, since the run ended before it, has none. Those of skipped tests come last.
func All(ctx context.Context, r *record.Record, p *plan.Plan, set *providers.Set) (*Derived, error) {
	events, err := r.Events()
	if err != nil {
		return nil, err
	}
	d := &deriver{ctx: ctx, record: r, plan: p, set: set, final: map[string]record.Event{}, runs: map[string]plan.Test{}, byStep: map[string]int{}}
	for _, e := range events {
		if e.Event == record.SampleDone {
			d.final[e.Step] = e
		}
	}
	shares := map[string][]plan.Test{}
	for _, t := range slices.Concat(p.Measured(), p.Monitors) {
		d.runs[t.Address] = t
		if t.Shares != "" {
			shares[t.Shares] = append(shares[t.Shares], t)
		}
	}
	for _, s := range p.Steps {
		switch s.Action {
		case plan.RunTest, plan.ImportFiles, plan.Load, plan.Reuse:
		default:
			continue
		}
		if err := d.step(s); err != nil {
			return nil, err
		}
		if list := shares[s.Address]; len(list) > 0 && len(d.out.Samples) > 0 {
			one := d.out.Samples[len(d.out.Samples)-1]
			for _, t := range list {
				if one.Address == s.Address {
					d.out.Samples = append(d.out.Samples, shared(one, t))
				}
			}
		}
	}
	d.clocks()
	overlaps(p, d.final, func(step string) *measure.Sample {
		if i, ok := d.byStep[step]; ok {
			return &d.out.Samples[i]
		}
		return nil
	})
	d.out.Samples = append(d.out.Samples, skipped(p)...)
	return &d.out, nil
}

type deriver struct {
	ctx    context.Context
	record *record.Record
	plan   *plan.Plan
	set    *providers.Set
	final  map[string]record.Event // by step, or by the id of a watch
	runs   map[string]plan.Test    // by address: also datasets and monitors
	byStep map[string]int          // the sample of a step, by index
	out    Derived
}

// step derives the sample of a step, and those of the monitors that watched it.
func (d *deriver) step(s plan.Step) error {
	e, ok := d.final[s.ID]
	if !ok {
		return nil
	}
	sample, series, err := d.sample(s, e, func(exits []measure.Exit) time.Time { return began(exits, e.Started) })
	if err != nil {
		return err
	}
	sample.During = d.runs[s.Address].During
	if e.Reused != "" {
		sample.Warnings = append(slices.Clip(sample.Warnings), measure.Warning{Code: "reused",
			Text: "it was measured in run " + e.Reused + ", by the same step, and is taken over from there"})
	}
	if w := worn(d.plan, d.runs[s.Address], e.Attempt, max(1, e.Anew)); w != nil && sample.Outcome == measure.OK {
		sample.Warnings = append(slices.Clip(sample.Warnings), *w)
	}
	if sample.Outcome == measure.OK {
		sample.Warnings = append(slices.Clip(sample.Warnings), sharing(d.runs[s.Address])...)
	}
	at := len(d.out.Samples)
	d.byStep[s.ID] = at
	d.out.Samples = append(d.out.Samples, *sample)
	d.keep(*sample, series)
	if len(s.Watches)+len(s.Attends) == 0 {
		return nil
	}
	t, err := d.began(s, e)
	if err != nil {
		return err
	}
	for _, a := range s.Attends {
		if err := d.attend(s, a, at, t); err != nil {
			return err
		}
	}
	for _, w := range s.Watches {
		if err := d.watch(s, w, at, t); err != nil {
			return err
		}
	}
	return nil
}

// sample derives the sample of a step from its final event.
func (d *deriver) sample(s plan.Step, e record.Event, began func([]measure.Exit) time.Time) (*measure.Sample, []measure.Series, error) {
	answer := &providers.ParseResponse{Sample: measure.Sample{Outcome: e.Outcome, Reason: e.Reason}}
	if e.Parsed {
		var err error
		if answer, err = parse(d.ctx, d.record, d.set, d.runs[s.Address], s, e.Attempt, began); err != nil {
			return nil, nil, err
		}
	}
	sample := &answer.Sample
	Identify(sample, s, e)
	return sample, answer.Series, nil
}

// keep notes the series of a sample.
func (d *deriver) keep(s measure.Sample, list []measure.Series) {
	for _, one := range list {
		d.out.Series = append(d.out.Series, Series{one, s.Address, s.Coordinates, s.During, s.Round, s.Repetition})
	}
}

// sharing warns of what a test shared with tests on other benches.
func sharing(t plan.Test) []measure.Warning {
	var out []measure.Warning
	for _, s := range t.Sharing {
		out = append(out, measure.Warning{Code: "shared", Text: "share = true: " + s.Text() + ", which may have run at the same time"})
	}
	return out
}

// Identify says whose sample it is: of a step, of which e is the final event.
func Identify(sample *measure.Sample, s plan.Step, e record.Event) {
	sample.Address, sample.Coordinates = s.Address, s.Coordinates
	sample.Round, sample.Repetition = s.Round, max(1, s.Repetition)
	sample.Attempt, sample.Generation, sample.Things = e.Attempt, max(1, e.Generation), e.Things
	sample.Imported = s.Action == plan.ImportFiles
}

// shared is the sample of a load at another address of the same dataset.
func shared(s measure.Sample, t plan.Test) measure.Sample {
	s.Address, s.Coordinates = t.Address, t.Coordinates
	s.Warnings = append(slices.Clip(s.Warnings), measure.Warning{Code: "shared_load",
		Text: "it has the same configuration as " + t.Shares + ", so the data were loaded once and this is the same load"})
	return s
}

// skipped makes the samples of the tests and monitors that a plan skips.
func skipped(p *plan.Plan) []measure.Sample {
	var out []measure.Sample
	for _, t := range slices.Concat(p.Tests, p.Monitors) {
		for n := range t.Repeat * max(1, p.Order.Rounds) {
			if t.Skip != "" {
				out = append(out, measure.Sample{
					Address: t.Address, Coordinates: t.Coordinates, During: t.During, Round: n/t.Repeat + 1, Repetition: n%t.Repeat + 1, Generation: 1,
					Outcome: measure.Skipped, Reason: t.Skip,
				})
			}
		}
	}
	return out
}

// Sample derives the sample of one attempt. Its identity is left empty.
func Sample(ctx context.Context, r *record.Record, set *providers.Set, t plan.Test, s plan.Step, attempt int) (*measure.Sample, error) {
	answer, err := parse(ctx, r, set, t, s, attempt, func([]measure.Exit) time.Time { return time.Time{} })
	if err != nil {
		return nil, err
	}
	return &answer.Sample, nil
}

// parse hands what an attempt left to its provider. began gives the time 0 of series by its exits.
func parse(ctx context.Context, r *record.Record, set *providers.Set, t plan.Test, s plan.Step, attempt int,
	began func([]measure.Exit) time.Time,
) (*providers.ParseResponse, error) {
	artifacts, exits, err := r.Artifacts(s.ID, attempt)
	if err != nil {
		return nil, err
	}
	folder := record.AttemptName(s.ID, attempt)
	only := func(sample *measure.Sample, err error) (*providers.ParseResponse, error) {
		if err == nil && s.Action != plan.Reuse {
			err = doubt(r, set, t, exits, sample)
		}
		if err != nil {
			return nil, err
		}
		return &providers.ParseResponse{Sample: *sample}, nil
	}
	if s.Action == plan.Reuse {
		return only(loaded(t, artifacts, folder))
	}
	req, err := Request(set, t)
	if err != nil {
		return nil, err
	}
	req.Artifacts, req.Exits, req.Started = artifacts, exits, began(exits)
	if s.Action == plan.ImportFiles && t.Import.Table {
		return only(table(set, t, artifacts, folder))
	}
	if t.Steady != nil {
		sample, err := roundsSample(ctx, set, t, *req)
		if err != nil {
			return nil, err
		}
		return only(named(sample, artifacts, folder), nil)
	}
	if req.Imported = s.Action == plan.ImportFiles; req.Imported {
		req.Format = t.Import.Format
	}
	answer, err := set.For(t.Kind(), t.Type).Parse(ctx, *req)
	if err != nil {
		return nil, fmt.Errorf("parsing the output of %s: %w", t.Address, err)
	}
	named(&answer.Sample, artifacts, folder)
	return answer, doubt(r, set, t, exits, &answer.Sample)
}

// named lists the artifacts of a folder in the sample that was derived from them.
func named(s *measure.Sample, artifacts []measure.Artifact, folder string) *measure.Sample {
	for _, a := range artifacts {
		s.Artifacts = append(s.Artifacts, path.Join(folder, a.Name))
	}
	return s
}

// table derives a sample from the part of a table that the record keeps. The table was read before, when it was planned, so
// what is wrong with it now makes the sample invalid.
func table(set *providers.Set, t plan.Test, artifacts []measure.Artifact, from string) (*measure.Sample, error) {
	if len(artifacts) != 1 {
		return nil, fmt.Errorf("the import of %s left %d artifacts, and one is needed", t.Address, len(artifacts))
	}
	typ, _, err := Type(set, t)
	if err != nil {
		return nil, err
	}
	rows, problems := imported.Read(t.Import.Format, artifacts[0].Data, t.Shape(typ))
	sample := rows.All().Sample()
	if len(problems) > 0 {
		sample = measure.Sample{Outcome: measure.Invalid, Reason: problems[0].Text}
	}
	sample.Artifacts = []string{path.Join(from, artifacts[0].Name)}
	return &sample, nil
}

// Request is what Parse is told of a test beside its artifacts: the configuration as the plan has it, without what is
// sensitive.
func Request(set *providers.Set, t plan.Test) (*providers.ParseRequest, error) {
	_, cfg, err := Type(set, t)
	if err != nil {
		return nil, err
	}
	return &providers.ParseRequest{
		Target: providers.Target{Kind: t.Kind(), Type: t.Type, Address: t.Instance, Config: cfg, Hosts: t.Hosts, Warmup: plan.Duration(t.WarmupS)},
		Expect: t.Expect,
	}, nil
}

// Type gives the type of a test with the measures that its block declares, and its configuration as the plan has it.
func Type(set *providers.Set, t plan.Test) (*schema.Type, cty.Value, error) {
	typ := set.Type(t.Kind(), t.Type)
	if typ == nil {
		return nil, cty.NilVal, fmt.Errorf("%s is of type %q, which this assay does not have", t.Address, t.Type)
	}
	cfg, err := Config(t.Config, typ.Body.Cty())
	if err != nil {
		return nil, cty.NilVal, fmt.Errorf("the configuration of %s in the plan: %w", t.Address, err)
	}
	return typ.Declared(cfg), cfg, nil
}

// Config reads a configuration that a plan holds.
func Config(raw json.RawMessage, ty cty.Type) (cty.Value, error) {
	return ctyjson.Unmarshal(raw, ty)
}

// Lines writes samples as they are kept in the record: one JSON object for each line.
func Lines(samples []measure.Sample) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, s := range samples {
		if err := enc.Encode(s); err != nil {
			return nil, fmt.Errorf("writing the sample of %s: %w", s.Address, err)
		}
	}
	return b.Bytes(), nil
}
