package command

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// Parse implements providers.Provider. The sample is ok where every command succeeded as the spec says, and every measure is in the
// output; else it is failed. An import is what a tool printed, standard output and standard error in one, of which no exit is known:
// it is held against expect and fail_if all the same, and else is invalid.
func (p *provider) Parse(_ context.Context, req providers.ParseRequest) (*providers.ParseResponse, error) {
	var s measure.Sample
	var why string
	switch {
	case req.Kind == "monitor" && req.Type == "command":
		return parseMonitor(req), nil
	case req.Kind == "test" && req.Type == "command" && req.Imported:
		s, why = parseImport(req)
	case req.Kind == "test" && req.Type == "command":
		s, why = parseRun(req, []string{runName}, []command{body{req.Config}.command()})
	case req.Kind == "dataset" && req.Type == "command":
		var names []string
		loads := body{req.Config}.commands("load")
		for i := range loads {
			names = append(names, fmt.Sprintf("load-%d", i+1))
		}
		s, why = parseRun(req, names, loads)
	default:
		return nil, unknown(req.Target)
	}
	s.Outcome = measure.OK
	if why != "" {
		s = measure.Sample{Outcome: measure.Failed, Reason: why}
		if req.Imported {
			s.Outcome = measure.Invalid
		}
	}
	return &providers.ParseResponse{Sample: s}, nil
}

// parseRun judges the commands that were run, and looks for the measures in the output of all of them.
func parseRun(req providers.ParseRequest, names []string, commands []command) (s measure.Sample, why string) {
	var stdout, stderr []byte
	var elapsed time.Duration
	if len(names) == 0 {
		return s, "there is no command that could have been run"
	}
	for i, name := range names {
		at := slices.IndexFunc(req.Exits, func(e measure.Exit) bool { return e.Name == name })
		out, hasOut := artifact(req.Artifacts, name+".stdout")
		said, hasErr := artifact(req.Artifacts, name+".stderr")
		switch {
		case at < 0:
			return s, fmt.Sprintf("%s was not run: how it ended is not in the record", commands[i].title(name))
		case !hasOut || !hasErr:
			return s, fmt.Sprintf("what %s printed is not in the record", commands[i].title(name))
		}
		if why := commands[i].fault(req.Exits[at], out, said); why != "" {
			return s, why
		}
		stdout, stderr = join(stdout, out), join(stderr, said)
		elapsed += req.Exits[at].Ended.Sub(req.Exits[at].Started)
	}
	return values(body{req.Config}.figures(), stdout, stderr, &elapsed)
}

// title is how messages call a command.
func (c command) title(name string) string {
	if len(c.argv) > 0 && c.argv[0] != "" {
		return c.argv[0] + " (" + name + ")"
	}
	return name
}

// join puts the output of one command after that of another, on a line of its own.
func join(all, more []byte) []byte {
	if len(all) > 0 && all[len(all)-1] != '\n' {
		all = append(slices.Clip(all), '\n')
	}
	return append(slices.Clip(all), more...)
}

func parseImport(req providers.ParseRequest) (s measure.Sample, why string) {
	if req.Format != importFormat {
		return s, fmt.Sprintf("import format %q is not known; it is %q", req.Format, importFormat)
	}
	if len(req.Artifacts) != 1 {
		return s, fmt.Sprintf("an import is one file for each repetition, but these are %d", len(req.Artifacts))
	}
	c, out := body{req.Config}.command(), req.Artifacts[0].Data
	if why := c.fault(measure.Exit{Argv: []string{"the file"}, Code: c.status}, out, nil); why != "" {
		return s, strings.TrimPrefix(why, "the file ")
	}
	return values(body{req.Config}.figures(), out, out, nil)
}

// values looks for all measures, with the histograms of those that are a percentile of one; elapsed is nil where it is not known, and such
// a measure then has no figure.
func values(figures []figure, stdout, stderr []byte, elapsed *time.Duration) (s measure.Sample, why string) {
	for _, f := range figures {
		if f.elapsed {
			if elapsed != nil && *elapsed >= 0 {
				s.Values = append(s.Values, measure.Value{Measure: f.name, Value: elapsed.Seconds()})
			}
			continue
		}
		text := stdout
		if f.source == "stderr" {
			text = stderr
		}
		var err error
		if f.hdr != 0 {
			err = f.percentile(text, &s)
		} else {
			var vs []measure.Value
			vs, err = f.extract(text)
			s.Values = append(s.Values, vs...)
		}
		if err != nil {
			if len(bytes.TrimSpace(text)) == 0 {
				err = fmt.Errorf("the command printed nothing there (%s)", f.source)
			}
			return measure.Sample{}, fmt.Sprintf("%s: %s", f.name, err)
		}
	}
	return s, ""
}

func artifact(all []measure.Artifact, name string) ([]byte, bool) {
	for _, a := range all {
		if a.Name == name {
			return a.Data, true
		}
	}
	return nil, false
}
