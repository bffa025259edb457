package fake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// Further values of a monitor's mode.
const (
	modeEarly = "early"
	modeError = "error"
)

// diskKey is the key of a monitor's results where it is told disks.
const diskKey = "disk"

// watchedFigures are the attributes of the monitor that are measures too, in the order in which they are put out.
func watchedFigures() []schema.Measure {
	return []schema.Measure{
		{Name: "load", Doc: "A share, as the spec gives it: the mean over the series.", Dim: unit.One, Better: schema.Lower},
		{Name: "rate", Doc: "Bytes per second, as the spec gives them: the mean over the series.", Dim: unit.BytesPerSec,
			Keys: []string{diskKey}, RollUp: schema.Sum},
	}
}

func monitorType() schema.Type {
	t := schema.Type{
		Name: "fake",
		Doc: "A monitor that yields the figures and series that the spec gives: one point for each of so many seconds, which it " +
			"pretends to have passed. It fails where its thing does not stand.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar, Doc: "The id of what must stand: setup.fake_thing.NAME.id, or dataset.fake_data.NAME.id."},
			{Name: "load", Kind: schema.Quantity, Dim: unit.One, Min: "0%", Max: "100%", Doc: "The figure of this name. Absent, the monitor does not yield it."},
			{Name: "rate", Kind: schema.Quantity, Dim: unit.BytesPerSec, Min: "0B/s", Doc: "The figure of this name. Absent, the monitor does not yield it."},
			{Name: "disks", Kind: schema.StringList, Doc: "Disks that it pretends to watch, by name. The rate is divided evenly, and is one for each, with noise of its own and the key disk."},
			{Name: "points", Kind: schema.Integer, Default: "5", Min: "1", Max: "10000", Doc: "How many points a series has, a second apart."},
			{Name: "noise", Kind: schema.Quantity, Dim: unit.One, Default: "0%", Min: "0%", Max: "100%", Doc: "How far a point may lie from the figure, to either side."},
			{Name: "seed", Kind: schema.Scalar, Doc: "Another seed gives other noise."},
			{Name: "mark", Kind: schema.String, Doc: "A text that is marked in the middle of the series, such as \"rebuild starts\"."},
			{Name: "mark_lasts", Kind: schema.Quantity, Dim: unit.Seconds, Min: "1s", Max: longest, Doc: "How long that which is marked lasts. Absent, it is a moment."},
			{Name: "doubt", Kind: schema.String, Doc: "A text that its samples carry as a warning."},
			{Name: "mode", Kind: schema.String, Default: modeOK, Enum: []string{modeOK, modeFail, modeError, modeHang, modeEarly},
				Doc: "ok; fail exits 1 with a message; error gives up when the test begins; hang does not end when it is told to; early ends before the test does."},
		}},
		Measures: watchedFigures(),
		Imports:  []string{importFormat},
	}
	return t
}

func planMonitor(req providers.PlanRequest) *providers.PlanResponse {
	what := ""
	for _, m := range watchedFigures() {
		if v, ok := number(req.Config, m.Name); ok {
			what += fmt.Sprintf(", %s %s", m.Name, unit.Format(v, m.Dim, m.Symbol))
		}
	}
	res := &providers.PlanResponse{}
	if what == "" {
		what = ", nothing"
		res.Problems = append(res.Problems, providers.Problem{
			Warning: true, Summary: "A monitor without figures",
			Detail: "It yields nothing that could be judged or drawn. Give load or rate.",
		})
	}
	seen := map[string]bool{}
	for _, d := range list(req.Config, "disks") {
		if !hostName(d) || seen[d] {
			res.Problems = append(res.Problems, providers.Problem{
				Attribute: "disks", Summary: "Not a list of disks",
				Detail: fmt.Sprintf("%q is given twice, or is no name of a disk; name each disk once, with letters, digits, dots, hyphens and underscores.", d),
			})
		}
		seen[d] = true
	}
	manual := "pretend to watch " + what[2:]
	if mode := text(req.Config, "mode"); mode != modeOK {
		manual += " (mode " + mode + ")"
	}
	res.Commands = []providers.Command{{Manual: manual}}
	return res
}

// Observe pretends to watch: it says at once what it would have seen, and ends when it is told to.
func (p *Provider) Observe(ctx context.Context, req providers.ObserveRequest, sink providers.Sink) error {
	w, err := p.ready()
	if err != nil {
		return err
	}
	if !watches(req.Kind, req.Type) {
		return unknownType(req.Target)
	}
	mode := text(req.Config, "mode")
	if mode == modeError {
		return fmt.Errorf("fake: %s: it gives up as the spec asks (mode = %q)", req.Address, mode)
	}
	stdout, err := sink.Artifact(runName + ".stdout")
	if err != nil {
		return err
	}
	stderr, err := sink.Artifact(runName + ".stderr")
	if err != nil {
		return errors.Join(err, stdout.Close())
	}
	exit := measure.Exit{Name: runName, Argv: []string{runName, "watch"}, Started: time.Now()}
	if len(req.Hosts) > 0 {
		exit.Host = req.Hosts[0]
	}
	if id := text(req.Config, "thing"); id != "" {
		ok, lost := w.stands(id)
		if err = lost; err == nil && !ok {
			exit.Code = 1
			_, err = fmt.Fprintf(stderr, "the thing %q does not stand\n", id)
		}
	}
	if err == nil {
		err = w.log("watch %s %d attempt %d", req.Address, req.Repetition, req.Attempt)
	}
	if err == nil && exit.Code == 0 {
		_, err = stdout.Write(watchReport(req))
	}
	sink.Progress(-1, "watching")
	switch mode {
	case modeHang:
		<-context.WithoutCancel(ctx).Done() // never
	case modeEarly:
	default:
		<-ctx.Done()
	}
	if err == nil && mode == modeFail {
		exit.Code = 1
		_, err = fmt.Fprintf(stderr, "failed as the spec asks (mode = %q)\n", mode)
	}
	if err == nil && exit.Code == 0 {
		_, err = io.WriteString(stdout, footer+"\n")
	}
	if err != nil {
		exit.Code, exit.Error = -1, err.Error()
	}
	exit.Ended = time.Now()
	sink.Exit(exit)
	return errors.Join(err, stdout.Close(), stderr.Close())
}

// watchReport is what the tool prints when it begins: a header, and a line for each point; the end follows when it is told to end.
func watchReport(req providers.ObserveRequest) []byte {
	b := []byte(watchHeader + "\n")
	noise, _ := number(req.Config, "noise")
	points, _ := number(req.Config, "points")
	put := func(t int, m schema.Measure, name string, v float64) {
		m.Name = name
		if noise > 0 {
			v *= 1 + noise*deviation(text(req.Config, "seed"), req.Address.String()+" "+strconv.Itoa(t), req.Repetition, m)
		}
		b = line(append(b, strconv.Itoa(t)+" "...), m, v)
	}
	for t := range int(points) {
		for _, m := range watchedFigures() {
			v, ok := number(req.Config, m.Name)
			disks := list(req.Config, "disks")
			switch {
			case !ok:
			case len(m.Keys) == 0 || len(disks) == 0:
				put(t, m, m.Name, v)
			default:
				for _, d := range disks {
					put(t, m, m.Name+"["+diskKey+"="+d+"]", v/float64(len(disks)))
				}
			}
		}
		if mark := text(req.Config, "mark"); mark != "" && t == int(points)/2 {
			if lasts := duration(req.Config, "mark_lasts"); lasts > 0 {
				b = fmt.Appendf(b, "%d until %d %s\n", t, t+int(lasts.Seconds()), mark)
			} else {
				b = fmt.Appendf(b, "%d mark %s\n", t, mark)
			}
		}
	}
	if doubt := text(req.Config, "doubt"); doubt != "" {
		b = fmt.Appendf(b, "doubt %s\n", doubt)
	}
	return b
}
