package checksum

import (
	"context"
	"fmt"
	"regexp"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

func argv(config cty.Value) []string {
	return []string{text(config, "algorithm") + "sum", "--", text(config, "path")}
}

// Measure runs the tool once. It judges nothing: what the tool put out is kept in the record, and Parse reads it from there, now and
// whenever somebody asks again.
func (p *provider) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	h, err := p.dial(ctx, on(req.Target))
	if err != nil {
		return err
	}
	defer h.Close()
	if err := gate(ctx); err != nil { // tests that run at the same time start together
		return err
	}
	_, err = providers.Run(ctx, h, sink, "checksum", host.Cmd{Argv: argv(req.Config)})
	return err
}

// A line of the tool: the digits of the checksum, then the file.
var sums = map[string]*regexp.Regexp{
	"sha256": regexp.MustCompile(`^[0-9a-f]{64} [ *]`), "md5": regexp.MustCompile(`^[0-9a-f]{32} [ *]`),
}

// Parse makes the sample from what Measure left. The tool's exit status alone is not believed: the checksum must be there.
func (p *provider) Parse(_ context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	failed := func(format string, args ...any) (*providers.ParseResponse, error) {
		return &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.Failed, Reason: fmt.Sprintf(format, args...)}}, nil
	}
	if len(req.Exits) != 1 {
		return failed("one command should have ended, and %d did", len(req.Exits))
	}
	e := req.Exits[0]
	switch {
	case e.Error != "":
		return failed("%s", e.Error)
	case e.Signal != "":
		return failed("it was ended by %s", e.Signal)
	case e.Code != 0:
		return failed("exit status %d", e.Code)
	}
	found := false
	for _, a := range req.Artifacts {
		found = found || a.Name == "checksum.stdout" && sums[text(req.Config, "algorithm")].Match(a.Data)
	}
	if !found {
		return failed("its output has no checksum")
	}
	took := e.Ended.Sub(e.Started).Seconds()
	if took <= 0 {
		return failed("it took no time by the clock, so there is no rate")
	}
	return &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.OK, Values: []measure.Value{
		{Measure: "duration", Value: took},
		{Measure: "rate", Value: float64(number(req.Config, "bytes")) / took},
	}}}, nil
}
