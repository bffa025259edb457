package fio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// preconditionType is what a device or files are filled with before they are measured. A flash disk that is fresh is faster than it will ever be
// again; the workload independent preconditioning of SNIA's Solid State Storage Performance Test Specification (2.0.2) writes its
// capacity twice, sequentially in blocks of 128 KiB. It is a dataset: it costs hours, is done once for each state of what it stands on, and
// is done again when that is made anew.
const preconditionType = "fio_precondition"

// preconditionDefaults are those of SNIA, and what it takes to write at a device's speed.
var preconditionDefaults = map[string]string{"rw": "write", "bs": "128KiB", "ioengine": "libaio", "iodepth": "32", "direct": "true"}

func preconditionSchema() schema.Type {
	take := append(slices.Clone(placeNames), "file", "rw", "bs", "ioengine", "iodepth", "direct", "size", "filesize", "refill_buffers", "log_avg_msec")
	var attrs []schema.Attribute
	for _, a := range attributes() {
		if !slices.Contains(take, a.Name) {
			continue
		}
		a.Default = preconditionDefaults[a.Name]
		if a.Name == "rw" {
			a.Enum, a.Doc = []string{"write", "randwrite"}, "Order of the writes."
		}
		attrs = append(attrs, a)
	}
	attrs = append(attrs, schema.Attribute{Name: "passes", Kind: schema.Integer, Default: "2", Min: "1", Max: "100", Doc: "How often all of it is written."})
	host := []string{"host"}
	return schema.Type{
		Name: preconditionType,
		Doc: "Fills devices or files before they are measured, once for each state of what is under them. Tests take its outputs as their target. " +
			"Without other arguments it is SNIA's workload independent preconditioning: twice the capacity, sequentially in blocks of 128 KiB.",
		Body: schema.Block{Attributes: attrs},
		Outputs: []schema.Output{
			{Name: "device", Type: schema.String, Doc: "The device, as given; empty where it is not."},
			{Name: "devices", Type: schema.StringList, Doc: "All devices."},
			{Name: "directory", Type: schema.String, Doc: "The directory, as given; empty where it is not."},
			{Name: "directories", Type: schema.StringList, Doc: "All directories."},
			{Name: "file", Type: schema.String, Doc: "What tests must give as file, so that they work on the files that are written here."},
		},
		Measures: []schema.Measure{
			{Name: "bandwidth", Doc: "Bytes written per second.", Dim: unit.BytesPerSec, Better: schema.Higher, Keys: host, RollUp: schema.Sum},
			{Name: "bytes", Doc: "Bytes written.", Dim: unit.Bytes, Keys: host, RollUp: schema.Sum},
			{Name: "time", Doc: "How long it took.", Dim: unit.Seconds, Better: schema.Lower, Keys: host, RollUp: schema.Worst},
		},
		Tools: []string{"fio"},
	}
}

// passes is how often a precondition writes all of its target; 0: the target is none.
func (c config) passes() float64 {
	n, _ := c.number("passes")
	return n
}

// planPrecondition is Plan of a dataset.
func planPrecondition(t providers.Target) *providers.PlanResponse {
	resp := &providers.PlanResponse{Problems: check(t)}
	c, where := config{t.Config}, placeOf(t)
	one := func(name string) cty.Value {
		text, _ := c.text(name)
		return cty.StringVal(text)
	}
	resp.Outputs = cty.ObjectVal(map[string]cty.Value{
		"device": one("device"), "devices": stringList(where.devices), "directory": one("directory"), "directories": stringList(where.directories),
		"file": cty.StringVal(fileName(t)),
	})
	if firstError(resp.Problems) != nil {
		return resp
	}
	bytes := c.extent(where).job * c.passes()
	for _, on := range hostsOf(t) {
		resp.Claims = append(resp.Claims, providers.Claim{Name: "host:" + on + ":cpu"}, providers.Claim{Name: "host:" + on + ":io"})
		for _, path := range where.paths() {
			resp.Claims = append(resp.Claims, providers.Claim{Name: "fio:" + on + ":" + path, Standing: true})
		}
		resp.Commands = append(resp.Commands, providers.Command{On: on, Argv: measureArgv(t)},
			providers.Command{On: on, Manual: "write the mark " + strings.Join(where.marks("ID"), ", ")})
		resp.ReleaseCommands = append(resp.ReleaseCommands, providers.Command{On: on, Argv: removeArgv(where, "ID")})
		resp.Writes = clampInt(float64(resp.Writes) + bytes)
	}
	resp.Estimate = time.Duration(min(bytes/200e6, 1e9)*float64(time.Second)) + time.Second
	resp.Expect = expectation(t).asMap()
	return resp
}

// Prepare implements providers.Provider: it writes, and marks what it has written. Artifacts are named as those of a test.
func (p *provider) Prepare(ctx context.Context, req providers.ThingRequest, sink providers.Sink) error {
	if req.Type != preconditionType {
		return errNoThings
	}
	if why := firstError(check(req.Target)); why != nil {
		return fmt.Errorf("fio: %s: %s", why.Summary, why.Detail)
	}
	where, kept := placeOf(req.Target), &keeper{Sink: sink}
	stop := progress(req.Target, sink)
	defer stop()
	begin := providers.Barrier(len(hostsOf(req.Target)), func(context.Context) error { return nil })
	gate := func(ctx context.Context) error { return begin(ctx) }
	err := onEach(ctx, req.Target, func(ctx context.Context, i int) error {
		h, err := p.open(ctx, hostsOf(req.Target)[i])
		if err != nil {
			return err
		}
		_, err = h.Run(ctx, host.Cmd{Argv: append([]string{"rm", "-f", "--"}, where.marks(req.ID)...)}) // it does not stand while it is written
		return errors.Join(err, h.Close())
	})
	if err != nil {
		return err
	}
	if err := onEach(ctx, req.Target, func(ctx context.Context, i int) error {
		return p.measureOn(ctx, providers.MeasureRequest{Target: req.Target}, i, gate, kept)
	}); err != nil {
		return err
	}
	s := parse(providers.ParseRequest{Target: req.Target, Expect: req.Expect, Artifacts: kept.artifacts(), Exits: kept.exits})
	if s.Outcome != measure.OK {
		return fmt.Errorf("fio: %s", s.Reason)
	}
	return onEach(ctx, req.Target, func(ctx context.Context, i int) error {
		h, err := p.open(ctx, hostsOf(req.Target)[i])
		if err != nil {
			return err
		}
		return errors.Join(where.mark(ctx, h, req.ID), h.Close())
	})
}

func stringList(list []string) cty.Value {
	if len(list) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	out := make([]cty.Value, len(list))
	for i, s := range list {
		out[i] = cty.StringVal(s)
	}
	return cty.ListVal(out)
}

// putLoad fills in the figures of a precondition.
func putLoad(jobs []job, s *measure.Sample, keys addr.Coordinates) {
	var bandwidth, bytes, longest float64
	for i := range jobs {
		if d := jobs[i].Write; ran(d) {
			bandwidth += d.bandwidth()
			bytes += d.bytes()
			longest = max(longest, jobs[i].elapsed())
		}
	}
	for _, v := range []measure.Value{{Measure: "bandwidth", Value: bandwidth}, {Measure: "bytes", Value: bytes}, {Measure: "time", Value: longest}} {
		v.Keys = keys
		s.Values = append(s.Values, v)
	}
}

// judgeWritten wants as many bytes as all passes are.
func judgeWritten(f *finding, want float64, jobs []job) {
	wrote := 0.0
	for i := range jobs {
		if ran(jobs[i].Write) {
			wrote += jobs[i].Write.bytes()
		}
	}
	if wrote < want*0.999 { // what is less than a block at the end of each file
		f.fault("%s of %s were written", bytesText(wrote), bytesText(want))
	}
}

// loopsArgv is how often fio writes all of it.
func (c config) loopsArgv() []string {
	if n := c.passes(); n > 0 {
		return []string{"--loops=" + strconv.FormatFloat(n, 'f', 0, 64)}
	}
	return nil
}

// keeper keeps a copy of what fio prints, so that Prepare can judge it, but not of its logs.
type keeper struct {
	providers.Sink
	mu    sync.Mutex
	kept  map[string]*bytes.Buffer
	exits []measure.Exit
}

// Artifact implements providers.Sink.
func (k *keeper) Artifact(name string) (io.WriteCloser, error) {
	w, err := k.Sink.Artifact(name)
	if err != nil || strings.HasSuffix(name, measure.LogSuffix) {
		return w, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[string]*bytes.Buffer{}
	}
	k.kept[name] = &bytes.Buffer{}
	return both{w, k.kept[name]}, nil
}

// Exit implements providers.Sink.
func (k *keeper) Exit(e measure.Exit) {
	k.mu.Lock()
	k.exits = append(k.exits, e)
	k.mu.Unlock()
	k.Sink.Exit(e)
}

func (k *keeper) artifacts() []measure.Artifact {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []measure.Artifact
	for name, data := range k.kept {
		out = append(out, measure.Artifact{Name: name, Data: data.Bytes()})
	}
	return out
}

// both writes into a file and a copy of it.
type both struct {
	io.WriteCloser
	copy *bytes.Buffer
}

func (b both) Write(p []byte) (int, error) {
	b.copy.Write(p)
	return b.WriteCloser.Write(p)
}
