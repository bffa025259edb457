package fake

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// The values of mode.
const (
	modeOK      = "ok"
	modeFail    = "fail"
	modeHang    = "hang"
	modeCrash   = "crash"
	modeGarbage = "garbage"
	modeFlaky   = "flaky"
	modeUnready = "unready"
)

// runName names the pretended command: its artifacts are fake.stdout and fake.stderr.
const runName = "fake"

func planTest(req providers.PlanRequest) *providers.PlanResponse {
	var yields []string
	for _, m := range figures() {
		if v, ok := number(req.Config, m.Name); ok {
			yields = append(yields, m.Name+" "+unit.Format(v, m.Dim, m.Symbol))
		}
	}
	res := &providers.PlanResponse{
		Outputs:  cty.ObjectVal(map[string]cty.Value{"left": cty.StringVal(thingID(req.Address.String()))}),
		Estimate: duration(req.Config, "ready_time") + req.Warmup + duration(req.Config, "duration"),
	}
	what := strings.Join(yields, ", ")
	if len(yields) == 0 {
		what = "nothing"
		res.Problems = append(res.Problems, providers.Problem{
			Warning: true, Summary: "A test without figures",
			Detail: "It yields nothing that could be compared or judged. Give throughput, latency or count.",
		})
	}
	hosts := list(req.Config, "hosts")
	if len(hosts) > 0 && len(yields) > 0 {
		what += " on " + strings.Join(hosts, ", ")
	}
	for i, h := range hosts {
		if !hostName(h) || slices.Contains(hosts[:i], h) {
			res.Problems = append(res.Problems, providers.Problem{
				Attribute: "hosts", Summary: "Not a list of hosts",
				Detail: fmt.Sprintf("%q is given twice, or is no name of a host; name each host once, with letters, digits, dots, hyphens and underscores.", h),
			})
			break
		}
	}
	if n, _ := number(req.Config, "noise"); n > 0 {
		what += " ±" + unit.FormatShare(n)
	}
	manual := "pretend to measure " + what
	if req.Warmup > 0 {
		manual = "pretend to warm up for " + unit.FormatSeconds(req.Warmup.Seconds()) + ", then to measure " + what
	}
	if d := duration(req.Config, "duration"); d > 0 {
		manual += " for " + unit.FormatSeconds(d.Seconds())
	}
	if req.Type == updateName {
		manual += ", and change the data"
	}
	if mode := text(req.Config, "mode"); mode != modeOK {
		manual += " (mode " + mode + ")"
	}
	res.Commands = []providers.Command{{Manual: manual}}
	claims, problems := planClaims(req, false)
	res.Claims, res.Problems = claims, append(res.Problems, problems...)
	return res
}

// Measure pretends to run a tool, which says on its standard output what it would have measured.
func (p *Provider) Measure(ctx context.Context, req providers.MeasureRequest, gate providers.Gate, sink providers.Sink) error {
	w, err := p.ready()
	if err != nil {
		return err
	}
	if req.Kind != "test" || req.Type != "fake" && req.Type != updateName {
		return unknownType(req.Target)
	}
	stdout, err := sink.Artifact(runName + ".stdout")
	if err != nil {
		return err
	}
	stderr, err := sink.Artifact(runName + ".stderr")
	if err != nil {
		return errors.Join(err, stdout.Close())
	}
	err = wait(ctx, duration(req.Config, "ready_time"), sink, "making ready")
	if mode := text(req.Config, "mode"); err == nil && mode == modeUnready {
		err = fmt.Errorf("it fails before it is ready, as the spec asks (mode = %q)", mode)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("fake: %s: %w", req.Address, err), stdout.Close(), stderr.Close())
	}
	if err := gate(ctx); err != nil {
		return errors.Join(fmt.Errorf("fake: %s: not started: %w", req.Address, err), stdout.Close(), stderr.Close())
	}
	exit := measure.Exit{Name: runName, Argv: []string{runName}, Started: time.Now()}
	if len(req.Hosts) > 0 {
		exit.Host = req.Hosts[0]
	}
	if err = w.log("run %s %d attempt %d", req.Address, req.Repetition, req.Attempt); err == nil {
		err = pretend(ctx, w, req, sink, stdout, stderr, &exit)
	}
	if err != nil {
		exit.Error = err.Error()
		if exit.Code == 0 {
			exit.Code = -1
		}
		err = fmt.Errorf("fake: %s: %w", req.Address, err)
	}
	err = errors.Join(err, stdout.Close(), stderr.Close())
	exit.Ended = time.Now()
	sink.Exit(exit)
	return err
}

// pretend is the tool. It returns an error only where ctx ended or the world cannot be read; all else it says as a tool
// would, by exit and output.
func pretend(ctx context.Context, w *world, req providers.MeasureRequest, sink providers.Sink, stdout, stderr io.Writer,
	exit *measure.Exit) error {
	if id := text(req.Config, "thing"); id != "" {
		if ok, err := w.stands(id); err != nil || !ok {
			if err != nil {
				return err
			}
			exit.Code = 1
			_, err = fmt.Fprintf(stderr, "the thing %q does not stand\n", id)
			return err
		}
	}
	if id := text(req.Config, "takes"); id != "" {
		if why, err := w.take(id, req.Repetition); err != nil || why != "" {
			exit.Code = 1
			return errors.Join(err, say(stderr, why))
		}
	}
	found, err := w.change(req)
	if err != nil {
		return err
	}
	mode := text(req.Config, "mode")
	if mode == modeHang {
		sink.Progress(-1, "hanging, as the spec asks")
		<-ctx.Done()
		exit.Code, exit.Signal = -1, "SIGTERM"
		return context.Cause(ctx)
	}
	err = wait(ctx, req.Warmup, sink, "warming up")
	if err == nil {
		err = wait(ctx, duration(req.Config, "duration"), sink, "pretending")
	}
	if err != nil {
		exit.Code, exit.Signal = -1, "SIGTERM"
		return err
	}
	switch {
	case mode == modeFail, mode == modeFlaky && req.Attempt <= 1:
		exit.Code = 1
		_, err := fmt.Fprintf(stderr, "failed as the spec asks (mode = %q)\n", mode)
		return err
	case mode == modeCrash:
		exit.Code, exit.Signal = -1, "SIGSEGV"
		_, err := fmt.Fprintln(stdout, header)
		return err
	case mode == modeGarbage:
		_, err := io.WriteString(stdout, "\x00\xff}{ Segmentation fault (core not dumped)\nthroughput NaN\n")
		return err
	}
	_, err = stdout.Write(report(req, found))
	sink.Progress(1, "done")
	return errors.Join(err, w.leave(thingID(req.Address.String()), req.Repetition))
}

func say(to io.Writer, text string) error {
	_, err := fmt.Fprintln(to, text)
	return err
}

// report is what the tool prints: a header, a line for each figure in base units, and an end, so that a torn report shows.
func report(req providers.MeasureRequest, found int) []byte {
	b := []byte(header + "\n")
	hosts := list(req.Config, "hosts")
	for _, m := range figures() {
		v, ok := number(req.Config, m.Name)
		switch {
		case !ok:
		case len(hosts) == 0:
			v = noisy(req, m, v)
			b = line(b, m, v)
			if m.Name == latencyHistogram {
				b = appendTails(b, req, v, func(m schema.Measure) schema.Measure { return m })
			}
		default:
			b = perHost(b, req, m, v, hosts)
		}
	}
	if found >= 0 {
		b = line(b, changesMeasure(), float64(found))
	}
	return append(b, footer+"\n"...)
}

// perHost prints a figure for each host. What is a rate for all is divided; its parts follow it.
func perHost(b []byte, req providers.MeasureRequest, m schema.Measure, v float64, hosts []string) []byte {
	if m.RollUp == schema.Sum {
		v /= float64(len(hosts))
	}
	at := func(m schema.Measure, host string) schema.Measure {
		m.Name += "[" + hostKey + "=" + host + "]"
		return m
	}
	total := 0.0
	values := make([]float64, len(hosts))
	for i, h := range hosts {
		one := at(m, h)
		values[i] = noisy(req, one, v)
		total += values[i]
		b = line(b, one, values[i])
	}
	if m.Name == latencyHistogram {
		for i, h := range hosts {
			b = appendTails(b, req, values[i], func(m schema.Measure) schema.Measure { return at(m, h) })
		}
	}
	if m.Name == "throughput" && total > 0 {
		for i, h := range hosts {
			b = line(b, at(shareMeasure(), h), values[i]/total)
		}
	}
	return b
}

func line(b []byte, m schema.Measure, v float64) []byte {
	b = append(b, m.Name+" "...)
	b = strconv.AppendFloat(b, v, 'f', -1, 64)
	if m.Dim != unit.One {
		b = append(b, " "+m.Dim.String()...)
	}
	return append(b, '\n')
}

// noisy is a figure with the drift and the noise that the spec asks for.
func noisy(req providers.MeasureRequest, m schema.Measure, v float64) float64 {
	if drift, _ := number(req.Config, "drift"); req.Round > 0 {
		v *= 1 + drift*math.Exp2(float64(1-req.Round))
	}
	if noise, _ := number(req.Config, "noise"); noise > 0 {
		seed := text(req.Config, "seed")
		if req.Round > 1 {
			seed += " round " + strconv.Itoa(req.Round)
		}
		v *= 1 + noise*deviation(seed, req.Address.String(), req.Repetition, m)
	}
	return v
}

// hostName reports a name that the text form can hold as it stands.
func hostName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)) {
			return false
		}
	}
	return s != ""
}

// deviation is a number between -1 and 1, symmetric about 0 and denser there: the mean of two uniform ones. The same
// arguments give the same number on every machine.
func deviation(seed, address string, repetition int, m schema.Measure) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %q", seed, address, repetition, m.Name))
	uniform := func(b []byte) float64 { return float64(binary.BigEndian.Uint64(b)>>11) / (1 << 53) }
	return uniform(sum[0:8]) + uniform(sum[8:16]) - 1
}
