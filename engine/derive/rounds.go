package derive

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// RoundPrefix begins the names of artifacts and commands of one round of an attempt that measures in rounds: r01-.
func RoundPrefix(number int) string { return fmt.Sprintf("r%02d-", number) }

var roundRE = regexp.MustCompile(`^r([0-9]{2,6})-(.+)$`)

// round is what one round left.
type round struct {
	number    int
	artifacts []measure.Artifact
	exits     []measure.Exit
}

// split sorts the artifacts of an attempt by its rounds, in their order, under the names that the provider gave.
func split(artifacts []measure.Artifact, exits []measure.Exit) []round {
	byNumber := map[int]*round{}
	at := func(name string) (r *round, rest string) {
		m := roundRE.FindStringSubmatch(name)
		if m == nil {
			return nil, ""
		}
		n, _ := strconv.Atoi(m[1])
		if byNumber[n] == nil {
			byNumber[n] = &round{number: n}
		}
		return byNumber[n], m[2]
	}
	for _, a := range artifacts {
		if r, name := at(a.Name); r != nil {
			a.Name = name
			r.artifacts = append(r.artifacts, a)
		}
	}
	for _, e := range exits {
		if r, name := at(e.Name); r != nil {
			e.Name = name
			r.exits = append(r.exits, e)
		}
	}
	var out []round
	for _, r := range byNumber {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b round) int { return a.number - b.number })
	return out
}

// Round derives the sample of one round of an attempt.
func Round(ctx context.Context, r *record.Record, set *providers.Set, t plan.Test, s plan.Step, attempt, number int) (*measure.Sample, error) {
	artifacts, exits, err := r.Artifacts(s.ID, attempt)
	if err != nil {
		return nil, err
	}
	req, err := Request(set, t)
	if err != nil {
		return nil, err
	}
	for _, one := range split(artifacts, exits) {
		if one.number == number {
			return parseRound(ctx, set, t, *req, one)
		}
	}
	return &measure.Sample{Outcome: measure.Failed, Reason: "it left no output"}, nil
}

func parseRound(ctx context.Context, set *providers.Set, t plan.Test, req providers.ParseRequest, one round) (*measure.Sample, error) {
	req.Artifacts, req.Exits = one.artifacts, one.exits
	answer, err := set.For("test", t.Type).Parse(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("parsing the output of %s, round %d: %w", t.Address, one.number, err)
	}
	return &answer.Sample, nil
}

// roundsSample derives the sample of an attempt that measured in rounds: that of the last window of them, if they are steady.
func roundsSample(ctx context.Context, set *providers.Set, t plan.Test, req providers.ParseRequest) (*measure.Sample, error) {
	var samples []measure.Sample
	var figures []float64
	out := measure.Sample{}
	typ, _, err := Type(set, t)
	if err != nil {
		return nil, err
	}
	for _, one := range split(req.Artifacts, req.Exits) {
		sample, err := parseRound(ctx, set, t, req, one)
		if err != nil {
			return nil, err
		}
		out.Rounds = append(out.Rounds, measure.Round{Number: one.number, Values: sample.Values})
		v, why := SteadyFigure(sample, typ, t.Steady)
		if why != "" {
			out.Outcome, out.Reason = sample.Outcome, fmt.Sprintf("round %d: %s", one.number, why)
			if out.Outcome == measure.OK {
				out.Outcome = measure.Failed
			}
			out.Warnings = sample.Warnings
			return &out, nil
		}
		samples, figures = append(samples, *sample), append(figures, v)
	}
	state := Window(figures, t.Steady)
	if len(figures) < t.Steady.Window {
		out.Outcome, out.Reason = measure.Failed, fmt.Sprintf("there are %d rounds of the %d that it takes", len(figures), t.Steady.Window)
		return &out, nil
	}
	first := len(samples) - t.Steady.Window
	for i := first; i < len(out.Rounds); i++ {
		out.Rounds[i].Window = true
	}
	if !state.Steady {
		out.Outcome, out.Reason = measure.Invalid, fmt.Sprintf("not_steady: after %d rounds %s", len(figures), Distance(state, t.Steady))
		return &out, nil
	}
	window := unite(samples[first:], out.Rounds[first:], typ.Measures)
	window.Rounds = out.Rounds
	return &window, nil
}

// Window judges the last rounds. It is not steady where there are fewer than it takes.
func Window(figures []float64, s *plan.Steady) stats.Steadiness {
	if len(figures) < s.Window {
		return stats.Steadiness{Rounds: len(figures)}
	}
	return stats.Steady(figures[len(figures)-s.Window:], s.Range, s.Slope)
}

// Distance says how far the last rounds are from steady, with the limits.
func Distance(state stats.Steadiness, s *plan.Steady) string {
	if !state.Defined {
		return fmt.Sprintf("the last %d of %s have no average of which a range would be a share", state.Rounds, s.Measure)
	}
	trend := "rise"
	if state.Slope < 0 {
		trend = "fall"
	}
	return fmt.Sprintf("the last %d of %s range over %s of their average (at most %s), and %s by %s (at most %s)", state.Rounds, s.Measure,
		unit.FormatShare(state.Range), unit.FormatShare(s.Range), trend, unit.FormatShare(math.Abs(state.Slope)), unit.FormatShare(s.Slope))
}

// SteadyFigure is the figure of a round that must become steady, over its keys; why says why there is none.
func SteadyFigure(s *measure.Sample, typ *schema.Type, steady *plan.Steady) (v float64, why string) {
	if s.Outcome != measure.OK {
		return 0, s.Reason
	}
	m := typ.Measure(steady.Measure)
	if m == nil {
		return 0, fmt.Sprintf("%s is not a measure of %s", steady.Measure, typ.Name)
	}
	if v, ok := s.Get(m.Name); ok {
		return v, ""
	}
	n := 0
	for _, x := range s.Values {
		if x.Measure != m.Name {
			continue
		}
		switch {
		case n == 0:
			v = x.Value
		case m.RollUp == schema.Worst && m.Better == schema.Higher:
			v = min(v, x.Value)
		case m.RollUp == schema.Worst:
			v = max(v, x.Value)
		case m.RollUp == schema.Sum || m.RollUp == schema.Mean:
			v += x.Value
		default: // of what is merged the provider gives the figure over all keys
			return 0, "the output has no figure of " + m.Name + " over all its keys, which must become steady"
		}
		n++
	}
	if n == 0 {
		return 0, "the output lacks " + m.Name + ", which must become steady"
	}
	if m.RollUp == schema.Mean {
		v /= float64(n)
	}
	return v, ""
}
