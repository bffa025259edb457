package fake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// generator is the version of what makes the data: others are not the same.
const generator = "fake_data 1"

// failLoad is a value of a dataset's fail.
const failLoad = "load"

// loadFigures are what a load yields, in the order in which they are put out.
func loadFigures() []schema.Measure {
	return []schema.Measure{
		{Name: "load_time", Doc: "How long the load took, as the spec gives it, with noise.", Dim: unit.Seconds, Better: schema.Lower},
		{Name: "rows", Doc: "Rows loaded, as the spec gives them.", Dim: unit.One},
		{Name: "bytes", Doc: "Bytes loaded, as the spec gives them.", Dim: unit.Bytes},
		{Name: "load_rate", Doc: "Bytes per second of load_time.", Dim: unit.BytesPerSec, Better: schema.Higher},
	}
}

func dataType() schema.Type {
	return schema.Type{
		Name: "fake_data",
		Doc: "Data that stand as a file in .assay/fake, until they are dropped. Their load takes as long as the spec says and yields the " +
			"figures that the spec gives; it fails where their thing does not stand.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar, Doc: "The id of the thing that must stand: setup.fake_thing.NAME.id."},
			{Name: "rows", Kind: schema.Quantity, Dim: unit.One, Min: "0", Doc: "How many rows there are. Absent, the load does not yield them."},
			{Name: "bytes", Kind: schema.Quantity, Dim: unit.Bytes, Min: "0B", Doc: "How large the data are. Absent, the load yields neither bytes nor load_rate."},
			seconds("load_time", "How long it takes to load; also what the plan estimates."),
			{Name: "noise", Kind: schema.Quantity, Dim: unit.One, Default: "0%", Min: "0%", Max: "100%",
				Doc: "How far the figure of a load may lie from load_time, to either side."},
			{Name: "seed", Kind: schema.Scalar, Doc: "Another seed gives other noise."},
			{Name: "claims", Kind: schema.StringList, Doc: "Names that nothing else may claim while the data stand, such as \"database\"."},
			{Name: "fail", Kind: schema.String, Enum: []string{failLoad, failDestroy},
				Doc: "The step that fails: load leaves the data partial, destroy leaves them standing."},
		}},
		Outputs:  []schema.Output{{Name: "id", Type: schema.String, Doc: "Names the data; follows from their address."}},
		Measures: loadFigures(),
	}
}

func (w *world) planData(req providers.PlanRequest) *providers.PlanResponse {
	id := thingID(req.Address.String())
	size, _ := number(req.Config, "bytes")
	res := &providers.PlanResponse{
		Outputs:         cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}),
		Commands:        []providers.Command{{Manual: "pretend to load " + w.shown(id)}},
		ReleaseCommands: []providers.Command{{Manual: "remove " + w.shown(id)}},
		Estimate:        duration(req.Config, "load_time"),
		Writes:          int64(size),
		Fingerprint:     generator,
	}
	res.Claims, res.Problems = planClaims(req, true)
	return res
}

// loadData loads, whether or not the data stand already. What the pretended tool says of it goes into the artifacts of the load.
func (w *world) loadData(ctx context.Context, req providers.ThingRequest, t *thing, sink providers.Sink) error {
	if id := text(req.Config, "thing"); id != "" {
		if ok, err := w.stands(id); err != nil {
			return err
		} else if !ok {
			return fmt.Errorf("the thing %q does not stand", id)
		}
	}
	if there, err := w.load(t.ID); err != nil {
		return err
	} else if there != nil { // as a partial thing it does not count as what is wanted
		there.State = statePartial
		if err := errors.Join(context.Cause(ctx), w.save(there)); err != nil {
			return err
		}
	}
	if _, err := w.begin(ctx, t, "load", ""); err != nil {
		return err
	}
	stdout, err := sink.Artifact(runName + ".stdout")
	if err != nil {
		return err
	}
	exit := measure.Exit{Name: runName, Argv: []string{runName, "load", t.ID}, Started: time.Now()}
	if len(req.Hosts) > 0 {
		exit.Host = req.Hosts[0]
	}
	err = wait(ctx, duration(req.Config, "load_time"), sink, "loading "+t.ID)
	if err == nil && text(req.Config, "fail") == failLoad {
		exit.Code = 1
		err = errors.Join(fmt.Errorf("it fails as the spec asks (fail = %q)", failLoad), w.log("load failed %s", t.ID))
	}
	if err == nil {
		_, err = io.WriteString(stdout, loadReport(req))
	}
	if err != nil && exit.Code == 0 {
		exit.Code, exit.Error = -1, err.Error()
	}
	exit.Ended = time.Now()
	sink.Exit(exit)
	if err := errors.Join(err, stdout.Close()); err != nil {
		return err
	}
	return errors.Join(w.save(t), w.log("loaded %s", t.ID))
}

// loadReport is what the tool prints, in the form of a test's report.
func loadReport(req providers.ThingRequest) string {
	figures := map[string]float64{}
	for _, name := range []string{"rows", "bytes", "load_time"} {
		if v, ok := number(req.Config, name); ok {
			figures[name] = v
		}
	}
	declared := loadFigures()
	if noise, _ := number(req.Config, "noise"); noise > 0 {
		figures["load_time"] *= 1 + noise*deviation(text(req.Config, "seed"), req.Address.String(), max(1, req.Generation), declared[0])
	}
	if size, ok := figures["bytes"]; ok && figures["load_time"] > 0 {
		figures["load_rate"] = size / figures["load_time"]
	}
	var b strings.Builder
	b.WriteString(header + "\n")
	for _, m := range declared {
		v, ok := figures[m.Name]
		if !ok {
			continue
		}
		b.WriteString(m.Name + " " + strconv.FormatFloat(v, 'f', -1, 64))
		if m.Dim != unit.One {
			b.WriteString(" " + m.Dim.String())
		}
		b.WriteString("\n")
	}
	b.WriteString(footer + "\n")
	return b.String()
}
