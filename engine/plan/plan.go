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
	Hosts         []string                   `json:"hosts"`                         // addresses; "" is this machine
	Hardware      []Hardware                 `json:"hardware"`
	Providers     []ProviderInfo             `json:"providers"`
	Things        []Thing                    `json:"things"`
	Tests         []Test                     `json:"tests"`
	Judgement     Judgement                  `json:"judgement"`
	Steps         []Step                     `json:"steps"`
	Benches       []Bench                    `json:"benches"`
	EstimateS     float64                    `json:"estimate_s"` // wall time of the longest bench
	Warnings      []string                   `json:"warnings,omitempty"`
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
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Hardware is what the spec declares of machines, to be checked before the first step.
type Hardware struct {
	Name        string   `json:"name"`
	Hosts       []string `json:"hosts"`
	MemoryBytes float64  `json:"memory_bytes,omitempty"` // 0: not declared
}

// Thing is one standing thing: a setup at given coordinates, or several equal ones.
type Thing struct {
	ID              string            `json:"id"`
	Addresses       []string          `json:"addresses"`
	Type            string            `json:"type"`
	Instance        addr.Instance     `json:"instance"` // the first of the addresses, as data
	Hosts           []string          `json:"hosts"`
	Config          json.RawMessage   `json:"config"` // sensitive values are null
	Outputs         json.RawMessage   `json:"outputs"`
	Needs           []string          `json:"needs"`  // ids of things
	Claims          []string          `json:"claims"` // what it holds while it stands, but for what it shares
	Keep            bool              `json:"keep,omitempty"`
	Erase           bool              `json:"erase,omitempty"`
	Expect          map[string]string `json:"expect,omitempty"`
	TimeoutS        float64           `json:"timeout_s,omitempty"` // 0: none
	Attempts        int               `json:"attempts"`
	BackoffS        float64           `json:"backoff_s,omitempty"`
	SensitiveConfig []string          `json:"sensitive_config,omitempty"` // attributes of which something is sensitive
}

// Test is a test at given coordinates.
type Test struct {
	Address         string              `json:"address"`
	Instance        addr.Instance       `json:"instance"`
	Coordinates     addr.Coordinates    `json:"coordinates"`
	Type            string              `json:"type"`
	Hosts           []string            `json:"hosts"`
	Config          json.RawMessage     `json:"config"` // sensitive values are null
	Things          []string            `json:"things"` // ids of all things that it stands on
	Repeat          int                 `json:"repeat"`
	TimeoutS        float64             `json:"timeout_s,omitempty"` // 0: none
	Attempts        int                 `json:"attempts"`
	BackoffS        float64             `json:"backoff_s,omitempty"`
	Import          *Import             `json:"import,omitempty"`
	Expect          map[string]string   `json:"expect,omitempty"` // what Parse is told beside the configuration
	SensitiveConfig []string            `json:"sensitive_config,omitempty"`
	Commands        []providers.Command `json:"commands"`
}

// Import names result files that stand in place of a run.
type Import struct {
	Format string   `json:"format"`
	Files  []string `json:"files"` // relative to the spec's folder; one is one repetition
}

// Action is what a step does.
type Action string

// The actions.
const (
	Create      Action = "create"
	Switch      Action = "switch"
	RunTest     Action = "run"
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
	Round       int                 `json:"round"`
	Repetition  int                 `json:"repetition,omitempty"`
	Bench       string              `json:"bench"`
	Needs       []string            `json:"needs"` // steps that must be done
	Commands    []providers.Command `json:"commands"`
	Erases      []providers.Erase   `json:"erases"`
	EstimateS   float64             `json:"estimate_s"`
}

// Bench is a chain of steps that must not overlap.
type Bench struct {
	Name      string  `json:"name"`
	Steps     int     `json:"steps"`
	EstimateS float64 `json:"estimate_s"`
}
