package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
)

// Profile is a set of published limits: which figures of a test have one, at which keys of its results, and where each is printed. It is
// data: a JSON file of format_version 1, built in, of a provider, or beside a spec.
type Profile struct {
	FormatVersion int               `json:"format_version"`
	Name          string            `json:"name"`
	Version       string            `json:"version"` // of the limits
	Title         string            `json:"title"`
	Doc           string            `json:"doc"`
	Sources       map[string]string `json:"sources"` // by a short name: what is cited, for people
	// Keys tell the rows apart: keys of the measures, or axes of the spec.
	Keys []string `json:"keys"`
	// Each are further keys, for each value of which every limit holds, where a measure has them: the hosts.
	Each []string `json:"each,omitempty"`
	// Statistic over the repetitions, as in a kpi block; empty: the median.
	Statistic   string         `json:"statistic,omitempty"`
	Limits      []ProfileLimit `json:"limits"`
	Informative []ProfileRows  `json:"informative,omitempty"` // what is measured beside them, and has no limit
}

// ProfileLimit is one published limit.
type ProfileLimit struct {
	Measure string            `json:"measure"`
	At      map[string]string `json:"at"`            // a value for each of Keys
	Min     string            `json:"min,omitempty"` // with its unit; one of the two, or both
	Max     string            `json:"max,omitempty"`
	Sources []string          `json:"sources"` // at least one, of Profile.Sources
}

// ProfileRows are rows without a limit: all that have these values of some of Keys.
type ProfileRows struct {
	Measure string            `json:"measure"`
	At      map[string]string `json:"at"`
}

var profileName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// statistics are the values of statistic.
var statistics = []string{"", "median", "worst", "best", "each"}

// DecodeProfile reads a profile and checks its form. Whether its limits have the units of the measures shows only where it is used.
func DecodeProfile(raw []byte) (*Profile, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	p := &Profile{}
	if err := dec.Decode(p); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the profile")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// Check says what is wrong with the form of a profile.
func (p *Profile) Check() error {
	switch {
	case p.FormatVersion != 1:
		return fmt.Errorf("format_version is %d, and 1 is what is read", p.FormatVersion)
	case !profileName.MatchString(p.Name):
		return fmt.Errorf("the name %q is not of lower case letters, digits and _", p.Name)
	case p.Version == "":
		return errors.New("the version of the limits is missing")
	case len(p.Limits) == 0:
		return errors.New("there are no limits")
	case !slices.Contains(statistics, p.Statistic):
		return fmt.Errorf("statistic is %q, and is one of median, worst, best, each", p.Statistic)
	}
	seen := map[string]bool{}
	for i, l := range p.Limits {
		at, err := p.row(l.Measure, l.At)
		switch {
		case err != nil:
		case len(l.At) < len(p.Keys):
			err = fmt.Errorf("at has not all of keys")
		case l.Min == "" && l.Max == "":
			err = fmt.Errorf("neither min nor max is given; what has no limit stands in informative")
		case len(l.Sources) == 0:
			err = fmt.Errorf("no source is named")
		case seen[at]:
			err = fmt.Errorf("there is another one for the same row")
		}
		for _, s := range l.Sources {
			if _, known := p.Sources[s]; !known && err == nil {
				err = fmt.Errorf("sources has no %q", s)
			}
		}
		if err != nil {
			return fmt.Errorf("limit %d, of %s: %w", i+1, l.Measure, err)
		}
		seen[at] = true
	}
	for i, r := range p.Informative {
		if _, err := p.row(r.Measure, r.At); err != nil {
			return fmt.Errorf("informative row %d: %w", i+1, err)
		}
	}
	return nil
}

// row checks the coordinates of a row, and gives them with the measure as a text.
func (p *Profile) row(measure string, at map[string]string) (string, error) {
	text := measure
	if measure == "" {
		return "", errors.New("the measure is missing")
	}
	for _, k := range slices.Sorted(maps.Keys(at)) {
		if !slices.Contains(p.Keys, k) {
			return "", fmt.Errorf("at names %q, which is none of keys", k)
		}
		if at[k] == "" {
			return "", fmt.Errorf("%s is empty", k)
		}
		text += "\x00" + k + "\x00" + at[k]
	}
	return text, nil
}

// Cited gives the sources of a limit for people, in one sentence.
func (p *Profile) Cited(l ProfileLimit) string {
	var out []byte
	for i, s := range l.Sources {
		if i > 0 {
			out = append(out, "; "...)
		}
		out = append(out, p.Sources[s]...)
	}
	return string(out)
}

// Text gives the limit as it is published: "≥ 30 MiB/s".
func (l ProfileLimit) Text() string {
	switch {
	case l.Max == "":
		return "≥ " + l.Min
	case l.Min == "":
		return "≤ " + l.Max
	}
	return "within " + l.Min + " … " + l.Max
}
