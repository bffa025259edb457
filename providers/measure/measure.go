// Package measure is about what a test yields: samples, series, distributions, and the sink into which a provider
// streams them. Figures are in base units throughout: bytes, seconds, their quotients, plain numbers.
package measure

import (
	"time"

	"github.com/assay-bench/assay/lang/addr"
)

// Outcome says what became of one repetition.
type Outcome string

// The outcomes.
const (
	OK           Outcome = "ok"
	Failed       Outcome = "failed"         // the tool said so, or what must be in its output is missing
	DidNotFinish Outcome = "did_not_finish" // killed at its timeout in every attempt
	Invalid      Outcome = "invalid"        // cannot be a measurement at all
	Blocked      Outcome = "blocked"        // something that it needs could not be made
	Skipped      Outcome = "skipped"
)

// Sample holds the measures of one repetition of one test instance.
type Sample struct {
	Address     string           `json:"address"`
	Coordinates addr.Coordinates `json:"coordinates"`
	Round       int              `json:"round"`            // from 1
	Repetition  int              `json:"repetition"`       // from 1
	During      string           `json:"during,omitempty"` // of a monitor: address of the test that it watched
	Attempt     int              `json:"attempt"`          // the attempt that counts, from 1; 0 where none ran
	Generation  int              `json:"generation"`       // of the data underneath, from 1
	Things      []string         `json:"things,omitempty"`
	Outcome     Outcome          `json:"outcome"`
	Reason      string           `json:"reason,omitempty"` // why it is not ok
	Warnings    []Warning        `json:"warnings,omitempty"`
	Values      []Value          `json:"values,omitempty"`
	Histograms  []Histogram      `json:"histograms,omitempty"`
	Artifacts   []string         `json:"artifacts,omitempty"` // from which it was derived: paths from the record's folder, with forward slashes, to which reports link
	Imported    bool             `json:"imported,omitempty"`
	LoadedIn    string           `json:"loaded_in,omitempty"` // of data that an earlier run has loaded: that run, from which the figures come
	Rounds      []Round          `json:"rounds,omitempty"`    // of a repetition that is rounds until they are steady, in the order in which they ran
}

// Round is one round of such a repetition, whose own values are the mean of those of its window.
type Round struct {
	Number int     `json:"number"` // from 1
	Window bool    `json:"window,omitempty"`
	Values []Value `json:"values"`
}

// Warning is a doubt about a sample; the text names the numbers.
type Warning struct {
	Code string `json:"code"` // stable: bandwidth_mismatch
	Text string `json:"text"`
}

// Value is one figure, with the keys that the result brings.
type Value struct {
	Measure string           `json:"measure"`
	Keys    addr.Coordinates `json:"keys,omitempty"`
	Value   float64          `json:"value"`
}

// Get returns the figure of a measure that has no keys.
func (s *Sample) Get(name string) (float64, bool) {
	for _, v := range s.Values {
		if v.Measure == name && len(v.Keys) == 0 {
			return v.Value, true
		}
	}
	return 0, false
}

// Histogram is a distribution as bins. Histograms of one measure may be merged by adding counts.
type Histogram struct {
	Measure string           `json:"measure"` // latency, read_latency
	Keys    addr.Coordinates `json:"keys,omitempty"`
	Bins    []Bin            `json:"bins"` // ascending by value
}

// Bin is a value in base units and how often it occurred.
type Bin struct {
	Value float64 `json:"v"`
	Count uint64  `json:"n"`
}

// Exit is how one command of a step ended. It is kept beside the artifacts, since exit status alone is never believed.
type Exit struct {
	Name    string    `json:"name"` // names the artifacts: NAME.stdout, NAME.stderr
	Host    string    `json:"host"`
	Argv    []string  `json:"argv"`
	Code    int       `json:"code"`             // -1 when it was ended by a signal or never started
	Signal  string    `json:"signal,omitempty"` // SIGKILL
	Error   string    `json:"error,omitempty"`  // it could not be started, or was cancelled
	Started time.Time `json:"started"`          // zero: never. Both are of this machine's clock, whatever the host
	Ended   time.Time `json:"ended"`
}
