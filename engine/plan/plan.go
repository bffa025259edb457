// Package plan turns a spec into a frozen plan: plain data in which every step, command line and erased disk can be
// read, and all that judging needs. Nothing in it is decided later: a saved plan is carried out as it is.
//
// The package drives evaluation (it answers the evaluator's questions for promised outputs by asking providers), orders
// the steps, and renders the plan for a terminal. It starts nothing and writes nothing.
package plan

import (
	"encoding/json"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
)

// FormatVersion is the version of the plan's JSON form.
const FormatVersion = 1

// Plan is a frozen plan.
type Plan struct {
	FormatVersion int                        `json:"format_version"`
	Spec          SpecInfo                   `json:"spec"`
	Offline       bool                       `json:"offline,omitempty"`
	Variables     map[string]json.RawMessage `json:"variables"`
	Sensitive     []string                   `json:"sensitive_variables,omitempty"` // names only
	Targets       []string                   `json:"targets,omitempty"`             // patterns to which the plan was narrowed
	AllowErase    []string                   `json:"allow_erase,omitempty"`         // ids of datasets of earlier runs that it takes away by consent
	Hosts         []string                   `json:"hosts"`                         // addresses; "" is this machine
	Hardware      []Hardware                 `json:"hardware"`
	Providers     []ProviderInfo             `json:"providers"`
	Things        []Thing                    `json:"things"`
	Tests         []Test                     `json:"tests"`
	Monitors      []Test                     `json:"monitors,omitempty"`
	Judgement     Judgement                  `json:"judgement"`
	Order         Order                      `json:"order"`
	Steps         []Step                     `json:"steps"`
	Benches       []Bench                    `json:"benches"`
	EstimateS     float64                    `json:"estimate_s"`               // wall time of the longest bench
	EstimateMaxS  float64                    `json:"estimate_max_s,omitempty"` // where rounds until they are steady may take it longer
	Warnings      []string                   `json:"warnings,omitempty"`
}

// Order says how the repetitions are laid out.
type Order struct {
	Order  string `json:"order"`          // grouped, interleaved, random
	Seed   int    `json:"seed,omitempty"` // of a random order
	Rounds int    `json:"rounds"`         // how often the whole walk is gone, with setups made anew
	// What the order costs over a grouped one.
	ExtraSteps int     `json:"extra_steps,omitempty"`
	ExtraS     float64 `json:"extra_s,omitempty"`
}

// SpecInfo says which spec was planned.
type SpecInfo struct {
	Path        string            `json:"path"` // relative to the working directory
	Title       string            `json:"title"`
	Description string            `json:"description,omitempty"`
	Files       map[string]string `json:"files"` // name → SHA-256 of its bytes
}

// ProviderInfo names a provider that the plan uses.
type ProviderInfo struct {
	Name            string          `json:"name"`
	Version         string          `json:"version"`
	Source          string          `json:"source,omitempty"`           // of a program of its own: its path from the spec's folder
	SHA256          string          `json:"sha256,omitempty"`           // of that program
	Config          json.RawMessage `json:"config,omitempty"`           // of its block, with defaults; sensitive values are null. Absent where a block takes nothing
	SensitiveConfig []string        `json:"sensitive_config,omitempty"` // attributes of which something is sensitive
}

// Hardware is what the spec declares of machines, to be checked before the first step.
type Hardware struct {
	Name        string   `json:"name"`
	Hosts       []string `json:"hosts"`
	MemoryBytes float64  `json:"memory_bytes,omitempty"` // 0: not declared
	Disks       []Disks  `json:"disks,omitempty"`
}

// Disks is a group of disks that are alike.
type Disks struct {
	Name          string   `json:"name"`
	Model         string   `json:"model,omitempty"`          // empty: any
	CapacityBytes float64  `json:"capacity_bytes,omitempty"` // 0: any
	Serials       []string `json:"serials,omitempty"`
	WWNs          []string `json:"wwns,omitempty"`
}

// Thing is one standing thing: a setup or dataset at given coordinates, or several equal ones.
type Thing struct {
	ID              string            `json:"id"`
	Kind            string            `json:"kind"` // setup, dataset
	Addresses       []string          `json:"addresses"`
	Type            string            `json:"type"`
	Instance        addr.Instance     `json:"instance"`         // the first of the addresses, as data
	Others          []addr.Instance   `json:"others,omitempty"` // of a dataset: the other addresses, as data; they share its loads
	Hosts           []string          `json:"hosts"`
	Config          json.RawMessage   `json:"config"` // sensitive values are null
	Outputs         json.RawMessage   `json:"outputs"`
	Needs           []string          `json:"needs"`            // ids of things
	Beside          []string          `json:"beside,omitempty"` // those of needs that may change to another state under it
	Claims          []string          `json:"claims"`           // what it holds while it stands, but for what it shares
	Shares          []string          `json:"shares,omitempty"` // what it holds together with others that share it
	Slot            string            `json:"slot,omitempty"`   // only one thing of a slot stands at a time
	State           string            `json:"state,omitempty"`  // of the slot
	Keep            bool              `json:"keep,omitempty"`
	Erase           bool              `json:"erase,omitempty"`
	Fresh           bool              `json:"fresh,omitempty"` // made anew before each repetition of a test that stands on it
	Expect          map[string]string `json:"expect,omitempty"`
	TimeoutS        float64           `json:"timeout_s,omitempty"` // 0: none
	Attempts        int               `json:"attempts"`
	BackoffS        float64           `json:"backoff_s,omitempty"`
	SensitiveConfig []string          `json:"sensitive_config,omitempty"` // attributes of which something is sensitive
	Standing        *Standing         `json:"standing,omitempty"`         // an earlier run has kept it
}

// Standing says of a thing that it stood when the plan was made, since an earlier run has kept it.
type Standing struct {
	Run      string `json:"run"`
	Unneeded bool   `json:"unneeded,omitempty"` // this spec does not need it: it is in the way, and has no samples
}

// Test is a test, or a monitor, at given coordinates, or a dataset that is skipped, or whose load is imported.
type Test struct {
	Address         string              `json:"address"`
	Instance        addr.Instance       `json:"instance"`
	Coordinates     addr.Coordinates    `json:"coordinates"`
	Type            string              `json:"type"`
	Hosts           []string            `json:"hosts"`
	Config          json.RawMessage     `json:"config"`              // sensitive values are null
	Things          []string            `json:"things"`              // ids of all things that it stands on
	Alongside       []string            `json:"alongside,omitempty"` // tests that start together with it in every repetition
	Outputs         json.RawMessage     `json:"outputs,omitempty"`   // promised; those with something sensitive are null
	After           []string            `json:"after,omitempty"`     // tests whose outputs it uses: it is run after them, in the same repetition
	Sharing         []Sharing           `json:"shared,omitempty"`    // with tests of other benches
	Claims          []string            `json:"claims,omitempty"`    // what it has for itself while it runs
	Repeat          int                 `json:"repeat"`
	During          string              `json:"during,omitempty"`       // of a monitor: the test that it watches; empty: every test on its hosts, as context
	Skip            string              `json:"skip,omitempty"`         // why it is not run: it has no steps
	Reset           string              `json:"reset,omitempty"`        // of a test that changes its data, when they are loaded anew: none, test, repetition
	WarmupS         float64             `json:"warmup_s,omitempty"`     // the tool runs so long before it measures
	Steady          *Steady             `json:"steady_state,omitempty"` // a repetition is rounds until they are steady
	CooldownS       float64             `json:"cooldown_s,omitempty"`   // so long nothing is done after each repetition
	TimeoutS        float64             `json:"timeout_s,omitempty"`    // 0: none
	Attempts        int                 `json:"attempts"`
	BackoffS        float64             `json:"backoff_s,omitempty"`
	Import          *Import             `json:"import,omitempty"`
	Expect          map[string]string   `json:"expect,omitempty"` // what Parse is told beside the configuration
	SensitiveConfig []string            `json:"sensitive_config,omitempty"`
	Commands        []providers.Command `json:"commands"`
	// Loads and Shares are of a dataset that the plan loads, which stands among its things: see Measured. Shares is the address of which it is
	// but another name, so that the samples are of the same loads.
	Loads  []Planned `json:"-"`
	Shares string    `json:"-"`
}

// Kind is test, monitor, or of a load dataset.
func (t *Test) Kind() string { return t.Instance.Kind }

// Steady says when the rounds of a repetition are steady: the last Window of them lie within Range of their average, and their
// trend within Slope (see stats.Steady). After MaxRounds without that the repetition is invalid.
type Steady struct {
	Measure   string  `json:"measure"`
	Window    int     `json:"window"`
	Range     float64 `json:"range"` // 0.2 is 20 % of the average
	Slope     float64 `json:"slope"`
	MaxRounds int     `json:"max_rounds"`
}

// Import names result files that stand in place of a run.
type Import struct {
	Format string   `json:"format"`
	Files  []string `json:"files"`           // relative to the spec's folder; one is one repetition, unless it is a table
	Table  bool     `json:"table,omitempty"` // its columns are named after axes, keys and measures
}

// Action is what a step does.
type Action string

// The actions.
const (
	Create      Action = "create"
	Load        Action = "load"  // as create, of a dataset; leaves a sample
	Reuse       Action = "reuse" // in place of create and load: it stands already; of a dataset, takes over the sample of its load
	Switch      Action = "switch"
	RunTest     Action = "run"
	Observe     Action = "observe" // of no step: what a monitor does during a run
	ImportFiles Action = "import"
	Destroy     Action = "destroy"
)

// Step is one action of the plan.
type Step struct {
	ID          string              `json:"id"`
	Address     string              `json:"address"`
	Coordinates addr.Coordinates    `json:"coordinates"`
	Action      Action              `json:"action"`
	Thing       string              `json:"thing,omitempty"`
	From        string              `json:"from,omitempty"`     // of a switch: the state before
	Replaces    string              `json:"replaces,omitempty"` // of a switch: the thing in that state, which stands no more
	Round       int                 `json:"round"`
	Repetition  int                 `json:"repetition,omitempty"`
	Generation  int                 `json:"generation,omitempty"` // of a load: how often the dataset was loaded by then, this time included
	Loses       []string            `json:"loses,omitempty"`      // addresses of datasets that are gone with this step
	Alongside   string              `json:"alongside,omitempty"`  // the step with which it starts together; it comes right after that one
	Bench       string              `json:"bench"`
	Needs       []string            `json:"needs"` // steps that must be done
	Commands    []providers.Command `json:"commands"`
	Erases      []providers.Erase   `json:"erases"`
	Writes      int64               `json:"writes,omitempty"`  // bytes written to its target, as far as it can be told
	Watches     []Watch             `json:"watches,omitempty"` // of a run: the monitors that watch it
	Attends     []Attend            `json:"attends,omitempty"` // of a run: the setups under it that take part in it
	EstimateS   float64             `json:"estimate_s"`
	// EstimateMaxS, of a run of rounds until they are steady, is for all rounds that it may take; EstimateS is for the fewest.
	EstimateMaxS float64 `json:"estimate_max_s,omitempty"`
}

// Watch is one monitor that watches a step.
type Watch struct {
	ID      string `json:"id"`      // as of a step: its artifacts and its events bear it
	Monitor string `json:"monitor"` // address
}

// Attend is one setup that takes part in a step.
type Attend struct {
	ID    string `json:"id"` // as of a step: its artifacts and its events bear it
	Thing string `json:"thing"`
}

// Bench is a chain of steps that must not overlap.
type Bench struct {
	Name      string  `json:"name"`
	Steps     int     `json:"steps"`
	EstimateS float64 `json:"estimate_s"`
	// EstimateMaxS: where rounds until they are steady may take it longer.
	EstimateMaxS float64 `json:"estimate_max_s,omitempty"`
}
