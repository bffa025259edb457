package command

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// maxPoints bounds the points of one measure: more is a pattern that matches what it should not.
const maxPoints = 1_000_000

// follower looks for figures in output that comes in pieces.
type follower struct {
	figures  []figure
	patterns []*regexp.Regexp // by figure; nil where it is not found by one, or Plan refuses it
	headers  [][]string       // by figure: of the table in which the output is
	runs     bool             // a piece is what one run printed, so each has all measures; else it is a line, which may be of anything
	seen     []bool           // by figure
}

func newFollower(figures []figure, runs bool) *follower {
	w := &follower{figures: figures, runs: runs, patterns: make([]*regexp.Regexp, len(figures)), headers: make([][]string, len(figures)), seen: make([]bool, len(figures))}
	for i, f := range figures {
		if f.pattern != "" {
			w.patterns[i], _ = compile(f.pattern)
		}
	}
	return w
}

// begun takes the next piece, and reports whether every figure has been found in one by now.
func (w *follower) begun(data []byte) bool {
	for i := range w.figures {
		all, err := w.find(i, data)
		w.seen[i] = w.seen[i] || err == nil && len(all) > 0
	}
	return !slices.Contains(w.seen, false)
}

// find looks for a figure in the next piece. What is not there is no error, but with runs.
func (w *follower) find(i int, data []byte) (all []found, err error) {
	f := w.figures[i]
	switch {
	case f.json != "":
		text := bytes.TrimLeft(data, " \t\r")
		if !w.runs && (len(text) == 0 || text[0] != '{' && text[0] != '[') {
			return nil, nil
		}
		if all, err = f.inJSON(data); err != nil && !w.runs && text[0] == '[' {
			return nil, nil // a line of text, or one that begins a list
		}
	case f.column != "":
		if w.runs {
			w.headers[i] = nil
		}
		all = f.rows(data, &w.headers[i])
	case w.patterns[i] != nil:
		all, err = f.matches(w.patterns[i], data)
	}
	if err == nil && len(all) == 0 && w.runs {
		err = fmt.Errorf("%s is not found", f.where())
	}
	return all, err
}

// track is how a figure went, at one combination of keys.
type track struct {
	series measure.Series
	values []float64
}

// parseMonitor makes the series of what came from the time 0 on, and of each the figure.
func parseMonitor(req providers.ParseRequest) *providers.ParseResponse {
	resp := &providers.ParseResponse{}
	if why := watched(req, resp); why != "" {
		return &providers.ParseResponse{Sample: measure.Sample{Outcome: measure.Failed, Reason: why}}
	}
	resp.Sample.Outcome = measure.OK
	return resp
}

// watched fills the answer, or says why there is no sample.
func watched(req providers.ParseRequest, resp *providers.ParseResponse) string {
	b := body{req.Config}
	runs := b.number("every") > 0
	at := slices.IndexFunc(req.Exits, func(e measure.Exit) bool { return e.Name == monitorName && len(e.Argv) > 0 })
	stdout, hasOut := artifact(req.Artifacts, monitorName+".stdout")
	stderr, _ := artifact(req.Artifacts, monitorName+".stderr")
	times, hasTimes := artifact(req.Artifacts, monitorName+".times")
	switch {
	case at < 0:
		return b.command().title(monitorName) + " was not run: how it ended is not in the record"
	case req.Exits[at].Started.IsZero():
		return b.command().title(monitorName) + " did not start: " + req.Exits[at].Error
	case req.Exits[at].Error == "": // it was not told to
		return endedEarly(req.Exits[at], stderr)
	case !hasOut || !hasTimes:
		return "what " + b.command().title(monitorName) + " printed, or when, is not in the record"
	}
	zero := req.Started
	if zero.IsZero() {
		zero = req.Exits[at].Started
	}
	list, err := pieces(stdout, times, !runs)
	if err != nil {
		return err.Error()
	}
	if len(list) == 0 {
		why := "it printed no whole line"
		if runs {
			why = "no run of it had ended"
		} else if lastLine(stderr) == "" {
			why += ", or holds it back as many tools do where there is no terminal: run those by stdbuf -oL"
		}
		if said := lastLine(stderr); said != "" {
			why += "; it said: " + said
		}
		return why
	}
	w := newFollower(b.figures(), runs)
	for i, f := range w.figures {
		tracks, before, err := w.track(i, list, zero)
		switch {
		case err != nil:
			return f.name + ": " + err.Error()
		case len(tracks) == 0 && before > 0:
			return fmt.Sprintf("%s: %s is found only before the test began (%d times), and never while it ran", f.name, f.where(), before)
		case len(tracks) == 0:
			return fmt.Sprintf("%s: %s is not found", f.name, f.where())
		}
		for _, t := range tracks {
			v, err := f.one(t.values)
			if err != nil {
				return f.name + ": " + err.Error()
			}
			resp.Sample.Values = append(resp.Sample.Values, measure.Value{Measure: f.name, Keys: t.series.Keys, Value: v})
			resp.Series = append(resp.Series, t.series)
		}
	}
	return ""
}

// track follows a figure through the pieces: its points since zero, in the order in which their keys came, and how many there were before.
func (w *follower) track(i int, list []piece, zero time.Time) (tracks []*track, before int, err error) {
	f := w.figures[i]
	byKey := map[string]*track{}
	points, what := 0, "line"
	if w.runs {
		what = "run"
	}
	for n, p := range list {
		all, err := w.find(i, p.data)
		t := p.at.Sub(zero).Seconds()
		if t < 0 { // whatever it was
			before += len(all)
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("in %s %d: %w", what, n+1, err)
		}
		if points += len(all); points > maxPoints {
			return nil, 0, fmt.Errorf("%s is found more than %d times", f.where(), maxPoints)
		}
		for _, x := range all {
			v, err := f.number(x.text)
			if err != nil {
				return nil, 0, fmt.Errorf("in %s %d: %w", what, n+1, err)
			}
			keys, err := f.coordinates(x)
			if err != nil {
				return nil, 0, fmt.Errorf("in %s %d: %w", what, n+1, err)
			}
			one := byKey[keys.String()]
			if one == nil {
				one = &track{series: measure.Series{Measure: f.name, Keys: keys}}
				byKey[keys.String()] = one
				tracks = append(tracks, one)
			}
			if k := len(one.series.Points); k > 0 && !(t > one.series.Points[k-1].T) {
				return nil, 0, fmt.Errorf("%s is found more than once in %s %d; keys tell figures apart", f.where(), what, n+1)
			}
			one.series.Points = append(one.series.Points, measure.SeriesPoint{T: t, Value: v})
			one.values = append(one.values, v)
		}
	}
	return tracks, before, nil
}
