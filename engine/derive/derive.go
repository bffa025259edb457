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

	"github.com/assay-bench/assay/engine/imported"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Samples derives all samples of a record, in the order of the plan's steps. A repetition that has no sample event, since the
// run ended before it, has none. Those of skipped tests come last.
func Samples(ctx context.Context, r *record.Record, p *plan.Plan, set *providers.Set) ([]measure.Sample, error) {
	events, err := r.Events()
	if err != nil {
		return nil, err
	}
	final := map[string]record.Event{}
	for _, e := range events {
		if e.Event == record.SampleDone {
			final[e.Step] = e
		}
	}
	tests, shares := map[string]plan.Test{}, map[string][]plan.Test{}
	for _, t := range p.Measured() {
		tests[t.Address] = t
		if t.Shares != "" {
			shares[t.Shares] = append(shares[t.Shares], t)
		}
	}
	var out []measure.Sample
	byStep := map[string]int{}
	for _, s := range p.Steps {
		switch s.Action {
		case plan.RunTest, plan.ImportFiles, plan.Load, plan.Reuse:
		default:
			continue
		}
		e, ok := final[s.ID]
		if !ok {
			continue
		}
		sample := measure.Sample{Outcome: e.Outcome, Reason: e.Reason}
		if e.Parsed {
			parsed, err := Sample(ctx, r, set, tests[s.Address], s, e.Attempt)
			if err != nil {
				return nil, err
			}
			sample = *parsed
		}
		Identify(&sample, s, e)
		if w := worn(p, tests[s.Address], e.Attempt, max(1, e.Anew)); w != nil && sample.Outcome == measure.OK {
			sample.Warnings = append(slices.Clip(sample.Warnings), *w)
		}
		if sample.Outcome == measure.OK {
			sample.Warnings = append(slices.Clip(sample.Warnings), sharing(tests[s.Address])...)
		}
		byStep[s.ID] = len(out)
		out = append(out, sample)
		for _, t := range shares[s.Address] {
			out = append(out, shared(sample, t))
		}
	}
	overlaps(p, final, func(step string) *measure.Sample {
		if i, ok := byStep[step]; ok {
			return &out[i]
		}
		return nil
	})
	return append(out, skipped(p)...), nil
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

// skipped makes the samples of the tests that a plan skips.
func skipped(p *plan.Plan) []measure.Sample {
	var out []measure.Sample
	for _, t := range p.Tests {
		for n := range t.Repeat * max(1, p.Order.Rounds) {
			if t.Skip != "" {
				out = append(out, measure.Sample{
					Address: t.Address, Coordinates: t.Coordinates, Round: n/t.Repeat + 1, Repetition: n%t.Repeat + 1, Generation: 1,
					Outcome: measure.Skipped, Reason: t.Skip,
				})
			}
		}
	}
	return out
}

// Sample derives the sample of one attempt. Its identity is left empty.
func Sample(ctx context.Context, r *record.Record, set *providers.Set, t plan.Test, s plan.Step, attempt int) (*measure.Sample, error) {
	artifacts, exits, err := r.Artifacts(s.ID, attempt)
	if err != nil {
		return nil, err
	}
	if s.Action == plan.Reuse {
		return loaded(t, artifacts, record.AttemptName(s.ID, attempt))
	}
	req, err := Request(set, t)
	if err != nil {
		return nil, err
	}
	req.Artifacts, req.Exits = artifacts, exits
	if s.Action == plan.ImportFiles && t.Import.Table {
		return table(set, t, artifacts, record.AttemptName(s.ID, attempt))
	}
	if t.Steady != nil {
		sample, err := roundsSample(ctx, set, t, *req)
		if err != nil {
			return nil, err
		}
		return named(sample, artifacts, record.AttemptName(s.ID, attempt)), nil
	}
	if req.Imported = s.Action == plan.ImportFiles; req.Imported {
		req.Format = t.Import.Format
	}
	answer, err := set.For(kind(t), t.Type).Parse(ctx, *req)
	if err != nil {
		return nil, fmt.Errorf("parsing the output of %s: %w", t.Address, err)
	}
	return named(&answer.Sample, artifacts, record.AttemptName(s.ID, attempt)), nil
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
		Target: providers.Target{Kind: kind(t), Type: t.Type, Address: t.Instance, Config: cfg, Hosts: t.Hosts, Warmup: plan.Duration(t.WarmupS)},
		Expect: t.Expect,
	}, nil
}

// Type gives the type of a test with the measures that its block declares, and its configuration as the plan has it.
func Type(set *providers.Set, t plan.Test) (*schema.Type, cty.Value, error) {
	typ := set.Type(kind(t), t.Type)
	if typ == nil {
		return nil, cty.NilVal, fmt.Errorf("%s is of type %q, which this assay does not have", t.Address, t.Type)
	}
	cfg, err := Config(t.Config, typ.Body.Cty())
	if err != nil {
		return nil, cty.NilVal, fmt.Errorf("the configuration of %s in the plan: %w", t.Address, err)
	}
	return typ.Declared(cfg), cfg, nil
}

// kind is test, or dataset for its loads.
func kind(t plan.Test) string {
	if t.Instance.Kind == "dataset" {
		return "dataset"
	}
	return "test"
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
