package plugin

import (
	"context"
	"io"
	"os/exec"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/zclconf/go-cty/cty"
)

// target is how much a step may cost beyond the tool that it runs.
const target = 20 * time.Millisecond

// runner is fake with a test that runs the true of coreutils, the shortest of all tools.
type runner struct{ providers.Provider }

func (r runner) Schema(ctx context.Context) (*schema.Provider, error) {
	s, err := r.Provider.Schema(ctx)
	if err == nil {
		s.Tests = append(s.Tests, schema.Type{Name: "fake_true", Doc: "Does nothing."})
	}
	return s, err
}

func (r runner) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	if err := gate(ctx); err != nil {
		return err
	}
	_, err := providers.Run(ctx, host.Local(), sink, "true", host.Cmd{Argv: []string{"true"}})
	return err
}

// BenchmarkStep compares a step with the bare tool that it runs: in the process, and as a program of its own. over-ms is what the step
// costs beyond the tool, and has the target beside it; ratio is how many times as long as the tool it takes.
func BenchmarkStep(b *testing.B) {
	req := providers.MeasureRequest{Target: providers.Target{Kind: "test", Type: "fake_true", Config: cty.EmptyObjectVal}, Repetition: 1, Attempt: 1}
	program := client(b, "runner", nil)
	for _, c := range []struct {
		name string
		p    providers.Provider
	}{{"process", runner{}}, {"program", program}} {
		b.Run(c.name, func(b *testing.B) {
			var bare, step time.Duration
			if err := c.p.Measure(b.Context(), req, open, discard{}); err != nil { // the start of the program is no part of a step
				b.Fatal(err)
			}
			b.ResetTimer()
			for range b.N { // in turns, so that a busy machine slows both
				began := time.Now()
				cmd := exec.Command("true")
				cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				bare += time.Since(began)
				began = time.Now()
				if err := c.p.Measure(b.Context(), req, open, discard{}); err != nil {
					b.Fatal(err)
				}
				step += time.Since(began)
			}
			over := (step - bare) / time.Duration(b.N)
			b.ReportMetric(float64(over)/float64(time.Millisecond), "over-ms")
			b.ReportMetric(float64(target)/float64(time.Millisecond), "target-over-ms")
			b.ReportMetric(float64(step)/float64(bare), "ratio")
		})
	}
}
