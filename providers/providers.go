// Package providers is the contract between assay and what it drives. A provider checks configurations and promises
// outputs (Plan), makes things stand and takes them away (Inspect, Prepare, Release), measures (Measure, Observe) and
// turns raw output into samples (Parse).
//
// Requests and answers are plain data, so that the same provider runs in the process and as a program of its own.
// Retry, timeouts and logging wrap a provider; no provider does them itself. Every command that touches a machine goes
// through package host.
package providers

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// Provider drives one kind of tool. Methods may be called concurrently. An error means that the world failed; what is wrong with a
// configuration is answered as Problems.
type Provider interface {
	// Schema describes the provider; it needs no configuration and never changes.
	Schema(context.Context) (*schema.Provider, error)
	// Configure takes the provider block. It is called once, before everything but Schema and Parse, and offline too: it reaches no
	// machine. What is wrong with the configuration is a *Refused.
	Configure(context.Context, ConfigureRequest) error
	// Plan checks a configuration and promises what the thing or test will be. It reads at most, and nothing at all offline.
	Plan(context.Context, PlanRequest) (*PlanResponse, error)
	// Inspect says in which state a thing is. It changes nothing.
	Inspect(context.Context, ThingRequest) (*InspectResponse, error)
	// Prepare makes a thing stand, or switches its state. It is idempotent, keeps Plan's promises or fails. A dataset that stands
	// already is loaded anew, and each load leaves artifacts from which Parse makes a sample.
	Prepare(context.Context, ThingRequest, Sink) error
	// Measure runs one repetition. It calls gate when all is ready and waits for it before the measured part starts.
	// A nil error says only that the tool was run: Parse decides whether there is a sample.
	Measure(context.Context, MeasureRequest, Gate, Sink) error
	// Observe samples something beside a test until ctx ends. It reports progress once it is observing, since the test is held back
	// until then. It ends soon after ctx, and being told to end is no error; ending before that is for Parse to judge. A setup whose type
	// attends tests takes part in them by the same call.
	Observe(context.Context, ObserveRequest, Sink) error
	// Parse turns artifacts into one sample. It is a pure function of its request.
	Parse(context.Context, ParseRequest) (*ParseResponse, error)
	// Release takes a thing away, or a test's residue. It accepts partial things, touches only what carries assay's
	// mark, and is idempotent.
	Release(context.Context, ThingRequest, Sink) error
	// Close ends the provider.
	Close() error
}

// ConfigureRequest carries the provider block.
type ConfigureRequest struct {
	Config cty.Value // of the type Schema.Config.Cty()
	Dir    string    // assay's working directory; state that a provider keeps on this machine goes below Dir/.assay
}

// Refused is the error of Configure for a configuration that is wrong. Its problems are about attributes of the provider block.
type Refused struct{ Problems []Problem }

func (r *Refused) Error() string {
	var texts []string
	for _, p := range r.Problems {
		texts = append(texts, strings.TrimPrefix(p.Attribute+": ", ": ")+p.Summary+": "+p.Detail)
	}
	return strings.Join(texts, "\n")
}

// Target is what every request is about.
type Target struct {
	Kind    string // setup, dataset, test, monitor
	Type    string
	Address addr.Instance
	Config  cty.Value // of the type Body.Cty() of the Type; quantities are numbers in base units, absent ones null
	Hosts   []string  // host addresses; empty: this machine
	// Warmup, of a test whose type has the capability, is how long it runs before it measures. Plan's commands and estimate have it.
	Warmup time.Duration
}

// PlanRequest asks for a check and a promise.
type PlanRequest struct {
	Target
	Offline bool                         // read nothing
	Erase   bool                         // the spec consents that what is on the thing's disks is lost
	Facts   map[string]map[string]string // by host; may lack what was not read
}

// PlanResponse is the promise.
type PlanResponse struct {
	Problems []Problem
	Outputs  cty.Value // of the type OutputsType; all known
	Claims   []Claim
	Slot     string // things with one slot are states of one thing that is switched
	State    string
	// Fresh: no repetition may find the thing as another has left it, a rebuilding array say, so it is made anew before each.
	Fresh  bool
	Switch map[string]time.Duration // cost to come from another state; AnyState for states that are not in it

	Commands        []Command // what Prepare or Measure will do
	ReleaseCommands []Command
	// SwitchCommands are those of a switch, by the state that it comes from or AnyState; without an entry they are Commands.
	SwitchCommands  map[string][]Command
	Erases          []Erase
	Writes          int64 // bytes written to the target by one step, as far as it can be told
	Estimate        time.Duration
	ReleaseEstimate time.Duration
	// Fingerprint tells apart what one configuration makes with different versions of a generator. A thing that an earlier run has kept is
	// used again only where it is the same.
	Fingerprint string
	// Jobs, and whatever else Parse needs to know of what was to happen, beyond the configuration.
	Expect map[string]string
}

// AnyState stands for every other state of a slot.
const AnyState = "*"

// Problem is something wrong or doubtful in a configuration.
type Problem struct {
	Warning   bool
	Attribute string // the attribute it is about; empty: the block
	Summary   string // Invalid option
	Detail    string // what was expected, and what to do
}

// Claim is something that a thing or test needs for itself.
type Claim struct {
	Name   string // disk:S0001, host:db1:io
	Shared bool   // several sharers may hold it at once
	// Standing: held while the thing stands, not only while the test runs.
	Standing bool
}

// Command is something that will be done, as the plan prints it. Just one of Argv, SQL, HTTP and Manual is set.
type Command struct {
	On     string   `json:"on"` // host; "" is this machine
	Argv   []string `json:"argv,omitempty"`
	Stdin  string   `json:"stdin,omitempty"`
	Env    []string `json:"env,omitempty"` // NAME=value; of Argv, as Dir and Stdin are
	Dir    string   `json:"dir,omitempty"` // working directory, where it matters
	SQL    string   `json:"sql,omitempty"`
	HTTP   string   `json:"http,omitempty"`   // GET https://…
	Manual string   `json:"manual,omitempty"` // what is done without a command: "write 48 B to /x/.assay"
}

// Erase is data that will be lost.
type Erase struct {
	Host   string `json:"host"`
	Device string `json:"device"`
	Serial string `json:"serial,omitempty"`
	WWN    string `json:"wwn,omitempty"`
	Model  string `json:"model,omitempty"`
	Size   int64  `json:"size_bytes,omitempty"`
	Holds  string `json:"holds,omitempty"` // what is on it now
	// Found: it carries something that has a name, a file system say, and that is not assay's. It is erased only from a saved plan that was
	// looked at, or where its serial number or WWN is allowed.
	Found bool `json:"found,omitempty"`
}

// ThingRequest is about a standing thing.
type ThingRequest struct {
	Target
	ID      string    // of the standing thing; several addresses may share one
	Outputs cty.Value // as promised
	From    string    // state that it is switched from; empty: created
	// Generation, of a dataset, says how often it was loaded in this run, this time included.
	Generation int
	Erase      bool // the user consents that what the plan found is erased
	Expect     map[string]string
	Addresses  []string
}

// Standing is the state of a thing.
type Standing string

// The states of a thing.
const (
	Absent  Standing = "absent"
	Stands  Standing = "standing"
	Partial Standing = "partial" // some of it is there, and it is ours
	Dormant Standing = "dormant" // whole, but not in use: an array that is not assembled
	Foreign Standing = "foreign" // something is there that is not ours
)

// InspectResponse says what is there.
type InspectResponse struct {
	Standing Standing
	State    string
	Detail   string
}

// MeasureRequest asks for one repetition.
type MeasureRequest struct {
	Target
	Repetition int
	Attempt    int
	Round      int // of a repetition that is rounds until they are steady, from 1; 0: it is one measurement
	Expect     map[string]string
}

// Gate holds a test back until all that start together are ready. It returns an error when the start is called off.
type Gate func(context.Context) error

// ObserveRequest starts a monitor.
type ObserveRequest struct {
	Target
	During     string // address of the test; empty: all
	Repetition int    // of the test that runs
	Attempt    int
	Expect     map[string]string
}

// ParseRequest carries all that a sample is derived from.
type ParseRequest struct {
	Target
	Artifacts []measure.Artifact
	Exits     []measure.Exit
	Expect    map[string]string
	// Started is when the measured command began, by the clock of Exits, where that is known: the time 0 of series. For a monitor it is
	// that of the test which it watched.
	Started  time.Time
	Imported bool   // files that exist already: there are no exits
	Format   string // of an import
}

// ParseResponse is the sample without its identity: outcome, reason, warnings, values and histograms.
type ParseResponse struct {
	Sample measure.Sample
	Series []measure.Series // how declared measures went over time, where that is known
}

// Sink takes what a step puts out while it runs. Its methods may be called concurrently.
type Sink interface {
	// Artifact opens a file of raw output; it is kept verbatim. Names are made of [A-Za-z0-9._-].
	Artifact(name string) (io.WriteCloser, error)
	// Exit records how a command ended.
	Exit(measure.Exit)
	// Progress tells a person what is going on: a share between 0 and 1 (negative: unknown) and a short text.
	Progress(share float64, text string)
}
