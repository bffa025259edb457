package run

import (
	"context"
	"fmt"
	"io"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// rounds measures until the last rounds are steady, or as often as the test says. It ends early, without an error, with a round that has no
// sample: what came of it all is for derive to say. Each round's output is on the disk before the next begins.
func (r *runner) rounds(ctx context.Context, t plan.Test, s plan.Step, req providers.MeasureRequest, gate providers.Gate, sink *sink) error {
	typ, _, err := derive.Type(r.o.Set, t)
	if err != nil {
		return err
	}
	var figures []float64
	for n := 1; n <= t.Steady.MaxRounds; n++ {
		req.Round = n
		if err := r.provider("test", t.Type).Measure(ctx, req, gate, &roundSink{sink, n, t.Steady.MaxRounds}); err != nil {
			return fmt.Errorf("round %d: %w", n, err)
		}
		if err := sink.Commit(); err != nil {
			return err
		}
		sample, err := derive.Round(ctx, r.o.Record, r.o.Set, t, s, req.Attempt, n)
		if err != nil {
			return err
		}
		v, why := derive.SteadyFigure(sample, typ, t.Steady)
		if why != "" {
			return nil
		}
		figures = append(figures, v)
		state := derive.Window(figures, t.Steady)
		if state.Steady {
			return nil
		}
		text := fmt.Sprintf("round %d of at most %d, %d to go before they can be steady", n, t.Steady.MaxRounds, t.Steady.Window-n)
		if n >= t.Steady.Window {
			text = fmt.Sprintf("round %d of at most %d: %s", n, t.Steady.MaxRounds, derive.Distance(state, t.Steady))
		}
		sink.Progress(float64(n)/float64(t.Steady.MaxRounds), text)
	}
	return nil
}

// roundSink keeps the output of a round apart from that of others.
type roundSink struct {
	providers.Sink
	number, most int
}

func (s *roundSink) Artifact(name string) (io.WriteCloser, error) {
	return s.Sink.Artifact(derive.RoundPrefix(s.number) + name)
}

func (s *roundSink) Exit(e measure.Exit) {
	e.Name = derive.RoundPrefix(s.number) + e.Name
	s.Sink.Exit(e)
}

// Progress is that of the round among all that there may be.
func (s *roundSink) Progress(share float64, text string) {
	if share >= 0 {
		share = (float64(s.number-1) + share) / float64(s.most)
	}
	s.Sink.Progress(share, fmt.Sprintf("round %d: %s", s.number, text))
}
