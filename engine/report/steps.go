package report

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers/measure"
)

// stepPart is one address of the plan: its samples, with what each left on the disk, and its commands as they ended.
type stepPart struct {
	ID          string
	Address     string
	Coordinates addr.Coordinates
	About       string // 5 of 6 ok, 1 failed
	Measures    []column
	Samples     []samplePart
	More        int // samples that are not shown
	Commands    []commandPart
	samples     []*judge.Sample
}

type samplePart struct {
	Name, Outcome, Reason string
	OK                    bool
	Values                []string // by Measures
	Keyed                 string   // values that the result brings by keys
	Doubts                []string
	Folder                string // of the artifacts
	Artifacts             []artifactLink
}

// artifactLink is text alone where a path is not one of the record's artifacts.
type artifactLink struct{ Name, Href string }

type commandPart struct {
	command
	Action string // empty: as that of the command before
}

// mostSamples is how many samples of one address are shown, and how many artifacts of one sample.
const mostSamples, mostArtifacts = 60, 40

// steps renders every address that ran, or left samples, in the order in which that happened. Where they have not all room, those
// that failed or are doubted are kept before the others.
func (w *pageWriter) steps() part {
	var all []*stepPart
	at := map[string]*stepPart{}
	get := func(address string) *stepPart {
		s := at[address]
		if s == nil {
			s = &stepPart{Address: address, Coordinates: w.v.coordinates[address]}
			at[address] = s
			all = append(all, s)
		}
		return s
	}
	for _, c := range w.v.commands {
		s := get(c.Address)
		p := commandPart{command: c, Action: c.Action}
		if n := len(s.Commands); n > 0 && s.Commands[n-1].command.Action == c.Action {
			p.Action = ""
		}
		s.Commands = append(s.Commands, p)
	}
	for i := range w.v.in.Results.Samples {
		x := &w.v.in.Results.Samples[i]
		s := get(x.Address)
		s.samples = append(s.samples, x)
	}
	for i, s := range all {
		s.ID = fmt.Sprintf("s%d", i+1)
	}
	columns := map[string][]column{}
	for _, t := range w.v.tables {
		if key, ok := t.only(true); ok {
			columns[t.Block] = key.Measures
		}
	}
	render := func(s *stepPart) part {
		return w.fill("step", stepBytes, 1, func(int) any { return w.detail(s, columns[w.v.blocks[s.Address]]) })
	}
	fits := func(s *stepPart) bool {
		return slices.ContainsFunc(s.samples, func(x *judge.Sample) bool { return x.Outcome != measure.OK || len(x.Warnings) > 0 })
	}
	shown := make([]part, len(all))
	left := int(stepBytes)
	for _, troubled := range []bool{true, false} {
		for i, s := range all {
			if fits(s) != troubled || left <= 0 {
				continue
			}
			if p := render(s); len(p.HTML) <= left {
				shown[i] = p
				left -= len(p.HTML)
				w.stepAt[s.Address] = s.ID
			} else {
				left = 0 // smaller ones that would still fit are no better a choice
			}
		}
	}
	var out part
	var b strings.Builder
	for _, p := range shown {
		b.WriteString(string(p.HTML))
		out.Shown += p.Shown
	}
	out.HTML, out.Left = template.HTML(b.String()), len(all)-out.Shown
	return out
}

func (w *pageWriter) detail(s *stepPart, measures []column) *stepPart {
	by := map[string]int{}
	for _, x := range s.samples {
		by[string(x.Outcome)]++
	}
	if len(s.samples) > 0 {
		s.About = fmt.Sprintf("%d of %d ok", by[string(measure.OK)], len(s.samples))
		if m := missing(by); m != "" {
			s.About += ", " + m
		}
	}
	for _, m := range measures {
		if slices.ContainsFunc(s.samples, func(x *judge.Sample) bool { _, ok := x.Measures[m.Name]; return ok }) {
			s.Measures = append(s.Measures, m)
		}
	}
	n := min(len(s.samples), mostSamples)
	s.More = len(s.samples) - n
	for _, x := range s.samples[:n] {
		s.Samples = append(s.Samples, sampleOf(x, s.Measures, measures))
	}
	return s
}

// sampleOf shows the measures of a sample, and what measures have by keys.
func sampleOf(x *judge.Sample, shown, all []column) samplePart {
	p := samplePart{Name: fmt.Sprintf("%s %d", repetitionOf(*x), x.Repetition), OK: x.Outcome == measure.OK, Reason: x.Reason}
	if ofDataset(x.Address) {
		p.Name = fmt.Sprintf("load %d", max(x.Generation, 1))
	} else if x.Generation > 1 {
		p.Name += fmt.Sprintf(", generation %d of the data", x.Generation)
	}
	if x.Round > 1 {
		p.Name = fmt.Sprintf("round %d, ", x.Round) + p.Name
	}
	p.Outcome = outcomeWords(string(x.Outcome))
	if x.Attempt > 1 {
		p.Outcome += fmt.Sprintf(", attempt %d", x.Attempt)
	}
	if x.Imported {
		p.Outcome += ", imported"
	}
	if x.LoadedIn != "" {
		p.Outcome += ", loaded in run " + x.LoadedIn
	}
	for _, m := range shown {
		text := "–"
		if v, ok := x.Measures[m.Name]; ok {
			text = value(v.Value, m.Measure)
		}
		p.Values = append(p.Values, text)
	}
	var keyed []string
	for _, v := range x.Values {
		for _, m := range all {
			if v.Measure == m.Name {
				keyed = append(keyed, v.Keys.String()+" "+m.Name+" "+value(v.Value, m.Measure))
			}
		}
	}
	if n := len(keyed); n > 24 {
		keyed = append(keyed[:24], fmt.Sprintf("%d more", n-24))
	}
	p.Keyed = strings.Join(keyed, "; ")
	for _, d := range x.Warnings {
		p.Doubts = append(p.Doubts, d.Code+": "+d.Text)
	}
	p.Folder, p.Artifacts = artifactLinks(x.Artifacts)
	return p
}

// artifactLinks points from the report's folder into the record's. Names of one folder have it once.
func artifactLinks(paths []string) (folder string, links []artifactLink) {
	for i, p := range paths {
		if i == 0 {
			folder = path.Dir(p) + "/"
		} else if path.Dir(p)+"/" != folder {
			folder = ""
		}
	}
	for i, p := range paths {
		if i == mostArtifacts {
			return folder, append(links, artifactLink{fmt.Sprintf("%d more", len(paths)-i), href(path.Dir(p) + "/")})
		}
		links = append(links, artifactLink{cmp.Or(strings.TrimPrefix(p, folder), p), href(p)})
	}
	return folder, links
}

func href(recordPath string) string {
	if trimmed := strings.TrimSuffix(recordPath, "/"); path.Clean(trimmed) != trimmed || !strings.HasPrefix(recordPath, "artifacts/") {
		return ""
	}
	return (&url.URL{Path: "../" + recordPath}).EscapedPath()
}
