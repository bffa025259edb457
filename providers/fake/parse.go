package fake

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// importFormat is the text form, which Measure writes and an import reads:
//
//	fake 1
//	throughput 104857600 B/s
//	latency 400 us
//	count 35k
//	throughput[host=h1] 52428800 B/s
//	distribution latency[host=h1] 400us:985 800us:15
//	end
//
// A measure may stand for each of several hosts, or once without one. Each line is a measure and a quantity, or how often each latency occurred; order does not matter, lines that are empty or begin with # are passed over.
const importFormat = "fake"

const (
	header = "fake 1"
	footer = "end"
)

// Parse reads the report of a test, a load or a monitor. A sample counts only where the tool exited with 0, the report is whole, and every figure that
// the configuration names is in it (of an import: whatever figures are there). Else the outcome is failed, for an import
// invalid, with the reason.
func (p *Provider) Parse(_ context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	switch req.Kind + " " + req.Type {
	case "test fake", "test fake_update", "dataset fake_data", "monitor fake", "setup " + witnessName:
	default:
		return nil, unknownType(req.Target)
	}
	if req.Imported && req.Format != importFormat {
		return nil, fmt.Errorf("fake: import format %q is not known; the format is %q", req.Format, importFormat)
	}
	if watches(req.Kind, req.Type) {
		return parseMonitor(req)
	}
	s := measure.Sample{Outcome: measure.OK}
	var reason string
	s.Values, s.Histograms, reason = parse(req)
	if reason != "" {
		s = measure.Sample{Outcome: measure.Failed, Reason: reason}
		if req.Imported {
			s.Outcome = measure.Invalid
		}
	}
	return &providers.ParseResponse{Sample: s}, nil
}

func parse(req providers.ParseRequest) (values []measure.Value, histograms []measure.Histogram, reason string) {
	data, found := artifact(req.Artifacts, runName+".stdout")
	if req.Imported {
		if len(req.Artifacts) != 1 {
			return nil, nil, fmt.Sprintf("an import is one file for each repetition, but these are %d", len(req.Artifacts))
		}
		data, found = req.Artifacts[0].Data, true
	} else if reason := exitReason(req); reason != "" {
		return nil, nil, reason
	}
	if !found {
		return nil, nil, "there is no output: " + runName + ".stdout is missing"
	}
	declared := testType()
	switch {
	case req.Kind == "dataset":
		declared = dataType()
	case req.Type == updateName:
		declared = updateType()
	}
	data, histograms, reason = takeDistributions(data, &declared)
	if reason != "" {
		return nil, nil, reason
	}
	figures, reason := parseReport(data, &declared)
	if reason != "" {
		return nil, nil, reason
	}
	for _, m := range declared.Measures {
		hosts := list(req.Config, "hosts")
		if len(hosts) == 0 || req.Imported {
			hosts = []string{""}
		}
		for _, h := range hosts {
			if _, wanted := number(req.Config, m.Name); wanted && !req.Imported && !has(figures, m.Name, h) {
				return nil, nil, fmt.Sprintf("the output lacks %s", strings.TrimSuffix(m.Name+" of "+h, " of "))
			}
		}
		for _, v := range figures {
			if v.Measure == m.Name {
				values = append(values, v)
			}
		}
	}
	return values, histograms, ""
}

func has(figures []measure.Value, name, host string) bool {
	for _, v := range figures {
		if v.Measure == name && v.Keys[hostKey] == host {
			return true
		}
	}
	return false
}

// exitReason says why the tool's end rules a sample out; empty where it does not.
func exitReason(req providers.ParseRequest) string {
	if len(req.Exits) != 1 || req.Exits[0].Name != runName {
		return fmt.Sprintf("one command named %q should have ended, but %d did", runName, len(req.Exits))
	}
	e := req.Exits[0]
	said := ""
	if stderr, _ := artifact(req.Artifacts, runName+".stderr"); len(bytes.TrimSpace(stderr)) > 0 {
		line, _, _ := bytes.Cut(bytes.TrimSpace(stderr), []byte("\n"))
		said = ": " + printable(string(line))
	}
	switch {
	case e.Signal != "":
		return "ended by " + e.Signal + said
	case e.Error != "":
		return e.Error + said
	case e.Code != 0:
		return fmt.Sprintf("exit status %d%s", e.Code, said)
	}
	return ""
}

// parseReport reads the figures in base units, or says what is wrong.
func parseReport(data []byte, declared *schema.Type) (figures []measure.Value, reason string) {
	lines := strings.Split(string(data), "\n")
	if strings.TrimSpace(lines[0]) != header {
		return nil, fmt.Sprintf("the output begins with %q, not with %q", printable(lines[0]), header)
	}
	ended := false
	for i, line := range lines[1:] {
		line = strings.TrimSpace(line)
		name, quantity, _ := strings.Cut(line, " ")
		name, host, keyed := strings.Cut(name, "["+hostKey+"=")
		host, closed := strings.CutSuffix(host, "]")
		m := declared.Measure(name)
		switch {
		case line == "" || line[0] == '#':
		case ended:
			return nil, fmt.Sprintf("line %d: there is more after %q", i+2, footer)
		case line == footer:
			ended = true
		case m == nil:
			return nil, fmt.Sprintf("line %d: %q is not a measure; they are %s", i+2, printable(name), names(declared.Measures))
		case keyed && (!closed || !hostName(host) || len(m.Keys) == 0):
			return nil, fmt.Sprintf("line %d: a host is written like throughput[host=h1], and only measures of a test have one", i+2)
		case has(figures, name, host):
			return nil, fmt.Sprintf("line %d: %s is given twice", i+2, name)
		default:
			v, why := figure(quantity, m)
			if why != "" {
				return nil, fmt.Sprintf("line %d: %s: %s", i+2, name, why)
			}
			one := measure.Value{Measure: name, Value: v}
			if keyed {
				one.Keys = addr.Coordinates{hostKey: host}
			}
			figures = append(figures, one)
		}
	}
	if !ended {
		return nil, fmt.Sprintf("the output is torn: the last line, %q, is missing", footer)
	}
	return figures, ""
}

// names lists measures: a, b and c.
func names(measures []schema.Measure) string {
	text := ""
	for i, m := range measures {
		switch {
		case i > 0 && i == len(measures)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += m.Name
	}
	return text
}

// figure reads one quantity; it must be finite, and what has a unit is not negative.
func figure(quantity string, m *schema.Measure) (v float64, why string) {
	q, err := unit.Parse(quantity, m.Dim)
	if err != nil {
		return 0, printable(err.Error())
	}
	v = q.Float()
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, printable(quantity) + " is too large to be a figure"
	}
	if v < 0 && m.Dim != unit.One {
		return 0, printable(quantity) + " is negative"
	}
	return v, ""
}

func artifact(all []measure.Artifact, name string) ([]byte, bool) {
	for _, a := range all {
		if a.Name == name {
			return a.Data, true
		}
	}
	return nil, false
}

// printable makes a piece of output fit for a reason: one line of valid text, not too long.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r < ' ' || r == 0x7f {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "·"))
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return s
}
